"""Runs of the real workflow, on a small paper outside the package."""

import json
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness import arithmetic
from icml2008.harness.records import canonical
from icml2008.run.reference.adopting import adopt
from icml2008.run.reference.judging import judge_paper
from icml2008.store import (
    REFERENCE,
    Shelf,
    read_lines,
    write_packed,
)

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers"
RECORDS = "results/{scale}/doe2008toy/records/centre/default.jsonl"


@pytest.fixture(scope="module")
def finished(workflow_in, tmp_path_factory):
    """Return a function that runs the workflow once, whoever asks: where it ran, how it ended.

    What runs anything further there has a folder of its own.
    """

    @cache
    def run(*targets, **settings):
        here = workflow_in(tmp_path_factory.mktemp("finished"))
        done = here(*targets, **settings)
        assert done.returncode == 0, done.stderr
        return here.folder, done

    return run


def test_the_root_snakefile_makes_records_verdicts_tables_and_the_page(finished):
    folder, done = finished(scale="smoke")
    assert "Error" not in done.stderr
    folder = folder / "results/smoke"
    verdicts = json.loads((folder / "doe2008toy/verdicts.json").read_text())
    assert [v["part"] for v in verdicts] == ["", "size=10", "size=100"]
    assert verdicts[0]["verdict"] == "confirmed"
    page = (folder / "report/index.html").read_text()
    assert "The Mean Is Better Than the Median, Sometimes" in page
    assert (folder / "doe2008toy/claims.csv").is_file()
    assert (folder / "done").is_file()
    assert "The page: results/smoke/report/index.html" in done.stderr
    assert re.search(r"Trials: \d+ s in 1 processes. All else took \d+ % of", done.stderr)


def last_line(done):
    return done.stderr.splitlines()[-1]


@pytest.fixture
def other_reference(snakemake, tmp_path, monkeypatch):
    """Leave a reference in which the toy's mean does worse than it does."""
    assert snakemake("doe2008toy", scale="full").returncode == 0
    library.add_papers(TOY)
    monkeypatch.chdir(tmp_path)
    toy = Shelf.of_reference(Entry("doe2008toy"))
    adopt(Shelf.of_run("full", toy.entry))
    packed = toy.packed_file("centre")
    ((head, *lines),) = read_lines(packed)
    for line in lines:
        line["value"] += 0.2 * (line["method"] == "mean")
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *lines))
    write_packed(packed, text)
    toy.write_verdicts(judge_paper(toy.entry, toy.records(), "full"))


def test_why_a_run_fails_is_said_last_and_stands_on_top_of_the_page(snakemake, other_reference):
    done = snakemake(scale="smoke")
    assert done.returncode == 1
    folder = snakemake.folder / "results/smoke"
    wrong = "3 verdicts flipped, 2 means moved"
    report = "results/smoke/check.json and results/smoke/report/index.html"
    assert last_line(done) == f"What is wrong: {wrong}; all in {report}"
    reason = (folder / "reason.txt").read_text()
    assert done.stderr.endswith(reason)
    assert len(reason.splitlines()) == 5
    assert done.stderr.count("Error in rule conclude") == 1
    page = (folder / "report/index.html").read_text()
    assert page.index(wrong) < page.index("We re-run")
    shutil.rmtree(snakemake.folder / "results/reference")
    assert snakemake(scale="smoke").returncode == 0
    assert not (folder / "reason.txt").exists()
    assert wrong not in (folder / "report/index.html").read_text()


@pytest.mark.skipif(
    bool(arithmetic.lacking("baseline")), reason="this machine cannot run the baseline"
)
def test_records_are_the_references_whatever_the_caller_has_set(snakemake):
    wrong = {
        "OPENBLAS_CORETYPE": "Nehalem",
        "NPY_DISABLE_CPU_FEATURES": "X86_V3",
        "NUMBA_CPU_NAME": "generic",
        "NUMBA_OPT": "0",
    }
    key = "parr2008linear"
    assert snakemake(key, scale="smoke", papers=key, env=wrong).returncode == 0
    records = Shelf(snakemake.folder / "results/smoke", Entry(key)).records()
    known = Shelf(ROOT / REFERENCE, Entry(key)).records()
    assert len(records) == 5
    for at, lines in records.items():
        assert {canonical(line) for line in lines} <= {canonical(line) for line in known[at]}


