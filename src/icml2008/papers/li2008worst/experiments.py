"""TD(0), TD*(0) and residual gradient (RG): two chains, and the bounds on any sequence."""

from functools import partial

import numba
import numpy as np

from icml2008.harness.experiment import experiment, grid

RUNS = 20
SEQUENCES = 100
GAMMAS = [0.5, 0.8, 0.9, 0.95, 0.99]
STEPS = {
    "to-half": 0.5 / 2.0 ** np.arange(13),
    "to-1": 0.9 / 2.0 ** np.r_[0:4:0.5, 4:14],
    "to-4": 3.6 / 2.0 ** np.r_[0:6:0.5, 6:16],
    "none": np.zeros(1),
}
# Whether the step size adapts (Equation 2), and whether the next state's features count (3).
RULES = {"TD(0)": (0.0, 0.0), "TD*(0)": (1.0, 0.0), "RG": (0.0, 1.0)}
NORMS = {"unit-length": 2, "unit-sum": 1}
DOMAINS = ["ring", "puddle-rbf", "puddle-polynomial"]
NATURES = ["random", "ring", "adversary"]
LOSSES = ["prediction", "consistency"]
CASES = partial(grid, nature=NATURES, loss=LOSSES, form=["plain", "tuned"])


@numba.njit(cache=True)
def learn(rule, x, after, rewards, gamma, steps, start):
    """Return predictions and temporal differences, (T, n_steps), by Equations 1 to 3.

    x and after, features of each state and of the next (0 for none), are (T, k).
    """
    (length, k) = x.shape
    (adaptive, residual) = rule
    guesses = np.empty((length, len(steps)))
    differences = np.empty_like(guesses)
    for at, eta in enumerate(steps):
        weights = np.full(k, start)
        for t in range(length):
            guess = ahead = both = 0.0
            for i in range(k):
                guess += weights[i] * x[t, i]
                ahead += weights[i] * after[t, i]
                both += x[t, i] * after[t, i]
            d = rewards[t] + gamma * ahead - guess
            size = eta * d / (1 - adaptive * gamma * eta * both)
            for i in range(k):
                weights[i] += size * (x[t, i] - residual * gamma * after[t, i])
            guesses[t, at] = guess
            differences[t, at] = d
    return guesses, differences


def returns(rewards, lasts, gamma):
    """Return the discounted sums of rewards, (T,), up to the last step of each episode."""
    sums = [0.0]
    for reward, last in zip(rewards[::-1].tolist(), lasts[::-1].tolist(), strict=True):
        sums.append(reward + (0.0 if last else gamma * sums[-1]))
    return np.array(sums[:0:-1])


def ring(rng, law, length=500):
    """Return x, after, rewards and lasts, (T, ...), of a run on a ring of its own features."""
    features = rng.uniform(-1.0 if law == "symmetric" else 0.0, 1.0, size=(10, 5))
    if law in NORMS:
        features /= np.linalg.norm(features, ord=NORMS[law], axis=1, keepdims=True)
    x = features[np.arange(length + 1) % 10]
    x[-1] = 0  # the convention of Section 2.1
    return x[:-1], x[1:], rng.uniform(-0.1, 0.1, size=length), np.zeros(length, dtype=bool)


def penalty(places):
    """Return 400 times the depth in the puddles of Sutton (1996), of radius 0.1."""
    x = places[..., 0]
    y = places[..., 1]
    lying = np.hypot(x - np.clip(x, 0.1, 0.45), y - 0.75)
    upright = np.hypot(x - 0.45, y - np.clip(y, 0.4, 0.8))
    return 400 * np.maximum(0.1 - np.minimum(lying, upright), 0)


def walks(rng, runs=RUNS, episodes=50):
    """Return for each run the places (T, 2), those after them and which steps end an episode."""
    place = rng.uniform(0, 0.2, size=(runs, episodes, 2))
    seen = []
    while np.any(walking := place.sum(axis=-1) < 1.9):
        move = 0.05 * np.eye(2)[rng.integers(2, size=(runs, episodes))]
        moved = np.clip(place + move + 0.01 * rng.normal(size=move.shape), 0, 1)
        seen.append((walking, place, moved))
        place = np.where(walking[..., None], moved, place)
    walked, places, after = (np.stack(part, axis=2) for part in zip(*seen, strict=True))
    for at, a, b in zip(walked, places, after, strict=True):
        yield a[at], b[at], b[at].sum(axis=-1) >= 1.9


