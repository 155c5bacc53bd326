"""Errata of the paper that a small computation settles."""

import math

import pytest


@pytest.mark.parametrize(
    ("bias", "deviation", "rounded", "summary"),
    [(3, 11350, 359, 358), (103, 12862, 420, 419), (218, 10029, 385, 384), (244, 10045, 401, 400)],
)
def test_summaries_are_truncated(bias, deviation, rounded, summary):
    """bowling2008strategy, Tables 1 to 4: one error, rounded there and truncated here."""
    error = math.sqrt(bias**2 + deviation**2 / 1000)
    assert (round(error), math.floor(error)) == (rounded, summary)
