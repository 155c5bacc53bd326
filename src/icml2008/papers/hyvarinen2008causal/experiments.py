"""Figure 1, the examples and the theorem of Section 4, and what the printed matrices say."""

from itertools import product

import numpy as np

from icml2008.harness.experiment import experiment, grid

from .method import VARLiNGAM, regressed

SERIES = 10
FAR = 0.2
# Data sets a trial; the two longest lengths are ours.
SETS = {300: 20, 500: 20, 1000: 20, 3000: 4, 10000: 4}
DENSITIES = ["full", "sparse"]


def network(rng, density, choices, n=SERIES):
    """Return B0, (n, n), lower triangular, and the standard deviations of disturbances, (n,).

    Weights are normal and scaled so that the standard deviation of what an innovation has from the
    others is uniform in [0.5, 1.5], as that of its disturbance is (step 1 of Section 6).
    """
    most = n if density == "full" else 2 if choices["sparse"] == "two" else rng.integers(1, 6)
    sd = rng.uniform(0.5, 1.5, size=n)
    B = np.zeros((n, n))
    cov = np.zeros((n, n))
    for i in range(n):
        before = rng.permutation(i)
        if density == "sparse" and choices["sparse"] == "coin":
            parents = before[rng.uniform(size=i) < 0.25]
        else:
            parents = before[:most]
        weights = rng.normal(size=i)
        owing = rng.uniform(0.5, 1.5)
        if len(parents):
            w = weights[parents]
            B[i, parents] = w * owing / np.sqrt(w @ cov[np.ix_(parents, parents)] @ w)
        elif choices["roots"] == "inflated":
            sd[i] = np.hypot(sd[i], owing)
        cov[i, :i] = cov[:i, i] = B[i, :i] @ cov[:i, :i]
        cov[i, i] = B[i, :i] @ cov[:i, :i] @ B[i, :i] + sd[i] ** 2
    return B, sd


def exponents(rng, law, n=SERIES):
    """Return q, (n,), in [0.5, 0.8] or [1.2, 2.0] (footnote 5)."""
    place = rng.uniform(0, 1.1, size=n)
    sub = rng.uniform(0.5, 0.8, size=n)
    coin = rng.random(n)
    if law == "coin":
        return np.where(coin < 0.5, sub, 1.2 + 0.8 * place / 1.1)
    return np.where(place < 0.3, 0.5 + place, 0.9 + place)


def lagged(rng, law, n=SERIES):
    """Return M1, (n, n), of a spectral norm below 0.99 (step 4)."""
    M = rng.normal(size=(n, n))
    size = rng.uniform(0, 0.99)
    if law == "radius":
        return M * size / np.abs(np.linalg.eigvals(M)).max()
    return M * (size if law == "uniform" else 0.98) / np.linalg.norm(M, 2)


def disturbances(rng, q, length):
    """Return e, (length, n), each column of mean 0 and variance 1 (footnote 5)."""
    z = rng.normal(size=(length, len(q)))
    e = np.sign(z) * np.abs(z) ** q
    return (e - e.mean(axis=0)) / e.std(axis=0)


def series(B0, M, e):
    """Return x, (length, n), from x = 0 on, with innovations n = (I - B0)^-1 e (Equation 7)."""
    x = np.linalg.solve(np.eye(len(B0)) - B0, e.T).T
    for t in range(1, len(x)):
        for tau in range(1, min(len(M), t) + 1):
            x[t] += M[tau - 1] @ x[t - tau]
    return x


def drawn(trial, sets):
    """Yield B0, M1, q, standard deviations, a seed and the true order, alike for all lengths."""
    rng = trial.rng("models", across=("length",))
    choices = trial.choices
    for _ in range(sets):
        B, sd = network(rng, trial.cell["density"], choices)
        q = exponents(rng, choices["exponents"])
        M = lagged(rng, choices["m1"])
        hidden = rng.permutation(SERIES)
        seed = int(rng.integers(2**31))
        order = np.argsort(hidden)
        yield B[np.ix_(hidden, hidden)], M, q, sd[hidden], seed, order


