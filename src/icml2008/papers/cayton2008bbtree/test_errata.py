"""Errata of the paper that a small computation settles."""

import math

import numpy as np
from scipy import optimize


def test_a_node_may_be_ignored_if_eq_1_fails():
    """cayton2008bbtree, Eq. 1: where it holds the ball may have the nearest neighbour."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        query, candidate, centre = rng.normal(size=(3, 2)) * 2
        offsets = rng.normal(size=(5, 2))
        points = centre + offsets
        radius = np.linalg.norm(offsets, axis=1).max()
        to_ball = max(0.0, np.linalg.norm(query - centre) - radius)
        nearest = np.linalg.norm(points - query, axis=1).min()
        if np.linalg.norm(candidate - query) <= to_ball:
            assert nearest >= np.linalg.norm(candidate - query)
    # Candidate at 2, ball around 1 of radius 1/2 with a point at 1, query at 0: Eq. 1 holds.
    assert 2.0 > 1 - 0.5
    assert abs(1 - 0) < 2.0


def ball_and_query():
    """Return query, centre and R of a ball |x - centre|^2 / 2 <= R, and the place of its nearest
    point on the way from the query (0) to the centre (1)."""
    query = np.array([3.0, 0.0])
    centre = np.array([0.0, 0.0])
    bound = 0.5
    weight = optimize.brentq(
        lambda t: np.sum((t * centre + (1 - t) * query - centre) ** 2) / 2 - bound, 0, 1
    )
    return query, centre, bound, weight


def test_projection_on_a_ball_needs_one_minus():
    """cayton2008bbtree, Section 4: t = 1 - sqrt(2 R) / |q - m|."""
    query, centre, bound, weight = ball_and_query()
    printed = math.sqrt(2 * bound) / np.linalg.norm(query - centre)
    assert math.isclose(1 - printed, weight, rel_tol=1e-9)
    assert not math.isclose(printed, weight, rel_tol=0.1)


def test_bisection_goes_right_outside_the_ball():
    """cayton2008bbtree, Algorithm 1: the printed branches lead away from the ball's boundary."""
    query, centre, bound, weight = ball_and_query()

    def bisect(outside_goes_right):
        left = 0.0
        right = 1.0
        for _ in range(40):
            middle = (left + right) / 2
            outside = np.sum((1 - middle) ** 2 * (query - centre) ** 2) / 2 > bound
            left, right = (middle, right) if outside == outside_goes_right else (left, middle)
        return left

    assert math.isclose(bisect(True), weight, abs_tol=1e-9)
    assert abs(bisect(False) - weight) > 0.5
