"""The worked examples of docs/verdicts.md give what they say."""

import doctest
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "verdicts.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_worked_examples_are_right(capsys):
    """Blocks share their names, as a reader's session would."""
    flags = doctest.NORMALIZE_WHITESPACE
    examples = doctest.DocTestParser().get_doctest("\n".join(BLOCKS), {}, PAGE.name, str(PAGE), 0)
    results = doctest.DocTestRunner(optionflags=flags).run(examples)
    assert results.attempted >= 25
    assert results.failed == 0, capsys.readouterr().out


RULES = (
    "Two lines",
    "Above",
    "Near",
    "bound",
    "spread",
    "Exactly",
    "Parts",
    "New data",
    "Readings",
)


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_has_a_section(rule):
    assert re.search(rf"^## .*{rule}", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