def estimator(choices, seed):
    """Return the estimator that the choices stand for."""
    how = {name: choices[name] for name in ("effects", "fun", "algorithm")}
    return VARLiNGAM(1, **how, random_state=seed)


METHODS = ("VAR-LiNGAM", "VAR", "exact M1", "true order", "Gaussian")


@experiment(
    "figure-1",
    cells=grid(density=DENSITIES, length=list(SETS)),
    quick=grid(density=DENSITIES, length=[300, 1000]),
    smoke=grid(density=DENSITIES, length=[300]),
    repeats=25,
    cost=0.25,
    methods=dict.fromkeys(METHODS),
)
def run_figure_1(trial):
    """Mean distances of entries from the diagonals of the scatterplots."""
    length = trial.cell["length"]
    dots = []
    errors = {name: [] for name in METHODS}
    noise = trial.rng("disturbances")
    eye = np.eye(SERIES)
    for at, (B0, M, q, sd, seed, order) in enumerate(drawn(trial, SETS[length])):
        X = series(B0, M[None], disturbances(noise, q, length) * sd)
        model = estimator(trial.choices, seed).fit(X)
        B1 = (eye - B0) @ M
        M_hat = model.autoregression_[0]
        known = regressed(model.residuals_, order)
        estimates = {
            "VAR-LiNGAM": model.effects_,
            "VAR": (np.zeros_like(B0), M_hat),
            "exact M1": (np.zeros_like(B0), M),
            "true order": (known, (eye - known) @ M_hat),
        }
        if at < 4:
            X = series(B0, M[None], disturbances(noise, np.ones(SERIES), length) * sd)
            lost = estimator(trial.choices, seed).set_params(max_iter=100)  # there is no optimum
            estimates["Gaussian"] = lost.fit(X).effects_
        for name, (b0, b1) in estimates.items():
            apart = np.abs(b0 - B0)[~np.eye(SERIES, dtype=bool)]
            errors[name].append([apart.mean(), np.abs(b1 - B1).mean(), 100 * np.mean(apart > FAR)])
        dots.append([A.ravel() for A in (B0, model.effects_[0], B1, model.effects_[1], M_hat)])
    for name, each in errors.items():
        b0, b1, far = np.round(np.mean(each, axis=0), 4)  # more would be noise in the records
        trial.measure(name, b0=b0, b1=b1, far=far)
    if trial.repeat == 0 and trial.cell["density"] == "full" and length in (300, 1000):
        trial.keep("dots", np.round(np.concatenate(dots[:5], axis=1), 2))


# Equations 9 to 12: B0, and the printed M1 for B1 = 0.9 I.
EXAMPLES = {
    "pair": ([[0, 1], [0, 0]], [[0.9, 0.9], [0, 0.9]]),
    "chain": (
        [[0, 0, 0], [1, 0, 0], [0, 1, 0]],
        [[0.9, 0, 0], [0.9, 0.9, 0], [0.9, 0.9, 0.9]],
    ),
}


@experiment(
    "examples",
    cells=grid(example=list(EXAMPLES)),
    repeats=8,
    cost=0.03,
    methods=dict.fromkeys(("algebra", "VAR", "VAR-LiNGAM")),
)
def run_examples(trial):
    """Largest distance from the printed matrices, by algebra and in a series of 10,000 times."""
    B0, printed = (np.array(A, dtype=float) for A in EXAMPLES[trial.cell["example"]])
    B1 = 0.9 * np.eye(len(B0))
    M = np.linalg.solve(np.eye(len(B0)) - B0, B1)
    X = series(B0, M[None], disturbances(trial.rng("e"), np.full(len(B0), 1.6), 10000))
    model = VARLiNGAM(effects="ica", random_state=trial.repeat).fit(X)
    trial.measure("algebra", gap=np.abs(M - printed).max())
    trial.measure("VAR", gap=np.abs(model.autoregression_[0] - printed).max())
    trial.measure("VAR-LiNGAM", gap=np.abs(model.effects_ - [B0, B1]).max())


