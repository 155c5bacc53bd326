"""scikit-learn's checks of estimators: which methods pass them, and why the rest cannot.

The rest stands in docs/estimator-checks.md, as `table` writes it:
``python tests/methods/test_scikit_learn_checks.py > docs/estimator-checks.md``.
"""

from __future__ import annotations

import inspect
from importlib.metadata import version
from pathlib import Path
from unittest import SkipTest

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

from icml2008 import methods
from icml2008.methods.nets.layers import FeedForwardClassifier
from icml2008.papers.dredze2008confidence.method import ConfidenceWeighted
from icml2008.papers.gonen2008localized.method import LocalizedMKL
from icml2008.papers.hyvarinen2008causal.method import VARLiNGAM
from icml2008.papers.orabona2008projectron.method import KernelPerceptron, Projectron
from icml2008.papers.palatucci2008chance.method import MultiplicityGapSelector

ROOT = Path(__file__).parents[2]
PAPERS = "src/icml2008/papers"
# those that pass with their defaults, and where that is tested
TESTED = {
    "Banditron": f"{PAPERS}/kakade2008efficient/test_method.py",
    "Bolasso": "tests/methods/bolasso/test_bolasso.py",
    "BolassoCV": "tests/methods/bolasso/test_bolasso.py",
    "ConfidenceWeighted": "tests/methods/test_scikit_learn_checks.py",
    "ConvexClustering": "tests/methods/clustering/test_convex.py",
    "DualCoordinateDescentSVC": f"{PAPERS}/hsieh2008dual/test_hsieh2008dual.py",
    "FeedForwardClassifier": "tests/methods/test_scikit_learn_checks.py",
    "InfiniteExemplars": "tests/methods/clustering/test_infinite.py",
    "KernelPerceptron": "tests/methods/test_scikit_learn_checks.py",
    "KernelQuantilePath": "tests/methods/test_kernel_quantiles.py",
    "KernelVectorQuantization": "tests/methods/clustering/test_vector_quantization.py",
    "LandmarkNystroem": "tests/methods/kernels/test_nystroem.py",
    "ListMLE": "tests/methods/listwise/test_listwise_rankers.py",
    "ListNet": "tests/methods/listwise/test_listwise_rankers.py",
    "LocalizedMKL": "tests/methods/test_scikit_learn_checks.py",
    "MulticlassPerceptron": f"{PAPERS}/kakade2008efficient/test_method.py",
    "MultiplicityGapSelector": "tests/methods/test_scikit_learn_checks.py",
    "NeighborGraph": "tests/methods/graphs/test_neighbor_graph.py",
    "OrdinaryKriging": "tests/methods/active/test_ordinary_kriging.py",
    "Projectron": "tests/methods/test_scikit_learn_checks.py",
    "RankCosine": "tests/methods/listwise/test_listwise_rankers.py",
    "SMOClassifier": "tests/methods/test_smo.py",
    "SoftKMeans": "tests/methods/clustering/test_soft_kmeans.py",
    "StabilitySelection": "tests/methods/bolasso/test_bolasso.py",
    "VARLiNGAM": "tests/methods/test_scikit_learn_checks.py",
}
# what the method takes that the checks do not give: a part of its message, and in words
DOMAINS = {
    "ClassRBM": ("probabilities of ones", "rows are probabilities, 0 to 1"),
    "ConvexPotentialBooster": ("sample_weight", "all pass with `n_rounds=10`; in its 100 rounds a "
                               "row of weight 2 and two rows part by rounding"),
    "DenoisingAutoencoder": ("probabilities of ones", "rows are probabilities, 0 to 1"),
    "FilterBoost": ("zeros and ones", "features are 0 and 1"),
    "MartingaleBooster": ("base classifiers from -1", "features are classifiers, from -1 to 1"),
    "RestrictedBoltzmannMachine": ("probabilities of ones", "rows are probabilities, 0 to 1"),
}  # fmt: skip
WRAPPED = {
    "bag_ranking": "tests/methods/bag_ranking/test_bag_rankers_scikit_learn.py",
    "multitask": "tests/methods/multitask/test_multitask_scikit_learn.py",
}


