"""MIRank and MIC against general solvers, enumeration and their invariances."""

from __future__ import annotations

from itertools import product

import cvxpy
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning, NotFittedError
from sklearn.metrics.pairwise import pairwise_kernels

from icml2008.methods.bag_ranking.multiple_instance import MIC, MIRank, mic_path, mirank_path

# cvxpy's propagation of bounds multiplies infinities by zeros
pytestmark = pytest.mark.filterwarnings("ignore:invalid value:RuntimeWarning:cvxpy")

# HiGHS allows reduced costs and constraints to be off by 1e-9; losses weigh up to nu times that
RTOL = 1e-6
METHODS = [
    MIRank,
    MIC,
    lambda **kw: MIC(balanced=True, **kw),
    lambda **kw: MIRank(**{"solution": "interior", **kw}),
    lambda **kw: MIC(**{"solution": "interior", **kw}),
]
NAMES = ["MIRank", "MIC", "MIC balanced", "MIRank interior", "MIC interior"]
methods = pytest.mark.parametrize("make", METHODS, ids=NAMES)


def random_problem(seed, *, n_boxes=4, n_features=3):
    """Boxes of one to three bags of one to three items; the first box has two bags."""
    rng = np.random.default_rng(seed)
    boxes = []
    bags = []
    y = []
    for box in range(n_boxes):
        n_bags = 2 if box == 0 else rng.integers(1, 4)
        preferred = rng.integers(n_bags)
        for bag in range(n_bags):
            size = rng.integers(1, 4)
            boxes += [f"box {box}"] * size
            bags += [bag] * size
            y += [int(bag == preferred)] * size
    X = rng.normal(size=(len(y), n_features))
    return X, np.array(y), {"boxes": np.array(boxes), "bags": np.array(bags)}


def separable_problem(seed, *, n_boxes=12):
    """Boxes as in section 6.2: the preferred bag holds the item of largest feature sum."""
    rng = np.random.default_rng(seed)
    shape = (n_boxes, 4, 3, 2)
    X = (
        rng.uniform(-1, 1, (n_boxes, 1, 1, 2))
        + rng.uniform(-0.1, 0.1, (n_boxes, 4, 1, 2))
        + rng.uniform(-0.1, 0.1, shape)
    )
    preferred = X.sum(-1).max(2).argmax(1)
    boxes, bags, _ = np.indices(shape[:3])
    y = (bags == preferred[:, None, None]).astype(int)
    return X.reshape(-1, 2), y.ravel(), {"boxes": boxes.ravel(), "bags": bags.ravel()}


def ranking_optimum(X, y, labels, nu, weights):
    """Optimum of Eqs. 2-6 in (w, xi), given the weight of each item of a preferred bag."""
    w = cvxpy.Variable(X.shape[1])
    loss = 0
    for box in np.unique(labels["boxes"]):
        inside = labels["boxes"] == box
        centre = weights[inside & (y == 1)] @ X[inside & (y == 1)]
        if (others := X[inside & (y == 0)]).size:
            loss += cvxpy.sum(cvxpy.pos(1 - (centre - others) @ w))
    return cvxpy.Problem(cvxpy.Minimize(nu * loss + cvxpy.norm1(w))).solve(solver="HIGHS")


def classification_optimum(X, y, labels, nu, weights, *, balanced=False):
    """Optimum of Mangasarian and Wild's program in (w, gamma, xi) for fixed weights."""
    w = cvxpy.Variable(X.shape[1])
    gamma = cvxpy.Variable()
    active = []
    for box in np.unique(labels["boxes"]):
        chosen = (labels["boxes"] == box) & (y == 1)
        active.append(weights[chosen] @ X[chosen])
    positive = cvxpy.sum(cvxpy.pos(1 - (np.array(active) @ w - gamma)))
    negative = cvxpy.sum(cvxpy.pos(1 + (X[y == 0] @ w - gamma)))
    if balanced:
        k = len(active)
        m = (y == 0).sum()
        positive = positive * (k + m) / (2 * k)
        negative = negative * (k + m) / (2 * m)
    objective = cvxpy.Minimize(nu * (positive + negative) + cvxpy.norm1(w))
    return cvxpy.Problem(objective).solve(solver="HIGHS")


