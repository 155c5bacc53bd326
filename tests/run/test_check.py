"""The regression of reported numbers, and the reference that it compares with."""

import json
import shutil
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.harness.records import to_text
from icml2008.report.problems import of_check
from icml2008.run.reference.adopting import _still_good, adopt, renew, stale
from icml2008.run.reference.check import compare_with_reference
from icml2008.run.reference.judging import judge_paper
from icml2008.run.reference.other_arithmetic import record
from icml2008.run.reference.shifts import Recorded, read_recorded
from icml2008.run.trials.configuration import scale_of
from icml2008.run.trials.execution import run_trials
from icml2008.store import Shelf, read_lines, record_file, write_json

KEY = "doe2008toy"
NAME = "centre"
ENTRY = Entry(KEY)
FULL = Shelf.of_run("full", ENTRY)
REFERENCE = Shelf.of_reference(ENTRY)


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Return a function that runs the toy at a scale into a folder, here changed by `change`."""
    library.add_papers(Path(__file__).parent / "papers")
    monkeypatch.chdir(tmp_path)

    def run(scale, folder=None, change=lambda line: line):
        trials = library.load_experiment(KEY, NAME).trials(scale_of(scale))
        head = {"schema": 2, "paper": KEY, "experiment": NAME, "universe": "default"}
        lines = [change(line) for line in run_trials(ENTRY, NAME, "default", trials)[0]]
        out = Path(folder or f"results/{scale}")
        path = out / KEY / "records" / NAME / "default.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text(to_text(head, lines))
        shelf = Shelf(out, ENTRY)
        shelf.write_verdicts(judge_paper(ENTRY, shelf.records(), scale_of(scale)))
        return out

    return run


@pytest.fixture
def reference(results):
    results("full")
    adopt(FULL)
    return Path("results/reference")


def compared(new):
    return {KEY: compare_with_reference(Shelf(new, ENTRY))}


def verdict_of(check):
    return [str(problem) for problem in of_check(check).problems if problem.kind != "unchecked"]


def changed(method, size, shift):
    def change(line):
        if line.get("method") == method and line["cell"]["size"] == size:
            return {**line, "value": line["value"] + shift}
        return line

    return change


def test_the_same_code_gives_the_same_numbers(reference, results):
    new = results("quick")
    comparison = compared(new)
    assert verdict_of(comparison) == []
    assert comparison[KEY]["compared"] == 40 * 2 * 2
    assert comparison[KEY]["judged"] == 3
    assert comparison[KEY]["stale"] == []


def test_a_moved_mean_is_listed_with_old_and_new(reference, results):
    new = results("quick", change=changed("mean", 10, 0.03))
    (line,) = verdict_of(compared(new))
    assert "centre, mean, error at" in line
    assert "became" in line


def test_a_shift_far_inside_the_spread_of_the_repeats_is_listed_and_nothing_is_wrong(
    reference, results
):
    comparison = compared(results("quick", change=changed("mean", 10, 0.001)))
    assert verdict_of(comparison) == []
    (shift,) = comparison[KEY]["arithmetic"]
    assert shift["change"] == pytest.approx(0.001)
    assert shift["rms"] == pytest.approx(0.001)


def test_a_flipped_verdict_is_listed_for_part_and_whole(reference, results):
    new = results("quick", change=changed("mean", 100, 1.0))
    flips = compared(new)[KEY]["flipped"]
    # Nobody is refuted by a single reading: what the default refutes is open.
    assert {(f["part"], f["old"], f["new"]) for f in flips} == {
        ("", "confirmed", "inconclusive"),
        ("size=100", "confirmed", "inconclusive"),
    }


def test_a_new_failure_is_listed(reference, results):
    def fail(line):
        if line["method"] == "mean" and line["repeat"] == 3 and line["cell"]["size"] == 10:
            del line["metric"], line["value"]
            return {**line, "kind": "failure", "status": "failed", "error": "ValueError: no"}
        return line

    *flips, line = verdict_of(compared(results("quick", change=fail)))
    assert line.endswith("40 values became 39 values")


def test_a_paper_outside_the_package_needs_no_reference(results):
    Path("results/reference").mkdir(parents=True)
    assert compare_with_reference(Shelf(results("quick"), ENTRY)) is None


def test_a_paper_of_the_package_needs_a_reference(results):
    Path("results/reference").mkdir(parents=True)
    run = Shelf.of_run("quick", Entry("barrett2008chvi"))
    (line, _) = compare_with_reference(run)["missing"]
    assert line.endswith("there is no reference; run it at full scale, then: icml2008 adopt "
                         "barrett2008chvi")  # fmt: skip


def test_the_reference_holds_packed_records_verdicts_and_provenance(reference):
    (lines,) = read_lines(REFERENCE.packed_file(NAME))
    assert [lines] == read_lines(record_file(f"results/full/{KEY}/records", NAME, "default"))
    assert not any(v["preliminary"] for v in REFERENCE.rows())
    assert {"arithmetic", "cores", "versions", "keys", "date"} <= REFERENCE.provenance().keys()


def test_adopting_twice_gives_the_same_bytes(reference):
    files = sorted(path for path in (reference / KEY).rglob("*") if path.is_file())
    before = [path.read_bytes() for path in files]
    adopt(FULL)
    assert [path.read_bytes() for path in files] == before


def test_what_other_arithmetics_did_stays_as_long_as_the_means_that_they_did_it_to(
    reference, results
):
    file = REFERENCE.arithmetic_file
    write_json(file, Recorded().to_json())
    adopt(FULL)
    assert file.is_file()

    def moved(line):
        return line | {"value": line["value"] + 1} if "value" in line else line

    adopt(Shelf(results("full", "results/moved", moved), ENTRY))
    assert not file.is_file()


def test_a_reference_of_other_code_is_stale(reference):
    path = reference / KEY / "provenance.json"
    provenance = json.loads(path.read_text())
    provenance["keys"][NAME]["code"] = "other"
    path.write_text(json.dumps(provenance))
    assert stale(REFERENCE) == ["centre: other code"]


def test_an_experiment_that_was_not_run_stays_as_it_is_unless_it_is_stale(reference):
    assert _still_good(FULL, set()) == [NAME]
    provenance = REFERENCE.provenance()
    provenance["keys"][NAME]["code"] = "other"
    write_json(reference / KEY / "provenance.json", provenance)
    with pytest.raises(Icml2008Error, match="has no records of centre"):
        _still_good(FULL, set())


def test_results_without_records_are_not_adopted(reference):
    shutil.rmtree(f"results/full/{KEY}/records")
    before = {path: path.read_bytes() for path in (reference / KEY).rglob("*") if path.is_file()}
    with pytest.raises(Icml2008Error, match="has no records, there is nothing to adopt"):
        adopt(FULL)
    after = {path: path.read_bytes() for path in (reference / KEY).rglob("*") if path.is_file()}
    assert after == before


def test_only_full_results_can_become_the_reference(results):
    results("quick", folder="results/full")
    with pytest.raises(Icml2008Error, match=r"nothing of size=10, repeat 40; run it at full scale"):
        adopt(FULL)


def test_the_reference_needs_results(results):
    with pytest.raises(Icml2008Error, match="run: snakemake --cores all doe2008toy"):
        library.load_paper(KEY) and adopt(FULL)


def wrong(folder):
    """Return what is wrong, without the folders' names."""
    return [line.partition(f"/{KEY}: ")[2] or line for line in verdict_of(compared(folder))]


