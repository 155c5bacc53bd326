"""A planned paper becomes a folder that runs."""

import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

import icml2008.papers
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.reading_hands import hands
from icml2008.catalogue.scaffold import new_method, new_paper
from icml2008.cli import app
from icml2008.harness.trial import Trial, run_trial
from icml2008.harness.watching import own_methods
from icml2008.run.reference.judging import judge_paper

PLANNED = [key for key in library.paper_keys() if library.state(key) == "planned"]
TOY = """\
# A card: a toy.
key: doe2008planned
title: The Mean Is Better Than the "Median"
authors: [Jane Doe]
pages: [1, 8]
topic: evaluation
why: It is small.  # a comment that stays
idea: Of normal noise the mean is the better estimate.
methods: [mean of all, median]

data:
  normal: {what: noise, access: generated, source: Section 2, size: "0"}
  iris: {what: flowers, access: public, source: UCI, size: 4 kB}

planned:
  table-1:
    where: Table 1, Section 3
    data: [normal]
    protocol: >-
      100 samples,
      50 runs
    compute: seconds
    claims: [errors, mean-wins]
  table-2:
    where: Table 2
    data: [normal, iris]
    protocol: as Table 1
    compute: seconds
    claims: [errors-of-both, sum-is-zero]

claims:
  errors:
    kind: value
    says: the error of both
    printed: {mean: "0.10", median: "0.13"}
    page: 3
  mean-wins:
    kind: order
    says: the mean has a lower error than the median
    page: 3
  errors-of-both:
    kind: value
    says: the error on both data sets
    printed: {mean: "0.10", median: "0.13"}
    page: 4
  sum-is-zero:
    kind: invariant
    says: deviations from the mean add up to 0
    page: 2

gaps:
  - how many samples
"""


@pytest.fixture
def papers(tmp_path, monkeypatch):
    """Return a folder in which papers are looked for, too, as long as a test runs."""
    monkeypatch.setattr(icml2008.papers, "__path__", [*icml2008.papers.__path__])
    library.add_papers(tmp_path)
    yield tmp_path
    library._folders.cache_clear()
    for name in [name for name in sys.modules if name.startswith("icml2008.papers.doe2008")]:
        del sys.modules[name]


@pytest.fixture
def planned(papers):
    """Return a function that puts a planned paper there and returns its key."""

    def put(text, key="doe2008planned"):
        (papers / key).mkdir()
        (papers / key / "paper.yaml").write_text(text)
        library._folders.cache_clear()
        return key

    return put


def smoke(key):
    """Return the records of a paper at scale smoke, by experiment and universe."""
    return {
        (name, "default"): [
            {"schema": 2, "paper": key, "experiment": name, "universe": "default"},
            *(
                line
                for cell, repeat in experiment.trials("smoke")
                for line in run_trial(Trial(key, experiment, cell, repeat, choices={}, load=None))
            ),
        ]
        for name, experiment in library.load_experiments(key).items()
    }


@pytest.mark.parametrize("source", PLANNED[::25])
def test_a_planned_paper_becomes_one_that_runs_and_is_judged(source, planned):
    text = (library.folder(source) / "paper.yaml").read_text("utf-8")
    key = planned(text.replace(f"key: {source}", "key: doe2008planned", 1))
    before = library.load_paper(key)
    new_paper(key)
    after = library.load_paper(key)
    assert library.state(key) == "re-run"
    assert list(after.claims) == list(before.claims)
    assert list(after.experiments) == list(before.planned)
    waiting = sorted(name for planned in after.planned.values() for name in planned.claims)
    assert waiting == sorted(name for name, claim in after.claims.items() if not claim.statistic)
    records = smoke(key)
    assert {line["error"] for lines in records.values() for line in lines[1:]} == {
        "NotImplementedError: not written yet"
    }
    wholes = [
        verdict for verdict in judge_paper(Entry(key), records, "smoke") if not verdict["part"]
    ]
    assert [verdict["claim"] for verdict in wholes] == list(before.claims)
    assert {verdict["verdict"] for verdict in wholes} <= {"untested", "inconclusive"}


def test_numbers_printed_of_methods_are_judged_and_what_else_is_claimed_is_drafted(planned):
    folder, _ = new_paper(planned(TOY))
    text = (folder / "paper.yaml").read_text()
    paper = library.load_paper(folder.name)
    claim = paper.claims["errors"]
    assert (claim.statistic.metric, claim.each) == ("error", {"method": ["mean", "median"]})
    assert claim.near == {"mean": "0.10", "median": "0.13"}
    assert claim.quote == "..."
    assert paper.metrics["error"].bounds == (0, 1)
    # Two data sets: the card does not say of which the numbers are.
    assert paper.claims["errors-of-both"].statistic is None
    assert "# that: error of mean < median; in table-1" in text
    assert paper.planned["table-1"].claims == ["mean-wins"]


def test_experiments_that_are_not_chosen_stay_planned(planned):
    folder, drafted = new_paper(planned(TOY), ["table-1"])
    paper = library.load_paper(folder.name)
    assert list(paper.experiments) == list(library.load_experiments(folder.name)) == ["table-1"]
    assert list(paper.metrics) == ["error"]
    waiting = TOY.partition("  table-2:\n")[2].partition("\nclaims:")[0]
    text = (folder / "paper.yaml").read_text()
    assert waiting in text
    assert "in table-2" not in text
    assert drafted.listed == ["mean-wins", "errors-of-both", "sum-is-zero"]


