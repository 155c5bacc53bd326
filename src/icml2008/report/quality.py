"""What is wrong or weak in results, by severity, each with its address and what would settle it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from icml2008.harness.choices import DEFAULT
from icml2008.judge.outside import Outside
from icml2008.judge.reasons import outlook
from icml2008.judge.verdict import INCONCLUSIVE, UNTESTED, number
from icml2008.report.problems import Problem
from icml2008.report.results import Verdict

# The gravest first: what makes results wrong; what puts them in doubt; what they cannot say.
SEVERITIES = {
    "error": ("Errors", "results are wrong or not there"),
    "warning": ("Warnings", "results are in doubt"),
    "note": ("Notes", "results do not suffice to say"),
}
# By kind the severity, and what it is called.
KINDS = {
    "failed": ("error", "job failed"),
    "corrupt": ("error", "data are corrupt"),
    "missing": ("error", "results are missing"),
    "bounds": ("error", "beyond the metric's bounds"),
    "changed": ("error", "not as in the reference"),
    "floor": ("warning", "below the floor"),
    "ceiling": ("warning", "above the ceiling"),
    "stale": ("warning", "stale"),
    "untried": ("warning", "never run"),
    "failures": ("warning", "trials failed"),
    "data": ("warning", "data not available"),
    "coarse": ("note", "too coarse to judge"),
    "underpowered": ("note", "underpowered"),
    "untested": ("note", "untested"),
}
# Of the problems of a run: which kind of flaw they are, and what settles it.
_RUN_AGAIN = "the same run, once the cause is mended"
_COPIES = "a good copy, in ICML2008_MIRROR"
_CHANGED = "a change that explains it, or new evidence"
_OF_PROBLEMS = {
    "job": ("failed", _RUN_AGAIN),
    "corrupt": ("corrupt", _COPIES),
    "unavailable": ("data", _COPIES),
    "missing": ("missing", _RUN_AGAIN),
    "unchecked": ("missing", _RUN_AGAIN),
    "flipped": ("changed", _CHANGED),
    "moved": ("changed", _CHANGED),
}


@dataclass(frozen=True)
class Flaw:
    """One thing that is wrong with results, or that they leave open.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    paper : str
        Its key; empty if it is about none or several.
    where : str
        The claim, with its part in brackets; or the experiment, with its cell.
    what : str
        What was found.
    settles : str
        What would settle it; empty where nothing is known to.
    claim : str
        The claim that it is about, if it is about one.
    """

    kind: str
    paper: str
    where: str
    what: str
    settles: str = ""
    claim: str = ""

    @property
    def severity(self) -> str:
        """How grave it is, one of `SEVERITIES`."""
        return KINDS[self.kind][0]

    @property
    def label(self) -> str:
        """Its kind in words."""
        return KINDS[self.kind][1]

    def to_json(self) -> dict[str, Any]:
        """Return it as plain data, severity included."""
        return {"severity": self.severity, **asdict(self)}


def flaws_of(
    key: str,
    verdicts: Sequence[Verdict],
    *,
    outside: Iterable[Outside] = (),
    stale: Iterable[str] = (),
    missing: Iterable[str] = (),
    untried: Iterable[str] = (),
) -> list[Flaw]:
    """Return what is wrong with the results of a paper, the gravest first.

    Parameters
    ----------
    key : str
    verdicts : sequence of mapping
        Those of the default universe count.
    outside : iterable of Outside
        Results beyond bounds, floors and ceilings.
    stale : iterable of str
        What changed since the evidence was made, ``experiment: what``.
    missing : iterable of str
        Records that should be there.
    untried : iterable of str
        Universes that the paper declares and that have no verdicts.
    """
    flaws = [
        Flaw("missing", key, "records", what, f"snakemake --cores all {key}") for what in missing
    ]
    flaws += [_of_outside(key, case) for case in outside]
    for line in stale:
        experiment, _, change = line.partition(": ")
        again = "run it at full scale, or icml2008 renew if its bytes stay the same"
        flaws.append(Flaw("stale", key, experiment, change, again))
    for universe in untried:
        again = f"snakemake --cores all {key} --config scale=full multiverse={key}"
        flaws.append(Flaw("untried", key, universe, "an alternative that is declared", again))
    with_parts = {row["claim"] for row in verdicts if row["part"]}
    for row in verdicts:
        single = row["part"] or row["claim"] not in with_parts
        if single and row.get("universe", DEFAULT) == DEFAULT:
            flaws += _of_verdict(key, row)
    return by_severity(flaws)


def _of_outside(key: str, case: Outside) -> Flaw:
    where = f"{case.experiment}[{case.cell}]" if case.cell else case.experiment
    result = f"{case.method}, {case.metric} {number(case.value)}"
    if case.side == "bounds":
        what = f"{result} is beyond {case.control}"
        settles = "correct the experiment or the bounds"
    else:
        # A constant is its own number; a method has one of its own.
        against = number(case.limit)
        against += "" if case.control == f"{case.limit:g}" else f" ({case.control})"
        what = f"{result} against {against}, {case.n} repeats"
        settles = "a look at method and protocol"
    return Flaw(case.side, key, where, what, settles)


def _of_verdict(key: str, row: Verdict) -> Iterator[Flaw]:
    claim = row["claim"]
    address = {"paper": key, "claim": claim}
    address["where"] = f"{claim}[{row['part']}]" if row["part"] else claim
    if failed := row.get("failed"):
        yield Flaw("failures", what=f"{failed} of {failed + (row['n'] or 0)} trials", **address)
    if row["verdict"] == UNTESTED:
        yield Flaw("untested", what=row["reason"].removesuffix("."), **address)
    elif row["verdict"] == INCONCLUSIVE and row.get("hindrance") == "coarse":
        settles = "a printed gap, or a spread over whole runs"
        yield Flaw(
            "coarse", what=f"tolerance {number(row['tolerance'])}", settles=settles, **address
        )
    elif row["verdict"] == INCONCLUSIVE and row.get("hindrance") in (None, "repeats"):
        seen, _, _ = outlook(row).partition(";")
        needed = row.get("repeats_needed")
        what = ", ".join(filter(None, [row["n"] and f"{row['n']} repeats", seen]))
        settles = f"about {needed} repeats" if needed else ""
        yield Flaw("underpowered", what=what or row["reason"], settles=settles, **address)


def of_problem(problem: Problem) -> Flaw:
    """Return a problem of a run as a flaw of its results."""
    kind, settles = _OF_PROBLEMS[problem.kind]
    return Flaw(kind, problem.paper, "this run", problem.what, settles)


def by_severity(flaws: Iterable[Flaw]) -> list[Flaw]:
    """Return flaws by severity and kind, otherwise in their order."""
    order = list(KINDS)
    return sorted(flaws, key=lambda flaw: order.index(flaw.kind))


def count(flaws: Iterable[Flaw]) -> dict[str, int]:
    """Return how many flaws there are of each severity."""
    counts = Counter(flaw.severity for flaw in flaws)
    return {severity: counts[severity] for severity in SEVERITIES}


def in_words(counts: Mapping[str, int]) -> str:
    """Return counts by severity in words.

    Examples
    --------
    >>> in_words({"error": 0, "warning": 1, "note": 12})
    '0 errors, 1 warning, 12 notes'
    """
    return ", ".join(f"{n} {name}{'' if n == 1 else 's'}" for name, n in counts.items())


def grouped(flaws: Sequence[Flaw]) -> dict[str, dict[str, list[Flaw]]]:
    """Return flaws by severity, the gravest first, then by paper, in their order."""
    groups: dict[str, dict[str, list[Flaw]]] = {}
    for severity in SEVERITIES:
        for flaw in flaws:
            if flaw.severity == severity:
                groups.setdefault(severity, {}).setdefault(flaw.paper, []).append(flaw)
    return groups
