"""What the rules ask of the package: files, plans, and what is made again."""

from types import SimpleNamespace

import pytest
from snakemake.exceptions import WorkflowError

from icml2008.catalogue.paper_error import PaperError
from icml2008.data.availability import State
from icml2008.run import products as module
from icml2008.run.products import Products, as_snakemake_says, states_of
from icml2008.run.trials.configuration import Run

KEYS = ("bergeron2008mirank", "vovk2008brier")
SHARDS = {"default/0000": {"code": {"accuracy": "abc"}, "stamp": "s"}}


class Planning(SimpleNamespace):
    """Snakemake while it looks for what is to do."""

    only_plans = False
    changes_files = True

    def values(self, name, **others):
        return []


@pytest.fixture
def products(tmp_path, monkeypatch):
    """Return a function from settings to the products of a run of two papers in an empty folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(module.lock, "hold", lambda: "")
    asked = []

    def plan_of(run, entry, scale):
        asked.append((entry.key, scale))
        return SimpleNamespace(
            data=["census-16h", entry.key], reads=["census-16h"], rendering=entry.key, shards=SHARDS
        )

    def plans_of(run, entries, scale):
        return {entry.key: plan_of(run, entry, scale) for entry in entries}

    monkeypatch.setattr(module.plans, "plan_of", plan_of)
    monkeypatch.setattr(module.plans, "plans_of", plans_of)

    def make(**settings):
        made = Products(Run(papers=KEYS, **settings), Planning())
        made.asked = asked
        return made

    return make


def test_a_plan_is_made_once_a_scale_whatever_the_arithmetic(products):
    made = products()
    assert made.plan(KEYS[0], "quick") is made.plan(KEYS[0], "quick@nehalem")
    assert made.renderings("quick") == list(KEYS)
    assert made.data("quick") == ["bergeron2008mirank", "census-16h", "vovk2008brier"]
    assert made.asked == [(key, "quick") for key in KEYS]
    made.plan(KEYS[0], "full")
    assert made.asked[-1] == (KEYS[0], "full")


def test_a_run_makes_its_mark_its_pages_and_five_things_of_each_paper(products):
    made = products()
    files = made.of_run("smoke")
    assert files[:2] == ["results/smoke/done", "results/smoke/check.json"]
    assert "results/smoke/report/quality.html" in files
    assert [file for file in files if KEYS[1] in file] == made.of_paper("smoke", KEYS[1])
    assert made.of_paper("smoke", KEYS[1]) == [
        *(f"results/smoke/vovk2008brier/{name}" for name in ("records", "verdicts.json")),
        *(f"results/smoke/vovk2008brier/{name}" for name in ("check.json", "overview.json")),
        "results/smoke/report/vovk2008brier.html",
    ]
    overviews = made.of_all_papers("overview.json")(SimpleNamespace(scale="full"))
    assert overviews == [f"results/full/{key}/overview.json" for key in KEYS]


def test_figures_are_published_of_committed_evidence_alone(products, tmp_path):
    made = products()
    assert made.figures() == []
    folder = tmp_path / "results/reference" / KEYS[1]
    folder.mkdir(parents=True)
    (folder / "verdicts.json").write_text("[]")
    assert made.figures() == [f"figures/{KEYS[1]}"]


def test_data_that_are_not_there_are_tried_again_by_each_run(products, tmp_path):
    made = products()
    assert made.fetched_again("census-16h") == ""
    (file,) = map(tmp_path.joinpath, states_of(["census-16h"]))
    file.parent.mkdir(parents=True)
    file.write_text(State("census-16h", "unavailable", {}, {"a.gz": "offline"}).to_json())
    assert made.fetched_again("census-16h") == str(made.started)


@pytest.mark.parametrize(
    ("only_plans", "changes_files", "is_left"),
    [(True, False, True), (False, True, False), (False, False, True)],
)
def test_records_that_lack_a_file_are_forgotten_by_the_process_that_runs(
    products, capsys, only_plans, changes_files, is_left
):
    made = products()
    made.snakemake = Planning(only_plans=only_plans, changes_files=changes_files)
    records = made.shelf("smoke", KEYS[0]).records_folder
    records.mkdir(parents=True)
    assert made.states_for_trials("smoke", KEYS[0]) == ["results/data/census-16h.json"]
    assert records.is_dir() == is_left
    assert ("would be run again: bergeron2008mirank" in capsys.readouterr().err) == only_plans


@pytest.mark.parametrize(("retry", "is_left"), [("", True), ("failed", False)])
def test_failed_trials_are_forgotten_where_they_shall_be_retried(products, retry, is_left):
    made = products(retry=retry)
    run = made.shelf("smoke", KEYS[0])
    file = run.records_folder / "accuracy/default.jsonl"
    file.parent.mkdir(parents=True)
    file.write_text("")
    shard = run.shards_folder / "default/0000.jsonl"
    shard.parent.mkdir(parents=True)
    shard.write_text('{"kind": "failure"}\n')
    made.states_for_trials("smoke", KEYS[0])
    assert (file.is_file(), shard.is_file()) == (is_left, is_left)


def test_the_scale_of_the_configuration_holds_until_jobs_have_one(products):
    made = products(scale="smoke")
    assert made.scales() == ["smoke"]
    made.snakemake.values = lambda name, **others: ["full"]
    assert made.scales() == ["full"]


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (PaperError("no paper 'x'"), "no paper 'x'"),
        (ModuleNotFoundError("gone", name="numba"), "numba is not installed"),
    ],
)
def test_what_a_user_can_mend_is_said_as_snakemake_says_it(error, text):
    with pytest.raises(WorkflowError, match=text), as_snakemake_says():
        raise error
