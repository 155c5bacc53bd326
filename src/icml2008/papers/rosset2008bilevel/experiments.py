"""Theorems on small draws, Table 1 by counts, and the quantile curves of Figures 2 to 4."""

import math
from collections import defaultdict

import numpy as np
from scipy.stats import expon, norm
from sklearn.linear_model import QuantileRegressor

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.kernel_quantiles import candidates, quantile_loss
from icml2008.methods.kernel_quantiles.program import ELBOW, LEFT, RIGHT, QuantileProgram

from .rivals import highs

SIGMA = 0.2
LEVELS = (0.1, 0.9)
LOW = 1e-4
GRID_OF_LEVELS = np.linspace(*LEVELS, 8000)
PLACES = np.linspace(0.01, 0.99, 50)
VALIDATION = 200


def truth(x):
    """Return the generating function of Section 5."""
    return 2 * (np.exp(-30 * (x - 0.25) ** 2) + np.sin(np.pi * x**2))


def true_quantile(x, tau, errors):
    """Return the quantile of Y given x."""
    if errors == "normal":
        return truth(x) + norm.ppf(tau)
    return truth(x) + (expon.ppf(tau) - 1) * (x + 1) ** 2


def sample(rng, n, errors, law):
    """Return n places and targets."""
    x = rng.uniform(size=n) if law == "uniform" else np.linspace(0, 1, n)
    u = rng.uniform(size=n)
    return x, true_quantile(x, u, errors)


def gaussian(a, b, kernel):
    """Return the Gaussian kernel between numbers, (len(a), len(b))."""
    return np.exp(-((a[:, None] - b) ** 2) / ((2 if kernel == "halved" else 1) * SIGMA**2))


def program(rng, n, errors, choices, others=()):
    """Return places of n rows, of validation and others, and their `QuantileProgram`."""
    x, y = sample(rng, n, errors, choices.get("x", "uniform"))
    beyond, targets = sample(rng, VALIDATION, errors, choices.get("x", "uniform"))
    points = np.concatenate([x, beyond, others])
    kernel = gaussian(x, points, choices.get("kernel", "halved"))
    return points, QuantileProgram(kernel, np.concatenate([y, targets, np.zeros(len(others))]))


def knots(region):
    """Return which edges of a region are knots of its own elbow, (n_knots,).

    A knot is an edge of two regions, of which one has its row in the elbow.
    """
    if np.count_nonzero(region.state == ELBOW) == 1:
        return []
    return [k for k, s in enumerate(region.side) if s >= 0 and region.piece.to[s] != ELBOW]


def theorem_1(K, y, state, row):
    """Return the solution (b_0, b without the row, c) of the system that Theorem 1 prints."""
    elbow = np.flatnonzero(state == ELBOW)
    inner = elbow[elbow != row]
    rest = np.append(np.flatnonzero(state), row)
    top = np.concatenate([[0.0], np.ones(len(inner)), [0.0]])
    below = np.column_stack([np.ones(len(elbow)), K[np.ix_(elbow, inner)], -y[elbow]])
    s = K[np.ix_(elbow, rest)].sum(axis=1)
    return inner, np.linalg.solve(np.vstack([top, below]), np.append(-len(rest), -s))


def worst(K, y, state, theta, intercept, lambda_, tau):
    """Return by how much the conditions of optimality, and the division, are violated."""
    off = y - (intercept + K @ theta) / lambda_
    return max(
        abs(theta.sum()),
        np.max(np.abs(off[state == ELBOW])),
        np.max(off * -state, where=state != ELBOW, initial=0.0),
        np.max(np.abs(theta[state == RIGHT] - tau), initial=0.0),
        np.max(np.abs(theta[state == LEFT] - tau + 1), initial=0.0),
        np.max(np.maximum(theta - tau, tau - 1 - theta)),
    )


def along(program, region, start, end, row):
    """Return how far off Theorem 1 and (9) are along a knot, from one of its ends to the other."""
    n = program.n
    middle = (start + end) / 2
    length = end[1] - start[1]
    K = program.kernel[:, :n]
    y = program.y[:n]
    theta = region.piece.theta @ middle
    inner, (b0, *b, c) = theorem_1(K, y, region.state, row)
    move = np.ones(n)
    move[inner] = b
    off = 0.0
    for delta in length * np.array([-0.45, -0.2, 0.3, 0.45]):
        at = middle[0] + c * delta
        there = theta + delta * move
        intercept = region.piece.intercept @ middle + delta * b0
        off = max(off, worst(K, y, region.state, there, intercept, at, middle[1] + delta))
    # (9) holds until a row of validation is crossed: along the longest stretch without one.
    ends = region.piece.residual[n:] @ np.array([start, end]).T
    signs = np.sign(ends)
    crossed = ends[signs[:, 0] * signs[:, 1] < 0]
    stops = np.sort(np.concatenate([[0, 1], crossed[:, 0] / (crossed[:, 0] - crossed[:, 1])]))
    widest = np.argmax(np.diff(stops))
    share = np.linspace(stops[widest], stops[widest + 1], 6)[1:-1]
    delta = (share - 0.5) * length
    numerators = []
    for d in delta:
        f = region.piece.intercept @ middle + program.kernel[:, n:].T @ theta
        f += d * (b0 + program.kernel[:, n:].T @ move)
        there = middle + d * np.array([c, 1.0, 0.0])
        numerators.append(quantile_loss(there[0] * program.y[n:] - f, there[1]).sum())
    third = abs(np.diff(numerators, n=3)[0])
    return off, third / max(np.abs(numerators))


