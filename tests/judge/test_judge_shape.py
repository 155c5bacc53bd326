"""How skewed and heavy-tailed repeats are, beside as many normal numbers."""

import numpy as np
import pytest

from icml2008.judge.shape import shape


@pytest.mark.parametrize("n", [8, 12])
def test_shapes_of_normal_numbers_have_mean_0_and_spread_1(n):
    rng = np.random.default_rng(2008)
    shapes = np.array([shape(values) for values in rng.normal(size=(6000, n))])
    assert shapes.mean(axis=0) == pytest.approx([0, 0], abs=0.05)
    assert shapes.std(axis=0) == pytest.approx([1, 1], rel=0.05)


def test_numbers_that_agree_or_are_few_have_no_shape():
    assert shape([1.0] * 9) is None
    assert shape([1.0, 2.0, 3.0, 4.0, 5.0]) is None
