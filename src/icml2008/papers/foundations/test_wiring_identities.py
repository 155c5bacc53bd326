"""What trials of the lectures' identities record, of methods that are off by a known part."""

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.spatial.distance import pdist, squareform
from scipy.stats import spearmanr
from sklearn.kernel_ridge import KernelRidge
from sklearn.manifold import trustworthiness
from sklearn.metrics import adjusted_rand_score
from sklearn.metrics.pairwise import linear_kernel, rbf_kernel

from wiring import wire

from . import experiments, features, linear, manifold, mixtures
from .samples import blobs, orthonormal


@pytest.mark.parametrize("power", [1, 2])
def test_a_centre_that_is_half_a_unit_off_is_behind_others_and_pairs_do_not_see_it(power):
    def off(part, axis):
        return part.mean(axis=axis) + 0.5

    seen = wire(experiments.centres_of_clusters, methods={"mine": lambda: (off, power)})
    rng = seen.rng("samples")
    X = rng.normal(size=(101, 3))
    labels = rng.permutation(np.arange(101) % 4)
    behind = []
    costs = 0
    within = 0
    for k in range(4):
        part = X[labels == k]
        at = part.mean(axis=0) + 0.5
        cost = sum(sum(abs(row - at) ** power) for row in part)
        for size in 10.0 ** rng.uniform(-4, 0, size=50):
            other = at + size * rng.normal(size=3)
            behind.append(1 - sum(sum(abs(row - other) ** power) for row in part) / cost)
        costs += cost
        within += ((part - part.mean(axis=0)) ** 2).sum()
    expected = {"excess": pytest.approx(max(behind))}
    if power == 2:
        expected["identity_error"] = pytest.approx(1 - within / costs)
    assert seen["mine"] == expected
    assert max(behind) > 0.05
    assert seen.n_test["mine"]["excess"] == 200


def test_clusterings_are_of_n_objects_into_four_and_their_digits_a_logarithm():
    methods = {"mine": lambda: lambda n, k: 10 ** (n - k)}
    assert wire(experiments.clusterings, {"n": 10}, methods=methods)["mine"] == {
        "clusterings": 10**6,
        "digits": 6,
    }


@pytest.mark.parametrize("d", [1, 3])
def test_the_mass_is_the_integral_of_the_kernel_over_the_constant(d):
    methods = {"mine": lambda: lambda dimension, h: 10 * dimension + h}
    seen = wire(experiments.mass_of_the_estimate, {"dimension": d}, methods=methods)
    # The integral of exp(-x^2 / 2h) over a line is the root of 2 pi h, and h is a half.
    assert seen["mine"] == {"mass": pytest.approx(np.pi ** (d / 2) / (10 * d + 0.5))}


def test_zeros_and_errors_are_followed_along_growing_penalties(monkeypatch):
    asked = []

    def path(X, y, *, alphas, **how):
        """Return coefficients, the most penalised first, with a zero less each time."""
        asked.append(alphas)
        return None, np.array([[0.1 * (d < p) for p in range(60)] for d in range(40)])

    monkeypatch.setattr(features, "lasso_path", path)
    monkeypatch.setattr(features, "ridge_regression", lambda X, y, p: np.full(40, p / 1e4))
    methods = {"lasso": lambda: "l1", "ridge": lambda: "l2"}
    seen = wire(experiments.penalty_path, methods=methods)
    rng = seen.rng("samples")
    X, y, _ = features.sparse_problem(rng, 80, 40, 5, 1.0)
    most = 2 * abs(X.T @ y).max()
    np.testing.assert_allclose(asked[0][[0, -1]], [most * 1e-3 / 160, most * 0.999 / 160])
    betas = {
        "lasso": [np.array([0.1] * p + [0] * (40 - p)) for p in [*[40] * 20, *range(39, -1, -1)]],
        "ridge": [np.full(40, p * 160 / 1e4) for p in asked[0]],
    }
    for name, along in betas.items():
        errors = [((y - X @ beta) ** 2).sum() for beta in along]
        falls = [before - after for before, after in zip(errors, errors[1:], strict=False)]
        assert seen[name]["fall"] == pytest.approx(max(0, *falls) / (y @ y))
        assert seen.n_test[name]["fall"] == 60
    zeros = [np.mean(beta == 0) for beta in betas["lasso"]]
    assert seen["lasso"]["zeros"] == pytest.approx(100 * np.mean(zeros))
    assert seen["lasso"]["trend"] == pytest.approx(spearmanr(range(60), zeros).statistic)
    assert (seen["ridge"]["zeros"], seen["ridge"]["trend"]) == (0, 0)
    ahead = [0]
    for beta in betas["lasso"][::6]:
        error = ((y - X @ beta) ** 2).sum()
        for size in 10.0 ** rng.uniform(-4, 0, size=20):
            other = beta + size * rng.normal(size=40)
            other *= min(1, abs(beta).sum() / abs(other).sum())
            ahead.append((error - ((y - X @ other) ** 2).sum()) / (y @ y))
    assert seen["lasso"]["excess"] == pytest.approx(max(ahead))
    assert seen.n_test["lasso"]["excess"] == 200
    assert "excess" not in seen["ridge"]


