"""Which claims hold, by what they rest on, and what choices do to them."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.judge.totals import VERDICTS
from icml2008.report.in_sentences import (
    compared,
    interval_text,
    of_kind,
    rest_of,
    row,
    share_text,
    were,
)
from icml2008.report.lessons import FORMS, KINDS, STANDINGS, Told, form
from icml2008.report.shares import Share, share_of

Row = dict[str, Any]

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


def _overall(claims: Sequence[Told]) -> Row:
    counts = Counter(claim.verdict for claim in claims)
    share = _share(claims)
    taken = of_kind(len({claim.paper for claim in claims}), "paper")
    sentence = (
        f"{of_kind(len(claims), 'claim')} of {taken} {were(len(claims))} taken up. "
        f"{share_text(share).capitalize()} of those that could be decided hold: "
        f"{counts['confirmed']} of {sum(share.decided)}{interval_text(share)}{rest_of(counts)}."
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
            f"Of {of_kind(tried, 'choice')} that were tried on a decided claim, "
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
