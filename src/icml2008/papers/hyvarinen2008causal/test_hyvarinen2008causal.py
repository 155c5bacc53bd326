from itertools import permutations

import numpy as np
import pytest
from scipy.optimize import linear_sum_assignment

from .experiments import beyond_rounding, disturbances, exponents, lagged, network, series
from .method import (
    SeriesError,
    VARLiNGAM,
    causal_order,
    effects_of_unmixing,
    least_squares_var,
    order_of,
    pruned,
    regressed,
)

DEFAULTS = {"sparse": "up-to-5", "roots": "alike"}


def plain_figure(rng, T, n=10):
    """Return a series, its B0 and B1, and estimates by a plain loop from the text's steps."""
    B = np.zeros((n, n))
    sd = rng.uniform(0.5, 1.5, n)
    for i in range(1, n):
        w = rng.normal(size=i)
        mixed = np.linalg.inv(np.eye(i) - B[:i, :i]) * sd[:i]
        B[i, :i] = w * rng.uniform(0.5, 1.5) / np.linalg.norm(w @ mixed)
    p = rng.permutation(n)
    B = B[np.ix_(p, p)]
    sd = sd[p]
    q = np.where(rng.random(n) < 0.5, rng.uniform(0.5, 0.8, n), rng.uniform(1.2, 2, n))
    z = rng.normal(size=(n, T))
    e = np.sign(z) * abs(z) ** q[:, None]
    e = (e - e.mean(1, keepdims=True)) / e.std(1, keepdims=True) * sd[:, None]
    M = rng.normal(size=(n, n))
    M *= 0.98 / np.linalg.norm(M, 2)
    x = np.zeros((n, T))
    innovations = np.linalg.solve(np.eye(n) - B, e)
    for t in range(1, T):
        x[:, t] = M @ x[:, t - 1] + innovations[:, t]
    now, before = (part - part.mean(1, keepdims=True) for part in (x[:, 1:], x[:, :-1]))
    coefs = np.linalg.lstsq(before.T, now.T)[0].T
    left = now - coefs @ before
    d, E = np.linalg.eigh(left @ left.T / left.shape[1])
    V = (E / np.sqrt(d)) @ E.T
    Z = V @ left
    W = np.eye(n)
    for _ in range(200):
        g = np.tanh(W @ Z)
        U, _, Vt = np.linalg.svd(g @ Z.T / Z.shape[1] - np.diag((1 - g**2).mean(1)) @ W)
        W = U @ Vt
    rows, places = linear_sum_assignment(1 / abs(W @ V))
    ordered = (W @ V)[rows][np.argsort(places)]
    raw = np.eye(n) - ordered / np.diag(ordered)[:, None]
    return x.T, B, (np.eye(n) - B) @ M, raw, (np.eye(n) - raw) @ coefs, coefs


def test_a_plain_loop_finds_the_same_estimates_and_the_order_of_figure_1():
    rng = np.random.default_rng(0)
    means = {}
    for T in (300, 1000):
        apart = []
        for _ in range(5):
            x, B0, B1, b0, b1, m1 = plain_figure(rng, T)
            ours = VARLiNGAM(effects="ica", tol=1e-14, random_state=0).fit(x).effects_
            same = np.abs(ours - [b0, b1]).max() < 1e-6
            apart.append([*(np.abs(A).mean() for A in (b0 - B0, b1 - B1, m1 - B1)), same])
        means[T] = np.mean(apart, axis=0)
    assert means[1000][3] == 1
    assert means[300][3] >= 0.8  # the rest has another optimum of ICA
    assert (means[1000][:2] < means[300][:2]).all()
    assert all(b1 < m1 for _, b1, m1, _ in means.values())


# lingam 1.13.0: VARLiNGAM(lags=1, criterion=None, prune=False, ar_coefs=M, lingam_model=...) with M
# of statsmodels' VAR with a constant, and ICALiNGAM(random_state=0) that returns the matrix from
# which it takes its order in place of an adaptive lasso in that order.
LINGAM = """
 0.         -0.08713358  0.56842201  0.81976833  0.         -0.06628894
-0.00574091  0.0070865   0.          0.3813144   0.06970719 -0.18109205
-0.34587324  0.43930704  0.0667495   0.00257731  0.00264425  0.31269031"""


def test_lingam_and_statsmodels_find_the_same():
    e = np.random.default_rng(0).laplace(size=(400, 3))
    x = series(np.array([[0, 0, 0.5], [0.8, 0, 0], [0, 0, 0]]), 0.4 * np.eye(3)[None], e)
    model = VARLiNGAM(effects="ica", tol=1e-4, random_state=0).fit(x)
    assert model.effects_.ravel() == pytest.approx(np.fromstring(LINGAM, sep=" "), abs=1e-8)
    assert model.causal_order_.tolist() == [2, 0, 1]
    var = pytest.importorskip("statsmodels.tsa.api").VAR(x).fit(2, trend="c")
    M, residuals = least_squares_var(x, 2)
    np.testing.assert_allclose(M, var.coefs, atol=1e-10)
    np.testing.assert_allclose(residuals, var.resid, atol=1e-10)