class FirstAxes:
    """Takes the first axes for the principal components."""

    def __init__(self, n_components):
        self.components_ = np.eye(12)[:n_components]

    def fit(self, X):
        return self


def test_a_basis_is_measured_against_others_eigenvalues_and_singular_vectors():
    seen = wire(
        experiments.principal_components, {"dataset": "gaussian"}, methods={"mine": FirstAxes}
    )
    given = linear.rows(seen.trial)
    X = given - given.mean(axis=0)
    total = (X**2).sum()
    eigenvalues = sorted(np.linalg.eigvalsh(X.T @ X), reverse=True)
    rng = seen.rng("rivals")
    behind = []
    identities = []
    offsets = []
    ratios = []
    for M in (1, 2, 4, 8):
        A = np.eye(12)[:, :M]
        error = (X[:, M:] ** 2).sum()
        turns = 10.0 ** rng.uniform(-3, 0, size=30)
        others = [orthonormal(rng, 12, M) for _ in range(30)]
        others += [np.linalg.qr(A + t * rng.normal(size=A.shape))[0] for t in turns]
        behind += [error - total + ((X @ B) ** 2).sum() for B in others]
        identities.append(error - sum(eigenvalues[M:]))
        ratios.append(error / (300 * sum(eigenvalues[M:])))
        shift = rng.normal(size=12)
        offsets.append(-300 * (shift[M:] ** 2).sum())
    vectors = np.linalg.eigh(X.T @ X)[1][:, ::-1]
    assert seen["mine"] == {
        "excess": pytest.approx(max(behind) / total),
        "identity_error": pytest.approx(max(identities) / total),
        "offset_excess": pytest.approx(max(0, *offsets), abs=1e-12),
        "svd_error": pytest.approx(1 - min(abs(vectors[k, k]) for k in range(8))),
        "printed_ratio": pytest.approx(np.mean(ratios)),
    }
    assert seen.n_test["mine"]["excess"] == 4 * 60
    assert seen.n_test["mine"]["offset_excess"] == 2 * 4


class FirstTwo:
    """Embeds points by their first two coordinates, centred."""

    def __init__(self, n_components):
        assert n_components == 2

    def fit_transform(self, Z):
        return Z[:, :2] - Z[:, :2].mean(axis=0)


def test_an_embedding_is_measured_by_inner_products_components_and_the_rank_of_distances():
    seen = wire(experiments.scaling_of_distances, {"dimension": 5}, methods={"mine": FirstTwo})
    rng = seen.rng("points")
    Z = rng.normal(size=(60, 5)) * 0.8 ** np.arange(5)
    centred = Z - Z.mean(axis=0)
    X = centred[:, :2]

    def loss(points):
        return np.linalg.norm(points @ points.T - centred @ centred.T)

    behind = [0]
    for _ in range(50):
        rival = X + 10.0 ** rng.uniform(-3, 0) * rng.normal(size=X.shape)
        behind.append((loss(X) - loss(rival)) / np.linalg.norm(centred @ centred.T))
    scores = centred @ np.linalg.svd(centred)[2][:2].T
    scores *= np.sign((scores * X).sum(axis=0))
    assert seen["mine"] == {
        "excess": pytest.approx(max(behind)),
        "identity_error": pytest.approx(abs(scores - X).max() / abs(scores).max()),
        "rank": 7,  # of squared distances in five dimensions, two more
    }
    assert seen.n_test["mine"] == {"excess": 50, "identity_error": 2, "rank": None}
    embedded = linear.as_printed(squareform(pdist(Z)), 2)
    np.testing.assert_allclose(abs(embedded), abs(scores), atol=1e-9)


