"""Promoted methods beside what one would take instead today, all in one run.

Each solver gets the same data and its best settings and is called with its preparation; "answer"
says how far the answers agree, or how good each is where they cannot be the same. Numbers are
processor seconds, the best of up to five calls that take turns in one process on one thread, after
one that is not counted. "by" tells a package from a loop of our own, which is no peer: it stands
for what one would write down. A package that is not installed is said to be not at hand.
BoTorch, AEPsych, trieste and morl-baselines need torch or TensorFlow and were not at hand.

Run with ``pip install celer skglm pymdptoolbox mabwiser skada lightgbm grakel fastcluster
lingam`` and
``python benchmarks/peers.py``; writes results/peers.csv. Names of methods as arguments run these
and leave the other rows. With ``--compare`` nothing is written: what moved by more than 1.5 times
is printed, and the exit status is 1 if anything did.
"""

from __future__ import annotations

import csv
import os
import sys
import time
import warnings
from collections.abc import Iterator
from datetime import date
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

os.environ.update({"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"})  # before numpy is loaded

import numpy as np
from newer_peers import NEWER_TASKS
from peer_tasks import LOOP, OURS, PACKAGE, Solver, Task, call
from projection_peers import projections
from scipy.optimize import linprog, minimize
from scipy.spatial import ConvexHull, HalfspaceIntersection
from scipy.spatial.distance import cdist

from icml2008.harness.benchmarks import write
from icml2008.harness.machine import machine
from icml2008.methods import (
    Bolasso,
    CompositeLevelSet,
    ConvexClustering,
    ConvexHullValueIteration,
    CovariateShiftMatching,
    DistributionMatching,
    ListMLE,
    MIRank,
    OptimisticLinearSupport,
    PointCloudKernel,
    RankedBandits,
    skeleton_graph,
    upper_envelope,
)
from icml2008.methods.clustering._mixture import mixture_weights
from icml2008.papers.bach2008bolasso import benchmark as bolasso_benchmark
from icml2008.papers.barrett2008chvi import benchmark as planning_benchmark
from icml2008.papers.bergeron2008mirank import benchmark as ranking_benchmark
from icml2008.papers.bryan2008composite import benchmark as level_set_benchmark
from icml2008.papers.radlinski2008diverse import benchmark as bandits_benchmark
from icml2008.report.peers import peers_moved

PACKAGES = (
    "icml2008", "numpy", "scipy", "scikit-learn", "numba", "celer", "skglm", "pymdptoolbox",
    "mabwiser", "skada", "lightgbm", "GraKeL", "cvxpy", "clarabel",
    "fastcluster", "lingam", "highspy",
)  # fmt: skip
# seconds; a solver that has had more is not called again
RUNS = 5
PATIENCE = 1.0


def measure(task: Task) -> Iterator[dict[str, str]]:
    runs = {}
    seconds = {}
    answers = {}
    for name, solver in task.solvers.items():
        try:
            runs[name] = solver.make()
        except ImportError:
            continue
        seconds[name] = []
        answers[name] = runs[name]()
    for _ in range(RUNS):
        for name, run in runs.items():
            if sum(seconds[name]) < PATIENCE:
                start = time.process_time()
                answers[name] = run()
                seconds[name].append(time.process_time() - start)
    first = next(iter(task.solvers))
    for name, solver in task.solvers.items():
        least = min(seconds[name]) if name in runs else None
        yield {
            "method": task.method.__name__,
            "task": task.task,
            "solver": name,
            "by": solver.by,
            "seconds": "" if least is None else f"{least:.3g}",
            "times_icml2008": "" if least is None else f"{least / min(seconds[first]):.2g}",
            "answer": "not at hand"
            if least is None
            else task.compare(answers[first], answers[name]),
        }


