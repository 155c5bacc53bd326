"""The classifying machine against enumeration of its hidden states."""

import itertools

import numpy as np
import pytest
from scipy.special import expit, logsumexp

from icml2008.methods import ClassRBM

NAMES = (
    "components_",
    "class_components_",
    "intercept_visible_",
    "intercept_hidden_",
    "intercept_class_",
)


def machine(n_hidden=4, n_visible=5, n_classes=3, seed=0, **parameters):
    rng = np.random.default_rng(seed)
    model = ClassRBM(n_hidden, batch_size=6, random_state=0, **parameters)
    model.partial_fit(np.zeros((1, n_visible)), [0], classes=np.arange(n_classes))
    for name in NAMES:
        setattr(model, name, rng.normal(0, 0.8, getattr(model, name).shape))
    return model


def states(n):
    return np.array(list(itertools.product([0.0, 1.0], repeat=n)))


def log_joint(parameters, x):
    """log sum_h exp(-E(y, x, h)) of each class, by enumeration of h."""
    W, U, b, c, d = parameters
    H = states(len(W))
    return np.array(
        [logsumexp(H @ (W @ x) + b @ x + H @ c + d[y] + H @ U[:, y]) for y in range(len(d))]
    )


def log_posterior(parameters, x):
    joint = log_joint(parameters, x)
    return joint - logsumexp(joint)


def parameters_of(model):
    return [getattr(model, name).copy() for name in NAMES]


def test_probabilities_of_classes_are_those_of_the_definition():
    model = machine()
    X = states(5)
    expected = [np.exp(log_posterior(parameters_of(model), x)) for x in X]
    np.testing.assert_allclose(model.predict_proba(X), expected, rtol=1e-12)


def test_inputs_that_are_large_do_not_overflow():
    model = machine(6)
    model.intercept_hidden_ += [500, -500, 90, -90, 40, -40]
    model.class_components_[:3] *= 400
    W, U, _, c, d = parameters_of(model)
    inputs = (states(5) @ W.T + c)[:, :, None] + U
    log_p = d + np.logaddexp(0, inputs).sum(axis=1)
    expected = np.exp(log_p - logsumexp(log_p, axis=1, keepdims=True))
    np.testing.assert_allclose(model.predict_proba(states(5)), expected, rtol=1e-10)


