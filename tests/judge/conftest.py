"""Records and claims in a few words."""

import json

import numpy as np
import pytest

from icml2008.judge.claims import Claim
from icml2008.judge.judgement import judge_claim, rejudge
from icml2008.judge.measures import Metric, Resampling
from icml2008.judge.recorded import Records

HEADER = {"schema": 2, "paper": "p", "experiment": "e", "universe": "default"}
ACCURACY = Metric(unit="percent", bounds=(0, 100), better="higher")


@pytest.fixture
def make_records():
    """Return a function from {(cell, method): values} to Records; None is a failure."""

    def make(series, *, metric="accuracy", n_test=None, extra=()):
        lines = [HEADER]
        for (cell, method), values in series.items():
            at = dict(item.split("=") for item in cell.split(",")) if cell else {}
            for repeat, value in enumerate(values):
                line = {"cell": at, "repeat": repeat, "method": method}
                if value is None:
                    line |= {"kind": "failure", "status": "failed", "error": "ValueError: no"}
                else:
                    line |= {"kind": "measurement", "metric": metric, "value": float(value)}
                    line |= {"n_test": n_test} if n_test else {}
                lines.append(line)
        return Records([*lines, *extra])

    return make


@pytest.fixture
def judge(make_records):
    """Return a function from a claim's keys and series to verdicts, each checked by rejudging."""

    def judged(
        series, *, metric=ACCURACY, metrics=(), resampling=None, n_test=None, extra=(), **claim
    ):
        records = make_records(series, n_test=n_test, extra=extra)
        claim = {"says": "It is so.", **claim}
        claim["statistic"] = {"metric": "accuracy", "experiment": "e", **claim["statistic"]}
        resampling = resampling or {"kind": "fresh"}
        verdicts = judge_claim(
            "p",
            "c",
            Claim.model_validate(claim),
            {"e": records},
            metrics={"accuracy": metric, **dict(metrics)},
            resampling={"e": Resampling.model_validate(resampling)},
        )
        for verdict in verdicts:
            plain = json.loads(json.dumps(verdict.to_json(), allow_nan=False))
            assert rejudge(plain).to_json() == plain
        return verdicts

    return judged


@pytest.fixture
def around():
    """Return a function from mean, spread and number to values with exactly those."""

    def values(mean, spread, n):
        x = np.arange(n, dtype=float)
        x = (x - x.mean()) / x.std(ddof=1)
        return list(mean + spread * x)

    return values
