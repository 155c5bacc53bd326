"""Figures 2 and 3, the rare classes of Section 4.2, and what Sections 2 and 3 prove."""

import warnings

import numpy as np
from scipy.sparse import issparse
from sklearn.decomposition import LatentDirichletAllocation
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
from sklearn.preprocessing import normalize

from icml2008.harness.experiment import experiment, grid
from icml2008.papers.dasgupta2008hierarchical.method import (
    ClusterSampler,
    best_prunings,
    linkage_tree,
    shape_of,
    ward_tree,
)

BUDGETS = (200, 500, 1000, 1500, 3000, 5000)
METHODS = ("random", "margin", "cluster-adaptive", "own labels", "all labels")
PAIRS = {
    "religion": ("alt.atheism", "talk.religion.misc"),
    "graphics": ("comp.graphics", "comp.windows.x"),
    "hardware": ("comp.os.ms-windows.misc", "comp.sys.ibm.pc.hardware"),
    "crypt": ("rec.sport.baseball", "sci.crypt"),
}


def settings(choices):
    """Return what the choices say of the sampler."""
    return {
        "select": choices.get("select", "lower"),
        "interval": choices.get("interval", "plain"),
        "replace": choices.get("draw", "with") == "with",
    }


def squared_distances(X):
    """Return (n, n), from the Gram matrix, which is exact for whole numbers."""
    gram = X @ X.T
    gram = gram if isinstance(gram, np.ndarray) else gram.toarray()
    squares = np.diag(gram)
    return squares[:, None] + squares - 2 * gram


def induced(sampler, y, budgets):
    """Query up to the largest budget; return all points' labels, and who was asked, at each."""
    by_query = {}
    asked = np.zeros(len(y), bool)
    for query in range(1, max(budgets) + 1):
        point = sampler.ask()
        sampler.tell(y[point])
        asked[point] = True
        if query in budgets:
            by_query[query] = (sampler.labels_, asked.copy())
    return by_query


