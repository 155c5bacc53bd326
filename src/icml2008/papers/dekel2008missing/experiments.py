"""The theorems on drawn problems, the sanity check, and both figures."""

import numpy as np

from icml2008.harness.experiment import experiment, grid

from .method import average_perceptrons, kept_shares, perceptron_path, solve_program
from .rivals import (
    deletion_ranks,
    fit_svm,
    fit_worst_deletions,
    greedy_attack,
    information_values,
)
from .theory import (
    corrupted_risk,
    empirical_risk,
    hinge_losses,
    kl_bound,
    margin_losses,
    relaxed_value,
    solve_exponential,
)

DELTA = 0.05
DRAWS = 10
FOLDS = 10
CHUNK = 50
DIGIT_CHUNKS = 4
TUNED_ON = 8  # chunks of e-mails on which each margin is tried
DELETED = {"spam": (1, 2, 4, 8), "mnist": (16, 32, 64, 128)}
NOISE = {"spam": (1, 2, 4, 8), "mnist": (4, 16, 64)}
MARGINS = {"narrow": (1, 8, 64), "wide": (0.25, 16, 1024)}
SANITY_MARGINS = (0.1, 1.0, 10.0)
COSTS = {"narrow": (1, 10, 100), "wide": (0.1, 10, 1000)}
SPAM = ("spam-uniform", "spam-information")
DIGITS = "mnist-information"
PART = "spam-uniform/230"  # e-mails, for quick runs


@experiment(
    "program",
    cells=grid(values=["binary", "real"]),
    smoke=grid(values=["real"]),
    repeats=30,
    cost=0.15,
    methods={"LP": None},
)
def run_program(trial):
    """Ten problems: Equation 4 beside Equation 3, and one optimum beside all its deletions."""
    rng = trial.rng("problems")
    worst = dict.fromkeys(("below", "unrelaxed", "unbounded", "gap"), 0.0)
    for _ in range(DRAWS):
        X = rng.uniform(-1, 1, size=(6, 6))
        y = np.where(X[:, 0] + rng.normal(size=6) > 0, 1.0, -1.0)
        if trial.cell["values"] == "binary":
            values = np.ones(6)
            values[rng.permutation(6)[: rng.integers(3)]] = 0
            limit = float(rng.integers(1, values.sum()))
        else:
            values = rng.uniform(0.1, 2, size=6)
            limit = rng.uniform(0.1, 0.8) * values.sum()
        ratio = 2 ** rng.uniform(-2, 4)
        w, b, value = solve_program(X, y, values, limit, ratio)
        exact_w, exact_b, exact = solve_exponential(X, y, values, limit, ratio)
        margin = 1 / (values.sum() - limit)
        contributions = y[:, None] * X * w
        kept = kept_shares(contributions, values, limit, margin)
        greedy = np.sum(kept * (contributions - margin * values), axis=1)
        relaxed = [relaxed_value(row, values, limit, margin) for row in contributions]
        risk = empirical_risk(exact_w, exact_b, X, y, values, limit)
        gap = value - exact
        problem = {
            "below": -gap,
            "unrelaxed": np.max(np.abs(greedy - relaxed))
            + (np.sum(kept % 1 > 0, axis=1) > 1).any(),
            "unbounded": risk - exact,
            "gap": abs(gap) if trial.cell["values"] == "binary" else gap - ratio,
        }
        worst = {name: max(worst[name], problem[name]) for name in worst}
    gap = worst.pop("gap")
    name = "inexact" if trial.cell["values"] == "binary" else "beyond"
    trial.measure("LP", n_test=DRAWS, **worst, **{name: gap})


