"""The guides for papers and methods of one's own, followed step by step."""

import json
import os
import re
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
CARD = Path(__file__).parent / "cards/vovk2008brier.yaml"


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


def merged(facts, changes):
    """Return nested mappings with some of their values replaced, the metrics as a whole."""
    both = {
        key: merged(facts[key], new)
        if isinstance(new, dict) and isinstance(facts.get(key), dict) and key != "metrics"
        else new
        for key, new in changes.items()
    }
    return facts | both


def test_a_paper_is_added_by_following_the_guide(snakemake, tmp_path):
    # Under another key, as the catalogue has its paper already; from the card that the guide had.
    papers = tmp_path / "papers"
    key = "doe2008brier"
    (papers / key).mkdir(parents=True)
    guide = (ROOT / "docs/adding-a-paper.md").read_text("utf-8").replace(CARD.stem, key)
    path = papers / key / "paper.yaml"
    path.write_text(CARD.read_text("utf-8").replace(f"key: {CARD.stem}", f"key: {key}"))
    begin = re.search(rf"    icml2008 (new {key} .*)", guide)[1]
    assert f"run {key}/theorem-1" in icml2008(tmp_path, "--papers-path", papers, *begin.split())
    made = {file.name for file in (papers / key).iterdir()}
    files = files_in("adding-a-paper.md")
    names = {name.replace(CARD.stem, key): text for name, text in files.items()}
    assert made | {"figures.py"} == {*names, "__init__.py", "paper.yaml", "second.yaml"}
    for name, text in names.items():
        (papers / key / name).write_text(text)
    (entries,) = re.findall(r"```yaml\n(.*?)```", guide, re.S)
    facts = merged(yaml.safe_load(path.read_text("utf-8")), yaml.safe_load(entries))
    path.write_text(yaml.safe_dump(facts, sort_keys=False, allow_unicode=True))
    tested = [sys.executable, "-m", "pytest", "-q", papers / key]
    assert subprocess.run(tested, cwd=papers, check=False).returncode == 0
    out = icml2008(tmp_path, "--papers-path", papers, "run", f"{key}/theorem-1")
    assert "not written yet" not in out
    done = snakemake(
        *(key, f"results/full/report/{key}.html"),
        papers=key,
        scale="full",
        multiverse=key,
        papers_path=papers,
    )
    assert done.returncode == 0, done.stderr
    page = (tmp_path / f"results/full/report/{key}.html").read_text()
    assert "Largest regret against an adversary" in page
    claim = tmp_path / f"results/full/report/{key}/aggregating-beats-averaging.html"
    assert "At which rate does the weighted average learn?" in claim.read_text()
    icml2008(tmp_path, "--papers-path", papers, "adopt", key)
    verdicts = json.loads((tmp_path / f"results/reference/{key}/verdicts.json").read_text())
    wholes = {v["claim"]: v for v in verdicts if not v["part"]}
    assert wholes["regret-at-most-ln-k"]["verdict"] == "confirmed"
    assert wholes["aggregating-beats-averaging"]["tried"] == ["averaging-rate"]
    assert wholes["football-bound"]["verdict"] == "untested"


def test_a_method_of_ones_own_gets_column_verdicts_and_place_in_the_figure(tmp_path, nowhere):
    ((name, text),) = files_in("own-methods.md").items()
    (tmp_path / name).write_text(text)
    method = "AverageRankSVM"
    column = f"own:{method}"
    assert sum(bool(line.strip()) for line in text.partition("class ")[2].splitlines()) <= 14
    out = icml2008(
        tmp_path,
        *("run", "bergeron2008mirank/accuracy", "--method", f"mymethods:{method}"),
        *("--verdicts", "verdicts.json", "--figure", "methods.svg", "--universe", "ties=random"),
        **nowhere,
        PYTHONPATH=str(tmp_path),
    )
    assert re.search(rf"accuracy +dataset=synthetic-1 +{column} +\d", out)
    verdicts = json.loads((tmp_path / "verdicts.json").read_text())
    against = {v["statistic"] for v in verdicts if v["part"] == "dataset=synthetic-1"}
    assert against == {f"difference of {column} and {other}" for other in ("MIRank", "MIC")}
    assert {v["verdict"] for v in verdicts if v["part"]} == {"inconclusive"}  # a single repeat
    assert {v["universe"] for v in verdicts} == {"ties=random"}
    assert "<svg" in (tmp_path / "methods.svg").read_text()
