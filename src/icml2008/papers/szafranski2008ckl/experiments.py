"""Composite kernel learning: kernels of single features in groups, weighted under a mixed norm."""

import numpy as np
from scipy.optimize import minimize_scalar
from sklearn.metrics import roc_auc_score

from icml2008.harness.experiment import experiment, grid

POWERS = {
    "MKL": (0.0, 1.0),
    "groups alone": (1.0, 0.0),
    "CKL 1/2": (0.5, 0.5),
    "a quarter": (0.25, 0.75),
    "CKL 1": (1.0, 1.0),
    "sum above 1": (1.0, 0.5),
    "q above 1": (-0.5, 1.25),
    "q below 0": (1.0, -0.5),
    "sum below 0": (-0.75, 0.5),
}
LEARNT = ["MKL", "CKL 1/2", "CKL 1"]


class Penalty:
    """The admissible set of Problem (10), for exponents p and q and groups of kernels in a row."""

    def __init__(self, powers, sizes):
        self.p, self.q = powers
        self.sizes = np.asarray(sizes, dtype=float)
        self.of = np.repeat(np.arange(len(sizes)), sizes)
        self.first = np.cumsum([0, *sizes[:-1]])
        self.outer = 1 / (self.p + self.q)
        self.gamma = 2 / (self.q + 1)
        self.gamma_0 = 2 / (self.p + self.q + 1)
        self.gamma_star = 1 - self.gamma_0 / self.gamma

    def inner(self, sigma):
        """Return (sum of sigma^(1/q))^q of each group, its largest weight where q is 0."""
        if self.q == 0:
            return np.maximum.reduceat(sigma, self.first)
        return np.add.reduceat(sigma ** (1 / self.q), self.first) ** self.q

    def bound(self, sigma):
        """Return the left side of the constraint, which is at most 1 in the set."""
        return np.sum((self.sizes**self.p * self.inner(sigma)) ** self.outer)

    def project(self, sigma):
        """Return sigma scaled onto the surface."""
        return sigma / self.bound(sigma) ** (self.p + self.q)

    def _sums(self, norms):
        s = np.add.reduceat(norms**self.gamma, self.first)
        return s, np.sum(self.sizes**self.gamma_star * s ** (self.gamma_0 / self.gamma))

    def squared_norm(self, norms):
        """Return twice the penalty of Problem (11), with gamma inside, of functions' norms."""
        return self._sums(norms)[1] ** (2 / self.gamma_0)

    def best(self, norms):
        """Return Equation 12's weights, those of groups of norm 0 being 0."""
        s, total = self._sums(norms)
        of_groups = np.where(s > 0, s, 1.0) ** self.gamma_star * (s > 0)
        of_groups *= self.sizes**-self.gamma_star * total ** ((self.gamma_0 - 2) / self.gamma_0)
        return of_groups[self.of] * norms ** (2 - self.gamma)

    def normal(self, sigma, slopes):
        """Return the surface's normal, and which kernels cannot come back.

        An empty group would enter along its slopes; where the outer exponent is below 1, its
        normal is infinite there.
        """
        empty = (self.inner(sigma) == 0)[self.of]
        at = np.where(empty, slopes, sigma)
        inner = self.inner(at)
        factor = (self.sizes**self.p * inner) ** (self.outer - 1) * self.sizes**self.p
        factor *= inner ** (1 - 1 / self.q)
        return factor[self.of] * at ** (1 / self.q - 1), empty & (self.outer < 1)


def longest(*pairs):
    """Return the step, at most 1, that keeps values positive along their changes."""
    most = max(np.max(-change / value) for value, change in pairs)
    return 1.0 if most <= 0.99 else 0.99 / most


