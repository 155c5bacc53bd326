import subprocess
import sys
import textwrap

import pytest

from icml2008.harness import code

SOURCE = '''
"""A module."""
from icml2008.errors import nearest


def double(x):
    """Return twice x."""
    # the reason
    return 2 * x
'''


@pytest.fixture
def hash_of(tmp_path, monkeypatch):
    """Return a function that hashes the source of a module icml2008_probe."""
    path = tmp_path / "icml2008_probe.py"
    stamps = iter(range(10**9, 10**10, 10**6))
    monkeypatch.setattr(code, "_source", lambda name: str(path) if name == "probe" else None)

    def hash_source(source):
        import os

        path.write_text(source)
        stamp = next(stamps)
        os.utime(path, ns=(stamp, stamp))
        return code.code_hash(["probe"])

    return hash_source


@pytest.mark.parametrize(
    "changed",
    [
        SOURCE.replace("# the reason", "# another reason"),
        SOURCE.replace("Return twice x.", "Return the double."),
        SOURCE.replace('"""A module."""', '"""Another text."""'),
        SOURCE.replace("2 * x", "(2*x)"),
    ],
)
def test_comments_docstrings_and_layout_do_not_change_the_hash(hash_of, changed):
    assert changed != SOURCE
    assert hash_of(changed) == hash_of(SOURCE)


@pytest.mark.parametrize(
    "changed",
    [SOURCE.replace("2 * x", "3 * x"), SOURCE + "\nEXTRA = 1\n", SOURCE.replace("double", "twice")],
)
def test_a_changed_statement_changes_the_hash(hash_of, changed):
    assert hash_of(changed) != hash_of(SOURCE)


def test_the_closure_follows_imports():
    found = code.closure(["icml2008.harness.trial"])
    assert {"icml2008.harness.trial", "icml2008.harness.seeds", "icml2008.errors"} <= set(found)


def test_the_list_of_public_names_is_no_part_of_a_closure():
    found = code.closure(["icml2008.papers.bergeron2008mirank.experiments"])
    assert not {"icml2008", "icml2008.methods", "icml2008.papers"} & set(found)


def test_the_closure_of_an_experiment_leaves_out_judge_report_and_workflow():
    found = code.closure(["icml2008.papers.bergeron2008mirank.experiments"])
    outside = ("icml2008.judge", "icml2008.report", "icml2008.workflow", "icml2008.cli")
    assert not [module for module in found if module.startswith(outside)]
    assert "icml2008.methods.multiple_instance" in found


def test_a_smoke_trial_loads_no_module_outside_its_closure():
    """What is loaded but not hashed could change results unseen."""
    program = """
        import sys
        from icml2008.harness.code import closure
        from icml2008.papers.bergeron2008mirank.experiments import two_guess_accuracy as found
        from icml2008.harness.trial import Trial, run_trial
        import importlib.resources, yaml
        paper = "icml2008.papers.bergeron2008mirank"
        text = importlib.resources.files(paper).joinpath("paper.yaml").read_text()
        choices = {k: v["default"] for k, v in yaml.safe_load(text)["choices"].items()}
        cell = next(cell for cell in found.cells["smoke"] if not found.data(cell))
        run_trial(Trial("bergeron2008mirank", found, cell, 0, choices=choices, load=None))
        known = closure([paper + ".experiments", "icml2008.harness.trial"])
        loaded = {name for name in sys.modules if name.partition(".")[0] == "icml2008"}
        parts = [name.split(".") for name in known]
        packages = {".".join(part[:n]) for part in parts for n in range(1, len(part))}
        print(sorted(loaded - set(known) - packages - {"icml2008.harness.code"}))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
