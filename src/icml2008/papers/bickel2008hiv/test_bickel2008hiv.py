import warnings
from contextlib import nullcontext
from dataclasses import replace
from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import logsumexp
from scipy.stats import ttest_rel
from sklearn.exceptions import ConvergenceWarning

from icml2008.catalogue.library import load_paper
from icml2008.methods.multitask.baselines import (
    HierarchicalBayesLogistic,
    PooledLogistic,
    SeparateLogistic,
)
from icml2008.methods.multitask.gaussian_process import MultiTaskGaussianProcess
from icml2008.methods.multitask.matching import CovariateShiftMatching, DistributionMatching
from icml2008.methods.multitask.task_kernels import drug_indicator_kernel
from icml2008.papers.bickel2008hiv.census import people_by_origin
from icml2008.papers.bickel2008hiv.cohort import (
    PRINTED,
    Counts,
    drug_combinations,
    simulate,
    task_sizes,
)
from icml2008.papers.bickel2008hiv.contenders import Contender, contenders, tuned
from icml2008.papers.bickel2008hiv.drugs import DRUGS, MUTATIONS
from icml2008.papers.bickel2008hiv.experiments import (
    decisions,
    groups,
    in_time,
    measure_by_group,
    measure_knowledge,
    paired_p,
    share_significant,
)
from icml2008.papers.bickel2008hiv.split import Examples, Split
from icml2008.papers.bickel2008hiv.toys import (
    identity_gap,
    label_split_toy,
    random_toy,
    weight_errors,
)

SETS = sorted(PRINTED)


@pytest.fixture(scope="module")
def cohorts():
    """Return three simulated cohorts of each set."""
    return {
        name: [simulate(PRINTED[name], np.random.default_rng(seed)) for seed in range(3)]
        for name in SETS
    }


@pytest.mark.parametrize("name", SETS)
def test_simulated_cohorts_have_the_printed_counts(name, cohorts):
    records, tasks, single, few = {
        "virus-load": (3260, 545, 253, 411),
        "multi-condition": (2011, 433, 213, 331),
    }[name]
    for cohort in cohorts[name]:
        _, sizes = np.unique(cohort.task, return_counts=True)
        assert cohort.X.shape == (records, 82)
        assert (len(sizes), (sizes == 1).sum(), (sizes < 5).sum()) == (tasks, single, few)


@pytest.mark.parametrize(("name", "share"), [("virus-load", 0.657), ("multi-condition", 0.641)])
def test_the_chance_of_success_is_the_printed_share(name, share, cohorts):
    for cohort in cohorts[name]:
        assert cohort.chance.mean() == pytest.approx(share, abs=1e-9)
        # labels are draws: five standard errors
        spread = np.sqrt(np.sum(cohort.chance * (1 - cohort.chance))) / len(cohort.y)
        assert abs(np.mean(cohort.y > 0) - share) < 5 * spread


@pytest.mark.parametrize("name", SETS)
def test_first_and_last_quarter_of_test_records_lie_near_the_printed_groups(name, cohorts):
    """Figure 2's four groups hold about equally many test records: 0-2 (0-1) to more than 38."""
    for cohort in cohorts[name]:
        n_train = round(0.8 * len(cohort.y))
        seen = [np.sum(cohort.task[:n_train] == task) for task in cohort.task[n_train:]]
        low = {"virus-load": 2, "multi-condition": 1}[name]
        assert 0.1 < np.mean(np.array(seen) <= low) < 0.35
        if name == "virus-load":
            assert 0.15 < np.mean(np.array(seen) > 38) < 0.5


@pytest.mark.parametrize("shrink", [1, 4, 8])
def test_shrunk_counts_are_met_as_well(shrink):
    counts = PRINTED["virus-load"].shrunk(shrink)
    sizes = task_sizes(counts)
    assert (sizes.sum(), len(sizes)) == (counts.records, counts.tasks)
    assert ((sizes == 1).sum(), (sizes < 5).sum()) == (counts.single, counts.few)
    assert (np.diff(sizes) <= 0).all()