def logistic(X, y, C):
    """Fit; after 50 iterations errors change by a few tenths of a per cent."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        solver = "liblinear" if issparse(X) else "lbfgs"
        return LogisticRegression(C=C, solver=solver, max_iter=50).fit(X, y)


def tradeoff(X, y, grid, rng, most=300):
    """Return the C of `grid` with the fewest errors over ten folds of at most so many examples."""
    if len(grid) == 1:
        return grid[0]
    rows = rng.permutation(X.shape[0])[:most]
    wrong = np.zeros(len(grid))
    for train, test in KFold(10).split(rows):
        train = rows[train]
        test = rows[test]
        for i, C in enumerate(grid):
            if len(np.unique(y[train])) == 1:
                wrong[i] += np.sum(y[test] != y[train[0]])
            else:
                wrong[i] += np.sum(logistic(X[train], y[train], C).predict(X[test]) != y[test])
    return grid[int(np.argmin(wrong))]


def learning_curves(trial, X, y, X_test, y_test, children, budgets, tune_at, step, start, grid):
    """Measure, and return, test errors in percent by method and budget (Section 4.1)."""
    k = y.max() + 1
    errors = {name: {} for name in METHODS}
    order = trial.rng("random").permutation(len(y))
    chosen = {}

    def test(name, budget, rows, labels):
        if name not in chosen or budget == tune_at:
            chosen[name] = tradeoff(X[rows], labels, grid, trial.rng(f"folds of {name}"))
        if len(np.unique(labels)) == 1:
            return None, 100 * np.mean(y_test != labels[0])
        model = logistic(X[rows], labels, chosen[name])
        return model, 100 * np.mean(model.predict(X_test) != y_test)

    everything = np.arange(len(y))
    for budget in budgets:
        rows = order[:budget]
        errors["random"][budget] = test("random", budget, rows, y[rows])[1]
    sampler = ClusterSampler(children, k, trial.rng("sampler"), **settings(trial.choices))
    for budget, (labels, asked) in induced(sampler, y, budgets).items():
        errors["cluster-adaptive"][budget] = test("cluster-adaptive", budget, everything, labels)[1]
        own = np.where(asked, y, labels)
        errors["own labels"][budget] = test("own labels", budget, everything, own)[1]
    errors["all labels"] = dict.fromkeys(budgets, test("all labels", 0, everything, y)[1])
    rows = order[:start]
    while True:
        model, error = test("margin", len(rows), rows, y[rows])
        if len(rows) in budgets:
            errors["margin"][len(rows)] = error
        if len(rows) >= max(budgets):
            break
        size = step if len(rows) < 1000 else 250
        size = min(size, min(b for b in budgets if b > len(rows)) - len(rows))
        rest = np.setdiff1d(order, rows)
        if model is None:
            rows = np.append(rows, order[len(rows) : len(rows) + size])
            continue
        shares = np.sort(model.predict_proba(X[rest]), axis=1)
        nearest = np.argsort(shares[:, -1] - shares[:, -2], kind="stable")[:size]
        rows = np.append(rows, rest[nearest])
    for name, by_budget in errors.items():
        at = {f"error_{budget}": error for budget, error in by_budget.items()}
        trial.measure(name, **at, n_test=len(y_test))
        trial.measure(name, curve=np.mean(list(by_budget.values())))
    return errors


def draw_digits(trial):
    """Return images and labels for training and for testing, pixels from 0 to 255."""
    digits = trial.data("mnist")
    n = trial.cell["images"]
    train = np.arange(60000)
    test = np.arange(60000, 70000)
    train = trial.rng("train").permutation(train)
    test = trial.rng("test").permutation(test)
    train = train[:n]
    test = test[: n // 5]
    flat = digits.images.reshape(70000, -1)
    return flat[train].astype(float), digits.y[train], flat[test].astype(float), digits.y[test]


@experiment(
    "digits",
    cells=grid(images=[100, 10000]),
    quick=grid(images=[100]),
    repeats={"quick": 1, "full": lambda cell: 6 if cell["images"] > 100 else 1},
    cost=lambda cell: 0.5 if cell["images"] == 100 else 200.0,
    data=lambda cell: ("mnist",),
    methods=dict.fromkeys(METHODS),
)
def run_digits(trial):
    """Figure 2, right: test errors over the number of labels."""
    X, y, X_test, y_test = draw_digits(trial)
    children = linkage_tree(squared_distances(X))
    few = len(y) < 1000
    start = min(100, len(y) // 5)
    budgets, step, tune_at = ((50, 100), 25, 50) if few else (BUDGETS, 100, 500)
    Cs = (0.1,) if few else (0.01, 0.1, 1)
    images = X / 255
    held_out = X_test / 255
    errors = learning_curves(
        trial, images, y, held_out, y_test, children, budgets, tune_at, step, start, Cs
    )
    for name, by_budget in errors.items():
        trial.measure(name, early=np.mean([e for b, e in by_budget.items() if b <= 1000]))
        if 5000 in by_budget:
            trial.measure(name, late=(by_budget[3000] + by_budget[5000]) / 2)


@experiment(
    "clusters",
    cells=grid(images=[100, 10000]),
    quick=grid(images=[100]),
    repeats={"quick": 1, "full": lambda cell: 6 if cell["images"] > 100 else 1},
    cost=lambda cell: 0.05 + cell["images"] / 800,
    data=lambda cell: ("mnist",),
    methods=dict.fromkeys(("best pruning", "cluster-adaptive", "size-weighted")),
)
def run_clusters(trial):
    """Figure 2, left: the best prunings, and what is wrong after 400 queries."""
    X, y, _, _ = draw_digits(trial)
    children = linkage_tree(squared_distances(X))
    errors = 100 * best_prunings(children, y, min(200, len(y)))
    trial.keep("errors", np.round(errors[::5], 2))
    trial.measure("best pruning", pruning_50=errors[49])
    for name, other in {"cluster-adaptive": {}, "size-weighted": {"select": "naive"}}.items():
        sampler = ClusterSampler(
            children, 10, trial.rng("labels"), **settings(trial.choices) | other
        )
        wrong = 100 * np.mean(induced(sampler, y, (400,))[400][0] != y)
        trial.measure(name, wrong_400=wrong)


def pair_of(trial):
    """Return counts (sparse) and labels of a pair's postings, two parts for training to one."""
    news = trial.data("20newsgroups")
    groups = PAIRS[trial.cell["pair"]]
    rows = trial.rng("split").permutation(np.flatnonzero(np.isin(news.y, groups)))
    rows = rows[: trial.cell["most"]]
    counts = CountVectorizer(dtype=float).fit_transform([news.texts[i] for i in rows])
    return counts, (news.y[rows] == groups[1]).astype(np.int64), 2 * len(rows) // 3


