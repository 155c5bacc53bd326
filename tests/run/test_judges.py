"""The benchmark for judges: its data set, how files are read, and the committed baselines."""

import csv
import hashlib
import io
import json
import zipfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.judge.fixed import RUNS
from icml2008.judge.simulated import SIMPLER
from icml2008.run.site import judges
from icml2008.run.site.judges import OURS, Benchmark
from icml2008.store import REFERENCE, Shelf

ROOT = Path(__file__).parents[2]
KEYS = ["vovk2008brier", "nowozin2008decoupled"]


@pytest.fixture(scope="module")
def benchmark():
    assert all((library.folder(key) / "second.yaml").is_file() for key in KEYS)
    return Benchmark(Shelf(ROOT / REFERENCE, Entry(key)) for key in KEYS)


@pytest.fixture(scope="module")
def baselines(benchmark):
    return list(benchmark.baselines())


@pytest.fixture
def judge(tmp_path):
    def write(text):
        path = tmp_path / "judge.csv"
        path.write_text(text)
        return path

    return write


def test_who_says_the_truth_is_right_and_never_wrong(benchmark):
    verdicts = {name: pair.theirs for name, pair in benchmark.pairs.items()}
    knows = {name: "open" if claim.truth == "equal" else claim.truth
             for name, claim in benchmark.simulated.items()}  # fmt: skip
    scores = benchmark.score("oracle", verdicts | knows)
    assert (scores["alike"], scores["with second hand"], scores["right"]) == (1, 1, 1)
    assert (scores["false confirmations"], scores["false refutations"]) == (0, 0)


def test_who_always_says_the_same_is_found_out(benchmark):
    everything = [*benchmark.pairs, *benchmark.simulated]
    credulous = benchmark.score("credulous", dict.fromkeys(everything, "holds"))
    assert (credulous["false confirmations"], credulous["false refutations"]) == (1, 0)
    assert abs(credulous["kappa"] or 0) < 1e-9
    silent = benchmark.score("silent", dict.fromkeys(everything, "open"))
    assert silent["open"] == 1
    assert silent["right"] < 0.2


def test_what_was_not_judged_counts_nowhere(benchmark):
    name = next(name for name, claim in benchmark.simulated.items() if claim.truth == "holds")
    scores = benchmark.score("one", {name: "fails"})
    assert scores["simulated"] == f"1 of {len(benchmark.simulated)}"
    assert (scores["false refutations"], scores["false confirmations"]) == (1, None)
    assert scores["alike"] is None


def test_a_file_is_read_by_id(benchmark, judge):
    pair = next(iter(benchmark.pairs))
    text = f"id,why,verdict\n{pair},so,fails\nsimulated/order-1-8-1,,open\n"
    assert benchmark.read(judge(text)) == {pair: "fails", "simulated/order-1-8-1": "open"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "is CSV with the columns id and verdict"),
        ("name,verdict\na,holds\n", "is CSV with the columns id and verdict"),
        (
            "id,verdict\nsimulated/order-1-8-1,open\nsimulated/ordr-1-8-1,open\n",
            "line 3: unknown 'simulated/ordr-1-8-1'; did you mean 'simulated/order-1-8-1'",
        ),
        ("id,verdict\nsimulated/order-1-8-1,hold\n", "line 2: unknown 'hold'; did you mean 'holds"),
    ],
)
def test_a_file_that_is_none_is_answered_with_what_is_right(benchmark, judge, text, message):
    with pytest.raises(Icml2008Error, match=message):
        benchmark.read(judge(text))


def test_the_data_set_describes_each_of_its_files_and_columns(benchmark):
    content = benchmark.archive()
    assert content == benchmark.archive()
    archive = zipfile.ZipFile(io.BytesIO(content))
    package = json.loads(archive.read("datapackage.json"))
    paths = {resource["path"] for resource in package["resources"]}
    assert paths | {"datapackage.json"} == set(archive.namelist())
    tables = {}
    for resource in package["resources"]:
        text = archive.read(resource["path"])
        assert resource["hash"] == f"sha256:{hashlib.sha256(text).hexdigest()}"
        tables[resource["name"]] = rows = list(csv.DictReader(io.StringIO(text.decode())))
        assert list(rows[0]) == [field["name"] for field in resource["schema"]["fields"]]
    ids = {row["id"] for row in tables["sentences"]}
    assert ids == benchmark.pairs.keys()
    judged = {(row["claim"], row["part"]) for row in tables["verdicts"]}
    for row in tables["sentences"]:
        assert all(claim.partition(" / ")[::2] in judged for claim in row["claims"].split("; "))
    assert {row["id"] for row in tables["simulated"]} == {row["id"] for row in tables["truth"]}


def test_a_simpler_rule_is_asked_about_sentences_whose_runs_are_there(benchmark, baselines):
    (_, ours), *simpler = baselines
    assert benchmark.pairs.keys() <= ours.keys()
    for _, verdicts in simpler:
        sentences = verdicts.keys() & benchmark.pairs.keys()
        assert 0 < len(sentences) < len(benchmark.pairs)


def test_the_committed_baselines_are_those_of_today_where_the_truth_is_known(benchmark, baselines):
    with (ROOT / "docs/judges.csv").open(encoding="utf-8", newline="") as file:
        committed = {row["judge"]: row for row in csv.DictReader(file)}
    assert list(committed) == [OURS, *SIMPLER]
    columns = ("simulated", "false confirmations", "false refutations", "right", "open")
    for name, verdicts in baselines:
        scores = benchmark.score(name, verdicts)
        for column in columns:
            text = f"icml2008 score-judge --format csv > docs/{judges.BASELINES}"
            assert committed[name][column] == str(scores[column]), text


@pytest.mark.parametrize(("n_runs", "answer"), [(RUNS - 1, None), (RUNS, "holds")])
def test_a_simpler_rule_has_a_say_from_as_many_runs_on_as_the_rule_book(n_runs, answer):
    values = [1.0 + 0.01 * k for k in range(n_runs)]
    row = {"verdict": "confirmed", "comparison": "above", "floor": 0.0, "values": values}
    pair = SimpleNamespace(sentence=SimpleNamespace(claims=["a"]))
    for rule in SIMPLER:
        assert judges._by_rule(rule, pair, {"a": row}) == answer
