"""Theorems 1 to 7 on small problems, and slates of ads with a known attention decay.

Measurements are rounded far below their spread, which keeps records short.
"""

from itertools import product

import numpy as np

from icml2008.harness.experiment import experiment, grid
from icml2008.papers.langford2008exploration import scavenging
from icml2008.papers.langford2008exploration.scavenging import scavenge, tally

DELTA = 0.05
LOGS = 200
CONTEXTS = 8
SEEN = 6
PROBLEMS = 100
PEERS = ("scavenging", "inverse propensity", "doubly robust")


def compare(trial, contexts, actions, rewards, chosen, propensity, pay, value):
    """Measure the errors of the three estimates on logs, (LOGS, T), and return them."""
    match = chosen == actions
    (_, k) = pay.shape
    counts, gains = tally(actions, rewards * match, k)
    all_estimates = [
        scavenge(counts, gains),
        scavenging.by_propensity(rewards, match, propensity),
        scavenging.doubly_robust(contexts, actions, rewards, chosen, propensity, pay.shape),
    ]
    for name, estimates in zip(PEERS, all_estimates, strict=True):
        trial.measure(name, error=np.sqrt(np.mean((estimates - value) ** 2)).round(7))
    five = k * np.sqrt(2 * np.log(2 * k / DELTA) / actions.shape[1])  # Theorem 5's bound
    bounds = scavenging.bound_by_counts(counts, DELTA), five
    for name, estimates, bound in zip(PEERS[:2], all_estimates, bounds, strict=False):
        beyond = np.abs(estimates - value) > bound
        trial.measure(name, beyond=100 * beyond.mean(), n_test=LOGS)


# Theorem 1's rewards of actions 0 and 1 for x = 0 and 1 under D and under D'.
TWINS = np.array([[[0, 0], [0, 1]], [[0, 1], [1, 1]]])


@experiment(
    "looking",
    cells=grid(blind=[0.0, 0.1, 1.0]),
    repeats=8,
    cost=0.04,
    methods=dict.fromkeys(PEERS),
)
def run_looking(trial):
    """Theorem 1, where a coin makes the logger ignore the input in a share of the rounds."""
    blind = trial.cell["blind"]
    x, a = np.indices((2, 2))
    propensity = (1 - blind) * (x == a) + blind / 2
    laws = [1.0, 1.0]
    once = [np.array([(pay == r) * propensity / 2 for r in (0, 1)]).ravel() for pay in TWINS]
    for _ in range(SEEN):
        laws = [np.outer(law, round_law).ravel() for law, round_law in zip(laws, once, strict=True)]
    values = TWINS[:, [0, 1], [1, 0]].mean(axis=1)
    trial.measure("scavenging", distance=np.abs(laws[0] - laws[1]).sum() / 2)
    trial.measure("scavenging", gap=np.abs(np.diff(values))[0])
    rng = trial.rng("log")
    size = (LOGS, 1000)
    x = rng.integers(2, size=size)
    a = np.where(rng.random(size) < blind, rng.integers(2, size=size), x)
    compare(trial, x, a, TWINS[1][x, a], 1 - x, propensity[x, a], TWINS[1], values[1])