def public_classes():
    public = {name: getattr(methods, name) for name in methods.__all__}
    return {name: thing for name, thing in public.items() if isinstance(thing, type)}


def needed(callable_, besides=()):
    """Return the parameters without default."""
    parameters = inspect.signature(callable_).parameters.values()
    return [
        parameter.name
        for parameter in parameters
        if parameter.default is parameter.empty
        and parameter.kind != parameter.VAR_KEYWORD
        and parameter.name not in besides
    ]


def reason(name, estimator):
    """Return why a class cannot pass the checks, or an empty string."""
    if not issubclass(estimator, BaseEstimator):
        return "no estimator of scikit-learn: it learns from something else than X and y"
    if missing := needed(estimator):
        return f"has to be given `{'`, `'.join(missing)}`"
    missing = needed(estimator.fit, besides=("self", "X", "y"))
    if name in ("MIRank",):
        missing = ["boxes", "bags"]
    if missing:
        lack = f"`fit` takes `{'`, `'.join(missing)}`"
        group = estimator.__module__.split(".")[2]
        return (
            f"{lack}; behind a wrapper they pass ({WRAPPED[group]})" if group in WRAPPED else lack
        )
    return DOMAINS[name][1] if name in DOMAINS else ""


def table():
    lines = [
        "# scikit-learn's checks of estimators",
        "",
        "These methods pass all of `check_estimator` with their defaults: "
        + ", ".join(f"`{name}`" for name in TESTED)
        + ".",
        "",
        "The rest cannot, for what they take:",
        "",
        "| class | why |",
        "|---|---|",
    ]
    reasons = {name: reason(name, estimator) for name, estimator in public_classes().items()}
    lines += [f"| `{name}` | {why} |" for name, why in reasons.items() if why]
    return "\n".join(lines) + "\n"


def may_fail(estimator):
    """With scikit-learn 1.6, whose rows are drawn in another way."""
    if not isinstance(estimator, MultiplicityGapSelector) or version("scikit-learn") >= "1.7":
        return {}
    return {"check_n_features_in_after_fitting": "a random half of the rows may lack a class"}


@parametrize_with_checks(
    [
        ConfidenceWeighted(),
        FeedForwardClassifier(),
        KernelPerceptron(),
        LocalizedMKL(),
        MultiplicityGapSelector(),
        Projectron(),
        VARLiNGAM(),
    ],
    expected_failed_checks=may_fail,
)
def test_check_of_scikit_learn(estimator, check):
    check(estimator)


def test_every_public_class_passes_or_stands_in_the_table():
    assert set(TESTED) == {
        name for name, estimator in public_classes().items() if not reason(name, estimator)
    }


@pytest.mark.parametrize(("name", "file"), TESTED.items())
def test_a_class_that_passes_is_put_to_the_checks(name, file):
    text = (ROOT / file).read_text("utf-8")
    assert name in text
    assert "parametrize_with_checks" in text or "check_estimator" in text


@pytest.mark.parametrize("name", DOMAINS)
def test_the_first_check_that_fails_does_so_for_what_the_table_says(name):
    failure = ""
    for estimator, check in estimator_checks_generator(public_classes()[name]()):
        try:
            check(estimator)
        except SkipTest:
            continue
        except Exception as error:  # noqa: BLE001, whatever a check meets
            failure = f"{error!r} {error.__cause__!r} {error.__context__!r}"
            break
    assert DOMAINS[name][0] in failure


def test_the_table_in_the_documentation_is_today_s():
    assert (ROOT / "docs" / "estimator-checks.md").read_text("utf-8") == table()


if __name__ == "__main__":
    print(table(), end="")  # noqa: T201