def support_vectors(K, y, C, tol=1e-8):
    """Return alpha * y and the optimal value of Problem (14), by a primal-dual interior point.

    K is (n, n), y (n,) of -1 and 1. C may be large: pairwise methods then take long.
    """
    n = len(y)
    Q = K * np.outer(y, y)
    a = np.full(n, C / 2)
    low = np.ones(n)
    high = np.ones(n)
    b = 0.0
    for _ in range(100):
        gradient = Q @ a - 1 + b * y
        gap = a @ low + (C - a) @ high
        scale = np.sum(a)
        far = max(np.max(np.abs(gradient - low + high)), abs(y @ a) / C)
        if gap <= tol * scale and far <= tol * max(1.0, C):
            break
        centre = 0.05 * gap / (2 * n)
        H = Q + np.diag(low / a + high / (C - a))
        right = centre / a - centre / (C - a) - gradient
        step, along = np.linalg.solve(H, np.column_stack([right, y])).T
        rise = (y @ step + y @ a) / (y @ along)
        step = step - rise * along
        lower = centre / a - low - low * step / a
        higher = centre / (C - a) - high + high * step / (C - a)
        t = longest((a, step), (C - a, -step), (low, lower), (high, higher))
        a = a + t * step
        b = b + t * rise
        low = low + t * lower
        high = high + t * higher
    return a * y, np.sum(a) - a @ Q @ a / 2


class Machine:
    """J(sigma) of features X, (n, M), whose kernels are their products, and labels y."""

    def __init__(self, X, y, C):
        self.X = X
        self.y = y
        self.C = C
        self.solved = 0

    def __call__(self, sigma):
        """Return J, and half the squared norms of kernels' functions at weight 1, -dJ/dsigma."""
        self.solved += 1
        signed, value = support_vectors((self.X * sigma) @ self.X.T, self.y, self.C)
        self.coef = self.X.T @ signed
        return value, self.coef**2 / 2


def tangent(downhill, normal, sigma, held):
    """Return the projection on the tangent in which no weight of 0 falls and held ones stay."""
    while True:
        n = np.where(held, 0.0, normal)
        move = np.where(held, 0.0, downhill) - n * (n @ downhill) / (n @ n)
        stuck = (sigma <= 0) & (move < 0)
        if not np.any(stuck):
            return move
        held = held | stuck


def algorithm_1(machine, penalty, sigma, tol, most=30):
    """Return weights by Algorithm 1, until a round changes J and all weights by at most tol."""
    value, slopes = machine(sigma)
    for _ in range(most):
        before = value
        old = sigma
        downhill = slopes
        held = np.zeros(len(sigma), dtype=bool)
        while True:
            normal, out = penalty.normal(sigma, slopes)
            move = tangent(downhill, normal, sigma, held | out)
            steps = np.full(len(sigma), np.inf)
            falling = (move < 0) & (sigma > 0)
            if not np.any(falling):
                return sigma
            steps[falling] = -sigma[falling] / move[falling]
            k = np.argmin(steps)
            after = sigma + steps[k] * move
            # Of kernels that tie with k, rounding would leave dust that ends the next step.
            after = penalty.project(np.where(after < 1e-12 * np.max(after), 0.0, after))
            tried, tried_slopes = machine(after)
            if not tried < value:
                break
            sigma = after
            value = tried
            slopes = tried_slopes
            held[k] = True

        def at(part, sigma=sigma, move=move, far=steps[k]):
            return penalty.project(np.maximum(sigma + part * far * move, 0))

        part = minimize_scalar(
            lambda part, at=at: machine(at(part))[0],
            bounds=(0, 1),
            method="bounded",
            options={"maxiter": 20, "xatol": tol},
        ).x
        tried, tried_slopes = machine(at(part))
        if tried < value:
            sigma = at(part)
            value = tried
            slopes = tried_slopes
        if before - value <= tol * before and np.max(np.abs(sigma - old)) <= tol * np.max(sigma):
            break
    return sigma


def equation_12(machine, penalty, sigma, tol, most=500):
    """Return weights by Equation 12, over and over; those below 1e-8 of the largest become 0."""
    before = np.inf
    for _ in range(most):
        value, slopes = machine(sigma)
        if before - value <= tol * value:
            break
        before = value
        old = sigma
        sigma = penalty.best(old * np.sqrt(2 * slopes))
        sigma = penalty.project(np.where(sigma < 1e-8 * np.max(sigma), 0.0, sigma))
    return sigma


