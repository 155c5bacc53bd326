"""What a reference was found to be is found once, until something changes that it rests on."""

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness.records import to_text
from icml2008.run import keys
from icml2008.run.reference import proof
from icml2008.run.reference.adopting import adopt, renew
from icml2008.run.trials.execution import run_trials
from icml2008.store import Shelf, read_json, write_json

KEY = "doe2008toy"
NAME = "centre"
ENTRY = Entry(KEY)
REFERENCE = Shelf.of_reference(ENTRY)


def run(scale):
    lines = run_trials(ENTRY, NAME, "default", ENTRY.experiments[NAME].trials(scale))[0]
    head = {"schema": 2, "paper": KEY, "experiment": NAME, "universe": "default"}
    file = Path("results", scale, KEY, "records", NAME, "default.jsonl")
    file.parent.mkdir(parents=True)
    file.write_text(to_text(head, lines))


@pytest.fixture
def reference(tmp_path, monkeypatch):
    """Return a function that says what is wrong with a reference, which has no proof yet."""
    library.add_papers(Path(__file__).parent / "papers")
    monkeypatch.chdir(tmp_path)
    run("full")
    adopt(Shelf.of_run("full", ENTRY))
    REFERENCE.proof_file.unlink()
    return lambda: proof.faults(REFERENCE, REFERENCE.records())


@pytest.fixture
def derivations(monkeypatch):
    """Return the papers whose verdicts were derived so far."""
    derived = []
    derive = proof.derive
    monkeypatch.setattr(
        proof, "derive", lambda shelf, *more: derived.append(shelf.key) or derive(shelf, *more)
    )
    return derived


def test_what_is_adopted_is_proven(reference):
    adopt(Shelf.of_run("full", ENTRY))
    assert proof.is_proven(REFERENCE)


def test_verdicts_are_derived_once(reference, derivations):
    assert [reference(), reference()] == [[], []]
    assert derivations == [KEY]


def test_what_is_proven_is_not_derived_at_all(reference, derivations):
    proof.prove(REFERENCE)
    assert reference() == []
    assert derivations == []


def test_faults_are_kept_until_they_are_mended(reference, derivations):
    file = REFERENCE.verdicts_file
    good = file.read_text()
    file.write_text(good.replace('"verdict":"confirmed"', '"verdict":"refuted"', 1))
    (fault,) = reference()
    assert "derived again it is 'confirmed'" in fault
    assert reference() == [fault]
    assert derivations == [KEY]
    file.write_text(good)
    assert reference() == []


def test_what_lacks_is_looked_for_once(reference, monkeypatch):
    provenance = read_json(REFERENCE.provenance_file)
    provenance["keys"] = {}
    write_json(REFERENCE.provenance_file, provenance)
    lacking = [f"provenance.json has no key of {NAME}"]
    assert proof.lacking(REFERENCE) == lacking
    monkeypatch.setattr(Shelf, "readable", None)
    assert proof.lacking(REFERENCE) == lacking


def test_other_judging_code_makes_a_proof_void(reference, derivations, monkeypatch):
    proof.prove(REFERENCE)
    monkeypatch.setattr(proof, "deriving_code", lambda key: "other")
    assert not proof.is_proven(REFERENCE)
    assert reference() == []
    assert derivations == [KEY]


def test_what_is_renewed_is_proven(reference):
    provenance = REFERENCE.provenance()
    provenance["keys"][NAME]["code"] = "other"
    write_json(REFERENCE.provenance_file, provenance)
    run("quick")
    renew(Shelf.of_run("quick", ENTRY))
    assert proof.is_proven(REFERENCE)


def test_what_is_renewed_and_wrong_is_not_proven(reference):
    file = REFERENCE.verdicts_file
    file.write_text(file.read_text().replace('"verdict":"confirmed"', '"verdict":"refuted"', 1))
    run("quick")
    renew(Shelf.of_run("quick", ENTRY))
    assert not proof.is_proven(REFERENCE)


def code_with(monkeypatch, **update):
    paper = library.load_paper("bergeron2008mirank")
    keys.deriving_code.cache_clear()
    monkeypatch.setattr(library, "load_paper", lambda key: paper.model_copy(update=update))
    try:
        return keys.deriving_code(Entry("bergeron2008mirank"))
    finally:
        monkeypatch.undo()
        keys.deriving_code.cache_clear()


@pytest.mark.parametrize(
    ("part", "field", "value", "same"),
    [
        ("choices", "question", "Which?", True),
        ("choices", "why", "So it is.", True),
        ("choices", "alternatives", ["another"], False),
        ("experiments", "protocol", "Another.", True),
        ("experiments", "resampling", None, False),
        ("claims", "above", "0.5", False),
    ],
)
def test_a_proof_rests_on_what_is_judged_and_not_on_words(monkeypatch, part, field, value, same):
    entries = getattr(library.load_paper("bergeron2008mirank"), part)
    name = next(iter(entries))
    changed = {**entries, name: entries[name].model_copy(update={field: value})}
    codes = [code_with(monkeypatch), code_with(monkeypatch, **{part: changed})]
    assert (codes[0] == codes[1]) == same


def test_judging_loads_no_rule_that_a_proof_does_not_rest_on():
    """What is loaded but not hashed could change verdicts unseen."""
    program = """
        import sys
        from icml2008.harness import code
        from icml2008.run import keys
        from icml2008.run.reference.judging import judge_paper
        from icml2008.catalogue.entry import Entry
        from icml2008.store import Shelf
        entry = Entry("gonen2008localized")
        judge_paper(entry, Shelf.of_reference(entry).records(), "full")
        hashed = set()
        def narrow(starts, without):
            outside = [f"icml2008.{name}" for name in without]
            reached = code.closure(starts, contract=False, by_name="icml2008", without=outside)
            hashed.update(reached)
            return ""
        keys._narrow = narrow
        keys._deriving()
        rules = {name for name in sys.modules if name.startswith("icml2008.judge.")}
        # Of the catalogue, whose facts are hashed.
        rules -= {"icml2008.judge.controls", "icml2008.judge.totals"}
        print(sorted(rules - hashed), sorted(name for name in hashed if ".report" in name))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[] []"