def test_another_arithmetic_has_a_folder_of_its_own_and_one_that_cannot_run_is_left_out(
    snakemake,
):
    done = snakemake(scale="smoke", arithmetic="native,skylakex")
    assert done.returncode == 0, done.stderr
    folders = {path.name for path in (snakemake.folder / "results").glob("smoke*")}
    lacks = arithmetic.lacking("skylakex")
    assert folders == {"smoke@native", *([] if lacks else ["smoke@skylakex"])}
    assert ("Left out is the arithmetic skylakex" in done.stderr) == bool(lacks)
    assert (snakemake.folder / "results/smoke@native/report/index.html").is_file()


def test_nothing_is_run_twice(finished, workflow_in):
    folder, _ = finished(scale="smoke")
    again = workflow_in(folder)("--dry-run", scale="smoke")
    assert "Nothing to be done" in again.stdout + again.stderr


def test_without_data_the_rest_runs_and_the_page_says_so_and_strict_mode_fails(snakemake, nowhere):
    done = snakemake(scale="smoke", papers="bergeron2008mirank", env=nowhere)
    assert done.returncode == 0, done.stderr
    before = done.stderr.partition("rule run_trials")[0]
    assert before.count("Left out") == before.count("ICML2008_MIRROR") == 1
    assert "their URLs do not deliver: census-16h, census-8l\n" in before
    folder = snakemake.folder / "results/smoke"
    verdicts = json.loads((folder / "bergeron2008mirank/verdicts.json").read_text())
    census = [v for v in verdicts if v["part"] == "dataset=census-16h"]
    assert {v["verdict"] for v in census} == {"untested"}
    assert all(v["reason"].startswith("data not available") for v in census)
    synthetic = [v for v in verdicts if v["part"] == "dataset=synthetic-1"]
    assert {v["verdict"] for v in synthetic} == {"inconclusive"}  # one repeat is too few
    assert "census-16h" in (folder / "report/index.html").read_text()
    strict = snakemake(scale="smoke", papers="bergeron2008mirank", env=nowhere, data_mode="strict")
    assert strict.returncode == 1
    assert "2 data sets are not available" in last_line(strict)
    assert not (folder / "done").exists()


def test_a_wrong_configuration_is_one_message(snakemake):
    done = snakemake(papers="doe2008toi")
    assert done.returncode == 1
    assert "no paper 'doe2008toi'; did you mean 'doe2008toy'" in done.stderr
    assert "Traceback" not in done.stderr


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_multiverse_tries_each_alternative_and_says_how_robust_a_claim_is(finished):
    folder = (
        finished("doe2008toy", scale="smoke", multiverse="true")[0] / "results/smoke/doe2008toy"
    )
    verdicts = json.loads((folder / "verdicts.json").read_text())
    assert {v["universe"] for v in verdicts} == {"default", "noise=laplace", "sizes=doubled"}
    by_universe = {v["universe"]: v["finding"] for v in verdicts if not v["part"]}
    assert by_universe["default"] == "confirmed"
    assert by_universe["noise=laplace"] == "refuted"
    whole = next(v for v in verdicts if v["universe"] == "default" and not v["part"])
    assert (whole["verdict"], whole["robustness"]) == ("depends", "turns on: noise")
    assert whole["tried"] == whole["choices"] == ["noise", "sizes"]
    assert whole["turned_by"] == ["noise"]


def test_work_that_a_choice_does_not_touch_is_shared(finished):
    folder = (
        finished("doe2008toy", scale="smoke", multiverse="true")[0] / "results/smoke/doe2008toy"
    )
    (shard,) = (folder / "shards/sizes=doubled").glob("*.jsonl")
    assert {line["cell"]["size"] for line in lines_of(shard)[1:]} == {100}
    head, *doubled = lines_of(folder / "records/centre/sizes=doubled.jsonl")
    default = lines_of(folder / "records/centre/default.jsonl")[1:]
    assert head["universe"] == "sizes=doubled"
    untouched = [line for line in doubled if line["cell"]["size"] == 10]
    assert untouched == [line for line in default if line["cell"]["size"] == 10]
    assert [line for line in doubled if line not in untouched] != [
        line for line in default if line["cell"]["size"] == 100
    ]


