"""Printed commands work where they are read: in a clone, elsewhere, and of papers of one's own."""

import shlex
from pathlib import Path

from icml2008.catalogue import library
from icml2008.catalogue.commands import workflow_command

KEY = "bergeron2008mirank"


def test_in_a_clone_the_command_is_short(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    assert workflow_command(library.folder(KEY)) == f"snakemake --cores all {KEY}"


def test_elsewhere_it_names_a_workflow_that_is_there(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    words = shlex.split(workflow_command(library.folder(KEY)))
    assert Path(words[words.index("--snakefile") + 1]).is_file()
    assert words[-1] == KEY


def test_a_paper_of_ones_own_is_named_with_its_folder(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    text = workflow_command(Path("my papers/doe2030mine"))
    assert shlex.split(text)[-3:] == ["doe2030mine", "--config", "papers_path=my papers"]