def test_a_deleted_record_file_is_missed(reference, results):
    new = results("quick")
    (new / KEY / "records" / NAME / "default.jsonl").unlink()
    assert wrong(new) == ["nothing of it is there; run: snakemake --cores all doe2008toy"]
    path = new / KEY / "records" / "other" / "default.jsonl"
    path.parent.mkdir()
    path.write_text('{"schema":2,"paper":"doe2008toy","experiment":"other","universe":"default"}\n')
    assert wrong(new) == ["no records of centre, default"]


def test_a_record_file_of_a_header_alone_is_missed(reference, results):
    new = results("quick")
    path = new / KEY / "records" / NAME / "default.jsonl"
    path.write_text(path.read_text().splitlines()[0] + "\n")
    assert wrong(new) == ["centre, default: nothing of size=10, repeat 0 and 79 more trials"]


def test_a_broken_record_file_is_named(reference, results):
    REFERENCE.packed_file(NAME).write_bytes(b"\xfd7zXZ broken")
    problems = wrong(results("quick"))
    assert f"{NAME}.jsonl.xz is broken: " in problems[0]
    assert "nothing of it is there" in problems[1]


@pytest.mark.parametrize("text", [None, "{", "[]", "{}"])
def test_a_reference_without_its_provenance_is_wrong(reference, results, text):
    path = reference / KEY / "provenance.json"
    path.unlink() if text is None else path.write_text(text)
    assert wrong(results("quick")) == ["provenance.json is not there, or is none"]