def puddle_features(places, polynomial, rbf):
    """Return the polynomial of degree two of places, or 16 radial features."""
    a = places[..., 0]
    b = places[..., 1]
    if polynomial:
        return np.stack([np.ones_like(a), a, b, a * b, a**2, b**2], axis=-1)
    line = np.linspace(0, 1, 4)
    squares = (a[..., None, None] - line[:, None]) ** 2 + (b[..., None, None] - line) ** 2
    wide = 2 if rbf == "density" else 1
    return np.exp(-squares / (wide * 0.3**2)).reshape(*a.shape, 16)


def puddle(rng, polynomial, rbf):
    """Return what `ring` does, for each run."""
    for places, then, lasts in walks(rng):
        x, after = (puddle_features(at, polynomial, rbf) for at in (places, then))
        yield x, after * ~lasts[:, None], -1 - penalty(then), lasts


def learned(rule, steps, x, after, rewards, target, gamma):
    """Return prediction errors and temporal differences, (2, T, n_steps), from weights of 1 on."""
    guesses, differences = learn(rule, x, after, rewards, gamma, STEPS[steps], 1.0)
    return np.stack([target[:, None] - guesses, differences])


def fixed(x, after, rewards, target, gamma):
    """Return the errors that `learned` does, of the fixed weights that make each least."""
    systems = [(x, target), (x - gamma * after, rewards)]
    return np.stack([b - a @ np.linalg.lstsq(a, b)[0] for a, b in systems])[..., None]


def best(losses, chosen):
    """Return the mean losses, of (n_runs, 2, n_steps), at the step sizes that are best by them."""
    means = losses.mean(axis=0)
    means[~np.isfinite(means)] = np.inf  # too large a step size diverges
    by = means if chosen == "each" else means[[LOSSES.index(chosen)] * 2]
    return means[[0, 1], by.argmin(axis=1)]


@experiment(
    "figure-1",
    cells=grid(domain=DOMAINS, gamma=GAMMAS),
    quick=grid(domain=DOMAINS, gamma=[0.5, 0.9]),
    smoke=grid(domain=DOMAINS, gamma=[0.9]),
    repeats=lambda cell: 64 if cell["domain"] == "ring" else 25,
    cost=0.1,  # seconds a trial, roughly; a literal
    methods=lambda choices: {
        **{name: partial(learned, rule, choices["step-grid"]) for name, rule in RULES.items()},
        "no learning": partial(learned, RULES["TD(0)"], "none"),
        "best fixed": fixed,
    },
)
def run_figure_1(trial):
    """Losses a step of 20 runs at the best step sizes."""
    domain = trial.cell["domain"]
    gamma = trial.cell["gamma"]
    choices = trial.choices
    # The same runs at all discounts, so that a curve over them is no draw.
    rng = trial.rng("runs", across=("gamma",))
    runs = []
    if domain == "ring":
        trajectories = (ring(rng, choices["ring-features"]) for _ in range(RUNS))
    else:
        trajectories = puddle(rng, domain == "puddle-polynomial", choices["rbf"])
    for x, after, rewards, lasts in trajectories:
        runs.append((x, after, rewards, returns(rewards, lasts, gamma), gamma))
    for name, method in trial.methods.items():
        with trial.attempt(name), np.errstate(over="ignore", invalid="ignore"):
            losses = np.array([np.mean(method(*run) ** 2, axis=1) for run in runs])
            for metric, loss in zip(LOSSES, best(losses, choices["best-step"]), strict=True):
                trial.measure(name, **{metric: float(f"{loss:.6g}")})
            if name == "no learning":
                trial.measure(name, steps=np.mean([len(run[0]) for run in runs]))


def bound(name, loss, gamma, size):
    """Return (F, g, Y, c) and (f, v, step) of a rule's bounds for features of at most that size.

    All are F (g sqrt(E) + Y W)^2 at the step size W / (c Y (Y W + g sqrt(E))) if E and W are known
    (Equations 4, 8, 12 and 13), else f (E + v W^2) at the step (Theorems 3.1 and 3.3, Section 3.5).
    """
    worst = (1 + 2 * gamma) ** 2
    z = (1 + gamma) * size
    if name == "RG" and loss == "consistency":
        return (1.0, 1.0, z, 1.0), (2.25, z**2, 2 / (3 * z**2))
    if name == "RG":
        factor = worst / (1 - gamma) ** 2
        g = 1.0
        c = (1 + gamma) ** 2
    elif loss == "consistency":
        factor = worst
        g = 1 / (1 - gamma)
        c = 1 + gamma
    else:
        factor = 1 / (1 - gamma**2)
        g = 1.0
        c = 1.0
    return (factor, g, size, c), (factor * (g**2 + size**2), 1.0, 1 / (c * (g**2 + size**2)))


