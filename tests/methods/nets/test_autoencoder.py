"""The denoising autoencoder beside plain loops and finite differences."""

import numpy as np
import pytest

from icml2008.methods.nets.autoencoder import DenoisingAutoencoder, destroy, stack

ROWS = np.random.default_rng(0).random((6, 8))
NAMES = ("coef_", "decoder_", "intercept_hidden_", "intercept_visible_")


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def loss(parameters, X, corrupted):
    """Return the mean cross-entropy by its definition (Equations 2 and 5)."""
    W, D, b, c = parameters
    total = 0.0
    for x, x_ in zip(X, corrupted, strict=True):
        z = sigmoid(D @ sigmoid(W.T @ x_ + b) + c)
        total -= sum(t * np.log(p) + (1 - t) * np.log(1 - p) for t, p in zip(x, z, strict=True))
    return total / len(X)


def ends(tied, noise, rate):
    model = DenoisingAutoencoder(
        3, noise=noise, tied=tied, learning_rate=rate, batch_size=6, n_iter=1, random_state=1
    )
    model.fit(ROWS)
    return [getattr(model, name).copy() for name in NAMES]


@pytest.mark.parametrize("tied", [True, False])
@pytest.mark.parametrize("noise", [0.0, 0.5])
def test_step_is_the_gradient_by_finite_differences(monkeypatch, tied, noise):
    seen = []

    def halves(rows, share, rng):
        rows[:, :: 2 if share else 9] = 0
        seen.append(rows.copy())

    monkeypatch.setattr("icml2008.methods.nets.autoencoder.destroy", halves)
    start = ends(tied, noise, 0.0)
    moved = [(a - b) / 1e-6 for a, b in zip(start, ends(tied, noise, 1e-6), strict=True)]
    # rows come in an order of their own: each is found by the pixels that it kept
    clean = np.array([ROWS[np.argmin(np.sum((ROWS - r)[:, 1::2] ** 2, axis=1))] for r in seen[0]])
    for which, gradient in enumerate(moved):
        for at in np.ndindex(gradient.shape):
            values = []
            for sign in (1, -1):
                parts = [part.copy() for part in start]
                parts[which][at] += sign * 1e-5
                if tied and which < 2:
                    parts[1 - which] = parts[which]
                values.append(loss(parts, clean, seen[0]))
            assert gradient[at] == pytest.approx((values[0] - values[1]) / 2e-5, abs=1e-4)


def test_as_many_components_go_as_are_asked_for_and_each_as_often():
    rows = np.ones((4000, 8), np.float32)
    destroy(rows, 0.3, np.random.default_rng(0))
    gone = rows == 0
    assert (gone.sum(axis=1) == 2).all()
    np.testing.assert_allclose(gone.mean(axis=0), 0.25, atol=0.03)
    pairs = gone.T.astype(float) @ gone / len(rows)
    np.testing.assert_allclose(pairs[~np.eye(8, dtype=bool)], 1 / 28, atol=0.015)


def test_start_and_order_of_rows_do_not_depend_on_the_noise(monkeypatch):
    monkeypatch.setattr("icml2008.methods.nets.autoencoder.destroy", lambda *_: None)
    for clean, other in zip(ends(True, 0.0, 0.1), ends(True, 0.9, 0.1), strict=True):
        np.testing.assert_array_equal(clean, other)


def test_rows_with_holes_are_restored_better_after_learning_from_such():
    X = np.repeat(np.random.default_rng(1).integers(2, size=(200, 4)), 3, axis=1).astype(float)
    holed = X.copy()
    destroy(holed, 0.5, np.random.default_rng(2))

    def missed(noise):
        model = DenoisingAutoencoder(20, noise=noise, learning_rate=0.3, n_iter=20, random_state=0)
        return loss([getattr(model.fit(X), name) for name in NAMES], X, holed)

    assert missed(0.5) < 0.8 * missed(0.0)


def test_layers_learn_from_clean_rows_of_the_layer_below():
    options = {"noise": 0.25, "n_iter": 2}
    coefs, intercepts = stack(ROWS, (5, 3), np.random.default_rng(2), **options)
    rng = np.random.default_rng(2)
    X = ROWS
    for W, b in zip(coefs, intercepts, strict=True):
        layer = DenoisingAutoencoder(W.shape[1], random_state=int(rng.integers(2**31)), **options)
        np.testing.assert_array_equal(layer.fit(X).coef_, W)
        X = sigmoid(X @ W + b)


def test_single_precision_is_kept_and_units_have_names():
    model = DenoisingAutoencoder(3, n_iter=1, random_state=0).fit(ROWS.astype(np.float32))
    assert model.transform(ROWS.astype(np.float32)).dtype == np.float32
    assert list(model.get_feature_names_out())[:2] == [
        "denoisingautoencoder0",
        "denoisingautoencoder1",
    ]


@pytest.mark.parametrize(
    ("options", "X", "message"),
    [
        ({"noise": 1.0}, ROWS, "'noise' parameter .* Got 1.0"),
        ({"n_components": 0}, ROWS, "'n_components' parameter .* Got 0"),
        ({"decay": "linea"}, ROWS, "'decay' parameter .* Got 'linea'"),
        ({}, 2 * ROWS, "rows are probabilities of ones, found "),
    ],
)
def test_a_bad_value_is_named(options, X, message):
    with pytest.raises(ValueError, match=message):
        DenoisingAutoencoder(**options).fit(X)
