"""The regression of reported numbers, and the reference that it compares with."""

import gzip
import json
from pathlib import Path

import pytest

from icml2008.errors import Icml2008Error
from icml2008.harness.records import to_text
from icml2008.papers import library
from icml2008.workflow.check import CheckError, compare, verdict_of
from icml2008.workflow.reference import adopt, read_provenance, stale
from icml2008.workflow.trials import run_trials
from icml2008.workflow.verdicts import judge_paper, read_evidence, record_files, write_json

KEY, NAME = "doe2008toy", "centre"


@pytest.fixture
def results(tmp_path, monkeypatch):
    """Return a function that runs the toy at a scale into a folder, here changed by `change`."""
    library.add_papers(Path(__file__).parent / "papers")
    monkeypatch.chdir(tmp_path)

    def run(scale, folder=None, change=lambda line: line):
        trials = library.load_experiment(KEY, NAME).trials(scale)
        head = {"schema": 1, "paper": KEY, "experiment": NAME, "universe": "default"}
        lines = [change(line) for line in run_trials(KEY, NAME, "default", trials)[0]]
        out = Path(folder or f"results/{scale}")
        path = out / KEY / "records" / NAME / "default.jsonl"
        path.parent.mkdir(parents=True)
        path.write_text(to_text(head, lines))
        evidence = read_evidence(record_files(out, KEY))
        write_json(out / KEY / "verdicts.json", judge_paper(KEY, evidence, scale))
        return out

    return run


@pytest.fixture
def reference(results):
    results("full")
    adopt(KEY)
    return Path("results/reference")


def changed(method, size, shift):
    def change(line):
        if line.get("method") == method and line["cell"]["size"] == size:
            return {**line, "value": line["value"] + shift}
        return line

    return change


def test_the_same_code_gives_the_same_numbers(reference, results):
    new = results("quick")
    found = compare([KEY], "quick", new=new)
    assert verdict_of(found) == []
    assert found[KEY]["compared"] == 40 * 2 * 2
    assert found[KEY]["judged"] == 3
    assert found[KEY]["stale"] == []


def test_a_moved_mean_is_listed_with_old_and_new(reference, results):
    new = results("quick", change=changed("mean", 10, 0.001))
    (line,) = verdict_of(compare([KEY], "quick", new=new))
    assert "mean, error at" in line
    assert "became" in line


def test_a_flipped_verdict_is_listed_for_part_and_whole(reference, results):
    new = results("quick", change=changed("mean", 100, 1.0))
    flips = compare([KEY], "quick", new=new)[KEY]["flipped"]
    assert {(f["part"], f["old"], f["new"]) for f in flips} == {
        ("", "confirmed", "refuted"),
        ("size=100", "confirmed", "refuted"),
    }


def test_a_new_failure_is_listed(reference, results):
    def fail(line):
        if line["method"] == "mean" and line["repeat"] == 3 and line["cell"]["size"] == 10:
            del line["metric"], line["value"]
            return {**line, "status": "failed", "error": "ValueError: no"}
        return line

    (line, *flips) = verdict_of(compare([KEY], "quick", new=results("quick", change=fail)))
    assert line.endswith("40 values became 39 values")


def test_a_check_that_judged_nothing_is_an_error(reference):
    with pytest.raises(CheckError, match="nothing was checked"):
        verdict_of(compare([KEY], "quick", new=Path("nowhere")))


def test_the_reference_holds_packed_records_verdicts_and_provenance(reference):
    packed = reference / KEY / NAME / "default.jsonl.gz"
    text = gzip.decompress(packed.read_bytes()).decode()
    assert text == Path(f"results/full/{KEY}/records/{NAME}/default.jsonl").read_text()
    verdicts = json.loads((reference / KEY / "verdicts.json").read_text())
    assert not any(v["preliminary"] for v in verdicts)
    assert {"cpu", "cores", "versions", "keys", "date"} <= read_provenance(KEY).keys()


def test_adopting_twice_gives_the_same_bytes(reference):
    files = sorted(path for path in (reference / KEY).rglob("*") if path.is_file())
    before = [path.read_bytes() for path in files]
    adopt(KEY)
    assert [path.read_bytes() for path in files] == before


def test_a_reference_of_other_code_is_stale(reference):
    path = reference / KEY / "provenance.json"
    provenance = json.loads(path.read_text())
    provenance["keys"][NAME]["code"] = "other"
    path.write_text(json.dumps(provenance))
    assert stale(KEY) == ["centre: other code"]


def test_only_full_results_can_become_the_reference(results):
    results("quick", folder="results/full")
    with pytest.raises(Icml2008Error, match=r"nothing of size=10, repeat 40; run it at full scale"):
        adopt(KEY)


def test_the_reference_needs_results(results):
    with pytest.raises(Icml2008Error, match="run: snakemake --cores all doe2008toy"):
        library.load_paper(KEY) and adopt(KEY)
