"""Weights after a step on Boyan's chain: MR and iLSPE beside LSTD by the solvers of SciPy.

All are given the sparse sums of 100 trajectories at lambda 0; `spsolve` is told nothing of the last
step. Least processor time of five turns on one thread, beside the counted multiplications.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse
from scipy.sparse.linalg import spsolve

from icml2008.harness.benchmarks import least_seconds
from icml2008.papers.yao2008preconditioned.experiments import (
    SIZES,
    features,
    multiplications,
    trajectories,
)

PACKAGES = ("numpy", "scipy")


def closer(guess, target, D):
    left = target + D @ guess
    image = D @ left
    return guess - left @ image / (image @ image) * left


def residual_step(A, b, weights):
    delta = -(A @ weights + b)
    image = -(A @ delta)
    return weights - delta @ image / (image @ image) * delta


def iterative_step(A, b, D, weights, guess, v):
    guess = closer(guess, A @ weights + b, D)
    v = closer(v, A @ guess, D)
    return weights - guess @ v / (v @ v) * guess


def rank_one(inverse, b, z, change):
    left = inverse @ z
    right = change @ inverse
    inverse = inverse - np.multiply.outer(left, right) / (1 + change @ left)
    return -inverse @ b


def rows():
    """Yield the rows of the table."""
    for n in SIZES[1:]:
        phi = sparse.csr_array(features(n))
        states, after, rewards = trajectories(np.random.default_rng(0), n, 100)
        A = sparse.csr_array(phi[states].T @ (phi[after] - phi[states])) / len(states)
        D = sparse.csr_array(phi[states].T @ phi[states]) / len(states)
        b = phi[states].T @ rewards / len(states)
        dense = A.toarray()
        k = len(b)
        columns = A.tocsc()
        inverse = np.linalg.inv(dense)
        z = phi[[0]].toarray()[0]
        weights = np.full(k, 0.1)
        near = np.full(k, 0.2)
        tasks = {
            "MR": lambda A=A, b=b, w=weights: residual_step(A, b, w),
            "iLSPE": lambda A=A, b=b, D=D, w=weights, near=near: iterative_step(
                A, b, D, w, near, near
            ),
            "LSTD, sparse LU": lambda A=columns, b=b: -spsolve(A, b, permc_spec="NATURAL"),
            "LSTD, Sherman-Morrison": lambda N=inverse, b=b, z=z: rank_one(N, b, z, -z),
            "LSTD": lambda A=dense, b=b: -np.linalg.solve(A, b),
        }
        for name, (seconds, _) in least_seconds(tasks).items():
            yield {
                "N": n,
                "method": name,
                "multiplications": int(multiplications(name, A, D)),
                "milliseconds": f"{1e3 * seconds:.2g}",
            }
