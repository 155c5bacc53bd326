"""What a paper leaves open, in the words of its questions, and what each answer makes of claims."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from icml2008.catalogue.parts import Choice
from icml2008.harness.choices import DEFAULT, changed_in
from icml2008.judge.totals import counted
from icml2008.report.results import PaperResults

AS_READ = "As we read the text"

Row = Mapping[str, Any]


def reading(universe: str, choices: Mapping[str, Choice]) -> str:
    """Return a reading in words: the questions that it answers otherwise, with its answers.

    Examples
    --------
    >>> ties = Choice(question="Which of equals comes first?", default="first",
    ...               alternatives=["random"], touches=["main"], why="None is named.")
    >>> reading("ties=random", {"ties": ties}), reading("default", {"ties": ties})
    ('Which of equals comes first? random', 'As we read the text')
    """
    if universe == DEFAULT:
        return AS_READ
    changed = changed_in(universe, choices)
    return "; ".join(f"{choices[name].question} {value}" for name, value in changed.items())


def questions(turned_by: Sequence[str], choices: Mapping[str, Choice]) -> list[str]:
    """Return on which questions a claim turns; those that do so only together are one text.

    Examples
    --------
    >>> questions(["ties+gone"], {})
    ['ties Together with: gone']
    """
    return [
        " Together with: ".join(
            choices[name].question if name in choices else name for name in names.split("+")
        )
        for names in turned_by
    ]


def in_words(text: str, universes: Iterable[str], choices: Mapping[str, Choice]) -> str:
    """Return a text with readings in words in place of the names of their universes.

    Examples
    --------
    >>> ties = Choice(question="Which of equals comes first?", default="first",
    ...               alternatives=["random"], touches=["main"], why="None is named.")
    >>> in_words("confirmed under ties=random", ["default", "ties=random"], {"ties": ties})
    'confirmed under "Which of equals comes first? random"'
    """
    for universe in sorted(set(universes) - {DEFAULT}, key=len, reverse=True):
        if universe in text:
            text = text.replace(universe, f'"{reading(universe, choices)}"')
    return text


def matrix(results: PaperResults, rows: Sequence[Row]) -> dict[str, Any] | None:
    """Return the paper's own claims by readings, with the finding under each; None without any.

    Parameters
    ----------
    results : PaperResults
    rows : sequence of mapping
        Of all claims, as `icml2008.report.pages.lines.claim_rows` returns them.

    Returns
    -------
    dict or None
        ``claims``, each with ``name``, ``says`` and ``status``, and ``readings``: of each ``text``
        and ``findings``, a word for each claim, empty where it does not touch it.
    """
    findings: dict[str, dict[str, str]] = {}
    for verdict in results.shown():
        if not verdict["part"]:
            universe = verdict.get("universe", DEFAULT)
            word = verdict.get("finding") or verdict["verdict"]
            findings.setdefault(universe, {})[verdict["claim"]] = word
    others = sorted(findings.keys() - {DEFAULT}, key=lambda name: (name.count("+"), name))
    claims = [
        row
        for row in counted(rows, "name")
        if any(row["name"] in findings[universe] for universe in others)
    ]
    if not claims:
        return None
    claims.sort(key=lambda row: row["status"] != "headline")
    return {
        "claims": [{name: row[name] for name in ("name", "says", "status")} for row in claims],
        "readings": [
            {
                "text": reading(universe, results.paper.choices),
                "findings": [findings[universe].get(row["name"], "") for row in claims],
            }
            for universe in [DEFAULT, *others]
            if universe in findings
        ],
    }