def test_a_killed_run_is_resumed_to_the_same_bytes(finished, snakemake, tmp_path):
    folder, _ = finished("doe2008toy", scale="quick")
    path = RECORDS.format(scale="quick")
    shards = [
        tmp_path / file.relative_to(folder)
        for file in folder.glob("results/quick/doe2008toy/shards/default/*.jsonl")
    ]
    assert len(shards) > 1

    def done():
        return [file for file in shards if file.exists()]

    # All jobs after the first stall, so that the run is killed in its middle on any machine.
    stalled = {"DOE2008TOY": "stall"}
    assert snakemake("doe2008toy", scale="quick", env=stalled, kill_when=done).returncode != 0
    assert 0 < len(done()) < len(shards)
    half = tmp_path / "results/quick/doe2008toy/shards/default/.0001.jsonl.abc.part"
    half.touch()
    resumed = snakemake("doe2008toy", scale="quick")
    assert resumed.returncode == 0, resumed.stderr
    assert re.search(r"The run before \(process \d+ on \S+\) was killed", resumed.stderr)
    assert not half.exists()
    assert (tmp_path / path).read_bytes() == (folder / path).read_bytes()


def test_the_smaller_scale_is_a_prefix_of_the_larger(finished):
    small = lines_of(finished(scale="smoke")[0] / RECORDS.format(scale="smoke"))
    large = lines_of(finished("doe2008toy", scale="quick")[0] / RECORDS.format(scale="quick"))
    assert set(map(json.dumps, small)) <= set(map(json.dumps, large))


def test_a_method_that_raises_is_a_record_and_the_run_goes_on(snakemake, tmp_path):
    done = snakemake("doe2008toy", scale="smoke", env={"DOE2008TOY": "raise"})
    assert done.returncode == 0, done.stderr
    failed = [
        line for line in lines_of(tmp_path / RECORDS.format(scale="smoke")) if "error" in line
    ]
    assert {line["error"] for line in failed} == {"ArithmeticError: no median today"}
    assert {line["method"] for line in failed} == {"median"}


@pytest.mark.parametrize("mode", ["killed", "out of memory", "hungry", "disk full"])
def test_a_job_that_ends_leaves_nothing_and_all_else_goes_on(snakemake, mode):
    done = snakemake(scale="smoke", papers="doe2008toy,roe2008tiny", env={"DOE2008TOY": mode})
    assert done.returncode == 1
    folder = snakemake.folder / "results/smoke"
    assert not list(folder.glob("doe2008toy/**/*.jsonl"))
    assert (folder / "roe2008tiny/verdicts.json").is_file()
    for page in ("index", "doe2008toy"):
        text = (folder / f"report/{page}.html").read_text()
        assert "run_trials: default/0000 (centre)" in text
    assert last_line(done) == "What is wrong: 1 job failed; all in results/smoke/report/index.html"
    causes = dict.fromkeys(("out of memory", "hungry"), "more memory than")
    cause = ({"killed": "from outside", "disk full": "No space left"} | causes)[mode]
    assert cause in done.stderr.splitlines()[-2]


def test_a_job_that_was_killed_once_is_tried_again(snakemake):
    done = snakemake("doe2008toy", scale="smoke", env={"DOE2008TOY": "killed once"})
    assert done.returncode == 0, done.stderr
    assert (snakemake.folder / "asked").is_file()
    assert (snakemake.folder / "results/smoke/doe2008toy/verdicts.json").is_file()


def is_done(done):
    return "Nothing to be done" in done.stdout + done.stderr


