"""What distribution matching is compared with: a model a task, and one model for all tasks."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Hashable, Sequence

import numpy as np

from icml2008.methods.multitask.base import MultiTaskClassifier, check_above
from icml2008.methods.multitask.logistic import weighted_logistic
from icml2008.methods.multitask.newton import Matrix
from icml2008.methods.multitask.tasks import locate_tasks, similarities


class SeparateLogistic(MultiTaskClassifier):
    """A kernel logistic regression for each task, from its own examples alone.

    A task without examples gives both classes the same probability.

    Parameters
    ----------
    kernel : str, callable or "precomputed", default="rbf"
        As for :class:`DistributionMatching`.
    sigma_w : float, default=1.0
        Prior standard deviation of the parameters.
    gamma, kernel_params, tol, max_iter
        As for :class:`DistributionMatching`.

    Attributes
    ----------
    tasks_ : list
    classes_ : ndarray of shape (2,)
    dual_coef_ : ndarray of shape (n_tasks, n_examples)
        Zero for the examples of other tasks.

    References
    ----------
    Bickel et al. (2008), section 5.2, "separate".

    Examples
    --------
    >>> from icml2008.methods import SeparateLogistic
    >>> X, y = [[-1], [1], [-1], [1]], [-1, 1, 1, -1]
    >>> model = SeparateLogistic("linear").fit(X, y, task=list("aabb"))
    >>> model.predict_proba([[1], [1], [1]], task=["a", "b", "c"]).round(2)
    array([[0.34, 0.66],
           [0.66, 0.34],
           [0.5 , 0.5 ]])
    """

    def __init__(
        self,
        kernel="rbf",
        sigma_w=1.0,
        *,
        gamma=None,
        kernel_params=None,
        tol=1e-4,
        max_iter=100,
    ):
        self.kernel = kernel
        self.sigma_w = sigma_w
        self.gamma = gamma
        self.kernel_params = kernel_params
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, *, task, tasks=None):
        check_above("sigma_w", self.sigma_w)
        check_above("tol", self.tol)
        X, sign, number = self._start(X, y, task, tasks)
        self.dual_coef_ = np.zeros((len(self.tasks_), len(X)))
        for own in range(number.max() + 1):
            rows = np.flatnonzero(number == own)
            self.dual_coef_[own, rows] = weighted_logistic(
                self._gram(X, rows),
                sign[rows],
                np.ones((len(rows), 1)),
                self.sigma_w,
                tol=self.tol,
                max_iter=self.max_iter,
            ).ravel()
        return self

    def decision_function(self, X, *, task):
        X, _, number = self._new(X, task)
        scores = np.einsum("ij,ij->i", self._kernel(X, self.X_fit_), self.dual_coef_[number])
        return np.where(number >= 0, scores, 0.0)


class _OneModel(MultiTaskClassifier):
    """One kernel logistic regression with a kernel of (example, task) pairs."""

    def __init__(
        self, kernel, sigma_w, task_kernel, offset, *, gamma, kernel_params, tol, max_iter
    ):
        self.kernel = kernel
        self.sigma_w = sigma_w
        self.task_kernel = task_kernel
        self.offset = offset
        self.gamma = gamma
        self.kernel_params = kernel_params
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, *, task, tasks=None):
        check_above("sigma_w", self.sigma_w)
        check_above("tol", self.tol)
        check_above("offset", self.offset, strict=False)
        X, sign, number = self._start(X, y, task, tasks)
        factor = self._factor(self.tasks_, self.tasks_)
        pair = None if factor is None else factor[np.ix_(number, number)]
        gram = self._gram(X) if pair is None else self._kernel(X) * pair
        self.dual_coef_ = weighted_logistic(
            gram,
            sign,
            np.ones((len(X), 1)),
            self.sigma_w,
            tol=self.tol,
            max_iter=self.max_iter,
        ).ravel()
        self.task_of_example_ = number
        return self

    def decision_function(self, X, *, task):
        labels = list(task)
        X, new, _ = self._new(X, labels)
        kernel = self._kernel(X, self.X_fit_)
        factor = self._factor(new, self.tasks_)
        if factor is not None:
            number = locate_tasks(labels, len(X), new)
            kernel = kernel * factor[np.ix_(number, self.task_of_example_)]
        return kernel @ self.dual_coef_

    @abstractmethod
    def _factor(self, tasks: Sequence[Hashable], others: Sequence[Hashable]) -> Matrix | None:
        """Return what the kernel of examples is multiplied with, None for 1."""

    def _similarity(self, tasks, others) -> Matrix | float:
        if self.task_kernel is None:
            return 1.0
        return similarities(self.task_kernel, tasks, others) + self.offset


class PooledLogistic(_OneModel):
    """One kernel logistic regression for the examples of all tasks.

    Parameters
    ----------
    kernel : str, callable or "precomputed", default="rbf"
        As for :class:`DistributionMatching`.
    sigma_w : float, default=1.0
        Prior standard deviation of the parameters.
    task_kernel : callable or None, default=None
        If given, the kernel is ``k(x, x') * (task_kernel(z, z') + offset)``; None ignores the
        tasks.
    offset : float, default=1.0
        Keeps the product from vanishing where tasks have nothing in common (section 5.2).
    gamma, kernel_params, tol, max_iter
        As for :class:`DistributionMatching`.

    Attributes
    ----------
    tasks_ : list
    classes_ : ndarray of shape (2,)
    dual_coef_ : ndarray of shape (n_examples,)

    References
    ----------
    Bickel et al. (2008), section 5.2, "pooled".

    Bonilla, Agakov and Williams (2007). Kernel Multi-Task Learning Using Task-Specific Features.
    AISTATS.

    Examples
    --------
    >>> from icml2008.methods import PooledLogistic
    >>> X, y = [[-1], [1], [-1], [1]], [-1, 1, -1, 1]
    >>> PooledLogistic("linear").fit(X, y, task=list("aabc")).predict([[1]], task=["new"])
    array([1])
    """

    def __init__(
        self,
        kernel="rbf",
        sigma_w=1.0,
        task_kernel=None,
        offset=1.0,
        *,
        gamma=None,
        kernel_params=None,
        tol=1e-4,
        max_iter=100,
    ):
        super().__init__(
            kernel,
            sigma_w,
            task_kernel,
            offset,
            gamma=gamma,
            kernel_params=kernel_params,
            tol=tol,
            max_iter=max_iter,
        )

    def _factor(self, tasks, others):
        return None if self.task_kernel is None else self._similarity(tasks, others)


class HierarchicalBayesLogistic(_OneModel):
    """One kernel logistic regression whose tasks share a part of their parameters.

    The kernel is ``(shared + [z == z']) * k(x, x')``: each task's parameters are a common vector
    plus one of its own, and `shared` is the ratio of their prior variances.

    Parameters
    ----------
    kernel : str, callable or "precomputed", default="rbf"
        As for :class:`DistributionMatching`.
    sigma_w : float, default=1.0
        Prior standard deviation of the tasks' own parameters.
    shared : float, default=1.0
        The paper's lambda, at least 0. At 0 the tasks are separate.
    task_kernel : callable or None, default=None
        If given, the kernel is multiplied with ``task_kernel(z, z') + offset``.
    offset : float, default=0.0
        The paper multiplies with the task kernel as it is.
    gamma, kernel_params, tol, max_iter
        As for :class:`DistributionMatching`.

    Attributes
    ----------
    tasks_ : list
    classes_ : ndarray of shape (2,)
    dual_coef_ : ndarray of shape (n_examples,)

    References
    ----------
    Bickel et al. (2008), section 5.2, "hier. Bayes kernel".

    Evgeniou and Pontil (2004). Regularized Multi-Task Learning. KDD.

    Examples
    --------
    >>> from icml2008.methods import HierarchicalBayesLogistic
    >>> X, y = [[-1], [1], [-1], [1]], [-1, 1, 1, -1]
    >>> model = HierarchicalBayesLogistic("linear", shared=0.1).fit(X, y, task=list("aabb"))
    >>> model.predict([[1], [1]], task=["a", "b"])
    array([ 1, -1])
    """

    def __init__(
        self,
        kernel="rbf",
        sigma_w=1.0,
        shared=1.0,
        task_kernel=None,
        offset=0.0,
        *,
        gamma=None,
        kernel_params=None,
        tol=1e-4,
        max_iter=100,
    ):
        super().__init__(
            kernel,
            sigma_w,
            task_kernel,
            offset,
            gamma=gamma,
            kernel_params=kernel_params,
            tol=tol,
            max_iter=max_iter,
        )
        self.shared = shared

    def fit(self, X, y, *, task, tasks=None):
        check_above("shared", self.shared, strict=False)
        return super().fit(X, y, task=task, tasks=tasks)

    def _factor(self, tasks, others):
        same = locate_tasks(tasks, len(tasks), others)[:, None] == np.arange(len(others))
        return (self.shared + same) * self._similarity(tasks, others)