def selections() -> Iterator[Task]:
    """Eight bootstrap samples, 100 values of mu: which variables each Lasso keeps."""

    def by_path(path, X, y, mus):
        return np.stack([path(*data, mus) for data in bolasso_benchmark.resampled(X, y)])

    def celer(*data):
        from celer import celer_path

        def path(X, y, mus):
            return celer_path(np.asfortranarray(X), y, "lasso", alphas=mus, tol=1e-8)[1].T != 0

        return partial(by_path, path, *data)

    def skglm(*data):
        from skglm import Lasso

        def path(X, y, mus):
            model = Lasso(fit_intercept=False, tol=1e-8)
            return model.path(np.asfortranarray(X), y, mus)[1].T != 0

        return partial(by_path, path, *data)

    def gram(X, y, mus):
        from sklearn.linear_model import lasso_path

        return lasso_path(X, y, alphas=mus, precompute=True, tol=1e-8)[1].T != 0

    for name, (n, p, r) in {**bolasso_benchmark.SIZES, "wide": (512, 256, 8)}.items():
        X, y = bolasso_benchmark.generated(n, p, r)
        mus = np.abs((X - X.mean(axis=0)).T @ (y - y.mean())).max() / n * np.geomspace(1, 1e-3, 100)
        data = X, y, mus
        yield Task(
            Bolasso,
            f"{name}: n = {n}, p = {p}",
            {
                "bolasso_path": Solver(OURS, call(bolasso_benchmark.ours, *data)),
                "celer": Solver(PACKAGE, partial(celer, *data)),
                "skglm": Solver(PACKAGE, partial(skglm, *data)),
                "scikit-learn lars_path": Solver(
                    PACKAGE, call(bolasso_benchmark.with_lars_path, *data)
                ),
                "scikit-learn lasso_path, Gram": Solver(PACKAGE, call(by_path, gram, *data)),
            },
            lambda ours, theirs: f"{np.mean(ours == theirs):.2%} of selections are ours",
        )


def rankings() -> Iterator[Task]:
    """One value of nu; the peer solves the same dual programs as ours does."""

    def dual(rows, nu):
        n_rows, n_features = rows.shape
        result = linprog(
            -np.ones(n_rows),
            A_ub=np.vstack([rows.T, -rows.T]),
            b_ub=np.ones(2 * n_features),
            bounds=(0, nu),
            method="highs-ds",
        )
        marginals = result.ineqlin.marginals
        return marginals[n_features:] - marginals[:n_features], -result.fun

    def compare(ours, theirs):
        return f"objectives differ by {abs(theirs[-1] / ours[-1] - 1):.0e}"

    problems = {
        "synthetic-4, 136 boxes": ranking_benchmark.synthetic(0.1, 0.1),
        "census size": ranking_benchmark.census_size(),
    }
    for name, data in problems.items():
        loops = {
            "scipy linprog, dual": dual,
            "scipy linprog, primal": ranking_benchmark.solve_with_scipy,
        }
        yield Task(
            MIRank,
            name,
            {"MIRank": Solver(OURS, call(ranking_benchmark.ours, *data, [1.0]))}
            | {
                peer: Solver(PACKAGE, call(ranking_benchmark.plain(solve), *data, [1.0]))
                for peer, solve in loops.items()
            },
            compare,
        )


def corners(vectors):
    """Return the weights where the maximum of linear functions has its corners, by Qhull."""
    n, d = vectors.shape
    high = vectors.max() + np.ptp(vectors) + 1
    rows = np.zeros((n + d + 1, d + 1))  # of all weights but the last, the height, and a constant
    rows[:n, : d - 1] = vectors[:, :-1] - vectors[:, -1:]
    rows[:n, d - 1] = -1
    rows[:n, d] = vectors[:, -1]
    rows[n : n + d - 1, : d - 1] = -np.eye(d - 1)
    rows[n + d - 1, : d - 1] = 1
    rows[n + d - 1, d] = -1
    rows[n + d, d - 1] = 1
    rows[n + d, d] = -high
    inside = np.append(np.full(d - 1, 1 / d), 0.5 * (vectors.mean(axis=1).max() + high))
    points_met = HalfspaceIntersection(rows, inside).intersections
    points_met = points_met[points_met[:, -1] < high - 1e-9, :-1]
    return np.column_stack([points_met, 1 - points_met.sum(axis=1)]).clip(0)