def gap(machine, penalty, sigma):
    """Return by how much J at sigma may exceed the optimum, over J; p + q is 1."""
    value, slopes = machine(sigma)
    if penalty.q == 1:
        dual = np.maximum.reduceat(slopes, penalty.first)
    else:
        dual = np.add.reduceat(slopes ** (1 / penalty.p), penalty.first) ** penalty.p
    return (np.max(dual * penalty.sizes**-penalty.p) - slopes @ sigma) / value


SOLVERS = {"algorithm-1": algorithm_1, "equation-12": equation_12}
# Norms that Section 4.2 and Section 6 name, of functions' norms f of groups in a list.
NAMED = {
    "MKL": lambda groups: sum(np.sum(f) for f in groups),
    "groups alone": lambda groups: sum(np.sqrt(len(f) * (f @ f)) for f in groups),
    "CKL 1/2": lambda groups: sum(
        len(f) ** (1 / 4) * np.sum(f ** (4 / 3)) ** (3 / 4) for f in groups
    ),
    "CKL 1": lambda groups: sum(len(f) ** (1 / 3) * np.sum(f) ** (2 / 3) for f in groups) ** 1.5,
}


@experiment(
    "propositions",
    cells=grid(powers=list(POWERS)),
    repeats=30,
    cost=0.02,  # seconds a trial, roughly; a literal
    methods={"CKL": None},
)
def run_propositions(trial):
    """Ten structures: Problem (10) for given functions against (11), and segments of its set."""
    rng = trial.rng("structures")
    powers = POWERS[trial.cell["powers"]]
    off = []
    bends = []
    special = []
    for _ in range(10):
        penalty = Penalty(powers, rng.integers(2, 5, size=rng.integers(2, 5)))
        size = len(penalty.of)

        def cost(norms, sigma):
            return np.sum(norms**2 / sigma)

        norms = np.exp(rng.normal(size=size))
        drawn = np.exp(rng.normal(size=(100, 2, 2, size)))
        if powers[1] >= 0 and sum(powers) > 0:
            best = penalty.best(norms)
            least = penalty.squared_norm(norms)
            # Near the best weights and far from them, since cost is flat at its least.
            others = [
                penalty.project(best * draw[0, 0] ** scale) for draw in drawn for scale in (1, 0.01)
            ]
            off += [
                abs(cost(norms, best) / least - 1),
                abs(penalty.bound(best) - 1),
                max(1 - cost(norms, weights) / least for weights in others),
            ]
            if trial.cell["powers"] in NAMED:
                named = NAMED[trial.cell["powers"]](np.split(norms, penalty.first[1:]))
                special.append(abs(least / named**2 - 1))
        for (a, b), (f, g) in drawn:
            a = penalty.project(a)
            b = penalty.project(b)
            ends = (cost(f, a) + cost(g, b)) / 2
            bends.append(penalty.bound((a + b) / 2) - 1)
            bends.append(cost((f + g) / 2, (a + b) / 2) / ends - 1)
    violations = {"bend": bends, "violation": off, "special": special}
    trial.measure(
        "CKL", n_test=10, **{name: max(values) for name, values in violations.items() if values}
    )


def toy(rng, n):
    """Return standard normal features in three pairs and labels by the first pair, and noise."""
    X = rng.normal(size=(n, 3, 2))
    return X, np.where(X[:, 0].sum(axis=1) + rng.normal(size=n) > 0, 1.0, -1.0)


@experiment(
    "descent",
    cells=grid(powers=["MKL", "CKL 1/2"]),
    repeats=30,
    cost=0.3,
    methods=SOLVERS,
)
def run_descent(trial):
    """What a solver leaves of J above the optimum, over the optimum, on a small problem."""
    rng = trial.rng("problem")
    X, y = toy(rng, 12)
    penalty = Penalty(POWERS[trial.cell["powers"]], [2, 2, 2])
    X = X.reshape(12, 6)
    start = penalty.project(rng.uniform(0.1, 1, size=6))
    for name, solve in trial.methods.items():
        with trial.attempt(name):
            machine = Machine(X, y, 1.0)
            tol = 1e-4 if name == "algorithm-1" else 1e-6
            sigma = solve(machine, penalty, start, tol, 200)
            trial.measure(name, gap=gap(machine, penalty, sigma))


