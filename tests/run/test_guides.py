"""The guides for papers and methods of one's own, followed step by step."""

import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers/doe2008toy"


def files_in(guide):
    """Return the code blocks of a guide that begin with the name of their file, by that name."""
    text = (ROOT / "docs" / guide).read_text("utf-8")
    blocks = [textwrap.dedent(block) for block in re.findall(r"```python\n(.*?)```", text, re.S)]
    return {re.match(r"# (\S+\.py)\n", block)[1]: block for block in blocks}


def icml2008(folder, *arguments, **env):
    command = [Path(sys.executable).with_name("icml2008"), *map(str, arguments)]
    return subprocess.run(
        command,
        capture_output=True,
        text=True,
        check=True,
        cwd=folder,
        env={**os.environ, **env},
    ).stdout


def test_a_paper_is_added_by_following_the_guide(snakemake, tmp_path):
    papers, key = tmp_path / "papers", TOY.name
    (papers / key).mkdir(parents=True)
    (papers / key / "__init__.py").touch()
    shutil.copy(TOY / "paper.yaml", papers / key)
    files = files_in("adding-a-paper.md")
    assert set(files) == {"experiments.py", "figures.py"}
    for name, text in files.items():
        (papers / key / name).write_text(text)
    assert "median" in icml2008(tmp_path, "--papers-path", papers, "run", f"{key}/centre")
    done = snakemake(
        *(key, f"results/full/report/{key}.html"),
        scale="full",
        multiverse=key,
        papers_path=papers,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / f"results/full/report/{key}.html").read_text()
    assert "The error of both estimates against the sample" in page
    assert "Under other choices: the specification curve" in page
    icml2008(tmp_path, "--papers-path", papers, "adopt", key)
    verdicts = json.loads((tmp_path / f"results/reference/{key}/verdicts.json").read_text())
    whole = next(v for v in verdicts if not v["part"] and v["universe"] == "default")
    assert (whole["verdict"], whole["turned_by"]) == ("confirmed", ["noise"])


def test_a_method_of_ones_own_gets_column_verdicts_and_place_in_the_figure(tmp_path, nowhere):
    ((name, text),) = files_in("own-methods.md").items()
    (tmp_path / name).write_text(text)
    method = "AverageRankSVM"
    assert sum(bool(line.strip()) for line in text.partition("class ")[2].splitlines()) <= 14
    out = icml2008(
        tmp_path,
        *("run", "bergeron2008mirank/accuracy", "--method", f"mymethods:{method}"),
        *("--verdicts", "verdicts.json", "--figure", "methods.svg", "--universe", "ties=random"),
        **nowhere,
        PYTHONPATH=str(tmp_path),
    )
    assert re.search(rf"accuracy +dataset=synthetic-1 +{method} +\d", out)
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())
    against = {v["statistic"] for v in verdicts if v["part"] == "dataset=synthetic-1"}
    assert against == {f"difference of {method} and {other}" for other in ("MIRank", "MIC")}
    assert {v["verdict"] for v in verdicts if v["part"]} == {"inconclusive"}  # a single repeat
    assert {v["universe"] for v in verdicts} == {"ties=random"}
    assert "<svg" in (tmp_path / "methods.svg").read_text()