def plans() -> Iterator[Task]:
    """Values at the start for 1000 and for 50 preferences, tolerance 1e-6."""

    def toolbox(mdp, start, weights):
        from mdptoolbox.mdp import ValueIteration

        n = mdp.n_states
        chances = mdp.transitions.toarray()
        lost = np.maximum(1 - chances.sum(axis=1, keepdims=True), 0)
        whole = np.hstack([chances, lost]).reshape(n, -1, n + 1).swapaxes(0, 1)
        end = np.zeros((whole.shape[0], 1, n + 1))
        end[..., -1] = 1
        whole = np.concatenate([whole, end], axis=1)  # where an episode ends
        whole /= whole.sum(axis=2, keepdims=True)
        rewards = np.concatenate([mdp.rewards, np.zeros((1, *mdp.rewards.shape[1:]))])

        def run():
            values = []
            for w in weights:
                peer = ValueIteration(
                    whole, rewards @ w, mdp.discount, epsilon=1e-6, max_iter=10**4
                )
                peer.run()
                values.append(peer.V[start])
            return np.array(values)

        return run

    def by_half_spaces(mdp, start, weights):
        """Linear support as one would write it: corners by Qhull, plans by numpy."""
        d = mdp.n_criteria
        asked = []
        vectors = []

        def plan(w):
            values = np.zeros((mdp.n_states, d))
            change = np.inf
            while change > 1e-6 * (1 - mdp.discount):
                ahead = (mdp.transitions @ values).reshape(mdp.rewards.shape)
                q = mdp.rewards + mdp.discount * ahead
                best = (q @ w).argmax(axis=1)
                new = q[np.arange(len(q)), best]
                change = np.abs(new - values).max()
                values = new
            return values[start]

        queue = list(np.eye(d))
        while queue:
            w = queue.pop()
            if any(np.abs(w - other).max() < 1e-9 for other in asked):
                continue
            asked.append(w)
            vector = plan(w)
            if vectors and w @ vector <= max(w @ v for v in vectors) + 1e-6:
                continue
            vectors.append(vector)
            queue += list(corners(np.array(vectors)))
        return (np.array(vectors) @ weights.T).max(axis=0)

    def compare(ours, theirs):
        return f"values differ by at most {np.abs(ours - theirs).max():.0e}"

    mdp, start = planning_benchmark.treasure_grid()
    toolbox_name = "pymdptoolbox ValueIteration, one by one"
    for count in (1000, 50):
        weights = np.random.default_rng(0).dirichlet(np.ones(mdp.n_criteria), count)
        data = mdp, start, weights
        for method, run in (
            (ConvexHullValueIteration, planning_benchmark.convex_hulls),
            (OptimisticLinearSupport, planning_benchmark.linear_support),
        ):
            yield Task(
                method,
                f"treasure grid, {count} preferences",
                {method.__name__: Solver(OURS, call(run, *data))}
                # a thousand, one by one, would take longer than all the rest together
                | ({toolbox_name: Solver(PACKAGE, partial(toolbox, *data))} if count < 100 else {})
                | {
                    "linear support, Qhull and numpy": Solver(LOOP, call(by_half_spaces, *data)),
                    "value iteration, numpy, one array": Solver(
                        LOOP, call(planning_benchmark.numpy_all_in_one_array, *data)
                    ),
                    "value iteration, compiled, one by one": Solver(
                        LOOP, call(planning_benchmark.compiled_one_by_one, *data)
                    ),
                },
                compare,
            )


