"""A network with one hidden layer: printed gradients, descent, starts, width, regularisation."""

from __future__ import annotations

import warnings
from contextlib import suppress

import numpy as np
from scipy.optimize import minimize
from scipy.special import expit, softmax
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.neural_network import MLPClassifier, MLPRegressor

from icml2008.harness.experiment import experiment, grid
from icml2008.harness.trial import Trial
from icml2008.papers.foundations.samples import Array, Generator, everywhere, seed

# each with its derivative as the lectures take it: of the unit's own activation alone
OUTPUTS = {
    "identity": (lambda t: t, np.ones_like),
    "tanh": (lambda t: np.tanh(t / 2), lambda t: 0.5 * (1 - np.tanh(t / 2) ** 2)),
    "softmax": (
        lambda t: softmax(t, axis=1),
        lambda t: softmax(t, axis=1) * (1 - softmax(t, axis=1)),
    ),
}


def with_one(X: Array) -> Array:
    """Return rows with a leading 1."""
    return np.column_stack([np.ones(len(X)), X])


class Network:
    """One hidden layer of logistic units and its squared error, with the two printed passes.

    Parameters are one vector: weights of the hidden units (units, features + 1), then of the
    outputs (outputs, units + 1), constants first.
    """

    def __init__(self, X: Array, Y: Array, units: int, output: str) -> None:
        self.X = with_one(X)
        self.Y = Y
        self.units = units
        self.g, self.slope = OUTPUTS[output]
        self.cut = units * self.X.shape[1]
        self.size = self.cut + Y.shape[1] * (units + 1)

    def start(self, rng: Generator) -> Array:
        """Return the recommended start, uniform in [-0.7, 0.7]."""
        return rng.uniform(-0.7, 0.7, size=self.size)

    def weights(self, theta: Array) -> tuple[Array, Array]:
        """Return the weights of the hidden units and of the outputs."""
        return theta[: self.cut].reshape(self.units, -1), theta[self.cut :].reshape(
            -1, self.units + 1
        )

    def outputs(self, theta: Array, X: Array) -> Array:
        """Return the first output for other samples, (n_samples,)."""
        W, beta = self.weights(theta)
        return self.g(with_one(expit(with_one(X) @ W.T)) @ beta.T)[:, 0]

    def error_and_gradient(self, theta: Array) -> tuple[float, Array]:
        """Return the squared error and its gradient by a forward and a backward pass."""
        W, beta = self.weights(theta)
        hidden = expit(self.X @ W.T)
        Z = with_one(hidden)
        T = Z @ beta.T
        miss = self.Y - self.g(T)
        delta = -2 * miss * self.slope(T)
        s = hidden * (1 - hidden) * (delta @ beta[:, 1:])
        return float((miss**2).sum()), np.concatenate(
            [(s.T @ self.X).ravel(), (delta.T @ Z).ravel()]
        )


def wave(rng: Generator, n: int, noise: float = 0.1) -> tuple[Array, Array]:
    """Return n places in [-1, 1] and a noisy sine of them, two periods."""
    x = rng.uniform(-1, 1, size=(n, 1))
    return x, np.sin(2 * np.pi * x[:, 0]) + noise * rng.normal(size=n)


@experiment(
    "backpropagation",
    cells=everywhere(grid(output=["identity", "tanh", "softmax"])),
    repeats=12,
    cost=0.02,
    methods={"backpropagation": lambda: Network},
)
def printed_gradient(trial: Trial) -> None:
    """The printed gradient against central differences."""
    rng = trial.rng("samples")
    output = trial.cell["output"]
    outputs = 3 if output == "softmax" else 1
    X = rng.normal(size=(30, 4))
    Y = np.eye(3)[rng.integers(3, size=30)][:, :outputs]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            network = make()(X, Y, 5, output)
            theta = network.start(rng)
            slope = network.error_and_gradient(theta)[1]
            numeric = np.empty(network.size)
            for at, moved in enumerate(np.eye(network.size) * 1e-5):
                up = network.error_and_gradient(theta + moved)[0]
                numeric[at] = (up - network.error_and_gradient(theta - moved)[0]) / 2e-5
            error = np.abs(slope - numeric).max() / np.abs(numeric).max()
            trial.measure(name, identity_error=float(error), n_test=network.size)


def by_gradient(network: Network, theta: Array, budget: int) -> float:
    """Return the least error of gradient descent over four step sizes."""
    ends = []
    for step in 10.0 ** np.arange(-5, -1):
        at = theta
        with np.errstate(over="ignore", invalid="ignore"):  # too long a step runs away
            for _ in range(budget):
                at = at - step * network.error_and_gradient(at)[1]
            ends.append(network.error_and_gradient(at)[0])
    return float(np.nanmin(ends))


class _SpentError(Exception):
    """The evaluations are used up."""


def by_conjugate_gradient(network: Network, theta: Array, budget: int) -> float:
    """Return the least error that the conjugate gradient method meets in so many evaluations."""
    met = []

    def watched(at):
        if len(met) == budget:
            raise _SpentError
        error, slope = network.error_and_gradient(at)
        met.append(error)
        return error, slope

    with suppress(_SpentError):
        minimize(watched, theta, jac=True, method="CG", options={"maxiter": budget})
    return min(met)


