"""Samples and seconds until a mean is known within 10 %, against confseq's confidence sequences.

Means of ten runs in one process on one thread, in processor time. confseq's intervals stop by the
same condition as EBStop's; its betting intervals are found on a grid of 1,000 means, and overflow
for ten thousand samples. Needs ``pip install confseq`` or, without Boost for its compiled part, the
Python files of its source.
"""

from __future__ import annotations

import time

import numpy as np

if not hasattr(np, "float_"):
    np.float_ = np.float64  # noqa: NPY201 (confseq 0.0.11 asks for the name, NumPy 2 dropped it)

from confseq.betting import hedged_cs
from confseq.predmix import predmix_empbern_twosided_cs

from icml2008.papers.mnih2008empirical.experiments import plug_in_stop, sampler
from icml2008.papers.mnih2008empirical.method import (
    adaptive_sampling_stop,
    empirical_bernstein_stop,
    optimal_stop,
)

PACKAGES = ("numpy", "confseq")

EPSILON = DELTA = 0.1
# setting -> how many samples confseq is given; it takes them all at once
SETTINGS = {
    ("averages", 1): 1500,
    ("averages", 100): 400,
    ("bernoulli", 0.9): 1500,
    ("bernoulli", 0.5): 4000,
    ("bernoulli", 0.1): 20000,
}


def stop_of(intervals):
    """Return a rule that takes a whole array of samples and returns how many it needed."""

    def rule(x):
        low, high = intervals(x, alpha=DELTA, running_intersection=True)
        stops = (1 + EPSILON) * low >= (1 - EPSILON) * high
        return int(np.argmax(stops)) + 1 if stops.any() else np.nan

    return rule


RULES = {
    "NAS": adaptive_sampling_stop,
    "AA": optimal_stop,
    "EBGStop*": empirical_bernstein_stop,
    "plug-in": plug_in_stop,
}
PEERS = {
    "confseq, plug-in": stop_of(predmix_empbern_twosided_cs),
    "confseq, betting": stop_of(hedged_cs),
}


def rows():
    """Yield a row for each setting and rule."""
    for setting, given in SETTINGS.items():
        for name in (*RULES, *PEERS):
            samples = []
            seconds = []
            for seed in range(10):
                draw = sampler(np.random.default_rng(seed), *setting)[0]
                x = None if name in RULES else np.asarray(draw(given), dtype=float)
                start = time.process_time()
                samples.append(RULES[name](draw).n_samples if x is None else PEERS[name](x))
                seconds.append(time.process_time() - start)
            yield {
                "samples of": "{} {:g}".format(*setting),
                "rule": name,
                "samples": "overflow" if np.isnan(samples).any() else f"{np.mean(samples):.0f}",
                "seconds": f"{np.mean(seconds):.2g}",
            }