def test_features_are_65_mutations_and_17_drugs(cohorts):
    assert (len(MUTATIONS), len(set(MUTATIONS)), len(DRUGS)) == (65, 65, 17)
    for cohort in cohorts["virus-load"]:
        assert set(np.unique(cohort.X)) == {0, 1}
        assert (cohort.X.sum(axis=0) > 0).all()


def test_combinations_have_two_to_four_drugs_and_any_second_inhibitor_is_boosted(cohorts):
    assert len(drug_combinations()) == len(set(drug_combinations()))
    for label in np.unique(cohorts["virus-load"][0].task):
        drugs = label.split("+")
        assert 2 <= len(set(drugs)) <= 4
        inhibitors = [name for name in drugs if DRUGS[name].family == "PI"]
        assert len(inhibitors) <= 1 or "RTV" in inhibitors


def test_records_are_in_order_of_dates_and_no_drug_is_used_before_its_approval(cohorts):
    approved = np.array([drug.approved for drug in DRUGS.values()])
    for cohort in cohorts["virus-load"]:
        assert (np.diff(cohort.date) >= 0).all()
        for label, date in zip(cohort.task, cohort.date, strict=True):
            assert date >= max(DRUGS[name].approved for name in label.split("+"))
        history = cohort.X[:, 65:] * approved
        assert (history.max(axis=1) <= cohort.date).all()


def test_later_records_differ_from_earlier_ones(cohorts):
    """Drugs come to market: the date-consistent split tests on what was rare before."""
    for cohort in cohorts["virus-load"]:
        fifth = len(cohort.y) // 5
        late = [np.mean(["ATV" in task for task in part]) for part in
                (cohort.task[:fifth], cohort.task[-fifth:])]  # fmt: skip
        assert late[0] == 0 < late[1]
        assert cohort.X[:fifth, 65:].sum() < cohort.X[-fifth:, 65:].sum()


def log_odds(own, seed=0):
    cohort = simulate(PRINTED["virus-load"], np.random.default_rng(seed), own=own)
    return cohort.task, cohort.X, np.log(cohort.chance / (1 - cohort.chance))


def test_own_effects_have_the_share_of_the_variance_that_is_asked_for():
    """The same seed draws the same parts, so that the ends of the range give both of them."""
    _, _, shared = log_odds(0.0)
    _, _, own = log_odds(1.0)
    parts = np.column_stack([shared - shared.mean(), own - own.mean()])
    for share in (0.15, 0.3, 0.6):
        _, _, mixed = log_odds(share)
        loads = np.linalg.lstsq(parts, mixed - mixed.mean())[0]
        assert loads[1] ** 2 / np.sum(loads**2) == pytest.approx(share, abs=1e-9)


@pytest.mark.parametrize("own", [0.0, 0.3, 1.0])
def test_log_odds_have_the_same_spread_at_any_strength_of_own_effects(own):
    assert log_odds(own)[2].std() == pytest.approx(2.5, abs=1e-6)


def test_without_own_effects_combinations_differ_by_their_drugs_alone():
    """Log-odds are linear in products of drugs and features: what is left of them is nothing."""
    task, X, odds = log_odds(0.0)
    common = {
        label for label, n in zip(*np.unique(task, return_counts=True), strict=True) if n > 99
    }
    for label in common:
        rows = task == label
        design = np.column_stack([np.ones(rows.sum()), X[rows]])
        fitted = design @ np.linalg.lstsq(design, odds[rows])[0]
        np.testing.assert_allclose(fitted, odds[rows], atol=1e-8)


def test_a_seed_gives_a_cohort_and_another_seed_another_one():
    first, again, other = (
        simulate(PRINTED["multi-condition"], np.random.default_rng(seed)) for seed in (5, 5, 6)
    )
    for values, two in zip(vars(first).values(), vars(again).values(), strict=True):
        np.testing.assert_array_equal(values, two)
    assert (first.task != other.task).mean() > 0.5