@experiment(
    "theorems",
    cells=grid(errors=["normal", "exponential"], n=[20, 40]),
    quick=grid(errors=["normal", "exponential"], n=[20]),
    repeats=40,
    cost=0.1,  # seconds a trial, roughly; a literal
    methods={"bi-level": None},
)
def run_theorems(trial):
    """Theorem 1 and (9) at 20 knots, Theorem 2 at four levels against 2,000 lambdas."""
    n = trial.cell["n"]
    errors = trial.cell["errors"]
    _, problem = program(trial.rng("data"), n, errors, trial.choices)
    rng = trial.rng("levels")
    edges = []
    beaten = []
    for region in problem.regions(LEVELS, 0.01):
        for k in knots(region):
            start = region.corners[k]
            end = region.corners[k + 1 - len(region.corners)]
            edges.append((region, start, end, region.piece.moved[region.side[k]]))
    long = [edge for edge in edges if abs(edge[2][1] - edge[1][1]) > 1e-6]
    sample = [long[i] for i in rng.permutation(len(long))[:20]]
    off, cubic = (
        float(f"{excess:.2g}") for excess in np.max([along(problem, *s) for s in sample], axis=0)
    )
    trial.measure("bi-level", n_test=len(sample), theorem_1=off, equation_9=cubic)
    for tau in rng.uniform(*LEVELS, size=4):
        ends = list(candidates(problem, tau, LOW, slice(n, None)))
        losses = []
        fine = np.geomspace(LOW, ends[0].lambda_, 2000)
        for top, bottom, piece, at in problem.path(tau, LOW):
            inside = fine[(fine >= bottom) & (fine < top)]
            w = np.column_stack([inside, np.full((len(inside), 2), at)])
            residual = piece.residual[n:] @ w.T / inside
            losses.extend(quantile_loss(residual, tau).sum(axis=0))
        best = min(end.loss for end in ends)
        beaten.append((best - min(losses)) / best)
    trial.measure("bi-level", n_test=len(beaten), theorem_2=float(f"{max(beaten):.2g}"))
    if trial.cell == {"errors": "normal", "n": 20} and trial.repeat == 0:
        levels = np.linspace(*LEVELS, 81)[1:-1]
        ends = [candidates(problem, tau, 0.01, slice(n, None)) for tau in levels]
        best = [min(level_ends, key=lambda each: each.loss).lambda_ for level_ends in ends]
        trial.keep("knots", np.round([(*start[:2], *end[:2]) for _, start, end, _ in edges], 4))
        trial.keep("best", np.round([levels, best], 4))


def counted(problem, low, coinciding):
    """Return counts of both algorithms on the way from one level to the other.

    Work is by Section 4.1: n + |E|^2 for each direction, of a knot or a validation crossing.
    """
    n = problem.n
    turns = defaultdict(list)
    count = dict.fromkeys(("knots", "meetings", "work", "li"), 0.0)
    for region in problem.regions(LEVELS, low):
        state = region.state
        corners = region.corners
        direction = n + np.count_nonzero(state == ELBOW) ** 2
        signs = region.piece.residual[n:] @ corners.T > 0
        count["work"] += direction * np.count_nonzero(signs.any(axis=1) & ~signs.all(axis=1))
        for k in knots(region):
            after = k + 1 - len(corners)
            count["meetings"] += np.count_nonzero(signs[:, k] != signs[:, after])
            count["knots"] += abs(corners[k, 1] - corners[after, 1]) / (LEVELS[1] - LEVELS[0])
            count["work"] += direction
        levels = corners[corners[:, 2] > 0, 1]
        between = np.searchsorted(GRID_OF_LEVELS, [levels.min(), levels.max()])
        count["li"] += direction * (between[1] - between[0])
        at = corners[:, 1].tolist()
        finite = corners[:, 2] > 0
        for k, s in enumerate(region.side):
            before = region.side[k - 1]
            if s >= 0 and before >= 0 and finite[k]:
                border = state.copy()  # of both rows the bound between which they pass
                for side in (s, before):
                    row = region.piece.moved[side]
                    to = region.piece.to[side]
                    border[row] = 2 * (to if to != ELBOW else state[row])
                right = (at[k - 1] > at[k]) + (at[k + 1 - len(at)] > at[k])
                turns[border.tobytes()].append(right)
    elbows = [key.count(ELBOW) + 2 for key in turns]
    steps = len(turns)
    if coinciding == "once":  # all of the same level are a step
        steps += math.floor(n * LEVELS[1]) - math.floor(n * LEVELS[0]) - elbows.count(2)
    # Of a step's four knots an odd number comes after it: births have three, merges one.
    turning = sum(len(right) == 4 and sum(right) % 4 == 2 for right in turns.values())
    small = np.mean(np.array(elbows) <= math.sqrt(n))
    return count | {"steps": steps, "turning": turning / len(turns), "small": small}


