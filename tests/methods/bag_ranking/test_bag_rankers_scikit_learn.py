"""scikit-learn's own checks of estimators, as far as `fit(X, y, *, boxes, bags)` allows.

The checks call ``fit(X, y)`` with labels of their own. Each ranker is therefore wrapped: neighbours
in the sorted order of y become boxes of two bags, of which the one of larger y is preferred.
"""

from __future__ import annotations

import traceback
from unittest import SkipTest

import numpy as np
import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks
from sklearn.utils.validation import column_or_1d, validate_data

from icml2008.methods.bag_ranking.baselines import MISVM, RankingSVM
from icml2008.methods.bag_ranking.multiple_instance import MIC, MIRank


def targets_to_labels(y):
    """Return y, boxes and bags; the odd item out joins the last box, in a bag of its own."""
    order = np.argsort(np.argsort(column_or_1d(y, warn=True), kind="stable"))
    boxes = np.minimum(order // 2, len(y) // 2 - 1)
    bags = order % 2
    bags[order == len(y) // 2 * 2] = 2
    preferred = np.array([bags[boxes == box].max() for box in boxes])
    return (bags == preferred).astype(int), {"boxes": boxes, "bags": bags}


class WithPlainTargets:
    """Mixed into a ranker, makes boxes and bags out of plain targets."""

    def fit(self, X, y):
        X, y = validate_data(self, X, y, dtype=np.float64, ensure_min_samples=2)
        y, labels = targets_to_labels(y)
        return super().fit(X, y, **labels)

    def score(self, X, y):
        y, labels = targets_to_labels(y)
        return super().score(X, y, **labels)


class PlainMIRank(WithPlainTargets, MIRank):
    pass


class PlainMIC(WithPlainTargets, MIC):
    pass


class PlainRankingSVM(WithPlainTargets, RankingSVM):
    pass


class PlainMISVM(WithPlainTargets, MISVM):
    pass


@parametrize_with_checks(
    [
        PlainMIRank(),
        PlainMIRank(kernel="rbf"),
        PlainMIC(),
        PlainMIC(balanced=True),
        PlainRankingSVM(),
        PlainMISVM(),
    ]
)
def test_check_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.mark.parametrize("ranker", [MIRank(), MIC(), RankingSVM(), MISVM()], ids=repr)
def test_unwrapped_rankers_fail_checks_by_their_signature_alone(ranker):
    """What a check meets without the wrapper: it knows nothing of boxes and bags."""
    failures = []
    for estimator, check in estimator_checks_generator(ranker):
        try:
            check(estimator)
        except SkipTest:
            continue
        except (TypeError, AssertionError) as error:
            failures.append("".join(traceback.format_exception(error)))
    reason = "keyword-only arguments: 'boxes' and 'bags'"
    assert failures
    assert all(reason in failure for failure in failures)
