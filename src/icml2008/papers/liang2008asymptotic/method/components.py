"""Components of a composite likelihood: partitions of finitely many outcomes, with weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array = NDArray[np.float64]
Labels = NDArray[np.intp]


@dataclass(frozen=True)
class Partition:
    """Outcomes gathered into blocks, laid out for sums over each block.

    Attributes
    ----------
    order : ndarray of shape (n_outcomes,)
        Outcomes, block after block.
    starts : ndarray of shape (n_blocks,)
        Where each block begins in `order`.
    block_of : ndarray of shape (n_outcomes,)
        The block of each outcome.
    """

    order: Labels
    starts: Labels
    block_of: Labels

    @classmethod
    def of(cls, labels: ArrayLike) -> Partition:
        """Gather the outcomes of equal label."""
        _, block_of = np.unique(np.asarray(labels), return_inverse=True)
        order = np.argsort(block_of, kind="stable")
        starts = np.flatnonzero(np.diff(block_of[order], prepend=-1))
        return cls(order, starts, block_of)

    def sums(self, values: Array) -> Array:
        """Return sums over blocks along the last axis, shape (..., n_blocks)."""
        return np.add.reduceat(values[..., self.order], self.starts, axis=-1)

    def within(self, logits: Array) -> tuple[Array, Array]:
        """Return log-partition functions A(theta; block) and probabilities given the block.

        Parameters
        ----------
        logits : ndarray of shape (..., n_outcomes)

        Returns
        -------
        log_partition : ndarray of shape (..., n_blocks)
        probabilities : ndarray of shape (..., n_outcomes)
        """
        largest = np.maximum.reduceat(logits[..., self.order], self.starts, axis=-1)
        weights = np.exp(logits - largest[..., self.block_of])
        totals = self.sums(weights)
        return largest + np.log(totals), weights / totals[..., self.block_of]


@dataclass(frozen=True, eq=False)
class Components:
    """The components of a composite likelihood.

    Each component partitions the outcomes into blocks and contributes, with its weight, the log
    probability of an outcome given its block.

    Parameters
    ----------
    labels : array_like of shape (n_components, n_outcomes)
        In each row, outcomes of equal label are one block.
    weights : array_like of shape (n_components,), optional
        Non-negative; divided by their sum. Equal by default.

    Raises
    ------
    ValueError
        If the shapes do not fit, or a weight is negative, or all are 0.

    References
    ----------
    Liang and Jordan (2008), Definition 1 and Eqs. 3-4. Lindsay (1988).

    Examples
    --------
    >>> two = Components([[0, 0, 1], [0, 1, 1]])
    >>> two.weights
    array([0.5, 0.5])
    """

    labels: ArrayLike
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        labels = np.atleast_2d(np.asarray(self.labels))
        given = np.ones(len(labels)) if self.weights is None else self.weights
        weights = np.asarray(given, dtype=float)
        if labels.ndim != 2 or weights.shape != labels.shape[:1]:
            msg = (
                "labels must be (n_components, n_outcomes) with one weight a component, found "
                f"shapes {labels.shape} and {weights.shape}"
            )
            raise ValueError(msg)
        if not (weights >= 0).all() or not 0 < weights.sum() < np.inf:
            msg = f"weights must be finite, non-negative and not all 0, found {weights.tolist()}"
            raise ValueError(msg)
        object.__setattr__(self, "labels", labels)
        object.__setattr__(self, "weights", weights / weights.sum())

    @cached_property
    def partitions(self) -> tuple[Partition, ...]:
        """The partition of each component."""
        return tuple(Partition.of(row) for row in self.labels)

    def __iter__(self):
        return iter(zip(self.weights, self.partitions, strict=True))


def _agreeing(outcomes: ArrayLike, columns: Sequence[int]) -> Labels:
    """Return labels that are equal for outcomes that agree in the columns."""
    table = np.asarray(outcomes)
    if table.ndim != 2:
        msg = f"outcomes must be a table (n_outcomes, n_variables), found shape {table.shape}"
        raise ValueError(msg)
    if not len(columns):
        return np.zeros(len(table), dtype=np.intp)
    return np.unique(table[:, list(columns)], axis=0, return_inverse=True)[1].reshape(-1)


def joint(outcomes: ArrayLike) -> Components:
    """Return the one component of the joint likelihood: all outcomes are one block.

    Parameters
    ----------
    outcomes : array_like of shape (n_outcomes, n_variables)
    """
    return Components(_agreeing(outcomes, []))


def conditional(outcomes: ArrayLike, inputs: Sequence[int]) -> Components:
    """Return the one component of the conditional likelihood: blocks share their inputs.

    Parameters
    ----------
    outcomes : array_like of shape (n_outcomes, n_variables)
    inputs : sequence of int
        Columns to condition on.
    """
    return Components(_agreeing(outcomes, inputs))


def pseudolikelihood(outcomes: ArrayLike, outputs: Sequence[int]) -> Components:
    """Return one component an output: each given all other variables, inputs included.

    Parameters
    ----------
    outcomes : array_like of shape (n_outcomes, n_variables)
    outputs : sequence of int
        Columns that are predicted; all columns give Besag's pseudolikelihood.

    Examples
    --------
    >>> import itertools
    >>> bits = list(itertools.product([0, 1], repeat=2))
    >>> pseudolikelihood(bits, outputs=[0, 1]).labels
    array([[0, 1, 0, 1],
           [0, 0, 1, 1]])
    """
    n_variables = np.shape(outcomes)[1]
    others = [[v for v in range(n_variables) if v != output] for output in outputs]
    return Components(np.array([_agreeing(outcomes, columns) for columns in others]))