def equal_weights(y, labels):
    """Return 1 / |I| for the items of each preferred bag I."""
    sizes = {box: (y[labels["boxes"] == box]).sum() for box in np.unique(labels["boxes"])}
    return np.array([1 / sizes[box] for box in labels["boxes"]])


@pytest.mark.parametrize("seed", range(20))
@methods
def test_first_linear_program_reaches_the_optimum_of_a_general_solver(make, seed):
    X, y, labels = random_problem(seed)
    nu = 10.0 ** (seed % 5 - 2)
    fitted = make(nu=nu).fit(X, y, **labels)
    weights = equal_weights(y, labels)
    if isinstance(fitted, MIRank):
        expected = ranking_optimum(X, y, labels, nu, weights)
    else:
        expected = classification_optimum(X, y, labels, nu, weights, balanced=fitted.balanced)
    assert fitted.objective_path_[0] == pytest.approx(expected, rel=RTOL)


@pytest.mark.parametrize("seed", range(5))
@methods
def test_coefficients_attain_the_last_objective(make, seed):
    X, y, labels = random_problem(seed)
    fitted = make(nu=1.0).fit(X, y, **labels)
    scores = fitted.decision_function(X)
    loss = 0.0
    n_active = len(np.unique(labels["boxes"]))
    n_inactive = (y == 0).sum()
    share = [0.5 * (n_active + n_inactive) / n for n in (n_active, n_inactive)]
    for box in np.unique(labels["boxes"]):
        inside = labels["boxes"] == box
        best = scores[inside & (y == 1)].max()
        others = scores[inside & (y == 0)]
        if isinstance(fitted, MIRank):
            loss += np.maximum(0, 1 - best + others).sum()
        else:
            positive, negative = share if fitted.balanced else (1, 1)
            loss += positive * max(0, 1 - best) + negative * np.maximum(0, 1 + others).sum()
    # the second linear program can only improve on the convex combination of the first
    assert loss + np.abs(fitted.coef_).sum() <= fitted.objective_path_[-1] * (1 + RTOL)


@given(seed=st.integers(0, 10_000), log_nu=st.floats(-3, 6), kernel=st.sampled_from([None, "rbf"]))
@settings(max_examples=25)
@methods
def test_objective_never_increases(make, seed, log_nu, kernel):
    X, y, labels = random_problem(seed)
    path = make(nu=10**log_nu, kernel=kernel).fit(X, y, **labels).objective_path_
    assert np.diff(path).max(initial=0.0) <= RTOL * path[0]


@pytest.mark.parametrize("seed", range(6))
def test_global_optimum_by_enumeration_bounds_the_objective_from_below(seed):
    """For fixed w the objective is least at a vertex: one item of each preferred bag."""
    X, y, labels = random_problem(seed, n_boxes=3, n_features=2)
    bags = [np.flatnonzero((labels["boxes"] == box) & (y == 1)) for box in set(labels["boxes"])]
    optimum = np.inf
    for chosen in product(*bags):
        weights = np.zeros(len(y))
        weights[list(chosen)] = 1
        optimum = min(optimum, ranking_optimum(X, y, labels, 2.0, weights))
    fitted = MIRank(nu=2.0).fit(X, y, **labels)
    assert fitted.objective_path_[-1] >= optimum * (1 - RTOL)


def test_one_item_a_bag_needs_a_single_linear_program():
    X, y, labels = separable_problem(0)
    first = np.unique(
        [f"{a} {b}" for a, b in zip(*labels.values(), strict=True)], return_index=True
    )
    keep = first[1]
    fitted = MIRank(nu=5.0).fit(X[keep], y[keep], **{k: v[keep] for k, v in labels.items()})
    assert fitted.n_iter_ == 1


@methods
@pytest.mark.parametrize("seed", range(4))
def test_order_of_items_does_not_matter(make, seed):
    X, y, labels = separable_problem(seed)
    order = np.random.default_rng(seed).permutation(len(y))
    model = make(nu=3.0).fit(X, y, **labels)
    other = make(nu=3.0).fit(X[order], y[order], **{k: v[order] for k, v in labels.items()})
    # optima of continuous data are unique, found to the solver's tolerance
    np.testing.assert_allclose(other.coef_, model.coef_, rtol=RTOL, atol=1e-9)


