"""Denoising autoencoders beside scikit-learn's nets, on 2,000 digits, and beside their products.

A layer of 500 units restores digits of which 25 % of the pixels are 0: ten passes in updates of 20
rows. scikit-learn's MLPRegressor learns them from copies that are corrupted anew before each pass;
it has linear outputs, squared errors and no tied weights. Answers are mean squared errors on 2,000
other digits corrupted alike. The products are `np.matmul` alone, into arrays that exist.

Nets of 500, 100 and 100 units learn classes in ten passes, from such layers or a random start;
answers are errors on the other digits. The second has the first one's rate, which a random start
does not bear; the third is scikit-learn's by default. Processor seconds on one thread, of learning
alone, one seed.
"""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor

from icml2008.data import load
from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.nets.autoencoder import DenoisingAutoencoder, destroy, stack
from icml2008.methods.nets.layers import FeedForwardClassifier
from icml2008.papers.vincent2008denoising.problems import flat

PACKAGES = ("numpy", "numba", "scikit-learn")

ROWS = 2000
UNITS = 500
BATCH = 20
PASSES = 10
NOISE = 0.25


def corrupted(X, seed):
    """Return a copy of rows with holes."""
    X = X.copy()
    destroy(X, NOISE, np.random.default_rng(seed))
    return X


def regressor(X, **options):
    """Learn to restore copies that are corrupted anew before each pass."""
    how = {"hidden_layer_sizes": (UNITS,), "activation": "logistic", "batch_size": BATCH}
    model = MLPRegressor(random_state=0, **how, **options)
    for seed in range(PASSES):
        model.partial_fit(corrupted(X, seed), X)
    return model.predict


def products(tied):
    """Return a call of all products of a layer's learning."""
    rng = np.random.default_rng(0)

    def held(*shape):
        return rng.random(shape, np.float32)

    X = held(BATCH, 784)
    H = held(BATCH, UNITS)
    W = held(784, UNITS)
    n = 2 * BATCH if tied else BATCH
    gradient = [held(n, 784).T, held(n, UNITS), held(784, UNITS)]
    steps = [(X, W, held(BATCH, UNITS)), (H, W.T, held(BATCH, 784)), (X, W, held(BATCH, UNITS))]
    steps += [gradient] * (1 if tied else 2)

    def call():
        for _ in range(PASSES * ROWS // BATCH):
            for A, B, out in steps:
                np.matmul(A, B, out=out)

    return call


def classifier(X, y, **options):
    """Learn classes, from layers learnt with noise."""
    shape = (UNITS, 100, 100)
    coefs, intercepts = stack(
        X, shape, np.random.default_rng(0), noise=NOISE, batch_size=BATCH, n_iter=PASSES
    )
    net = FeedForwardClassifier(
        shape, "logistic", learning_rate=1.0, batch_size=BATCH, n_iter=PASSES, random_state=0,
        coefs_init=coefs, intercepts_init=intercepts,
    )  # fmt: skip
    return net.fit(X, y)


def rows():
    """Yield the rows of the table."""
    warnings.simplefilter("ignore", ConvergenceWarning)
    data = load("mnist")
    X = flat(data.images[:ROWS])
    new = flat(data.images[-ROWS:])
    y = data.y[:ROWS]
    labels = data.y[-ROWS:]
    holed = corrupted(new, 99)
    how = {"batch_size": BATCH, "n_iter": PASSES, "noise": NOISE, "random_state": 0}
    tasks = {
        f"DenoisingAutoencoder, {name}": lambda tied=tied: (
            DenoisingAutoencoder(UNITS, tied=tied, **how).fit(X).reconstruct
        )
        for name, tied in (("tied", True), ("untied", False))
    }
    tasks |= {
        "products, tied": products(True),
        "products, untied": products(False),
        "MLPRegressor, SGD": lambda: regressor(
            X, solver="sgd", learning_rate_init=0.02, momentum=0.0, alpha=0.0
        ),
        "MLPRegressor, Adam": lambda: regressor(X, alpha=0.0),
    }
    for by, (seconds, restore) in least_seconds(tasks, times=3).items():
        answer = f"{np.mean((restore(holed) - new) ** 2):.4f}" if restore else ""
        yield {"task": "a layer", "by": by, "seconds": f"{seconds:.2f}", "answer": answer}
    plain = {"batch_size": BATCH, "max_iter": PASSES, "random_state": 0}
    tasks = {
        "stack and FeedForwardClassifier": lambda: classifier(X, y),
        "MLPClassifier, logistic, SGD": lambda: MLPClassifier(
            (UNITS, 100, 100), activation="logistic", solver="sgd", learning_rate_init=1.0,
            momentum=0.0, alpha=0.0, **plain,
        ).fit(X, y),
        "MLPClassifier, relu, Adam": lambda: MLPClassifier((UNITS, 100, 100), **plain).fit(X, y),
    }  # fmt: skip
    for by, (seconds, net) in least_seconds(tasks, times=2).items():
        answer = f"{100 * np.mean(net.predict(new) != labels):.1f} %"
        yield {"task": "a net", "by": by, "seconds": f"{seconds:.2f}", "answer": answer}
