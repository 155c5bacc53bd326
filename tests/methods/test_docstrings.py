"""What each public name shows in its docstring can be pasted into an empty session."""

import doctest
import inspect
import re

import pytest

from icml2008 import methods

FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def pasted(name):
    """Return how many of a name's examples fail and run, with nothing imported before."""
    text = inspect.getdoc(getattr(methods, name))
    test = doctest.DocTestParser().get_doctest(text, {}, name, None, None)
    return doctest.DocTestRunner(optionflags=FLAGS).run(test)


@pytest.mark.parametrize("name", methods.__all__)
def test_its_example_imports_it_and_all_it_needs(name):
    text = inspect.getdoc(getattr(methods, name))
    lines = [line for line in text.splitlines() if line.startswith((">>> from", ">>> import"))]
    assert any("from icml2008.methods import" in line and name in line for line in lines)
    outcome = pasted(name)
    assert (outcome.failed, outcome.attempted > 1) == (0, True)


def test_an_example_without_its_import_would_be_noticed(monkeypatch, capsys):
    def bare():
        """Add.

        >>> np.add(1, 2)
        3
        """

    monkeypatch.setattr(methods, "ward_tree", bare)
    assert pasted("ward_tree").failed == 1
    assert "NameError" in capsys.readouterr().out


CITED = re.compile(
    r"Equations? \d|Eqs?\. ?\d|Algorithm \d|Section \d|Definition \d|Proposition \d|Lemma \d"
    r"|footnote \d|[a-z] \(\d+\)[.,;:)]"
)


def cites_nothing(text):
    """Return whether a docstring has the number of an equation and no paper that it is in."""
    return bool(CITED.search(text)) and not re.search(r"\(\d{4}\)|\b(19|20)\d\d\b", text)


@pytest.mark.parametrize("name", methods.__all__)
def test_the_number_of_an_equation_has_its_paper(name):
    assert not cites_nothing(inspect.getdoc(getattr(methods, name)))


def test_a_number_without_its_paper_would_be_noticed():
    assert cites_nothing("One dual variable is set to its optimum (9) while w is kept (13), so.")
    assert cites_nothing("Return theta of Equation 5.")
    assert not cites_nothing("Return theta, Equation 5 of Duchi et al. (2008).")
