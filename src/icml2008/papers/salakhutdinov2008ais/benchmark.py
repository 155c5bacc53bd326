"""Annealing and mixtures beside plain programs and a library, in seconds of a processor.

Annealing: ours in float32 beside the same steps in plain NumPy in float64, as such programs are
commonly written; both estimate one machine's ln Z, which 12 hidden units allow to sum. Mixtures:
batches of EM (5 passes) beside StepMix, 20 steps of all rows from a drawn start. Least of up to
three turns in one process on one thread.
"""

from functools import partial

import numpy as np
from scipy.special import expit, logsumexp
from stepmix import StepMix

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods import annealed_importance_sampling, enumerate_partition
from icml2008.methods.nets.partition import base_rates
from icml2008.papers.salakhutdinov2008ais.method import (
    fit_mixture,
    learn,
    mixture_log_probabilities,
)

PACKAGES = ("icml2008", "numba", "numpy", "scikit-learn", "scipy", "stepmix")

RUNS = 100
BETAS = np.linspace(0, 1, 501)


def data(n):
    """Return rows of ones and zeros about ten prototypes, (n, 784)."""
    rng = np.random.default_rng(0)
    means = rng.beta(0.2, 0.6, (10, 784))
    return (rng.random((n, 784)) < means[rng.integers(10, size=n)]).astype(np.float32)


def plain(machine, base):
    """Return an estimate of ln Z by annealing, written straight from Section 3.3."""
    rng = np.random.default_rng(0)
    W, c, b = (
        np.asarray(a, float)
        for a in (machine.components_, machine.intercept_hidden_, machine.intercept_visible_)
    )

    def score(V, beta):
        on = np.logaddexp(0, beta * (V @ W.T + c)).sum(axis=1)
        return (1 - beta) * V @ base + beta * V @ b + on

    V = (rng.random((RUNS, len(base))) < expit(base)).astype(float)
    logs = np.zeros(RUNS)
    for before, beta in zip(BETAS[:-1], BETAS[1:], strict=True):
        logs += score(V, beta) - score(V, before)
        H = rng.random((RUNS, len(W))) < expit(beta * (V @ W.T + c))
        inputs = (1 - beta) * base + beta * (H @ W + b)
        V = (rng.random(V.shape) < expit(inputs)).astype(float)
    log_base = np.logaddexp(0, base).sum() + len(W) * np.log(2)
    return log_base + logsumexp(logs) - np.log(RUNS)


def rows():
    X = data(2000)
    base = base_rates(X)
    for hidden in (12, 500):
        machine = learn(X, hidden, (1, 1), 2, np.random.default_rng(1))
        ours = partial(
            annealed_importance_sampling, machine, base, betas=BETAS, n_runs=RUNS, random_state=0
        )
        tasks = {
            "icml2008 annealed_importance_sampling": lambda ours=ours: ours().log_partition,
            "plain NumPy": partial(plain, machine, base),
        }
        if hidden == 12:
            tasks["icml2008 enumerate_partition"] = partial(enumerate_partition, machine)
        for name, (seconds, nats) in least_seconds(tasks, times=3).items():
            yield row(f"ln Z, {hidden} hidden units", name, seconds, nats)
    tests = data(3000)[2000:]

    def ours():
        mixture = fit_mixture(X, 10, 5, np.random.default_rng(0), batch=100)
        return mixture_log_probabilities(tests, *mixture).mean()

    def theirs():
        model = StepMix(10, measurement="binary", max_iter=20, random_state=0, progress_bar=0)
        return model.fit(X).score(tests)

    for name, (seconds, nats) in least_seconds({"icml2008": ours, "StepMix": theirs}, 3).items():
        yield row("mixture of 10, mean test log-probability", name, seconds, nats)


def row(task, program, seconds, nats):
    return {"task": task, "program": program, "seconds": f"{seconds:.3g}", "nats": f"{nats:.2f}"}