@experiment(
    "training",
    cells=grid(units=[8]),
    repeats=8,
    cost=0.3,
    methods={
        "gradient descent": lambda x: (by_gradient, x / x.std()),
        "conjugate gradient": lambda x: (by_conjugate_gradient, x / x.std()),
        "conjugate gradient, raw inputs": lambda x: (by_conjugate_gradient, 20 + 10 * x),
    },
)
def descent(trial: Trial) -> None:
    """Training error a sample after 300 evaluations, from four random starts."""
    x, y = wave(trial.rng("samples"), 100)
    rng = trial.rng("starts")
    units = trial.cell["units"]
    starts = [Network(x, y[:, None], units, "identity").start(rng) for _ in range(4)]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            train, inputs = make(x)
            network = Network(inputs, y[:, None], units, "identity")
            ends = np.array([train(network, theta, 300) for theta in starts]) / len(y)
            trial.measure(name, loss=float(ends.mean()), start_gain=float(ends.mean() - ends.min()))


def quietly(model, X: Array, y: Array):
    """Fit without a warning that the iterations were used up."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return model.fit(X, y)


@experiment(
    "width",
    cells=grid(units=[1, 2, 4, 8, 16]),
    quick=grid(units=[1, 2, 4]),
    smoke=grid(units=[1]),
    repeats={"quick": 1, "full": 8},
    cost=0.25,
    methods={"one hidden layer": MLPRegressor},
)
def approximation(trial: Trial) -> None:
    """How closely networks of growing width fit a smooth curve without noise, best of 3 starts."""
    rng = trial.rng("starts")
    x = np.linspace(-1, 1, 200)[:, None]
    y = np.sin(2 * np.pi * x[:, 0]) + 0.5 * np.cos(5 * np.pi * x[:, 0])
    for name, make in trial.methods.items():
        with trial.attempt(name):
            how = {"activation": "logistic", "solver": "lbfgs", "alpha": 0, "max_iter": 2000}
            how["hidden_layer_sizes"] = (trial.cell["units"],)
            fits = [quietly(make(random_state=seed(rng), **how), 3 * x, y) for _ in range(3)]
            errors = [np.sqrt(np.mean((fit.predict(3 * x) - y) ** 2)) for fit in fits]
            trial.measure(name, log_error=float(np.log10(min(errors) + 1e-12)))


def plain(units: int, rng: Generator, alpha: float = 0.0) -> MLPRegressor:
    """Return a network trained to convergence."""
    return MLPRegressor(
        hidden_layer_sizes=(units,),
        activation="logistic",
        solver="lbfgs",
        alpha=alpha,
        max_iter=1000,
        random_state=seed(rng),
    )


def decayed(rng: Generator) -> GridSearchCV:
    """Return a wide network whose penalty is chosen by 3-fold cross-validation."""
    return GridSearchCV(plain(30, rng), {"alpha": [1e-3, 1e-2, 1e-1, 1.0]}, cv=3)


class Stopped:
    """A wide network as it was on its way when a held-out fifth was met best."""

    def __init__(self, rng: Generator) -> None:
        self.rng = rng

    def fit(self, X: Array, y: Array) -> Stopped:
        """Train by conjugate gradients for 300 steps and keep the best of them."""
        held, used = np.split(self.rng.permutation(len(y)), [len(y) // 5])
        self.network_ = Network(X[used], y[used, None], 30, "identity")
        path = [self.network_.start(self.rng)]
        train = self.network_.error_and_gradient
        how = {"method": "CG", "options": {"maxiter": 300}}
        minimize(train, path[0], jac=True, callback=lambda x: path.append(x.copy()), **how)
        self.theta_ = min(
            path, key=lambda theta: np.sum((self.network_.outputs(theta, X[held]) - y[held]) ** 2)
        )
        return self

    def predict(self, X: Array) -> Array:
        """Return the outputs of the network that was kept."""
        return self.network_.outputs(self.theta_, X)


@experiment(
    "regularisation",
    cells=grid(n=[40]),
    repeats={"quick": 1, "full": 60},
    cost=0.6,
    methods={
        "30 units": lambda rng: plain(30, rng),
        "30 units, decay": decayed,
        "30 units, stopped": Stopped,
        "2 units": lambda rng: plain(2, rng),
    },
)
def overfitting(trial: Trial) -> None:
    """Test error of wide networks with and without restraint, and of a narrow one."""
    x, y = wave(trial.rng("samples"), trial.cell["n"], noise=0.4)
    tests = np.linspace(-1, 1, 400)[:, None]
    for name, make in trial.methods.items():
        with trial.attempt(name):
            predicted = quietly(make(trial.rng(name)), 3 * x, y).predict(3 * tests)
            error = np.mean((predicted - np.sin(2 * np.pi * tests[:, 0])) ** 2)
            trial.measure(name, squared_error=float(error))


@experiment(
    "combining",
    cells=grid(units=[3]),
    repeats=12,
    cost=0.05,
    methods={
        "linear": lambda rng: LogisticRegression(),
        "network": lambda rng: MLPClassifier(
            hidden_layer_sizes=(3,),
            activation="tanh",
            solver="lbfgs",
            alpha=1e-3,
            max_iter=1000,
            random_state=seed(rng),
        ),
    },
)
def exclusive_or(trial: Trial) -> None:
    """Accuracy where a class lies in two opposite corners: one line, and three combined."""
    rng = trial.rng("samples")
    X = rng.uniform(-1, 1, size=(1200, 2))
    y = (X[:, 0] * X[:, 1] > 0).astype(int)
    for name, make in trial.methods.items():
        with trial.attempt(name):
            model = quietly(make(trial.rng(name)), X[:200], y[:200])
            trial.measure(name, accuracy=100 * model.score(X[200:], y[200:]), n_test=1000)
