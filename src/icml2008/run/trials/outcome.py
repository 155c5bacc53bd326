"""Whether a run is good, and why not: decided after the pages are written, said at the very end."""

from __future__ import annotations

import atexit
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from icml2008 import store
from icml2008.data.availability import State
from icml2008.errors import CannotWrite, Icml2008Error
from icml2008.harness.records import write_atomically
from icml2008.report.problems import Outcome, Problem, of_check
from icml2008.run.trials.announce import say
from icml2008.store import check_of, page_of, reason_of

_LAST = "conclude"
_PAGES = ("render_index", _LAST)
_SHOWN = 3
_WRITTEN = (".snakemake", "logs", "results")
_ROOM = 1 << 20  # bytes: a page, and what Snakemake notes of a job


class RunError(Icml2008Error):
    """A run is not good."""


@dataclass(frozen=True)
class Step:
    """A job of the workflow that failed.

    Attributes
    ----------
    rule : str
    paper : str
        Key of its paper; empty if it has none.
    data : str
        Its data set; empty if it has none.
    log : str
        Path of its log.
    """

    rule: str
    paper: str
    data: str
    log: str

    def problem(self) -> Problem:
        """Return what the job was, the last line of its log and where that is."""
        what = f"{self.rule} {self.data}".rstrip()
        return Problem("job", f"{what}: {last_line(Path(self.log))} ({self.log})", self.paper)


def last_line(log: Path) -> str:
    """Return the last line of a job's log, which says why it failed."""
    text = log.read_text("utf-8").strip() if log.is_file() else ""
    return text.rpartition("\n")[2].strip() or "ended from outside, nothing in its log"


def usable(state: State) -> bool:
    """Return whether a data set can be read."""
    return state.status == "available"


def why(state: State) -> str:
    """Return why a data set cannot be read, in one line."""
    return "; ".join(f"{file} {reason}" for file, reason in sorted(state.reasons.items()))


def data_states(names: Iterable[str]) -> dict[str, State]:
    """Return the state of each data set, as far as it was written."""
    files = {name: store.data_state_file(name) for name in names}
    return {
        name: State.from_json(file.read_text("utf-8"))
        for name, file in files.items()
        if file.is_file()
    }


def unusable_data() -> dict[str, list[str]]:
    """Return the data sets that the last run could not use, by reason, from the states it left."""
    reasons: dict[str, list[str]] = {}
    for file in sorted(store.data_state_file("*").parent.glob("*.json")):
        state = store.read_json(file)
        if state["status"] != "available":
            reason = "; ".join(sorted(set(state["reasons"].values())))
            reasons.setdefault(reason, []).append(file.stem)
    return reasons


def outcome_of(
    scale: str, data: Sequence[str], *, strict: bool, failed: Sequence[Step] = ()
) -> Outcome:
    """Return how a run ended, from the steps that failed and from what it wrote.

    `data` are the data sets that its papers read. Such that are not available are a problem only
    if strict.
    """
    steps = [step for step in failed if step.rule != _LAST]
    # What an earlier run left is no comparison of this one.
    compared = Outcome() if steps else of_check(store.read_json(check_of(scale)))
    problems = [step.problem() for step in steps]
    problems += [
        Problem(state.status, f"{name}: {why(state)}")
        for name, state in data_states(data).items()
        if state.status == "corrupt" or (strict and state.status != "available")
    ]
    problems += compared.problems
    return replace(compared, problems=problems or [step.problem() for step in failed])


def lacks_pages(failed: Sequence[Step]) -> bool:
    """Return whether no page says what failed: it was no page and nothing after them."""
    return not any(step.rule in _PAGES for step in failed)


def reason(outcome: Outcome, scale: str) -> str:
    """Return the first problems, and in the last line how many there are and where they stand."""
    lines = [f"  {problem}" for problem in outcome.problems[:_SHOWN]]
    more = len(outcome.problems) - len(lines)
    lines += [f"  and {more} more"] if more else []
    compared = [check_of(scale)] if outcome.compared else []
    places = " and ".join(str(file) for file in (*compared, page_of(scale)) if file.is_file())
    return "\n".join([*lines, f"What is wrong: {outcome.summary}{places and '; all in '}{places}"])


def conclude(scale: str, data: Sequence[str], *, strict: bool) -> None:
    """Decide whether a run is good, after its page is written.

    Raises
    ------
    RunError
        If data were corrupt (or, if strict, not available), a mean moved or a verdict flipped.
    """
    outcome = outcome_of(scale, data, strict=strict)
    if outcome.problems:
        raise RunError(reason(outcome, scale))


def say_last(text: str, scale: str) -> None:
    """Say why a run failed when Snakemake has said everything, and keep it for who comes after."""
    atexit.register(say, text)
    with suppress(CannotWrite):  # which is said even later
        write_atomically(reason_of(scale), f"{text}\n")


def check_room(here: Path) -> None:
    """Make sure that a run can write in its folder.

    Raises
    ------
    CannotWrite
        If the disk is full or protected.
    """
    for folder in _WRITTEN:
        file = here / folder / ".room"
        write_atomically(file, bytes(_ROOM))
        file.unlink()


def say_no_room(here: Path) -> None:
    """Say if nothing can be written in a run's folder any more: that is why all else failed."""
    try:
        check_room(here)
    except CannotWrite as error:
        say(
            f"What is wrong: nothing can be written in {here} ({error.strerror}). "
            "When that is mended, the same command goes on from here."
        )
