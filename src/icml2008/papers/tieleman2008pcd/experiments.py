"""Boltzmann machines by persistent and other contrastive divergence, and fully visible fields."""

from functools import cached_property, partial

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.nets.boltzmann import RestrictedBoltzmannMachine
from icml2008.methods.nets.class_rbm import ClassRBM
from icml2008.methods.nets.partition import (
    annealed_importance_sampling,
    base_rates,
    default_betas,
    enumerate_partition,
)
from icml2008.papers.tieleman2008pcd.method import (
    bits,
    climb,
    log_partition,
    maximise,
    persistent,
    pseudo,
    pseudo_optimum,
)
from icml2008.papers.tieleman2008pcd.pictures import energy_distance, shapes

ALGORITHMS = {  # where chains start, Gibbs steps, and what an update is charged
    "PCD": ("pcd", 1, 1),
    "CD-1": ("cd", 1, 1),
    "CD-10": ("cd", 10, 4),
    "MF CD": ("mfcd", 1, 1),
}
# rows of an update, updates between two learning rates
BATCH = 100
BLOCK = 10
TRAIN = 50_000
RATES = [0.1, 0.3, 1.0]
FIELD_RATES = [0.01, 0.03, 0.1, 0.3, 1.0, 3.0]
LOW_RATES = [0.03, 0.1, 0.3]  # for 500 hidden units
ALL_RATES = [0.01, 0.03, 0.1, 0.3, 1.0]
DECAYS = [0.0, 3e-5, 1e-4, 3e-4, 1e-3, 3e-3]


def sizes(small, large, seconds):
    """Return the cells of small runs, and of a full one, with its repeats and seconds a trial."""
    return {
        "cells": [*small, *large],
        "quick": small,
        "repeats": lambda cell: 6 if cell in large else 2,
        "cost": lambda cell: seconds if cell in large else 0.2,
        "repeats_together": True,
    }


def best(values, scores):
    """Return the value of the best score; what diverged has none."""
    return values[int(np.argmax(np.nan_to_num(scores, nan=-np.inf)))]


