"""LSTD and LSTDc beside the instrumental variables of statsmodels, on the four-state chain.

LSTD is two-stage least squares with the features as instruments, LSTDc the two-step generalised
method of moments with a constant among them; statsmodels' first step weighs that constant, too, so
that the second steps differ by a part of the standard error, `apart`. Least processor time of five
runs on one thread, checks of the arguments included.
"""

from __future__ import annotations

from functools import partial

import numpy as np
from statsmodels.sandbox.regression.gmm import IV2SLS, LinearIVGMM

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods import LSTD
from icml2008.papers.ueno2008semiparametric.experiments import FEATURES, PAID, four_states

PACKAGES = ("numpy", "statsmodels")


def two_stages(X, y, X_next):
    return IV2SLS(y - PAID.mean(), X - X_next, X).fit().params


def two_steps(X, y, X_next):
    instruments = np.column_stack([X, np.ones(len(X))])
    model = LinearIVGMM(y - PAID.mean(), X - X_next, instruments)
    return model.fit(np.zeros(X.shape[1]), maxiter=2, optim_args={"disp": False}).params


PAIRS = {"features": ("IV2SLS", two_stages), "shifted": ("LinearIVGMM", two_steps)}


def rows():
    """Yield the rows of the table."""
    _, world, _ = four_states("arrival")
    for n_steps in (100, 1000, 10_000, 100_000):
        walk = world.walk(np.zeros(4, dtype=int), n_steps, np.random.default_rng(0))
        data = FEATURES[walk.states[:-1]], walk.rewards, FEATURES[walk.states[1:]]
        for instrument, (peer, solve) in PAIRS.items():
            ours = LSTD(instrument, average_reward=PAID.mean())
            tasks = {"ours": partial(ours.fit, *data), peer: partial(solve, *data)}
            (seconds, _), (theirs, coef) = least_seconds(tasks).values()
            error = np.sqrt(np.diag(ours.covariance_))
            yield {
                "steps": n_steps,
                "instrument": instrument,
                "seconds": f"{seconds:.2g}",
                "peer": peer,
                "peer_seconds": f"{theirs:.2g}",
                "ratio": f"{theirs / seconds:.3g}",
                "apart": f"{np.max(np.abs(coef - ours.coef_) / error):.1g}",
            }