C_GRID = [1.0, 10.0, 100.0]
SETS = {"electrodes": "ssl-bci", "digits": "optdigits", "channels": None, "toy": None}
N_TRAIN = 60
CHANNELS = 12
FRAMES = 4
RELEVANT = 3


def channels(rng, n=520):
    """Return 12 channels of 4 frames, noise that a channel's frames share, and labels.

    In the first three channels the first two frames have means that differ by the label.
    """
    y = np.where(rng.random(n) < 0.5, 1.0, -1.0)
    X = rng.normal(size=(n, CHANNELS, FRAMES)) + rng.normal(size=(n, CHANNELS, 1))
    X[:, :RELEVANT, :2] += 0.5 * y[:, None, None]
    return X, y


def grouped(trial):
    """Return features, (n, M), labels of -1 and 1 and the sizes of groups."""
    name = trial.cell["data"]
    if name in ("channels", "toy"):
        X, y = channels(trial.rng(name)) if name == "channels" else toy(trial.rng(name), 40)
    elif name == "electrodes":
        X = trial.data("ssl-bci").images
        y = trial.data("ssl-bci").y.astype(float)
    else:
        digits = trial.data("optdigits")
        X = digits.X.reshape(-1, 8, 8)
        y = np.where(digits.y.astype(int) % 2, 1.0, -1.0)
    return X.reshape(len(y), -1), y, [X.shape[2]] * X.shape[1]


def learn(trial, name, machine, sizes):
    """Return the weights of a penalty, or the same ones for all kernels."""
    if name == "SVM":
        return np.full(sum(sizes), 1 / sum(sizes))
    penalty = Penalty(POWERS[name], sizes)
    tol = 1e-3 if trial.choices["solver"] == "algorithm-1" else 1e-6
    return SOLVERS[trial.choices["solver"]](
        machine, penalty, penalty.project(np.ones(sum(sizes))), tol
    )


@experiment(
    "sparsity",
    cells=grid(data=list(SETS)),
    quick=grid(data=["toy"]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 1.0 if cell["data"] == "toy" else 8.0,
    methods=dict.fromkeys(["SVM", *LEARNT]),
    data=lambda cell: [SETS[cell["data"]]] if SETS[cell["data"]] else [],
)
def run_sparsity(trial):
    """Groups and kernels that penalties keep, and areas under the curve, C chosen by validation."""
    X, y, sizes = grouped(trial)
    rows = trial.rng("split").permutation(len(y))
    few = trial.cell["data"] == "toy"
    n_train = 16 if few else N_TRAIN
    train = rows[:n_train]
    test = rows[n_train:]
    spread = X[train].std(axis=0)
    X = (X - X[train].mean(axis=0)) / np.where(spread > 0, spread, 1.0)
    fit, held_out = np.split(train, [n_train * 3 // 4])

    def scored(name, C, rows, others):
        machine = Machine(X[rows], y[rows], C)
        sigma = learn(trial, name, machine, sizes)
        machine(sigma)
        return 100 * roc_auc_score(y[others], X[others] @ (sigma * machine.coef)), sigma, machine

    for name in trial.methods:
        with trial.attempt(name):
            # C is chosen by a quarter of the training rows, then all of them learn.
            areas = [scored(name, C, fit, held_out)[0] for C in (C_GRID[:1] if few else C_GRID)]
            auc, sigma, machine = scored(name, C_GRID[int(np.argmax(areas))], train, test)
            kept = sigma > 0
            in_group = np.add.reduceat(kept, np.arange(0, len(kept), sizes[0])) > 0
            trial.measure(name, auc=auc, groups=np.sum(in_group), kernels=np.sum(kept))
            if name in ("MKL", "CKL 1/2"):
                trial.measure(name, gap=gap(machine, Penalty(POWERS[name], sizes), sigma))
            if trial.cell["data"] == "channels":
                trial.measure(name, irrelevant=np.sum(in_group[RELEVANT:]))
