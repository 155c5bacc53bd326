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
        A loop of our own that is faster than the method; else empty.
    loop_times : float
        Its time over ours.
    """

    method: str
    task: str
    solver: str
    times: float
    answer: str
    our_answer: str
    loop: str
    loop_times: float

    def __str__(self) -> str:
        if not self.solver:
            text = "no package was timed"
        elif self.times >= 1:
            text = f"{self.solver} takes {self.times:.2g} times as long"
        else:
            text = f"{self.solver} is faster, {self.times:.2g} of the time"
        if self.solver and self.answer != self.our_answer:
            text += f" ({self.answer}; ours: {self.our_answer})"
        if self.loop:
            text += f"; a loop of our own, {self.loop}, takes {self.loop_times:.2g} of it"
        return f"{self.task}: {text}."


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
    beaten = loop is not None and float(loop["seconds"]) < seconds
    return BestPeer(
        method,
        task,
        peer["solver"] if peer else "",
        float(peer["seconds"]) / seconds if peer else float("nan"),
        peer["answer"] if peer else "",
        ours["answer"],
        loop["solver"] if beaten else "",
        float(loop["seconds"]) / seconds if beaten else float("nan"),
    )


def peers_table(rows: Iterable[Row]) -> str:
    """Return the best peers as a table of Markdown."""
    lines = [
        "| method | task | best package | its time / ours | its answer |",
        "|---|---|---|---|---|",
    ]
    for best in best_peers(rows):
        peer = [best.solver, f"{best.times:.2g}"] if best.solver else ["none timed", ""]
        lines.append(" | ".join([f"| `{best.method}`", best.task, *peer, best.answer]) + " |")
    return "\n".join(lines) + "\n"