def test_the_printed_map_is_compared_after_its_mean_is_taken_off():
    class Scaled:
        def __init__(self, n_components, kernel, gamma):
            assert (n_components, kernel, gamma) == (3, "rbf", 0.3)

        def fit_transform(self, X):
            K = rbf_kernel(X, gamma=0.3)
            centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
            values, vectors = np.linalg.eigh(centred)
            self.scores = 1.25 * vectors[:, :-4:-1] * np.sqrt(values[:-4:-1])
            shift = K @ vectors[:, :-4:-1] / np.sqrt(values[:-4:-1])
            self.shift = abs(shift.mean(axis=0)).max()
            made.append(self)
            return self.scores

    made = []
    seen = wire(experiments.kernel_components, methods={"mine": Scaled})
    assert seen["mine"] == {
        "identity_error": pytest.approx(0.2),
        "shift": pytest.approx(made[0].shift / abs(made[0].scores).max()),
    }


class Half:
    """Gives samples half of the most that a dual variable may be, the first all, the last none."""

    def __init__(self, C):
        self.C = C

    def fit(self, K, y):
        self.alpha_ = np.full(len(y), self.C / 2)
        self.alpha_[-1] = 0
        self.alpha_[0] = self.C
        self.intercept_ = 0.3
        self.objective_path_ = np.array([1.0, 3.0, 2.5])
        return self


@pytest.mark.parametrize("kernel", ["linear", "gaussian"])
def test_a_solution_of_the_dual_is_measured_by_gap_slackness_offset_and_support(kernel):
    cell = {"dataset": "overlapping", "kernel": kernel}
    seen = wire(experiments.dual_and_primal, cell, methods={"mine": Half})
    rng = seen.rng("samples")
    labels = np.arange(200) % 2
    X = rng.normal(size=(200, 2))
    X[:, 0] += 2 * (labels - 0.5)
    y = 2.0 * labels - 1
    K = linear_kernel(X) if kernel == "linear" else rbf_kernel(X, gamma=1 / (2 * X.var()))
    a = np.full(200, 0.5)
    a[[0, -1]] = 1, 0
    scores = K @ (a * y) + 0.3
    slack = np.array([max(0, 1 - t * s) for t, s in zip(y, scores, strict=True)])
    primal = (a * y) @ K @ (a * y) / 2 + 200 * slack.mean()
    dual = a.sum() - (a * y) @ K @ (a * y) / 2
    free = slice(1, -1)
    without = y[free] - (scores[free] - 0.3)
    on_or_inside = y * scores <= 1 + 1e-6
    assert seen["mine"] == {
        "gap": pytest.approx(1 - dual / primal),
        "crossing": 0,
        "fall": pytest.approx(0.5 / primal),
        "slackness": pytest.approx(max((a * abs(y * scores - 1 + slack)).max(), *(1 - a) * slack)),
        "offset_error": pytest.approx(without.max() - without.min()),
        "outside": pytest.approx(100 * np.mean((a > 0) & ~on_or_inside)),
        "unused": pytest.approx(100 * np.mean((a == 0) & on_or_inside)),
        "support": pytest.approx(99.5),
    }
    assert seen.n_test["mine"]["offset_error"] == 198
    assert seen.n_test["mine"]["fall"] == 3


@pytest.mark.parametrize("kernel", ["polynomial", "gaussian"])
def test_kernel_ridge_is_compared_by_its_largest_difference(kernel):
    class Off(KernelRidge):
        def predict(self, X):
            predictions = super().predict(X)
            predictions[7] -= 0.25
            return predictions

    seen = wire(experiments.kernel_ridge, {"kernel": kernel}, methods={"mine": Off})
    assert seen["mine"]["identity_error"] == pytest.approx(0.25)
    assert seen.n_test["mine"]["identity_error"] == 1 + (kernel == "polynomial")


