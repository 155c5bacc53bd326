"""Methods where users of scikit-learn put them: behind a scaler, in a search, cloned, scored."""

from __future__ import annotations

import numpy as np
import pytest
import sklearn
from sklearn.base import clone
from sklearn.datasets import make_blobs
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MinMaxScaler, StandardScaler

from icml2008.methods import (
    MIC,
    MISVM,
    Banditron,
    Bolasso,
    BolassoCV,
    ClassRBM,
    ConfidenceWeighted,
    ConvexPotentialBooster,
    CovariateShiftMatching,
    DenoisingAutoencoder,
    DistributionMatching,
    DualCoordinateDescentSVC,
    FeedForwardClassifier,
    Forgetron,
    HierarchicalBayesLogistic,
    KernelPerceptron,
    KernelQuantilePath,
    LandmarkNystroem,
    ListMLE,
    ListNet,
    LocalizedMKL,
    MIRank,
    MulticlassPerceptron,
    MultiplicityGapSelector,
    MultiTaskGaussianProcess,
    OrdinaryKriging,
    PooledLogistic,
    Projectron,
    ProjectronPlusPlus,
    RandomBudgetPerceptron,
    RankCosine,
    RankingSVM,
    RestrictedBoltzmannMachine,
    SeparateLogistic,
    SMOClassifier,
    StabilitySelection,
    Stoptron,
)

N = 120
X, CODES = make_blobs(N, n_features=3, centers=2, cluster_std=2.0, random_state=0)
Y = np.array(["no", "yes"])[CODES]
LINE = X @ [1.0, -2.0, 0.5]

CLASSIFIERS = {
    Banditron(random_state=0): {"gamma": [0.1, 0.3]},
    ClassRBM(5, n_iter=3, random_state=0): {"learning_rate": [0.01, 0.1]},
    ConfidenceWeighted(): {"phi": [0.5, 1.0]},
    ConvexPotentialBooster(n_rounds=5): {"n_rounds": [2, 5]},
    DualCoordinateDescentSVC(random_state=0): {"C": [0.1, 1.0]},
    FeedForwardClassifier((5,), n_iter=30, random_state=0): {"alpha": [0.0, 0.1]},
    Forgetron(20): {"gamma": [0.1, 1.0]},
    KernelPerceptron(): {"gamma": [0.1, 1.0]},
    LocalizedMKL(max_iter=3, random_state=0): {"C": [0.1, 1.0]},
    MulticlassPerceptron(): {"ties": ["first", "random"]},
    Projectron(): {"eta": [0.1, 0.5]},
    ProjectronPlusPlus(2.0): {"U": [1.0, 2.0]},
    RandomBudgetPerceptron(20, random_state=0): {"budget": [10, 20]},
    SMOClassifier(): {"C": [0.1, 1.0]},
    Stoptron(20): {"budget": [10, 20]},
}
REGRESSORS = {
    Bolasso(n_bootstraps=4, random_state=0): {"n_bootstraps": [2, 4]},
    BolassoCV(n_bootstraps=4, random_state=0): {"n_bootstraps": [2, 4]},
    KernelQuantilePath(): {"quantile": [0.4, 0.5]},
    OrdinaryKriging(): {"nugget": [1e-6, 1e-2]},
}
TRANSFORMERS = {
    DenoisingAutoencoder(4, n_iter=2, random_state=0): np.float32,
    LandmarkNystroem(n_landmarks=10, random_state=0): np.float32,
    MultiplicityGapSelector(): np.float32,
    RestrictedBoltzmannMachine(4, n_iter=2, random_state=0): np.float32,
    StabilitySelection(n_resamples=4, random_state=0): np.float32,
}


def name_of(value):
    return type(value).__name__ if hasattr(value, "get_params") else None


def in_a_search(scaler, estimator, ranges, y):
    """Return the search over a pipeline, fitted."""
    step = type(estimator).__name__.lower()
    ranges = {f"{step}__{name}": values for name, values in ranges.items()}
    search = GridSearchCV(make_pipeline(scaler, clone(estimator)), ranges, cv=3)
    return search.fit(X, y)


@pytest.mark.parametrize(("estimator", "ranges"), CLASSIFIERS.items(), ids=name_of)
def test_a_classifier_of_named_classes_is_searched_behind_a_scaler(estimator, ranges):
    search = in_a_search(MinMaxScaler(clip=True), estimator, ranges, Y)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.classes_.tolist() == ["no", "yes"]
    assert set(search.predict(X)) <= {"no", "yes"}
    scores = cross_val_score(estimator, MinMaxScaler().fit_transform(X), Y, cv=3)
    assert (scores > 0.45).all()


@pytest.mark.parametrize(("estimator", "ranges"), REGRESSORS.items(), ids=name_of)
def test_a_regressor_is_searched_behind_a_scaler(estimator, ranges):
    search = in_a_search(StandardScaler(), estimator, ranges, LINE)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