def test_what_the_card_says_stays_as_it_was_written(planned):
    folder, _ = new_paper(planned(TOY))
    text = (folder / "paper.yaml").read_text()
    assert text.startswith(TOY.partition("planned:")[0])
    assert text.endswith("\ngaps:\n  - how many samples\n")
    assert "    protocol: >-\n      100 samples,\n      50 runs\n" in text


def test_drafts_are_valid_as_soon_as_their_marks_of_comments_go(planned):
    folder, _ = new_paper(planned(TOY))
    path = folder / "paper.yaml"
    text = path.read_text().replace("PRINTED", "0.10").replace("    # ", "    ")
    path.write_text(text.replace("supporting: ...", "supporting: a b"))
    claims = library.load_paper(folder.name).claims
    assert all(claim.statistic for claim in claims.values())
    assert claims["sum-is-zero"].never_violated.tolerance == "1e-9"


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("vovk2008brie", "no paper 'vovk2008brie'; did you mean 'vovk2008brier'"),
        ("bach2008bolasso", "bach2008bolasso has experiments already: .*bach2008bolasso"),
        ("takeda2008cvar", r"takeda2008cvar cannot be re-run \(theory\): The paper prints no exp"),
    ],
)
def test_a_paper_that_cannot_be_begun_is_refused(key, message):
    with pytest.raises(PaperError, match=message):
        new_paper(key)


def test_an_unknown_experiment_is_answered_with_the_nearest(planned):
    key = planned(TOY)
    with pytest.raises(PaperError, match="no planned experiment 'table-3'; did you mean 'table-"):
        new_paper(key, ["table-3"])


def test_a_second_hand_is_begun_and_asks_to_be_filled_in(planned):
    folder, _ = new_paper(planned(TOY))
    assert hands(folder.name)["second"].limits == ["..."]


def test_a_second_hand_that_is_there_stays(planned, papers):
    key = planned(TOY)
    path = papers / key / "second.yaml"
    path.write_text("limits: [None.]")
    new_paper(key)
    assert path.read_text() == "limits: [None.]"


def test_a_paper_is_begun_once(planned):
    key = planned(TOY)
    new_paper(key)
    with pytest.raises(PaperError, match="has experiments already"):
        new_paper(key)


def test_a_file_whose_keys_share_lines_is_left_as_it_is(planned, papers):
    block = TOY.partition("  table-2:\n")[2].partition("\nclaims:")[0]
    pairs = ", ".join(line.strip() for line in block.strip().splitlines())
    text = TOY.replace(block, "").replace("  table-2:\n", f"  table-2: {{{pairs}}}\n\n")
    key = planned(text)
    with pytest.raises(PaperError, match="'protocol' has no line of its own"):
        new_paper(key)
    assert (papers / key / "paper.yaml").read_text() == text
    assert library.state(key) == "planned"


def test_the_command_says_what_was_made_and_what_comes_next(planned, papers):
    key = planned(TOY)
    done = CliRunner().invoke(app, ["--papers-path", str(papers), "new", key])
    made = f"__init__.py, experiments.py, paper.yaml, second.yaml, test_{key}.py"
    assert f"{papers / key}: {made}" in done.stdout
    assert "2 experiments, 1 claim to be judged, 3 that wait" in done.stdout
    assert f"  icml2008 --papers-path {papers} run {key}/table-1\n" in done.stdout
    assert done.stdout.endswith(f" {key} --config papers_path={papers}\n")
    assert "  snakemake --cores all " in done.stdout


def test_a_planned_paper_is_begun_in_a_folder_of_ones_own(papers):
    key = PLANNED[0]
    card = (library.folder(key) / "paper.yaml").read_text("utf-8")
    folder, _ = new_paper(key, home=papers)
    assert folder == papers / key
    assert library.folder(key) == folder
    assert library.state(key) == "re-run"
    sys.modules.pop(f"icml2008.papers.{key}", None)
    library.load_experiments(key)
    package = Path(icml2008.papers.__file__).parent
    assert (package / key / "paper.yaml").read_text("utf-8") == card
    assert not (package / key / "experiments.py").exists()


def test_a_paper_that_the_catalogue_has_not_begins_with_a_card_to_fill_in(papers):
    folder, drafted = new_paper("doe2008planned", home=papers)
    assert (drafted.judged, drafted.listed) == (["errors"], ["ours-is-better"])
    assert library.load_experiments("doe2008planned").keys() == {"table-1"}
    with pytest.raises(PaperError, match="'doe-2008' names a package of Python"):
        new_paper("doe-2008", home=papers)


@pytest.mark.parametrize(
    ("of", "name"),
    [("bergeron2008mirank/accuracy", "Ranker"), ("bach2008bolasso/recovery", "pick")],
)
def test_a_method_is_begun_with_all_that_its_experiment_asks_for(tmp_path, monkeypatch, of, name):
    monkeypatch.syspath_prepend(tmp_path)
    module = f"begun_{name.lower()}"
    files = new_method(f"{module}:{name}", of, tmp_path)
    assert [file.name for file in files] == [f"{module}.py", f"test_{module}.py"]
    expects = library.load_experiment(*of.split("/")).expects
    assert list(own_methods([f"{module}:{name}"], expects)) == [f"own:{name}"]
    with pytest.raises(PaperError, match=f"{module}.py is there already"):
        new_method(f"{module}:{name}", of, tmp_path)


def test_an_unknown_paper_is_begun_in_a_named_folder_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["new", "vovk2008bier"])
    assert "did you mean 'vovk2008brier'?; to begin one: --to FOLDER" in str(done.exception)
    assert list(tmp_path.iterdir()) == []
