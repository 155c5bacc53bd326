"""VARLiNGAM against the lingam package's: seconds, and distances from the true effects.

Models of Section 6 with 10 series and order 1, 20 of each kind; on one thread, processor time of
`fit`, the best of three. Distances are means over entries, as in Figure 1. The peer takes ICALiNGAM
(the same FastICA, at its own tolerance) or DirectLiNGAM, with its adaptive lasso (`prune=True`, its
default).
"""

from __future__ import annotations

import time
import warnings
from types import SimpleNamespace

import lingam
import numpy as np

from icml2008.papers.hyvarinen2008causal.experiments import SERIES, disturbances, drawn, series
from icml2008.papers.hyvarinen2008causal.method import EFFECTS, VARLiNGAM

PACKAGES = ("numpy", "scikit-learn", "lingam")

CHOICES = {"sparse": "up-to-5", "roots": "alike", "exponents": "union", "m1": "uniform"}
OURS = {
    f"VARLiNGAM(effects={name!r})": lambda seed, name=name: VARLiNGAM(
        effects=name, random_state=seed
    )
    for name in EFFECTS
}
THEIRS = {
    f"lingam.VARLiNGAM, {name}": lambda seed, make=make: lingam.VARLiNGAM(
        criterion=None, lingam_model=make(random_state=seed)
    )
    for name, make in (("ICALiNGAM", lingam.ICALiNGAM), ("DirectLiNGAM", lingam.DirectLiNGAM))
}


def models(density, length):
    """Yield a series, its B0 and B1, and a seed."""
    rng = np.random.default_rng(0)
    cell = {"density": density}
    trial = SimpleNamespace(rng=lambda name, across: rng, choices=CHOICES, cell=cell)
    for B0, M, q, sd, seed, _ in drawn(trial, 20):
        X = series(B0, M[None], disturbances(rng, q, length) * sd)
        yield X, np.stack([B0, (np.eye(SERIES) - B0) @ M]), seed


def seconds_and_effects(make, X, seed, times=3):
    """Return the least processor time of `fit`, and the effects found."""
    taken = []
    for _ in range(times):
        model = make(seed)
        start = time.process_time()
        model.fit(X)
        taken.append(time.process_time() - start)
    ours = isinstance(model, VARLiNGAM)
    return min(taken), model.effects_ if ours else model.adjacency_matrices_


def rows():
    """Yield the rows of the table."""
    warnings.simplefilter("ignore")  # FastICA does not always settle
    off = ~np.eye(SERIES, dtype=bool)
    for density in ("full", "sparse"):
        for length in (300, 1000):
            data = list(models(density, length))
            for name, make in (OURS | THEIRS).items():
                took = []
                b0 = []
                b1 = []
                for X, true, seed in data:
                    seconds, effects = seconds_and_effects(make, X, seed)
                    apart = np.abs(effects - true)
                    took.append(seconds)
                    b0.append(apart[0][off].mean())
                    b1.append(apart[1].mean())
                yield {
                    "density": density,
                    "times": length,
                    "method": name,
                    "seconds": f"{np.median(took):.2g}",
                    "distance_b0": f"{np.mean(b0):.3f}",
                    "distance_b1": f"{np.mean(b1):.3f}",
                }
