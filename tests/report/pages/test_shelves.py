"""Pages of data sets and methods, on a toy paper that reads two data sets."""

from dataclasses import replace
from posixpath import dirname, join, normpath

import pytest

from icml2008.catalogue.model import Paper
from icml2008.data.registry import Registry
from icml2008.judge.totals import VERDICTS
from icml2008.report.pages.data_pages import data_pages
from icml2008.report.pages.methods import Benchmark, Method, method_pages
from icml2008.report.pages.shelves import Shelved
from icml2008.report.results import PaperResults
from reading import Read

FILE = {"sha256": "0" * 64, "size": 1234, "licence": "CC0", "citation": "J. Doe (2008)"}
EVERYWHERE = {"health": {"line": "Fine."}, "whole": True}
LOADER = {"loader": "icml2008.data.tables:load_delimited"}
HOME = "icml2008.methods.toys"
ALPHA = Method("Alpha", f"{HOME}.alpha", "icml2008.methods", "Toys", "Alpha(n=1)", "Do A & `b`.")
BETA = replace(ALPHA, name="Beta", doc="Do B.\n\nReferences\n----------\nRoe (2007).")


@pytest.fixture
def registry():
    iris = {"target": "setosa 50; virginica 50", "shape": "100 x 4", "missing": 2}
    return Registry.model_validate(
        {
            "files": {"a.csv": FILE | {"defects": ["One row stands twice"]}, "b.csv": FILE},
            "datasets": {
                "iris": {"description": "Flowers", "files": ["a.csv"], "holds": iris, **LOADER},
                "old-wine": {
                    "description": "Wines",
                    "files": ["a.csv", "b.csv"],
                    "holds": {"target": "1.5 .. 30", "shape": "9 x 3"},
                    **LOADER,
                },
            },
        }
    )


@pytest.fixture
def shelf(both):
    reads = [({"dataset": "iris"}, ["iris"]), ({"dataset": "wine"}, ["old-wine"])]
    code = {"A": [ALPHA.full], "B": [BETA.full], "": [f"{HOME}.draw.sample"]}
    return Shelved(both, "re-run", {"main": reads}, {"main": code}).shelf()


@pytest.fixture
def planned(paper):
    data = {
        "Old_Wine": {"what": "wines", "access": "public", "source": "a shop", "size": "small"},
        "mars": {"what": "rocks", "access": "gone", "source": "a probe", "size": "1 kg"},
    }
    facts = paper.model_dump(include={"title", "authors", "pages", "topic", "idea"})
    later = Paper.model_validate(facts | {"key": "roe2008later", "data": data})
    return Shelved(PaperResults(later, [])).shelf()


def contents(pages):
    return {page.path: page.content for page in pages}


def read(pages):
    return {page.path: Read(page.render()) for page in pages}


def test_a_claim_counts_for_a_data_set_by_the_parts_that_read_it(shelf):
    claims = shelf["reads"]["iris"]["claims"]
    assert [(row["name"], row["of_parts"]) for row in claims] == [
        ("a-beats-b", {"confirmed": 1}),
        ("a-accuracy", {"confirmed": 1}),
    ]


def test_a_claim_on_other_cells_does_not_count_for_a_data_set(both):
    both.paper.claims["a-accuracy"] = both.paper.claims["a-accuracy"].model_copy(
        update={"each": {"dataset": ["wine"]}}
    )
    reads = [({"dataset": "iris"}, ["iris"]), ({"dataset": "wine"}, ["old-wine"])]
    shelf = Shelved(both, "re-run", {"main": reads}).shelf()
    assert [row["name"] for row in shelf["reads"]["iris"]["claims"]] == ["a-beats-b"]
    assert not shelf["reads"]["old-wine"]["claims"][1]["of_parts"]


def test_a_claim_is_about_the_methods_that_it_names(shelf):
    names = {full: [row["name"] for row in run["claims"]] for full, run in shelf["runs"].items()}
    assert names[ALPHA.full] == ["a-beats-b", "a-accuracy"]
    assert names[BETA.full] == ["a-beats-b"]
    assert names[f"{HOME}.draw.sample"] == []
    assert shelf["named"] == [ALPHA.full, BETA.full]


def test_a_method_that_is_a_part_counts_for_this_part_alone(both):
    claim = both.paper.claims["a-accuracy"]
    statistic = claim.statistic.model_copy(update={"mean": "{method}"})
    both.paper.claims["a-accuracy"] = claim.model_copy(
        update={"statistic": statistic, "each": {"method": ["A", "B"]}, "near": "1"}
    )
    shelf = Shelved(both, "re-run", {}, {"main": {"A": ["x.A"], "B": ["x.B"]}}).shelf()
    (row,) = (r for r in shelf["runs"]["x.B"]["claims"] if r["name"] == "a-accuracy")
    assert sum(row["of_parts"].values()) == 1


def test_a_data_set_says_what_it_holds_and_its_defects(registry, shelf):
    page = contents(data_pages(registry, [shelf]))["data/iris.html"]["dataset"]
    assert page["facts"] == {"Shape": "100 × 4", "Labels": "2", "Missing values": "2"}
    assert page["labels"] == {"setosa": 50, "virginica": 50}
    assert page["defects"] == ["One row stands twice"]


def test_a_range_of_numbers_is_no_label(registry, shelf):
    page = contents(data_pages(registry, [shelf]))["data/old-wine.html"]["dataset"]
    assert page["facts"] == {"Shape": "9 × 3", "Target": "1.5 to 30", "Missing values": "none"}
    assert not page["labels"]