@methods
def test_names_of_boxes_and_bags_do_not_matter(make):
    X, y, labels = separable_problem(1)
    renamed = {
        "boxes": np.array([f"b{99 - box}" for box in labels["boxes"]]),
        "bags": np.array([(7 * bag + 3) % 11 for bag in labels["bags"]]),
    }
    model = make(nu=3.0).fit(X, y, **labels)
    other = make(nu=3.0).fit(X, y, **renamed)
    np.testing.assert_array_equal(other.coef_, model.coef_)


def test_ranking_ignores_where_a_box_lies():
    X, y, labels = separable_problem(2)
    shifted = X + np.random.default_rng(0).normal(size=(12, 2))[labels["boxes"]]
    model, other = (MIRank(nu=3.0).fit(data, y, **labels) for data in (X, shifted))
    # differences of features lose a few digits to the shift
    np.testing.assert_allclose(other.coef_, model.coef_, rtol=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_preferred_bags_of_separable_boxes_are_recovered(seed):
    X, y, labels = separable_problem(seed)
    fitted = MIRank(nu=1e6).fit(X, y, **labels)
    assert fitted.score(X, y, **labels, guesses=1) == 1.0


def test_balanced_classification_gives_both_classes_the_same_total_weight():
    """With as many active bags as inactive items, balancing changes nothing."""
    X = np.random.default_rng(0).normal(size=(8, 2))
    labels = {"boxes": np.repeat(range(4), 2), "bags": np.tile([0, 1], 4)}
    y = np.tile([1, 0], 4)
    model, other = (MIC(nu=2.0, balanced=b).fit(X, y, **labels) for b in (False, True))
    np.testing.assert_array_equal(model.coef_, other.coef_)


def test_unbalanced_classification_of_few_active_bags_gives_up_on_small_nu():
    """w = 0 costs 2 an active bag, which is cheap where inactive items are many."""
    X, y, labels = separable_problem(0)
    fitted = MIC(nu=1e-3).fit(X, y, **labels)
    np.testing.assert_array_equal(fitted.coef_, 0.0)
    assert fitted.objective_path_[0] == pytest.approx(2e-3 * 12, rel=RTOL)


def test_unbalanced_classification_ranks_by_an_interior_solution_where_the_vertex_is_zero():
    X, y, labels = separable_problem(0)
    vertex, interior = (MIC(nu=1.0, solution=s).fit(X, y, **labels) for s in ("vertex", "interior"))
    np.testing.assert_array_equal(vertex.coef_, 0.0)
    assert 0 < np.abs(interior.coef_).max() < 1e-6
    # both are of a program with equal losses; the sum of features is what makes a bag preferred
    assert interior.score(X, y, **labels, guesses=1) > vertex.score(X, y, **labels, guesses=1)


@pytest.mark.parametrize("kernel", ["linear", "poly", "rbf"])
def test_kernel_ranks_in_the_space_of_kernel_values(kernel):
    X, y, labels = random_problem(3)
    parameters = {"poly": {"degree": 2, "coef0": 0.5, "gamma": 0.3}, "rbf": {"gamma": 0.3}}.get(
        kernel, {}
    )
    fitted = MIRank(nu=2.0, kernel=kernel, **parameters).fit(X, y, **labels)
    gram = pairwise_kernels(X, metric=kernel, **parameters)
    expected = ranking_optimum(gram, y, labels, 2.0, equal_weights(y, labels))
    assert fitted.objective_path_[0] == pytest.approx(expected, rel=RTOL)
    np.testing.assert_allclose(fitted.decision_function(X), gram @ fitted.dual_coef_, rtol=1e-9)


def test_a_callable_kernel_equals_the_named_one():
    X, y, labels = random_problem(3)
    model = MIRank(kernel="linear").fit(X, y, **labels)
    other = MIRank(kernel=np.dot).fit(X, y, **labels)
    np.testing.assert_allclose(model.decision_function(X), other.decision_function(X), atol=1e-8)


def test_stopping_early_warns_and_keeps_the_last_coefficients():
    X, y, labels = separable_problem(0)
    with pytest.warns(ConvergenceWarning, match="max_iter=1 rounds"):
        fitted = MIRank(nu=10.0, max_iter=1).fit(X, y, **labels)
    assert fitted.n_iter_ == 1
    assert np.isfinite(fitted.coef_).all()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(30))