def test_what_is_lost_is_made_again_and_nothing_else(finished, workflow_in, tmp_path):
    folder, _ = finished(scale="smoke")
    shutil.copytree(folder, tmp_path, dirs_exist_ok=True, symlinks=True)
    snakemake = workflow_in(tmp_path)
    results = tmp_path / "results/smoke"
    paper = results / "doe2008toy"
    before = (paper / "records/centre/default.jsonl").read_bytes()
    losses = [
        ([paper], {"run_trials", "judge_paper"}),
        ([paper / "records/centre/default.jsonl"], {"run_trials", "judge_paper"}),
        ([paper / "verdicts.json"], {"judge_paper"}),
        ([results / f"report/{name}.html" for name in ("quality", "audit")], {"render_audit"}),
    ]
    for files, expected in losses:
        for file in files:
            shutil.rmtree(file) if file.is_dir() else file.unlink()
        done = snakemake(scale="smoke")
        assert done.returncode == 0, done.stderr
        assert all(file.exists() for file in files)
        rules = set(re.findall(r"rule (\w+):", done.stderr)) - {"everything", "conclude"}
        assert rules == {*expected, "render_index"}
    assert (paper / "records/centre/default.jsonl").read_bytes() == before
    assert is_done(snakemake("--dry-run", scale="smoke"))
    shutil.rmtree(paper)
    assert "run_trials" in snakemake("doe2008toy", "--dry-run", scale="smoke").stdout


def test_failed_trials_are_tried_again_where_that_is_asked_for(snakemake, tmp_path):
    broken = {"DOE2008TOY": "raise"}
    assert snakemake(scale="smoke", env=broken).returncode == 0
    records = tmp_path / RECORDS.format(scale="smoke")
    assert "no median today" in records.read_text()
    assert is_done(snakemake(scale="smoke"))
    done = snakemake(scale="smoke", retry="failed")
    assert done.returncode == 0, done.stderr
    assert {line["kind"] for line in lines_of(records)[1:]} == {"measurement"}
    for again in ({}, {"retry": "failed"}):
        assert is_done(snakemake("--dry-run", scale="smoke", **again))
    assert "retry cannot be 'faild'" in snakemake(retry="faild").stderr


def test_a_paper_named_twice_is_run_once(snakemake):
    done = snakemake("--dry-run", scale="smoke", papers="doe2008toy,doe2008toy")
    assert done.returncode == 0, done.stderr
    assert re.search(r"run_trials +1\n", done.stdout)


def test_verdicts_that_break_off_are_one_message_with_the_cure(snakemake, tmp_path):
    assert snakemake(scale="smoke").returncode == 0
    file = tmp_path / "results/smoke/doe2008toy/verdicts.json"
    file.write_text(file.read_text()[:200])
    done = snakemake("--forcerun", "run_trials", scale="smoke", env={"DOE2008TOY": "killed"})
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    assert last_line(done).startswith("What is wrong: 1 job failed")
    command = [sys.executable, "-m", "icml2008", "verdicts", "--results", "results/smoke"]
    asked = subprocess.run(
        [*command[:3], "--papers-path", TOY, *command[3:], "doe2008toy"],
        capture_output=True, text=True, cwd=tmp_path,
    )  # fmt: skip
    assert asked.returncode == 2
    assert "verdicts.json: not JSON, it breaks off: " in asked.stderr
    assert "remove it, and the run that made it makes it again" in asked.stderr


def test_neither_cores_nor_the_size_of_jobs_change_a_byte(finished, snakemake, tmp_path):
    folder, _ = finished(scale="smoke")
    papers = tmp_path / "papers"
    shutil.copytree(TOY, papers)
    experiments = papers / "doe2008toy/experiments.py"
    experiments.write_text(experiments.read_text().replace("cost=1.0", "cost=14.0"))
    done = snakemake("doe2008toy", cores=1, scale="smoke", papers_path=papers)
    assert done.returncode == 0, done.stderr
    shards = "results/smoke/doe2008toy/shards/default/*.jsonl"
    assert len(list(tmp_path.glob(shards))) > len(list(folder.glob(shards)))
    records = RECORDS.format(scale="smoke")
    assert (tmp_path / records).read_bytes() == (folder / records).read_bytes()


def test_a_target_that_is_none_is_named_before_anything_is_planned(snakemake):
    done = snakemake("doe2008toyy", "--dry-run")
    assert done.returncode
    assert (
        "no paper or target 'doe2008toyy'; did you mean 'doe2008toy'?" in done.stdout + done.stderr
    )
    assert "MissingRuleException" not in done.stdout + done.stderr