def presentations(bandit="ucb1", count=2000) -> Iterator[Task]:
    """Presentations of five out of 50 documents by a UCB1 a rank."""
    clicks = bandits_benchmark.audience()
    n_users, n_documents = clicks.shape
    n_ranks = bandits_benchmark.N_RANKS

    def mabwiser():
        from mabwiser.mab import MAB, LearningPolicy

        def run():
            rng = np.random.default_rng(0)
            total = 0
            ranks = [MAB(list(range(n_documents)), LearningPolicy.UCB1(1)) for _ in range(n_ranks)]
            for rank in ranks:
                rank.fit(list(range(n_documents)), [0] * n_documents)
            for _ in range(count):
                chosen = [rank.predict() for rank in ranks]
                shown = []
                for arm in chosen:
                    while arm in shown:
                        arm = int(rng.integers(n_documents))
                    shown.append(arm)
                looked = rng.random(n_ranks) < clicks[rng.integers(n_users), shown]
                clicked = int(np.argmax(looked)) if looked.any() else -1
                total += clicked >= 0
                for i, (rank, arm) in enumerate(zip(ranks, chosen, strict=True)):
                    rank.partial_fit([arm], [int(i == clicked and shown[i] == arm)])
            return total / count

        return run

    yield Task(
        RankedBandits,
        f"UCB1, {count} presentations",
        {
            "RankedBandits": Solver(OURS, call(bandits_benchmark.ours, bandit, clicks, count)),
            "MABWiser, one a rank": Solver(PACKAGE, mabwiser),
            "compiled loop": Solver(LOOP, compiled_bandits(clicks, n_ranks, count)),
            "numpy, step by step": Solver(
                LOOP, call(bandits_benchmark.plainly, bandit, clicks, count)
            ),
        },
        lambda ours, theirs: f"a click in {theirs:.1%} of presentations",
    )


def compiled_bandits(clicks, n_ranks, count):
    def make():
        from numba import njit

        @njit
        def run(clicks, n_ranks, count):
            np.random.seed(0)  # noqa: NPY002, numba knows no generators' choice
            n_users, n = clicks.shape
            wins = np.zeros((n_ranks, n))
            plays = np.zeros((n_ranks, n))
            shown = np.zeros(n_ranks, np.int64)
            chosen = np.zeros(n_ranks, np.int64)
            total = 0
            for t in range(count):
                user = np.random.randint(n_users)  # noqa: NPY002
                clicked = -1
                for i in range(n_ranks):
                    arm = (t + i) % n
                    best = -1.0
                    if t >= n:
                        for j in range(n):
                            bound = wins[i, j] / plays[i, j] + np.sqrt(2 * np.log(t) / plays[i, j])
                            if bound > best:
                                arm = j
                                best = bound
                    chosen[i] = arm
                    while (shown[:i] == arm).any():
                        arm = np.random.randint(n)  # noqa: NPY002
                    shown[i] = arm
                    if clicked < 0 and np.random.random() < clicks[user, arm]:  # noqa: NPY002
                        clicked = i
                total += clicked >= 0
                for i in range(n_ranks):
                    plays[i, chosen[i]] += 1
                    wins[i, chosen[i]] += clicked == i and shown[i] == chosen[i]
            return total / count

        return partial(run, clicks, n_ranks, count)

    return make


def choices() -> Iterator[Task]:
    """Which of 1000 candidates to ask of which of four functions, ten times over."""
    level_set = level_set_benchmark
    for n in (100, 500):
        rng = np.random.default_rng(n)
        models = level_set.fitted([rng.uniform(0, 2, (n, 2)) for _ in level_set.FUNCTIONS], None)
        draws = [rng.uniform(0, 2, (level_set.CANDIDATES, 2)) for _ in range(10)]

        def all_draws(choose, models=models, draws=draws):
            return [choose(models, candidates) for candidates in draws]

        yield Task(
            CompositeLevelSet,
            f"ten choices, {n} samples of each of four functions",
            {
                "CompositeLevelSet": Solver(OURS, call(all_draws, level_set.choose_by_screening)),
                "scikit-learn GaussianProcessRegressor": Solver(
                    PACKAGE, call(all_draws, level_set.choose_by_scikit_learn)
                ),
                "textbook solve": Solver(LOOP, call(all_draws, level_set.choose_by_dense_solves)),
            },
            lambda ours, theirs: f"{np.mean(np.array(ours) == theirs):.0%} of choices are ours",
        )


