"""What a second hand found, beside ours: on a paper's page, a claim's, and on one of all papers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.catalogue.second import CAUSES, Measured
from icml2008.judge.cells import part_label
from icml2008.report.hand_pairs import MOMENTS, Pair, pairs_of, read_pairs
from icml2008.report.hand_totals import summary
from icml2008.report.in_sentences import percent
from icml2008.report.pages.page import Page
from icml2008.report.results import PaperResults
from icml2008.store import Shelf

Row = dict[str, Any]

_MOMENTS = {"first": "at first", "now": "by today's verdicts"}
# What the style sheet calls the words of a second hand.
_TONES = {"holds": "confirmed", "fails": "refuted", "depends": "depends", "open": "inconclusive"}


def hands_page(shelves: Iterable[Shelf], **more: Any) -> Page:
    """Return how far two hands agree and what became of each difference, ``hands.html``.

    Parameters
    ----------
    shelves : iterable of Shelf
        The evidence; of papers without a second hand it is left out.
    **more
        What the page is given besides: `health`.
    """
    pairs = read_pairs(shelves)
    agreement = summary(pairs)
    papers = list(dict.fromkeys(pair.paper for pair in pairs))
    content = {
        **agreement,
        "lead": lead(agreement),
        "reliability": reliability(agreement),
        "titles": {key: Entry(key).head.title for key in papers},
        "rows": [sentence_row(pair) for pair in pairs if any(map(pair.differs, MOMENTS))],
    }
    return Page("hands.html", "pages/hands.html", content | more)


def lead(agreement: Mapping[str, Any]) -> str:
    """Return in words how far the two hands agree, by a `summary`; empty if nothing compares.

    Examples
    --------
    >>> judged = {"sentences": 8, "papers": 7, "share": 0.75, "kappa": 0.52, "opposite": 1}
    >>> first = judged | {"low": 0.3, "high": 0.7}
    >>> print(lead({"all": {"first": first, "now": judged | {"low": None}}}).replace("\xa0", " "))
    Of 8 sentences of 7 papers that both hands judged at first, 75 % came out alike and 1 with
    opposite verdicts: Cohen's kappa 0.52 (95 % interval over papers 0.30 to 0.70). Of 8 by
    today's verdicts, 75 % do and 1 with opposite verdicts: Cohen's kappa 0.52.
    """
    texts = []
    for moment, words in _MOMENTS.items():
        judged = agreement["all"][moment]
        if not judged["sentences"]:
            continue
        kappa = "" if judged["kappa"] is None else f": Cohen's kappa {judged['kappa']:.2f}"
        if judged["low"] is not None:
            ends = f"{judged['low']:.2f} to {judged['high']:.2f}"
            kappa += f" (95\N{NO-BREAK SPACE}% interval over papers {ends})"
        papers = f"{judged['papers']} paper{'' if judged['papers'] == 1 else 's'}"
        what = words if texts else f"sentences of {papers} that both hands judged {words}"
        verb = "do" if texts else "came out alike"
        alike = f"{percent(judged['share'])} {verb} and {judged['opposite'] or 'none'}"
        texts.append(f"Of {judged['sentences']} {what}, {alike} with opposite verdicts{kappa}.")
    return " ".join(texts)


def reliability(agreement: Mapping[str, Any]) -> str:
    """Return in words how often the second hand found what we had, by a `summary`.

    Examples
    --------
    >>> crossed = {"holds": {"holds": 8, "fails": 1, "depends": 1, "open": 0}}
    >>> crossed |= {"fails": {"holds": 0, "fails": 3, "depends": 2, "open": 0}}
    >>> print(reliability({"crossed": {"first": crossed}}))
    Where our first verdict was that a sentence holds, a second hand found the same in 8 of 10
    cases and the opposite in 1; where it was that one fails, in 3 of 5 and the opposite in 0.
    """
    counts = agreement["crossed"]["first"]
    held, failed = (sum(counts[word].values()) for word in ("holds", "fails"))
    if not (held and failed):
        return ""
    return (
        "Where our first verdict was that a sentence holds, a second hand found the same in "
        f"{counts['holds']['holds']} of {held} cases and the opposite in "
        f"{counts['holds']['fails']}; where it was that one fails, in {counts['fails']['fails']} "
        f"of {failed} and the opposite in {counts['fails']['holds']}."
    )


def reliability_of(shelves: Iterable[Shelf]) -> str:
    """Return the measured reliability of verdicts on papers, in words; empty without any."""
    agreement = summary(read_pairs(shelves))
    return f"{lead(agreement)} {reliability(agreement)}".strip()


def beside(results: PaperResults) -> list[Row]:
    """Return the second hands on a paper as its page shows them."""
    rows = []
    for name, hand in results.hands.items():
        pairs = pairs_of(results.paper, name, hand, results.shown())
        rows.append(
            {
                "by": hand.by,
                "limits": hand.limits,
                "readings": hand.readings,
                "sentences": [sentence_row(pair) for pair in pairs],
                "agreement": lead(summary(pairs)),
            }
        )
    return rows


def of_claim(hands: Iterable[Mapping[str, Any]], claim: str) -> list[Row]:
    """Return the sentences of second hands that a claim judges, with `by` of their hand."""
    return [
        row | {"by": hand["by"]}
        for hand in hands
        for row in hand["sentences"]
        if claim in [name for name, *_ in row["claims"]]
    ]


def sentence_row(pair: Pair) -> Row:
    """Return a sentence of a second hand as pages show it."""
    sentence = pair.sentence
    return {
        **pair.to_json(),
        "quote": sentence.quote,
        "under": sentence.under,
        "printed": sentence.printed,
        "measured": "; ".join(map(number_text, sentence.measured)),
        "tone": _TONES[pair.theirs],
        "tones": {moment: _TONES.get(getattr(pair, moment)) for moment in MOMENTS},
        "differs": any(map(pair.differs, MOMENTS)),
        "claims": _claims(pair),
        "cause": CAUSES.get(pair.cause, ""),
    }


def _claims(pair: Pair) -> Sequence[tuple[str, str, str]]:
    """Return the claims of a sentence: name, address, and the parts that are meant, if not all."""
    parts: dict[str, list[str]] = {}
    for name in pair.sentence.claims:
        claim, _, part = name.partition(" / ")
        parts.setdefault(claim, []).append(part_label(part))
    return [
        (
            claim,
            f"{pair.paper}.html#{claim}" if claim in pair.listed else f"{pair.paper}/{claim}.html",
            "; ".join(filter(None, labels)),
        )
        for claim, labels in parts.items()
    ]


def number_text(number: Measured) -> str:
    """Return a measured number with its standard error and repeats.

    Examples
    --------
    >>> number_text(Measured(what="ratio", value="1.78", se="0.02", repeats=100))
    'ratio 1.78 (standard error 0.02, 100 repeats)'
    """
    notes = [
        f"standard error {number.se}" if number.se else "",
        f"{number.repeats} repeats" if number.repeats else "",
    ]
    about = ", ".join(filter(None, notes))
    return f"{number.what} {number.value}" + (f" ({about})" if about else "")
