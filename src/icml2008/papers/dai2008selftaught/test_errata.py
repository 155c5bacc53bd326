"""Errata of the paper that a small computation settles."""

import numpy as np


def clustered(joint, rows, columns, shape):
    """Return the sums of a joint distribution over clusters of rows and of columns."""
    sums = np.zeros(shape)
    np.add.at(sums, (rows[:, None], columns), joint)
    return sums


def rows_given(sums, columns, marginal):
    """Return, for each cluster of rows, dai2008selftaught's approximate p(column | cluster)."""
    with np.errstate(invalid="ignore", divide="ignore"):
        return sums[:, columns] / sums.sum(axis=1)[:, None] * (marginal / sums.sum(axis=0)[columns])


def divergences(joint, conditionals):
    """Return p(row) D(p(. | row) || conditional) of each row and each conditional."""
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = joint[:, None] / joint.sum(axis=1)[:, None, None] / conditionals
        sums = np.sum(joint[:, None] * np.log(ratio), axis=2)
    return np.where(np.isfinite(sums), sums, np.inf)


def self_taught_pass(p, q, x, y, z, anew):
    """Return the clusters after one pass of Algorithm 1, and the objective, lambda = 1.

    With ``anew`` the approximations are made of the newest clusters before each update.
    """

    def sums(x, y, z):
        return clustered(p, x, z, (2, 3)), clustered(q, y, z, (2, 3))

    old = (x, y)
    (of_p, of_q) = sums(x, y, z)
    x = divergences(p, rows_given(of_p, z, p.sum(axis=0))).argmin(axis=1)
    y = divergences(q, rows_given(of_q, z, q.sum(axis=0))).argmin(axis=1)
    if anew:
        old = (x, y)
        (of_p, of_q) = sums(x, y, z)
    of_z = divergences(p.T, rows_given(of_p.T, old[0], p.sum(axis=1)))
    of_z += divergences(q.T, rows_given(of_q.T, old[1], q.sum(axis=1)))
    z = of_z.argmin(axis=1)
    return x, y, z, self_taught_objective(p, q, x, y, z)


def self_taught_objective(p, q, x, y, z):
    """Return dai2008selftaught's Eq. 17, lambda = 1."""
    return sum(
        divergences(joint, rows_given(clustered(joint, rows, z, (2, 3)), z, joint.sum(axis=0)))[
            np.arange(len(rows)), rows
        ].sum()
        for joint, rows in ((p, x), (q, y))
    )


def test_updates_from_one_approximation_may_ascend():
    """dai2008selftaught, Theorem 1: descent needs approximations computed anew."""
    ascents = {False: 0, True: 0}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        p, q = rng.dirichlet(np.full(24, 0.5), size=2).reshape(2, 4, 6)
        x = rng.permutation([0, 0, 1, 1])
        y = rng.permutation([0, 0, 1, 1])
        z = rng.permutation([0, 0, 1, 1, 2, 2])
        before = self_taught_objective(p, q, x, y, z)
        for anew in ascents:
            ascents[anew] += self_taught_pass(p, q, x, y, z, anew)[-1] > before + 1e-9
    assert ascents == {False: 2, True: 0}
