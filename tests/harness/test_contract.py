"""What lies below every trial, by records that it must go on to make.

These modules are in no result's key: `icml2008.harness.code.CONTRACT` stands for them. Where a test
fails here and the new behaviour is meant, raise it: all evidence is stale then.
"""

import hashlib

import pytest

from icml2008.errors import Icml2008Error
from icml2008.harness import code
from icml2008.harness.choices import choices_of, crossed, projected
from icml2008.harness.experiment import cell_name, experiment, grid
from icml2008.harness.records import header, to_text
from icml2008.harness.seeds import stream
from icml2008.harness.sharding import shards
from icml2008.harness.trial import Trial, run_trial


class Fails:
    def fit(self):
        msg = "<object at 0x7f00> does not fit"
        raise Icml2008Error(msg)


@experiment(
    "golden",
    cells=grid(dataset=["a", "b"], size=[10, 2.5]),
    repeats={"smoke": 1, "quick": 2, "full": 3},
    cost=12.0,
    methods=lambda choices: {"draws": float, "fails": Fails, choices["rule"]: abs},
    data=lambda cell: [cell["dataset"]],
)
def golden(trial):
    draws = trial.rng("draws").random(size=3) - 0.5
    shared = trial.rng("shared", across=("repeat", "size")).random()
    table = trial.data(trial.cell["dataset"])
    trial.measure("draws", n_test=3, total=draws.sum(), shared=shared, zero=-0.0, bad=float("nan"))
    trial.cases("draws", draws > 0)
    trial.keep("curve", [table, draws[0]])
    with trial.attempt("fails"):
        trial.measure("fails", total=1)
        trial.methods["fails"]().fit()
    trial.measure("mean", total=1)


def lines():
    return [
        line
        for cell, repeat in golden.trials("full")
        for line in run_trial(
            Trial("paper", golden, cell, repeat, choices={"rule": "mean"}, load=len)
        )
    ]


RECORDS = "9ecd7d1cc3869b93db20ed75286b82ac38403243d8fb75381c24b5cc320925af"
STREAM = "cc06e79685285b87b6a4af2ae085f0e5ffbba4315ab96cb92bb6fdcd6343f634"


def test_the_contract_is_that_of_these_records():
    assert code.CONTRACT == 2


def test_a_trial_leaves_the_same_bytes():
    text = to_text(header("paper", "golden", "default"), lines())
    assert hashlib.sha256(text.encode()).hexdigest() == RECORDS


def test_a_record_file_reads_as_it_did():
    text = to_text(header("paper", "golden", "default"), lines()).splitlines()
    assert text[:3] == [
        '{"experiment":"golden","paper":"paper","schema":2,"universe":"default"}',
        '{"array":[1.0,0.13107997549820216],"cell":{"dataset":"a","size":10},"keep":"curve","kind":"array","repeat":0}',
        '{"cases":[1,0,0],"cell":{"dataset":"a","size":10},"kind":"cases","method":"draws","repeat":0}',
    ]


def test_a_stream_draws_the_same_numbers():
    draws = stream("paper", "golden", {"size": 10}, 3, "name", across=("repeat",)).integers(
        2**63, size=4
    )
    assert hashlib.sha256(draws.tobytes()).hexdigest() == STREAM


def test_jobs_are_cut_at_the_same_places():
    cut = [
        [(cell_name(c), r) for _, c, r in shard.trials] for shard in shards({"g": golden}, "quick")
    ]
    assert [len(part) for part in cut] == [2, 2, 2, 2]
    assert cut[0] == [("dataset=a,size=10", 0), ("dataset=a,size=10", 1)]


class Rule:
    default = "mean"
    alternatives = ("median", "mode")
    touches = ("golden",)
    cells = {"dataset": ["a"]}


@pytest.mark.parametrize(
    ("universe", "cell", "expected"),
    [
        ("rule=mode", {"dataset": "a"}, "rule=mode"),
        ("rule=mode", {"dataset": "b"}, "default"),
        ("default", {"dataset": "a"}, "default"),
    ],
)
def test_universes_share_the_cells_that_they_do_not_touch(universe, cell, expected):
    assert projected(universe, {"rule": Rule}, "golden", cell) == expected


def test_universes_are_named_and_crossed_as_they_were():
    assert choices_of("rule=mode", {"rule": Rule}, "golden") == {"rule": "mode"}
    assert crossed({"rule": Rule}, 10) == ["rule=median", "rule=mode"]
