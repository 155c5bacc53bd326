"""The package is lazy and knows nothing of the rest."""

import subprocess
import sys

import pytest

import icml2008.judge


def modules_after(statement):
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_import_loads_no_sibling():
    modules = {m for m in modules_after("import icml2008.judge") if "icml2008" in m}
    assert modules == {"icml2008", "icml2008.judge", "icml2008.lazy", "icml2008.errors"}


def test_claims_can_be_read_without_scipy():
    assert "scipy" not in modules_after("import icml2008.judge.claims")


def test_judge_imports_only_what_all_import():
    modules = modules_after("from icml2008.judge import judge_claim, robustness")
    ours = {m for m in modules if m.startswith("icml2008.") and "judge" not in m}
    assert ours == {"icml2008.errors", "icml2008.lazy"}


@pytest.mark.parametrize("name", icml2008.judge.__all__)
def test_public_names_have_docstrings(name):
    value = getattr(icml2008.judge, name)
    assert isinstance(value, str) or value.__doc__


def test_unknown_names_are_attribute_errors():
    with pytest.raises(AttributeError, match="verdit"):
        icml2008.judge.verdit  # noqa: B018
