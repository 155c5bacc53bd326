"""The arithmetic of trials is the baseline's, whatever the caller's environment says."""

import json
import os
import subprocess
import sys

import pytest

from icml2008.harness import arithmetic
from icml2008.harness.arithmetic import ARITHMETICS, UnknownArithmetic

PROGRAM = """
import json
from icml2008.harness import arithmetic
arithmetic.use()
import numpy, scipy.linalg, numba, math
found = arithmetic.active()
numbers = numpy.random.default_rng(0).normal(size=(90, 90))
bits = [(numbers @ numbers)[0, 0].hex(), float(numpy.exp(numbers).sum()).hex()]
print(json.dumps([found, bits]))
"""
HERE = [name for name in ARITHMETICS if not arithmetic.lacking(name)]


def computed(**variables):
    env = {key: value for key, value in os.environ.items() if key != arithmetic.VARIABLE}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        env={**env, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif("baseline" not in HERE, reason="this machine cannot run the baseline")
@pytest.mark.parametrize(
    "variables",
    [
        {"OPENBLAS_CORETYPE": "Nehalem"},
        {"NPY_DISABLE_CPU_FEATURES": "X86_V3", "NUMBA_CPU_NAME": "generic"},
        {"OPENBLAS_CORETYPE": "nonsense", "NPY_ENABLE_CPU_FEATURES": "X", "NUMBA_DISABLE_JIT": "1"},
    ],
)
def test_the_baseline_takes_no_notice_of_what_the_caller_has_set(variables):
    answer = computed(**variables)
    assert answer == computed()
    assert answer[0]["numba"] == ["x86-64-v3"]
    assert all(name.endswith("Haswell") for name in answer[0]["blas"])


@pytest.mark.parametrize("name", [n for n in ("sandybridge", "nehalem", "prescott") if n in HERE])
def test_an_older_processor_is_emulated_down_to_the_c_library(name):
    libraries, bits = computed(**{arithmetic.VARIABLE: name})
    assert libraries["numpy"] == ["X86_V2"]
    assert libraries["numba"] == [ARITHMETICS[name].numba]
    assert bits != computed()[1]


def test_an_unknown_arithmetic_names_the_nearest():
    with pytest.raises(UnknownArithmetic, match="did you mean 'nehalem'"):
        arithmetic.use("nehalm")


def test_a_machine_that_lacks_instructions_says_which(monkeypatch):
    monkeypatch.setattr(arithmetic, "_instructions", lambda: frozenset({"pni"}))
    with pytest.raises(UnknownArithmetic, match="cannot run nehalem, it lacks sse4_2"):
        arithmetic.use("nehalem")


def test_a_machine_that_cannot_run_the_baseline_computes_as_it_does(monkeypatch):
    monkeypatch.setattr(os, "environ", {"OPENBLAS_CORETYPE": "Nehalem"})
    monkeypatch.setattr(arithmetic, "_instructions", frozenset)
    arithmetic.use()
    assert "OPENBLAS_CORETYPE" not in os.environ
    assert os.environ["OMP_NUM_THREADS"] == "1"


def test_what_several_processes_computed_with_is_joined():
    libraries = arithmetic.joined([{"blas": ["a"]}, {"blas": ["b", "a"], "numba": ["x"]}])
    assert libraries == {"blas": ["a", "b"], "numba": ["x"]}
    assert arithmetic.in_words(libraries) == "blas a, b; numba x"
