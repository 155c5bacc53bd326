"""Runs of the real workflow, on a small paper outside the package."""

import gzip
import json
import re
import shutil
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.harness import arithmetic
from icml2008.harness.records import canonical
from icml2008.run.keys import REFERENCE
from icml2008.run.reference import adopt
from icml2008.run.verdicts import judge_paper, read_evidence, record_files, write_json

pytestmark = pytest.mark.workflow

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers"
RECORDS = "results/{scale}/doe2008toy/records/centre/default.jsonl"


def test_the_root_snakefile_makes_records_verdicts_tables_and_the_page(snakemake):
    done = snakemake(scale="smoke")
    assert done.returncode == 0, done.stderr
    assert "Error" not in done.stderr
    folder = snakemake.folder / "results/smoke"
    verdicts = json.loads((folder / "doe2008toy/verdicts.json").read_text())
    assert [v["part"] for v in verdicts] == ["", "size=10", "size=100"]
    assert verdicts[0]["verdict"] == "confirmed"
    page = (folder / "report/index.html").read_text()
    assert "The Mean Is Better Than the Median, Sometimes" in page
    assert (folder / "doe2008toy/claims.csv").is_file()
    assert (folder / "done").is_file()
    assert "The page: results/smoke/report/index.html" in done.stderr


def last_line(done):
    return done.stderr.splitlines()[-1]


@pytest.fixture
def other_reference(snakemake, tmp_path, monkeypatch):
    """Leave a reference in which the toy's mean does worse than it does."""
    assert snakemake("doe2008toy", scale="full").returncode == 0
    library.add_papers(TOY)
    monkeypatch.chdir(tmp_path)
    adopt("doe2008toy")
    packed = tmp_path / "results/reference/doe2008toy/centre/default.jsonl.gz"
    head, *lines = map(json.loads, gzip.decompress(packed.read_bytes()).decode().splitlines())
    for line in lines:
        line["value"] += 0.2 * (line["method"] == "mean")
    text = "".join(f"{json.dumps(line)}\n" for line in (head, *lines))
    packed.write_bytes(gzip.compress(text.encode()))
    evidence = read_evidence(record_files(REFERENCE, "doe2008toy"))
    write_json(REFERENCE / "doe2008toy/verdicts.json", judge_paper("doe2008toy", evidence, "full"))


def test_why_a_run_fails_is_said_last_and_stands_on_top_of_the_page(snakemake, other_reference):
    done = snakemake(scale="smoke")
    assert done.returncode == 1
    folder = snakemake.folder / "results/smoke"
    wrong = "3 verdicts flipped, 2 means moved"
    report = "results/smoke/check.json and results/smoke/report/index.html"
    assert last_line(done) == f"What is wrong: {wrong}; all in {report}"
    said = (folder / "reason.txt").read_text()
    assert done.stderr.endswith(said)
    assert len(said.splitlines()) == 5
    assert done.stderr.count("Error in rule conclude") == 1
    page = (folder / "report/index.html").read_text()
    assert page.index(wrong) < page.index("Scoreboard")
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
    found = read_evidence(record_files(snakemake.folder / "results/smoke", key))
    known = read_evidence(record_files(ROOT / REFERENCE, key))
    assert len(found) == 5
    for at, lines in found.items():
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


def test_nothing_is_run_twice(snakemake):
    assert snakemake(scale="smoke").returncode == 0
    again = snakemake("--dry-run", scale="smoke")
    assert "Nothing to be done" in again.stdout + again.stderr


def test_the_number_of_cores_does_not_change_a_byte(snakemake, tmp_path):
    path = tmp_path / RECORDS.format(scale="smoke")
    assert snakemake("doe2008toy", cores=1, scale="smoke").returncode == 0
    one = path.read_bytes()
    assert snakemake("doe2008toy", "--forceall", cores=2, scale="smoke").returncode == 0
    assert path.read_bytes() == one


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


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"scale": "quik"}, "scale cannot be 'quik'; did you mean 'quick'"),
        ({"arithmetic": "nehalm"}, "nothing is called 'nehalm'; did you mean 'nehalem'"),
        ({"papers": "doe2008toi"}, "no paper 'doe2008toi'; did you mean 'doe2008toy'"),
        ({"skale": "quick"}, "no key 'skale'; did you mean 'scale'"),
    ],
)
def test_a_wrong_configuration_is_one_message(snakemake, config, message):
    done = snakemake(**config)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr


