"""What the proceedings taught as a whole: which claims hold, what turns them, what misprints."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from icml2008.audit.findings import CERTAINTIES, IMPOSSIBLE, OVERSTATED, Finding
from icml2008.catalogue.coverage import ALL, BESIDE, coverage
from icml2008.catalogue.entry import Entry
from icml2008.judge.totals import VERDICTS
from icml2008.report.lessons import (
    FORMS,
    KINDS,
    STANDINGS,
    Told,
    arithmetic,
    form,
    own_claims,
)
from icml2008.report.pages.page import Page
from icml2008.report.shares import MIN_PAPERS, Share, clearest, share_of
from icml2008.store import Shelf

Row = dict[str, Any]

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
# What stands in the way of a claim that is left open.
HINDRANCES = {
    None: "more repeats, or parts that are undecided",
    "repeats": "fewer than six repeats",
    "reading": "a reading of the text that was not tried, or leaves it open",
    "gauge": "a number that is not the method's and misses its print, too",
    "between": "a number between the line where it holds and that where it fails",
    "hedge": "a word by which the paper softens its sentence",
    "coarse": "a printed number that is too coarse to be confirmed",
    "search": "repeats that share one search for settings",
    "degenerate": "a rival that does not work",
    "cap": "runs that were broken off",
    "skew": "single printed runs beside skewed repeats",
    "failures": "trials that failed",
}
_EVIDENCE = {
    "spread": "a printed spread",
    "repeats": "a printed number of repeats",
    "tested": "a test or its significance",
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


def of_claims(claims: Sequence[Told]) -> Row:
    """Return what own claims show: how many hold, by what, and what choices do to them."""
    evidence = []
    for name, label in _EVIDENCE.items():
        labels = {"yes": f"Claims with {label}", "no": f"Claims without {label}"}
        evidence.append(_groups(claims, lambda claim, name=name: getattr(claim, name), labels))
    topics = {
        topic: topic.replace("-", " ").capitalize() for topic in sorted({c.topic for c in claims})
    }
    return {
        "overall": _overall(claims),
        "kinds": _groups(claims, lambda claim: claim.kind, KINDS),
        "standings": _groups(claims, lambda claim: claim.standing, STANDINGS),
        "topics": _groups(claims, lambda claim: claim.topic, topics),
        "evidence": {
            "rows": [row for group in evidence for row in group["rows"]],
            "sentence": " ".join(dict.fromkeys(group["sentence"] for group in evidence)),
        },
        "robust": _robust(claims),
        "choices": _choices(claims),
    }


# Shares of claims that hold.


def _overall(claims: Sequence[Told]) -> Row:
    counts = Counter(claim.verdict for claim in claims)
    share = _share(claims)
    taken = _count(len({claim.paper for claim in claims}), "paper")
    sentence = (
        f"{_count(len(claims), 'claim')} of {taken} {_were(len(claims))} taken up. "
        f"{share_text(share).capitalize()} of those that could be decided hold: "
        f"{counts['confirmed']} of {sum(share.decided)}{interval_text(share)}{_rest(counts)}."
        if share.papers
        else "No claim is decided yet."
    )
    hindrances = Counter(claim.hindrance for claim in claims if claim.verdict == "inconclusive")
    return {
        "counts": {word: counts[word] for word in VERDICTS},
        "misprints": sum(claim.misprint and claim.holds for claim in claims),
        "open": [
            {"why": why, "count": hindrances[name]}
            for name, why in HINDRANCES.items()
            if hindrances[name]
        ],
        "share": share.value if share.papers else None,
        "sentence": sentence,
        "papers": share.papers,
        "whole": _whole_papers(claims),
        "headlines": _whole_papers([claim for claim in claims if claim.standing == "headline"]),
    }


def _whole_papers(claims: Iterable[Told]) -> tuple[int, int]:
    """Return in how many papers every decided claim holds, and how many have a decided claim."""
    share = _share(claims)
    whole = sum(h == n for h, n in zip(share.held, share.decided, strict=True))
    return whole, share.papers


def _share(claims: Iterable[Told]) -> Share:
    return share_of((claim.paper, claim.holds) for claim in claims if claim.decided)


def _groups(
    claims: Sequence[Told], by: Callable[[Told], str | None], labels: Mapping[str, str]
) -> Row:
    """Return a row for each group that has a claim to decide, and what they show together."""
    shares = {}
    rows = []
    for key, label in labels.items():
        members = [claim for claim in claims if by(claim) == key]
        share = _share(members)
        undecided = sum(member.verdict == "inconclusive" for member in members)
        if share.papers or undecided:
            shares[label] = share
            rows.append(row(label, share, undecided))
    return {"rows": rows, "sentence": compared(shares, "hold")}


def row(label: str, share: Share, undecided: int = 0) -> Row:
    """Return a group as chart and table show it."""
    ends = share.interval()
    return {
        "label": label,
        "held": sum(share.held),
        "decided": sum(share.decided),
        "open": undecided,
        "papers": share.papers,
        "share": share.value if share.papers else None,
        "low": ends and ends[0],
        "high": ends and ends[1],
    }


def compared(groups: Mapping[str, Share], verb: str) -> str:
    """Return which group differs from the others for certain, that none does, or why none can.

    Examples
    --------
    >>> many = Share({str(paper): (9, 10) for paper in range(8)})
    >>> few = Share({str(paper): (2, 10) for paper in range(8)})
    >>> print(compared({"Orders": many, "Values": few}, "hold").replace("\xa0", " "))
    Orders hold more often than values: 90 % against 20 %, 70 points apart (95 % interval 53 to 82).
    """
    gap = clearest(groups)
    if gap is None:
        few = [name for name, share in groups.items() if share.papers < MIN_PAPERS]
        if len(groups) == 2 and len(few) == 1:
            papers = _count(groups[few[0]].papers, "paper")
            return f"{few[0]} come from {papers}, too few to compare."
        return "No two groups come from enough papers to compare: the counts speak of single ones."
    more = gap.value > 0
    low, high = (gap.low, gap.high) if more else (-gap.high, -gap.low)
    corrected = f", corrected for {gap.compared} comparisons" if gap.compared > 1 else ""
    numbers = (
        f"{percent(gap.share.value)} against {percent(gap.others.value)}, "
        f"{points(abs(gap.value))} points apart "
        f"(95\N{NO-BREAK SPACE}% interval {points(low)} to {points(high)}{corrected})"
    )
    two = len(groups) == 2
    rest = _lower(next(name for name in groups if name != gap.group)) if two else "the others"
    if gap.shown:
        return f"{gap.group} {verb} {'more' if more else 'less'} often than {rest}: {numbers}."
    if two:
        return f"{gap.group} and {rest} do not differ by more than papers vary: {numbers}."
    return (
        "No group differs from the others by more than papers vary. Furthest from them: "
        f"{_lower(gap.group)}, {numbers}."
    )


# Choices.


def _robust(claims: Sequence[Told]) -> Row:
    tried = [claim for claim in claims if claim.decided and claim.robustness]
    words = ("robust", "turns on")
    counts = Counter(claim.robustness for claim in tried)
    few = sum(claim.decided for claim in claims) - len(tried)
    share = _turned(tried)
    by_verdict = {
        label: _turned([claim for claim in tried if claim.verdict == verdict])
        for verdict, label in (("confirmed", "Claims that hold"), ("refuted", "Claims that do not"))
    }
    sentence = "No decided claim was tried under three choices yet, and none turns on one."
    if tried:
        sentence = (
            f"{share_text(share).capitalize()} of the decided claims that turn on a choice, or "
            f"were tried under at least three on each part, turn: {sum(share.held)} of "
            f"{len(tried)}{interval_text(share)}. {compared(by_verdict, 'turn')}"
        )
    return {
        "counts": {word: counts[word] for word in words},
        "few": few,
        "sentence": sentence,
        "rows": [row(label, share) for label, share in by_verdict.items() if share.papers],
    }


def _turned(claims: Iterable[Told]) -> Share:
    return share_of((claim.paper, bool(claim.turned_by)) for claim in claims)


def _choices(claims: Sequence[Told]) -> Row:
    """Return the choices that were tried on a decided claim, by what they leave open."""
    pairs: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for claim in claims:
        if claim.decided:
            for name in claim.tried:
                pairs[claim.paper, name].append(name in claim.turned_by)
    by_form: dict[str, list[tuple[str, bool]]] = {name: [] for name in FORMS}
    turning = []
    for (key, name), turned in pairs.items():
        choice = Entry(key).choices.get(name)
        if choice is None:
            continue
        by_form[form(choice)].append((key, any(turned)))
        if any(turned):
            turning.append(
                {
                    "paper": key,
                    "title": Entry(key).paper.title,
                    "question": choice.question,
                    "turned": sum(turned),
                    "tried": len(turned),
                }
            )
    shares = {FORMS[name]: share_of(choices) for name, choices in by_form.items() if choices}
    tried = sum(len(choices) for choices in by_form.values())
    sentence = "No choice was tried on a decided claim yet."
    if tried:
        sentence = (
            f"Of {_count(tried, 'choice')} that were tried on a decided claim, "
            f"{len(turning) or 'none'} {'turns' if len(turning) == 1 else 'turn'} at least one. "
            + compared(shares, "turn a claim")
        )
    return {
        "sentence": sentence,
        "rows": [row(label, share) for label, share in shares.items()],
        "turning": sorted(
            turning, key=lambda entry: (-entry["turned"], entry["paper"], entry["question"])
        ),
    }


def _of_arithmetic(tally: Mapping[str, Any]) -> Row:
    """Return what other arithmetics did, and the sentence that says it."""
    if not tally["papers"]:
        return {**tally, "sentence": "No other arithmetic was tried yet."}
    flipped = tally["flipped"]
    others = _count(len(tally["names"]), "other arithmetic")
    depend = "depends" if flipped == 1 else "depend"
    sentence = (
        f"{str(flipped) if flipped else 'None'} of {tally['verdicts']:,} verdicts on claims and "
        f"their parts {depend} on how a processor rounds: {_count(tally['papers'], 'paper')} ran "
        f"again under up to {others} (scale {' or '.join(tally['scales'])}), and {tally['moved']} "
        f"of {tally['means']:,} means moved by more than their resolution."
    )
    return {**tally, "sentence": sentence}


def _of_reruns(tally: Mapping[str, Any]) -> Row:
    """Return who ran papers again, and the sentence that says what came of it."""
    if not tally["rows"]:
        return {**tally, "sentence": "Nobody has handed in a run of their own yet."}
    sentence = (
        f"{_count(tally['papers'], 'paper')} ran again on {_count(len(tally['rows']), 'machine')} "
        f"of others: {tally['same']} with the same numbers everywhere, {tally['wrong']} with a "
        "number that moved, a verdict that flipped or a result that was missing anywhere."
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
            f"{sum(every.held)} of {_count(every.papers, 'paper')} whose numbers could be checked "
            f"print at least one that cannot be right as it stands, or a sentence that says more "
            f"than its table ({percent(every.value)}{interval_text(every, ', ', '')}): "
            f"{entries[IMPOSSIBLE]} impossible and {entries[OVERSTATED]} overstated of "
            f"{_count(len(findings), 'entry', 'entries')}."
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


# Words and numbers.


def percent(share: float) -> str:
    """Return a share in whole percent; none is rounded to all or nothing."""
    shown = round(100 * share)
    shown = min(shown, 99) if share < 1 else shown
    return f"{max(shown, 1) if share > 0 else shown}\N{NO-BREAK SPACE}%"


def points(difference: float) -> str:
    """Return a difference of shares in whole points."""
    return f"{round(100 * difference)}".replace("-", "\N{MINUS SIGN}")


def share_text(share: Share) -> str:
    """Return a share as a number in words would stand in a sentence."""
    return {0.0: "none", 1.0: "all"}.get(share.value) or percent(share.value)


def interval_text(share: Share, before: str = " (", after: str = ")") -> str:
    """Return the interval over papers in brackets; that there is none where they are too few."""
    ends = share.interval()
    if ends is None:
        return f"{before}of {_count(share.papers, 'paper')}, too few for an interval{after}"
    low, high = (round(100 * end) for end in ends)
    return f"{before}95\N{NO-BREAK SPACE}% interval over papers {low} to {high}{after}"


def _count(number: int, noun: str, several: str = "") -> str:
    return f"{number:,} {noun if number == 1 else several or f'{noun}s'}"


def _rest(counts: Mapping[str, int]) -> str:
    """Return what became of the decided claims that do not simply hold."""
    hang = counts["depends"]
    fail = counts["refuted"]
    parts = [f"{hang} {'hangs' if hang == 1 else 'hang'} on how the paper is read"] if hang else []
    parts += [f"{fail} {'does' if fail == 1 else 'do'} not under any reading tried"] if fail else []
    return f"; {', '.join(parts)}" if parts else ""


def _were(number: int) -> str:
    return "was" if number == 1 else "were"


def _lower(label: str) -> str:
    return label[:1].lower() + label[1:]