def test_an_embedding_of_the_roll_is_measured_by_its_far_and_near_distances():
    rolls = []

    class Height:
        def fit_transform(self, X):
            rolls.append(X)
            # A thousandth of the depth, so that no distances are equal.
            Y = np.column_stack([X[:, 1], 1e-3 * X[:, 0]])
            self.dist_matrix_ = squareform(pdist(X))
            return Y

    seen = wire(experiments.unroll, {"n": 400}, methods={"mine": Height, "Isomap": Height})
    X = rolls[0]
    turn = np.hypot(X[:, 0], X[:, 2])
    # The length of the curve t (cos t, sin t) from 0, by the trapezoidal rule.
    t = np.linspace(0, turn.max(), 200_001)
    lengths = np.concatenate([[0], np.cumsum(np.diff(t) * np.sqrt(1 + (t[1:] - t[1] / 2) ** 2))])
    sheet = np.column_stack([np.interp(turn, t, lengths), X[:, 1]])
    np.testing.assert_allclose(manifold.flat(X, turn), sheet, atol=1e-5)
    Y = np.column_stack([X[:, 1], 1e-3 * X[:, 0]])
    true = pdist(sheet)
    near = pdist(Y)
    close = near <= np.quantile(near, 0.05)
    design = np.column_stack([np.ones(400), Y])
    rest = sheet - design @ np.linalg.lstsq(design, sheet)[0]
    recovery = np.mean(1 - (rest**2).sum(axis=0) / ((sheet - sheet.mean(axis=0)) ** 2).sum(axis=0))
    expected = {
        "recovery": pytest.approx(recovery),
        "global_fit": pytest.approx(np.corrcoef(true, near)[0, 1]),
        "local_fit": pytest.approx(trustworthiness(sheet, Y, n_neighbors=10)),
        "collapsed": pytest.approx(100 * np.mean(close[true > np.median(true)])),
    }
    assert seen["mine"] == expected
    growth = spearmanr(true, abs(pdist(X) - true)).statistic
    assert seen["Isomap"] == expected | {"growth": pytest.approx(growth)}
    np.testing.assert_allclose(seen.kept["mine"], np.column_stack([Y, turn]), atol=1e-9)


@pytest.mark.parametrize("states", ["hidden", "known"])
def test_an_m_step_whose_means_are_off_is_behind_other_parameters(states):
    def off(X, gamma):
        weights, means, covariances = mixtures.maximised(X, gamma)
        given.append((X, gamma))
        return weights, means + 0.3, covariances

    given = []
    seen = wire(experiments.maximum_of_q, {"states": states}, methods={"mine": lambda: off})
    rng = seen.rng("samples")
    X, labels = blobs(rng, 150, 2.0 * mixtures.CORNERS, 1.0)
    if states == "hidden":
        gamma = rng.dirichlet(np.ones(3), 150)
    else:
        gamma = np.array([[float(label == k) for k in range(3)] for label in labels])
    np.testing.assert_array_equal(given[0][1], gamma)
    weights, means, covariances = mixtures.maximised(X, gamma)
    means = means + 0.3

    def likelihood(w, m, C):
        total = 0
        for k in range(3):
            gaps = X - m[k]
            forms = [gap @ np.linalg.inv(C[k]) @ gap for gap in gaps]
            size = np.log((2 * np.pi) ** 2 * np.linalg.det(C[k]))
            total += gamma[:, k] @ (np.log(w[k]) - (size + forms) / 2)
        return total / 150

    at = likelihood(weights, means, covariances)
    ahead = [0]
    for size in 10.0 ** rng.uniform(-4, -0.5, size=100):
        w = weights * np.exp(size * rng.normal(size=3))
        turn = np.eye(2) + size * rng.normal(size=(3, 2, 2))
        turned = [T @ C @ T.T for T, C in zip(turn, covariances, strict=True)]
        ahead.append(likelihood(w / w.sum(), means + size * rng.normal(size=(3, 2)), turned) - at)
    assert max(ahead) > 1e-3
    assert seen["mine"] == {"excess": pytest.approx(max(ahead))}
    assert seen.n_test["mine"]["excess"] == 100