def test_equivalent_solutions_do_not_keep_it_going(seed):
    """Few boxes leave MIC many optima; without a decrease of the objective it stops."""
    X, y, labels = random_problem(seed)
    assert MIC(nu=1.0).fit(X, y, **labels).n_iter_ < 20


def test_equal_fits_are_equal_to_the_last_bit():
    X, y, labels = separable_problem(5)
    model, other = (MIRank(nu=7.0).fit(X, y, **labels) for _ in range(2))
    np.testing.assert_array_equal(model.coef_, other.coef_)


@given(seed=st.integers(0, 10_000), rounded=st.booleans())
@settings(max_examples=15)
@pytest.mark.parametrize(("path", "make"), [(mirank_path, MIRank), (mic_path, MIC)], ids=NAMES[:2])
def test_a_path_equals_separate_fits_to_the_last_bit(path, make, seed, rounded):
    """Also where rounded features make optima ambiguous."""
    X, y, labels = random_problem(seed)
    X = X.round() if rounded else X
    nus = [0.01, 100.0, 0.3, 0.1, 3.0]
    for nu, fitted in zip(nus, path(X, y, **labels, nus=nus), strict=True):
        alone = make(nu=nu).fit(X, y, **labels)
        np.testing.assert_array_equal(fitted.coef_, alone.coef_)
        np.testing.assert_array_equal(fitted.objective_path_, alone.objective_path_)


def test_an_empty_path_is_an_empty_list():
    X, y, labels = random_problem(0)
    assert mirank_path(X, y, **labels, nus=[]) == []


def test_a_path_takes_the_parameters_of_its_estimator():
    X, y, labels = random_problem(0)
    (fitted,) = mic_path(X, y, **labels, nus=[2.0], balanced=True, kernel="rbf", gamma=0.5)
    assert (fitted.nu, fitted.balanced, fitted.gamma) == (2.0, True, 0.5)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"nu": 0.0}, "nu must be a positive number, found 0.0"),
        ({"nu": -1.0}, "nu must be a positive number"),
        ({"nu": np.inf}, "nu must be a positive number"),
        ({"nu": "big"}, "nu must be a positive number, found 'big'"),
        ({"tol": -1.0}, "tol must be a number of at least 0"),
        ({"max_iter": 0}, "max_iter must be a whole number of at least 1, found 0"),
        ({"kernel": "rfb"}, "unknown kernel 'rfb'; did you mean 'rbf'"),
        ({"kernel": 3}, "unknown kernel 3"),
        ({"solution": "centre"}, "unknown solution 'centre'; known: interior, vertex"),
    ],
)
@methods
def test_bad_parameters_are_named(make, parameters, message):
    X, y, labels = random_problem(0)
    with pytest.raises(ValueError, match=message):
        make(**parameters).fit(X, y, **labels)


@pytest.mark.parametrize("value", [np.nan, np.inf])
@methods
def test_features_must_be_finite(make, value):
    X, y, labels = random_problem(0)
    X[2, 1] = value
    with pytest.raises(ValueError, match="NaN|infinity"):
        make().fit(X, y, **labels)


@methods
def test_boxes_of_one_bag_alone_cannot_be_ranked(make):
    with pytest.raises(ValueError, match="no box has more than one bag"):
        make().fit(np.eye(2), [1, 1], boxes=[0, 1], bags=[0, 0])


def test_a_box_of_one_bag_holds_no_preference():
    X, y, labels = separable_problem(0)
    with_single = {
        "boxes": np.append(labels["boxes"], 99),
        "bags": np.append(labels["bags"], 0),
    }
    model = MIRank(nu=3.0).fit(X, y, **labels)
    other = MIRank(nu=3.0).fit(np.vstack([X, [5.0, 5.0]]), np.append(y, 1), **with_single)
    np.testing.assert_array_equal(model.coef_, other.coef_)


