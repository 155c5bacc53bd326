"""Downloads: the tables, their descriptions and the archives; and what changed since a release."""

import csv
import gzip
import hashlib
import io
import json
import zipfile
from dataclasses import fields
from datetime import date

import pytest

from icml2008.judge.verdict import Verdict
from icml2008.report.figure_data import COLUMNS
from icml2008.report.pages import bundle
from icml2008.report.pages.downloads import ABOUT, JUDGES, downloads_page
from icml2008.report.pages.releases import Release, changes_since, read_releases, whole
from reading import Read

CFF = "cff-version: 1.2.0\nversion: 0.1.0\ndate-released: 2026-01-01\n"
NUMBERS = f"{','.join(COLUMNS)}\n1,A,ours,wine,0,0.5,0.4,0.6\n"


@pytest.fixture
def archive(both):
    figures = {"claims": ("<svg/>", "What was found.")}
    return bundle.paper_archive(both.paper, both.reference, figures, {"errors": NUMBERS})


def opened(archive):
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        return {name: files.read(name) for name in files.namelist()}


def package(files):
    return json.loads(files[bundle.PACKAGE])


def resource(files, name):
    return next(entry for entry in package(files)["resources"] if entry["name"] == name)


def test_every_field_of_a_verdict_is_described():
    columns = {field["name"]: field for field in bundle.verdict_fields()}
    left_out = {"inputs", "values", "parts", "how", "confirm_how"}
    assert set(columns) == {field.name for field in fields(Verdict)} - left_out
    assert all(len(column["description"]) > 10 for column in columns.values())
    assert columns["printed_n"]["type"] == "integer"
    assert columns["low"]["type"] == "number"
    assert columns["disputed"]["type"] == "boolean"
    assert "confirmed" in columns["verdict"]["constraints"]["enum"]


def test_the_description_has_exactly_the_columns_of_the_table(archive, both):
    files = opened(archive)
    header = files[bundle.VERDICTS].decode().partition("\n")[0].split(",")
    described = [field["name"] for field in resource(files, "verdicts")["schema"]["fields"]]
    assert described == header
    rows = list(csv.DictReader(io.StringIO(files[bundle.VERDICTS].decode())))
    assert len(rows) == len(both.reference)
    assert {row["universe"] for row in rows} == {"default", "ties=random"}


def test_numbers_come_back_exactly(both):
    rows = csv.DictReader(io.StringIO(bundle.verdicts_csv(both.reference)))
    for row, verdict in zip(rows, both.reference, strict=True):
        low = float(row["low"]) if row["low"] else None
        assert (row["reason"], low) == (verdict["reason"], verdict["low"])


def test_every_file_is_described_with_its_size_and_hash(archive):
    files = opened(archive)
    resources = package(files)["resources"]
    assert {entry["path"] for entry in resources} == files.keys() - {bundle.PACKAGE}
    for entry in resources:
        content = files[entry["path"]]
        assert entry["bytes"] == len(content)
        assert entry["hash"] == f"sha256:{hashlib.sha256(content).hexdigest()}"


def test_a_figure_has_its_caption(archive):
    assert resource(opened(archive), "figure-claims")["description"] == "What was found."


def test_the_numbers_of_a_figure_are_there_column_by_column(archive):
    files = opened(archive)
    assert files["figures/errors.csv"].decode() == NUMBERS
    described = resource(files, "numbers-errors")["schema"]["fields"]
    assert [field["name"] for field in described] == NUMBERS.partition("\n")[0].split(",")


def test_an_archive_is_the_same_bytes_each_time(archive, both):
    figures = {"claims": ("<svg/>", "What was found.")}
    again = bundle.paper_archive(both.paper, both.reference, figures, {"errors": NUMBERS})
    assert again == archive


def test_the_table_of_all_verdicts_is_that_of_the_papers_together(both):
    shared = bundle.shared_files([both.paper], {both.paper.key: "re-run"}, both.reference * 2, CFF)
    rows = list(csv.reader(io.StringIO(gzip.decompress(shared[bundle.ALL_VERDICTS]).decode())))
    described = package(shared)["resources"]
    assert rows[0] == [field["name"] for field in described[0]["schema"]["fields"]]
    assert len(rows) == 1 + 2 * len(both.reference)
    universe, reason = map(rows[0].index, ("universe", "reason"))
    assert all((row[universe] == "default") == bool(row[reason]) for row in rows[1:])
    papers = list(csv.reader(io.StringIO(shared[bundle.PAPERS].decode())))
    assert papers[0] == [field["name"] for field in described[1]["schema"]["fields"]]
    assert papers[1][2] == "Jane Doe; John O'Neil"


def test_the_page_has_a_line_for_every_file(archive, both):
    papers = {both.paper.key: both.paper}
    shared = bundle.shared_files([both.paper], {both.paper.key: "re-run"}, both.reference, CFF)
    shared[JUDGES] = b"sentences and simulated claims"
    assert shared.keys() == ABOUT.keys()
    sizes = {name: len(content) for name, content in shared.items()}
    about = {"health": {"line": "Fine."}, "whole": True}
    page = Read(downloads_page(sizes, {both.paper.key: len(archive)}, papers, **about).render())
    assert {f"downloads/{name}" for name in (*shared, "doe2008toy.zip")} <= set(page.links)


def test_a_release_is_compared_with_today_and_the_declared_changes_say_why(both, tmp_path):
    folder = tmp_path / "0.1.0"
    folder.mkdir()
    (folder / "CITATION.cff").write_text(CFF)
    then = [row | {"verdict": "confirmed"} for row in both.reference]
    table = bundle.verdicts_csv(then).encode()
    (folder / bundle.ALL_VERDICTS).write_bytes(gzip.compress(table))
    (release,) = read_releases(tmp_path)
    assert (release.version, release.released) == ("0.1.0", date(2026, 1, 1))
    papers = {both.paper.key: both.paper}
    changes = changes_since(release, whole(both.reference), papers)
    by_claim = {
        change["claim"]: (change["before"], change["after"], change["why"]) for change in changes
    }
    assert by_claim == {
        "a-beats-b": ("confirmed", "inconclusive", ""),
        "a-accuracy": ("confirmed", "refuted", "Rounding."),
    }


def test_a_change_before_the_release_explains_nothing_after_it(both):
    release = Release("0.2.0", date(2026, 2, 1), {("doe2008toy", "a-accuracy"): "confirmed"})
    papers = {both.paper.key: both.paper}
    changes = changes_since(release, {("doe2008toy", "a-accuracy"): "refuted"}, papers)
    assert [change["why"] for change in changes] == [""]


def test_claims_that_came_or_went_since_a_release_are_listed():
    release = Release("0.1.0", date(2026, 1, 1), {("p", "gone"): "refuted"})
    changes = changes_since(release, {("p", "new"): "confirmed"}, {})
    assert [(change["claim"], change["before"], change["after"]) for change in changes] == [
        ("gone", "refuted", ""),
        ("new", "", "confirmed"),
    ]
