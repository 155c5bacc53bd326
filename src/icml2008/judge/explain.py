"""A verdict as plain text from which a person can compute it again."""

from __future__ import annotations

from .evidence import Evidence
from .reasons import interval, of_choices
from .standing import LABELS
from .verdict import UNTESTED, Verdict, number


def explain(verdict: Verdict) -> str:
    """Return a verdict as lines of text, every number that went into it included.

    Examples
    --------
    >>> from icml2008.judge import Verdict
    >>> print(explain(Verdict("p", "c", "", "A is best.", 3, "e", "", "", "", "", "untested",
    ...                       "not yet")))
    p / c: untested
      claim       A is best. (page 3)
      reason      not yet
    """
    name = " / ".join(filter(None, [verdict.paper, verdict.claim, verdict.part]))
    marks = [verdict.verdict]
    marks += ["preliminary"] if verdict.preliminary else []
    marks += [LABELS[verdict.status]] if verdict.status else []
    marks += ["disputed"] if verdict.disputed else []
    page = f" (page {verdict.page})" if verdict.page is not None else ""
    lines = [("claim", verdict.says + page)]
    if not verdict.part:
        quote = verdict.quote and f'"{verdict.quote}"'
        asides = {
            "quote": quote,
            "note": verdict.note,
            "said before": verdict.same_as,
            "a part of": verdict.part_of,
        }
        lines += [(name, text) for name, text in asides.items() if text]
    lines.append(("reason", verdict.reason))
    if verdict.inputs and not verdict.parts:
        lines += _measured(verdict)
    lines += [("part", f"{p['part']}: {p['verdict']}{_p(p['p'])}") for p in verdict.parts]
    if verdict.generalises and verdict.parts:
        lines.append(("new data", verdict.generalises))
    elif verdict.generalises:
        low = verdict.generalises_low
        high = verdict.generalises_high
        span = interval(low, high, 0.95, verdict.generalises_method)
        lines.append(("new data", f"{verdict.generalises}: {span}"))
    if choices := of_choices(vars(verdict)):
        lines.append(("choices", choices))
    if verdict.verdict != UNTESTED:
        lines.append(
            (
                "from",
                f"{verdict.scale} scale, universe {verdict.universe}, rule book {verdict.rulebook}",
            )
        )
    head = f"{name}: {', '.join(marks)}"
    return "\n".join([head, *(f"  {key:<11} {text}".rstrip() for key, text in lines)])


def _p(p: float | None) -> str:
    return "" if p is None else f", p of refutation {number(p)}"


def _measure(verdict: Verdict) -> str:
    return f"{verdict.metric} in {verdict.unit}" if verdict.unit else verdict.metric


def _measured(verdict: Verdict) -> list[tuple[str, str]]:
    evidence = Evidence.from_json(verdict.inputs)
    lines = [("statistic", f"{verdict.statistic}; {_measure(verdict)}")]
    if verdict.values:
        mean = number(verdict.effect)
        lines.append(("repeats", f"{verdict.n} complete, {verdict.failed} failed; mean {mean}"))
        lines.append(("values", " ".join(number(value, 6) for value in verdict.values)))
        return lines
    names = [
        " at ".join(filter(None, [method, cell, point]))
        for method in evidence.methods
        for cell in evidence.cells
        for point in evidence.points
    ]
    table = evidence.values.reshape(len(evidence.values), -1).T
    for name, row in zip(names, table, strict=True):
        lines.append((name, " ".join(number(float(value), 6) for value in row)))
    return lines
