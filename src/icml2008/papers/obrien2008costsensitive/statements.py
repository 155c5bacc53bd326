"""What Sections 2 to 5 say of partitions of the simplex, on drawn costs and points."""

from functools import partial

import numpy as np
from sklearn.isotonic import isotonic_regression

from icml2008.harness.experiment import experiment, grid

from .method import assign, learn_partition

POINTS = 200
# Points as near to a boundary are left out: there rounding decides.
NEAR = 1e-9


def draw_costs(rng, n_classes):
    """Return costs whose diagonal is the least of its column, in [0, 1], the rest in [1, 10]."""
    costs = rng.uniform(1, 10, size=(n_classes, n_classes))
    costs[np.diag_indices(n_classes)] = rng.uniform(size=n_classes)
    return costs


def differing(points, first, second):
    """Return the share of points, away from boundaries, that two matrices assign otherwise."""
    risks = np.sort(points @ first.T, axis=1)
    clear = risks[:, 1] - risks[:, 0] > NEAR * np.abs(first).max()
    return np.mean(assign(points, first)[clear] != assign(points, second)[clear])


def equal_risk_point(costs):
    """Return the point, its entries adding to 1, where all classes cost the same."""
    point = np.linalg.solve(costs, np.ones(len(costs)))
    return point / point.sum()


def spread(risks, costs):
    """Return how far risks at a point differ, for the size of the costs."""
    return np.ptp(risks) / np.abs(costs).max()


def off_line(first, second, third):
    """Return the sine of the angle between two directions, given by three points of a line."""
    one_way = (second - first) / np.linalg.norm(second - first)
    other = third - first
    rest = other - (other @ one_way) * one_way
    return np.linalg.norm(rest) / max(1.0, np.linalg.norm(other))


def well_placed(rng, n_classes, change):
    """Return costs, what `change` makes of them, and both equal risk points, neither far away."""
    while True:
        costs = draw_costs(rng, n_classes)
        changed = change(costs)
        points = [equal_risk_point(matrix) for matrix in (costs, changed)]
        if max(np.abs(point).max() for point in points) < 100:
            return costs, changed, *points


def property_5(costs, i, alpha):
    """Return how far boundaries of class i turn where alpha is added to its row.

    Boundaries are compared on the simplex, along which normals lose their mean.
    """
    changed = costs.copy()
    changed[i] += alpha
    worst = 0.0
    for k in range(len(costs)):
        if k != i:
            normals = [matrix[i] - matrix[k] for matrix in (costs, changed)]
            normals = [normal - normal.mean() for normal in normals]
            worst = max(worst, off_line(np.zeros(len(costs)), *normals))
    return worst


def property_6(rng, n_classes):
    """Return how far a multiple of a column moves the equal risk point off its line."""
    j = rng.integers(n_classes)
    factor = np.exp(rng.normal())

    def change(costs):
        changed = costs.copy()
        changed[:, j] *= factor
        return changed

    costs, changed, point, moved = well_placed(rng, n_classes, change)
    face = rng.dirichlet(np.ones(n_classes - 1), size=POINTS)
    face = np.insert(face, j, 0.0, axis=1)
    line = off_line(np.eye(n_classes)[j], point, moved)
    return max(line, differing(face, costs, changed))


def property_7(rng, n_classes):
    """Return how far the other classes' costs differ at the point moved by a multiple of a row."""
    i = rng.integers(n_classes)
    factor = np.exp(rng.normal())
    rows = np.where(np.arange(n_classes) == i, factor, 1.0)
    costs, _, _, moved = well_placed(rng, n_classes, lambda costs: costs * rows[:, None])
    return spread(np.delete(costs @ moved, i), costs) / np.abs(moved).max()


def mossman(points, delta_1, delta_2):
    """Return the classes of Equation 3, from 0 on."""
    two = points[:, 1] - points[:, 0] > delta_2
    return np.where(points[:, 2] > delta_1, 2, two.astype(int))


