"""What a benchmark of methods beside their peers comes to: the best peer of each task."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

Row = Mapping[str, str]


class BestPeer(NamedTuple):
    """The fastest package at one task, and the fastest loop of our own if it beats ours.

    Attributes
    ----------
    method, task : str
    solver : str
        The package; empty if none was timed.
    times : float
        Its time, over that of our fastest solver; nan without a package.
    answer, our_answer : str
        How good or how near to ours its answer is, and what the same words say of ours.
    loop : str
        The fastest loop of our own if it is faster than the method, or than the package; else
        empty.
    loop_times : float
        Its time over ours.
    loop_answer : str
    """

    method: str
    task: str
    solver: str
    times: float
    answer: str
    our_answer: str
    loop: str
    loop_times: float
    loop_answer: str = ""

    def __str__(self) -> str:
        texts = ["no package was timed"]
        if self.solver:
            texts = [_in_words(self.solver, self.times, self.answer, self.our_answer)]
        if self.loop:
            loop = f"a loop of our own, {self.loop},"
            text = _in_words(loop, self.loop_times, self.loop_answer, self.our_answer)
            texts.insert(len(texts) if self.loop_times > self.times else 0, text)
        return f"{self.task}: {'; '.join(texts)}."

    @property
    def ahead(self) -> bool:
        """Whether a package or a loop is faster than the method."""
        return self.times < 1 or self.loop_times < 1


def _in_words(solver: str, times: float, answer: str, ours: str) -> str:
    if times >= 1:
        text = f"{solver} takes {times:.2g} times as long"
    else:
        text = f"{solver} is faster, {times:.2g} of the time"
    return text if answer == ours else f"{text} ({answer}; ours: {ours})"


def best_peers(rows: Iterable[Row]) -> list[BestPeer]:
    """Return the best peer of each method and task, in the order of the table.

    Parameters
    ----------
    rows : iterable of mapping
        With the columns ``method``, ``task``, ``solver``, ``by`` (``icml2008``, ``package`` or
        ``own loop``), ``seconds`` (empty where a package was not at hand) and ``answer``.
    """
    tasks: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        if row["seconds"]:
            tasks.setdefault((row["method"], row["task"]), []).append(row)
    return [_best(*key, timings) for key, timings in tasks.items()]


def _best(method: str, task: str, rows: list[Row]) -> BestPeer:
    def fastest(by: str) -> Row | None:
        timings = [row for row in rows if row["by"] == by]
        return min(timings, key=lambda row: float(row["seconds"]), default=None)

    ours, peer, loop = (fastest(by) for by in ("icml2008", "package", "own loop"))
    if ours is None:
        msg = f"{method}, {task}: no row is by icml2008"
        raise ValueError(msg)
    seconds = float(ours["seconds"])
    slower = max(seconds, float(peer["seconds"])) if peer else float("inf")
    beaten = loop is not None and float(loop["seconds"]) < slower
    return BestPeer(
        method,
        task,
        peer["solver"] if peer else "",
        float(peer["seconds"]) / seconds if peer else float("nan"),
        peer["answer"] if peer else "",
        ours["answer"],
        loop["solver"] if beaten else "",
        float(loop["seconds"]) / seconds if beaten else float("nan"),
        loop["answer"] if beaten else "",
    )


def peers_table(rows: Iterable[Row]) -> str:
    """Return the best peers as a table of Markdown: whatever is fastest, packages or loops."""
    lines = [
        "| best peer | its time / ours | its answer | method | task | measured |",
        "|---|---|---|---|---|---|",
    ]
    rows = list(rows)
    dates = {(row["method"], row["task"]): row["measured"] for row in rows}
    for best in best_peers(rows):
        peer = ["none timed", "", ""]
        if best.loop and not best.loop_times > best.times:
            peer = [f"{best.loop} (own loop)", f"{best.loop_times:.2g}", best.loop_answer]
        elif best.solver:
            peer = [best.solver, f"{best.times:.2g}", best.answer]
        ours = [f"`{best.method}`", best.task, dates[best.method, best.task]]
        lines.append("| " + " | ".join(peer + ours) + " |")
    return "\n".join(lines) + "\n"


def peers_moved(before: Iterable[Row], now: Iterable[Row], factor: float = 1.5) -> list[str]:
    """Say of which tasks the best package's time over ours is another than it was, or unknown.

    Parameters
    ----------
    before, now : iterable of mapping
        As of `best_peers`.
    factor : float
        A ratio that grew or shrank by no more has not moved.
    """
    ratios = {(best.method, best.task): best for best in best_peers(before)}
    lines = []
    for best in best_peers(now):
        old = ratios.get((best.method, best.task))
        if old is None or not old.solver:
            continue
        if not best.solver or not 1 / factor <= best.times / old.times <= factor:
            is_now = f"{best.times:.2g} ({best.solver})" if best.solver else "no package was timed"
            was = f"{old.times:.2g} ({old.solver})"
            lines.append(f"{best.method}, {best.task}: {is_now}, was {was}")
    return lines
