"""What another choice does is compared with the reference, too."""

import json
from pathlib import Path

import pytest

from icml2008 import forms
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.harness.records import header, to_text
from icml2008.report.problems import of_check
from icml2008.run.reference.adopting import adopt
from icml2008.run.reference.check import compare_with_reference, comparison
from icml2008.run.reference.other_arithmetic import record
from icml2008.run.reference.shifts import read_recorded
from icml2008.run.trials.configuration import scale_of
from icml2008.run.trials.execution import run_trials
from icml2008.store import REFERENCE, Shelf, record_file, write_json

KEY = "doe2008toy"
ENTRY = Entry(KEY)
NAME = "centre"
UNIVERSES = ("default", "noise=laplace", "sizes=doubled")


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return a function that runs universes of the toy; `wrong` ones leave what another does."""
    library.add_papers(Path(__file__).parent / "papers")
    monkeypatch.chdir(tmp_path)

    def run(label, universes=UNIVERSES, wrong=()):
        out = Path("results", label)
        trials = library.load_experiment(KEY, NAME).trials(scale_of(label))
        for universe in universes:
            done = dict(wrong).get(universe, universe)
            lines, _ = run_trials(ENTRY, NAME, done, trials)
            file = record_file(out / KEY / "records", NAME, universe)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(to_text(header(KEY, NAME, universe), lines))
        return out

    run("full")
    adopt(Shelf.of_run("full", ENTRY))
    return run


def problems(kind, results):
    all_problems = of_check({KEY: compare_with_reference(Shelf(results, ENTRY))}).problems
    return [str(problem) for problem in all_problems if problem.kind == kind]


def test_the_same_code_gives_the_same_numbers_under_every_choice(run):
    outcome = compare_with_reference(Shelf(run("quick"), ENTRY))
    assert outcome["means"] == {"equal": 2 * 2 + 2 * 2 + 2, "within": 0, "beyond": 0}
    assert outcome["judged"] == 3 * 3
    assert (outcome["moved"], outcome["flipped"], outcome["missing"]) == ([], [], [])


def test_an_alternative_that_does_what_the_default_does_has_moved(run):
    new = run("smoke", wrong={"noise=laplace": "default"})
    outcome = compare_with_reference(Shelf(new, ENTRY))
    assert {shift["universe"] for shift in outcome["moved"]} == {"noise=laplace"}
    assert len(outcome["moved"]) == 2 * 2
    assert all("noise=laplace: " in line for line in problems("moved", new))
    written = comparison({ENTRY: outcome}, REFERENCE, new)
    assert forms.hold(forms.Comparison, written, "it")["grade"] in ("moved", "flipped")


def test_cells_that_a_choice_does_not_touch_are_compared_once(run):
    new = run("smoke", wrong={"sizes=doubled": "noise=laplace"})
    outcome = compare_with_reference(Shelf(new, ENTRY))
    assert {shift["cell"] for shift in outcome["moved"]} == {'{"size":100}'}


@pytest.mark.parametrize("place", [1, -1])
def test_each_line_of_an_alternative_is_compared(run, place):
    new = run("smoke")
    file = record_file(new / KEY / "records", NAME, "noise=laplace")
    lines = file.read_text().splitlines()
    record = json.loads(lines[place])
    lines[place] = json.dumps(record | {"value": record["value"] + 1000})
    file.write_text("\n".join([*lines, ""]))
    (shift,) = compare_with_reference(Shelf(new, ENTRY))["moved"]
    assert (shift["universe"], shift["method"]) == ("noise=laplace", record["method"])
    assert shift["largest"] == pytest.approx(1000)


def test_a_run_of_the_default_alone_lacks_nothing(run):
    outcome = compare_with_reference(Shelf(run("quick", UNIVERSES[:1]), ENTRY))
    assert outcome["means"]["equal"] == 2 * 2
    assert outcome["missing"] == []


def test_what_an_alternative_lacks_is_missing(run):
    new = run("smoke")
    file = record_file(new / KEY / "records", NAME, "noise=laplace")
    lines = file.read_text().splitlines(keepends=True)
    file.write_text("".join(lines[:-2]))
    (line,) = compare_with_reference(Shelf(new, ENTRY))["missing"]
    assert "centre, noise=laplace: nothing of size=10, repeat 7" in line


def computed_by_nehalem(results):
    cost = results / KEY / "shards" / "default" / "0000.cost.json"
    cost.parent.mkdir(parents=True)
    write_json(cost, {"arithmetic": {"blas": ["OpenBLAS nehalem"]}})
    return Shelf(results, ENTRY)


def test_what_another_arithmetic_does_to_an_alternative_explains_it_there_alone(run):
    other = run("smoke@nehalem", wrong={"noise=laplace": "default"})
    written = record(computed_by_nehalem(other))
    assert written.startswith("4 means, 4 equal")
    assert written.endswith("; 4 beyond it under alternatives")
    recorded = read_recorded(Shelf(REFERENCE, ENTRY))
    assert recorded.means == []
    assert {row["universe"] for row in recorded.alternatives} == {"noise=laplace"}
    outcome = compare_with_reference(Shelf(other, ENTRY))
    assert outcome["moved"] == []
    assert {row["universe"] for row in outcome["arithmetic"]} == {"noise=laplace"}
    elsewhere = run("smoke", wrong={"sizes=doubled": "noise=laplace"})
    outcome = compare_with_reference(Shelf(elsewhere, ENTRY))
    assert {row["universe"] for row in outcome["moved"]} == {"sizes=doubled"}


def test_of_another_arithmetic_the_last_run_is_recorded_and_others_stay(run):
    for name in ("nehalem", "prescott"):
        other = run(f"smoke@{name}", wrong={"noise=laplace": "default"})
        record(computed_by_nehalem(other))
    for universe in UNIVERSES[1:]:
        record_file(Path("results/smoke@nehalem", KEY, "records"), NAME, universe).unlink()
    assert record(Shelf(Path("results/smoke@nehalem"), ENTRY)).endswith("verdicts flipped")
    recorded = read_recorded(Shelf(REFERENCE, ENTRY))
    assert recorded.runs.keys() == {"nehalem", "prescott"}
    assert len(recorded.alternatives) == 8
    record(Shelf(run("smoke@nehalem"), ENTRY))
    recorded = read_recorded(Shelf(REFERENCE, ENTRY))
    assert {row["arithmetic"] for row in recorded.alternatives} == {"prescott"}


def test_of_another_arithmetic_an_alternative_that_was_begun_is_whole(run):
    other = run("smoke@nehalem")
    file = record_file(other / KEY / "records", NAME, "noise=laplace")
    file.write_text("".join(file.read_text().splitlines(keepends=True)[:-2]))
    with pytest.raises(Icml2008Error, match="centre, noise=laplace: nothing of size=10, repeat 7"):
        record(computed_by_nehalem(other))
