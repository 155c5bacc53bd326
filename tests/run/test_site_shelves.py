"""The shelves of the site, filled from the catalogue."""

import io
import zipfile

import pytest

from icml2008 import methods
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.report.results import PaperResults
from icml2008.run.site import listed_methods, listings
from icml2008.store import Shelf

KEY = "bergeron2008mirank"


@pytest.fixture(scope="module")
def results():
    entry = Entry(KEY)
    reference = Shelf.of_reference(entry).verdicts()
    return PaperResults(entry.paper, [], reference, figures=entry.figures)


@pytest.fixture(scope="module")
def shelf(results):
    return listings.shelf_of(Entry(KEY), results)


@pytest.fixture(scope="module")
def site(results, shelf, tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ICML2008_CACHE", str(tmp_path_factory.mktemp("cache")))
        for name, content in listings.archive_of(Shelf.of_reference(Entry(KEY)), results).items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_bytes(content)
        return listings.shelf_pages(folder, [shelf])


def test_what_a_paper_reads_and_runs_is_asked_of_its_experiments(shelf):
    names = {row["name"] for row in shelf["reads"]["census-16h"]["claims"]}
    assert {"mirank-beats-mic", "mirank-accuracy"} <= names
    home = "icml2008.methods.bag_ranking.multiple_instance"
    assert {f"{home}.MIRank", f"{home}.MIC"} <= shelf["runs"].keys()
    assert [run["name"] for run in shelf["runs"][f"{home}.MIC"]["experiments"]][0] == "accuracy"


def test_public_methods_are_those_that_run_those_of_the_paper_and_those_beside():
    ranking = "icml2008.methods.bag_ranking"
    public = listed_methods.public_among([f"{ranking}.multiple_instance.MIRank"], Entry(KEY))
    assert public["run"] == ["MIRank"]
    assert {"MIC", "RankingSVM", "mirank_path"} <= set(public["beside"])
    own = listed_methods.public_among([], Entry("gonen2008localized"))
    assert own == {"run": ["LocalizedMKL"], "beside": []}
    assert listed_methods.public_among([], Entry("li2008worst")) == {"run": [], "beside": []}


def test_every_public_method_has_a_page(site):
    pages, _ = site
    there = {page.path: page.content["method"] for page in pages if "method" in page.content}
    assert {f"methods/{name}.html" for name in methods.__all__} <= there.keys()
    assert len({path.casefold() for path in there}) == len(there)
    for path, method in there.items():
        assert method["summary"], path
        assert " at 0x" not in method["signature"], path


def test_a_method_is_shown_with_claims_signature_reference_and_benchmark(site):
    pages, files = site
    (page,) = (page.content["method"] for page in pages if page.path == "methods/MIRank.html")
    assert page["signature"].startswith("MIRank(nu=1.0, kernel=None, *,")
    assert page["references"]
    assert any(row["name"] == "mirank-beats-mic" for row in page["users"][0]["claims"])
    assert [benchmark.name for benchmark in page["benchmarks"]] == ["peers", KEY]
    drawn = library.folder(KEY) / "benchmark.svg"
    assert files[f"methods/benchmarks/{KEY}.svg"] == drawn.read_bytes()


def test_the_page_of_each_method_that_has_peers_begins_its_timings_with_the_best(site):
    pages, _ = site
    shown = {page.content["method"]["name"]: page.content["method"] for page in pages
             if "method" in page.content}  # fmt: skip
    table, _ = next(pair for pair in listed_methods.benchmarks() if pair[0].name == "peers")
    timed = {row[table.columns.index("method")] for row in table.rows}
    assert {"DualCoordinateDescentSVC", "LandmarkNystroem", "upper_envelope"} <= timed
    for name in timed:
        first = shown[name]["benchmarks"][0]
        assert (first.name, bool(first.best_peers())) == ("peers", True), name


def test_every_committed_benchmark_of_a_public_method_is_on_a_page(site):
    pages, _ = site
    contents = [page.content["method"] for page in pages if "method" in page.content]
    shown = {benchmark.name for method in contents for benchmark in method["benchmarks"]}
    homes = {module.split(".")[1] for module in methods._MODULES.values() if "papers." in module}
    committed = {path.name for path in library.folders() if (path / "benchmark.csv").is_file()}
    timed = {benchmark.name for benchmark, _ in listed_methods.benchmarks() if benchmark.methods}
    assert timed | (committed & homes) <= shown
    assert {"convex_clustering", "syed2008apprenticeship", "duchi2008projections"} <= shown


def test_the_archive_has_verdicts_and_figures(results):
    ((name, content),) = listings.archive_of(Shelf.of_reference(Entry(KEY)), results).items()
    assert name == f"downloads/{KEY}.zip"
    with zipfile.ZipFile(io.BytesIO(content)) as opened:
        names = set(opened.namelist())
    assert {
        "verdicts.csv",
        "figures/claims.svg",
        "figures/accuracies.svg",
        "figures/accuracies.csv",
    } <= names
