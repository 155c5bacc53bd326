"""What an outside paper declares of its data is compared with them wherever they are read first."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

TOY = Path(__file__).parents[1] / "run/papers/doe2008toy/paper.yaml"
ROWS = "width,kind\n1.5,a\n2.5,b\nNA,a\n"
RIGHT = {"shape": "3 x 1", "target": "a 2; b 1", "missing": 1}
OPTIONS = {"target": "kind", "header": True, "missing": ["NA"]}

EXPERIMENT = """
from icml2008.harness.experiment import experiment, grid


@experiment(
    "centre", methods=lambda choices: {"mean": None, "median": None}, cells=grid(size=[10, 100]),
    data=lambda cell: ["doe-widths"],
    repeats={"smoke": 1, "quick": 1, "full": 1}, cost=0.01,
)
def centre(trial):
    for name in trial.methods:
        with trial.attempt(name):
            table = trial.data("doe-widths")
            trial.measure(name, error=table.X[:2].mean())
"""


@pytest.fixture
def papers(tmp_path):
    """Return a function that declares a paper's data, and one that runs a command beside it."""
    folder = tmp_path / "papers/doe2008widths"
    folder.mkdir(parents=True)
    mirror = tmp_path / "mirror/doe"
    mirror.mkdir(parents=True)
    mirror.joinpath("widths.csv").write_text(ROWS)
    (folder / "experiments.py").write_text(EXPERIMENT)
    (folder / "paper.yaml").write_text(TOY.read_text().replace("doe2008toy", folder.name))

    def declare(holds=RIGHT, options=OPTIONS):
        file = {
            "urls": ["http://127.0.0.1:9/widths.csv"],
            "sha256": hashlib.sha256(ROWS.encode()).hexdigest(),
            "size": len(ROWS),
            "licence": "none",
            "citation": "none",
        }
        entry = {
            "description": "widths",
            "files": ["doe/widths.csv"],
            "loader": "icml2008.data.tables:load_delimited",
            "options": options,
            "holds": holds,
        }
        entries = {"files": {"doe/widths.csv": file}, "datasets": {"doe-widths": entry}}
        (folder / "data.yaml").write_text(yaml.safe_dump(entries))

    def icml2008(*arguments):
        program = "from icml2008.cli import main; main()"
        places = {"ICML2008_CACHE": tmp_path / "cache", "ICML2008_MIRROR": tmp_path / "mirror"}
        command = [sys.executable, "-c", program, "--papers-path", folder.parent, *arguments]
        return subprocess.run(
            [*map(str, command)],
            capture_output=True, text=True, check=False, cwd=tmp_path,
            env={**os.environ, **{name: str(place) for name, place in places.items()}},
        )  # fmt: skip

    return declare, icml2008


COMMANDS = [
    ("data", "fetch", "doe-widths"),
    ("data", "verify", "doe-widths"),
    ("run", "doe2008widths/centre", "--scale", "smoke"),
]


def test_data_that_hold_what_is_registered_are_fetched_verified_and_read(papers):
    declare, icml2008 = papers
    declare()
    outputs = [icml2008(*command) for command in COMMANDS]
    assert [output.returncode for output in outputs] == [0, 0, 0], outputs
    fetched, verified, _ = (output.stdout for output in outputs)
    assert fetched == "doe-widths: available\n"
    assert verified.endswith("doe-widths: holds what is registered\n")


@pytest.mark.parametrize(
    ("holds", "options", "message"),
    [
        (RIGHT | {"shape": "4 x 1"}, OPTIONS, "it holds shape '3 x 1' and not '4 x 1'"),
        (RIGHT, OPTIONS | {"missing": "?"}, "widths.csv, line 4, column 'width', value 'NA'"),
    ],
)
def test_data_that_hold_something_else_are_refused_by_each_command(papers, holds, options, message):
    declare, icml2008 = papers
    declare(holds, options)
    for command in COMMANDS:
        output = icml2008(*command)
        text = output.stdout + output.stderr
        assert output.returncode != 0, text
        assert "doe-widths: " in text
        assert message in text
        assert "Traceback" not in text