@experiment(
    "online",
    cells=grid(n=[6]),
    repeats=30,
    cost=0.2,
    methods={"perceptron": None},
)
def run_online(trial):
    """Ten sequences: losses above the best fixed classifier's, beyond the bounds."""
    rng = trial.rng("sequences")
    regret = []
    excess = []
    for _ in range(DRAWS):
        points = rng.normal(size=(10, 6))
        points /= np.abs(points).sum(axis=1, keepdims=True)
        X = np.repeat(points, 2, axis=0)
        y = np.tile([1.0, -1.0], 10)
        law = rng.dirichlet(np.ones(10)).repeat(2)
        law *= np.where(y == np.sign(points[:, 0]).repeat(2), 0.9, 0.1)
        values = np.ones(6)
        limit = float(rng.integers(1, 5))
        ratio = 2 ** rng.uniform(0, 6)
        drawn = rng.choice(20, size=60, p=law)
        given = (values, limit)
        met = (X[drawn], y[drawn])
        path = perceptron_path(*met, *given, [ratio])
        losses = [
            hinge_losses(weights[0, :-1], weights[0, -1], X[[i]], y[[i]], *given)[0]
            for i, weights in zip(drawn, path, strict=True)
        ]
        counts = np.bincount(drawn, minlength=20) / 60
        *_, fixed = solve_exponential(X, y, *given, ratio, weights=counts, bias=ratio)
        regret.append(np.mean(losses) - fixed - ratio * np.sqrt(2 * 7 / 60))
        *_, least = solve_exponential(X, y, *given, ratio, weights=law, bias=ratio)
        w, b = average_perceptrons(*met, *given, [ratio])
        phi = 6 / (6 - limit)
        term = (3 * ratio + phi) * np.sqrt(2 * (7 + np.log(2 / DELTA)) / 60)
        excess.append(law @ hinge_losses(w[0], b[0], X, y, *given) - least - term)
    trial.measure("perceptron", n_test=DRAWS, regret=max(regret), excess_loss=max(excess))


@experiment(
    "margins",
    cells=grid(n=[3]),
    repeats=60,
    cost=0.01,
    methods={"LP": None},
)
def run_margins(trial):
    """Theorem 2 by one sample and 200 classifiers; Theorem 3 by ten extreme cases."""
    rng = trial.rng("law")
    points = rng.uniform(-1, 1, size=(20, 3))
    X = np.repeat(points, 2, axis=0)
    y = np.tile([1.0, -1.0], 20)
    law = rng.dirichlet(np.ones(20)).repeat(2)
    law *= np.where(y == np.sign(points.sum(axis=1)).repeat(2), 0.95, 0.05)
    values = rng.uniform(0.5, 1.5, size=3)
    limit = rng.uniform(0.2, 0.6) * values.sum()
    gamma = rng.uniform(0.1, 1)
    W = rng.uniform(-1, 1, size=(200, 3))
    losses = margin_losses(W, X, y, values, limit, gamma)
    sample = losses @ rng.multinomial(2000, law) / 2000
    risk = margin_losses(W, X, y, values, limit, 0.0) @ law
    complexity = np.sum(np.log(4 * (values.sum() - limit) / (gamma * values)))
    bound = kl_bound(sample, (np.log(2000 / DELTA) + complexity) / 1999)
    noisy = rng.integers(5, 500, size=DRAWS)
    epsilon = 10 ** rng.uniform(-4, -1, size=DRAWS)
    hoeffding = np.sqrt(2 * noisy * np.log(1 / epsilon))
    trial.measure("LP", excess_risk=np.max(risk - bound))
    trial.measure(
        "LP",
        n_test=DRAWS,
        corrupted=np.max(corrupted_risk(noisy, hoeffding) - epsilon),
        corrupted_as_printed=np.mean(corrupted_risk(noisy, hoeffding / np.sqrt(8)) - epsilon),
    )


def error_of(scores, y):
    """Return the percentage of mistakes; a score of zero is one."""
    return 100 * np.mean(y * scores <= 0)


def constant_of(scores):
    """Return the percentage of the cases that are given the more frequent answer."""
    positive = np.mean(scores > 0)
    return 100 * max(positive, 1 - positive)


def draw_sanity(rng, points):
    """Return 1,000 points with two copies of their noisy label, the labels, and the clean ones."""
    plane = rng.normal(size=20)
    X = rng.normal(size=(8000, 20))
    if points == "uniform":
        X = rng.uniform(-1, 1, size=X.shape)
    elif points == "apart":
        X = X[np.abs(X @ plane) >= np.linalg.norm(plane)]
    X = X[:1000]
    clean = np.where(X @ plane > 0, 1.0, -1.0)
    y = np.where(rng.random(1000) < 0.2, -clean, clean)
    return np.column_stack([X, y, y]), y, clean


