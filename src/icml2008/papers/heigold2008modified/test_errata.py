"""Errata of the paper that a small computation settles."""

import math

import numpy as np


def test_limit_of_smoothed_error_keeps_the_weight():
    """heigold2008modified, Section 3.2: the smoothed phone error tends to J / N times the error."""
    weight = 5.0
    sharpness = 400.0
    truth = [0, 1]
    scores = np.array([[3.0, 1.0, 2.5], [0.0, 4.0, 1.0]])
    error = np.array([[0, 2, 3], [2, 0, 1], [3, 1, 0]])
    smooth = hard = 0.0
    for row, right in zip(scores, truth, strict=True):
        logits = sharpness * (row - (np.arange(3) == right))
        chances = np.exp(logits - logits.max())
        smooth += error[right] @ chances / chances.sum()
        margins = np.where(np.arange(3) == right, np.inf, row[right] - row)
        hard += error[right, margins.argmin()] if margins.min() < 1 else 0
    # Only the first case breaks its margin, for class 2.
    assert hard == 3
    assert math.isclose(weight / 2 * smooth, weight / 2 * hard, rel_tol=1e-9)
    assert not math.isclose(weight / 2 * smooth, hard / 2, rel_tol=0.1)
