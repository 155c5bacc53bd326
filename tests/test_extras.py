"""What is not installed is one message that names the extra."""

import subprocess
import sys
import tomllib
from ast import literal_eval
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]

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


@pytest.mark.parametrize("name", ["MIRank", "mirank_path", "LinearProgramApprentice"])
def test_a_method_names_the_extra_that_it_needs(name):
    done = python(f"from icml2008.methods import {name}", {"highspy"})
    message = f"ImportError: {name} needs highspy; install: pip install 'icml2008[methods]'"
    assert done.stderr.splitlines()[-1] == message


def test_a_method_that_needs_an_extra_at_its_fit_names_it():
    code = "from icml2008.methods import KernelVectorQuantization as K; K(1.0).fit([[0.0], [1.0]])"
    done = python(code, {"highspy"})
    message = (
        "ImportError: a linear program needs highspy; install: pip install 'icml2008[methods]'"
    )
    assert done.stderr.splitlines()[-1] == message


PROJECTED = """
import numpy as np
from icml2008.methods import Bolasso, ConfidenceWeighted, project_simplex
rng = np.random.default_rng(0)
X = rng.normal(size=(40, 5))
y = X[:, 0] + 0.1 * rng.normal(size=40)
print(Bolasso(n_bootstraps=4, random_state=0).fit(X, y).coef_.tolist())
print(ConfidenceWeighted().fit(X, y > 0).coef_.tolist())
print(project_simplex(X[0]).tolist())
"""


def test_without_numba_methods_give_the_same_results_as_plain_python_and_say_so():
    plain = python(PROJECTED, {"numba", "highspy"})
    compiled = python(PROJECTED, set())
    assert compiled.stderr == ""
    for ours, theirs in zip(plain.stdout.splitlines(), compiled.stdout.splitlines(), strict=True):
        np.testing.assert_allclose(literal_eval(ours), literal_eval(theirs), rtol=1e-12)
    warned = [line for line in plain.stderr.splitlines() if "Warning" in line]
    assert len(warned) == 3
    for name in ("Bolasso", "ConfidenceWeighted", "project_simplex"):
        part = f"UserWarning: numba is not installed: {name} runs as plain Python"
        assert sum(part in line for line in warned) == 1


def test_what_stands_in_for_numba_stays_with_the_methods():
    code = "from icml2008.methods import Bolasso; import importlib.util; import numba"
    done = python(code, {"numba"})
    assert done.stderr.splitlines()[-1] == "ModuleNotFoundError: No module named 'numba'"


@pytest.mark.parametrize("name", ["load", "catalogue", "UnknownData"])
def test_data_name_their_extra(name):
    done = python(f"from icml2008.data import {name}", {"pydantic"})
    message = f"ImportError: {name} needs pydantic; install: pip install 'icml2008[run]'"
    assert done.stderr.splitlines()[-1] == message


def test_an_extra_has_all_that_methods_need():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert extras["optional-dependencies"]["methods"] == ["icml2008[highspy,numba,scikit-image]"]


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
