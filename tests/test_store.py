"""Results are the same whether they lie as a run leaves them or packed, and never half there."""

import json
import lzma
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from icml2008 import store
from icml2008.catalogue.entry import Entry
from icml2008.harness import packing
from icml2008.harness.records import canonical, header, to_text
from icml2008.judge.verdict import Verdict

KEY = "doe2008toy"
NAME = "centre"
RUN = Path("results/full")
REFERENCE = store.REFERENCE
PLAIN = store.Shelf(RUN, Entry(KEY))
PACKED = store.Shelf(REFERENCE, Entry(KEY))


@pytest.fixture(autouse=True)
def _here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def measured(value, repeat=0):
    at = {"cell": {"size": 10}, "repeat": repeat, "method": "mean"}
    return {**at, "kind": "measurement", "metric": "error", "value": value}


def row(universe="default", part="", claim="", **more):
    about = ("paper", "says", "page", "experiment", "comparison", "statistic")
    known = dict.fromkeys((*about, "metric", "unit", "reason"), "")
    known |= {"page": 3, "claim": claim, "part": part}
    return Verdict(**known, verdict="confirmed", universe=universe, **more).to_json()


KEPT = {"kind": "array", "cell": {"size": 10}, "repeat": 0, "keep": "path", "array": [1.0, 2.0]}
FILES = {"default": [measured(0.5), measured(0.25, 1)], "ties=random": [measured(0.75)]}


@pytest.fixture
def run():
    """Leave the records of a run in two universes, with an array kept in each."""
    folder = RUN / KEY / "records"
    for universe, lines in FILES.items():
        for kept, part in ((False, lines), (True, [KEPT])):
            file = store.record_file(folder, NAME, universe, kept=kept)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(to_text(header(KEY, NAME, universe), part))


def test_packed_records_are_those_of_the_run(run):
    PACKED.pack(NAME, PLAIN)
    evidence = PLAIN.records()
    assert PACKED.records() == evidence
    assert {universe: lines[1:] for (_, universe), lines in evidence.items()} == FILES


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["mean", "median"]),
            st.sampled_from([10, 20]),
            st.integers(0, 5),
            st.sampled_from([0.5, 1e-300, 3, None]),
            st.sampled_from([None, 7]),
        ),
        unique_by=lambda line: line[:3],
    )
)
def test_measurements_are_parted_as_they_were_joined(given_lines):
    lines = []
    for method, size, repeat, value, n_test in given_lines:
        line = measured(value, repeat) | {"method": method, "cell": {"size": size}}
        line |= {} if value is not None else {"status": "non-finite"}
        lines.append(line | ({"n_test": n_test} if n_test else {}))
    lines.append({"kind": "failure", "cell": {"size": 10}, "repeat": 0, "error": "it broke"})
    joined = packing.join(lines)
    text = to_text(header(KEY, NAME, "default"), lines)
    assert to_text(header(KEY, NAME, "default"), packing.part(joined)) == text
    assert len({canonical(line) for line in joined}) == len(joined)


def test_repeats_of_a_measurement_are_one_line_of_a_packed_file(run):
    file = PACKED.pack(NAME, PLAIN)
    _, line, *_ = map(json.loads, store.read_text(file).splitlines())
    assert (line["kind"], line["values"]) == ("series", [0.5, 0.25])
    assert "repeats" not in line


def test_a_series_with_a_value_too_few_is_refused(run):
    file = PACKED.pack(NAME, PLAIN)
    text = store.read_text(file).replace('"values":[0.5,0.25]', '"repeats":[0,1],"values":[0.5]')
    store.write_packed(file, text)
    with pytest.raises(store.BrokenFile, match="line 2: 2 repeats of 1 values"):
        PACKED.records()


def test_kept_arrays_are_packed_of_the_default_alone(run):
    PACKED.pack(NAME, PLAIN)
    for universe, kept in (("default", [KEPT]), ("ties=random", [])):
        lines_read = PACKED.lines(NAME, universe)
        assert [line for line in lines_read if line.get("kind") == "array"] == kept
        assert KEPT in PLAIN.lines(NAME, universe)


def test_what_was_not_run_has_no_lines(run):
    assert PLAIN.lines("elsewhere", "default") == []
    assert PACKED.records() == {}


def test_packing_the_same_again_leaves_the_file_to_other_compressors(run):
    file = PACKED.pack(NAME, PLAIN)
    other = lzma.compress(lzma.decompress(file.read_bytes()), preset=0)
    file.write_bytes(other)
    PACKED.pack(NAME, PLAIN)
    assert file.read_bytes() == other


@pytest.mark.parametrize("content", [b"", b"\xfd7zXZ", lzma.compress(b'{"cell":{}}\n')])
def test_a_packed_file_that_is_broken_or_has_no_header_is_refused(run, content):
    file = PACKED.pack(NAME, PLAIN)
    file.write_bytes(content)
    with pytest.raises(ValueError, match=f"{NAME}.jsonl.xz"):
        PACKED.records()