DEFAULTS = {"width-tuned-for": "each", "widths": "one", "weights": "in-sample", "clip": "none",
            "retrain": "yes", "quadratic-form": "half", "tuning-set": "fifth",
            "unseen": "softmax", "kernel": "exact"}  # fmt: skip
DRUGS_KNOWN = {"drugs": drug_indicator_kernel}


@pytest.fixture(scope="module")
def small():
    """Return a split of 100 simulated records, a fifth of them for testing."""
    cohort = simulate(Counts(100, 17, 6, 12, 0.65), np.random.default_rng(2))
    everything = Examples(cohort.X, cohort.y, cohort.task)
    return Split(*in_time(everything, 0.2), landmarks=None, seed=0)


ESTIMATORS = {
    "separate": (SeparateLogistic, {"sigma_w": 2.0}),
    "pooled": (PooledLogistic, {"sigma_w": 2.0}),
    "pooled, drugs": (PooledLogistic, {"sigma_w": 2.0, "task_kernel": drug_indicator_kernel}),
    "hierarchical kernel": (HierarchicalBayesLogistic, {"sigma_w": 2.0, "shared": 0.5}),
    "hierarchical kernel, drugs": (
        HierarchicalBayesLogistic,
        {"sigma_w": 2.0, "shared": 0.5, "task_kernel": drug_indicator_kernel},
    ),
    "covariate shift": (
        CovariateShiftMatching,
        {"sigma_w": 2.0, "sigma_v": 1.5, "dirichlet": 0.5},
    ),
    "matching": (DistributionMatching, {"sigma_w": 2.0, "sigma_v": 1.5, "dirichlet": 0.5}),
    "matching, drugs": (
        DistributionMatching,
        {"sigma_w": 2.0, "sigma_v": 1.5, "rho": 0.6, "task_kernel": drug_indicator_kernel},
    ),
}
CHANGES = [
    {},
    {"clip": "3"},
    {"weights": "cross-fitted"},
    {"quadratic-form": "full"},
    {"widths": "two"},
]


def estimator_of(name, changed):
    """Return the estimator that a contender stands for."""
    cls, given = ESTIMATORS[name]
    options = {"gamma": 0.05, **given}
    if issubclass(cls, DistributionMatching):
        if "clip" in changed:
            options["max_weight"] = float(changed["clip"])
        if "weights" in changed:
            options |= {"cross_fit": 5, "random_state": 0}
        if "quadratic-form" in changed:
            options["sigma_v"] /= np.sqrt(2)
            options["sigma_w"] /= np.sqrt(2)
        if "widths" in changed:
            options["softmax_gamma"] = 0.01
    return cls(tol=1e-6, **options)


@pytest.mark.parametrize(
    ("name", "changed"),
    [(name, {}) for name in ESTIMATORS] + [("matching", changed) for changed in CHANGES[1:]],
)
def test_contenders_decide_as_the_estimators_do(name, changed, small, monkeypatch):
    monkeypatch.setattr("icml2008.papers.bickel2008hiv.contenders.TOL", 1e-6)
    parameters = {
        key: value for key, value in ESTIMATORS[name][1].items() if key != "task_kernel"
    } | {"gamma": 0.05}
    parameters.setdefault("dirichlet", 1.0)
    if "widths" in changed:
        parameters["softmax_gamma"] = 0.01
    split = Split(small.train, small.test, None, 0)
    contender = contenders({**DEFAULTS, **changed}, DRUGS_KNOWN)[name]
    train = small.train
    test = small.test
    model = estimator_of(name, changed).fit(train.X, train.y, task=train.task, tasks=test.task)
    np.testing.assert_allclose(
        contender.decide(split, parameters),
        model.decision_function(test.X, task=test.task),
        atol=1e-5,  # both are within 1e-6 prior deviations of the optimum
    )


