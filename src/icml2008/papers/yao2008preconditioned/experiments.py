"""Preconditioned temporal differences on Boyan's chain: replayed, online, and by counted work."""

from __future__ import annotations

from functools import cache

import numba
import numpy as np
from scipy import sparse
from scipy.sparse.linalg import splu

from icml2008.harness.experiment import experiment, grid
from icml2008.methods.worlds import boyan_chain

SETS = 10
TRAJECTORIES = 10_000
MOST = 20_000
GRAD, MR, LSPE, LSTD, ILSPE, ILSTD, NONE = range(7)
PTD = {"GRAD": GRAD, "MR": MR, "LSPE": LSPE, "LSTD": LSTD}
SCHEDULES = {f"iLSTD {c0:g} {c1:g}": (c0, c1) for c0 in (0.01, 0.1, 1.0) for c1 in (1e2, 1e3, 1e6)}
LAMBDAS = [round(0.1 * i, 1) for i in range(11)]
# When all have come to the solution of the same sums.
LATE = 90_000
CHECKPOINTS = [9, 18, 45, 90, 300, 900, 3000, 9000, 30_000, 90_000]
SIZES = [12, 100, 400, 800, 1200, 1600]


@cache
def features(n):
    """Return Boyan's features of a chain of n + 1 states, (n + 2, n / 4 + 1); an end has none."""
    centres = np.arange(n // 4 + 1)
    return np.maximum(1 - np.abs(np.r_[: n + 1, -4][:, None] / 4 - centres), 0)


def solution(n):
    """Return the weights whose values are the true ones, -2 (n - s)."""
    return -2.0 * (n - 4 * np.arange(n // 4 + 1))


@cache
def model(n, trace):
    """Return A, b and D, in expectation over the visits of a trajectory (Equations 7 to 9)."""
    world = boyan_chain(n + 1)
    phi = features(n)[:-1]
    P = world.transitions.toarray()
    visits = np.linalg.solve((np.eye(n + 1) - P).T, np.eye(1, n + 1)[0])
    shares = visits / visits.sum()
    traced = phi.T @ np.diag(shares) @ np.linalg.inv(np.eye(n + 1) - trace * P)
    A = traced @ (P - np.eye(n + 1)) @ phi
    b = traced @ world.rewards[:, 0]
    return A, b, phi.T @ np.diag(shares) @ phi


def walk(rng, n, n_steps):
    """Return states, what follows them (n + 1 for an end) and rewards of a walk."""
    states_walked = boyan_chain(n + 1).walk(np.zeros(n + 1, dtype=int), n_steps, rng)
    return (
        states_walked.states[:-1],
        np.where(states_walked.ends, n + 1, states_walked.states[1:]),
        states_walked.rewards,
    )


def trajectories(rng, n, count):
    """Return what `walk` does, of so many whole trajectories."""
    steps = walk(rng, n, (n + 4) * count)  # more than there can be
    last = np.flatnonzero(steps[1] == n + 1)[count - 1]
    return tuple(part[: last + 1] for part in steps)


# Sums of a handful of numbers, by hand: a call of BLAS takes longer than they do, and adds in an
# order that depends on the processor.
@numba.njit(cache=True)
def dot(x, y):
    """Return x' y."""
    total = 0.0
    for i in range(len(x)):
        total += x[i] * y[i]
    return total


@numba.njit(cache=True)
def moved(x, size, y):
    """Return x + size y."""
    result = x.copy()
    for i in range(len(x)):
        result[i] += size * y[i]
    return result


@numba.njit(cache=True)
def times(M, x):
    """Return M x."""
    product = np.zeros(len(M))
    for i in range(len(M)):
        for j in range(len(x)):
            product[i] += M[i, j] * x[j]
    return product


@numba.njit(cache=True)
def inverse(M):
    """Return the inverse of a matrix by elimination with the largest pivot of each column."""
    k = len(M)
    both = np.zeros((k, 2 * k))
    for i in range(k):
        both[i, k + i] = 1.0
        for j in range(k):
            both[i, j] = M[i, j]
    for i in range(k):
        at = i
        for row in range(i + 1, k):
            if abs(both[row, i]) > abs(both[at, i]):
                at = row
        for j in range(2 * k):
            both[i, j], both[at, j] = both[at, j], both[i, j]
        pivot = both[i, i]
        for j in range(2 * k):
            both[i, j] /= pivot
        for row in range(k):
            factor = both[row, i]
            if row != i:
                for j in range(2 * k):
                    both[row, j] -= factor * both[i, j]
    return both[:, k:].copy()


@numba.njit(cache=True)
def preconditioner(rule, A, D):
    """Return B^-1 of Section 3; for rules without an inverse that of the minimal residual, -I."""
    matrix = inverse(A if rule == LSTD else D) if rule in (LSTD, LSPE) else np.eye(len(A))
    for i in range(len(A)):
        for j in range(len(A)):
            if rule == GRAD:
                matrix[i, j] = A[j, i]
            elif rule != LSTD:
                matrix[i, j] = -matrix[i, j]
    return matrix


@numba.njit(cache=True)
def least(x, y):
    """Return the size that makes x - size y shortest, 0 where y is rounding."""
    square = dot(y, y)
    return dot(x, y) / square if square > 1e-24 * dot(x, x) else 0.0


@numba.njit(cache=True)
def direction(rule, A, b, D, weights, guesses):
    """Return delta of Equation 15, (K,), and the step size of Equation 16.

    `guesses`, (2, K), are the iterative p-residual and v of Section 4.1; they are improved.
    """
    residual = moved(b, 1.0, times(A, weights))
    if rule == ILSPE:
        for guess in guesses:  # one step of least residual each: Equations 17 to 19, and 21
            left = moved(residual, 1.0, times(D, guess))
            guess += least(left, times(D, left)) * -left
            residual = times(A, guesses[0])
        return guesses[0].copy(), least(guesses[0], guesses[1])
    inverse_B = preconditioner(rule, A, D)
    delta = times(inverse_B, residual)
    return delta, least(delta, times(inverse_B, times(A, delta)))


@numba.njit(cache=True)
def distance(weights, target, phi):
    """Return the root mean squared difference of the values of states."""
    total = 0.0
    apart = moved(weights, -1.0, target)
    n = len(phi) - 1
    for s in range(n):
        total += dot(phi[s], apart) ** 2
    return np.sqrt(total / n)


@numba.njit(cache=True)
def learn(rule, steps, phi, trace, carried, schedule, target):
    """Estimate A, b and D (Equations 10 to 12) and update weights after each step (14).

    Returns them, the RMS error at the end and its mean absolute change in a step.
    """
    states, after, rewards = steps
    k = phi.shape[1]
    end = len(phi) - 1
    sums = np.zeros((2 * k + 1, k))
    A = np.zeros((k, k))
    b = np.zeros(k)
    D = np.zeros((k, k))
    z = np.zeros(k)
    weights = np.full(k, 0.1)
    guesses = np.zeros((2, k))
    changes = 0.0
    finished = 0
    before = distance(weights, target, phi)
    for i in range(k):  # Figure 8's perturbations
        sums[i, i] = -0.01 if rule == LSTD else 0.0
        sums[k + i, i] = 0.01 if rule == LSPE else 0.0
    for t in range(len(states)):
        here = phi[states[t]]
        there = phi[after[t]]
        for i in range(k):
            z[i] = trace * z[i] + here[i]
            sums[2 * k, i] += z[i] * rewards[t]
            b[i] = sums[2 * k, i] / (t + 1)
            for j in range(k):
                sums[i, j] += z[i] * (there[j] - here[j])
                sums[k + i, j] += here[i] * here[j]
                A[i, j] = sums[i, j] / (t + 1)
                D[i, j] = sums[k + i, j] / (t + 1)
        if rule != NONE:
            delta, alpha = direction(rule, A, b, D, weights, guesses)
            if rule == ILSTD:
                alpha = schedule[0] * (schedule[1] + 1) / (finished + 1 + schedule[1])
            weights = moved(weights, -alpha, delta)
            error = distance(weights, target, phi)
            changes += abs(error - before)
            before = error
        if after[t] == end:
            finished += 1
            if not carried:
                z[:] = 0
    return A, b, D, before, changes / len(states)


def replay(rule, A, b, D, n, near=1e-5):
    """Update weights by one model until values are that near to those of its solution.

    Returns the step sizes, and the RMS errors and distances from the solution before each update
    and at the end.
    """
    limit = -np.linalg.solve(A, b)
    weights = np.full(len(b), 0.1)
    guesses = np.zeros((2, len(b)))
    ends = (solution(n), limit)
    sizes = []
    far = []
    while True:
        far.append([distance(weights, end, features(n)) for end in ends])
        if far[-1][1] <= near or len(sizes) == MOST:
            return np.array(sizes), *np.array(far).T
        delta, alpha = direction(rule, A, b, D, weights, guesses)
        weights = weights - alpha * delta
        sizes.append(alpha)


def radii(rule, sizes, A, D):
    """Return the spectral radius of I - alpha C^-1 A'A for each step size."""
    eigenvalues = np.linalg.eigvals(preconditioner(rule, A, D) @ A)
    return np.abs(1 - np.multiply.outer(sizes, eigenvalues)).max(axis=1)


def five_digits(**metrics):
    """Return numbers as they are worth keeping: thousands of them make the evidence large."""
    return {name: float(f"{value:.5g}") for name, value in metrics.items()}


@experiment(
    "replay",
    cells=[{"lambda": value} for value in LAMBDAS],
    quick=[{"lambda": value} for value in (0.0, 0.5, 1.0)],
    smoke=[{"lambda": 1.0}],
    repeats={"quick": 4, "full": 40},
    cost=0.15,  # seconds a trial, roughly; a literal
    methods=PTD | {"RM": NONE},
)
def run_replay(trial):
    """Figures 2 to 5: estimates of 10 sets, and the updates by them until they change nothing."""
    trace = trial.cell["lambda"]
    choices = trial.choices
    rng = trial.rng("trajectories", across=("lambda",))
    runs = []
    for _ in range(SETS):
        steps = trajectories(rng, 12, TRAJECTORIES)
        how = (trace, choices["trace"] == "carried", (0.0, 0.0), solution(12))
        runs.append(learn(NONE, steps, features(12), *how)[:3])
    averaged = [tuple(np.mean(parts, axis=0) for parts in zip(*runs, strict=True))]
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            if rule == NONE:
                A, b, _ = model(12, trace)
                errors_A = np.mean([np.linalg.norm(run[0] - A, 2) for run in runs])
                errors_b = np.mean([np.linalg.norm(run[1] - b) for run in runs])
                trial.measure(name, **five_digits(error_A=errors_A, error_b=errors_b))
                continue
            rows = []
            for A, b, D in averaged if choices["replayed"] == "averaged" else runs:
                sizes, errors, left = replay(rule, A, b, D, 12)
                near = (errors if choices["stop"] == "values" else left) < 0.01
                stop = int(np.argmax(near)) if near.any() else len(sizes)
                rows.append((errors[-1], left[-1], stop, radii(rule, sizes[:stop], A, D).mean()))
            means = np.mean(rows, axis=0)
            names = ("rms", "left", "work_updates", "radius")
            trial.measure(name, **five_digits(**dict(zip(names, means, strict=True))))


@experiment(
    "online",
    cells=[
        *grid(visits=[900], **{"lambda": LAMBDAS}),
        *grid(visits=[90_000], **{"lambda": LAMBDAS[::2]}),
    ],
    quick=grid(visits=[900], **{"lambda": [0.0, 0.5, 1.0]}),
    smoke=grid(visits=[900], **{"lambda": [0.5]}),
    repeats={"quick": 4, "full": 40},
    cost=lambda cell: 1e-5 * cell["visits"],
    methods=PTD | {"iLSPE": ILSPE, "no learning": NONE},
)
def run_online(trial):
    """Figures 6 and 7: the RMS error after so many visits."""
    steps = walk(trial.rng("walk", across=("lambda", "visits")), 12, trial.cell["visits"])
    how = (trial.cell["lambda"], trial.choices["trace"] == "carried", (0.0, 0.0), solution(12))
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            trial.measure(name, **five_digits(rms=learn(rule, steps, features(12), *how)[3]))


def rms_of_lstd(steps, phi, trace, carried, target):
    """Return the RMS error that `learn` ends at by LSTD, whose weights solve the last sums."""
    A, b = learn(NONE, steps, phi, trace, carried, (0.0, 0.0), target)[:2]
    A -= 0.01 / len(steps[0]) * np.eye(len(A))  # Figure 8's perturbation, as there
    return distance(-times(inverse(A), b), target, phi)


def ten_sets(trial, visits):
    """Return ten walks, those of every lambda, and how each is learnt from."""
    rng = trial.rng("walk", across=("lambda",))
    sets = [walk(rng, 12, visits) for _ in range(SETS)]
    return sets, (trial.cell["lambda"], trial.choices["trace"] == "carried")


@experiment(
    "ten-sets",
    cells=[{"lambda": value} for value in LAMBDAS],
    quick=[{"lambda": value} for value in (0.0, 0.5, 1.0)],
    smoke=[{"lambda": 0.5}],
    repeats={"quick": 4, "full": 100},
    cost=0.03,
    methods=PTD | {"iLSPE": ILSPE},
)
def run_ten_sets(trial):
    """Figure 7: the mean RMS error of ten sets after 900 visits."""
    sets, (trace, carried) = ten_sets(trial, 900)
    how = (features(12), trace, carried, (0.0, 0.0), solution(12))
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            errors = [learn(rule, steps, *how)[3] for steps in sets]
            trial.measure(name, **five_digits(rms=np.mean(errors)))


@experiment(
    "ten-sets-late",
    cells=[{"lambda": value} for value in LAMBDAS],
    quick=[{"lambda": value} for value in (0.0, 0.5, 1.0)],
    smoke=[{"lambda": 0.5}],
    repeats={"quick": 2, "full": 100},
    cost=0.1,
    methods={"LSTD": rms_of_lstd},
)
def run_ten_sets_late(trial):
    """Figure 6: the mean RMS error of ten sets after 90,000 visits."""
    sets, (trace, carried) = ten_sets(trial, LATE)
    how = (features(12), trace, carried, solution(12))
    for name, error in trial.methods.items():
        with trial.attempt(name):
            errors = [error(steps, *how) for steps in sets]
            trial.measure(name, **five_digits(rms=np.mean(errors)))


@experiment(
    "step-size",
    cells=grid(visits=CHECKPOINTS),
    quick=grid(visits=[90, 900]),
    smoke=grid(visits=[90]),
    repeats={"quick": 4, "full": 40},
    cost=lambda cell: 2e-5 * cell["visits"],
    methods={
        **{name: (rule, (0.0, 0.0)) for name, rule in (PTD | {"iLSPE": ILSPE}).items()},
        **{name: (ILSTD, schedule) for name, schedule in SCHEDULES.items()},
        "no learning": (NONE, (0.0, 0.0)),
    },
)
def run_step_size(trial):
    """Figure 8: lambda is 0; the logarithm of the RMS error, and how much it changes in a step."""
    steps = walk(trial.rng("walk", across=("visits",)), 12, trial.cell["visits"])
    for name, (rule, schedule) in trial.methods.items():
        with trial.attempt(name):
            how = (features(12), 0.0, False, schedule, solution(12))
            rms, variation = learn(rule, steps, *how)[3:]
            trial.measure(name, **five_digits(log_rms=np.log10(rms), variation=variation))


def multiplications(rule, A, D):
    """Return the multiplications that weights take after a step, by sparse or dense matrices.

    Elimination takes K^3 / 3, triangles or a full matrix K^2, a sparse one as many as it has
    non-zeros, a vector K; iLSPE's are those of Equations 17 to 21.
    """
    k = A.shape[0]
    if rule == "LSTD, sparse LU":
        factors = splu(A.tocsc(), permc_spec="NATURAL", diag_pivot_thresh=0.0)
        below = factors.L.tocsc()
        right = factors.U.tocsr()
        below = np.diff(below.indptr) - 1
        right = np.diff(right.indptr)
        return below @ right + below.sum() + right.sum()
    return {
        "LSTD": k**3 / 3 + k**2,
        "LSPE": k**3 / 3 + 4 * k**2 + 3 * k,
        "LSTD, Sherman-Morrison": 5 * k**2 + k,
        "iLSTD": A.nnz + k,
        "MR": 2 * A.nnz + 3 * k,
        "iLSPE": 2 * A.nnz + 4 * D.nnz + 9 * k,
    }[rule]


WORKED = ("LSTD", "LSPE", "LSTD, Sherman-Morrison", "LSTD, sparse LU", "iLSTD", "MR", "iLSPE")


@experiment(
    "work",
    cells=grid(N=SIZES),
    quick=grid(N=SIZES[:3]),
    smoke=grid(N=SIZES[:1]),
    repeats=6,
    cost=lambda cell: 5e-5 * cell["N"],
    methods={name: name for name in WORKED},
)
def count_work(trial):
    """Tables 1 and 2: non-zeros of A after 100 trajectories, and multiplications a step."""
    n = trial.cell["N"]
    phi = sparse.csr_array(features(n))
    states, after, _ = trajectories(trial.rng("trajectories"), n, 100)
    A = phi[states].T @ (phi[after] - phi[states])
    D = phi[states].T @ phi[states]
    A.eliminate_zeros()
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            work = multiplications(rule, A.tocsr(), D.tocsr())
            trial.measure(name, log_work=np.log(work), share=A.nnz / A.shape[0] ** 2)


def random_model(rng, trace):
    """Return A, b and D of a chain of four to eight states, as many features or fewer."""
    n = int(rng.integers(4, 9))
    P = rng.dirichlet(np.ones(n), size=n)
    phi = rng.normal(size=(n, int(rng.integers(2, n))))
    shares = np.linalg.matrix_power(P, 200)[0]
    gamma = rng.uniform(0.5, 0.99)
    traced = phi.T @ np.diag(shares) @ np.linalg.inv(np.eye(n) - trace * gamma * P)
    A = traced @ (gamma * P - np.eye(n)) @ phi
    return A, traced @ rng.normal(size=n), phi.T @ np.diag(shares) @ phi


@experiment(
    "step-theory",
    cells=[{"lambda": value} for value in (0.0, 0.5, 1.0)],
    repeats=10,
    cost=0.03,
    methods=PTD,
)
def check_steps(trial):
    """Section 3 on 100 random chains: by how much at most its statements are violated."""
    rng = trial.rng("chains")
    models = [random_model(rng, trial.cell["lambda"]) for _ in range(100)]
    weights = rng.normal(size=(100, 8))
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            most = np.full(3, -np.inf)
            for (A, b, D), at in zip(models, weights, strict=True):
                inverse_B = preconditioner(rule, A, D)
                at = at[: len(b)]
                delta, alpha = direction(rule, A, b, D, at, np.zeros((2, len(b))))
                sizes = np.array([alpha, 0.99 * alpha, 1.01 * alpha, 0.0, 1.0])
                moves = at - np.multiply.outer(sizes, delta)
                new = np.linalg.norm((moves @ A.T + b) @ inverse_B.T, axis=1)
                excess = (new[0] - new[1:].min()) / np.linalg.norm(delta)
                most = np.maximum(most, [excess, -alpha, abs(alpha - 1)])
            excess, negative, apart = most
            trial.measure(name, n_test=100, excess=excess, negative=negative, apart=apart)