@pytest.mark.parametrize("n", [2, 4, 6])
def test_rows_and_order_are_the_best_of_all_permutations(n):
    rng = np.random.default_rng(n)
    W = rng.normal(size=(n, n))
    every = [list(p) for p in permutations(range(n))]
    best = W[min(every, key=lambda p: np.sum(1 / np.abs(np.diag(W[p]))))]
    B = effects_of_unmixing(W)
    np.testing.assert_allclose(B, np.eye(n) - best / np.diag(best)[:, None])
    order = causal_order(B)
    smallest = np.sort(np.abs(B), axis=None)

    def kept(p):  # the largest entry that goes backward
        return np.abs(np.triu(B[np.ix_(p, p)])).max()

    least = max(min(map(kept, every)), smallest[n * (n + 1) // 2 - 1])
    assert max(kept(order), smallest[n * (n + 1) // 2 - 1]) == least


def test_effects_that_go_round_have_no_order():
    assert order_of(np.array([[False, True], [True, False]])) is None


def test_regression_in_an_order_is_least_squares_and_pruning_leaves_strong_effects():
    rng = np.random.default_rng(0)
    order = [2, 0, 1]
    e = rng.laplace(size=(1000, 3))
    r = e @ np.array([[1, 0.8, 0], [0, 1, 0], [0, 0, 1]]) + 5  # series 0 has an effect on 1
    centred = r - r.mean(axis=0)
    B = regressed(r, order)
    for place, i in enumerate(order):
        before = order[:place]
        coefs = np.linalg.lstsq(centred[:, before], centred[:, i])[0]
        np.testing.assert_allclose(B[i, before], coefs, atol=1e-12)
        assert not B[i, order[place:]].any()
    kept = pruned(r, order)
    assert np.argwhere(kept).tolist() == [[1, 0]]
    assert kept[1, 0] == pytest.approx(0.8, abs=0.1)


def test_the_default_is_nearer_to_the_truth_than_the_printed_unmixing():
    rng = np.random.default_rng(0)
    apart = {"regressed": [], "ica": []}
    for _ in range(10):
        x, B0, *_ = plain_figure(rng, 1000, 5)
        assert VARLiNGAM().effects == "regressed"
        for effects, distances in apart.items():
            model = VARLiNGAM(effects=effects, random_state=0).fit(x)
            distances.append(np.abs(model.effects_[0] - B0).mean())
    assert np.median(apart["regressed"]) < 0.7 * np.median(apart["ica"])


@pytest.mark.parametrize("density", ["full", "sparse"])
def test_a_network_has_the_standard_deviations_of_section_6(density):
    rng = np.random.default_rng(0)
    B, sd = network(rng, density, DEFAULTS)
    innovations = rng.normal(size=(100000, 10)) * sd @ np.linalg.inv(np.eye(10) - B).T
    owing = (innovations @ B.T).std(axis=0)[B.any(axis=1)]
    assert not np.triu(B).any()
    assert 0.49 < owing.min() <= owing.max() < 1.52
    assert (np.count_nonzero(B) == 45) == (density == "full")


def test_exponents_norms_and_disturbances_are_those_of_section_6():
    rng = np.random.default_rng(0)
    for law in ("union", "coin"):
        q = np.sort(exponents(rng, law, 5000))
        sub = np.mean(q < 1)
        assert sub == pytest.approx(3 / 11 if law == "union" else 0.5, abs=0.03)
        assert 0.5 <= q[0] <= q[q < 1][-1] <= 0.8 < 1.2 <= q[q > 1][0] <= q[-1] <= 2
    assert all(np.linalg.norm(lagged(rng, law), 2) < 0.99 for law in ("uniform", "just-below"))
    assert np.abs(np.linalg.eigvals(lagged(rng, "radius"))).max() < 0.99
    e = disturbances(rng, np.array([0.5, 2.0]), 100000)
    # Excess kurtosis of sign(z)|z|^q: E|z|^4q / (E|z|^2q)^2 - 3
    assert (e**4).mean(axis=0) - 3 == pytest.approx([-1.43, 8.67], abs=0.9)


def test_a_printed_matrix_beyond_rounding_is_seen():
    printed = {"M1": [["0.5", "0.1"], ["0.1", "0.5"]], "B0": [["0", "0.2"], ["0.2", "0"]]}
    for entry, beyond in (("0.00", False), ("0.05", False), ("0.19", True)):  # 0.1 - 0.2 0.5
        B1 = [["0.48", entry], ["0.00", "0.48"]]
        assert (beyond_rounding({**printed, "B1": B1}) > 0) == beyond


LAPLACE = np.random.default_rng(0).laplace(size=(40, 3))


@pytest.mark.parametrize(
    ("how", "X", "message"),
    [
        ({"effects": "both"}, LAPLACE, "effects is 'both'; it is one of ica, ordered"),
        ({"lags": -1}, LAPLACE, "lags is -1; it is a whole number"),
        ({}, LAPLACE[:7], "7 times are too few for 3 series and lags=1; 8 would do"),
        ({"effects": "pruned"}, LAPLACE, "41 would do"),
        ({}, np.c_[LAPLACE, LAPLACE[:, :1] + 7], "a series follows from the others"),
        ({}, np.c_[LAPLACE, np.ones(40)], "a series follows from the others"),
    ],
)
def test_what_cannot_be_fitted_is_refused(how, X, message):
    with pytest.raises(SeriesError, match=message):
        VARLiNGAM(**how).fit(X)