@methods
def test_prediction_before_fit_is_an_error(make):
    with pytest.raises(NotFittedError):
        make().decision_function(np.eye(2))


@methods
def test_prediction_needs_the_features_of_the_fit(make):
    X, y, labels = random_problem(0)
    fitted = make().fit(X, y, **labels)
    with pytest.raises(ValueError, match="features"):
        fitted.decision_function(X[:, :2])


def all_pairs(y, labels):
    """Return the pairs of bags that y stands for."""
    bags = list(
        dict.fromkeys(zip(labels["boxes"].tolist(), labels["bags"].tolist(), y, strict=True))
    )
    return [
        ((box, up), (box, down))
        for box, up, preferred in bags
        for other, down, known in bags
        if preferred and not known and box == other
    ]


def section_4_optimum(X, labels, pairs, nu):
    """Return the optimum of Eqs. 2 to 6 for uniform v, one hinge for each (I, J, j)."""
    w = cvxpy.Variable(X.shape[1])
    bags = list(zip(labels["boxes"].tolist(), labels["bags"].tolist(), strict=True))
    loss = 0
    for up, down in pairs:
        centre = X[[bag == up for bag in bags]].mean(axis=0)
        loss += cvxpy.sum(cvxpy.pos(1 - (centre - X[[bag == down for bag in bags]]) @ w))
    return cvxpy.Problem(cvxpy.Minimize(nu * loss + cvxpy.norm1(w))).solve(solver="HIGHS")


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("solution", ["vertex", "interior"])
def test_several_preferred_bags_and_pairs_reach_the_optimum_of_section_4(seed, solution):
    X, y, labels = random_problem(seed, n_boxes=5)
    inside = labels["boxes"] == "box 4"
    labels["bags"][inside] = np.arange(inside.sum())  # each item a bag, all but one preferred
    X = np.vstack([X, np.random.default_rng(seed + 99).normal(size=(2, 3))])
    y = np.append(np.where(inside, np.cumsum(inside) > 1, y), [0, 0])
    labels = {
        "boxes": np.append(labels["boxes"], ["new"] * 2),
        "bags": np.append(labels["bags"], [0, 1]),
    }
    pairs = [(("new", 1), ("box 0", 0)), (("box 0", 1), ("new", 0))]
    ranker = MIRank(nu=0.7, solution=solution).fit(X, y, **labels, pairs=pairs)
    expected = section_4_optimum(X, labels, [*all_pairs(y, labels), *pairs], 0.7)
    assert ranker.objective_path_[0] == pytest.approx(expected, rel=RTOL)


@pytest.mark.parametrize("seed", range(3))
def test_pairs_that_say_what_y_says_give_the_same_ranker(seed):
    X, y, labels = random_problem(seed)
    pairs = all_pairs(y, labels)
    by_y = MIRank().fit(X, y, **labels)
    np.testing.assert_array_equal(MIRank().fit(X, y, **labels, pairs=pairs).coef_, by_y.coef_)
    by_pairs = MIRank().fit(X, **labels, pairs=pairs)
    assert by_pairs.objective_path_ == pytest.approx(by_y.objective_path_, rel=RTOL)
    (on_path,) = mirank_path(X, None, **labels, nus=[1.0], pairs=pairs)
    np.testing.assert_array_equal(on_path.coef_, by_pairs.coef_)


@methods
def test_boxes_without_a_known_preferred_bag_are_counted_and_change_nothing(make):
    X, y, labels = random_problem(3, n_boxes=6)
    unknown = np.isin(labels["boxes"], ["box 2", "box 5"])
    ranker = make(nu=2.0).fit(X, np.where(unknown, 0, y), **labels)
    kept = {name: values[~unknown] for name, values in labels.items()}
    without = make(nu=2.0).fit(X[~unknown], y[~unknown], **kept)
    np.testing.assert_array_equal(ranker.coef_, without.coef_)
    assert (ranker.n_skipped_boxes_, without.n_skipped_boxes_) == (2, 0)
