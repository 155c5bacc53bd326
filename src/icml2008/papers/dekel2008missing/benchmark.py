"""The linear program by rows and as printed, by ours and by cvxpy.

Least processor time of up to three runs on one thread, which take turns: e-mails with N = 4, equal
values, C = 10. The answer is the value of Equation 4, the perceptron's that of the same objective.
"""

import cvxpy
import numpy as np

from icml2008.data.loading import load
from icml2008.harness.benchmarks import compare
from icml2008.papers.dekel2008missing.experiments import scale
from icml2008.papers.dekel2008missing.method import (
    average_perceptrons,
    kept_shares,
    solve_program,
)

PACKAGES = ("highspy", "numpy", "cvxpy")
LIMIT = 4.0
RATIO = 10.0


def by_cvxpy(X, y, values):
    """Return weights and intercept of Equation 4, as printed, in cvxpy with HiGHS."""
    m, n = X.shape
    left = values.sum() - LIMIT
    w = cvxpy.Variable(n)
    b = cvxpy.Variable()
    losses = cvxpy.Variable(m, nonneg=True)
    price = cvxpy.Variable((m, 1), nonneg=True)
    alpha = cvxpy.Variable((m, n), nonneg=True)
    signed = y[:, None] * X
    spread = cvxpy.multiply(signed, np.ones((m, 1)) @ cvxpy.reshape(w, (1, n), order="C"))
    constraints = [
        left * price[:, 0] - cvxpy.sum(alpha, axis=1) + y * b >= -losses,
        spread - values[None] / left >= price @ values[None] - alpha,
        cvxpy.abs(w) <= RATIO,
    ]
    cvxpy.Problem(cvxpy.Minimize(cvxpy.sum(losses) / m), constraints).solve(solver="HIGHS")
    return w.value, float(b.value)


def objective(w, b, X, y, values):
    """Return the mean of the losses of Equation 4."""
    margin = 1 / (values.sum() - LIMIT)
    contributions = y[:, None] * X * w
    kept = kept_shares(contributions, values, LIMIT, margin)
    return np.mean(np.maximum(0, np.sum(kept * (margin * values - contributions), axis=1) - y * b))


def rows():
    """Yield the rows of the table."""
    table = load("spambase")
    order = np.random.default_rng(0).permutation(len(table.y))
    X = scale(np.asarray(table.X, dtype=float), order, "largest")
    y = np.where(table.y == "1", 1.0, -1.0)
    values = np.ones(X.shape[1])
    for n_rows in (50, 400):
        given = (X[order[:n_rows]], y[order[:n_rows]], values)

        def perceptron(given=given):
            weights, intercepts = average_perceptrons(*given, LIMIT, [RATIO])
            return weights[0], intercepts[0]

        ways = {
            "DeletionProgram": lambda given=given: solve_program(*given, LIMIT, RATIO)[:2],
            "DeletionPerceptron": perceptron,
            "cvxpy": lambda given=given: by_cvxpy(*given),
        }

        def answer(_, solution, given=given):
            return f"value {objective(*solution, *given):.4f}"

        yield from compare(f"{n_rows} e-mails", ways, answer, times=3)
