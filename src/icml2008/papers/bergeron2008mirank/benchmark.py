"""MIRank along 19 values of nu, against the same algorithm written with scipy and with cvxpy.

All three run Algorithm 1 of Bergeron et al. (2008) with one weight vector a box and the closed form
of the second linear program; they differ in how the first one is solved. The peers state it as
printed (Eqs. 2-6) and start it afresh each time, as one would write it down: loops of ours around
their solvers (benchmarks/peers.py has scipy given the same dual as ours). Every number is the
processor time of the best of up to three runs, which take turns in one process on one thread.
"""

from __future__ import annotations

from functools import partial

import cvxpy
import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from icml2008.harness.benchmarks import least_seconds
from icml2008.methods.bag_ranking.bags import item_roles
from icml2008.methods.bag_ranking.multiple_instance import MIRank, mirank_path

NUS = np.logspace(-3, 6, 19)
PACKAGES = ("icml2008", "highspy", "numpy", "scipy", "cvxpy")
PATIENCE = 10.0  # seconds; after that a solver is not run again, nor asked for the next size


def synthetic(box_spread, item_spread, *, n_boxes=136, n_features=2, seed=0):
    """Section 6.2: boxes of five bags of five items, the response is the sum of the features."""
    rng = np.random.default_rng(seed)
    shape = (n_boxes, 5, 5, n_features)
    X = (
        rng.uniform(-1, 1, (n_boxes, 1, 1, n_features))
        + rng.uniform(-box_spread, box_spread, (n_boxes, 5, 1, n_features))
        + rng.uniform(-item_spread, item_spread, shape)
    )
    boxes, bags, _ = np.indices(shape[:3])
    preferred = X.sum(-1).max(2).argmax(1)
    y = (bags == preferred[:, None, None]).astype(int)
    return X.reshape(-1, n_features), y.ravel(), {"boxes": boxes.ravel(), "bags": bags.ravel()}


def census_size(*, n_boxes=30, n_items=1800, n_features=16, seed=0):
    """Boxes of six to nine bags of very different sizes; correlated features, noisy response."""
    rng = np.random.default_rng(seed)
    box_of_bag = np.repeat(np.arange(n_boxes), rng.integers(6, 10, n_boxes))
    share = rng.lognormal(sigma=1.2, size=n_boxes)[box_of_bag]
    share = share * rng.lognormal(sigma=0.5, size=len(box_of_bag))
    sizes = 1 + rng.multinomial(n_items - len(box_of_bag), share / share.sum())
    bags = np.repeat(np.arange(len(box_of_bag)), sizes)
    boxes = box_of_bag[bags]
    mixing = rng.normal(size=(n_features, n_features)) / np.sqrt(n_features)
    X = rng.standard_t(df=4, size=(n_items, n_features)) @ mixing
    X = (X - X.mean(0)) / X.std(0)
    response = X @ rng.laplace(size=n_features) + rng.standard_t(df=4, size=n_items)
    y = np.zeros(n_items, dtype=int)
    for box in range(n_boxes):
        inside = np.flatnonzero(boxes == box)
        y[bags == bags[inside[response[inside].argmax()]]] = 1
    return X, y, {"boxes": boxes, "bags": bags}


def solve_with_scipy(rows, nu):
    n_rows, n_features = rows.shape
    constraints = sparse.hstack([-rows, rows, -sparse.eye_array(n_rows)], format="csc")
    costs = np.concatenate([np.ones(2 * n_features), np.full(n_rows, nu)])
    result = linprog(costs, A_ub=constraints, b_ub=-np.ones(n_rows), method="highs")
    return result.x[:n_features] - result.x[n_features : 2 * n_features], result.fun


def solve_with_cvxpy(rows, nu):
    w = cvxpy.Variable(rows.shape[1])
    losses = cvxpy.Variable(len(rows), nonneg=True)
    problem = cvxpy.Problem(
        cvxpy.Minimize(nu * cvxpy.sum(losses) + cvxpy.norm1(w)), [rows @ w >= 1 - losses]
    )
    problem.solve(solver="HIGHS")
    return w.value, problem.value


def plain(solve):
    """Return Algorithm 1 for one nu after the other; it returns the last objectives."""

    def run(X, y, labels, nus):
        roles = item_roles(y, **labels, n_items=len(y))
        preferred = X[roles.preferred]
        others = X[roles.others]
        objectives = []
        for nu in nus:
            shares = np.repeat(1 / roles.sizes, roles.sizes)
            for _ in range(100):
                centres = np.add.reduceat(shares[:, None] * preferred, roles.starts)
                w, objective = solve(centres[roles.winners] - others[roles.losers], nu)
                scores = preferred @ w
                best = np.repeat(np.maximum.reduceat(scores, roles.starts), roles.sizes)
                tied = (scores >= best - 1e-9 * np.abs(scores).max()).astype(float)
                previous = shares
                shares = tied / np.repeat(np.add.reduceat(tied, roles.starts), roles.sizes)
                if np.add.reduceat(np.abs(shares - previous), roles.starts).max() <= 1e-3:
                    break
            objectives.append(objective)
        return np.array(objectives)

    return run


