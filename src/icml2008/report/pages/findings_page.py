"""The page on what the proceedings taught as a whole: what holds, what turns it, what misprints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from icml2008.audit.findings import CERTAINTIES, IMPOSSIBLE, OVERSTATED, Finding
from icml2008.catalogue.coverage import ALL, BESIDE, coverage
from icml2008.report.in_sentences import (
    interval_text,
    of_kind,
    percent,
    row,
)
from icml2008.report.lessons import (
    arithmetic,
    own_claims,
)
from icml2008.report.pages.page import Page
from icml2008.report.shares import MIN_PAPERS, Share, share_of
from icml2008.report.what_holds import Row, of_claims
from icml2008.store import Shelf

# What the audit's rules look at; their ids never change.
RULES = {
    "GRIM": "Means of counts",
    "GRIMMER": "Spreads of counts",
    "DEBIT": "Spreads of outcomes 0 and 1",
    "RANGE": "Spreads within bounds",
    "PVALUE": "Significance by two means",
    "SIGN": "Significance by wins",
    "SUM": "Totals of parts",
    "MEAN": "Means of parts",
    "DIFFERENCE": "Differences",
    "RATIO": "Ratios",
    "FORMULA": "The paper's own formulas",
    "MONOTONE": "Numbers that must rise or fall",
    "RANK": "Mean ranks",
    "COUNT": "Wins, ties and losses",
    "BEST": "Entries said to be best",
}


def findings_page(
    shelves: Iterable[Shelf],
    audited: Sequence[Finding],
    reruns: Mapping[str, Any] | None = None,
    hands: str = "",
    **more: Any,
) -> Page:
    """Return what the proceedings taught as a whole, ``findings.html``.

    Parameters
    ----------
    shelves : iterable of Shelf
        The evidence; of what is no paper of the proceedings it is left out.
    audited : sequence of Finding
        The audit of printed numbers.
    reruns : mapping, optional
        What others found who ran papers again: ``rows``, ``papers``, ``same``, ``wrong``.
    hands : str
        How far a second hand agrees, in words.
    **more
        What the page is given besides: `health`.
    """
    shelves = [shelf for shelf in shelves if shelf.entry.head.proceedings]
    keys = {shelf.key for shelf in shelves}
    content = {
        **of_claims(own_claims(shelves)),
        "arithmetic": _of_arithmetic(arithmetic(shelves)),
        "reruns": _of_reruns(reruns or {"rows": []}),
        "audit": of_audit([finding for finding in audited if finding.paper in keys]),
        "hands": hands,
        "least": MIN_PAPERS,
        "chosen": chosen(coverage()),
    }
    return Page("findings.html", "pages/findings.html", content | more)


def chosen(covered: Sequence[Mapping[str, str | int]]) -> str:
    """Return in plain words how the papers that were run again were chosen.

    Parameters
    ----------
    covered : sequence of mapping
        As `icml2008.catalogue.coverage.coverage` returns it.

    Examples
    --------
    >>> row = {"papers": 9, "re-run": 0, "planned": 5}
    >>> chosen([row | {"topic": "svm", "re-run": 1}, row | {"topic": "bandits", "re-run": 4},
    ...         row | {"topic": "trees"}, row | {"topic": "all", "re-run": 5, "planned": 15}])
    'not by lot: 5 of the 20 that can be run again, whole or in part, topic by topic. Furthest along
    are bandits (4 of 9), svm (1 of 9); nothing yet of trees.'
    """
    topics = [row for row in covered if row["topic"] not in (ALL, BESIDE)]
    whole = next((row for row in covered if row["topic"] == ALL), None)
    if whole is None or not whole["re-run"]:
        return "none was run again yet."
    topics.sort(key=lambda row: (-row["re-run"] / row["papers"], row["topic"]))
    first = [row for row in topics if row["re-run"]][:3]
    none = [
        row["topic"].replace("-", " ") for row in topics if not row["re-run"] and row["planned"]
    ]
    named = ", ".join(
        f"{row['topic'].replace('-', ' ')} ({row['re-run']} of {row['papers']})" for row in first
    )
    possible = whole["re-run"] + whole["planned"]
    text = (
        f"not by lot: {whole['re-run']} of the {possible} that can be run again, whole or in part, "
        f"topic by topic. Furthest along are {named}"
    )
    return f"{text}; nothing yet of {', '.join(none)}." if none else f"{text}."


def _of_arithmetic(tally: Mapping[str, Any]) -> Row:
    """Return what other arithmetics did, and the sentence that says it."""
    if not tally["papers"]:
        return {**tally, "sentence": "No other arithmetic was tried yet."}
    flipped = tally["flipped"]
    others = of_kind(len(tally["names"]), "other arithmetic")
    depend = "depends" if flipped == 1 else "depend"
    sentence = (
        f"{str(flipped) if flipped else 'None'} of {tally['verdicts']:,} verdicts on claims and "
        f"their parts {depend} on how a processor rounds: {of_kind(tally['papers'], 'paper')} ran "
        f"again under up to {others} (scale {' or '.join(tally['scales'])}), and {tally['moved']} "
        f"of {tally['means']:,} means moved by more than their resolution."
    )
    return {**tally, "sentence": sentence}


def _of_reruns(tally: Mapping[str, Any]) -> Row:
    """Return who ran papers again, and the sentence that says what came of it."""
    if not tally["rows"]:
        return {**tally, "sentence": "Nobody has handed in a run of their own yet."}
    sentence = (
        f"{of_kind(tally['papers'], 'paper')} ran again on "
        f"{of_kind(len(tally['rows']), 'machine')} of others: {tally['same']} with the same "
        f"numbers everywhere, {tally['wrong']} with a number that moved, a verdict that flipped "
        "or a result that was missing anywhere."
    )
    return {**tally, "sentence": sentence}


# The audit of printed numbers.


def of_audit(findings: Sequence[Finding]) -> Row:
    """Return, by rule, how many papers that it could look at print what cannot be."""
    groups: dict[str, list[Finding]] = defaultdict(list)
    for finding in findings:
        groups[finding.rule].append(finding)
    rows = []
    for rule, members in groups.items():
        counts = Counter(finding.certainty for finding in members)
        more = {"entries": {name: counts[name] for name in CERTAINTIES}}
        rows.append(row(f"{RULES.get(rule, 'Rule')} ({rule})", _accused(members)) | more)
    every = _accused(findings)
    entries = Counter(finding.certainty for finding in findings)
    sentence = "No printed number was checked yet."
    if findings:
        sentence = (
            f"{sum(every.held)} of {of_kind(every.papers, 'paper')} whose numbers could be checked "
            f"print at least one that cannot be right as it stands, or a sentence that says more "
            f"than its table ({percent(every.value)}{interval_text(every, ', ', '')}): "
            f"{entries[IMPOSSIBLE]} impossible and {entries[OVERSTATED]} overstated of "
            f"{of_kind(len(findings), 'entry', 'entries')}."
        )
    return {
        "rows": sorted(rows, key=lambda entry: (-entry["papers"], entry["label"])),
        "certainties": CERTAINTIES,
        "sentence": sentence,
    }


def _accused(findings: Iterable[Finding]) -> Share:
    """Return the share of papers with a finding against them, among those that were looked at."""
    by_paper: dict[str, bool] = defaultdict(bool)
    for finding in findings:
        by_paper[finding.paper] |= finding.certainty in (IMPOSSIBLE, OVERSTATED)
    return share_of(by_paper.items())
