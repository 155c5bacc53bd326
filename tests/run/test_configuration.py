"""A configuration is checked before anything is planned."""

import pytest

from icml2008.errors import Icml2008Error
from icml2008.run.planning import papers, read_config


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({"scale": "quik"}, "scale cannot be 'quik'; did you mean 'quick'"),
        ({"arithmetic": "nehalm"}, "nothing is called 'nehalm'; did you mean 'nehalem'"),
        ({"papers": "parr2008liner"}, "no paper 'parr2008liner'; did you mean 'parr2008linear'"),
        ({"skale": "quick"}, "no key 'skale'; did you mean 'scale'"),
    ],
)
def test_a_wrong_word_is_answered_with_the_nearest(config, message):
    with pytest.raises(Icml2008Error, match=message):
        papers(read_config(config))