def test_what_is_missing_after_twenty_steps_is_a_log_likelihood_a_sample():
    steps = []

    def lazy(X, means):
        steps.append(means)
        return means

    seen = wire(experiments.speed, {"separation": 3}, methods={"mine": lambda: lazy})
    assert len(steps) == 20
    rng = seen.rng("samples")
    X = blobs(rng, 300, 3 * mixtures.CORNERS, 1.0)[0]
    best = start = X[rng.choice(300, 3, replace=False)]
    np.testing.assert_array_equal(steps[0], start)

    def densities(means):
        return np.exp(-((X[:, None] - means) ** 2).sum(axis=2) / 2) / (2 * np.pi) / 3

    for _ in range(2000):
        shares = densities(best) / densities(best).sum(axis=1, keepdims=True)
        best = shares.T @ X / shares.sum(axis=0)[:, None]
    heights = [np.log(densities(means).sum(axis=1)).mean() for means in (start, best)]
    assert seen["mine"]["shortfall"] == pytest.approx(heights[1] - heights[0])
    assert seen["mine"]["identity_error"] < 1e-6


def test_a_gradient_that_is_a_tenth_off_differs_so_much_from_differences(monkeypatch):
    right = mixtures.gradient
    monkeypatch.setattr(
        mixtures, "gradient", lambda X, means: (right(X, means)[0], 1.25 * right(X, means)[1])
    )
    methods = {"mine": lambda: lambda X, means: means}
    seen = wire(experiments.speed, {"separation": 2}, methods=methods)
    assert seen["mine"]["identity_error"] == pytest.approx(0.2, abs=1e-5)


def test_clusters_agree_with_the_true_ones_of_a_shape():
    class BySide:
        def __init__(self, rng):
            self.rng = rng

        def fit_predict(self, X):
            samples.append(X)
            return X[:, 1] > 0.25

    samples = []
    seen = wire(experiments.shapes, {"shape": "moons"}, methods={"mine": BySide})
    X, y = mixtures.shaped(seen.rng("samples"), "moons")
    np.testing.assert_array_equal(samples[0], X)
    assert seen["mine"] == {"agreement": pytest.approx(adjusted_rand_score(y, X[:, 1] > 0.25))}
    assert 0.1 < seen["mine"]["agreement"] < 1


@pytest.mark.parametrize(("output", "n_outputs"), [("identity", 1), ("softmax", 3)])
def test_a_printed_gradient_is_compared_with_central_differences(output, n_outputs):
    class Square:
        """A squared length whose gradient is a quarter too large."""

        size = 6

        def __init__(self, X, Y, units, output):
            made.append((X.shape, Y.shape, units, output))

        def start(self, rng):
            return np.array([3.0, -2, 1, 0.5, 0, 1])

        def error_and_gradient(self, theta):
            return float(theta @ theta), 2.5 * theta

    made = []
    methods = {"mine": lambda: Square}
    seen = wire(experiments.printed_gradient, {"output": output}, methods=methods)
    assert made == [((30, 4), (30, n_outputs), 5, output)]
    assert seen["mine"]["identity_error"] == pytest.approx(0.25, abs=1e-6)
    assert seen.n_test["mine"]["identity_error"] == 6


def test_losses_are_means_a_sample_over_four_starts_of_three_hundred_evaluations():
    def train(network, theta, budget):
        starts.append((network.X[0, 1], theta[0], budget))
        return 100.0 * len(starts) ** 2

    starts = []
    seen = wire(experiments.descent, methods={"mine": lambda x: (train, 20 + 10 * x)})
    x = seen.rng("samples").uniform(-1, 1, size=(100, 1))
    assert [start[0] for start in starts] == pytest.approx([20 + 10 * x[0, 0]] * 4)
    assert len({start[1] for start in starts}) == 4
    assert {start[2] for start in starts} == {300}
    assert seen["mine"] == {"loss": 7.5, "start_gain": 6.5}


def test_parameters_are_of_a_seven_by_nine_matrix_of_the_rank():
    methods = {"mine": lambda: lambda rng, shape, rank: 100 * shape[0] + 10 * shape[1] + rank}
    seen = wire(experiments.degrees_of_freedom, {"rank": 2}, methods=methods)
    assert seen["mine"]["parameters"] == 792
    assert seen["mine"]["identity_error"] < 1e-6
    assert SimpleNamespace(**seen.n_test["mine"]).identity_error == 1
