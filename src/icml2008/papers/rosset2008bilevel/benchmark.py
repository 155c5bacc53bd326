"""The validated 0.9 quantile of n rows by the exact path, beside grids of 50 lambdas.

The grid, from 0.0001 to n, is solved by HiGHS, an active set method, and by OSQP, an operator
splitting method that keeps its factors and starts from the last lambda's solution, as do the
grids of the R package fastkqr, to its default tolerances. scikit-learn's QuantileRegressor is
linear with an l1 penalty: it has 30 Nystroem features and ten penalties. Of each the mean
validation loss of the best, and the least processor time of some turns on one thread. `levels` is
1 but for the two last lines: the paths of 99 percentiles, one by one, and the polygons of all
levels from 0.01 to 0.99, from which each percentile's path can be read.
"""

from __future__ import annotations

from functools import partial

import numpy as np
import osqp
from scipy.sparse import csc_matrix, identity, vstack
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import QuantileRegressor

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.kernel_quantiles import candidates, quantile_loss
from icml2008.papers.rosset2008bilevel.experiments import LOW, program
from icml2008.papers.rosset2008bilevel.rivals import highs

PACKAGES = ("numpy", "highspy", "osqp", "scikit-learn")

TAU = 0.9


def exact(problem, tau=TAU):
    ends = candidates(problem, tau, LOW, slice(problem.n, None))
    return min(end.loss for end in ends)


def validated(problem, theta, lambda_):
    """Return the validation loss of dual variables; the intercept is that of the best fit."""
    n = problem.n
    fit = theta @ problem.kernel / lambda_
    off = problem.y - fit
    return quantile_loss(off[n:] - np.quantile(off[:n], TAU, method="inverted_cdf"), TAU).sum()


def grid(problem):
    return np.geomspace(problem.n, LOW, 50)


def by_highs(problem):
    K = problem.kernel[:, : problem.n]
    y = problem.y[: problem.n]
    return min(
        validated(problem, highs(K, y, TAU, lambda_).theta, lambda_) for lambda_ in grid(problem)
    )


def by_osqp(problem):
    n = problem.n
    losses = []
    K = problem.kernel[:, :n]
    y = problem.y[:n]
    rows = vstack([csc_matrix(np.ones((1, n))), identity(n)], format="csc")
    low = np.append(0.0, np.full(n, TAU - 1))
    high = np.append(0.0, np.full(n, TAU))
    solver = osqp.OSQP()
    solver.setup(csc_matrix(np.triu(K)), -n * y, rows, low, high, verbose=False)
    for lambda_ in grid(problem):
        solver.update(q=-lambda_ * y)
        losses.append(validated(problem, solver.solve().x, lambda_))
    return min(losses)


def by_features(problem, x):
    n = problem.n
    losses = []
    places = x[:, None]
    y = problem.y
    features = Nystroem(gamma=12.5, n_components=30, random_state=0).fit(places[:n])
    Z = features.transform(places)
    for alpha in np.geomspace(1e-5, 1, 10):
        model = QuantileRegressor(quantile=TAU, alpha=alpha).fit(Z[:n], y[:n])
        losses.append(quantile_loss(y[n:] - model.predict(Z[n:]), TAU).sum())
    return min(losses)


def percentiles(problem):
    return [exact(problem, tau / 100) for tau in range(1, 100)]


def polygons(problem):
    return sum(1 for _ in problem.regions((0.01, 0.99), LOW))


def rows():
    """Yield the rows of the table."""
    for n in (100, 200, 400):
        x, problem = program(np.random.default_rng(n), n, "normal", {})
        tasks = {
            "exact path": partial(exact, problem),
            "HiGHS": partial(by_highs, problem),
            "OSQP": partial(by_osqp, problem),
            "QuantileRegressor": partial(by_features, problem, x),
        }
        for name, (seconds, loss) in least_seconds(tasks, times=3).items():
            loss = f"{loss / 200:.5f}"
            yield {
                "n": n,
                "method": name,
                "levels": 1,
                "milliseconds": f"{1e3 * seconds:.3g}",
                "loss": loss,
            }
        if n < 400:
            many = {"paths": partial(percentiles, problem), "polygons": partial(polygons, problem)}
            for name, (seconds, _) in least_seconds(many, times=1).items():
                yield {
                    "n": n,
                    "method": name,
                    "levels": 99 if name == "paths" else "all",
                    "milliseconds": f"{1e3 * seconds:.3g}",
                    "loss": "",
                }
