"""One-vs-rest support vector machines on Gram matrices, and what cross-validation makes of them.

Nested cross-validation of a table of kernels needs some 100,000 machines of 64 to 800 drawings. Ten
classes and all values of C share one Gram matrix here and C rises from solution to solution, which
takes a tenth of the time that a library call for each takes.
"""

from __future__ import annotations

import numpy as np
from numba import njit
from numpy.typing import NDArray

C_GRID = np.array([1.0, 10.0, 100.0])
N_FOLDS = 5
_GAP = 1e-3  # of the optimality conditions, as is the custom

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


@njit(cache=True)
def fit_machine(gram, signs, C, weights, residuals):
    """Maximise the dual of the 1-norm soft margin machine by steps in two variables.

    The pair of steepest ascent is chosen to second order (Fan, Chen and Lin 2005).

    Parameters
    ----------
    gram : float64 array of shape (n, n)
    signs : float64 array of shape (n,)
        1 or -1.
    C : float
        Largest absolute weight.
    weights, residuals : float64 arrays of shape (n,)
        A feasible start, sum(weights) = 0, and signs - gram @ weights; changed to the solution.

    Returns
    -------
    float
        The bias: a drawing is scored by gram @ weights + bias.
    """
    lower = np.minimum(0.0, C * signs)
    upper = np.maximum(0.0, C * signs)
    diagonal = np.diag(gram).copy()
    bias = 0.0
    for _ in range(10_000 * signs.size):
        i = -1
        high = -np.inf
        low = np.inf
        for k in range(signs.size):
            here = residuals[k]
            if here > high and weights[k] < upper[k]:
                i = k
                high = here
            if here < low and weights[k] > lower[k]:
                low = here
        bias = (high + low) / 2
        if high - low < _GAP:
            break
        row = gram[i]
        own = diagonal[i]
        j = -1
        best = 0.0
        width = 1.0
        for k in range(signs.size):
            # Products are compared: a quotient is taken only of the best so far.
            gap = high - residuals[k]
            curve = own + diagonal[k] - 2 * row[k]
            if gap > 0 and gap * gap > best * curve and weights[k] > lower[k]:
                # Of drawings that are alike the curve is 0 or, by rounding, below: such a pair
                # steps to a bound.
                width = max(curve, 1e-12)
                j = k
                best = gap * gap / width
        step = min((high - residuals[j]) / width, upper[i] - weights[i], weights[j] - lower[j])
        weights[i] += step
        weights[j] -= step
        other = gram[j]
        for k in range(signs.size):
            residuals[k] -= step * (row[k] - other[k])
    return bias


@njit(cache=True)
def predict_one_vs_rest(gram, cross, y, n_classes, Cs):
    """Return the predicted classes for each C, (n_C, n_test).

    Parameters
    ----------
    gram, cross : float64 arrays of shape (n_train, n_train) and (n_test, n_train)
    y : int64 array of shape (n_train,)
        Classes 0, ..., n_classes - 1.
    Cs : float64 array of shape (n_C,)
        Increasing: each solution starts from the one before.
    """
    scores = np.empty((Cs.size, n_classes, len(cross)))
    for label in range(n_classes):
        signs = np.where(y == label, 1.0, -1.0)
        weights = np.zeros(y.size)
        residuals = signs.copy()
        for c in range(Cs.size):
            bias = fit_machine(gram, signs, Cs[c], weights, residuals)
            scores[c, label] = cross @ weights + bias
    predicted = np.empty((Cs.size, len(cross)), np.int64)
    for c in range(Cs.size):
        for t in range(len(cross)):
            predicted[c, t] = np.argmax(scores[c, :, t])
    return predicted


def draw_folds(y: Ints, rng: np.random.Generator, stratified: bool = True) -> Ints:
    """Return the number of each drawing's fold; with equal shares of each class if stratified."""
    order = rng.permutation(y.size)
    if stratified:
        order = order[np.argsort(y[order], kind="stable")]
    folds = np.empty(y.size, np.int64)
    folds[order] = np.arange(y.size) % N_FOLDS
    return folds


def count_errors(gram: Floats, y: Ints, folds: Ints) -> Ints:
    """Return the number of errors of cross-validation for each C, (n_C,)."""
    errors = np.zeros(C_GRID.size, np.int64)
    for fold in range(N_FOLDS):
        train = np.flatnonzero(folds != fold)
        test = np.flatnonzero(folds == fold)
        errors += np.sum(_predicted(gram, y, train, test, C_GRID) != y[test], axis=1)
    return errors


def nested_hits(
    grams: Floats, y: Ints, rng: np.random.Generator, stratified: bool = True
) -> NDArray[np.bool_]:
    """Return for each drawing whether it is classified rightly where it is tested.

    In each of five outer folds, the Gram matrix and C with the fewest errors over five inner folds
    of the rest (the first of equals) are used on the whole rest.

    Parameters
    ----------
    grams : float64 array of shape (n_settings, n, n)
    y : int64 array of shape (n,)
    rng : numpy.random.Generator
        Of the folds.
    stratified : bool, default=True
    """
    hits = np.empty(y.size, bool)
    outer = draw_folds(y, rng, stratified)
    for fold in range(N_FOLDS):
        train = np.flatnonzero(outer != fold)
        test = np.flatnonzero(outer == fold)
        inner = draw_folds(y[train], rng, stratified)
        rest = np.ix_(train, train)
        errors = np.array([count_errors(gram[rest], y[train], inner) for gram in grams])
        setting, c = np.unravel_index(np.argmin(errors), errors.shape)
        hits[test] = _predicted(grams[setting], y, train, test, C_GRID[c : c + 1])[0] == y[test]
    return hits


def _predicted(gram: Floats, y: Ints, train: Ints, test: Ints, Cs: Floats) -> Ints:
    inside = gram[np.ix_(train, train)]
    across = gram[np.ix_(test, train)]
    return predict_one_vs_rest(inside, across, y[train], int(y.max()) + 1, Cs)
