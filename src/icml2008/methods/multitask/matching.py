"""Multi-task learning by distribution matching: the pool of all tasks, weighted to be like one."""

from __future__ import annotations

from numbers import Integral

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import KFold

from icml2008.methods.multitask.base import MultiTaskClassifier, check_above
from icml2008.methods.multitask.logistic import weighted_logistic
from icml2008.methods.multitask.newton import Matrix
from icml2008.methods.multitask.softmax import task_posterior
from icml2008.methods.multitask.tasks import task_covariance, task_prior


def resampling_weights(posterior: ArrayLike, prior: ArrayLike) -> NDArray:
    """Return the weights that make the pool of all tasks look like each one of them.

    Parameters
    ----------
    posterior : array-like of shape (n_examples, n_tasks)
        p(t | x, y) for each example.
    prior : array-like of shape (n_tasks,)
        p(t), positive.

    Returns
    -------
    ndarray of shape (n_tasks, n_examples)
        ``p(t | x, y) / p(t)``. The mean of weighted losses over the pool is then the mean of losses
        over the task.

    References
    ----------
    Bickel et al. (2008), Eqs. 1 and 8.

    Examples
    --------
    Two equally frequent tasks. The first example can only come from the first one.

    >>> from icml2008.methods import resampling_weights
    >>> resampling_weights([[1.0, 0.0], [0.5, 0.5]], [0.5, 0.5])
    array([[2., 1.],
           [0., 1.]])
    """
    return np.asarray(posterior).T / np.asarray(prior)[:, None]