def transfers(n_tasks=20, n_train=30, n_test=30, n_features=20) -> Iterator[Task]:
    """Tasks whose inputs differ, and in the second case whose effects do, too."""

    def skada(adapter, X, y, task, held, held_task):
        import skada as package
        from sklearn.linear_model import LogisticRegression

        def run():
            decided = np.empty(len(held))
            for t in range(n_tasks):
                inside = held_task == t
                both = np.vstack([X, held[inside]])
                labels = np.append((y + 1) // 2, np.full(inside.sum(), -1))
                domain = np.repeat([1, -2], [len(X), inside.sum()])
                model = package.make_da_pipeline(
                    getattr(package, adapter)(),
                    LogisticRegression().set_fit_request(sample_weight=True),
                )
                model.fit(both, labels, sample_domain=domain)
                decided[inside] = 2 * model.predict(held[inside]) - 1
            return decided

        return run

    def matching(method, X, y, task, held, held_task):
        return method().fit(X, y, task=task).predict(held, task=held_task)

    for effects, method in ((0.0, CovariateShiftMatching), (1.0, DistributionMatching)):
        rng = np.random.default_rng(0)
        task = np.repeat(np.arange(n_tasks), n_train)
        held_task = np.repeat(np.arange(n_tasks), n_test)
        shift = rng.normal(size=(n_tasks, n_features))
        weights = rng.normal(size=n_features) + effects * rng.normal(size=(n_tasks, n_features))
        X = shift[task] + rng.normal(size=(len(task), n_features))
        held = shift[held_task] + rng.normal(size=(len(held_task), n_features))

        def labels(X, task, weights=weights, shift=shift, rng=rng):
            curve = np.tanh(X) - np.tanh(shift[task])
            noise = rng.logistic(size=len(X))
            return np.where(np.sum(weights[task] * curve, axis=1) + noise > 0, 1, -1)

        y = labels(X, task)
        truth = labels(held, held_task)
        data = X, y, task, held, held_task
        yield Task(
            method,
            f"{n_tasks} tasks of {n_train}, effects {'differ' if effects else 'alike'}",
            {method.__name__: Solver(OURS, call(matching, method, *data))}
            | {
                f"skada {name}, task by task": Solver(PACKAGE, partial(skada, name, *data))
                for name in ("DiscriminatorReweightAdapter", "GaussianReweightAdapter")
            },
            lambda ours, theirs, truth=truth: f"{np.mean(theirs == truth):.1%} right",
        )


def lists(n_lists=500, n_items=20, n_features=20) -> Iterator[Task]:
    """Lists ordered by a linear score and noise; half of them are held out."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(2 * n_lists, n_items, n_features))
    scores = X @ rng.normal(size=n_features) + 2 * rng.normal(size=X.shape[:2])
    grades = scores.argsort(axis=1).argsort(axis=1)
    train = X[:n_lists].reshape(-1, n_features)
    held = X[n_lists:].reshape(-1, n_features)
    y = grades[:n_lists].ravel()
    qid = np.repeat(np.arange(n_lists), n_items)

    def ours():
        return ListMLE(random_state=0).fit(train, y, qid).predict(held)

    def plain():
        order = np.argsort(-y.reshape(-1, n_items), axis=1)
        rows = np.take_along_axis(X[:n_lists], order[..., None], axis=1).reshape(-1, n_features)

        def loss(w):
            S = (rows @ w).reshape(-1, n_items)
            top = S.max(axis=1, keepdims=True)
            odds = np.exp(S - top)
            tails = np.cumsum(odds[:, ::-1], axis=1)[:, ::-1]
            gradient = odds * np.cumsum(1 / tails, axis=1) - 1
            value = np.log(tails).sum() + n_items * top.sum() - S.sum()
            return value / n_lists, rows.T @ gradient.ravel() / n_lists

        options = {"gtol": 1e-6, "ftol": 0.0}
        result = minimize(loss, np.zeros(n_features), jac=True, method="L-BFGS-B", options=options)
        return held @ result.x

    def lightgbm(objective):
        from lightgbm import LGBMRanker

        def run():
            model = LGBMRanker(objective=objective, n_jobs=1, verbose=-1)
            model.fit(train, y, group=np.full(n_lists, n_items))
            return model.predict(held)

        return run

    def concordant(parameters):
        S = parameters.reshape(-1, n_items)
        T = grades[n_lists:]
        signs = np.sign(S[:, :, None] - S[:, None]) * np.sign(T[:, :, None] - T[:, None])
        return f"{(signs > 0).sum() / (signs.size - signs[:, 0].size):.2%} of held-out pairs right"

    yield Task(
        ListMLE,
        f"{n_lists} lists of {n_items}, {n_features} features",
        {
            "ListMLE": Solver(OURS, call(ours)),
            "LightGBM lambdarank": Solver(PACKAGE, partial(lightgbm, "lambdarank")),
            "LightGBM rank_xendcg": Solver(PACKAGE, partial(lightgbm, "rank_xendcg")),
            "likelihood in numpy, L-BFGS": Solver(LOOP, call(plain)),
        },
        lambda ours, theirs: concordant(theirs),
    )


def drawings(per_class=10) -> Iterator[Task]:
    """Gram matrix of skeletons of scikit-learn's digits, and what a support vector machine makes
    of it in five folds; the kernels are not the same."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import cross_val_score
    from sklearn.svm import SVC

    images, y = load_digits(return_X_y=True)
    kept = np.concatenate([np.flatnonzero(y == c)[:per_class] for c in range(10)])
    graphs = [skeleton_graph(np.kron(images[i].reshape(8, 8), np.ones((3, 3)))) for i in kept]

    def ours(alpha, beta):
        return PointCloudKernel(alpha, beta, normalize=True).fit_transform(graphs)

    def grakel(name, options):
        from grakel import Graph, kernels

        def run():
            theirs = [
                Graph(dict(enumerate(g.neighbours)), dict.fromkeys(range(g.n_nodes), 0))
                for g in graphs
            ]
            return getattr(kernels, name)(normalize=True, **options).fit_transform(theirs)

        return run

    def accuracy(ours, gram):
        machine = SVC(kernel="precomputed", C=10)
        gram = np.nan_to_num(gram)
        return f"{np.mean(cross_val_score(machine, gram, y[kept], cv=5)):.0%} of digits right"

    yield Task(
        PointCloudKernel,
        f"Gram matrix of {len(graphs)} skeletons",
        {
            "PointCloudKernel(1, 1)": Solver(OURS, call(ours, 1, 1)),
            "PointCloudKernel(1, 2)": Solver(OURS, call(ours, 1, 2)),
            "GraKeL RandomWalk, fast": Solver(
                PACKAGE, partial(grakel, "RandomWalk", {"lamda": 0.01, "method_type": "fast"})
            ),
            "GraKeL WeisfeilerLehman": Solver(
                PACKAGE, partial(grakel, "WeisfeilerLehman", {"n_iter": 4})
            ),
        },
        accuracy,
    )


def mixtures() -> Iterator[Task]:
    """Weights of one component a sample, samples in three groups, to a gap of 1e-8."""

    def ours(K, method):
        return np.log(K @ mixture_weights(K, method=method).weights).mean()

    def clarabel(K):
        import cvxpy

        def run():
            weights = cvxpy.Variable(K.shape[1], nonneg=True)
            value = cvxpy.sum(cvxpy.log(K @ weights)) / len(K)
            problem = cvxpy.Problem(cvxpy.Maximize(value), [cvxpy.sum(weights) == 1])
            return problem.solve(solver=cvxpy.CLARABEL)

        return run

    sizes = {300: (0.05, 1.0, 4.0, 30.0), 1200: (0.05, 0.5, 1.0, 4.0)}
    for n, beta in ((n, beta) for n, betas in sizes.items() for beta in betas):
        rng = np.random.default_rng(0)
        X = np.concatenate([rng.normal(c, 1, (n // 3, 2)) for c in ((0, 0), (6, 0), (0, 6))])
        K = np.exp(-beta * cdist(X, X, "sqeuclidean"))
        support = np.count_nonzero(mixture_weights(K).weights)
        yield Task(
            ConvexClustering,
            f"mixture of {len(K)} components, {support} of them needed",
            {
                "interior-point": Solver(OURS, call(ours, K, "interior-point")),
                "active-set": Solver(OURS, call(ours, K, "active-set")),
            }
            # on 1200 components it would take longer than all the rest together
            | ({"Clarabel by cvxpy": Solver(PACKAGE, partial(clarabel, K))} if n < 1000 else {}),
            lambda ours, theirs: f"objectives differ by {abs(theirs - ours):.0e}",
        )


def envelopes() -> Iterator[Task]:
    """The points that are best for some nonnegative weights."""
    for n, d in ((30, 3), (300, 3), (1000, 3), (300, 4)):
        points = np.abs(np.random.default_rng(n).normal(size=(n, d)))
        points /= np.linalg.norm(points, axis=1)[:, None]

        def hull(points=points):
            corners_met = ConvexHull(np.vstack([points, np.zeros(points.shape[1])])).vertices
            return corners_met[corners_met < len(points)]

        yield Task(
            upper_envelope,
            f"{n} points, all extreme, {d} criteria",
            {
                "upper_envelope": Solver(
                    OURS, call(lambda points: upper_envelope(points).vectors, points)
                ),
                "scipy ConvexHull, without regions": Solver(PACKAGE, call(hull)),
                "scipy HalfspaceIntersection, corners alone": Solver(
                    PACKAGE, call(corners, points)
                ),
            },
            lambda ours, theirs: f"{len(theirs)} found",
        )


# What has tasks of which methods, so that those of others need not be made.
TASKS = {
    selections: ("Bolasso",),
    rankings: ("MIRank",),
    plans: ("ConvexHullValueIteration", "OptimisticLinearSupport"),
    presentations: ("RankedBandits",),
    choices: ("CompositeLevelSet",),
    transfers: ("CovariateShiftMatching", "DistributionMatching"),
    lists: ("ListMLE",),
    drawings: ("PointCloudKernel",),
    mixtures: ("ConvexClustering",),
    envelopes: ("upper_envelope",),
    projections: ("project_l1_ball", "project_simplex"),
    **NEWER_TASKS,
}


TABLE = Path(__file__).parent / "results" / "peers.csv"


def committed():
    """Return the rows of the table as it is."""
    with TABLE.open(encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def measured(names):
    """Yield rows of today: of these methods, or of all."""
    when = f"{date.today().isoformat()}, {machine()['cpu']}"
    for tasks, methods in TASKS.items():
        if names and not set(methods) & set(names):
            continue
        for task in tasks():
            if not names or task.method.__name__ in names:
                for row in measure(task):
                    print(*row.values(), sep=" | ", flush=True)  # noqa: T201
                    yield row | {"measured": when}


def main(words):
    """Measure, or if names of methods are given, those alone; or compare with the table."""
    names = [word for word in words if word != "--compare"]
    before = committed()
    if "--compare" in words:
        moved = peers_moved(before, list(measured(names)))
        print(*(moved or ["Nothing moved."]), sep="\n")  # noqa: T201
        sys.exit(bool(moved))
    installed = []
    for package in PACKAGES:
        try:
            version(package)
        except PackageNotFoundError:
            continue
        installed.append(package)
    others = [row for row in before if names and row["method"] not in names]
    order = [method for methods in TASKS.values() for method in methods]
    now = sorted([*others, *measured(names)], key=lambda row: order.index(row["method"]))
    write(now, TABLE, installed)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of peers that stop at their iterations
    main(sys.argv[1:])
