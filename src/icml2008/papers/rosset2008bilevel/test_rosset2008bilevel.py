"""HiGHS, a second reader's path and plain counts against the polygons and the paths; errata."""

import numpy as np
import pytest

from icml2008.methods.kernel_quantiles import candidates, quantile_loss
from icml2008.methods.kernel_quantiles.program import RIGHT, QuantileProgram

from .experiments import LEVELS, counted, gaussian, knots, sample, theorem_1, worst
from .rivals import highs


def problem(n=12, m=15, seed=0):
    rng = np.random.default_rng(seed)
    (x, y), (beyond, targets) = (sample(rng, k, "normal", "uniform") for k in (n, m))
    kernel = gaussian(x, np.append(x, beyond), "halved")
    return QuantileProgram(kernel, np.append(y, targets))


def second_reader(K, y, tau, low):
    """Return the knots' lambdas: the loop of somebody who read the text alone, shortened."""
    n = len(y)
    first = np.argsort(y)[int(np.ceil(n * tau)) - 1]
    side = np.where(y > y[first], 1, -1)
    theta = np.where(side > 0, tau, tau - 1)
    E = [first]
    lam = np.inf
    knots = []
    while lam > low:
        out = np.setdiff1d(np.arange(n), E)
        M = np.ones((len(E) + 1, len(E) + 1))
        M[0, 0] = 0
        M[1:, 1:] = K[np.ix_(E, E)]
        A = np.linalg.solve(M, -np.append(theta[out].sum(), K[np.ix_(E, out)] @ theta[out]))
        B = np.linalg.solve(M, np.append(0, y[E]))
        p = -A[0] - K[:, E] @ A[1:] - K[:, out] @ theta[out]
        q = y - B[0] - K[:, E] @ B[1:]
        events = [(-p[j] / q[j], j, 0) for j in out if np.sign(q[j]) == side[j]]
        for i, a, b in zip(E, A[1:], B[1:], strict=True):
            if b != 0:
                events.append((((tau if b < 0 else tau - 1) - a) / b, i, 1 if b < 0 else -1))
        lam, j, to = max(event for event in events if event[0] <= lam * (1 + 1e-12))
        knots.append(lam)
        if to == 0:
            E = [*E, j]
        else:
            E.remove(j)
            side[j] = to
            theta[j] = tau if to > 0 else tau - 1
    return np.array(knots[:-1])


def test_knots_are_those_of_a_second_reader():
    program = problem(25)
    K = program.kernel[:, :25]
    y = program.y[:25]
    ours = [bottom for _, bottom, *_ in program.path(0.3003, 0.01)][:-1]
    np.testing.assert_allclose(ours, second_reader(K, y, 0.3003, 0.01), rtol=1e-7)


def test_every_breakpoint_is_optimal_as_highs_has_it():
    program = problem()
    K = program.kernel[:, :12]
    y = program.y[:12]
    for _, lambda_, piece, (tau, _) in program.path(0.37, 0.01):
        theta = piece.theta @ (lambda_, tau, 1.0)
        objective = theta @ K @ theta / 2 - lambda_ * (y @ theta)
        assert abs(objective - highs(K, y, tau, lambda_).objective) < 1e-5 * lambda_
        assert abs(theta.sum()) < 1e-9


def test_polygons_tile_the_plane():
    program = problem()
    rng = np.random.default_rng(1)
    regions = list(program.regions(LEVELS, 0.01))
    K = program.kernel[:, :12]
    y = program.y[:12]
    for tau, lambda_ in zip(rng.uniform(*LEVELS, 50), 10 ** rng.uniform(-2, 2, 50), strict=True):
        w = np.array([lambda_, tau, 1.0])
        (here,) = [region for region in regions if np.all(region.piece.sides @ w > 0)]
        theta = here.piece.theta @ w
        intercept = here.piece.intercept @ w
        assert worst(K, y, here.state, theta, intercept, lambda_, tau) < 1e-9


def test_a_level_meets_as_many_knots_in_the_polygons_as_on_its_path():
    program = problem()
    levels = [0.2345, 0.5432, 0.7654]
    crossed = np.zeros(3)
    for region in program.regions(LEVELS, 0.01):
        for k in knots(region):
            ends = sorted((region.corners[k, 1], region.corners[k + 1 - len(region.corners), 1]))
            crossed += [ends[0] < tau < ends[1] for tau in levels]
    assert list(crossed) == [sum(1 for _ in program.path(tau, 0.01)) - 1 for tau in levels]


def test_births_and_merges_are_where_a_path_gains_or_loses_two_knots():
    program = problem(9, 12)
    counts = counted(program, 0.01, "each")
    corners = np.concatenate([region.corners for region in program.regions(LEVELS, 0.01)])
    events = np.unique(np.round(corners[corners[:, 2] > 0, 1], 9))
    sizes = [sum(1 for _ in program.path(tau, 0.01)) for tau in (events[1:] + events[:-1]) / 2]
    single = np.abs(9 * events - np.round(9 * events)) > 1e-6  # where tau n is whole many turn
    turns = np.count_nonzero((np.abs(np.diff(sizes)) == 2) & single[1:-1])
    assert turns == round(counts["turning"] * counts["steps"]) > 5


def test_whole_tau_n_is_approached_from_above():
    program = problem(20)
    knots_at, above = ([p[1] for p in program.path(tau, 0.01)] for tau in (0.5, 0.5 + 1e-7))
    np.testing.assert_allclose(knots_at, above, rtol=1e-4)


def test_no_lambda_by_highs_is_better_than_the_candidates():
    program = problem()
    K = program.kernel[:, :12]
    y = program.y[:12]
    tau = 0.63
    ends = list(candidates(program, tau, 0.01, slice(12, None)))
    best = min(ends, key=lambda each: each.loss)
    for lambda_ in np.geomspace(0.01, ends[0].lambda_, 40):
        theta = highs(K, y, tau, lambda_).theta
        inside = np.argmin(np.maximum(tau - 1 - theta, theta - tau))  # on the elbow
        off = (
            program.y
            - program.y[inside]
            - (theta @ program.kernel - theta @ K[:, inside]) / lambda_
        )
        assert quantile_loss(off[12:], tau).sum() > best.loss - 1e-4


def test_fit_beyond_the_last_knot_is_not_constant():
    """rosset2008bilevel, Section 2: the coefficients are, and the fit in the limit."""
    _, knot, piece, at = next(problem().path(0.37, 0.01))
    assert not piece.theta[:, 0].any()
    ranges = []
    for lambda_ in (2 * knot, 20 * knot):
        fit = problem().y - piece.residual @ (lambda_, *at) / lambda_
        ranges.append(np.ptp(fit))
    assert ranges[0] > 0.1
    assert np.isclose(ranges[1], ranges[0] / 10)


def test_system_of_a_sole_row_is_singular():
    """rosset2008bilevel, Theorem 1: no straight line where all lambdas of a stretch are knots."""
    program = problem()
    K = program.kernel[:, :12]
    y = program.y[:12]
    state = program.outermost(5)
    (row,) = np.flatnonzero(state == 0)
    sole = next(program.path(5 / 12, 0.01))
    assert np.isclose((sole[2].theta @ (2 * sole[1], *sole[3]))[row], 5 / 12 - 1 + RIGHT)
    with pytest.raises(np.linalg.LinAlgError):
        theorem_1(K, y, state, row)