ROWS = [
    row(inputs={"values": [1.0]}, effect=0.5),
    row(part="size=10"),
    row("ties=random", inputs={"values": [2.0]}, scale="quick"),
]


def test_verdicts_are_read_as_they_were_written():
    PLAIN.write_verdicts(ROWS)
    assert PLAIN.rows() == ROWS
    assert store.Shelf(RUN, Entry("another2008")).rows() == []


def test_a_reference_is_read_as_it_was_written_but_for_inputs_of_other_universes():
    PACKED.write_verdicts(ROWS)
    *default, other = ROWS
    assert PACKED.rows() == [*default, other | {"inputs": None}]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_what_rows_share_is_put_back(data):
    values = st.sampled_from([None, 0.5, 1.0])
    rows = [
        row(universe, claim=claim, part=part, effect=data.draw(values), low=data.draw(values))
        for universe in ("default", "ties=random")
        for claim in ("a", "b")
        for part in ("", "size=10", "size=20")
        if universe == "default" or data.draw(st.booleans())
    ]
    PACKED.write_verdicts(rows)
    assert PACKED.rows() == rows
    for universe in ("default", "ties=random"):
        of_it = [row for row in rows if row["universe"] == universe]
        assert PACKED.rows(universe=universe) == of_it


def test_a_short_reading_of_a_reference_has_the_default_without_inputs():
    PACKED.write_verdicts(ROWS)
    assert PACKED.rows(more=False) == [{**ROWS[0], "inputs": None}, ROWS[1]]


def test_a_body_that_fails_replaces_nothing():
    file = PACKED.provenance_file
    store.write_json(file, {"date": "then"})

    def fail():
        with PACKED.replaced() as stage:
            store.write_json(stage.provenance_file, {"date": "now"})
            raise RuntimeError

    pytest.raises(RuntimeError, fail)
    assert store.read_json(file) == {"date": "then"}
    assert [path.name for path in Path("results").iterdir()] == ["reference"]


def test_a_body_that_ends_well_replaces_all():
    store.write_json(PACKED.arithmetic_file, {})
    for shelf in (PACKED, PLAIN):
        with shelf.replaced() as stage:
            stage.arithmetic_file.unlink(missing_ok=True)
            store.write_json(stage.provenance_file, {})
        assert [path.name for path in shelf.folder.iterdir()] == ["provenance.json"]


def text_of(*lines):
    return "".join(f"{json.dumps(line)}\n" for line in lines)


HEAD = header(KEY, NAME, "default")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[" * 100_000, "line 1: not JSON: .*recursion"),
        ("9" * 5000, "line 1: not JSON: "),
        ("3\n", "line 1: Input should be a valid dictionary, found 3"),
        (text_of({**HEAD, "schema": 1}), "line 1: records of schema 1, where this version has 2"),
        (text_of({**HEAD, "paper": None}), "line 1: paper: .*found None"),
        (text_of(HEAD, []), "line 2: "),
        (text_of(HEAD, {}), "line 2: .*discriminator 'kind'"),
        (text_of(HEAD, measured("0.5")), "line 2: measurement.value"),
        (text_of(HEAD, measured(float("nan"))), "line 2: .*finite number, found nan"),
        (text_of(HEAD, measured(0.5, -1)), "line 2: measurement.repeat"),
        (text_of(HEAD, {**measured(0.5), "kind": "guess"}), "line 2: .*'guess'"),
        (text_of(HEAD, {**measured(0.5), "cell": 3}), "line 2: measurement.cell"),
        (text_of(HEAD, {**measured(0.5), "colour": 3}), "line 2: measurement.colour"),
    ],
    ids=lambda value: value[-40:],
)
def test_a_line_that_no_record_file_has_is_named_with_its_place(text, message):
    file = store.record_file(PLAIN.records_folder, NAME, "default")
    file.parent.mkdir(parents=True)
    file.write_text(text)
    with pytest.raises(store.BrokenFile, match=f"default.jsonl, {message}"):
        PLAIN.records()


def test_a_packed_file_that_would_fill_the_memory_is_refused(run, monkeypatch):
    file = PACKED.pack(NAME, PLAIN)
    monkeypatch.setattr(store.files, "_MOST", 1 << 20)
    file.write_bytes(lzma.compress(bytes(2 << 20)))
    with pytest.raises(store.BrokenFile, match="unpacks to more than 1 MiB"):
        PACKED.records()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"{", "not JSON"),
        (b"\xff", "is broken"),
        (b'{"claim": 3}', "valid list, found {'claim': 3}"),
        (b"[3]", "0: Input should be a valid dictionary, found 3"),
        (text_of([{**row(), "verdict": "true"}]).encode(), "'': verdict: .*found 'true'"),
        (text_of([{**row(), "effect": "1"}]).encode(), "'': effect"),
        (text_of([{**row(), "colour": 1}]).encode(), "'': colour"),
    ],
)
def test_verdicts_that_are_none_are_named_with_their_claim(content, message):
    file = PLAIN.verdicts_file
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    with pytest.raises(store.BrokenFile, match=f"verdicts.json.*{message}"):
        PLAIN.rows()
