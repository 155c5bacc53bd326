"""A configuration is checked before anything is planned."""

import pytest

from icml2008.catalogue.entry import Entry
from icml2008.errors import Icml2008Error
from icml2008.run.trials.configuration import papers, read_config, universes


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"scale": "quik"}, "scale cannot be 'quik'; did you mean 'quick'"),
        ({"arithmetic": "nehalm"}, "nothing is called 'nehalm'; did you mean 'nehalem'"),
        ({"papers": "parr2008liner"}, "no paper 'parr2008liner'; did you mean 'parr2008linear'"),
        ({"multiverse": "full"}, "crosses the choices of one paper; add papers=KEY"),
        ({"skale": "quick"}, "no key 'skale'; did you mean 'scale'"),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest(config, message):
    with pytest.raises(Icml2008Error, match=message):
        papers(read_config(config))


def test_choices_that_a_paper_changes_together_are_run_beside_single_ones():
    run = read_config({"multiverse": "true", "papers": "bergeron2008mirank"})
    universe_names = universes(run, Entry("bergeron2008mirank"))
    assert {"mic=balanced", "solution=vertex", "mic=balanced+solution=vertex"} < set(universe_names)