@experiment(
    "sanity",
    cells=grid(n_train=[100, 500]),
    quick=grid(n_train=[100]),
    repeats=20,
    cost=lambda cell: cell["n_train"] / 1000,
    methods=dict.fromkeys(("LP", "SVM")),
)
def run_sanity(trial):
    """Errors with none, one or both copies of the label deleted."""
    choices = trial.choices
    rng = trial.rng("points")
    X, y, clean = draw_sanity(rng, choices["points"])
    n_train = trial.cell["n_train"]
    train = slice(0, n_train)
    test = slice(500, 1000)
    values = np.array([1.0] * 20 + [10.0] * 2)
    limit = 20.0
    cost = {"svmlight": 1 / np.mean(np.sum(X[train] ** 2, axis=1))}.get(choices["svm-cost"])
    fitted = {"SVM": fit_svm(X[train], y[train], cost or float(choices["svm-cost"]))}
    if choices["sanity-margin"] == "tuned":
        held = slice(0, n_train // 9)
        rest = slice(n_train // 9, n_train)
        candidates = [
            solve_program(X[rest], y[rest], values, limit, ratio) for ratio in SANITY_MARGINS
        ]
        attack = {"values": values, "limit": limit}
        ratio = SANITY_MARGINS[best_of(candidates, X[held], y[held], **attack)]
    else:
        ratio = float(choices["sanity-margin"])
    fitted["LP"] = solve_program(X[train], y[train], values, limit, ratio)[:2]
    first = 20 + int(rng.integers(2))
    for name, (w, b) in fitted.items():
        scores = X[test] @ w + b
        single = scores - X[test, first] * w[first]
        both = X[test, :20] @ w[:20] + b
        trial.measure(
            name,
            n_test=500,
            intact=error_of(scores, y[test]) / 100,
            one_deleted=error_of(single, y[test]) / 100,
            both_deleted=error_of(both, y[test]) / 100,
            constant=constant_of(both),
        )
        trial.measure(name, on_labels=100 * np.abs(w[20:]).sum() / np.abs(w).sum())
        trial.measure(name, above_best=error_of(both, y[test]) - error_of(clean[test], y[test]))


def attacked(w, b, X, y, values, limit, **attack):
    """Return scores after the greedy adversary, which knows the classifier."""
    contributions = y[:, None] * X * w
    kept = greedy_attack(contributions, values, limit, **attack)
    return y * (np.sum(contributions * kept, axis=1)) + b


def best_of(candidates, X, y, values, limit, **attack):
    """Return the number of the candidate with the fewest mistakes under attack, or the first."""
    errors = [error_of(attacked(w, b, X, y, values, limit, **attack), y) for w, b, *_ in candidates]
    return int(np.argmin(errors))


def scale(X, rows, how):
    """Return features scaled by what the given rows have; zeros stay zeros."""
    if how == "binary":
        return (X > 0).astype(float)
    unit = X[rows].max(axis=0) if how == "largest" else X[rows].std(axis=0)
    return X / np.where(unit > 0, unit, 1)


def task_of(trial, dataset):
    """Return features and signs of a task: spam or not, 4 or 7."""
    table = trial.data("spambase" if dataset == "spam" else "mnist")
    if dataset == "spam":
        return np.asarray(table.X, dtype=float), np.where(table.y == "1", 1.0, -1.0)
    rows = np.isin(table.y, [4, 7])
    X = table.images[rows].reshape(rows.sum(), -1) / 255
    return X, np.where(table.y[rows] == 4, 1.0, -1.0)


def majority(y):
    return 1.0 if np.sum(y) >= 0 else -1.0


@experiment(
    "random",
    cells=grid(dataset=["spam", "mnist"]),
    smoke=grid(dataset=["spam"]),
    quick=grid(dataset=["spam"]),
    repeats={"full": lambda cell: 12 if cell["dataset"] == "spam" else 6},
    cost=lambda cell: 0.8 if cell["dataset"] == "spam" else 8.0,
    methods=dict.fromkeys(("LP", "GR", "SVM", "majority")),
    data=lambda cell: ("spambase",) if cell["dataset"] == "spam" else ("mnist",),
)
def run_random(trial):
    """Errors of classifiers of 50 examples, each tuned for each number of deleted features."""
    dataset = trial.cell["dataset"]
    choices = trial.choices
    X, y = task_of(trial, dataset)
    rng = trial.rng("split")
    rows = rng.permutation(len(y))[:2250]
    X = X[rows]
    y = y[rows]
    if dataset == "spam":
        X = scale(X, slice(0, 50), choices["random-scaling"])
    ranks = deletion_ranks(X, rng)
    train = slice(0, 50)
    held = slice(50, 250)
    test = slice(250, 2250)
    deleted = DELETED[dataset]
    noise = deleted if choices["noise-parameter"] == "as-deleted" else NOISE[dataset]
    ratios = np.array(MARGINS[choices["random-margins"]]) / np.mean(np.abs(X[train]).sum(axis=1))
    costs = np.array(COSTS[choices["random-margins"]]) / np.mean(np.sum(X[train] ** 2, axis=1))
    values = np.ones(X.shape[1])
    fitted = {"LP": [], "SVM": [(None, *fit_svm(X[train], y[train], cost)) for cost in costs]}
    for limit in noise:
        for ratio in ratios:
            fitted["LP"].append((limit, *solve_program(X[train], y[train], values, limit, ratio)))
    settings = [(limit, cost) for limit in noise for cost in costs]
    weights, intercepts, _ = fit_worst_deletions(X[train], y[train], settings)
    fitted["GR"] = [
        (limit, w, b) for (limit, _), w, b in zip(settings, weights, intercepts, strict=True)
    ]
    fitted["majority"] = [(None, values * 0, majority(y[train]))]
    for name, classifiers in fitted.items():
        errors = []
        for number in deleted:
            candidates = [
                (w, b)
                for limit, w, b, *_ in classifiers
                if limit in (None, number) or choices["noise-parameter"] == "tuned"
            ]
            gone = number if choices["random-validation"] == "yes" else 0
            tried = [
                error_of((X[held] * (ranks[held] >= gone)) @ w + b, y[held]) for w, b in candidates
            ]
            w, b = candidates[int(np.argmin(tried))]
            scores = (X[test] * (ranks[test] >= number)) @ w + b
            errors.append(error_of(scores, y[test]))
        trial.measure(name, n_test=2000, error=np.mean(errors), most=errors[-1])
        trial.measure(name, constant=constant_of(scores))
        trial.keep(name, errors)


def split_fold(trial, n_drawn, n_rows):
    """Return training, tuning and test rows of the fold that is the repeat's."""
    order = trial.rng("folds", across=(*trial.cell, "repeat")).permutation(n_rows)
    parts = np.array_split(order[:n_drawn], FOLDS)
    test = parts.pop(trial.repeat)
    rest = trial.rng("rest").permutation(np.concatenate(parts))
    held, train = np.split(rest, [len(rest) // 9])
    return train, held, test


def average_program(X, y, chunks, values, limit, ratio):
    """Return mean weights and intercept of the linear program over chunks of examples."""
    solved = [solve_program(X[part], y[part], values, limit, ratio) for part in chunks]
    return np.mean([w for w, _, _ in solved], axis=0), np.mean([b for _, b, _ in solved])


def prepare(trial, scaling):
    """Return features, signs, values and rows of a panel of Figure 2, or of a part of it."""
    panel, _, part = trial.cell["panel"].partition("/")
    dataset, _, kind = panel.partition("-")
    X, y = task_of(trial, dataset)
    train, held, test = split_fold(trial, int(part or len(y)), len(y))
    if dataset == "spam":
        X = scale(X, train, scaling)
    values = np.ones(X.shape[1])
    if kind == "information":
        values = information_values(X[train], y[train])
    return X, y, values, (train, held, test)


def tuned_program(X, y, attack, tuning, ratios, held, chunks, tried):
    """Return the program averaged over chunks, with the ratio of the fewest mistakes.

    Each ratio is tried with the chunks that are `tried`.
    """
    given = (attack["values"], attack["limit"])
    candidates = [average_program(X, y, tried, *given, ratio) for ratio in ratios]
    ratio = ratios[best_of(candidates, X[held], y[held], **tuning)]
    return average_program(X, y, chunks, *given, ratio), ratio


@experiment(
    "adversary",
    cells=[
        *grid(panel=[PART], n=[4]),
        *grid(panel=list(SPAM), n=[2, 4, 8]),
        *grid(panel=[DIGITS], n=[16, 64]),
    ],
    quick=grid(panel=[PART], n=[4]),
    repeats=6,
    cost=lambda cell: {PART: 0.25, DIGITS: 8.0}.get(cell["panel"], 2.0),
    methods=dict.fromkeys(("LP", "perceptron", "SVM", "majority")),
    data=lambda cell: ("mnist",) if cell["panel"] == DIGITS else ("spambase",),
)
def run_adversary(trial):
    """One fold: each method tuned under the adversary, and its error under it."""
    choices = trial.choices
    digits = trial.cell["panel"] == DIGITS
    X, y, values, (train, held, test) = prepare(trial, choices["scaling"])
    limit = float(trial.cell["n"])
    attack = {"values": values, "limit": limit, "rank": choices["attack"]}
    attack["below"] = choices["limit"] == "below"
    tuning = attack if choices["validation"] == "yes" else {**attack, "limit": 0.0}
    ratios = np.array(MARGINS[choices["margins"]]) / np.mean(np.abs(X[train]).sum(axis=1))
    costs = np.array(COSTS[choices["margins"]]) / np.mean(np.sum(X[train] ** 2, axis=1))
    check = (X[held], y[held])
    fitted = {"majority": (values * 0, majority(y[train]))}
    size = int(choices["chunk"])
    chunks = np.array_split(train, max(1, round(len(train) / size)))
    tried = (
        chunks[DIGIT_CHUNKS : DIGIT_CHUNKS + 1] if digits else chunks[: TUNED_ON * CHUNK // size]
    )
    chunks = chunks[:DIGIT_CHUNKS] if digits else chunks
    fitted["LP"], _ = tuned_program(X, y, attack, tuning, ratios, held, chunks, tried)
    passes = int(choices["passes"])
    averages = average_perceptrons(X[train], y[train], values, limit, ratios, passes=passes)
    candidates = list(zip(*averages, strict=True))
    fitted["perceptron"] = candidates[best_of(candidates, *check, **tuning)]
    candidates = [fit_svm(X[train], y[train], cost) for cost in costs]
    fitted["SVM"] = candidates[best_of(candidates, *check, **tuning)]
    for name, (w, b) in fitted.items():
        scores = attacked(w, b, X[test], y[test], **attack)
        trial.measure(name, n_test=len(test), error=error_of(scores, y[test]))
        trial.measure(name, constant=constant_of(scores))
        if name != "majority" and limit == 4:
            trial.measure(name, half=half_of(np.mean(np.abs(X[test] * w), axis=0)))


def half_of(sizes):
    """Return the percentage of features, the largest first, that have half of the sum of sizes."""
    sums = np.cumsum(np.sort(sizes)[::-1])
    return 100 * (np.searchsorted(sums, sums[-1] / 2) + 1) / len(sizes)


@experiment(
    "chunks",
    cells=grid(panel=[PART, "spam-uniform"]),
    quick=grid(panel=[PART]),
    repeats={"quick": 1, "full": 6},
    cost=lambda cell: 0.4 if cell["panel"] == PART else 8.0,
    methods=dict.fromkeys(("LP-50", "LP-200", "LP-whole", "majority")),
    data=lambda cell: ("spambase",),
)
def run_chunks(trial):
    """One fold: the linear program on chunks of two sizes and on the whole."""
    X, y, values, (train, held, test) = prepare(trial, "largest")
    limit = 4.0
    attack = {"values": values, "limit": limit}
    ratios = np.array(MARGINS["narrow"]) / np.mean(np.abs(X[train]).sum(axis=1))
    fitted = {"majority": (values * 0, majority(y[train]))}
    for size in (50, 200):
        chunks = np.array_split(train, max(1, round(len(train) / size)))
        fitted[f"LP-{size}"], ratio = tuned_program(
            X, y, attack, attack, ratios, held, chunks, chunks[: TUNED_ON * CHUNK // size]
        )
    fitted["LP-whole"] = solve_program(X[train], y[train], values, limit, ratio)[:2]
    for name, (w, b) in fitted.items():
        scores = attacked(w, b, X[test], y[test], **attack)
        trial.measure(name, n_test=len(test), error=error_of(scores, y[test]))
        trial.measure(name, constant=constant_of(scores))