def mossman_matrix(delta_1, delta_2, large):
    """Return Equation 13's matrix."""
    edge = delta_1 / (1 - delta_1) * large
    return np.array(
        [
            [0, 1, large - delta_2 / (1 - delta_2)],
            [(1 + delta_2) / (1 - delta_2), 0, large],
            [edge, edge, 0],
        ]
    )


def mossman_gap(rng, points):
    """Return the share of points that Equations 3 and 13 assign otherwise, away from boundaries."""
    delta_1 = rng.uniform(0.1, 0.9)
    delta_2 = rng.uniform(-0.9, 0.9)
    clear = np.abs(points[:, 2] - delta_1) > 1e-4
    clear &= np.abs(points[:, 1] - points[:, 0] - delta_2) > 1e-4
    matrix = mossman_matrix(delta_1, delta_2, 1e8)
    return np.mean(mossman(points, delta_1, delta_2)[clear] != assign(points, matrix)[clear])


def least_of_thresholds(first, y, costs, ends):
    """Return the least cost of rows that are of the first class above one of some thresholds."""
    return min(costs[(first <= end).astype(int), y].sum() for end in ends)


def threshold_of(costs):
    """Return Equation 2's probability of the first class."""
    return (costs[0, 1] - costs[1, 1]) / (costs[0, 1] + costs[1, 0] - costs[0, 0] - costs[1, 1])


def two_classes(rng):
    """Return violations of the statements on two classes."""
    costs = draw_costs(rng, 2)
    # Some probabilities are alike, as those of discrete features are.
    first = np.round(rng.uniform(size=POINTS), 2)
    y = (rng.uniform(size=POINTS) > first**2).astype(int)
    points = np.column_stack([first, 1 - first])
    threshold = threshold_of(costs)
    at = np.array([threshold, 1 - threshold])
    shift = rng.uniform(-0.2, 0.2)
    clear = np.abs(first + shift - threshold) > NEAR
    added = first + shift > threshold
    plain = costs - np.diag(costs)
    best = least_of_thresholds(first, y, plain, np.append(first, -1.0))
    # A sure class is assigned by any matrix of positive costs.
    inside = least_of_thresholds(first, y, plain, np.append(first[first < 1], 0.0))
    partition = learn_partition(points, y, plain)
    reached = plain[assign(points, partition), y].sum()
    values, group, count = np.unique(first, return_inverse=True, return_counts=True)
    share = np.bincount(group, weights=y == 0) / count
    pooled = isotonic_regression(share, sample_weight=count)[group]
    pav = plain[(pooled <= threshold).astype(int), y].sum()
    return {
        "threshold": spread(costs @ at, costs),
        "friedman": np.mean(added[clear] != (first > threshold - shift)[clear]),
        "ROC": abs(reached - inside) / POINTS,
        "PAV": abs(pav - best) / POINTS,
    }


STATEMENTS = (
    *("positive-multiple", "equal-risk-point", "added-to-column", "zero-diagonal", "added-to-row"),
    *("multiplied-column", "multiplied-row", "threshold", "friedman", "LF", "Mossman"),
    *("ROC", "PAV"),
)


