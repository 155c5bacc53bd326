"""How often is the judge wrong about whole claims? Simulated ones, through `judge_claim` itself.

They belong to ``calibration.py``, which runs them; a claim costs a millisecond a part, so that
there are fewer draws.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from calibration import AT_MOST, EXACTLY, SHOWN, Owed, Row, situation

from icml2008.judge import Claim, Metric, Records, Resampling, Verdict, judge_claim, robustness
from icml2008.judge.readings import verdict_over

FEWER = 10  # times fewer draws
LAWS: dict[str, tuple[Callable[..., np.ndarray], Owed]] = {
    "normal": (lambda rng, shape: rng.normal(size=shape), ("at most", 0.03)),
    "exponential": (lambda rng, shape: rng.exponential(size=shape), ("at most", 0.05)),
    "lognormal, sigma 0.5": (
        lambda rng, shape: rng.lognormal(sigma=0.5, size=shape),
        ("at most", 0.05),
    ),
    "heavy tails (t, 3 df)": (lambda rng, shape: rng.standard_t(3, size=shape), ("shown", 0.05)),
}
LOSS = Metric(unit="loss")
TIMES = Metric(unit="passes", bounds=(0, None), better="lower", cap=3)
MEAN = {"mean": "A"}


def judge(
    values: Mapping[str, np.ndarray],
    *,
    metric: Metric = LOSS,
    resampling: Mapping[str, Any] | None = None,
    **claim: Any,
) -> list[Verdict]:
    """Return the findings on a claim about one method, from its repeats by part."""
    lines: list[dict[str, Any]] = [{"schema": 2, "paper": "p", "experiment": "e"}]
    for part, series in values.items():
        cell = {"part": part} if part else {}
        lines += [
            {"kind": "measurement", "cell": cell, "repeat": repeat, "method": "A"}
            | {"metric": "loss", "value": float(value)}
            for repeat, value in enumerate(series)
        ]
    claim["statistic"] = {**MEAN, "metric": "loss", "experiment": "e"}
    if "" not in values:
        claim["each"] = {"part": list(values)}
    how = Resampling.model_validate({"kind": "fresh", **(resampling or {})})
    return judge_claim(
        "p", "c", Claim(says="It is so.", **claim), {"e": Records(lines)},
        metrics={"loss": metric}, resampling={"e": how},
    )  # fmt: skip


def rates(
    words: Sequence[str], rule: str, where: str, n: int, owed: Mapping[str, Owed], parts: int = 1
) -> Iterator[Row]:
    """Yield how often each of some words was said, as an error of the given kind."""
    kinds = {"confirmed": "false confirmation", "refuted": "false refutation"}
    for word, (demand, nominal) in owed.items():
        rate = words.count(word) / len(words)
        yield Row(rule, where, n, parts, kinds.get(word, word), demand, nominal, rate, len(words))


@situation
def tables_of_single_runs(rng, draws):
    """A true table: printed are single runs of the law that ours are of.

    What normal repeats owe is near the nominal 2.5 %, which takes more draws to tell from it.
    """
    n = 6
    for m in (1, 3, 10, 20, 40):
        names = [str(i) for i in range(m)]
        for law, (draw, owed) in LAWS.items():
            words = []
            count = draws if law == "normal" else draws // FEWER
            for _ in range(count):
                ours = dict(zip(names, draw(rng, (m, n)), strict=True))
                printed = draw(rng, (m,))
                near = {name: f"{v:.1f}" for name, v in zip(names, printed, strict=True)}
                words.append(judge(ours, near=near)[0].verdict)
            # Fewer parts show less of the law that they are of.
            demand = owed if m >= 8 or law == "normal" else ("shown", owed[1])
            where = f"table of single printed runs, same truth, {law}"
            yield from rates(words, "whole", where, n, {"refuted": demand}, m)


@situation
def two_lines(rng, draws):
    lines = {"holds": "1", "fails": "0", "lines": "-"}
    for n in (6, 32):
        for truth, at in ((1.0, "where it holds"), (0.0, "where it fails"), (0.5, "between")):
            words = [
                judge({"": rng.normal(truth, size=n)}, **lines)[0].verdict
                for _ in range(draws // FEWER)
            ]
            owed = {"confirmed": AT_MOST, "refuted": AT_MOST}
            yield from rates(words, "two lines", f"two lines, truth {at}", n, owed)


@situation
def copies(rng, draws):
    n = 12
    m = 8
    for alike in (True, False):
        words = []
        for _ in range(draws // FEWER):
            first = rng.normal(size=n)
            values = {str(i): first if alike else rng.normal(size=n) for i in range(m)}
            words.append(judge(values, above="0")[0].verdict)
        where = f"parts at the floor, {'copies of one curve' if alike else 'each its own'}"
        owed = {"refuted": EXACTLY if alike else AT_MOST}
        yield from rates(words, "whole", where, n, owed, m)


@situation
def shared_searches(rng, draws):
    """Half of the variance comes with the search; twelve repeats, at the floor."""
    for search, demand in (("shared", AT_MOST), (2, AT_MOST), (None, SHOWN)):
        words = []
        size = {"shared": 12, 2: 2, None: 12}[search]
        for _ in range(draws // FEWER):
            searched = np.repeat(rng.normal(size=12 // size), size)
            values = (searched + rng.normal(size=12)) / np.sqrt(2)
            how = {"search": search} if search else {}
            words.append(judge({"": values}, resampling=how, above="0")[0].verdict)
        kinds = {"shared": "all of one search", 2: "two a search", None: "one search, not declared"}
        where = f"repeats that share a search, {kinds[search]}"
        yield from rates(words, "above", where, 12, {"confirmed": demand, "refuted": demand})


@situation
def capped_runs(rng, draws):
    """Times with mean 2 that are broken off at 3; the claim speaks of the mean itself."""
    for n in (6, 32):
        for comparison in ("above", "below"):
            words = []
            for _ in range(draws // FEWER):
                times = np.minimum(rng.normal(2.0, 0.8, size=n).clip(0), 3.0)
                words.append(judge({"": times}, metric=TIMES, **{comparison: "2"})[0].verdict)
            where = f"runs broken off at a cap, {comparison} their mean"
            owed = {"confirmed": AT_MOST, "refuted": AT_MOST}
            yield from rates(words, "cap", where, n, owed)


@situation
def readings(rng, draws):
    """Readings share their repeats; by how many there are: the verdict, and the word for them."""
    n = 12
    for choices in (1, 3, 6, 10):
        for truth, name in ((0.0, "the floor"), (1.0, "a spread above")):
            answers = _readings(rng, draws // FEWER, n, choices, truth, turning=False)
            where = f"{choices} readings of one truth, at {name}"
            owed = {"refuted": AT_MOST, "depends": AT_MOST}
            yield from rates(answers["verdict"], "readings", where, n, owed)
            turns = {"turns on": SHOWN}
            yield from rates(answers["word"], "readings", where, n, turns)
        answers = _readings(rng, draws // FEWER, n, choices, 1.0, turning=True)
        where = f"{choices} readings, one of which turns it by two spreads"
        missed = {"robust": ("at most", 0.05)}
        yield from rates(answers["word"], "readings", where, n, missed)


def _readings(rng, draws, n, choices, truth, *, turning):
    """Return verdicts and words of claims that are judged under some readings."""
    answers = {"verdict": [], "word": []}
    for _ in range(draws):
        shared = rng.normal(scale=0.9, size=n)

        def finding(mean, shared=shared):
            own = rng.normal(scale=0.44, size=n)
            return judge({"": mean + shared + own}, above="0")[0]

        default = finding(truth)
        means = [truth] * choices
        if turning:
            means[0] = truth - 2.0
        others = {f"c{i}": [finding(mean)] for i, mean in enumerate(means)}
        universes_of: dict[str, list[str]] = {default.finding: ["default"]}
        for name, (other,) in others.items():
            universes_of.setdefault(other.finding, []).append(name)
        answers["verdict"].append(verdict_over(default.finding, universes_of)[0])
        word = robustness(default, others).word
        answers["word"].append((word or "none").partition(":")[0])
    return answers
