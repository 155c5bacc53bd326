"""Choices that turn a claim, and what that makes of the claim."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from scipy.stats import binomtest

from .combined import bootstrap_of, holm
from .decide import MIN_REPEATS, TAIL
from .estimates import EQUAL, Array, mean_of
from .evidence import Evidence
from .verdict import CONFIRMED, REFUTED, UNTESTED, Verdict

Judged = Verdict | Sequence[Verdict]


# So many choices are tried on each decided part before a claim is called robust.
MIN_CHOICES = 3


@dataclass(frozen=True)
class Robustness:
    """What the choices do to a claim.

    Attributes
    ----------
    tried : tuple of str
        The choices that count.
    turned_by : tuple of str
        Those of them that turn it, and sets of choices, joined by ``+``, that turn it together
        where none of them does alone.
    fewest : int or None
        How many were tried on the decided part on which the fewest were; of a claim without parts,
        all that count.
    """

    tried: tuple[str, ...] = ()
    turned_by: tuple[str, ...] = ()
    fewest: int | None = None

    @property
    def word(self) -> str | None:
        """``turns on: ...`` for one choice or more; ``robust`` for none of three or more."""
        if self.turned_by:
            return f"turns on: {', '.join(self.turned_by)}"
        fewest = len(self.tried) if self.fewest is None else self.fewest
        return "robust" if fewest >= MIN_CHOICES else None


def turned(default: Judged, other: Judged) -> bool:
    """Return whether another universe turns a verdict.

    It does if the verdict changes and the paired change of effect from the default, over the
    repeats that both have, excludes 0 at 95 %. An instance that violates an invariant, or a
    rounding that fails, is a change by itself.

    Parameters
    ----------
    default, other : Verdict, or the sequence that `judge_claim` returns
        The same claim in two universes. A whole that has parts is turned if its verdict changes
        and some part whose verdict changes has a change of effect that excludes 0 after Holm's
        correction over the parts, so it needs the sequences; or if it is confirmed in one and
        refuted in the other, each of which is decided at a level of its own.
    """
    before = _sequence(default)
    after = _sequence(other)
    if before[0].verdict == after[0].verdict or UNTESTED in (before[0].verdict, after[0].verdict):
        return False
    if not before[0].parts:
        return _p_of_change(before[0], after[0]) < TAIL
    theirs = {v.part: v for v in after[1:]}
    pairs = [(v, theirs[v.part]) for v in before[1:] if v.part in theirs]
    if not pairs:
        msg = f"claim {before[0].claim!r} has parts: pass all verdicts that judge_claim returned"
        raise ValueError(msg)
    if {before[0].verdict, after[0].verdict} == {CONFIRMED, REFUTED}:
        return True
    changes = holm([_p_of_change(a, b) for a, b in pairs]) < TAIL
    return any(
        change and a.verdict != b.verdict for (a, b), change in zip(pairs, changes, strict=True)
    )


def is_another_reading(default: Verdict, other: Verdict) -> bool:
    """Return whether something that a part measures changed in another universe.

    It takes six repeats that are complete in both; two of what is declared deterministic; one where
    every repeat is looked at by itself.
    """
    if not default.inputs or not other.inputs:
        return False
    ours = Evidence.from_json(default.inputs)
    theirs = Evidence.from_json(other.inputs)
    if ours.values.shape[1:] != theirs.values.shape[1:]:
        return True
    before, after = _common(ours, theirs)
    instances = default.comparison in ("never_violated", "exactly")
    enough = len(before) >= (1 if instances else _wanted(ours))
    return enough and bool((before != after).any())


def _comparable(default: Judged, other: Judged) -> bool:
    """Return whether some part can be compared in two universes, and changed."""
    theirs = {v.part: v for v in _sequence(other) if not v.parts}
    return any(
        verdict.part in theirs and is_another_reading(verdict, theirs[verdict.part])
        for verdict in _sequence(default)
    )


def robustness(
    default: Judged,
    others: Mapping[str, Sequence[Judged]],
    tried: Collection[str] | None = None,
    fewest: int | None = None,
) -> Robustness:
    """Say what the choices do to a claim.

    Parameters
    ----------
    default : Verdict or sequence of Verdict
        In the default universe.
    others : mapping of str to sequence
        By choice, the same claim under each of its alternatives; by choices joined by ``+``, where
        these are changed together.
    tried : collection of str, optional
        The choices that count; those with enough common repeats if left out. One that turns the
        claim always does.
    fewest : int, optional
        Of a claim with parts: see `Robustness`.
    """
    turning = {name for name in others if any(turned(default, o) for o in others[name])}
    alone = {name for name in others if "+" not in name}
    if tried is None:
        tried = {n for n in alone if any(_comparable(default, o) for o in others[n])}
    together = {name for name in turning - alone if turning.isdisjoint(name.split("+"))}
    turning &= alone
    return Robustness(tuple(sorted({*tried, *turning})), tuple(sorted(turning | together)), fewest)


def with_robustness(verdict: Verdict, robust: Robustness, choices: Iterable[str]) -> Verdict:
    """Return the verdict with its robustness and the choices there are filled in."""
    return replace(
        verdict,
        robustness=robust.word,
        tried=list(robust.tried),
        turned_by=list(robust.turned_by),
        choices=sorted(choices),
    )


def _sequence(judged: Judged) -> Sequence[Verdict]:
    return [judged] if isinstance(judged, Verdict) else judged


def _p_of_change(default: Verdict, other: Verdict) -> float:
    """Return the one-sided p-value, either way, of a paired change of effect."""
    if not default.inputs or not other.inputs:
        return 1.0
    before = Evidence.from_json(default.inputs)
    after = Evidence.from_json(other.inputs)
    if default.comparison in ("never_violated", "exactly"):
        changed = default.verdict != other.verdict and np.isfinite(after.values).any()
        return 0.0 if changed else 1.0
    a, b = _common(before, after)
    if len(a) < _wanted(before):
        return 1.0
    formula = before.formula
    # No resample of repeats that agree shows a change: what they give moved, or did not.
    if before.deterministic and not (np.ptp(a, axis=0).any() or np.ptp(b, axis=0).any()):
        moved = np.abs(formula.effect(b) - formula.effect(a))
        return 0.0 if moved > max(formula.rounding(a), formula.rounding(b)) else 1.0
    if formula.over_all_repeats:
        both = np.stack([a, b], axis=1)
        change = bootstrap_of(
            lambda x: formula.of_all(x[..., 1, :, :, :]) - formula.of_all(x[..., 0, :, :, :]), both
        )
    elif formula.kind == "ratio" or formula.reduced != "mean":
        # Of a resample no more than the means of its repeats matters.
        both = np.stack([formula.by_repeat(a), formula.by_repeat(b)], axis=1)
        change = bootstrap_of(lambda x: np.diff(formula.of_means(x.mean(axis=-3)))[..., 0], both)
    else:
        shift = (formula.per_repeat(b) - formula.per_repeat(a))[..., 0]
        rounding = EQUAL * max(np.abs(a).max(), np.abs(b).max())
        if np.ptp(shift) <= rounding:  # the sign test: all repeats moved alike, or none did
            moved = 0.0 if before.deterministic else _sign_test(len(shift))
            return moved if abs(shift[0]) > rounding else 1.0
        change = mean_of(shift)
    return float(min(change.p_above(0.0), change.p_below(0.0)))


def _sign_test(n: int) -> float:
    """Return the chance that n repeats all move to one given side."""
    return float(binomtest(n, n, alternative="greater").pvalue)


def _wanted(evidence: Evidence) -> int:
    return 2 if evidence.deterministic else MIN_REPEATS


def _common(before: Evidence, after: Evidence) -> tuple[Array, Array]:
    """Return the measurements of the repeats that are complete in both."""
    pair = []
    shared = sorted(set(before.repeats) & set(after.repeats))
    for evidence in (before, after):
        rows = dict(zip(evidence.repeats, evidence.values, strict=True))
        shape = (len(shared), *evidence.values.shape[1:])
        pair.append(np.array([rows[r] for r in shared]).reshape(shape))
    kept = ~(np.isnan(pair[0]) | np.isnan(pair[1])).any(axis=(1, 2, 3))
    return pair[0][kept], pair[1][kept]
