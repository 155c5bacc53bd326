"""First calls compile kernels: whoever asks for that beforehand misses none."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

import icml2008
from icml2008.harness.code import closure
from icml2008.methods import _MODULES
from icml2008.methods.first_calls import FIRST_CALLS

PACKAGE = Path(icml2008.__file__).parent
# Agents are called with worlds, the others with what a call before has compiled.
LATER = {
    "MAXQQ",
    "OptimismSchedule",
    "OptimisticExplorer",
    "RMAXQ",
    "SparseL1Ball",
    "TaskHierarchy",
    "combine_confidence_weighted",
}


def has_kernels(module):
    parts = module.split(".")[1:]
    file = PACKAGE.joinpath(*parts).with_suffix(".py")
    return file.exists() and re.search(r"^(from|import) numba", file.read_text("utf-8"), re.M)


def test_every_method_that_compiles_kernels_has_a_first_call():
    compiling = {
        name
        for name, module in _MODULES.items()
        if any(map(has_kernels, closure([f"icml2008.{module}"])))
    }
    assert set(FIRST_CALLS) == compiling - LATER


@pytest.mark.parametrize("name", ["ConfidenceWeighted", "project_simplex", "upper_envelope"])
def test_a_first_call_leaves_compiled_kernels(name):
    FIRST_CALLS[name]()
    modules = filter(has_kernels, closure([f"icml2008.{_MODULES[name]}"]))
    kernels = [vars(sys.modules[module]).values() for module in modules]
    assert any(getattr(kernel, "signatures", None) for values in kernels for kernel in values)


def test_the_module_runs_all_calls_and_says_what_each_took():
    code = """
from icml2008.methods import first_calls
first_calls.FIRST_CALLS = {"a": lambda: None, "b": lambda: None}
first_calls.main()
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["   0.0 s  a", "   0.0 s  b"]