def test_planned_papers_are_found_however_they_spell_a_name(registry, shelf, planned):
    pages = contents(data_pages(registry, [shelf, planned]))
    named = pages["data/old-wine.html"]["dataset"]["named"]
    assert [paper["key"] for paper in named] == ["roe2008later"]
    assert not pages["data/iris.html"]["dataset"]["named"]
    (label, rows), *_ = pages["data.html"]["elsewhere"].items()
    assert (label, [row["name"] for row in rows]) == ("No longer to be had", ["mars"])


def test_only_own_claims_are_in_the_tally_and_each_once(registry, both):
    claim = both.paper.claims["a-beats-b"]
    for row in (*both.current, *both.reference):
        row.update({"status": "ours"} if row["claim"] == "a-beats-b" else {})
    both.paper.claims["a-beats-b"] = claim.model_copy(update={"status": "ours"})
    shelf = Shelved(both, "re-run", {"main": [({"dataset": "iris"}, ["iris"])]}).shelf()
    page = contents(data_pages(registry, [shelf]))["data/iris.html"]["dataset"]
    assert page["counts"] == dict.fromkeys(VERDICTS, 0) | {"refuted": 1}
    assert len(page["readers"][0]["claims"]) == 2


def test_a_method_shows_its_benchmark_or_that_of_its_package(shelf):
    timing = Benchmark("timing", "Fast.", ["CPU"], ["s"], [["1"]], [ALPHA.full], [HOME], False)
    package = replace(timing, name="parts", methods=[])
    pages = contents(method_pages([ALPHA, BETA], [timing, package], [shelf]))
    names = {
        path: [benchmark.name for benchmark in content["method"]["benchmarks"]]
        for path, content in pages.items()
        if "method" in content
    }
    assert names == {"methods/Alpha.html": ["timing", "parts"], "methods/Beta.html": ["parts"]}


def test_of_a_table_of_peers_each_method_shows_its_rows_and_names_the_best(shelf):
    columns = ["method", "task", "solver", "by", "seconds", "answer"]
    rows = [
        ["Alpha", "won", "Alpha", "icml2008", "1", "same"],
        ["Alpha", "won", "slow", "package", "2", "same"],
        ["Alpha", "t", "Alpha", "icml2008", "1", "same"],
        ["Alpha", "t", "quick", "package", "0.5", "same"],
        ["Other", "t", "Other", "icml2008", "1", "same"],
    ]
    # The script has some of its methods from a module beside it.
    table = Benchmark("peers", "All.", ["CPU"], columns, rows, [BETA.full], [HOME], False)
    timing = Benchmark("timing", "Fast.", ["CPU"], ["s"], [["1"]], [ALPHA.full], [HOME], False)
    pages = read(method_pages([ALPHA, BETA], [timing, table], [shelf], **EVERYWHERE))
    alpha = pages["methods/Alpha.html"].source
    lost = alpha.index("t: quick is faster, 0.5 of the time.")
    assert lost < alpha.index("won: slow takes 2 times as long.") < alpha.index("Fast.")
    assert "<td>Other</td>" not in alpha
    assert "Beside its peers" not in pages["methods/Beta.html"].source


def test_a_method_that_no_experiment_runs_leads_to_the_papers_beside_it(shelf):
    gamma = replace(ALPHA, name="Gamma")
    pages = contents(method_pages([gamma], [], [shelf]))
    page = pages["methods/Gamma.html"]["method"]
    assert not page["users"]
    assert [paper["key"] for paper in page["kin"]] == ["doe2008toy"]


def test_docstrings_are_escaped_and_their_names_are_code(shelf):
    method = replace(ALPHA, doc="Do A.\n\nA < `b`.")
    pages = read(method_pages([method], [], [shelf], **EVERYWHERE))
    assert "A &lt; <code>b</code>." in pages["methods/Alpha.html"].source


def test_what_choices_an_author_or_old_code_do_to_a_verdict_stands_beside_it(registry, both):
    for row in both.reference:
        row.update(turned_by=["ties"], disputed=True)
    both.paper.claims["a-accuracy"] = both.paper.claims["a-accuracy"].model_copy(
        update={"disputed": True}
    )
    shelf = Shelved(both, "re-run", {"main": [({"dataset": "iris"}, ["iris"])]}).shelf()
    pages = read(data_pages(registry, [shelf], **EVERYWHERE))
    text = pages["data/iris.html"].text
    assert all(mark in text for mark in ("turns on a reading", "disputed", "stale"))


def test_every_link_leads_to_a_page_of_the_site(registry, shelf, planned):
    shelves = [shelf, planned]
    pages = read(
        [
            *data_pages(registry, shelves, **EVERYWHERE),
            *method_pages([ALPHA, BETA], [], shelves, **EVERYWHERE),
        ]
    )
    claims = {f"doe2008toy/{name}.html" for name in ("a-beats-b", "a-accuracy")}
    others = {"index", "findings", "rules", "hands", "downloads", "quality", "audit"}
    there = {*pages, *claims, *(f"{name}.html" for name in (*others, "doe2008toy", "roe2008later"))}
    led = {
        normpath(join(dirname(path), link.partition("#")[0]))
        for path, page in pages.items()
        for link in page.links
        if not link.startswith("#")
    }
    assert led <= there
    assert claims | {"data/old-wine.html", "methods/Beta.html"} <= led