@experiment(
    "statements",
    cells=grid(classes=[3, 4, 5, 6]),
    smoke=grid(classes=[3]),
    repeats=80,
    cost=0.05,
    methods=dict.fromkeys(STATEMENTS),
)
def run_statements(trial):
    """The most by which drawn costs and points violate a statement."""
    rng = trial.rng("costs")
    n_classes = trial.cell["classes"]
    costs = draw_costs(rng, n_classes)
    points = rng.dirichlet(np.ones(n_classes), size=POINTS)
    weights = rng.uniform(0.1, 10, size=n_classes)
    zero_diagonal = costs - np.diag(costs)
    off = zero_diagonal[~np.eye(n_classes, dtype=bool)]
    i = rng.integers(n_classes)
    others = np.arange(n_classes) != i
    low = np.max((np.diag(costs) - costs[i])[others])
    high = np.min((costs[:, i] - costs[i, i])[others])
    scores = points * weights
    ordered = np.sort(scores, axis=1)
    clear = ordered[:, -1] - ordered[:, -2] > NEAR
    matrix = weights * (1 - np.eye(n_classes))
    full, _, point, _ = well_placed(rng, n_classes, lambda costs: costs)
    violations = {
        "positive-multiple": differing(points, costs, np.exp(rng.normal()) * costs),
        "equal-risk-point": spread(full @ point, full) / np.abs(point).max(),
        "added-to-column": differing(points, costs, costs + rng.normal(size=n_classes)),
        "zero-diagonal": max(differing(points, costs, zero_diagonal), -off.min()),
        "added-to-row": property_5(costs, i, rng.uniform(low, high)),
        "multiplied-column": property_6(rng, n_classes),
        "multiplied-row": property_7(rng, n_classes),
        "LF": np.mean(np.argmax(scores, axis=1)[clear] != assign(points, matrix)[clear]),
        "Mossman": mossman_gap(rng, rng.dirichlet(np.ones(3), size=POINTS)),
        **two_classes(rng),
    }
    for name, value in violations.items():
        trial.measure(name, violation=value)


def entropy(probabilities):
    """Return the mean entropy of rows of probabilities, in nats."""
    logs = np.log(np.maximum(probabilities, 1e-300))
    return -np.mean(np.sum(probabilities * logs, axis=1))


def copied_feature(rng):
    """Return true class probabilities of eight values, and naive Bayes's on two copies of them."""
    given = rng.dirichlet(np.ones(8), size=3)
    true = given / given.sum(axis=0)
    twice = given**2 / (given**2).sum(axis=0)
    return true.T, twice.T


def wide_neighbours(rng, radius):
    """Return true class probabilities of 100 points of three normals, and those by 2000 neighbours.

    Means lie evenly on a circle; each of 3000 training points is of a class at random.
    """
    angles = 2 * np.pi * np.arange(3) / 3
    means = radius * np.column_stack([np.cos(angles), np.sin(angles)])
    labels = rng.integers(3, size=3000)
    points = means[labels] + rng.normal(size=(3000, 2))
    new = means[rng.integers(3, size=100)] + rng.normal(size=(100, 2))
    squares = np.sum((new[:, None] - points) ** 2, axis=-1)
    nearest = np.argpartition(squares, 2000, axis=1)[:, :2000]
    shares = np.mean(labels[nearest][..., None] == np.arange(3), axis=1)
    logs = -np.sum((new[:, None] - means) ** 2, axis=-1) / 2
    true = np.exp(logs - logs.max(axis=1, keepdims=True))
    return true / true.sum(axis=1, keepdims=True), shares


@experiment(
    "smoothing",
    cells=grid(costs=["zero-one", "asymmetric"]),
    repeats={"quick": 4, "full": 299},
    cost=0.03,
    methods=lambda choices: {
        "naive Bayes": copied_feature,
        "neighbours": partial(wide_neighbours, radius=float(choices["normals"])),
    },
)
def run_smoothing(trial):
    """How many points change their class where estimates stand for true probabilities."""
    matrices = [1 - np.eye(3)]
    if trial.cell["costs"] == "asymmetric":
        matrices = trial.rng("costs").uniform(1, 10, size=(10, 3, 3)) * (1 - np.eye(3))
    for name, draw in trial.methods.items():
        true, estimate = draw(trial.rng(name, across=("costs",)))
        changed = [np.mean(assign(true, c) != assign(estimate, c)) for c in matrices]
        apart = entropy(estimate) - entropy(true)
        trial.measure(name, changed=round(100 * np.mean(changed), 3), entropy=round(apart, 4))