def sequences(rng, nature, rule, gamma, steps, sizes, length=100, k=3):
    """Return x, after and rewards of each sequence, with features of at most sizes, (n,)."""
    n = len(sizes)
    (adaptive, residual) = rule
    drawn = rng.normal(size=(8, length + 1, n, k))
    radii = sizes * rng.uniform(size=drawn.shape[:3]) ** (1 / k)
    drawn *= (radii / np.linalg.norm(drawn, axis=3))[..., None]
    rewards = rng.uniform(-1, 1, size=(length, n))
    x = drawn[0][np.arange(length + 1) % (10 if nature == "ring" else length + 1)]
    x[-1] = drawn[:, -1] = 0
    weights = np.zeros((n, k))
    for t in range(length if nature == "adversary" else 0):
        ahead = np.sum(weights * (gamma * drawn[:, t + 1] - x[t]), axis=2)
        x[t + 1] = drawn[np.abs(ahead).argmax(axis=0), t + 1, np.arange(n)]
        d = np.sum(weights * (gamma * x[t + 1] - x[t]), axis=1)
        rewards[t] = np.where(d < 0, -1.0, 1.0)
        size = steps * (d + rewards[t])
        size /= 1 - adaptive * gamma * steps * np.sum(x[t] * x[t + 1], axis=1)
        weights += size[:, None] * (x[t] - residual * gamma * x[t + 1])
    x = np.moveaxis(x, 1, 0).copy()
    rewards = rewards.T.copy()
    return list(zip(x[:, :-1], x[:, 1:], rewards, strict=True))


@experiment(
    "bounds",
    cells=CASES(gamma=[0.0, 0.5, 0.9, 0.99]),
    quick=CASES(gamma=[0.9]),
    repeats=8,
    cost=0.06,
    methods={name: RULES[name] for name in ("TD*(0)", "RG")},
)
def run_bounds(trial):
    """Largest loss over bound, less 1, of 100 sequences."""
    nature, loss, gamma = (trial.cell[name] for name in ("nature", "loss", "gamma"))
    for name, rule in trial.methods.items():
        with trial.attempt(name):
            rng = trial.rng("sequence")
            most = []
            sizes = np.exp(rng.uniform(np.log(0.25), np.log(4), size=SEQUENCES))
            bounds = [bound(name, loss, gamma, X) for X in sizes]
            # The adversary answers a learner's own step size, which the bound fixes beforehand.
            steps = np.array([plain[-1] for _, plain in bounds])
            drawn = sequences(rng, nature, rule, gamma, steps, sizes)
            for (x, after, rewards), (tuned, plain) in zip(drawn, bounds, strict=True):
                target = returns(rewards, np.zeros(rewards.shape, dtype=bool), gamma)
                of_returns = loss == "prediction"
                rows, right = (x, target) if of_returns else (x - gamma * after, rewards)
                factor, g, y, c = tuned
                weights = np.append(plain[1], y**2 * 4.0 ** np.arange(-3, 4))
                square = rows.T @ rows + np.multiply.outer(weights, np.eye(rows.shape[1]))
                path = np.linalg.solve(square, (rows.T @ right)[:, None])[..., 0]
                known = np.sum((right[:, None] - rows @ path.T) ** 2, axis=0)
                far = np.linalg.norm(path, axis=1)
                if trial.cell["form"] == "plain":
                    limit = plain[0] * (known + plain[1] * far**2)
                    steps = np.full(1, plain[2])
                else:
                    limit = factor * (g * np.sqrt(known) + y * far) ** 2
                    steps = far / (c * y * (y * far + g * np.sqrt(known)))
                guesses, differences = learn(rule, x, after, rewards, gamma, steps, 0.0)
                errors = target[:, None] - guesses if of_returns else differences
                most.append(np.max(np.sum(errors**2, axis=0) / limit))
            trial.measure(name, n_test=SEQUENCES, violation=max(most) - 1)
