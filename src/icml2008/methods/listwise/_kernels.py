"""Compiled losses of lists, and the small network that scores their items.

A list is a run of rows, best item first. Numbers of `KINDS` name the losses; what a loss knows of
the truth beside the order is an array of targets: scores for the cosine loss, top-one
probabilities for the cross entropy, nothing for the likelihood.

The network is linear, ``w . x + b``, or has a layer of hyperbolic tangents, ``v . tanh(W x + c) +
b``. Its parameters are one vector: w and b, or the rows of W, then c, v and b; b comes last, and is
left alone if there is to be none.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit

LIKELIHOOD = 0
COSINE = 1
CROSS_ENTROPY = 2
KINDS = {"likelihood": LIKELIHOOD, "cosine": COSINE, "cross entropy": CROSS_ENTROPY}


@njit(cache=True)
def _likelihood(scores, gradient):
    """Return -log of the Plackett-Luce probability of the order; linear time, never overflows.

    An empty `gradient` is left alone, which saves half of the work.
    """
    n = len(scores)
    # Of each tail: its largest score m_i, and its sum of exp(score - m_i).
    largest = np.empty(n)
    sums = np.empty(n)
    top = -np.inf
    total = 0.0
    loss = 0.0
    for i in range(n - 1, -1, -1):
        if scores[i] > top:
            total = total * math.exp(top - scores[i]) + 1.0
            top = scores[i]
        else:
            total += math.exp(scores[i] - top)
        largest[i] = top
        sums[i] = total
        loss += top + math.log(total) - scores[i]
    if not len(gradient):
        return loss
    # The sum over tails so far of 1 / (sum of exp(score)), in units of exp(-m_i).
    chance = 0.0
    for i in range(n):
        if i > 0:
            chance *= math.exp(largest[i] - largest[i - 1])
        chance += 1.0 / sums[i]
        gradient[i] = chance * math.exp(scores[i] - largest[i]) - 1.0
    return loss


@njit(cache=True)
def weigh_tails(odds, starts, tails, gradient):
    """Write the sum of each tail of odds, exp(score) up to a factor a list, and the gradient.

    The likelihood in two passes, for odds that are at hand and do not vanish.
    """
    for k in range(len(starts) - 1):
        total = 0.0
        chance = 0.0
        for i in range(starts[k + 1] - 1, starts[k] - 1, -1):
            total += odds[i]
            tails[i] = total
        for i in range(starts[k], starts[k + 1]):
            chance += 1.0 / tails[i]
            gradient[i] = chance * odds[i] - 1.0


@njit(cache=True)
def _cosine(scores, targets, gradient):
    """Return half of 1 - cosine; where all scores are 0 the cosine is taken to be 0."""
    n = len(scores)
    product = 0.0
    own = 0.0
    other = 0.0
    for i in range(n):
        product += scores[i] * targets[i]
        own += scores[i] * scores[i]
        other += targets[i] * targets[i]
    if own == 0.0 or other == 0.0:
        gradient[:] = 0.0
        return 0.5
    scale = 1.0 / math.sqrt(own * other)
    for i in range(n):
        gradient[i] = -0.5 * scale * (targets[i] - product / own * scores[i])
    return 0.5 * (1.0 - product * scale)


@njit(cache=True)
def _cross_entropy(scores, probabilities, gradient):
    """Return the cross entropy of top-one probabilities and the soft-max of the scores."""
    top = scores.max()
    total = 0.0
    expected = 0.0
    for i in range(len(scores)):
        gradient[i] = math.exp(scores[i] - top)
        total += gradient[i]
        expected += probabilities[i] * scores[i]
    for i in range(len(scores)):
        gradient[i] = gradient[i] / total - probabilities[i]
    return top + math.log(total) - expected


@njit(cache=True)
def list_loss(kind, scores, targets, gradient):
    """Return the loss of one list and write its gradient in the scores."""
    if kind == LIKELIHOOD:
        return _likelihood(scores, gradient)
    if kind == COSINE:
        return _cosine(scores, targets, gradient)
    return _cross_entropy(scores, targets, gradient)


@njit(cache=True)
def network(X, theta, hidden, scores, layer):
    """Write the scores of rows, and what the hidden layer says of them."""
    n, p = X.shape
    for i in range(n):
        value = theta[-1]
        if hidden == 0:
            for j in range(p):
                value += theta[j] * X[i, j]
        for k in range(hidden):
            inner = theta[hidden * p + k]
            for j in range(p):
                inner += theta[k * p + j] * X[i, j]
            layer[i, k] = math.tanh(inner)
            value += theta[hidden * (p + 1) + k] * layer[i, k]
        scores[i] = value


@njit(cache=True)
def backpropagate(X, theta, hidden, layer, by_score, out):
    """Add to `out` the gradient in the parameters that belongs to one in the scores."""
    n, p = X.shape
    for i in range(n):
        out[-1] += by_score[i]
        if hidden == 0:
            for j in range(p):
                out[j] += by_score[i] * X[i, j]
        for k in range(hidden):
            out[hidden * (p + 1) + k] += by_score[i] * layer[i, k]
            inner = by_score[i] * theta[hidden * (p + 1) + k] * (1.0 - layer[i, k] ** 2)
            out[hidden * p + k] += inner
            for j in range(p):
                out[k * p + j] += inner * X[i, j]


@njit(cache=True)
def total_loss(kind, X, targets, starts, theta, hidden, out):
    """Return the sum of the losses of all lists and write its gradient in the parameters."""
    scores = np.empty(len(X))
    by_score = np.empty(len(X))
    layer = np.empty((len(X), hidden))
    network(X, theta, hidden, scores, layer)
    out[:] = 0.0
    loss = 0.0
    for i in range(len(starts) - 1):
        a = starts[i]
        b = starts[i + 1]
        loss += list_loss(kind, scores[a:b], targets[a:b], by_score[a:b])
    backpropagate(X, theta, hidden, layer, by_score, out)
    return loss


@njit(cache=True)
def descend(kind, X, targets, starts, theta, hidden, bias, rate, tol, max_epochs, losses):
    """Take a step for each list in turn until an epoch changes the mean loss by less than `tol`.

    Changes `theta`, writes the mean loss after each epoch and returns the number of epochs.
    """
    n_lists = len(starts) - 1
    out = np.empty(len(theta))
    scores = np.empty(len(X))
    by_score = np.empty(len(X))
    layer = np.empty((len(X), hidden))
    before = np.inf
    for epoch in range(max_epochs):
        for i in range(n_lists):
            a = starts[i]
            b = starts[i + 1]
            network(X[a:b], theta, hidden, scores[a:b], layer[a:b])
            list_loss(kind, scores[a:b], targets[a:b], by_score[a:b])
            out[:] = 0.0
            backpropagate(X[a:b], theta, hidden, layer[a:b], by_score[a:b], out)
            if not bias:
                out[-1] = 0.0
            theta -= rate * out
        network(X, theta, hidden, scores, layer)
        loss = 0.0
        for i in range(n_lists):
            a = starts[i]
            b = starts[i + 1]
            if kind == LIKELIHOOD:
                # Without room for a gradient none is computed: here only the loss is asked for.
                loss += _likelihood(scores[a:b], by_score[:0])
            else:
                loss += list_loss(kind, scores[a:b], targets[a:b], by_score[a:b])
        loss /= n_lists
        losses[epoch] = loss
        if abs(before - loss) < tol:
            return epoch + 1
        before = loss
    return max_epochs


@njit(cache=True)
def full_cross_entropy(scores, targets, gradient):
    """Return the divergence of two Plackett-Luce distributions over all orders, in n 2^n steps.

    Orders that have picked the same items go on alike: the divergence is the sum, over the sets of
    items still to be placed, of the chance that they are left times the divergence of the two
    choices of the next.
    """
    n = len(scores)
    gradient[:] = 0.0
    chance = np.zeros(2**n)
    chance[2**n - 1] = 1.0
    ours = np.empty(n)
    theirs = np.empty(n)
    loss = 0.0
    # Downwards: what is left later is a subset, a smaller number, so that the chance of each set
    # is complete before it is passed on.
    for left in range(2**n - 1, 0, -1):
        top = -np.inf
        other_top = -np.inf
        for i in range(n):
            if left >> i & 1:
                top = max(top, scores[i])
                other_top = max(other_top, targets[i])
        total = 0.0
        other_total = 0.0
        for i in range(n):
            if left >> i & 1:
                ours[i] = math.exp(scores[i] - top)
                theirs[i] = math.exp(targets[i] - other_top)
                total += ours[i]
                other_total += theirs[i]
        for i in range(n):
            if left >> i & 1:
                p = theirs[i] / other_total
                chance[left - (1 << i)] += chance[left] * p
                gradient[i] += chance[left] * (ours[i] / total - p)
                shift = targets[i] - other_top - math.log(other_total)
                loss += chance[left] * p * (shift - scores[i] + top + math.log(total))
    return loss
