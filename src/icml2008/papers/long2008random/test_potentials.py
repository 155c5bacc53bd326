"""Potentials against finite differences, and Definition 1 against functions that break it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from icml2008.papers.long2008random.method.potentials import (
    POTENTIALS,
    Potential,
    as_potential,
    check_potential,
)

Z = np.concatenate([np.linspace(-8, 8, 333), [-30.0, 30.0]])


@pytest.mark.parametrize("name", POTENTIALS)
def test_the_potentials_by_name_are_convex_potentials(name):
    check_potential(name)


@pytest.mark.parametrize("name", POTENTIALS)
def test_slopes_and_curvatures_are_central_differences(name):
    potential = POTENTIALS[name]
    step = 1e-5
    away = np.min(np.abs(Z[:, None] - [0.0, 1.0]), axis=1) > step  # where pieces meet
    z = Z[away]
    # Central differences err by step^2 / 6 times the third derivative, of the size of phi.
    near = {"rtol": 1e-8, "atol": 1e-9}
    slope = (potential.value(z + step) - potential.value(z - step)) / (2 * step)
    np.testing.assert_allclose(potential.slope(z), slope, **near)
    if potential.curvature is not None:
        curvature = (potential.slope(z + step) - potential.slope(z - step)) / (2 * step)
        np.testing.assert_allclose(potential.curvature(z), curvature, **near)


def test_madaboost_is_equation_1():
    z = np.array([-2.0, 0.0, 1.0])
    np.testing.assert_allclose(POTENTIALS["madaboost"].value(z), [3.0, 1.0, np.exp(-1)])


@given(st.lists(st.tuples(st.floats(0.1, 5), st.floats(0.1, 5)), min_size=1, max_size=4))
def test_mixtures_of_rescaled_potentials_are_convex_potentials(parts):
    names = list(POTENTIALS)
    chosen = [(POTENTIALS[names[i % len(names)]], *part) for i, part in enumerate(parts)]
    check_potential(
        Potential(
            lambda z: sum(w * p.value(z / s) for p, w, s in chosen),
            lambda z: sum(w / s * p.slope(z / s) for p, w, s in chosen),
        ),
        reach=20.0,
    )


@pytest.mark.parametrize(
    ("value", "slope", "problem"),
    [
        (lambda z: 1 - z, lambda z: -np.ones_like(z), "does not tend to 0"),
        (lambda z: np.maximum(0, 1 - z), lambda z: -1.0 * (z < 1), "slope that jumps"),
        (lambda z: np.maximum(0, -z) ** 2, lambda z: 2 * np.minimum(0, z), "no negative slope"),
        (lambda z: (1 - z) ** 2, lambda z: 2 * (z - 1), "increases"),
        (lambda z: np.exp(-z), lambda z: -2 * np.exp(-z), "not its derivative"),
        (lambda z: -np.arctan(z), lambda z: -1 / (1 + z**2), "is not convex"),
    ],
)
def test_what_is_no_convex_potential_is_refused(value, slope, problem):
    with pytest.raises(ValueError, match=problem):
        check_potential(Potential(value, slope))


def test_an_unknown_name_is_told_the_nearest():
    with pytest.raises(ValueError, match="did you mean 'logistic'"):
        as_potential("logstic")
    with pytest.raises(TypeError, match="give a name or Potential"):
        as_potential(3)
