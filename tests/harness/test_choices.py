from types import SimpleNamespace

import pytest

from icml2008.harness.choices import (
    UniverseError,
    around_the_default,
    choices_of,
    crossed,
    projected,
)

DECLARED = {
    "ties": SimpleNamespace(
        default="first", alternatives=["random"], touches=["e"], cells={"data": ["x"]}
    ),
    "mic": SimpleNamespace(
        default="unweighted", alternatives=["balanced"], touches=["e"], cells={}
    ),
    "other": SimpleNamespace(default="a", alternatives=["b", "c"], touches=["f"], cells={}),
}


def test_the_default_universe_has_every_default():
    assert choices_of("default", DECLARED, "e") == {"ties": "first", "mic": "unweighted"}


def test_a_universe_changes_the_choices_that_it_names():
    choices = choices_of("mic=balanced+ties=random", DECLARED, "e")
    assert choices == {"ties": "random", "mic": "balanced"}


def test_a_choice_that_does_not_touch_an_experiment_is_not_seen_by_it():
    assert choices_of("other=b", DECLARED, "e") == choices_of("default", DECLARED, "e")


@pytest.mark.parametrize(
    ("universe", "message"),
    [
        ("mix=balanced", "no choice 'mix'; did you mean 'mic'"),
        ("mic=balance", "mic cannot be 'balance'; did you mean 'balanced'"),
        ("ties=random+mic=balanced", "is spelt 'mic=balanced\\+ties=random'"),
        ("mic=unweighted", "mic is 'unweighted' by default; leave it out"),
    ],
)
def test_a_wrong_universe_is_explained(universe, message):
    with pytest.raises(UniverseError, match=message):
        choices_of(universe, DECLARED, "e")


def test_each_alternative_is_tried_once_around_the_default():
    assert around_the_default(DECLARED) == ["mic=balanced", "other=b", "other=c", "ties=random"]


def test_all_combinations_are_crossed():
    assert len(crossed(DECLARED, 100)) == 2 * 3 * 2 - 1


def test_above_the_limit_a_sample_keeps_every_single_change():
    sample = crossed(DECLARED, 4)
    assert set(around_the_default(DECLARED)) <= set(sample) <= set(crossed(DECLARED, 100))
    assert len(sample) < len(crossed(DECLARED, 100))


@pytest.mark.parametrize(
    ("experiment", "cell", "projection"),
    [
        ("e", None, "mic=balanced+ties=random"),
        ("e", {"data": "x"}, "mic=balanced+ties=random"),
        ("e", {"data": "y"}, "mic=balanced"),
        ("f", None, "other=b"),
        ("g", None, "default"),
    ],
)
def test_a_projection_drops_the_changes_that_cannot_matter(experiment, cell, projection):
    universe = "mic=balanced+other=b+ties=random"
    assert projected(universe, DECLARED, experiment, cell) == projection
