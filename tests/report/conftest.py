"""A paper of three claims, with verdicts made by hand."""

from datetime import date

import numpy as np
import pytest

from icml2008.catalogue.model import Paper
from icml2008.judge.standing import facts as claim_facts
from icml2008.judge.verdict import Verdict
from icml2008.report.results import PaperResults, RunFacts

KEY = "doe2008toy"
PARTS = ("iris", "wine")


@pytest.fixture
def paper():
    statistic = {"metric": "accuracy", "experiment": "main"}
    return Paper.model_validate(
        {
            "key": KEY,
            "title": "Learning <b>Fast</b> & Well",
            "authors": ["Jane Doe", "John O'Neil"],
            "pages": [1, 8],
            "topic": "toys",
            "rerunnable": "all",
            "why": "It is small.",
            "effort": "S",
            "idea": "It learns if a < b & c > d.",
            "metrics": {"accuracy": {"unit": "percent", "bounds": [0, 100], "better": "higher"}},
            "experiments": {
                "main": {
                    "feeds": ["Table 1"],
                    "resampling": {"kind": "fresh"},
                    "protocol": "Fresh data for each repeat.",
                }
            },
            "claims": {
                "a-beats-b": {
                    "says": "A is better than B & <i>never</i> worse.",
                    "status": "headline",
                    "page": 3,
                    "quote": "A outperforms B & C",
                    "note": "Not <b>C</b>.",
                    "statistic": {"difference": ["A", "B"], **statistic},
                    "each": {"dataset": list(PARTS)},
                    "above": "0",
                },
                "a-accuracy": {
                    "says": "A's accuracy costs $5 or $6.",
                    "status": "supporting",
                    "page": 4,
                    "quote": "A's accuracy is",
                    "statistic": {"mean": "A", **statistic},
                    "each": {"dataset": list(PARTS)},
                    "near": {"iris": {"value": "96.10", "sd": "1.5", "n": 10}, "wine": "70.5"},
                },
                "on-a-cluster": {
                    "says": "It scales.",
                    "status": "supporting",
                    "page": 5,
                    "quote": "it scales",
                    "untested": {"reason": "needs hardware"},
                },
            },
            "choices": {
                "ties": {
                    "question": "Which of equals comes first?",
                    "default": "first",
                    "alternatives": ["random"],
                    "touches": ["main"],
                    "why": "A stable sort was the custom.",
                }
            },
            "changes": [
                {
                    "claim": "a-accuracy",
                    "date": date(2026, 1, 2),
                    "before": "margin 1 < 2",
                    "after": "margin 2",
                    "reason": "Rounding.",
                }
            ],
            "notes": [{"title": "Learnt", "text": "Seeds matter."}],
            "errata": [
                {"where": "Eq. 1", "says": "A sign is wrong.", "evidence": "n < 0."},
                {"where": "Eq. 2", "says": "So it seemed.", "status": "dismissed", "reason": "No."},
            ],
        }
    )


def _verdict(paper, claim, part="", word="confirmed", **more):
    declared = paper.claims[claim]
    facts = {
        "experiment": "main",
        "comparison": declared.comparison,
        "statistic": str(declared.statistic),
        "metric": "accuracy",
        "unit": "percent",
        "reason": f"{claim}/{part} is {word} at {more.get('scale')} scale: 1 < 2 & 2 > 1",
        "rulebook": "1",
    }
    about = {"paper": paper.key, "claim": claim, "part": part and f"dataset={part}"}
    about |= {"says": declared.says, "verdict": word, **claim_facts(declared)}
    return Verdict(**(about | facts | more)).to_json()


def _measured(paper, claim, part, word, effect, *, n, **more):
    values = effect + np.linspace(-2.0, 2.0, n)
    ends = {"low": effect - 1.25, "high": effect + 1.25, "level": 0.95, "se": 0.5, "df": n - 1}
    numbers = {"effect": effect, "n": n, "failed": 0, "values": values} | ends
    new = {
        "generalises": "inconclusive",
        "generalises_low": effect - 5.0,
        "generalises_high": effect + 5.0,
        "generalises_method": "corrected resampled t",
    }
    return _verdict(paper, claim, part, word, **(numbers | new | more))


def _run(paper, *, n, **where):
    above = {"floor": 0.0, "printed": "0", "half_unit": 0.0}
    iris = {"printed": "96.10", "printed_sd": 1.5, "printed_n": 10}
    iris |= {"tolerance": 1.43, "half_unit": 0.005, "confirm_low": 95.0, "confirm_high": 97.0}
    wine = {"printed": "70.5", "printed_n": 1, "tolerance": 4.0, "half_unit": 0.05}
    more = {"n": n, **where}
    return [
        _verdict(paper, "a-beats-b", word="inconclusive", **where),
        _measured(paper, "a-beats-b", "iris", "confirmed", 3.125, **above, **more),
        _measured(paper, "a-beats-b", "wine", "inconclusive", -0.5, **above, **more),
        _verdict(paper, "a-accuracy", word="refuted", **where),
        _measured(paper, "a-accuracy", "iris", "confirmed", 96.0, **iris, **more),
        _measured(paper, "a-accuracy", "wine", "refuted", 60.25, **wine, **more),
    ]


@pytest.fixture
def verdict(paper):
    """Make a verdict: (claim, part, word, further fields)."""
    return lambda *args, **more: _verdict(paper, *args, **more)


@pytest.fixture
def quick(paper):
    """Return the verdicts of a run with 8 repeats."""
    return _run(paper, n=8, scale="quick", preliminary=True)


@pytest.fixture
def full(paper):
    """Return the verdicts of a reference with 32 repeats."""
    return _run(paper, n=32, scale="full")


@pytest.fixture
def preliminary(paper, quick):
    """Return results without a reference."""
    return PaperResults(paper, quick)


@pytest.fixture
def both(paper, quick, full):
    """Return results with a reference and what belongs to it."""
    other = [dict(v, universe="ties=random", verdict="refuted") for v in full if not v["part"]]
    provenance = {"commit": "c0ffee", "versions": {"numpy": "2.4"}, "missing": None}
    return PaperResults(paper, quick, full + other, provenance, stale=True)


@pytest.fixture
def run():
    versions = {"icml2008": "0.1.0", "numpy": "2.4.6"}
    return RunFacts("quick", "2026-01-02", "abc1234", versions, "A <CPU>", 2, "make run", "1")
