"""What a paper's claims hang on, in the words of its choices and causes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from icml2008.catalogue.model import Paper
from icml2008.catalogue.parts import Choice
from icml2008.harness.choices import DEFAULT, changed_in
from icml2008.judge.standing import OWN
from icml2008.judge.totals import counted

Row = Mapping[str, Any]

# So many stand at the top of a page; the claims' own pages have the rest.
_MOST = 3
_NAMED = 2


def hinges(paper: Paper, rows: Iterable[Row]) -> list[dict[str, Any]]:
    """Return what the paper's own claims hang on, headline claims first.

    Parameters
    ----------
    paper : Paper
    rows : iterable of mapping
        Of all its claims, as `icml2008.report.pages.lines.claim_rows` returns them.

    Returns
    -------
    list of dict
        ``name`` and ``says`` of a claim, and ``text``, on what it hangs.
    """
    own = counted(rows, "name")
    own.sort(key=lambda row: row["status"] != "headline")
    entries = []
    texts = set()
    for row in own:
        cause = row["cause"] if row["verdict"] not in ("confirmed", "untested") else None
        text = paper.causes[cause] if cause in paper.causes else hinge(row, paper.choices)
        if text and text not in texts:
            texts.add(text)
            entries.append({"name": row["name"], "says": row["says"], "text": text})
    return entries[:_MOST]


def hinge(row: Row, choices: Mapping[str, Choice]) -> str:
    """Return on which reading a claim hangs; empty if it hangs on none.

    Examples
    --------
    >>> rate = Choice(question="At which rate does it learn?", default="0.1", alternatives=["1"],
    ...               touches=["main"], why="The text gives none.")
    >>> readings = {"confirmed": ["default"], "refuted": ["rate=1"]}
    >>> hinge({"verdict": "depends", "readings": readings}, {"rate": rate})
    'It holds as we read the text, and does not if "At which rate does it learn?" is answered 1.'
    """
    if row["verdict"] != "depends":
        return ""
    confirming = row["readings"].get("confirmed", ())
    refuting = row["readings"].get("refuted", ())
    if DEFAULT in confirming:
        return f"It holds as we read the text, and does not if {_answered(refuting, choices)}."
    if DEFAULT in refuting:
        holds = _answered(confirming, choices)
        return f"It does not hold as we read the text, and does if {holds}."
    answers = {"holds": confirming, "does not": refuting}
    texts = [
        f"{what} if {_answered(universes, choices)}"
        for what, universes in answers.items()
        if universes
    ]
    return f"As we read the text it is open; it {', and '.join(texts)}." if texts else ""


def hanging(rows: Iterable[Row]) -> list[str]:
    """Return the questions on whose answers the paper's own claims hang, headline claims first."""
    own = [row for row in rows if row["status"] in OWN]
    own.sort(key=lambda row: row["status"] != "headline")
    return list(dict.fromkeys(question for row in own for question in row.get("turns") or ()))


def _answered(universes: Sequence[str], choices: Mapping[str, Choice]) -> str:
    """Return universes as questions with the answers that they give."""
    answers: dict[tuple[str, ...], list[str]] = {}
    for universe in universes:
        changed = changed_in(universe, choices)
        answers.setdefault(tuple(changed), []).append(" and ".join(changed.values()))
    single = sorted(answers.items(), key=lambda item: len(item[0]))
    texts = []
    for names, values in single:
        questions = " with ".join(f'"{choices[name].question}"' for name in names)
        texts.append(f"{questions} is answered {' or '.join(values)}")
    more = f", or under {len(texts) - _NAMED} other choices" if len(texts) > _NAMED else ""
    return ", or if ".join(texts[:_NAMED]) + more
