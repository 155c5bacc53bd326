"""The workflow as others use it: without the package, from an empty folder, inside another one."""

import json
import os
import re
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
import yaml

from icml2008.judge.decide import RULEBOOK
from icml2008.run.trials.configuration import Run, read_config

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers"
SCHEMA = yaml.safe_load((ROOT / "workflow/schemas/config.schema.yaml").read_text())

# What the workflow needs, and Snakemake does not bring.
WITHOUT = """
import sys

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {
            *("highspy", "matplotlib", "numba", "numpy", "pandas", "PIL", "rich", "scipy"),
            *("skimage", "sklearn", "typer"),
        }:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
"""


def snakemake(folder, *arguments, **env):
    command = [sys.executable, "-m", "snakemake", *map(str, arguments)]
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), **env}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, check=False)


def test_the_rules_are_read_and_linted_where_there_is_snakemake_alone(tmp_path):
    (tmp_path / "sitecustomize.py").write_text(WITHOUT)
    bare = {"PYTHONPATH": str(tmp_path)}
    flags = ("--snakefile", ROOT / "workflow/Snakefile")
    done = snakemake(tmp_path, *flags, "--lint", **bare)
    assert "your workflow is in a good condition" in done.stderr, done.stderr
    done = snakemake(tmp_path, *flags, "--dry-run", "--config", "papers=vovk2008brier", **bare)
    assert done.returncode == 1
    assert "is not installed: pip install 'icml2008[run]'" in done.stdout


def test_the_graph_of_the_rules_is_the_one_in_the_docs(tmp_path):
    flags = ("--snakefile", ROOT / "workflow/Snakefile", "--rulegraph", "mermaid-js")
    drawn = snakemake(
        tmp_path, *flags, "--config", "papers=doe2008toy", f"papers_path={TOY}"
    ).stdout
    names = dict(re.findall(r"(id\d+)\[(\w+)\]", drawn))
    edges = {(names[a], names[b]) for a, b in re.findall(r"(id\d+) --> (id\d+)", drawn)}
    shown = (
        (ROOT / "docs/architecture.md").read_text().partition("```mermaid")[2].partition("```")[0]
    )
    # The toy reads no data.
    arrows = set(re.findall(r"(\w+) --> (\w+)", shown))
    assert edges == {edge for edge in arrows if edge[0] != "fetch_data"}


def test_another_workflow_takes_it_as_a_module_from_an_empty_folder_to_a_page(tmp_path):
    (tmp_path / "Snakefile").write_text(f"""
module icml:
    snakefile: "{ROOT}/workflow/Snakefile"
    config: {{"scale": "smoke", "papers": "doe2008toy", "papers_path": "{TOY}"}}

use rule * from icml as icml_*

rule mine:
    default_target: True
    input: "results/smoke/report/doe2008toy.html"
""")
    done = snakemake(tmp_path, "--cores", 1)
    assert done.returncode == 0, done.stderr
    page = tmp_path / "results/smoke/report/doe2008toy.html"
    assert "The Mean Is Better Than the Median, Sometimes" in page.read_text("utf-8")


def test_the_key_of_a_paper_builds_its_page_and_says_where_its_verdict_is(tmp_path):
    flags = ("--snakefile", ROOT / "workflow/Snakefile", "--cores", 1)
    config = ("--config", "scale=smoke", "papers=doe2008toy", f"papers_path={TOY}")
    done = snakemake(tmp_path, *flags, "doe2008toy", *config)
    assert done.returncode == 0, done.stderr
    assert "doe2008toy: 1 confirmed\n" in done.stderr
    page = "results/smoke/report/doe2008toy.html"
    assert f"  page: {page}\n" in done.stderr
    assert (tmp_path / page).is_file()
    report = snakemake(tmp_path, *flags, page, *config, "--report", "report.zip")
    assert report.returncode == 0, report.stderr
    assert (tmp_path / "report.zip").is_file()


def test_a_paper_of_ones_own_goes_from_the_skeleton_to_a_verdict_page(tmp_path):
    key = "doe2030mine"
    papers = tmp_path / "papers"
    new = [sys.executable, "-m", "icml2008", "new", key, "--to", str(papers)]
    subprocess.run(new, cwd=tmp_path, check=True, capture_output=True)
    card = papers / key / "paper.yaml"
    trials = papers / key / "experiments.py"
    facts = card.read_text()
    assert facts.count('"..."') == 7
    card.write_text(facts.replace('title: "..."', "title: A Paper of Our Own"))
    written = "lambda rng: 0.1 + 0.001 * rng.random(),"
    trials.write_text(trials.read_text().replace("not_written,", written))
    flags = ("--snakefile", ROOT / "workflow/Snakefile", "--cores", 1, key)
    done = snakemake(tmp_path, *flags, "--config", "scale=smoke", f"papers_path={papers}")
    assert done.returncode == 0, done.stderr
    (whole, *parts) = json.loads((tmp_path / f"results/smoke/{key}/verdicts.json").read_text())
    assert [part["n"] for part in parts[:2]] == [1, 1]
    assert whole["rulebook"] == RULEBOOK
    page = tmp_path / f"results/smoke/report/{key}.html"
    assert "A Paper of Our Own" in page.read_text("utf-8")


def test_the_schema_of_the_configuration_has_the_keys_and_the_defaults_that_are_read():
    names = {"mirrors": "data_mirrors"}
    known = {names.get(field.name, field.name) for field in fields(Run)}
    assert SCHEMA["properties"].keys() == known
    assert all(entry["description"] for entry in SCHEMA["properties"].values())
    defaults = {name: entry["default"] for name, entry in SCHEMA["properties"].items()}
    assert read_config(defaults) == Run()
    assert yaml.safe_load((ROOT / "config/config.yaml").read_text()) == defaults


def test_the_run_for_a_trial_of_the_workflow_is_one_of_seconds():
    assert read_config(yaml.safe_load((ROOT / ".test/config/config.yaml").read_text())) == Run(
        scale="smoke", papers=("vovk2008brier",)
    )