def test_gaussian_processes_decide_as_the_estimator_does(small):
    """With as many landmarks as examples the features give the kernel itself."""
    contender = contenders(DEFAULTS, {})["Gaussian process"]
    parameters = {"gamma": 0.05, "covariance_strength": 20.0}
    model = MultiTaskGaussianProcess(gamma=0.05, covariance_strength=20.0, max_iter=10, tol=1e-3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(small.train.X, small.train.y, task=small.train.task)
    np.testing.assert_allclose(
        contender.decide(small, parameters),
        model.decision_function(small.test.X, task=small.test.task),
        atol=1e-4,  # landmarks invert the Gram matrix of repeated examples
    )


@pytest.mark.parametrize("name", ["pooled, drugs", "separate", "matching, drugs"])
def test_all_examples_as_landmarks_give_the_exact_kernel(name, small):
    n = len(small.train.y)
    carried = Split(small.train, small.test, landmarks=n, seed=3)
    contender = contenders(DEFAULTS, DRUGS_KNOWN)[name]
    np.testing.assert_allclose(
        contender.decide(carried, contender.start),
        contender.decide(small, contender.start),
        atol=0.05,  # tenths of a prior deviation are asked for, in log-odds of order one
    )


def test_unseen_combinations_get_the_pooled_model_if_so_chosen(small):
    parameters = contenders(DEFAULTS, {})["matching"].start
    chosen = contenders({**DEFAULTS, "unseen": "pooled"}, {})["matching"]
    unseen = small.counts[small.wanted][small.column] == 0
    assert 0 < unseen.sum() < len(unseen)
    pooled = contenders(DEFAULTS, {})["pooled"].decide(small, parameters)
    plain = contenders(DEFAULTS, {})["matching"].decide(small, parameters)
    decision = chosen.decide(small, parameters)
    np.testing.assert_allclose(decision[unseen], pooled[unseen], atol=0.05)
    np.testing.assert_allclose(decision[~unseen], plain[~unseen], atol=0.05)


def test_tuning_takes_the_best_value_and_keeps_the_first_of_equals(small):
    """Decisions are right for the share of examples that the parameters' sum says."""

    def decide(split, parameters):
        right = np.arange(len(split.test.y)) < parameters["a"] + min(parameters["b"], 3)
        return np.where(right, split.test.y, -split.test.y)

    contender = Contender(decide, {"a": 1.0, "b": 2.0}, {"a": (0.0, 4.0), "b": (3.0, 5.0)})
    assert tuned(contender, small, {}) == {"a": 4.0, "b": 3.0}
    assert tuned(contender, small, {"b": 5.0}) == {"a": 4.0, "b": 5.0}


def test_all_contenders_tune_on_the_same_values_of_what_they_share():
    methods = contenders(DEFAULTS, DRUGS_KNOWN).values()
    searched = [
        {name: {method.start[name], *values} for name, values in method.grid.items()}
        for method in methods
    ]
    assert all(method.grid.keys() == method.start.keys() for method in methods)
    for name in ("gamma", "sigma_w"):
        given = [grid[name] for grid in searched if name in grid]
        assert all(values == given[0] for values in given)
    assert all("gamma" in grid for grid in searched)


@pytest.mark.parametrize(("tuned_for", "right"), [("each", 1.0), ("pooled", -1.0)])
def test_each_method_has_its_own_width_unless_all_take_that_of_the_pooled_model(
    tuned_for, right, small
):
    """The pooled model is right with a width of 0.1 alone, the others with 0.01 alone."""
    choices = {**DEFAULTS, "width-tuned-for": tuned_for}
    trial = SimpleNamespace(
        choices=choices, rng=lambda name: np.random.default_rng(0), attempt=nullcontext
    )

    def decides_at(gamma, split, parameters):
        return split.test.y * (1.0 if parameters["gamma"] == gamma else -1.0)

    methods = {
        name: replace(method, decide=partial(decides_at, 0.1 if name == "pooled" else 0.01))
        for name, method in contenders(choices, DRUGS_KNOWN).items()
    }
    decision_of = dict(decisions(methods, small.train, small.test, trial))
    for name, decision in decision_of.items():
        sign = 1.0 if name == "pooled" else right
        np.testing.assert_array_equal(decision, sign * small.test.y)
    assert decision_of.keys() == methods.keys()


def test_splits_are_in_order_of_time():
    examples = Examples(np.arange(10.0)[:, None], np.ones(10), np.array(list("abcdefghij")))
    earlier, later = in_time(examples, 0.2)
    assert earlier.X.ravel().tolist() == list(range(8))
    assert later.task.tolist() == ["i", "j"]


def test_the_paired_test_is_that_of_scipy():
    rng = np.random.default_rng(0)
    first, second = rng.integers(0, 2, size=(2, 50))
    expected = ttest_rel(first, second, alternative="greater").pvalue
    assert paired_p(first, second) == pytest.approx(expected, rel=1e-12)
    assert paired_p(first, first) == 0.5


@given(st.lists(st.integers(0, 60), min_size=8, max_size=200), st.integers(0, 3))
def test_groups_are_ordered_by_training_examples(n_seen, few):
    n_seen = np.array(n_seen)
    group = groups(n_seen, few)
    assert ((group == 0) == (n_seen <= few)).all()
    assert set(group) <= {0, 1, 2, 3}
    order = np.argsort(n_seen, kind="stable")
    assert (np.diff(group[order]) >= 0).all()


def test_groups_above_the_first_are_of_equal_size_without_ties():
    group = groups(np.arange(3, 303), 2)
    assert np.bincount(group, minlength=4).tolist() == [0, 100, 100, 100]


@given(st.integers(2, 8), st.integers(0, 2**32 - 1), st.booleans())
@settings(max_examples=25)
def test_weighting_the_pool_gives_the_loss_of_each_task(n_tasks, seed, posterior):
    joint, loss = random_toy(n_tasks, np.random.default_rng(seed))
    assert joint.sum() == pytest.approx(1)
    assert identity_gap(joint, loss, posterior=posterior) < 1e-12


def test_the_identity_fails_for_weights_that_are_not_the_density_ratio(monkeypatch):
    joint, loss = random_toy(4, np.random.default_rng(0))
    monkeypatch.setattr(
        "icml2008.papers.bickel2008hiv.toys.resampling_weights",
        lambda posterior, prior: posterior.T / (prior[:, None] + 0.01),
    )
    assert identity_gap(joint, loss, posterior=True) > 1e-3


def test_true_posterior_of_toys_is_the_share_of_tasks_among_equal_examples():
    toy = label_split_toy(np.random.default_rng(1), n_tasks=3, n_features=2)
    X, label, task = toy.draw(200_000, np.random.default_rng(2))
    same = (X[0] == X).all(axis=1) & (label == label[0])
    share = np.bincount(task[same], minlength=3) / same.sum()
    # five standard errors of a share
    np.testing.assert_allclose(
        share, toy.posterior(X[:1], label[:1])[0], atol=2.5 / same.sum() ** 0.5
    )


def test_more_examples_bring_weights_nearer_to_the_true_ones():
    toy = label_split_toy(np.random.default_rng(3))
    errors = [
        weight_errors("matching", toy, *toy.draw(n, np.random.default_rng(4)))[0]
        for n in (200, 1000, 5000)
    ]
    assert errors[2] < errors[1] < errors[0]
    assert errors[2] < 0.15


def test_census_tasks_are_country_and_occupation():
    people = SimpleNamespace(
        X=np.array([[30, 1, 0, 1, 9, 40, 0, 0], [50, 0, 1, 0, 13, 60, 7, 0],
                    [20, 0, 1, np.nan, 9, 20, 0, 0], [41, 0, np.nan, 1, 9, 20, 0, 0]]),
        y=np.array(["<=50K", ">50K", "<=50K", ">50K"]),
        feature_names=("age", "sex", "native-country", "occupation", "education-num",
                       "hours-per-week", "capital-gain", "capital-loss"),
        categories={"native-country": ("United-States", "Cuba"), "occupation": ("Sales", "Tech"),
                    "sex": ("Female", "Male")},
    )  # fmt: skip
    cohort = people_by_origin(people, named=("sex",))
    assert cohort.task.tolist() == ["Cuba+Sales"]
    assert cohort.y.tolist() == [1.0]
    # age above 49, education 13, hours 60: each the last of its bands
    assert cohort.X.tolist() == [[0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0]]


def test_optimization_problem_1_as_printed_has_no_maximum():
    """The log-likelihood falls at most linearly along a ray, and a quadratic form is added."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(20, 3))
    target = rng.integers(0, 4, size=20)
    direction = rng.normal(size=(3, 4))

    def objective(length, sign):
        scores = length * X @ direction
        likelihood = np.sum(scores[np.arange(20), target] - logsumexp(scores, axis=1))
        return likelihood + sign * np.sum((length * direction) ** 2)

    printed = [objective(length, 1) for length in (1e2, 1e3, 1e4)]
    assert 0 < printed[0] < printed[1] / 10 < printed[2] / 100
    assert objective(1e4, -1) < objective(1e2, -1) < 0


def test_printed_gains_over_separate_models_reach_14_8_points():
    claims = load_paper("bickel2008hiv").claims
    gains = [
        float(values[-1]) - float(values[0])
        for name in ("accuracies-virus-load", "accuracies-multi-condition")
        for values in claims[name].printed.values()
    ]
    assert (min(gains), max(gains)) == pytest.approx((10.04, 14.76))


def hits_of_all(right):
    """Return hits of every method of Table 1: 40 test records, of which it has a number right."""
    known = ["", ", drugs", ", mutations"]
    names = ["separate", "Gaussian process"]
    names += [f"{name}{k}" for name in ("pooled", "hierarchical kernel", "matching") for k in known]
    return {name: (np.arange(40) < right(name)).astype(float) for name in names}


@pytest.mark.parametrize(
    ("right", "share"),
    [
        (lambda name: 40 if name.startswith("matching") else 20, 100),
        (lambda name: 20, 0),
        (lambda name: 20 if name.startswith("matching") else 40, 0),
        # three of the ten comparisons are with separate models, one is with the Gaussian process
        (lambda name: 20 if name == "separate" else 40, 30),
        (lambda name: 20 if name == "Gaussian process" else 40, 10),
        (lambda name: 20 if name == "pooled, drugs" else 40, 10),
    ],
)
def test_ten_comparisons_are_counted_with_equal_knowledge(right, share):
    assert share_significant(hits_of_all(right)) == pytest.approx(share)


class Recorder:
    """Takes what a trial measures."""

    def __init__(self):
        self.values = {}

    def measure(self, method, **metrics):
        self.values |= {(method, metric): value for metric, value in metrics.items()}


def test_gain_of_knowledge_is_the_difference_to_the_plain_method():
    hits_of = hits_of_all(lambda name: 30 if name == "pooled, drugs" else 20)
    trial = Recorder()
    measure_knowledge(trial, hits_of)
    assert trial.values.pop(("pooled, drugs", "knowledge_gain")) == pytest.approx(25)
    assert set(trial.values.values()) == {0.0}
    assert len(trial.values) == 5


def test_lead_of_the_first_group_is_its_gain_less_that_of_each_other_group():
    group = np.repeat([0, 1, 2, 3], 10)
    hits_of = {"separate": np.zeros(40), "pooled": np.repeat([0.9, 0.5, 0.2, 1.0], 10)}
    trial = Recorder()
    measure_by_group(trial, hits_of, group)
    assert trial.values["pooled", "accuracy_3"] == pytest.approx(20)
    leads = [trial.values["pooled", f"lead_{g}"] for g in (2, 3, 4)]
    assert leads == pytest.approx([40, 70, -10])
    assert ("separate", "lead_2") not in trial.values
