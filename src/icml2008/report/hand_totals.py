"""How far two hands agree: counts, kappa, causes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict

from icml2008.catalogue.second import CAUSES, FOUND
from icml2008.report.hand_pairs import MOMENTS, Pair, Row
from icml2008.report.kappa import Agreement, agreement
from icml2008.report.lessons import KINDS
from icml2008.report.shares import share_of

STANDINGS = {
    "agree": "both hands say the same",
    "decided": "they differ, and the paper's text or print decides why",
    "open": "they differ, and nothing decides it",
}


def agreed(pairs: Iterable[Pair], moment: str) -> Agreement:
    """Return how far the two hands agree at a moment, one of `MOMENTS`."""
    judged = [(pair.paper, pair.theirs, ours) for pair in pairs if (ours := getattr(pair, moment))]
    return agreement(judged, FOUND)


def summary(pairs: Sequence[Pair]) -> Row:
    """Return what pairs show together, as plain data.

    Returns
    -------
    dict
        ``all``, ``kinds`` and ``papers``: rows with ``name`` and the agreement ``first`` and
        ``now``, with the number of ``opposite`` verdicts; ``sentences``: how many there are;
        ``standing``: how many agree, are decided by the text, and are open, with the share of the
        first two and its interval over papers, ``low`` and ``high``;
        ``crossed``: counts at first and now, by our word and theirs;
        ``causes``: differences at first and now, by cause; ``numbers``: how many were compared,
        and those apart by more than noise; ``differences``: each sentence on which the two differ
        or differed.
    """
    numbers = [(pair, number) for pair in pairs for number in pair.numbers]
    differences = [pair for pair in pairs if any(map(pair.differs, MOMENTS))]
    return {
        "all": _row("all", pairs),
        "kinds": [
            _row(KINDS[name], members)
            for name in KINDS
            if (members := [pair for pair in pairs if pair.kind == name])
        ],
        "papers": [
            _row(key, [pair for pair in pairs if pair.paper == key])
            for key in dict.fromkeys(pair.paper for pair in pairs)
        ],
        "sentences": len(pairs),
        "standing": standing(pairs),
        "crossed": {moment: crossed(pairs, moment) for moment in MOMENTS},
        "causes": _causes(differences),
        "numbers": {
            "compared": len(numbers),
            "apart": [
                {"paper": pair.paper, "sentence": pair.name, **asdict(number)}
                | {"apart": number.apart}
                for pair, number in numbers
                if number.differ
            ],
        },
        "differences": [pair.to_json() for pair in differences],
    }


def standing(pairs: Iterable[Pair]) -> Row:
    """Return what is left of the sentences today: counts, the settled share, and its interval.

    The interval is over papers, as sentences of one paper are not independent.
    """
    judged = [pair for pair in pairs if pair.standing is not None]
    counts = Counter(pair.standing for pair in judged)
    settled = share_of((pair.paper, pair.standing != "open") for pair in judged)
    ends = settled.interval() or (None, None)
    return {
        **{name: counts[name] for name in STANDINGS},
        "share": settled.value if judged else None,
        "low": ends[0],
        "high": ends[1],
    }


def crossed(pairs: Iterable[Pair], moment: str) -> dict[str, dict[str, int]]:
    """Return how often the second hand found each word where we found one, by ours, then theirs."""
    counts = Counter((getattr(pair, moment), pair.theirs) for pair in pairs)
    return {ours: {theirs: counts[ours, theirs] for theirs in FOUND} for ours in FOUND}


def _row(name: str, pairs: Sequence[Pair]) -> Row:
    row = {"name": name}
    for moment in MOMENTS:
        comparison = agreed(pairs, moment)
        opposite = sum(pair.opposite(moment) for pair in pairs)
        row[moment] = asdict(comparison) | {"share": comparison.share, "opposite": opposite}
    return row | {"standing": standing(pairs)}


def _causes(differences: Sequence[Pair]) -> list[Row]:
    counts = {
        moment: Counter(pair.cause for pair in differences if pair.differs(moment))
        for moment in MOMENTS
    }
    words = CAUSES | {None: "no cause is given yet"}
    return [
        {"cause": cause, "about": words[cause]}
        | {moment: counts[moment][cause] for moment in MOMENTS}
        for cause in words
        if any(counts[moment][cause] for moment in MOMENTS)
    ]