@pytest.mark.parametrize(("estimator", "dtype"), TRANSFORMERS.items(), ids=name_of)
def test_a_transformer_names_its_columns_and_keeps_the_type(estimator, dtype):
    pd = pytest.importorskip("pandas")
    rows = MinMaxScaler().fit_transform(X)
    frame = pd.DataFrame(rows, columns=["a", "b", "c"])
    model = clone(estimator).set_output(transform="pandas").fit(frame, CODES)
    table = model.transform(frame)
    assert table.columns.tolist() == model.get_feature_names_out().tolist()
    narrow = clone(estimator).fit(rows.astype(dtype), CODES).transform(rows.astype(dtype))
    assert narrow.dtype == dtype


BOXES = np.repeat(np.arange(30), 4)
BAGS = np.tile([0, 0, 1, 1], 30)
BEST = X[:, 0].reshape(30, 2, 2).max(axis=2).argmax(axis=1)
PREFERRED = (BEST[BOXES] == BAGS).astype(int)


@pytest.mark.parametrize(
    ("ranker", "ranges"),
    [
        (MIRank(), {"nu": [0.1, 1.0]}),
        (MIC(), {"nu": [0.1, 1.0]}),
        (MISVM(), {"C": [0.1, 1.0]}),
        (RankingSVM(), {"C": [0.1, 1.0]}),
    ],
    ids=name_of,
)
@pytest.mark.parametrize("weighted", [False, True])
def test_a_ranker_of_bags_is_searched_behind_a_scaler(ranker, ranges, weighted):
    step = type(ranker).__name__.lower()
    ranges = {f"{step}__{name}": values for name, values in ranges.items()}
    labels = {"boxes": True, "bags": True}
    given = {"boxes": BOXES, "bags": BAGS, "groups": BOXES}
    with sklearn.config_context(enable_metadata_routing=True):
        asked = clone(ranker).set_fit_request(**labels).set_score_request(**labels)
        if weighted:
            asked.set_score_request(**labels, sample_weight=True)
        scaler = StandardScaler().set_fit_request(sample_weight=False)
        search = GridSearchCV(make_pipeline(scaler, asked), ranges, cv=GroupKFold(3))
        weights = {"sample_weight": np.ones(N)} if weighted else {}
        search.fit(X, PREFERRED, **given, **weights)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_score_ > 0.5


@pytest.mark.parametrize(
    "kind",
    [
        CovariateShiftMatching,
        DistributionMatching,
        HierarchicalBayesLogistic,
        MultiTaskGaussianProcess,
        PooledLogistic,
        SeparateLogistic,
    ],
)
def test_a_classifier_of_many_tasks_is_scored_behind_a_scaler(kind):
    task = np.arange(N) % 3
    with sklearn.config_context(enable_metadata_routing=True):
        asked = kind().set_fit_request(task=True).set_score_request(task=True)
        pipeline = make_pipeline(StandardScaler(), asked)
        scores = cross_val_score(pipeline, X, CODES, cv=3, params={"task": task})
    assert (scores > 0.6).all()


@pytest.mark.parametrize("kind", [ListMLE, ListNet, RankCosine])
def test_a_ranker_of_lists_is_searched_behind_a_scaler(kind):
    qid = np.repeat(np.arange(30), 4)
    with sklearn.config_context(enable_metadata_routing=True):
        asked = kind(random_state=0).set_fit_request(qid=True).set_score_request(qid=True)
        pipeline = make_pipeline(StandardScaler(), asked)
        given = {"qid": qid, "groups": qid}
        scores = cross_val_score(pipeline, X, LINE, cv=GroupKFold(3), params=given)
    assert np.isfinite(scores).all()


def test_weights_of_a_score_count_boxes_tasks_and_lists():
    labels = {"boxes": BOXES, "bags": BAGS}
    ranker = MIRank().fit(X, PREFERRED, **labels)
    hits = [ranker.score(X, PREFERRED, box == BOXES, **labels, guesses=1) for box in range(30)]
    assert set(hits) <= {0.0, 1.0}
    assert ranker.score(X, PREFERRED, **labels, guesses=1) == pytest.approx(np.mean(hits))
    weights = np.random.default_rng(0).random(30)
    weighed = ranker.score(X, PREFERRED, weights[BOXES], **labels, guesses=1)
    assert weighed == pytest.approx(np.average(hits, weights=weights))
    model = ListMLE(random_state=0).fit(X[:, :1], LINE, BOXES)
    lists = [model.score(X[:, :1], LINE, BOXES, box == BOXES) for box in range(30)]
    weighed = model.score(X[:, :1], LINE, BOXES, weights[BOXES])
    assert weighed == pytest.approx(np.average(lists, weights=weights))
    task = np.arange(N) % 3
    tasks = PooledLogistic().fit(X, CODES, task=task)
    right = tasks.predict(X, task=task) == CODES
    doubled = 1.0 + (task == 0)
    score = tasks.score(X, CODES, doubled, task=task)
    assert score == pytest.approx(np.average(right, weights=doubled))


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1.0], "sample_weight has shape .1,., expected one weight for each of 120 items"),
        (np.full(N, -1.0), "sample_weight must be finite and at least 0"),
        (np.zeros(N), "sample_weight is 0 for all items"),
    ],
)
def test_weights_that_cannot_be_are_named(weights, message):
    labels = {"boxes": BOXES, "bags": BAGS}
    ranker = MIRank().fit(X, PREFERRED, **labels)
    with pytest.raises(ValueError, match=message):
        ranker.score(X, PREFERRED, weights, **labels)
