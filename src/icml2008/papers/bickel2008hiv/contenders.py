"""The methods of Table 1, each as a function of a split and of parameters, with their tuning.

Each gives the decisions of the estimator that it is named after (a test compares them), but keeps
what parameters share: the soft-max posterior is fitted once for all that only change what follows,
and only the models that test examples ask for are fitted.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.model_selection import KFold

from icml2008.methods.multitask.gaussian_process import MultiTaskGaussianProcess
from icml2008.methods.multitask.logistic import weighted_logistic
from icml2008.methods.multitask.matching import resampling_weights
from icml2008.methods.multitask.softmax import task_posterior
from icml2008.methods.multitask.tasks import task_covariance, task_prior
from icml2008.papers.bickel2008hiv.split import Array, Split, hits

# Log-odds are within this many prior standard deviations of the optimum.
TOL = 0.2
FOLDS = 5
# Gaussian processes: features that stand for the kernel, and steps of expectation maximisation.
GP_FEATURES = 100
GP_STEPS = 10

Parameters = Mapping[str, float]


@dataclass(frozen=True)
class Contender:
    """A method with its parameters and the grid that each is tuned on.

    Attributes
    ----------
    decide : callable
        ``decide(split, parameters)`` returns the decisions on the test examples, > 0 for success.
    start : dict of str to float
        Parameters before tuning.
    grid : dict of str to tuple of float
        Other values to try, one parameter after the other.
    width_of : str or None
        The contender whose tuned kernel width this one takes; None: it tunes its own.
    """

    decide: Callable[[Split, Parameters], Array]
    start: Parameters
    grid: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    width_of: str | None = None


def tuned(contender: Contender, split: Split, begin: Parameters) -> dict[str, float]:
    """Return the parameters that are best on the split's test examples, one after the other.

    Of equally good values the first one stays.
    """
    parameters = {**contender.start, **begin}
    best = -1.0
    for name, values in {"": (0.0,), **contender.grid}.items():
        kept = parameters
        for value in values:
            tried = {**kept, name: value} if name else kept
            share = float(np.mean(hits(contender.decide(split, tried), split.test.y)))
            if share > best:
                best = share
                parameters = tried
    return parameters


def separate(split: Split, parameters: Parameters) -> Array:
    """One logistic regression a task from its own examples; undecided without any."""
    kernel = split.kernel(parameters["gamma"])
    dual = np.zeros((len(split.number), len(split.wanted)))
    for column, own in enumerate(split.wanted):
        rows = np.flatnonzero(split.number == own)
        if len(rows):
            dual[rows, [column]] = weighted_logistic(
                kernel.between(rows, rows),
                split.train.y[rows],
                np.ones((len(rows), 1)),
                parameters["sigma_w"],
                tol=TOL,
            ).ravel()
    return _of_own_task(split, kernel.scores(dual))


def pooled(split: Split, parameters: Parameters, task_kernel: Any = None) -> Array:
    """One logistic regression for all; with a task kernel, of ``k(x, x') (k(z, z') + 1)``."""
    factor = None if task_kernel is None else partial(_plus_one, task_kernel)
    return _one_model(split, parameters, factor)


def hierarchical(split: Split, parameters: Parameters, task_kernel: Any = None) -> Array:
    """One logistic regression with the kernel ``(shared + [z == z']) k(x, x')``."""

    def factor(split: Split, tasks: list) -> Array:
        same = np.array([[task == other for other in split.tasks] for task in tasks], dtype=float)
        known = 1.0 if task_kernel is None else split.similarity(task_kernel, tasks)
        return (parameters["shared"] + same) * known

    return _one_model(split, parameters, factor)


def gaussian_process(split: Split, parameters: Parameters) -> Array:
    """Gaussian process regression with a common mean and covariance, learned by EM."""
    features, others = split.features(parameters["gamma"], GP_FEATURES)
    model = MultiTaskGaussianProcess(
        "linear", covariance_strength=parameters["covariance_strength"], max_iter=GP_STEPS
    )
    with warnings.catch_warnings():
        # the number of steps is a limit of this re-run's, not of the method
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(features, split.train.y, task=split.train.task)
    return model.decision_function(others, task=split.test.task)


def matching(
    split: Split,
    parameters: Parameters,
    choices: Mapping[str, str],
    task_kernel: Any = None,
    labels: bool = True,
) -> Array:
    """Distribution matching; blind to the labels when it weighs, if so told."""
    kernel = split.kernel(parameters["gamma"])
    y = split.train.y
    posterior = _posterior(split, parameters, choices, task_kernel, labels)
    prior = task_prior(split.counts, parameters["dirichlet"])
    weights = resampling_weights(posterior[:, split.wanted], prior[split.wanted]).T.copy()
    if choices["clip"] != "none":
        weights = np.minimum(weights, float(choices["clip"]))
    if choices["unseen"] == "pooled":
        weights[:, split.counts[split.wanted] == 0] = 1.0
    sigma = parameters["sigma_w"] * _quadratic(choices)
    pool = weighted_logistic(kernel.gram, y, np.ones((len(y), 1)), sigma, tol=TOL)
    dual = weighted_logistic(kernel.gram, y, weights, sigma, start=pool, tol=TOL)
    return _of_own_task(split, kernel.scores(dual))


def _quadratic(choices: Mapping[str, str]) -> float:
    """Return what the prior deviations are multiplied with: the full form has no factor 1/2."""
    return np.sqrt(0.5) if choices["quadratic-form"] == "full" else 1.0


def _posterior(split, parameters, choices, task_kernel, labels) -> Array:
    """Return p(t | x, y) of the training examples, (n_train, n_tasks)."""
    gamma = parameters.get("softmax_gamma") or parameters["gamma"]
    sigma = parameters["sigma_v"] * _quadratic(choices)
    rho = parameters.get("rho", 0.0)

    def fit() -> Array:
        kernel = split.kernel(gamma)
        y = split.train.y
        known = None if task_kernel is None else partial(_unit, task_kernel)
        covariance = task_covariance(split.tasks, known, sigma, rho)
        everything = np.arange(len(y))
        folds = [(everything, everything)]
        if choices["weights"] == "cross-fitted":
            folds = KFold(FOLDS, shuffle=True, random_state=split.seed).split(everything)
        posterior = np.empty((len(y), len(split.tasks)))
        for seen, weighed in folds:
            for group in [y > 0, y < 0] if labels else [y == y]:
                rows = seen[group[seen]]
                others = weighed[group[weighed]]
                cross = (
                    kernel.between(others, rows) if choices["weights"] == "cross-fitted" else None
                )
                posterior[others], _ = task_posterior(
                    kernel.rows(rows), split.number[rows], covariance, cross=cross, tol=TOL
                )
        return posterior

    return split.remember(("posterior", gamma, sigma, rho, task_kernel, labels), fit)


def _unit(task_kernel, tasks, others) -> Array:
    return np.clip(task_kernel(tasks, others), 0.0, 1.0)


def _plus_one(task_kernel, split: Split, tasks: list) -> Array:
    return split.similarity(task_kernel, tasks) + 1.0


def _one_model(split: Split, parameters: Parameters, factor) -> Array:
    """Fit one logistic regression whose kernel is multiplied with a factor of the tasks."""
    kernel = split.kernel(parameters["gamma"])
    y = split.train.y
    if factor is None:
        dual = weighted_logistic(
            kernel.gram, y, np.ones((len(y), 1)), parameters["sigma_w"], tol=TOL
        )
        return kernel.scores(dual).ravel()
    gram, cross = split.remember(("dense", parameters["gamma"]), kernel.dense)
    table = factor(split, split.tasks)
    gram = gram * table[np.ix_(split.number, split.number)]
    dual = weighted_logistic(gram, y, np.ones((len(y), 1)), parameters["sigma_w"], tol=TOL)
    cross = cross * table[split.wanted][:, split.number][split.column]
    return (cross @ dual).ravel()


def _of_own_task(split: Split, scores: Array) -> Array:
    return np.take_along_axis(scores, split.column[:, None], axis=1).ravel()


GAMMAS = (0.01, 0.1)
SIGMAS_W = (0.5, 2.0, 4.0)


def contenders(
    choices: Mapping[str, str], task_kernels: Mapping[str, Callable]
) -> dict[str, Contender]:
    """Return the methods of Table 1 by name.

    Parameters
    ----------
    choices : mapping
    task_kernels : mapping of str to callable
        Prior knowledge, by name: each gives a variant of the methods that can use it.
    """
    shared = {"gamma": GAMMAS, "sigma_w": SIGMAS_W}
    base = {"gamma": 0.03, "sigma_w": 1.0}
    weighing = {**base, "sigma_v": 1.0, "dirichlet": 1.0}
    weighing_grid = {"gamma": GAMMAS, "sigma_v": (0.3, 3.0), "sigma_w": SIGMAS_W,
                     "dirichlet": (0.1, 10.0)}  # fmt: skip
    if choices["widths"] == "two":
        weighing_grid["softmax_gamma"] = (0.01, 0.03, 0.1)
    partly = {**base, "shared": 1.0}
    partly_grid = {**shared, "shared": (0.3, 3.0, 10.0)}
    by_name = {
        "separate": Contender(separate, base, shared),
        "pooled": Contender(pooled, base, shared),
        "hierarchical kernel": Contender(hierarchical, partly, partly_grid),
        "Gaussian process": Contender(
            gaussian_process,
            {"gamma": 0.03, "covariance_strength": 10.0},
            {"gamma": GAMMAS, "covariance_strength": (100.0,)},
        ),
        "covariate shift": Contender(
            partial(matching, choices=choices, labels=False), weighing, weighing_grid
        ),
        "matching": Contender(partial(matching, choices=choices), weighing, weighing_grid),
    }
    for name, kernel in task_kernels.items():
        by_name |= {
            f"pooled, {name}": Contender(partial(pooled, task_kernel=kernel), base, shared),
            f"hierarchical kernel, {name}": Contender(
                partial(hierarchical, task_kernel=kernel), partly, partly_grid
            ),
            f"matching, {name}": Contender(
                partial(matching, choices=choices, task_kernel=kernel),
                {**weighing, "rho": 0.5},
                {**weighing_grid, "rho": (0.9,)},
            ),
        }
    if choices["width-tuned-for"] == "pooled":
        for name in by_name.keys() - {"pooled"}:
            others = {key: values for key, values in by_name[name].grid.items() if key != "gamma"}
            by_name[name] = replace(by_name[name], grid=others, width_of="pooled")
    return by_name