def test_a_verdict_that_was_edited_by_hand_is_found(reference, results):
    path = reference / KEY / "verdicts.json"
    path.write_text(path.read_text().replace('"verdict":"confirmed"', '"verdict":"refuted"', 1))
    (line,) = wrong(results("quick"))
    assert "derived again it is 'confirmed'" in line


def test_a_missing_verdict_is_found(reference, results):
    path = reference / KEY / "verdicts.json"
    rows = json.loads(path.read_text())
    write_json(path, rows[:-1])
    assert any(
        "derived from the records, but not stored" in line for line in wrong(results("quick"))
    )
    write_json(path, rows[1:])  # what its parts share with it is gone, its name, too
    (line,) = wrong(results("quick", folder="another/quick"))
    assert "verdicts.json: None: paper: Field required" in line
    path.unlink()
    assert wrong(results("quick", folder="other/quick")) == ["verdicts.json is not there"]


def test_todays_keys_are_given_by_proof_only(reference, results):
    path = reference / KEY / "provenance.json"
    provenance = json.loads(path.read_text())
    provenance["keys"][NAME]["code"] = "other"
    write_json(path, provenance)
    moved = results("quick", folder="moved/quick", change=changed("mean", 10, 1e-9))
    assert renew(Shelf(moved, ENTRY)) == {}
    assert stale(REFERENCE) == ["centre: other code"]
    assert renew(Shelf(results("quick"), ENTRY)) == {NAME: 160}
    assert stale(REFERENCE) == []
    assert REFERENCE.provenance()["renewed"][NAME]["lines"] == 160


def test_a_proof_must_be_complete(reference, results):
    new = results("quick")
    path = new / KEY / "records" / NAME / "default.jsonl"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-2]))
    with pytest.raises(Icml2008Error, match="nothing of size=10, repeat 39"):
        renew(Shelf(new, ENTRY))


def test_what_another_arithmetic_does_is_recorded_and_then_explains_a_shift(reference, results):
    shifted = results("quick@nehalem", change=changed("mean", 10, 0.03))
    assert len(verdict_of(compared(shifted))) == 1
    assert "1 beyond it; 0 of 3 verdicts flipped" in record(Shelf(shifted, ENTRY))
    assert verdict_of(compared(shifted)) == []
    assert read_recorded(REFERENCE).runs["nehalem"]["scale"] == "quick"
    assert (
        verdict_of(
            compared(results("quick", change=changed("mean", 10, 0.04), folder="more/quick"))
        )
        != []
    )


def test_a_run_of_the_baseline_is_no_record_of_another_arithmetic(reference, results):
    with pytest.raises(Icml2008Error, match="not of another arithmetic"):
        record(Shelf(results("quick"), ENTRY))
