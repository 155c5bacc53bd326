"""scikit-learn's own checks of estimators, as far as `fit(X, y, *, task)` allows.

The checks call ``fit(X, y)`` and ``predict(X)``. Each classifier is therefore wrapped: all examples
belong to one task.
"""

from __future__ import annotations

import numpy as np
from sklearn.base import ClassifierMixin
from sklearn.metrics import accuracy_score
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.validation import _num_samples

from icml2008.methods.multitask.baselines import (
    HierarchicalBayesLogistic,
    PooledLogistic,
    SeparateLogistic,
)
from icml2008.methods.multitask.gaussian_process import MultiTaskGaussianProcess
from icml2008.methods.multitask.matching import CovariateShiftMatching, DistributionMatching


def one_task(X):
    return np.zeros(_num_samples(X), dtype=int)


class OneTask(ClassifierMixin):
    """Mixed into a multi-task classifier, puts all examples into one task."""

    def fit(self, X, y):
        return super().fit(X, y, task=one_task(X))

    def decision_function(self, X, *, task=None):
        return super().decision_function(X, task=one_task(X))

    def predict(self, X):
        return super().predict(X, task=one_task(X))

    def predict_proba(self, X):
        return super().predict_proba(X, task=one_task(X))

    def score(self, X, y):
        return accuracy_score(y, self.predict(X))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


class PlainMatching(OneTask, DistributionMatching):
    pass


class PlainShift(OneTask, CovariateShiftMatching):
    pass


class PlainSeparate(OneTask, SeparateLogistic):
    pass


class PlainPooled(OneTask, PooledLogistic):
    pass


class PlainHierarchical(OneTask, HierarchicalBayesLogistic):
    pass


class PlainGaussianProcess(OneTask, MultiTaskGaussianProcess):
    pass


def known_to_fail(estimator):
    """Return the checks that ask for what these methods do not have, with the reason."""
    known = {"check_non_transformer_estimators_n_iter": "several solvers share max_iter"}
    if isinstance(estimator, MultiTaskGaussianProcess):
        known["check_decision_proba_consistency"] = "probabilities depend on variances, too"
    return known


@parametrize_with_checks(
    [
        PlainMatching(),
        PlainMatching(kernel="linear"),
        PlainShift(),
        PlainSeparate(),
        PlainPooled(),
        PlainHierarchical(),
        PlainGaussianProcess(),
    ],
    expected_failed_checks=known_to_fail,
)
def test_check_of_scikit_learn(estimator, check):
    check(estimator)