def represent(counts, how, seed=0):
    """Return squared distances of documents by a representation of Section 4.1."""
    if how == "counts":
        return squared_distances(counts)
    if how == "unit-length":
        return squared_distances(normalize(counts))
    if how == "tf-idf":
        return squared_distances(TfidfTransformer().fit_transform(counts))
    model = LatentDirichletAllocation(10, max_iter=10, random_state=seed)
    mixtures = model.fit_transform(counts)
    logs = np.log(mixtures)
    own = np.sum(mixtures * logs, axis=1)
    divergence = own[:, None] - mixtures @ logs.T
    return divergence + divergence.T


@experiment(
    "representations",
    cells=grid(pair=["religion"], most=[60, 2000]),
    quick=grid(pair=["religion"], most=[60]),
    repeats={"quick": 1, "full": lambda cell: 6 if cell["most"] > 60 else 1},
    cost=lambda cell: cell["most"] / 300,
    data=lambda cell: ("20newsgroups",),
    methods=dict.fromkeys(("counts", "unit-length", "tf-idf", "lda")),
)
def run_representations(trial):
    """Figure 3, top: the best prunings of four trees of atheism against religion."""
    counts, y, n = pair_of(trial)
    seed = int(trial.rng("topics").integers(2**31))
    for name in trial.methods:
        squares = represent(counts[:n], name, seed)
        errors = 100 * best_prunings(linkage_tree(squares), y[:n], min(100, n))
        trial.measure(name, prunings=errors.mean())
        trial.keep(f"errors of {name}", np.round(errors[::4], 2))


NEWS_BUDGETS = (50, 100, 150, 200, 300, 400)
WIDE = (0.01, 0.1, 1, 10, 100, 1000, 10000)


