"""What the rules read of Snakemake's own state is there in the releases that are promised."""

import re
import subprocess
import sys
import tomllib
from importlib.metadata import version
from pathlib import Path

import pytest
import yaml

from icml2008.run.workflow import LOWEST

ROOT = Path(__file__).parents[2]
RULES = """
from pathlib import Path
from icml2008.run.workflow import Workflow

STATE = Workflow(workflow)

def note(line):
    with Path("noted.txt").open("a") as file:
        file.write(f"{line}\\n")

def inputs(wildcards):
    note(["job", STATE.is_a_job, STATE.changes_files, STATE.only_plans, STATE.cores])
    return []

rule all:
    input: expand("out/{scale}/{paper}.txt", scale=["quick", "full"], paper=["a", "b"])

rule run_trials:
    input: inputs
    output: "out/{scale}/{paper}.txt"
    log: "logs/{scale}-{paper}.log"
    params: broken=lambda wildcards: wildcards.scale + wildcards.paper == "fullb"
    group: "both"
    shell: "if [ {params.broken} = True ]; then exit 1; fi; touch {output}"

rule named:
    output: "named.txt"
    shell: "touch {output}"

note(["rules", STATE.rules])

onstart:
    note(["scales", STATE.values("scale")])
    note(["papers", STATE.values("paper", scale="quick")])
    note(["forced", sorted(map(str, STATE.forced_outputs("run_trials")))])

onerror:
    note(["failed", STATE.has_failed, STATE.failed_steps("quick"),
          [(s.rule, s.paper, s.log) for s in STATE.failed_steps("full")]])

onsuccess:
    note(["failed", STATE.has_failed])
"""


@pytest.fixture
def noted(tmp_path):
    """Return a function that runs a small workflow and gives what its rules saw of Snakemake."""
    (tmp_path / "Snakefile").write_text(RULES)

    def run(*options):
        command = [sys.executable, "-m", "snakemake", "--cores", "1", "--keep-going", *options]
        subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        lines = (tmp_path / "noted.txt").read_text().splitlines()
        return dict(re.match(r"\['(\w+)', (.*)\]$", line).groups() for line in lines)

    return run


def test_what_is_planned_forced_and_failed_is_seen(noted):
    seen = noted("--forcerun", "out/quick/a.txt")
    assert seen["scales"] == "['full', 'quick']"
    assert seen["papers"] == "['a', 'b']"
    assert seen["forced"] == "['out/quick/a.txt']"
    assert seen["failed"] == "True, [], [('run_trials', 'b', 'logs/full-b.log')]"


def test_the_names_of_rules_are_seen(noted):
    assert noted("--dry-run", "named")["rules"] == "['all', 'run_trials', 'named']"


def test_a_run_and_a_plan_are_told_apart(noted):
    assert noted("out/quick/a.txt")["job"].startswith("False, True, False")
    assert noted("--dry-run", "out/quick/b.txt")["job"].startswith("False, False, True")


def test_the_promised_releases_are_named_alike_everywhere():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    listed = str(project).partition("snakemake~=")[2]
    environment = yaml.safe_load((ROOT / "environment.yml").read_text("utf-8"))["dependencies"]
    assert re.match(r"[\d.]+", listed)[0] == LOWEST
    assert f"snakemake~={LOWEST}" in environment
    assert f'min_version("{LOWEST}")' in (ROOT / "workflow/Snakefile").read_text("utf-8")
    here = [int(part) for part in version("snakemake").split(".")[:2]]
    lowest = [int(part) for part in LOWEST.split(".")]
    assert here[0] == lowest[0]
    assert here >= lowest