class DistributionMatching(MultiTaskClassifier):
    """Multi-task learning by distribution matching.

    A soft-max model tells how likely an example comes from each task. Its posterior over the task's
    prior weighs every example of the pool, and each task gets a logistic regression of its own that
    is trained on the weighted pool. No model has an intercept.

    Parameters
    ----------
    kernel : str, callable or "precomputed", default="rbf"
        A name known to :func:`sklearn.metrics.pairwise.pairwise_kernels`, a function of two arrays
        of examples that returns their kernel matrix, or "precomputed". Used by both models.
    sigma_v : float, default=1.0
        Prior standard deviation of the soft-max parameters: the smaller, the more equal the
        weights.
    rho : float, default=0.5
        Prior correlation of tasks of similarity 1, in [0, 1). No effect without `task_kernel`.
    task_kernel : callable or None, default=None
        ``task_kernel(tasks, others)`` gives similarities of tasks in [0, 1], such as
        :func:`drug_indicator_kernel`. None leaves the tasks independent a priori.
    dirichlet : float, default=1.0
        Examples added to each task when p(t) is estimated (Laplace's rule of succession; the paper
        tunes it).
    sigma_w : float, default=1.0
        Prior standard deviation of the parameters of the tasks' models.
    gamma : float or None, default=None
        Parameter of kernels given by name; None means 1 / n_features.
    softmax_gamma : float or None, default=None
        The same for the soft-max model alone; None means `gamma`.
    kernel_params : dict or None, default=None
        Further parameters of the kernel.
    max_weight : float or None, default=None
        Larger weights are cut to this. The paper cuts none.
    cross_fit : int or None, default=None
        Number of folds; the weights of a fold come from a soft-max model that has not seen it. None
        weighs the examples that the model was fitted to, as the paper does.
    random_state : int, RandomState instance or None, default=None
        Draws the folds.
    tol : float, default=1e-4
        Largest distance to an optimum, in prior standard deviations of the parameter vector:
        log-odds are within ``tol * sigma * sqrt(k(x, x))``.
    max_iter : int, default=100
        Largest number of Newton steps of a fit.

    Attributes
    ----------
    tasks_ : list
        Labels of the tasks in order of first appearance, those without examples last.
    classes_ : ndarray of shape (2,)
    resampling_weights_ : ndarray of shape (n_tasks, n_examples)
        The weights r_t(x, y) of the training examples.
    task_prior_ : ndarray of shape (n_tasks,)
        Smoothed proportions of the tasks.
    dual_coef_ : ndarray of shape (n_tasks, n_examples)
        Coefficients of the training examples `X_fit_` in each task's model.
    coef_ : ndarray of shape (n_tasks, n_features)
        Coefficients of the features, if the kernel is "linear".

    Notes
    -----
    A task without examples is modelled like all others if it is given to ``fit(..., tasks=...)``:
    its prior speaks for it. The soft-max must know a task, so that others are refused later on.

    The paper prints Optimization Problem 1 with a plus before the quadratic form, which has no
    maximum, and without the half of a Gaussian log-density. Here it is minus one half; for minus
    one, divide `sigma_v` by the square root of 2.

    References
    ----------
    Bickel, Bogojeska, Lengauer and Scheffer (2008). Multi-Task Learning for HIV Therapy Screening.
    ICML, Optimization Problems 1 and 2.

    Examples
    --------
    Large values are good in task "a" and bad in task "b"; "c" has one example, and resembles "b".

    >>> from icml2008.methods import DistributionMatching
    >>> X = [[-2], [-1], [1], [2], [-2], [-1], [1], [2], [2]]
    >>> y = [-1, -1, 1, 1, 1, 1, -1, -1, -1]
    >>> model = DistributionMatching("linear", sigma_v=2.0)
    >>> model = model.fit(X, y, task=list("aaaabbbbc"))
    >>> model.predict([[1.5], [1.5], [1.5]], task=["a", "b", "c"])
    array([ 1, -1, -1])
    >>> model.resampling_weights_.shape
    (3, 9)
    """

    # examples of different labels share no parameters of the soft-max model (Eq. 10)
    _split_labels = True

    def __init__(
        self,
        kernel="rbf",
        sigma_v=1.0,
        rho=0.5,
        task_kernel=None,
        dirichlet=1.0,
        sigma_w=1.0,
        *,
        gamma=None,
        softmax_gamma=None,
        kernel_params=None,
        max_weight=None,
        cross_fit=None,
        random_state=None,
        tol=1e-4,
        max_iter=100,
    ):
        self.kernel = kernel
        self.sigma_v = sigma_v
        self.rho = rho
        self.task_kernel = task_kernel
        self.dirichlet = dirichlet
        self.sigma_w = sigma_w
        self.gamma = gamma
        self.softmax_gamma = softmax_gamma
        self.kernel_params = kernel_params
        self.max_weight = max_weight
        self.cross_fit = cross_fit
        self.random_state = random_state
        self.tol = tol
        self.max_iter = max_iter

    def fit(self, X, y, *, task, tasks=None):
        self._check_parameters()
        X, sign, number = self._start(X, y, task, tasks)
        counts = np.bincount(number, minlength=len(self.tasks_))
        self.task_prior_ = task_prior(counts, self.dirichlet)
        posterior = self._posterior(X, sign, number)
        weights = resampling_weights(posterior, self.task_prior_)
        if self.max_weight is not None:
            weights = np.minimum(weights, self.max_weight)
        self.resampling_weights_ = weights
        gram = self._gram(X)
        limits = {"tol": self.tol, "max_iter": self.max_iter}
        pooled = weighted_logistic(gram, sign, np.ones((len(X), 1)), self.sigma_w, **limits)
        columns = np.ascontiguousarray(weights.T)
        dual = weighted_logistic(gram, sign, columns, self.sigma_w, start=pooled, **limits)
        self.dual_coef_ = np.ascontiguousarray(dual.T)
        if self.kernel == "linear":
            self.coef_ = self.dual_coef_ @ X
        return self

    def decision_function(self, X, *, task):
        X, labels, number = self._new(X, task)
        if (number < 0).any():
            unknown = next(label for label in labels if label not in self.tasks_)
            msg = (
                f"no model for task {unknown!r}: name tasks without examples in fit(..., tasks=...)"
            )
            raise ValueError(msg)
        return np.einsum("ij,ij->i", self._kernel(X, self.X_fit_), self.dual_coef_[number])

    def _posterior(self, X, sign, number) -> Matrix:
        """Return p(t | x, y) of the training examples, of shape (n_examples, n_tasks)."""
        covariance = task_covariance(self.tasks_, self.task_kernel, self.sigma_v, self.rho)
        group = sign if self._split_labels else np.ones_like(sign)
        folds = [(np.arange(len(X)), np.arange(len(X)))]
        if self.cross_fit is not None:
            folds = KFold(self.cross_fit, shuffle=True, random_state=self.random_state).split(X)
        posterior = np.empty((len(X), len(self.tasks_)))
        for seen, weighed in folds:
            for value in np.unique(group):
                rows = seen[group[seen] == value]
                others = weighed[group[weighed] == value]
                posterior[others], _ = task_posterior(
                    self._gram(X, rows, self.softmax_gamma),
                    number[rows],
                    covariance,
                    cross=None if self.cross_fit is None else self._cross(X, others, rows),
                    tol=self.tol,
                    max_iter=self.max_iter,
                )
        return posterior

    def _cross(self, X, rows, columns) -> Matrix:
        if self.kernel == "precomputed":
            return X[np.ix_(rows, columns)]
        return self._kernel(X[rows], X[columns], self.softmax_gamma)

    def _check_parameters(self) -> None:
        check_above("sigma_v", self.sigma_v)
        check_above("sigma_w", self.sigma_w)
        check_above("tol", self.tol)
        check_above("dirichlet", self.dirichlet, strict=False)
        check_above("rho", self.rho, strict=False)
        if self.rho >= 1:
            msg = f"rho must be below 1 (the covariance has no inverse else), found {self.rho!r}"
            raise ValueError(msg)
        if self.max_weight is not None:
            check_above("max_weight", self.max_weight)
        if not (self.task_kernel is None or callable(self.task_kernel)):
            given = repr(self.task_kernel)
            msg = f"task_kernel must be a function of two lists of tasks or None, found {given}"
            raise ValueError(msg)
        if self.cross_fit is not None and not (
            isinstance(self.cross_fit, Integral) and self.cross_fit >= 2
        ):
            msg = (
                f"cross_fit must be None or a whole number of at least 2, found {self.cross_fit!r}"
            )
            raise ValueError(msg)


class CovariateShiftMatching(DistributionMatching):
    """Distribution matching that ignores the labels: weights p(t | x) / p(t).

    Right where tasks differ in p(x) alone (covariate shift); it cannot tell tasks apart that differ
    in p(y | x). Parameters and attributes are those of :class:`DistributionMatching`.

    References
    ----------
    Bickel, Brückner and Scheffer (2007). Discriminative Learning for Differing Training and Test
    Distributions. ICML.

    Examples
    --------
    Both tasks have the same inputs, so that all weights are equal.

    >>> from icml2008.methods import CovariateShiftMatching
    >>> X, y = [[-1], [1], [-1], [1]], [-1, 1, 1, -1]
    >>> model = CovariateShiftMatching("linear").fit(X, y, task=[0, 0, 1, 1])
    >>> model.resampling_weights_.round(3)
    array([[1., 1., 1., 1.],
           [1., 1., 1., 1.]])
    """

    _split_labels = False