class Split:
    """Patches of thresholded digits, split into three; the exact optimum for the first.

    Parameters
    ----------
    images : ndarray, shape (n, 28, 28)
    side : int
    by : {"patches", "images"}
        What falls into one of the three as a whole.
    rng : Generator
    """

    def __init__(self, images, side, by, rng):
        on = (images >= 128).astype(np.int32)
        width = 28 - side + 1
        n = len(images)
        lines = sum(on[:, :, j : j + width] << j for j in range(side))
        codes = sum(lines[:, i : i + width] << side * i for i in range(side)).reshape(n, -1)
        counts = np.bincount(codes.ravel())
        seen = np.flatnonzero(counts)
        if by == "images":
            parts = np.split(rng.permutation(n), [n * 6 // 10, n * 8 // 10])
            sums = [np.bincount(codes[rows].ravel(), minlength=len(counts))[seen] for rows in parts]
        else:
            left = counts[seen]
            sums = []
            for size in (codes.size * 6 // 10, codes.size * 2 // 10):
                sums.append(rng.multivariate_hypergeometric(left, size, method="marginals"))
                left = left - sums[-1]
            sums.append(left)
        self.rows = bits(seen, side * side).astype(float)
        self.counts = np.cumsum(sums[0])
        shares = [part / part.sum() for part in sums]
        self.moments = [np.tril(self.rows.T @ (self.rows * p[:, None])) for p in shares]
        positive = shares[0][shares[0] > 0]
        self.entropy = -np.sum(positive * np.log(positive))
        rates = (np.diag(self.moments[0]) * codes.size + 0.5) / (codes.size + 1)
        self.start = np.diag(np.log(rates / (1 - rates)))
        self.optimum = self._maximise()

    def draw(self, rng, n):
        """Return n patches of those for training, (n, side^2)."""
        places = rng.integers(self.counts[-1], size=n)
        return self.rows[np.searchsorted(self.counts, places, side="right")]

    def fits(self, S):
        """Return mean log-likelihoods of training, validation and test patches."""
        log_z = log_partition(S)[0]
        return [np.sum(S * moments) - log_z for moments in self.moments]

    def _maximise(self):
        def loss(S):
            log_z, moments = log_partition(S)
            return log_z - np.sum(S * self.moments[0]), moments - self.moments[0]

        return maximise(self.start, loss, 1e-4)

    @cached_property
    def pseudo_optimum(self):
        """The field of the largest pseudo-likelihood of training patches."""
        counts = np.diff(self.counts, prepend=0)
        seen = counts > 0
        return pseudo_optimum(self.start, self.rows[seen], counts[seen] / self.counts[-1])


@experiment(
    "mrf",
    **sizes(grid(side=[3], updates=[200]), grid(side=[5], updates=[1000, 4000, 16_000]), 1.6),
    methods=dict.fromkeys(["PL", "PCD", "exact", "PL optimum", "independent"]),
    data=lambda cell: ("mnist",),
)
def run_mrf(trial):
    """Figure 8: exact log-likelihood of a fully visible field of patches."""
    side = trial.cell["side"]
    updates = trial.cell["updates"]
    by = trial.choices["patch-split"]
    images = trial.data("mnist").images[:: 1 if side == 5 else 140]

    def divide():
        return Split(images, side, by, trial.rng("split", across=("updates",)))

    split = trial.once("split", divide, across=("updates",))
    rates = FIELD_RATES[:: 1 if side == 5 else 3]

    def run(name, rate, rng):
        if name == "PL":
            gradients = pseudo(partial(split.draw, rng), 50)
        else:
            gradients = persistent(split.moments[0], BATCH, rng)
        return climb(split.start, gradients, updates, rate)

    for name in trial.methods:
        with trial.attempt(name):
            if name in ("exact", "PL optimum", "independent"):
                at = {"exact": "optimum", "PL optimum": "pseudo_optimum"}.get(name, "start")
                train, _, test = split.fits(getattr(split, at))
                trial.measure(name, fit=test, gap=train - test, entropy=split.entropy)
                continue
            fits = [split.fits(run(name, rate, trial.rng(f"{name} {rate}")))[1] for rate in rates]
            rate = best(rates, fits)
            fit = split.fits(run(name, rate, trial.rng(name)))[2]
            trial.measure(name, fit=fit, rate=np.log(rate))


def trained(machine, method, hidden, updates, blocks, rate, rng):
    """Return a machine after updates at a rate that falls to 0; `blocks` yields ten's arguments."""
    gradient, n_gibbs, charge = method
    seed = int(rng.integers(2**31))
    n = updates // charge // BLOCK
    how = {"gradient": gradient, "n_gibbs": n_gibbs, "batch_size": BATCH, "random_state": seed}
    model = machine(hidden, **how)
    for done, block in zip(range(n), blocks(rng), strict=False):
        model.learning_rate = rate * (1 - (done + 0.5) / n)
        model.partial_fit(*block)
    return model


def chosen(trial, name, rates, score, across=("repeat",)):
    """Return the initial rate of the best score, found once for all repeats if across them."""

    def search():
        return best(rates, [score(r, trial.rng(f"{name} {r}", across=across)) for r in rates])

    return trial.once(name, search, across)


def drawn(rng, images):
    """Return binary rows, (n, 784), whose pixels' grey values are probabilities."""
    means = images.reshape(len(images), -1).astype(np.float32) / 255
    return (rng.random(means.shape, np.float32) < means).astype(np.float32)


def digits(data, labels, rng):
    """Yield blocks of training digits, with labels or not; each epoch in an order of its own."""
    while True:
        for rows in rng.permutation(TRAIN).reshape(-1, BATCH * BLOCK):
            X = data.images[rows].reshape(len(rows), -1).astype(np.float32) / 255
            yield (X, data.y[rows], np.arange(10)) if labels else (X,)


def fit(model, X, log_z):
    """Return the mean log-likelihood of X."""
    return -model.free_energy(X).mean(dtype=np.float64) - log_z


def annealed(model, X, rng, betas):
    """Return it with log Z by annealed importance sampling."""
    how = {"betas": betas, "n_runs": 50, "random_state": int(rng.integers(2**31))}
    return fit(model, X, annealed_importance_sampling(model, base_rates(X), **how).log_partition)


def independent(X, others):
    """Return the mean log-likelihood of X if pixels were independent, with others' rates."""
    b = base_rates(others)
    return float(np.mean(X @ b) - np.logaddexp(0, b).sum())


def likelihoods(trial, rates, thin, betas, log_z, across=("repeat",)):
    """Measure each algorithm's log-likelihood of one in `thin` test digits."""
    data = trial.data("mnist")
    (updates, hidden) = (trial.cell[k] for k in ("updates", "hidden"))
    test = drawn(trial.rng("test"), data.images[60_000::thin])

    def train(method, rate, rng):
        machine = partial(RestrictedBoltzmannMachine, binarize=True)
        return trained(machine, method, hidden, updates, partial(digits, data, False), rate, rng)

    def validate(method, rate, rng):
        model = train(method, rate, rng)
        return annealed(model, drawn(rng, data.images[TRAIN:60_000:thin]), rng, betas)

    for name, method in trial.methods.items():
        with trial.attempt(name):
            if method is None:
                others = drawn(trial.rng("others"), data.images[: TRAIN : 5 * thin])
                trial.measure(name, fit=independent(test, others))
                continue
            rate = chosen(trial, name, rates, partial(validate, method), across)
            model = train(method, rate, trial.rng(name))
            trial.measure(name, fit=log_z(model, test, trial.rng(f"{name} log Z")))


@experiment(
    "hidden-25",
    **sizes(grid(hidden=[6], updates=[40]), grid(hidden=[25], updates=[2000]), 20.0),
    methods={**ALGORITHMS, "independent": None},
    data=lambda cell: ("mnist",),
)
def run_hidden_25(trial):
    """Figure 1: exact log-likelihood of test digits at equal charged updates."""
    large = trial.cell["hidden"] == 25
    rates, thin, n = (RATES, 1, 501) if large else (RATES[1:], 50, 51)

    def log_z(model, test, rng):
        return fit(model, test, enumerate_partition(model))

    # Machines of 25 are cheap: each repeat searches anew, and its spread is that of searches, too.
    likelihoods(trial, rates, thin, np.linspace(0, 1, n), log_z, across=())


@experiment(
    "hidden-500",
    **sizes(grid(hidden=[20], updates=[40]), grid(hidden=[500], updates=[1000]), 50.0),
    methods={**ALGORITHMS, "independent": None},
    data=lambda cell: ("mnist",),
)
def run_hidden_500(trial):
    """Figure 2: approximate log-likelihood of test digits at equal charged updates."""
    large = trial.cell["hidden"] == 500
    rates, thin, n = (LOW_RATES, 1, 501) if large else (RATES[1:], 50, 51)
    betas = np.append(default_betas()[: -1 : 6 if large else 300], 1.0)
    likelihoods(trial, rates, thin, np.linspace(0, 1, n), partial(annealed, betas=betas))


@experiment(
    "classify",
    **sizes(grid(hidden=[20], updates=[40]), grid(hidden=[500], updates=[500, 2000, 10_000]), 85.0),
    methods=ALGORITHMS,
    data=lambda cell: ("mnist",),
)
def run_classify(trial):
    """Figure 3: errors of machines that learn digits with their labels."""
    data = trial.data("mnist")
    (updates, hidden) = (trial.cell[k] for k in ("updates", "hidden"))
    thin, rates = (1, ALL_RATES) if hidden == 500 else (50, RATES[1:])
    machine = partial(ClassRBM, objective="generative", binarize=True)

    def train(method, rate, rng):
        return trained(machine, method, hidden, updates, partial(digits, data, True), rate, rng)

    def error(model, rows, rng):
        return 100 * np.mean(model.predict(drawn(rng, data.images[rows])) != data.y[rows])

    def validate(method, rate, rng):
        return -error(train(method, rate, rng), slice(TRAIN, 60_000, thin), rng)

    for name, method in trial.methods.items():
        with trial.attempt(name):
            rate = chosen(trial, f"{name}, labels", rates, partial(validate, method))
            model = train(method, rate, trial.rng(name))
            wrong = error(model, slice(60_000, 70_000, thin), trial.rng("test"))
            trial.measure(name, n_test=10_000 // thin, error=wrong)


@experiment(
    "samples",
    **sizes(grid(hidden=[20], updates=[40]), grid(hidden=[500], updates=[2000]), 40.0),
    methods=dict.fromkeys(["PCD", "CD-1", "independent", "digits"]),
    data=lambda cell: ("mnist",),
)
def run_samples(trial):
    """Figure 4: how far samples of a machine are from test digits."""
    data = trial.data("mnist")
    (updates, hidden) = (trial.cell[k] for k in ("updates", "hidden"))
    large = hidden == 500
    thin, rates, steps, n = (1, LOW_RATES, 1000, 200) if large else (50, RATES[1:], 10, 20)
    test = drawn(trial.rng("test"), data.images[60_000 :: 5 * thin])
    others = drawn(trial.rng("others"), data.images[: TRAIN : 5 * thin])
    machine = partial(RestrictedBoltzmannMachine, binarize=True)

    def train(method, rate, rng):
        return trained(machine, method, hidden, updates, partial(digits, data, False), rate, rng)

    def validate(method, rate, rng):
        model = train(method, rate, rng)
        betas = np.linspace(0, 1, 501 if large else 51)
        return annealed(model, drawn(rng, data.images[TRAIN:60_000:thin]), rng, betas)

    for name in trial.methods:
        with trial.attempt(name):
            rng = trial.rng(name)
            if name == "digits":
                V = others[rng.choice(len(others), n, replace=False)]
            elif name == "independent":
                V = rng.random((n, others.shape[1])) < others.mean(axis=0)
            else:
                method = ALGORITHMS[name]
                rate = chosen(trial, f"{name}, samples", rates, partial(validate, method))
                model = train(method, rate, rng)
                V = (rng.random((n, others.shape[1])) < 0.5).astype(np.float32)
                for _ in range(steps):
                    V = model.gibbs(V)
                if trial.repeat == 0:
                    trial.keep(name, V[:10])
            trial.measure(name, distance=energy_distance(V, test))


def outlines(rng):
    """Yield blocks of new images."""
    while True:
        yield (shapes(rng, BATCH * BLOCK),)


def scored(cell, method, setting, rng):
    """Return the log-likelihood of new images after learning by a rate and a weight decay."""
    rate, decay = setting
    machine = partial(RestrictedBoltzmannMachine, weight_decay=decay)
    model = trained(machine, method, cell["hidden"], cell["updates"], outlines, rate, rng)
    every = 6 if cell["hidden"] == 100 else 300
    betas = np.append(default_betas()[:-1:every], 1.0)
    return annealed(model, shapes(rng, 2000), rng, betas)


def tuned(trial, name, score):
    """Return the rate that is best without weight decay, with each of the decays to try."""
    rates, every = (ALL_RATES, 1) if trial.cell["hidden"] == 100 else (RATES[1:], 4)
    rate, _ = chosen(trial, name, [(rate, 0.0) for rate in rates], score)
    return [(rate, decay) for decay in DECAYS[::every]]


@experiment(
    "shapes",
    **sizes(grid(hidden=[10], updates=[40]), grid(hidden=[100], updates=[500, 8000]), 10.0),
    methods={**ALGORITHMS, "independent": None},
)
def run_shapes(trial):
    """Figure 5: log-likelihood of new images at equal charged updates."""
    for name, method in trial.methods.items():
        with trial.attempt(name):
            rng = trial.rng(name)
            score = partial(scored, trial.cell, method)
            if method is None:
                trial.measure(name, fit=independent(shapes(rng, 2000), shapes(rng, 10_000)))
                continue
            settings = tuned(trial, f"{name}, outlines", score)
            setting = chosen(trial, f"{name}, decay", settings, score)
            trial.measure(name, fit=score(setting, rng))


@experiment(
    "decays",
    **sizes(grid(hidden=[10], updates=[40]), grid(hidden=[100], updates=[2000]), 60.0),
    methods=ALGORITHMS,
)
def run_decays(trial):
    """Section 5.2: the weight decay that is best, and what the best above 0 gains."""
    for name, method in trial.methods.items():
        with trial.attempt(name):
            score = partial(scored, trial.cell, method)
            settings = tuned(trial, f"{name}, decays", score)
            scores = [score(setting, trial.rng("search")) for setting in settings]
            decayed = best(settings[1:], scores[1:])
            with_some, with_none = (
                score(setting, trial.rng(name)) for setting in (decayed, settings[0])
            )
            decay = best(settings, scores)[1]
            trial.measure(name, gain=with_some - with_none, decay=np.log10(decay or 1e-5))
