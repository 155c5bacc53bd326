"""The package of methods: names are found, and found lazily."""

from __future__ import annotations

import subprocess
import sys

import pytest

import icml2008.methods


def test_every_public_name_can_be_imported():
    for name in icml2008.methods.__all__:
        assert getattr(icml2008.methods, name).__name__ == name


def test_an_unknown_name_is_told_the_nearest():
    with pytest.raises(AttributeError, match="did you mean 'MIRank'"):
        icml2008.methods.MIRnk  # noqa: B018


def test_importing_the_package_imports_no_method():
    code = (
        "import sys, icml2008.methods; print([m for m in sys.modules if 'icml2008.methods.' in m])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