def all_logs(logger):
    """Return contexts, rewards and actions, (4^6, 6), of all logs with two of each.

    ``budgeted`` takes the action that paid more so far, ``looking`` takes x, three times each at
    most; ``greedy`` is the former without a limit.
    """
    logs = np.array(list(product(range(4), repeat=SEEN)))
    contexts = logs // 2
    rewards = logs % 2
    rows = np.arange(len(logs))
    actions = np.zeros_like(logs)
    counts = np.zeros((len(logs), 2))
    sums = np.zeros((len(logs), 2))
    for t in range(SEEN):
        logged = np.full(len(logs), t % 2)
        if logger == "looking":
            logged = contexts[:, t]
        elif logger != "rotating" and t > 1:
            logged = np.argmax(sums / counts, axis=1)
        if logger != "greedy":
            logged = np.where(counts[rows, logged] == SEEN // 2, 1 - logged, logged)
        actions[:, t] = logged
        counts[rows, logged] += 1
        sums[rows, logged] += rewards[:, t]
    return contexts, rewards, actions


@experiment(
    "all-logs",
    cells=grid(logger=["rotating", "budgeted", "greedy", "looking"]),
    repeats=30,
    cost=0.08,
    methods={"scavenging": scavenge},
)
def run_all_logs(trial):
    """Theorem 2: the mean over all logs of six rounds, less the value, of 100 random problems."""
    contexts, rewards, actions = all_logs(trial.cell["logger"])
    rng = trial.rng("problems")
    biases = []
    for _ in range(PROBLEMS):
        often = rng.dirichlet([1, 1])
        pay = rng.random((2, 2))
        policy = rng.integers(2, size=2)
        p = pay[contexts, actions]
        chance = np.prod(often[contexts] * np.where(rewards, p, 1 - p), axis=1)
        estimates = scavenge(*tally(actions, rewards * (policy[contexts] == actions), 2))
        biases.append(chance @ estimates - often @ pay[[0, 1], policy])
    # Rounded, so that what is not above rounding is no bias.
    trial.measure("scavenging", worst=np.abs(biases).max().round(12), n_test=PROBLEMS)


def problem(rng, k):
    """Return mean rewards, (CONTEXTS, k), and a policy that takes each action equally often."""
    return (rng.random(k) + rng.random((CONTEXTS, k))) / 2, rng.permutation(CONTEXTS) % k


def paid(rng, means, how):
    """Return rewards of given means: clicks of 0 or 1, or the means themselves."""
    return (rng.random(means.shape) < means).astype(float) if how == "clicks" else means


def explored(rng, logger, pay, policy, rounds, how):
    """Return counts and gains, (LOGS, k), of loggers that see history and not the input.

    ``greedy`` rotates in every other round and else takes what paid most; ``flattering`` is an
    adversary who knows the problem: it takes the action of which the log says the least good so
    far, so that the others keep their luck.
    """
    k = pay.shape[1]
    rows = np.arange(LOGS)
    match = policy[:, None] == np.arange(k)
    squares = np.mean((pay if how == "clicks" else pay**2) * match, axis=0)
    mean = np.mean(pay * match, axis=0)
    counts, gains, sums = (np.zeros((LOGS, k)) for _ in range(3))
    for t in range(rounds):
        x = rng.integers(CONTEXTS, size=LOGS)
        a = np.full(LOGS, t % k)
        if t >= k and logger == "flattering":
            spread = np.sqrt((squares - mean**2) * counts)
            a = np.argmin((gains - counts * mean) / spread, axis=1)
        elif t >= k and logger == "greedy":
            a = np.full(LOGS, t // 2 % k) if t % 2 else np.argmax(sums / counts, axis=1)
        reward = paid(rng, pay[x, a], how)
        counts[rows, a] += 1
        sums[rows, a] += reward
        gains[rows, a] += reward * match[x, a]
    return counts, gains


LOGGERS = ["rotating", "greedy", "flattering"]


@experiment(
    "deviation",
    cells=grid(logger=LOGGERS, actions=[2, 4, 8], rounds=[256, 1024, 4096]),
    quick=grid(logger=LOGGERS, actions=[2, 8], rounds=[256, 1024]),
    smoke=grid(logger=LOGGERS, actions=[2, 8], rounds=[256]),
    repeats=8,
    cost=lambda cell: 8e-5 * cell["rounds"],
    methods={"scavenging": scavenge},
)
def run_deviation(trial):
    """Theorem 3 and Corollary 4: errors of 200 logs of one problem against the bound."""
    logger, k, rounds = (trial.cell[name] for name in ("logger", "actions", "rounds"))
    pay, policy = problem(trial.rng("problem", across=("logger", "rounds")), k)
    log = explored(trial.rng("logs"), logger, pay, policy, rounds, trial.choices["rewards"])
    errors = np.abs(scavenge(*log) - pay[np.arange(CONTEXTS), policy].mean())
    shares = errors / scavenging.bound_by_counts(log[0], DELTA)
    near = np.quantile(shares, 1 - DELTA)
    trial.measure("scavenging", beyond=100 * np.mean(shares > 1), n_test=LOGS)
    trial.measure("scavenging", tightness=round(100 * near, 3))
    trial.measure("scavenging", log_tightness=np.log(near).round(4))
    trial.measure("scavenging", log_error=np.round(np.log(np.mean(errors**2)) / 2, 4))


ROUNDS = 4096
CASES = ["logger", "policy-even", "policy-lopsided"]


@experiment(
    "matches",
    cells=grid(case=CASES, world=["drawn", "one"], actions=[2, 4, 8]),
    quick=grid(case=CASES, world=["drawn", "one"], actions=[2, 8]),
    smoke=grid(case=CASES, world=["drawn", "one"], actions=[8]),
    repeats={"quick": 1, "full": 12},
    cost=0.1,
    methods=dict.fromkeys(PEERS),
)
def run_matches(trial):
    """Theorem 5: policy and logger meet with probability 1/k, since one of them is random.

    In the world ``one`` action 0 always pays 1 and the others nothing. ``policy-lopsided`` logs
    action 0 but for the last k - 1 rounds.
    """
    case = trial.cell["case"]
    k = trial.cell["actions"]
    rng = trial.rng("logs")
    pay, policy = problem(trial.rng("problem"), k)
    if trial.cell["world"] == "one":
        pay = np.tile(np.eye(k)[0], (CONTEXTS, 1))
    size = (LOGS, ROUNDS)
    late = np.maximum(np.arange(ROUNDS) - ROUNDS + k, 0)
    x = rng.integers(CONTEXTS, size=size)
    drawn = rng.integers(k, size=size)
    if case == "logger":
        chosen = policy[x]
        value = pay[np.arange(CONTEXTS), policy].mean()
        # Overall, one draw is for all rounds but the last.
        past = trial.choices["probability"] == "past"
        a = drawn if past else (drawn[:, :1] + late) % k
    else:
        chosen = drawn
        value = pay.mean()
        a = np.broadcast_to(np.arange(ROUNDS) % k if case == "policy-even" else late, size)
    rewards = paid(rng, pay[x, a], trial.choices["rewards"])
    compare(trial, x, a, rewards, chosen, 1 / k, pay, value)


ADS = 20
SLOTS = 4
PAGES = 5
SAMPLES = 50
RIVALS = 100
RATES = {"rare": (0.005, 0.1), "common": (0.1, 0.9)}
DECAY = {"new": np.array([1, 0.613387, 0.52731, 0.432521]), "reciprocal": 1 / np.arange(1.0, 5)}
BY_AD = ("equal", "section-4.4", "theorem-7")


def slates_of(rng, appeal, logger, coverage):
    """Return slates of ads, (n_slates, SLOTS), that are shown in turn, whatever the page.

    200 are drawn (Plackett and Luce's law: the next ad by its appeal), and 20 more bring each ad
    into each slot. Where coverage is partial, the five best ads are in the first slot only.
    """
    liking = np.log(appeal) if logger == "sorted" else np.zeros(ADS)
    drawn = np.argsort(-liking - rng.gumbel(size=(200, ADS)), axis=1)[:, :SLOTS]
    turns = rng.permutation(ADS)[(np.arange(ADS)[:, None] + np.arange(SLOTS)) % ADS]
    slates = np.concatenate([drawn, turns])
    lower = np.isin(slates[:, 1:], np.argsort(-appeal)[:5]).any(axis=1)
    return slates[~lower] if coverage == "partial" else slates


@experiment(
    "slates",
    cells=grid(logger=["sorted", "even"], rounds=[22000, 220000, 2200000, 22000000]),
    quick=grid(logger=["sorted", "even"], rounds=[220000, 22000000]),
    smoke=grid(logger=["sorted"], rounds=[220000]),
    repeats=20,
    cost=0.05,
    methods=dict.fromkeys(["naive", *BY_AD]),
)
def run_slates(trial):
    """Theorems 6 and 7 on 50 logs of one market, and the limits of the estimates."""
    logger = trial.cell["logger"]
    choices = trial.choices
    rng = trial.rng("market")
    appeal = np.exp(rng.uniform(*np.log(RATES[choices["click-rates"]]), ADS))
    decay = DECAY[choices["decay"]]
    rates = appeal * rng.uniform(0.5, 1, size=(PAGES, ADS))
    slates = slates_of(rng, appeal, logger, choices["coverage"])
    each = trial.cell["rounds"] // len(slates)
    place = (slates[..., None] == np.arange(ADS)).astype(float)  # slate, slot, ad
    shown = np.maximum(each * place.sum(axis=0).T, 1e-9)  # M(a, i); CTR is 0 where it is
    chance = decay * rates[:, slates].swapaxes(0, 1)  # slate, page, slot
    log = trial.rng("log")
    visits = log.multinomial(each, np.full(PAGES, 1 / PAGES), size=(SAMPLES, len(slates)))
    # The last of the logs has the expected clicks, so that its estimates are the limits.
    clicks = np.concatenate([log.binomial(visits[..., None], chance), [each / PAGES * chance]])
    by_ad = np.einsum("nspi,sia->nai", clicks, place, optimize=True)
    p = decay * rates.mean(axis=0)[:, None]
    variances = np.ones((ADS, SLOTS)), p * (1 - p)
    weights = (
        np.ones((ADS, SLOTS)),
        *(scavenging.least_variance(shown, variance) for variance in variances),
    )
    ratios_of = {
        name: scavenging.decay_by_ad(by_ad, shown, by_slot)[:, 1:] / decay[1:]
        for name, by_slot in zip(BY_AD, weights, strict=True)
    }
    ratios_of["naive"] = scavenging.decay_by_totals(by_ad, shown)[:, 1:] / decay[1:]
    for name, ratios in ratios_of.items():
        *errors, limit = ratios - 1
        trial.measure(name, log_error=np.round(np.log(np.mean(np.square(errors))) / 2, 4))
        trial.measure(name, limit=np.abs(limit).max().round(10))
        trial.measure(name, bias=np.round(100 * limit.mean(), 4))
    cost = variances[1] / shown + variances[1][:, :1] / shown[:, :1]
    best = weights[-1]
    best = best / best.sum(axis=0)
    draw = trial.rng("rivals")
    far = np.exp(draw.uniform(-6, 0, size=(RIVALS, 1, 1)))
    rivals = best * np.exp(far * draw.normal(size=(RIVALS, ADS, SLOTS)))
    rivals /= rivals.sum(axis=1, keepdims=True)
    excess = 1 - np.sum(rivals**2 * cost, axis=1) / np.sum(best**2 * cost, axis=0)
    trial.measure("theorem-7", excess=excess[:, 1:].max().round(10), n_test=RIVALS)
