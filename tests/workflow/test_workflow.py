"""Runs of the real workflow, on a small paper outside the package."""

import json

import pytest

pytestmark = pytest.mark.workflow

RECORDS = "results/{scale}/doe2008toy/centre/default/records.jsonl"


def test_the_root_snakefile_makes_records_verdicts_tables_and_the_page(snakemake):
    done = snakemake(scale="smoke")
    assert done.returncode == 0, done.stderr
    folder = snakemake.folder / "results/smoke"
    verdicts = json.loads((folder / "doe2008toy/verdicts.json").read_text())
    assert [v["part"] for v in verdicts] == ["", "size=10", "size=100"]
    assert verdicts[0]["verdict"] == "confirmed"
    page = (folder / "report/index.html").read_text()
    assert "The Mean Is Better Than the Median, Sometimes" in page
    assert (folder / "doe2008toy/claims.csv").is_file()
    assert (folder / "done").is_file()
    assert "The page: results/smoke/report/index.html" in done.stderr


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


def test_without_data_the_rest_runs_and_the_page_says_what_is_left_out(snakemake, nowhere):
    done = snakemake(scale="smoke", papers="bergeron2008mirank", env=nowhere)
    assert done.returncode == 0, done.stderr
    before = done.stderr.partition("rule run_trials")[0]
    assert "Left out is what needs census-16h" in before
    folder = snakemake.folder / "results/smoke"
    verdicts = json.loads((folder / "bergeron2008mirank/verdicts.json").read_text())
    census = [v for v in verdicts if v["part"] == "dataset=census-16h"]
    assert {v["verdict"] for v in census} == {"untested"}
    assert all(v["reason"].startswith("data not available") for v in census)
    synthetic = [v for v in verdicts if v["part"] == "dataset=synthetic-1"]
    assert {v["verdict"] for v in synthetic} == {"inconclusive"}  # one repeat is too few
    assert "census-16h" in (folder / "report/index.html").read_text()


def test_strict_data_mode_makes_missing_data_an_error_after_the_page(snakemake, nowhere):
    done = snakemake(
        scale="smoke", papers="bergeron2008mirank", env=nowhere, data_mode="strict"
    )
    assert done.returncode == 1
    assert "census-16h" in done.stderr
    assert (snakemake.folder / "results/smoke/report/index.html").is_file()


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"scale": "quik"}, "scale cannot be 'quik'; did you mean 'quick'"),
        ({"papers": "doe2008toi"}, "no paper 'doe2008toi'; did you mean 'doe2008toy'"),
        ({"skale": "quick"}, "no key 'skale'; did you mean 'scale'"),
    ],
)
def test_a_wrong_configuration_is_one_message(snakemake, config, message):
    done = snakemake(**config)
    assert done.returncode == 1
    assert message in done.stderr
    assert "Traceback" not in done.stderr
