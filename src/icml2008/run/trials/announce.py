"""What a run says before it starts and after it ends."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from itertools import chain

from icml2008.data.fetch import all_mirrors
from icml2008.data.prospects import Probe, outlook
from icml2008.data.registry import file_entry
from icml2008.harness import arithmetic
from icml2008.harness.choices import DEFAULT
from icml2008.judge.standing import OWN
from icml2008.judge.totals import VERDICTS
from icml2008.run.trials.configuration import Run
from icml2008.store import Shelf, page_of

_NAMED = 3


def announce(run: Run, data: Iterable[str]) -> None:
    """Say before the start what of the data will be left out, a line for each reason, and why."""
    announce_arithmetic(run)
    probe = Probe()
    lacking = defaultdict(list)
    unread = defaultdict(list)
    for name in data:
        look = outlook(name, mirrors=run.mirrors, probe=probe)
        for package in look.lacks:
            unread[package].append(name)
        if look.missing:
            public = all(file_entry(source.file).addresses for source in look.missing)
            lacking["their URLs do not deliver" if public else "no URL is known"].append(name)
    if lacking:
        places = " nor in ".join(["the cache", *all_mirrors(run.mirrors)])
        say(
            f"Left out is what needs data that are not in {places}. "
            "ICML2008_MIRROR may name a folder or URL that has copies."
        )
    for reason, names in lacking.items():
        say(f"  {reason}: {', '.join(names)}")
    for package, names in unread.items():
        say(f"Left out is what needs {', '.join(names)}: {package} is not installed.")


def announce_arithmetic(run: Run) -> None:
    """Say which arithmetics this machine cannot run."""
    for name in run.arithmetic:
        if not (lacks := arithmetic.lacking(name)):
            continue
        if name == arithmetic.BASELINE:
            say(f"Last digits may differ from the reference's: this machine lacks {lacks}.")
        else:
            say(f"Left out is the arithmetic {name}: this machine lacks {lacks}.")


def say(text: str) -> None:
    """Tell the user of a run."""
    sys.stderr.write(text + "\n")


def say_where(scale: str, runs: Sequence[Shelf]) -> None:
    """Say what became of the papers' own claims, where that stands, and where the page is.

    A few papers are named each; of many the scoreboard says it.
    """
    for run in runs if len(runs) <= _NAMED else ():
        rows = run.verdicts()
        whole = [row for row in rows if not row["part"] and row["universe"] == DEFAULT]
        words = Counter(row["verdict"] for row in whole if row["status"] in OWN)
        counts = ", ".join(f"{words[word]} {word}" for word in VERDICTS if words[word])
        say(f"{run.key}: {counts or 'none of its own claims was judged'}")
        say(f"  why:  icml2008 verdicts {run.key} --results {run.results}")
        say(f"  page: {run.page}")
    if page_of(scale).is_file():
        say(f"The page: {page_of(scale)}")


def say_cost(runs: Sequence[Shelf], started: float, cores: int | None) -> None:
    """Tell what the trials that ended since `started` cost, and what all else did.

    `cores` is None on a cluster, where nobody knows what else there was.
    """
    costs = [
        json.loads(file.read_text("utf-8"))
        for run in runs
        for file in run.cost_files
        if file.stat().st_mtime >= started
    ]
    if not costs:
        return
    inside = sum(sum(chain(*cost["trial_seconds"].values())) for cost in costs)
    text = f"Trials: {inside:.0f} s in {len(costs)} processes."
    if reused := sum(cost.get("reused", 0) for cost in costs):
        text += f" {reused} more were not run: their records are the reference's (reuse=true)."
    wall = time.time() - started
    if cores and wall > 0:  # a clock may have been moved back
        rest = 100 * (1 - inside / (cores * wall))
        text += f" All else took {rest:.0f} % of "
        text += f"{wall:.0f} s on {cores} {'core' if cores == 1 else 'cores'}."
    say(text)
