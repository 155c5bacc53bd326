"""Tasks: their labels, their frequency, and what is known beforehand about their similarity."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

TaskKernel = Callable[[Sequence[Hashable], Sequence[Hashable]], ArrayLike]

# symmetry and range of task kernels are checked up to rounding
_ROUNDING = 1e-8


def number_tasks(
    task: Iterable[Hashable], n_examples: int, further: Iterable[Hashable] | None = None
) -> tuple[list, NDArray[np.intp]]:
    """Number the tasks of `n_examples` examples in order of first appearance.

    Parameters
    ----------
    task : iterable of n_examples hashable labels
        Neither None nor NaN.
    n_examples : int
    further : iterable of hashable labels, optional
        Tasks that need have no examples; new ones are appended.

    Returns
    -------
    tasks : list
    number : ndarray of int, shape (n_examples,)

    Raises
    ------
    ValueError
        If the number of labels is another, or one is missing.
    TypeError
        If a label is not hashable.

    Examples
    --------
    >>> number_tasks(["b", "a", "b"], 3, further=["c", "a"])
    (['b', 'a', 'c'], array([0, 1, 0]))
    """
    labels = _labels(task, n_examples)
    seen: dict = {}
    number = np.array([seen.setdefault(label, len(seen)) for label in labels], dtype=np.intp)
    for label in _labels(further if further is not None else ()):
        seen.setdefault(label, len(seen))
    return list(seen), number


def locate_tasks(
    task: Iterable[Hashable], n_examples: int, tasks: Sequence[Hashable]
) -> NDArray[np.intp]:
    """Return each example's position in `tasks`, -1 where its task is not there.

    Examples
    --------
    >>> locate_tasks(["c", "a"], 2, ["a", "b"])
    array([-1,  0])
    """
    position = {label: i for i, label in enumerate(tasks)}
    return np.array([position.get(label, -1) for label in _labels(task, n_examples)], dtype=np.intp)


def task_prior(counts: ArrayLike, dirichlet: float) -> NDArray[np.float64]:
    """Estimate p(t) with a symmetric Dirichlet prior.

    Parameters
    ----------
    counts : array-like of shape (n_tasks,)
        Examples of each task.
    dirichlet : float
        Examples added to each task, at least 0; above 0 if a task has none.

    Returns
    -------
    ndarray of shape (n_tasks,)
        ``(counts + dirichlet) / sum(counts + dirichlet)``, positive.

    Raises
    ------
    ValueError
        If a task would have no probability.

    References
    ----------
    Bickel et al. (2008), section 5.3.

    Examples
    --------
    >>> task_prior([2, 1, 0], dirichlet=1)
    array([0.5       , 0.33333333, 0.16666667])
    """
    smoothed = np.asarray(counts, dtype=np.float64) + dirichlet
    if (smoothed <= 0).any():
        msg = (
            f"task number {int(np.argmin(smoothed))} has no examples, so that its weights would be "
            f"infinite with dirichlet={dirichlet!r}; set dirichlet above 0, or leave the task out"
        )
        raise ValueError(msg)
    return smoothed / smoothed.sum()


def task_covariance(
    tasks: Sequence[Hashable], kernel: TaskKernel | None, sigma: float, rho: float
) -> NDArray[np.float64]:
    """Return the prior covariance between the parameters of tasks.

    Parameters
    ----------
    tasks : sequence of hashable
    kernel : callable or None
        ``kernel(tasks, others)`` gives similarities in [0, 1], of shape (n_tasks, n_others).
    sigma : float
        Prior standard deviation, positive.
    rho : float
        Correlation of tasks of similarity 1, in [0, 1).

    Returns
    -------
    ndarray of shape (n_tasks,) without kernel, else (n_tasks, n_tasks)
        ``sigma**2`` on the diagonal (all of it in the first case), ``kernel * rho * sigma**2``
        beside it; positive definite.

    Raises
    ------
    ValueError
        If the similarities have another shape, are not in [0, 1], or not symmetric.

    References
    ----------
    Bickel et al. (2008), section 4.2.

    Examples
    --------
    >>> equal = lambda tasks, others: np.ones((len(tasks), len(others)))
    >>> task_covariance(["a", "b"], equal, sigma=2.0, rho=0.5)
    array([[4., 2.],
           [2., 4.]])
    """
    if kernel is None:
        return np.full(len(tasks), float(sigma) ** 2)
    similarity = similarities(kernel, tasks, tasks)
    outside = (similarity < -_ROUNDING) | (similarity > 1 + _ROUNDING)
    if outside.any():
        msg = (
            "the task kernel must give similarities from 0 to 1, found "
            f"{similarity[outside][0]:.3g}; divide by the square roots of the diagonal"
        )
        raise ValueError(msg)
    if not np.allclose(similarity, similarity.T, rtol=0, atol=_ROUNDING):
        msg = "the task kernel must be symmetric: kernel(a, b) == kernel(b, a).T"
        raise ValueError(msg)
    correlation = rho * (similarity + similarity.T) / 2
    np.fill_diagonal(correlation, 1.0)
    return sigma**2 * correlation


def similarities(
    kernel: TaskKernel, tasks: Sequence[Hashable], others: Sequence[Hashable]
) -> NDArray[np.float64]:
    """Return ``kernel(tasks, others)`` as a matrix, or say what is wrong with it."""
    values = np.asarray(kernel(tasks, others), dtype=np.float64)
    if values.shape != (len(tasks), len(others)):
        msg = (
            f"the task kernel gave an array of shape {values.shape} for {len(tasks)} and "
            f"{len(others)} tasks, expected {(len(tasks), len(others))}"
        )
        raise ValueError(msg)
    if not np.isfinite(values).all():
        msg = "the task kernel gave a value that is infinite or not a number"
        raise ValueError(msg)
    return values


def _labels(task: Iterable[Hashable], n_examples: int | None = None) -> list:
    labels = task.tolist() if isinstance(task, np.ndarray) else list(task)
    if n_examples is not None and len(labels) != n_examples:
        msg = f"task has {len(labels)} labels, expected one for each of {n_examples} examples"
        raise ValueError(msg)
    for i, label in enumerate(labels):
        # NaN is the only value unequal to itself
        if label is None or (isinstance(label, float) and label != label):
            msg = f"task has a missing label (None or NaN) at example {i}"
            raise ValueError(msg)
        if not isinstance(label, Hashable):
            msg = (
                f"task labels must be hashable, found {label!r} at example {i}; "
                "turn rows of an array into tuples"
            )
            raise TypeError(msg)
    return labels