@experiment(
    "newsgroups",
    cells=grid(pair=["religion"], most=[150]) + grid(pair=list(PAIRS), most=[2000]),
    quick=grid(pair=["religion"], most=[150]),
    repeats={"quick": 1, "full": lambda cell: 6 if cell["most"] > 150 else 1},
    cost=lambda cell: cell["most"] / 450,
    data=lambda cell: ("20newsgroups",),
    methods=dict.fromkeys(METHODS),
)
def run_newsgroups(trial):
    """Figure 3, bottom: test errors over the number of labels."""
    counts, y, n = pair_of(trial)
    children = linkage_tree(represent(counts[:n], trial.choices["tree"]))
    X = normalize(counts)
    few = trial.cell["most"] < 1000
    budgets, tune_at = ((50, 100), 50) if few else (NEWS_BUDGETS, 100)
    Cs = (10,) if few else (1, 10, 100) if trial.choices["penalty"] == "three" else WIDE
    start = min(int(trial.choices["start"]), n // 4)
    learning_curves(trial, X[:n], y[:n], X[n:], y[n:], children, budgets, tune_at, 25, start, Cs)


@experiment(
    "rare",
    cells=grid(rows=[1500, 43500]),
    quick=grid(rows=[1500]),
    repeats=lambda cell: 12 if cell["rows"] > 1500 else 2,
    cost=lambda cell: 0.2 + cell["rows"] / 20000,
    data=lambda cell: ("statlog-shuttle",),
    methods=dict.fromkeys(("random", "cluster-adaptive")),
)
def run_rare(trial):
    """Section 4.2: queries until all classes were seen, mean of ten runs, random of 100."""
    table = trial.data("statlog-shuttle")
    n = trial.cell["rows"]
    _, y = np.unique(table.y, return_inverse=True)
    common = trial.rng("rows", across=("repeat",)).permutation(len(y))
    rows = np.sort(common[np.argsort(np.isin(y[common], (0, 3, 4)), kind="stable")][:n])
    X = table.X[rows]
    y = y[rows]
    if trial.choices["scaling"] == "unit-variance":
        X = X / X.std(axis=0)
    if trial.choices["ties"] == "shuffled":
        order = trial.rng("order", across=("repeat",)).permutation(n)
        X = X[order]
        y = y[order]
    children = trial.once("tree", lambda: ward_tree(X)[0])  # of the same rows in all repeats
    rng = trial.rng("random")
    took = {"random": [], "cluster-adaptive": []}
    for _ in range(100):
        if trial.choices["draw"] == "without":
            drawn = rng.permutation(y)
            took["random"].append(1 + max(np.argmax(drawn == c) for c in range(7)))
            continue
        left = np.bincount(y)
        queries = 0
        while left.any():  # the wait for the next new class, then which it is
            queries += rng.geometric(left.sum() / len(y))
            left[rng.choice(7, p=left / left.sum())] = 0
        took["random"].append(queries)
    rng = trial.rng("sampler")
    for _ in range(10):
        sampler = ClusterSampler(children, 7, rng, **settings(trial.choices))
        missing = set(range(7))
        queries = 0
        # At most three passes: a sampler that never asks for a class would not end.
        while missing and queries < 3 * len(y):
            point = sampler.ask()
            sampler.tell(y[point])
            missing.discard(y[point])
            queries += 1
        took["cluster-adaptive"].append(queries)
    for name in trial.methods:
        trial.measure(name, queries=np.mean(took[name]))


def best_threshold(x, y):
    """Return the middle of the first of the intervals where 1(x >= w) errs least on (x, y)."""
    order = np.argsort(x, kind="stable")
    x = x[order]
    y = y[order]
    wrong = np.concatenate([[0], np.cumsum(y == 1)]) + np.sum(y == 0)
    wrong[1:] -= np.cumsum(y == 0)
    edges = np.concatenate([[x[0] - 1], (x[1:] + x[:-1]) / 2, [x[-1] + 1]])
    return edges[np.argmin(wrong)]


@experiment(
    "bias",
    cells=grid(queries=[100, 300]),
    quick=grid(queries=[100]),
    repeats=12,
    cost=0.15,
    methods=dict.fromkeys(("random", "margin", "cluster-adaptive")),
)
def run_bias(trial):
    """Section 2: four groups on the line, and a start within the two outer ones."""
    rng = trial.rng("points")
    sizes = (3600, 400, 200, 200, 3600)
    places = ((0, 1), (1.05, 1.25), (1.6, 2), (2, 2.4), (3, 4))
    x = np.concatenate([rng.uniform(*p, size=n) for p, n in zip(places, sizes, strict=True)])
    y = np.repeat([0, 1, 0, 1, 1], sizes)
    outer = np.flatnonzero((x < 1) | (x > 3))
    budget = trial.cell["queries"]
    # A start without the two inner groups: margins then never look at them.
    rows = list(rng.permutation(outer)[:10])
    while len(rows) < budget:
        w = best_threshold(x[rows], y[rows])
        far = np.abs(x - w)
        far[rows] = np.inf
        rows.append(int(np.argmin(far)))
    sampler = ClusterSampler(ward_tree(x[:, None])[0], 2, trial.rng("sampler"))
    chosen = {
        "random": (rows_ := trial.rng("random").permutation(len(x))[:budget], y[rows_]),
        "margin": (rows, y[rows]),
        "cluster-adaptive": (np.arange(len(x)), induced(sampler, y, (budget,))[budget][0]),
    }
    for name, (points, labels) in chosen.items():
        w = best_threshold(x[points], labels)
        trial.measure(name, error=100 * np.mean((x >= w) != y), n_test=len(x))


def balanced(depth):
    """Return the children of the balanced tree with 2^depth leaves."""
    return np.arange(2 ** (depth + 1) - 2).reshape(-1, 2)


@experiment(
    "rates",
    cells=grid(queries=[64, 128, 256, 512, 1024]),
    quick=grid(queries=[64, 128, 256]),
    smoke=grid(queries=[64]),
    repeats={"quick": 4, "full": 24},
    cost=0.03,
    methods={"cluster-adaptive": "lower", "size-weighted": "naive"},
)
def run_rates(trial):
    """Section 3.4: each impure node has a pure child and one that is (1/3, 2/3)-impure."""
    depth = 17
    place = np.arange(2**depth) / 2**depth
    y = np.minimum(np.floor(-np.log2(1 - place)), depth).astype(np.int64) % 2
    for name, rule in trial.methods.items():
        sampler = ClusterSampler(balanced(depth), 2, trial.rng("sampler"), select=rule)
        labels = induced(sampler, y, (trial.cell["queries"],))[trial.cell["queries"]][0]
        wrong = max(np.sum(labels != y), 1)
        trial.measure(name, log_error=np.log(wrong / len(y)))


@experiment(
    "guarantees",
    cells=grid(noise=[0.0, 0.1, 0.3], classes=[2, 5]),
    quick=grid(noise=[0.1], classes=[2]),
    repeats={"quick": 1, "full": 15},
    cost=0.3,
    methods={"cluster-adaptive": "lower", "size-weighted": "naive"},
)
def run_guarantees(trial):
    """Lemmas 1 and 4 by their own intervals, on two generated trees."""
    for name, rule in trial.methods.items():
        missed = 0
        worst = -np.inf
        for draw in range(2):
            rng = trial.rng(f"{name} {draw}")
            n = 512
            k = trial.cell["classes"]
            x = rng.uniform(size=n)
            y = np.searchsorted(np.sort(rng.uniform(size=8)), x) % k
            y = np.where(rng.uniform(size=n) < trial.cell["noise"], rng.integers(k, size=n), y)
            children = ward_tree(x[:, None])[0]
            sampler = ClusterSampler(children, k, rng, select=rule, interval="lemma")
            broken = False
            for query in range(1, 4001):
                point = sampler.ask()
                sampler.tell(y[point])
                if query % 200 == 0:
                    gap, miss = audit(sampler, y, k)
                    broken |= miss
                    worst = max(worst, -1.0 if broken else gap)
            missed += broken
        trial.measure(name, missed=missed / 2, n_test=2)
        trial.measure(name, violation=worst, n_test=2)


def audit(sampler, y, k):
    """Return by how much Lemma 4 fails at most, and whether an interval of Lemma 1 misses."""
    n = sampler.n
    true = np.zeros((2 * n - 1, k))
    true[np.arange(n), y] = 1
    sizes, depth, parent = shape_of(sampler.children)
    wrong = np.zeros(2 * n - 1)
    wrong[:n] = sampler.labels_ != y
    inside = np.zeros(2 * n - 1, bool)  # strict ancestors of the pruning
    for v in sampler.members:
        while parent[v] >= 0 and not inside[parent[v]]:
            v = parent[v]
            inside[v] = True
    for v, (a, b) in enumerate(sampler.children, start=n):
        true[v] = true[a] + true[b]
        wrong[v] = wrong[a] + wrong[b]
    least = sizes - true.max(axis=1)
    at = inside | np.isin(np.arange(2 * n - 1), sampler.members)
    at &= sampler.allowed[np.arange(2 * n - 1), sampler.label]
    gap = np.max(((wrong - (sampler.beta + 1) * least) / sizes)[at], initial=-1.0)
    seen = sampler.counts.sum(axis=1, keepdims=True)
    share = sampler.counts / np.maximum(seen, 1)
    log_term = sampler.log_term
    log_term = log_term + 2 * np.log(depth)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        width = 5 / seen * log_term + np.sqrt(4.5 * share * (1 - share) / seen * log_term)
    off = np.abs(share - true / sizes[:, None])
    return gap, bool(np.any(off[seen[:, 0] > 0] > width[seen[:, 0] > 0]))