MODELS = 400


def backward(A, order):
    """Return the largest effect that goes backward, by the largest of all, of A (k, n, n)."""
    ordered = A[:, order][:, :, order]
    return np.abs(np.triu(ordered, 1)).max() / np.abs(ordered).max()


@experiment(
    "theorem-1",
    cells=grid(lags=[1, 2, 3]),
    repeats=8,
    cost=0.03,
    methods=dict.fromkeys(("forth", "back")),
)
def run_theorem_1(trial):
    """Do M_tau keep the order of B_tau, and B_tau that of M_tau and B0?"""
    rng = trial.rng("models")
    k = trial.cell["lags"]
    worst = dict.fromkeys(trial.methods, 0.0)
    for _ in range(MODELS):
        n = int(rng.integers(2, 11))
        order = rng.permutation(n)
        A = np.tril(rng.normal(size=(k + 1, n, n)))
        A[0] -= np.diag(np.diag(A[0]))
        A = A[:, np.argsort(order)][:, :, np.argsort(order)]
        rest = np.eye(n) - A[0]
        for name, other in (("forth", np.linalg.solve(rest, A[1:])), ("back", rest @ A[1:])):
            worst[name] = max(worst[name], backward(other, order))
    for name, violation in worst.items():
        trial.measure(name, violation=violation, n_test=MODELS)


# Equations 14 to 19 as printed, and the ranges of the two series of Section 7.1.
PRINTED = {
    "finance": {
        "M1": [["0.95", "-4.22"], ["0.0008", "0.78"]],
        "B0": [["0", "56.04"], ["0.0027", "0"]],
        "B1": [["0.91", "-48.01"], ["-0.0018", "0.79"]],
    },
    "meg": {
        "M1": [["0.23381", "0.14551"], ["0.10838", "0.14314"]],
        "B0": [["0", "-0.65768"], ["0.56722", "0"]],
        "B1": [["0.30509", "0.23965"], ["-0.024244", "0.060608"]],
    },
}
RANGES = np.array([8230 - 5870, 123.86 - 108.51])


def matrix(printed):
    """Return the numbers, (2, 2), and half a unit of the last digit of each."""
    halves = [
        [0.5 * 10.0 ** -len(x.partition(".")[2]) if float(x) else 0.0 for x in row]
        for row in printed
    ]
    return np.array(printed, dtype=float), np.array(halves)


def beyond_rounding(printed):
    """Return by how much (I - B0) M1 misses B1 beyond any rounding, in units of what it allows.

    Each entry is of first degree in each printed number, so that the ends of the ranges decide.
    """
    (M, m), (B0, b), (B1, h) = (matrix(printed[name]) for name in ("M1", "B0", "B1"))
    ends = []
    for signs in product([-1, 1], repeat=6):
        B = B0 + b * np.array([[0, signs[0]], [signs[1], 0]])
        ends.append((np.eye(2) - B) @ (M + m * np.reshape(signs[2:], (2, 2))))
    low = np.min(ends, axis=0) - h
    high = np.max(ends, axis=0) + h
    return np.max(np.abs(B1 - (low + high) / 2) / ((high - low) / 2)) - 1


@experiment(
    "printed-matrices",
    cells=grid(data=list(PRINTED)),
    repeats=2,
    cost=0.01,
    methods={"as printed": None},
)
def run_printed_matrices(trial):
    """What follows from the printed matrices alone."""
    printed = PRINTED[trial.cell["data"]]
    sizes = np.abs(matrix(printed["B0"])[0])
    loop = np.sqrt(sizes[0, 1] * sizes[1, 0])
    trial.measure("as printed", loop=loop, beyond=beyond_rounding(printed))
    if trial.cell["data"] == "finance":
        if trial.choices["units"] == "ranges":
            sizes = sizes * RANGES / RANGES[:, None]
        trial.measure("as printed", weaker=sizes[1, 0] / sizes[0, 1])
