"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy.stats import wilcoxon

from icml2008.catalogue.library import load_paper


def test_covariance_weights_do_not_sum_to_one():
    """obrien2008costsensitive, Section 6: equal matrices are kept only if one lambda is gamma."""
    gamma = 0.3
    lam = 0.1
    assert not math.isclose((1 - gamma - lam) + lam + lam, 1)
    assert math.isclose((1 - gamma - lam) + lam + gamma, 1)


def test_a_negative_factor_turns_the_costs_round():
    """obrien2008costsensitive, Property 1: the assigned class is the same for positive factors."""
    costs = 1 - np.eye(3)
    p = np.array([0.6, 0.3, 0.1])
    chosen = np.argmin(costs @ p)
    assert np.argmin(2.5 * costs @ p) == chosen
    assert np.argmin(-costs @ p) != chosen


def test_changepoints_may_be_negative():
    """obrien2008costsensitive, Section 5.1: their geometric mean may lie outside them."""
    costs = 1 - np.eye(2)
    # Solves for the shift at which class 0 costs as much as class 1.
    points = sorted(costs[1] @ p - costs[0] @ p for p in np.array([[0.1, 0.9], [0.2, 0.8]]))
    assert np.allclose(points, [-0.8, -0.6])
    middle = math.sqrt(points[0] * points[1])
    assert not points[0] <= middle <= points[1]


def test_an_equal_risk_point_is_over_the_sum():
    """obrien2008costsensitive, Property 2: a norm is never 0, and no sum where signs differ."""
    costs = np.array([[0, 1, 8], [1, 0, 1], [8, 1, 0]])
    point = np.linalg.solve(costs, np.ones(3))
    assert point.min() < 0 < point.max()
    assert not math.isclose(np.sum(point / np.abs(point).sum()), 1)
    assert math.isclose(np.sum(point / point.sum()), 1)


def test_equation_14_is_of_rising_points():
    """obrien2008costsensitive, Equation 14: falling points count each row on the wrong side."""
    points = np.array([-1.0, 0.5, 2.0])
    as_i = np.array([3.0, 0.0, 1.0])
    as_other = np.array([0.0, 2.0, 4.0])

    def equation_14(order):
        return [sum(as_other[order[:n]]) + sum(as_i[order[n:]]) for n in range(3)]

    def cost(alpha):
        # Below its point a row is assigned to class i.
        return np.where(alpha < points, as_i, as_other).sum()

    rising = np.argsort(points)
    # The N0-th of rising points, counted from 1, is still on the side of class i.
    between = [cost(alpha) for alpha in (-2.0, 0.0, 1.0)]
    assert equation_14(rising) == between
    assert equation_14(rising[::-1]) != between


def test_printed_rows_do_not_tell_the_lead_from_chance():
    """obrien2008costsensitive, Tables 1 and 2: medians, firsts and signed ranks of the print."""
    audit = load_paper("obrien2008costsensitive").audit
    facts = []
    for table in (1, 2):
        columns = [
            np.array([float(value) for value in audit[f"mean-{name}-{table}"]["numbers"].values()])
            for name in ("mc", "lf", "par")
        ]
        best = np.max(columns, axis=0)
        firsts = [int(np.sum(column == best)) for column in columns]
        _, lf, parallel = columns
        p = wilcoxon(parallel, lf).pvalue
        facts.append((np.median(parallel), np.median(lf), firsts, round(p, 2)))
    assert facts == [(9, 5, [3, 9, 9], 0.19), (1, 1, [5, 8, 10], 0.16)]
    rest = [~np.isin(np.arange(21), [6, 15])] * 2
    numbers = [audit[f"mean-{name}-1"]["numbers"] for name in ("par", "lf")]
    kept = [
        np.array([float(v) for v in n.values()])[r].mean()
        for n, r in zip(numbers, rest, strict=True)
    ]
    assert np.round(kept, 1).tolist() == [12.4, 9.3]