def ours(X, y, labels, nus):
    if len(nus) == 1:
        return MIRank(nu=nus[0]).fit(X, y, **labels).objective_path_[-1:]
    return np.array([m.objective_path_[-1] for m in mirank_path(X, y, **labels, nus=nus)])


SOLVERS = {"icml2008": ours, "scipy": plain(solve_with_scipy), "cvxpy": plain(solve_with_cvxpy)}


def compare(part, name, data, nus, names, *, runs=3):
    """Time each solver on the same data, in turn."""
    X, y, labels = data
    tasks = {solver: partial(SOLVERS[solver], X, y, labels, nus) for solver in names}
    timed = least_seconds(tasks, runs, PATIENCE)
    ours, least = timed["icml2008"]
    return [
        {
            "part": part,
            "data": name,
            "boxes": len(np.unique(labels["boxes"])),
            "items": len(X),
            "features": X.shape[1],
            "nus": len(nus),
            "solver": solver,
            "seconds": f"{seconds:.4g}",
            "times_icml2008": f"{seconds / ours:.3g}",
            # 0 where all solutions agree; alternative optima may lead to another local one
            "objective_difference": f"{np.max(np.abs(objectives / least - 1)):.1e}",
        }
        for solver, (seconds, objectives) in timed.items()
    ]


def growth(part, sizes, make):
    names = list(SOLVERS)
    for size in sizes:
        compared = compare(part, f"synthetic-4, {size} {part}", make(size), [1.0], names)
        yield from compared
        names = [row["solver"] for row in compared if float(row["seconds"]) < PATIENCE]


def rows():
    spreads = {"1": (0.01, 0.01), "2": (0.1, 0.01), "3": (0.01, 0.1), "4": (0.1, 0.1)}
    for number, spread in spreads.items():
        yield from compare("path", f"synthetic-{number}", synthetic(*spread), NUS, SOLVERS)
    yield from compare("path", "census size", census_size(), NUS, SOLVERS)
    yield from growth("boxes", (50, 150, 500, 1500, 5000), lambda n: synthetic(0.1, 0.1, n_boxes=n))
    yield from growth("features", (2, 6, 20, 60, 200), lambda n: synthetic(0.1, 0.1, n_features=n))


def draw(rows, path):
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "mirank"
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(12, 3.8), layout="constrained")
    styles = {"icml2008": ("C0", "o"), "scipy": ("C1", "s"), "cvxpy": ("C2", "^")}
    names = list(dict.fromkeys(row["data"] for row in rows if row["part"] == "path"))
    for solver, (colour, marker) in styles.items():
        of_solver = [r for r in rows if r["part"] == "path" and r["solver"] == solver]
        seconds = [float(row["seconds"]) for row in of_solver]
        axes[0].plot(seconds, range(len(names)), marker, color=colour, label=solver)
    for height, name in enumerate(names):
        factors = [
            float(r["times_icml2008"])
            for r in rows
            if r["part"] == "path" and r["data"] == name and r["solver"] != "icml2008"
        ]
        fast = next(
            float(r["seconds"])
            for r in rows
            if r["part"] == "path" and r["data"] == name and r["solver"] == "icml2008"
        )
        axes[0].annotate(
            f"{min(factors):.0f}x",
            (fast * np.sqrt(min(factors)), height),
            textcoords="offset points",
            xytext=(0, 4),
            ha="center",
        )
    axes[0].set(
        xscale="log",
        xlabel="processor seconds for 19 values of nu",
        yticks=range(len(names)),
        yticklabels=names,
        title="Path over nu, factor to the faster peer",
    )
    axes[0].invert_yaxis()
    axes[0].margins(y=0.15)
    for axis, part in zip(axes[1:], ("boxes", "features"), strict=True):
        for solver, (colour, marker) in styles.items():
            of_solver = [r for r in rows if r["part"] == part and r["solver"] == solver]
            axis.plot(
                [row[part] for row in of_solver],
                [float(row["seconds"]) for row in of_solver],
                f"-{marker}",
                color=colour,
                label=solver,
            )
        axis.set(xscale="log", yscale="log", xlabel=part, ylabel="processor seconds for one nu")
        axis.set_title(f"Growth with {part}")
    axes[1].legend(frameon=False)
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.savefig(path, metadata={"Date": None})