def lines_of(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_the_multiverse_tries_each_alternative_and_says_how_robust_a_claim_is(snakemake):
    done = snakemake("doe2008toy", scale="smoke", multiverse="true")
    assert done.returncode == 0, done.stderr
    folder = snakemake.folder / "results/smoke/doe2008toy"
    verdicts = json.loads((folder / "verdicts.json").read_text())
    assert {v["universe"] for v in verdicts} == {"default", "noise=laplace", "sizes=doubled"}
    by_universe = {v["universe"]: v["verdict"] for v in verdicts if not v["part"]}
    assert by_universe["default"] == "confirmed"
    assert by_universe["noise=laplace"] == "refuted"
    whole = next(v for v in verdicts if v["universe"] == "default" and not v["part"])
    assert whole["robustness"] is None  # for a word, three choices have to be tried
    assert whole["tried"] == whole["choices"] == ["noise", "sizes"]
    assert whole["turned_by"] == ["noise"]


def test_work_that_a_choice_does_not_touch_is_shared(snakemake):
    assert snakemake("doe2008toy", scale="smoke", multiverse="doe2008toy").returncode == 0
    folder = snakemake.folder / "results/smoke/doe2008toy"
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


def test_a_killed_run_is_resumed_to_the_same_bytes(snakemake, tmp_path):
    assert snakemake("doe2008toy", scale="quick").returncode == 0
    path = tmp_path / RECORDS.format(scale="quick")
    whole = path.read_bytes()
    folder = tmp_path / "results/quick/doe2008toy"
    shards = sorted(folder.glob("shards/default/*.jsonl"))
    assert len(shards) > 1
    shutil.rmtree(folder)

    def done():
        return [file for file in shards if file.exists()]

    # All jobs after the first stall, so that the run is killed in its middle on any machine.
    stalled = {"DOE2008TOY": "stall"}
    assert snakemake("doe2008toy", scale="quick", env=stalled, kill_when=done).returncode != 0
    assert 0 < len(done()) < len(shards)
    resumed = snakemake("doe2008toy", "--unlock", scale="quick")
    assert resumed.returncode == 0
    assert snakemake("doe2008toy", scale="quick").returncode == 0
    assert path.read_bytes() == whole


def test_the_smaller_scale_is_a_prefix_of_the_larger(snakemake, tmp_path):
    assert snakemake("doe2008toy", scale="smoke").returncode == 0
    assert snakemake("doe2008toy", scale="quick").returncode == 0
    small, large = (lines_of(tmp_path / RECORDS.format(scale=s)) for s in ("smoke", "quick"))
    assert set(map(json.dumps, small)) <= set(map(json.dumps, large))


def test_a_method_that_raises_is_a_record_and_the_run_goes_on(snakemake, tmp_path):
    done = snakemake(scale="smoke", env={"DOE2008TOY": "raise"})
    assert done.returncode == 0, done.stderr
    failed = [
        line for line in lines_of(tmp_path / RECORDS.format(scale="smoke")) if "error" in line
    ]
    assert {line["error"] for line in failed} == {"ArithmeticError: no median today"}
    assert {line["method"] for line in failed} == {"median"}


@pytest.mark.parametrize("mode", ["killed", "out of memory", "disk full"])
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
    cause = {"out of memory": "MemoryError", "disk full": "No space left"}.get(mode, "from outside")
    assert cause in done.stderr.splitlines()[-2]


def test_a_job_that_was_killed_once_is_tried_again(snakemake):
    done = snakemake("doe2008toy", scale="smoke", env={"DOE2008TOY": "killed once"})
    assert done.returncode == 0, done.stderr
    assert (snakemake.folder / "asked").is_file()
    assert (snakemake.folder / "results/smoke/doe2008toy/verdicts.json").is_file()


def test_the_size_of_jobs_does_not_change_a_byte(snakemake, tmp_path):
    path = tmp_path / RECORDS.format(scale="smoke")
    assert snakemake("doe2008toy", scale="smoke").returncode == 0
    shards = tmp_path / "results/smoke/doe2008toy/shards/default"
    one, jobs = path.read_bytes(), len(list(shards.glob("*.jsonl")))
    papers = tmp_path / "papers"
    shutil.copytree(TOY, papers)
    experiments = papers / "doe2008toy/experiments.py"
    experiments.write_text(experiments.read_text().replace("cost=1.0", "cost=14.0"))
    done = snakemake("doe2008toy", "--forceall", scale="smoke", papers_path=papers)
    assert done.returncode == 0, done.stderr
    assert len(list(shards.glob("*.jsonl"))) > jobs
    assert path.read_bytes() == one


def test_a_run_says_what_its_jobs_cost(snakemake):
    done = snakemake("doe2008toy", scale="smoke")
    assert re.search(r"Trials: \d+ s in 1 processes. All else took \d+ % of", done.stderr)
