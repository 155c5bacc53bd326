from types import SimpleNamespace

import pytest

from icml2008.harness.choices import UniverseError, around_the_default, choices_of

DECLARED = {
    "ties": SimpleNamespace(default="first", alternatives=["random"], touches=["e"]),
    "mic": SimpleNamespace(default="unweighted", alternatives=["balanced"], touches=["e"]),
    "other": SimpleNamespace(default="a", alternatives=["b", "c"], touches=["f"]),
}


def test_the_default_universe_has_every_default():
    assert choices_of("default", DECLARED, "e") == {"ties": "first", "mic": "unweighted"}


def test_a_universe_changes_the_choices_that_it_names():
    found = choices_of("mic=balanced+ties=random", DECLARED, "e")
    assert found == {"ties": "random", "mic": "balanced"}


def test_a_choice_that_does_not_touch_an_experiment_is_not_seen_by_it():
    assert choices_of("other=b", DECLARED, "e") == choices_of("default", DECLARED, "e")


@pytest.mark.parametrize(
    ("universe", "message"),
    [
        ("mix=balanced", "no choice 'mix'; did you mean 'mic'"),
        ("mic=balance", "mic cannot be 'balance'; did you mean 'balanced'"),
        ("ties=random+mic=balanced", "is spelt 'mic=balanced\\+ties=random'"),
        ("mic=unweighted", "mic cannot be 'unweighted'"),
    ],
)
def test_a_wrong_universe_is_explained(universe, message):
    with pytest.raises(UniverseError, match=message):
        choices_of(universe, DECLARED, "e")


def test_each_alternative_is_tried_once_around_the_default():
    assert list(around_the_default(DECLARED, "e")) == ["mic=balanced", "ties=random"]
    assert list(around_the_default(DECLARED, "f")) == ["other=b", "other=c"]
