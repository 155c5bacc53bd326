"""What is not installed is one message that names the extra."""

import subprocess
import sys

import pytest

WITHOUT = """
import sys

class Missing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name.partition(".")[0])

sys.meta_path.insert(0, Missing())
{code}
"""
RUN = {"jinja2", "matplotlib", "pydantic", "rich", "snakemake", "typer", "yaml"}


def python(code, missing, *arguments):
    program = WITHOUT.format(missing=set(missing), code=code)
    return subprocess.run(
        [sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(("name", "package"), [("MIRank", "highspy"), ("Bolasso", "numba")])
def test_a_method_names_the_extra_that_it_needs(name, package):
    done = python(f"from icml2008.methods import {name}", {package})
    message = f"ImportError: {name} needs {package}; install: pip install 'icml2008[{package}]'"
    assert done.stderr.splitlines()[-1] == message


def test_a_function_names_the_extra_that_one_of_its_steps_needs():
    code = "import numpy; from icml2008.methods import skeleton_graph as s; s(numpy.eye(5) > 0)"
    done = python(code, {"skimage"})
    message = "ImportError: skeleton_graph needs scikit-image; install: pip install"
    assert done.stderr.splitlines()[-1] == f"{message} 'icml2008[scikit-image]'"


def test_a_solver_names_the_extra_that_it_needs():
    code = """
from icml2008.methods import LinearProgramApprentice, MultiObjectiveMDP
mdp = MultiObjectiveMDP([[[1.0]]], [[[1.0]]], 0.9)
LinearProgramApprentice("clarabel").fit(mdp, [5.0])
"""
    done = python(code, {"clarabel"})
    message = "ImportError: solver='clarabel' needs clarabel; install: pip install"
    assert done.stderr.splitlines()[-1] == f"{message} 'icml2008[clarabel]'"


def test_methods_without_kernels_need_the_core_alone():
    code = "from icml2008.methods import ConvexClustering, SoftKMeans; print(SoftKMeans())"
    done = python(code, {*RUN, "highspy", "numba"})
    assert (done.stdout, done.stderr) == ("SoftKMeans()\n", "")


def test_the_command_line_names_its_extra():
    done = python("from icml2008.__main__ import main; main()", RUN, "papers")
    assert done.returncode == 1
    assert done.stderr == ("icml2008's commands need typer; install: pip install 'icml2008[run]'\n")


def test_importing_the_methods_loads_no_numpy():
    code = "import icml2008.methods; assert not {'numpy', 'scipy', 'sklearn'} & set(sys.modules)"
    assert python(code, set()).stderr == ""