def test_the_discriminative_step_is_the_gradient_by_finite_differences():
    model = machine(objective="discriminative", learning_rate=1.0)
    X = states(5)[[3, 9, 17, 30]]
    y = np.array([0, 2, 1, 1])
    start = parameters_of(model)
    model.partial_fit(X, y)

    def objective(parameters):
        return np.mean([log_posterior(parameters, x)[k] for x, k in zip(X, y, strict=True)])

    for part, after in enumerate(parameters_of(model)):
        for place in np.ndindex(after.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = [a.copy() for a in start]
                moved[part][place] += step
                ends.append(objective(moved))
            slope = (ends[0] - ends[1]) / 2e-6
            assert after[place] - start[part][place] == pytest.approx(slope, abs=1e-8)


def exact_generative(parameters, X, y):
    """The gradient of the mean log p(x, y) from all states."""
    W, U, b, c, d = parameters
    V = states(len(b))
    K = np.eye(len(d))
    H = states(len(W))
    scores = ((H @ W @ V.T)[:, :, None] + (H @ U @ K.T)[:, None, :] + (H @ c)[:, None, None]) + (
        (V @ b)[:, None] + d
    )
    P = np.exp(scores - logsumexp(scores))
    Y = K[y]
    on = expit(X @ W.T + c + Y @ U.T)
    n = len(X)
    return [
        on.T @ X / n - np.einsum("hvk,hi,vj->ij", P, H, V),
        on.T @ Y / n - np.einsum("hvk,hi->ik", P, H),
        X.mean(0) - np.einsum("hvk,vj->j", P, V),
        on.mean(0) - np.einsum("hvk,hi->i", P, H),
        Y.mean(0) - P.sum(axis=(0, 1)),
    ]


@pytest.mark.parametrize("objective", ["generative", "hybrid"])
def test_long_chains_climb_the_exact_gradient(objective):
    model = machine(3, 4, objective=objective, generative_weight=0.5)
    model.set_params(n_gibbs=30, learning_rate=1.0, batch_size=40000)
    X = states(4)[[1, 7, 8, 14]]
    y = np.array([0, 1, 2, 2])
    start = parameters_of(model)
    expected = exact_generative(start, X, y)
    if objective == "hybrid":
        other = machine(3, 4, objective="discriminative", learning_rate=1.0).partial_fit(X, y)
        expected = [
            0.5 * g + after - before
            for g, after, before in zip(expected, parameters_of(other), start, strict=True)
        ]
    model.partial_fit(np.tile(X, (10000, 1)), np.tile(y, 10000))
    for after, before, gradient in zip(parameters_of(model), start, expected, strict=True):
        np.testing.assert_allclose(after - before, gradient, atol=0.015)


def test_rows_without_a_class_climb_the_probability_of_the_row():
    model = machine(3, 4, objective="discriminative", unlabelled_weight=1.0)
    model.set_params(n_gibbs=30, learning_rate=1.0, batch_size=40000)
    X = states(4)[[1, 7, 8, 14]]
    start = parameters_of(model)
    weights = np.array([np.exp(log_posterior(start, x)) for x in X])
    expected = 0.0
    for k in range(3):  # the mean over classes, each weighted by its probability given the row
        share = weights[:, k]
        expected = expected + np.array(
            [w * exact_generative(start, X[[i]], np.array([k]))[0] / 4 for i, w in enumerate(share)]
        ).sum(axis=0)
    model.partial_fit(np.tile(X, (10000, 1)), np.full(40000, -1))
    np.testing.assert_allclose(model.components_ - start[0], expected, atol=0.015)


def test_sparsity_is_taken_from_hidden_biases_after_each_update():
    kept, sparse = (
        machine(objective="discriminative", sparsity=delta).partial_fit(states(5)[:12], [0, 1] * 6)
        for delta in (0.0, 0.25)
    )
    np.testing.assert_allclose(
        sparse.intercept_hidden_ + 0.25, kept.intercept_hidden_ - 0.25, atol=0.02
    )


def test_mean_fields_and_chains_that_persist_learn_too():
    rng = np.random.default_rng(0)
    y = rng.integers(0, 3, 300)
    X = (rng.random((300, 12)) < np.repeat(np.eye(3), 4, axis=1)[y] * 0.7 + 0.1).astype(np.float32)
    for gradient in ("cd", "pcd", "mfcd"):
        model = ClassRBM(
            8, "generative", gradient=gradient, n_iter=40, decay="linear", random_state=0
        )
        assert model.fit(X, y).score(X, y) > 0.85
        assert model.components_.dtype == np.float32


def test_unlabelled_rows_help_where_few_have_a_class():
    rng = np.random.default_rng(1)
    y = rng.integers(0, 2, 600)
    X = (rng.random((600, 40)) < 0.25 + 0.3 * (np.arange(40) % 2 == y[:, None])).astype(float)
    seen = np.where(np.arange(600) < 8, y, -1)
    few = ClassRBM(10, n_iter=60, random_state=0).fit(X[:8], y[:8])
    all_rows = ClassRBM(10, unlabelled_weight=0.1, n_iter=60, random_state=0).fit(X, seen)
    assert set(all_rows.classes_) == {0, 1}
    assert all_rows.score(X, y) > few.score(X, y)


def test_names_of_classes_are_kept_and_strangers_refused():
    model = ClassRBM(3, random_state=0).fit(np.eye(4), ["b", "a", "b", "a"])
    assert list(model.classes_) == ["a", "b"]
    with pytest.raises(ValueError, match="y holds classes beside"):
        model.partial_fit(np.eye(4), ["a", "b", "c", "a"])


@pytest.mark.parametrize("name", ["objective", "gradient", "decay"])
def test_what_cannot_be_is_named(name):
    with pytest.raises(ValueError, match=f"'{name}' parameter .* Got 'other'"):
        ClassRBM(2, **{name: "other"}).fit(np.eye(2), [0, 1])
