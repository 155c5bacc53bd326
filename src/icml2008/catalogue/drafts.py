"""A planned paper's file on its way to a re-run one: experiments as facts, claims as drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from icml2008.catalogue.model import Paper
from icml2008.catalogue.spoken import sentence_for
from icml2008.judge.claims import Claim
from icml2008.judge.measures import METHOD
from icml2008.judge.printed import PrintedError, leaves, parse

# The words by which a claim says what is measured, the metric's name, and which way is better.
MEASURES = (
    (r"accurac|correct|\bright\b", "accuracy", "higher"),
    (r"squared (\w+ )?error|\bR?MSE\b", "squared_error", "lower"),
    (r"\berr", "error", "lower"),
    (r"likelihood", "log_likelihood", "higher"),
    (r"\bAUC\b", "auc", "higher"),
    (r"regret", "regret", "lower"),
    (r"reward", "reward", "higher"),
    (r"\bloss", "loss", "lower"),
    (r"seconds|minutes|hours|\btime|fast|slow|speed", "work", "lower"),
)
SHARES = ("accuracy", "error", "auc")
VIOLATION = "violation"
ANY = "measured"
BETTER = {name: better for _, name, better in MEASURES} | {VIOLATION: "lower", ANY: "neither"}

ABOUT_METRICS = """\
  # As far as the words of the claims go: mend name, unit, bounds and what is better.
"""
ABOUT_EXPERIMENTS = """\
  # How repeats differ (resampling): fresh data, fixed data and split, resplit, or folds.
"""
ABOUT_DRAFTS = """\
  # What is commented out below a claim is a draft of how it could be judged: a sentence, and whose
  # claim it is (headline, supporting, ours, stand_in) with its quote. Mend it, and take the claim
  # out of `planned`.