@experiment(
    "table-1",
    cells=grid(n=[50, 100, 200]),
    quick=grid(n=[50, 100]),
    smoke=grid(n=[50]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: cell["n"] ** 2 / 6000,
    methods={"bi-level": None, "Li et al.": None},
)
def run_table_1(trial):
    """Steps, knots and work from tau = 0.1 to 0.9."""
    choices = trial.choices
    _, problem = program(trial.rng("data"), trial.cell["n"], "normal", choices)
    counts = counted(problem, float(choices["end"]), choices["coinciding"])
    shares = {name: round(100 * counts[name], 2) for name in ("turning", "small")}
    for name in ("steps", "meetings", "knots", "work"):
        shares[f"log_{name}"] = round(math.log(counts[name]), 4)
    trial.measure("bi-level", steps=counts["steps"], **shares)
    trial.measure("Li et al.", log_work=round(math.log(counts["li"]), 4))


@experiment(
    "grid",
    cells=grid(n=[50, 100, 200]),
    quick=grid(n=[50]),
    repeats=6,
    cost=lambda cell: cell["n"] ** 2 / 20_000,
    methods={"path": None, "grid": None},
)
def run_grid(trial):
    """Linear systems that the median's path takes, and 50 lambdas by an active set method."""
    n = trial.cell["n"]
    _, problem = program(trial.rng("data"), n, "normal", trial.choices)
    pieces = sum(1 for _ in problem.path(0.5, LOW))
    K = problem.kernel[:, :n]
    y = problem.y[:n]
    steps = [highs(K, y, 0.5, lambda_).iterations for lambda_ in np.geomspace(LOW, n, 50)]
    trial.measure("path", log_systems=round(math.log(pieces), 4))
    trial.measure("grid", log_systems=round(math.log(sum(steps)), 4))


QUANTILES = (0.1, 0.25, 0.5, 0.75, 0.9)


@experiment(
    "figure-2",
    cells=grid(n=[200]),
    repeats=24,
    cost=0.1,
    methods={"bi-level": None},
)
def run_figure_2(trial):
    """Least losses of validation over lambda, of five quantiles on one sample."""
    n = trial.cell["n"]
    minima = []
    best = []
    _, problem = program(trial.rng("data"), n, "normal", trial.choices)
    for tau in QUANTILES:
        ends = list(candidates(problem, tau, LOW, slice(n, None)))
        losses = np.array([end.loss for end in ends])
        minima.append(np.sum((losses[1:-1] < losses[:-2]) & (losses[1:-1] < losses[2:])))
        best.append(ends[losses.argmin()].lambda_)
    spread = math.log10(max(best) / min(best))
    trial.measure("bi-level", minima=np.mean(minima), spread=round(spread, 4))


@experiment(
    "curves",
    cells=grid(errors=["normal"], tau=list(QUANTILES))
    + grid(errors=["exponential"], tau=[0.25, 0.5, 0.75]),
    repeats={"quick": 1, "full": 24},
    cost=lambda cell: 0.03 if cell["errors"] == "normal" else 0.15,
    methods=dict.fromkeys(("validated", "best", "line", "constant")),
)
def run_curves(trial):
    """Mean distance of estimated quantiles from the true ones, of Figures 3 and 4."""
    errors = trial.cell["errors"]
    tau = trial.cell["tau"]
    n = 200 if errors == "normal" else 500
    rng = trial.rng("data", across=("tau",))
    x, problem = program(rng, n, errors, trial.choices, PLACES)
    truth = true_quantile(PLACES, tau, errors)
    y = problem.y[:n]
    ends = list(candidates(problem, tau, LOW, slice(n, n + VALIDATION)))
    to = problem.kernel[:, n + VALIDATION :]
    fits = [(end.intercept + end.theta @ to) / end.lambda_ for end in ends]
    line = QuantileRegressor(quantile=tau, alpha=0.0).fit(x[:n, None], y)
    fit_of = {
        "validated": fits[np.argmin([end.loss for end in ends])],
        "best": min(fits, key=lambda fit: np.abs(fit - truth).mean()),
        "line": line.predict(PLACES[:, None]),
        "constant": np.full(len(PLACES), np.quantile(y, tau)),
    }
    for name, fit in fit_of.items():
        off = np.abs(fit - truth)
        trial.measure(name, error=round(off.mean(), 5))
    off = np.abs(fit_of["validated"] - truth)
    lean = off[PLACES > 0.5].mean() - off[PLACES < 0.5].mean()
    swing = 100 * np.ptp(fit_of["validated"]) / np.ptp(truth)
    trial.measure("validated", lean=round(lean, 5), swing=round(swing, 3))
    trial.keep("curve", np.round(fit_of["validated"], 3))
    if tau == 0.5:
        trial.keep("sample", np.round(np.array([x[:n], y]), 2))
