"""Weighted logistic regressions of 200 samples, by ours and by scikit-learn.

Samples of Section 3.1's problem, with the printed penalty; processor seconds of one core for all
200 fits. The peer takes each input once for each of its labels, weighted, which is the fewest rows
there are. The answer is the mean excess risk, and the largest difference of a parameter from ours.
"""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression

from icml2008.harness.benchmarks import compare
from icml2008.papers.sokolovska2008asymptotics.method import fit_logistic, joint_estimates
from icml2008.papers.sokolovska2008asymptotics.problems import BAYES, BEST, draw_problem

PACKAGES = ("numpy", "scipy", "scikit-learn")
SAMPLES = 200


def peer_fits(problem, joint, penalties, solver):
    """Return scikit-learn's parameters, (n_fits, 10)."""
    thetas = []
    for weights, penalty in zip(joint, penalties, strict=True):
        inputs, labels = np.nonzero(weights)
        peer = LogisticRegression(
            C=1 / (2 * penalty), fit_intercept=False, solver=solver, tol=1e-8, max_iter=1000
        )
        peer.fit(problem.X[inputs], labels, sample_weight=weights[inputs, labels])
        thetas.append(peer.coef_[0])
    return np.array(thetas)


def rows():
    """Yield the rows of the table."""
    problem = draw_problem(np.random.default_rng(0), bayes=BAYES, best=BEST)
    for n in (50, 5000):
        drawn = np.random.default_rng(1).multinomial(n, problem.joint.ravel(), size=SAMPLES)
        counts = drawn.reshape(SAMPLES, *problem.joint.shape)
        joint = joint_estimates(counts, problem.marginal)
        penalties = (counts.sum(axis=-1) > 0) @ problem.marginal / n
        ours = fit_logistic(problem.X, joint, penalties)
        ways = {"ours, all at once": lambda j=joint, p=penalties: fit_logistic(problem.X, j, p)}
        for solver in ("lbfgs", "newton-cholesky"):
            ways[f"scikit-learn, {solver}"] = lambda j=joint, p=penalties, solver=solver: peer_fits(
                problem, j, p, solver
            )

        def answer(_, thetas, ours=ours):
            excess = np.mean(problem.risk(thetas) - problem.risk(problem.theta))
            return f"excess risk {excess:.5f}, {np.abs(thetas - ours).max():.0e} from ours"

        yield from compare(f"{n} examples", ways, answer, times=3)