"""


@dataclass(frozen=True)
class Draft:
    """What a paper's card yields.

    Attributes
    ----------
    text : str
        The file, rewritten.
    methods : list of str
        Names of the methods, as the printed numbers call them.
    metrics : dict of str to list of str
        The metrics of each experiment.
    judged, listed : list of str
        Claims that have a statistic now, and those that wait in ``planned``.
    """

    text: str
    methods: list[str]
    metrics: dict[str, list[str]]
    judged: list[str]
    listed: list[str]


def draft(text: str, paper: Paper, chosen: Sequence[str]) -> Draft:
    """Rewrite a planned paper's file: its experiments become facts, its claims drafts.

    A claim that prints one number for each of several methods is judged by them; what else is
    compared does not follow from a card, so that all others stay listed.

    Parameters
    ----------
    text : str
        Of ``paper.yaml``, each key on a line of its own.
    paper : Paper
        What the text says.
    chosen : list of str
        The planned experiments that are moved; the others stay as they are.
    """
    home = {claim: at for at in chosen for claim in paper.planned[at].claims}
    judged, methods = _judged_by_numbers(paper, home)
    metric = {name: _metric(paper.claims[name]) for name in home}
    blocks = {"": re.match(r"(#.*\n|\s*\n)*", text)[0], **dict(_keys(text, indent=0))}
    waiting, facts = _experiments(blocks.pop("planned"), paper, chosen, judged)
    claims = [
        _claim(entry, paper.claims[name], home[name], metric[name], methods, name in judged)
        if name in home
        else entry
        for name, entry in _keys(blocks.pop("claims"), indent=2)
    ]
    listed = [name for name in paper.claims if name not in judged]
    metrics = "".join(
        f"  {name}: {_flow(_facts(name, paper, metric, judged))}\n"
        for name in dict.fromkeys(metric.values())
    )
    last = [blocks.pop(key) for key in ("gaps", "notes", "errata", "audit") if key in blocks]
    new = [
        f"planned:\n{waiting}" if waiting else "",
        f"metrics:\n{ABOUT_METRICS}{metrics}",
        f"experiments:\n{ABOUT_EXPERIMENTS}{facts}",
        f"claims:\n{ABOUT_DRAFTS if listed else ''}{''.join(claims)}",
    ]
    new = [f"{block.rstrip()}\n\n" for block in new if block]
    return Draft(
        "".join([*blocks.values(), *new, *last]).rstrip() + "\n",
        methods,
        {
            name: list(dict.fromkeys(metric[claim] for claim in paper.planned[name].claims))
            for name in chosen
        },
        judged,
        listed,
    )


def _keys(text: str, indent: int) -> Iterator[tuple[str, str]]:
    """Yield each key of a block of YAML at an indentation, and its lines."""
    for entry in re.split(rf"(?m)^(?= {{{indent}}}[^\s#-])", text):
        key, colon, _ = entry.partition(":")
        if colon and re.match(rf" {{{indent}}}[^\s#]", key):
            yield key.strip().strip("\"'"), entry


def _flow(value: Any, width: int = 90) -> str:
    """Return a value as YAML in a line, or in a few with the same indentation."""
    text = yaml.safe_dump(
        value, default_flow_style=True, width=width, sort_keys=False, allow_unicode=True
    )
    return text.strip().replace("\n", "\n      ")


def _judged_by_numbers(paper: Paper, home: Mapping[str, str]) -> tuple[list[str], list[str]]:
    """Return the claims whose printed numbers are of methods, and the names of all methods."""
    names = {method: method for method in paper.methods}
    judged = []
    fixed = {}
    for name, at in home.items():
        claim = paper.claims[name]
        if claim.kind != "value" or claim.page is None or not _are_numbers(claim.printed):
            continue
        if len(paper.planned[at].data) > 1:  # the card does not say of which the numbers are
            continue
        meant = {key: _called(key, paper.methods) for key in claim.printed}
        told_apart = len({*meant.values()} - {None}) == len(meant)
        if told_apart and all(fixed.get(method, key) == key for key, method in meant.items()):
            fixed |= {method: key for key, method in meant.items()}
            judged.append(name)
    return judged, list({**names, **fixed}.values()) or ["method"]


def _are_numbers(printed: Any) -> bool:
    if not isinstance(printed, Mapping):
        return False
    try:
        numbers = [parse(text) for text in printed.values()]
    except (PrintedError, TypeError):
        return False
    return all(
        number.value is not None and not number.bound and not number.unit for number in numbers
    )


def _called(key: str, methods: Sequence[str]) -> str | None:
    """Return the only method that is called so, in whole words; None if it is not one."""
    matches = [m for m in methods if m == key] or [m for m in methods if _mentions(m, key)]
    return matches[0] if len(matches) == 1 else None


def _mentions(text: str, name: str) -> re.Match[str] | None:
    return re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", text)


def _metric(claim: Claim) -> str:
    if claim.kind == "invariant":
        return VIOLATION
    names = (name for words, name, _ in MEASURES if re.search(words, claim.says))
    return next(names, ANY)


def _facts(
    metric: str, paper: Paper, metrics: Mapping[str, str], judged: Sequence[str]
) -> dict[str, Any]:
    """Return what is known of a metric, with its bounds if printed numbers show what it is of."""
    printed = [
        parse(text).value
        for name in judged
        if metrics[name] == metric
        for text in leaves(paper.claims[name].printed)
    ]
    unit, bounds = ("share", [0, 1]) if max(printed, default=0) <= 1 else ("percent", [0, 100])
    if metric in SHARES and printed and all(bounds[0] <= value <= bounds[1] for value in printed):
        return {"unit": unit, "bounds": bounds, "better": BETTER[metric]}
    return {"unit": "as printed", "better": BETTER[metric]}


def _experiments(
    block: str, paper: Paper, chosen: Sequence[str], judged: Sequence[str]
) -> tuple[str, str]:
    """Return what still waits of the planned experiments, and the facts of those chosen."""
    waiting = facts = ""
    for name, entry in _keys(block, indent=2):
        if name not in chosen:
            waiting += entry.rstrip() + "\n"
            continue
        planned = paper.planned[name]
        fields = dict(_keys(entry, indent=4))
        head = entry.partition("\n")[0] + "\n"
        generated = all(paper.data[dataset].access == "generated" for dataset in planned.data)
        facts += head
        facts += f"    feeds: {_flow(re.split(r', (?=[A-Z])', planned.where))}\n"
        facts += f"    resampling: {{kind: {'fresh' if generated else 'fixed'}}}\n"
        facts += fields["protocol"].rstrip("\n") + "\n"
        if left := [claim for claim in planned.claims if claim not in judged]:
            kept = "".join(fields[field] for field in ("where", "data"))
            waiting += f"{head}{kept}    protocol: As the experiment.\n{fields['compute']}"
            waiting = f"{waiting.rstrip()}\n    claims: {_flow(left)}\n"
    return waiting, facts


def _claim(
    entry: str, claim: Claim, experiment: str, metric: str, methods: Sequence[str], judged: bool
) -> str:
    """Return a claim's entry with its statistic, or with a draft of it in comments."""
    if judged:
        fields = dict(_keys(entry, indent=4))
        numbers = fields["printed"].replace("printed:", "near:", 1)
        statistic = {"mean": METHOD, "metric": metric, "experiment": experiment}
        full = {"statistic": statistic, "each": {"method": list(claim.printed)}, "near": {}}
        sentence = (
            '    supporting: "..."  # or headline; its words, fewer than 20\n'
            f"    that: {sentence_for(full, BETTER)}\n"
        )
        return entry.replace(fields["printed"], sentence + numbers)
    first, second = _compared(claim.says, methods)
    full = {
        "order": {"statistic": {"difference": [first, second]}, "above": "0"},
        "trend": {"statistic": {"slope": first, "along": "COORDINATE"}, "above": "0"},
        "invariant": {
            "statistic": {"mean": first},
            "never_violated": {"instances": 100, "tolerance": "1e-9"},
        },
        "value": {"statistic": {"mean": first}, "near": "PRINTED"},
    }[claim.kind or "value"]
    full["statistic"] |= {"metric": metric, "experiment": experiment}
    head = "    # supporting: ...\n"
    return f"{entry.rstrip()}\n{head}    # that: {sentence_for(full, BETTER)}\n"


def _compared(says: str, methods: Sequence[str]) -> tuple[str, str]:
    """Return two methods that a claim speaks of, the second of them after its "than"."""
    places = {name: mention.start() for name in methods if (mention := _mentions(says, name))}
    named = sorted(places, key=places.get)
    first, *others = dict.fromkeys([*named, *methods, "RIVAL"])
    than = says.find(" than ")
    return first, next((name for name in named[1:] if 0 <= than < places[name]), others[0])
