"""What the rules ask: the plans of papers, the files that a run makes, and what is made again."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from icml2008 import store
from icml2008.catalogue.entry import Entry
from icml2008.data.availability import State
from icml2008.errors import Icml2008Error
from icml2008.run.trials import again, announce, configuration, lock, outcome, plans, targets
from icml2008.run.trials.configuration import Run
from icml2008.run.trials.plans import Plan
from icml2008.run.workflow import Workflow
from icml2008.store import Shelf

# What is made of a paper, in its folder of results.
_OF_A_PAPER = ("records", "verdicts.json", "check.json", "overview.json")
# Pages of a run that are not of one paper.
_PAGES = ("index", "quality", "audit")


@contextmanager
def as_snakemake_says() -> Iterator[None]:
    """Run the body; what a user can mend in it is said as Snakemake says it."""
    from snakemake.exceptions import WorkflowError

    try:
        yield
    except ModuleNotFoundError as error:
        msg = f"{error.name} is not installed: pip install 'icml2008[run]'"
        raise WorkflowError(msg) from error
    except Icml2008Error as error:
        raise WorkflowError(str(error)) from None


class Products:
    """The files of a run, and what they depend on.

    A `label` names a folder of results: a scale, or a scale and an arithmetic.

    Parameters
    ----------
    run : Run
        The configuration.
    snakemake : Workflow
        The workflow that asks.
    """

    def __init__(self, run: Run, snakemake: Workflow) -> None:
        self.run = run
        self.snakemake = snakemake
        self.papers = configuration.papers(run)
        self.started = time.time()
        self._plans: dict[tuple[str, str], Plan] = {}

    def plan(self, paper: str, label: str) -> Plan:
        """Return the plan of a paper."""
        at = (paper, configuration.scale_of(label))
        if at not in self._plans:
            with as_snakemake_says():
                self._plans[at] = plans.plan_of(self.run, Entry(paper), at[1])
        return self._plans[at]

    def plans(self, label: str) -> list[Plan]:
        """Return the plans of all papers, made together: that takes less than one by one."""
        scale = configuration.scale_of(label)
        missing = [entry for entry in self.papers if (entry.key, scale) not in self._plans]
        with as_snakemake_says():
            made = plans.plans_of(self.run, missing, scale)
        self._plans |= {(paper, scale): plan for paper, plan in made.items()}
        return [self._plans[entry.key, scale] for entry in self.papers]

    def data(self, label: str) -> list[str]:
        """Return the data sets that any of the papers reads at full scale."""
        return sorted({name for plan in self.plans(label) for name in plan.data})

    def renderings(self, label: str) -> list[str]:
        """Return the hashes of what makes the pages of all papers."""
        return [plan.rendering for plan in self.plans(label)]

    def shelf(self, label: str, paper: str) -> Shelf:
        """Return where the results of a paper lie."""
        return Shelf.of_run(label, Entry(paper))

    def shelves(self, label: str) -> list[Shelf]:
        """Return where the results of all papers lie."""
        return [Shelf.of_run(label, entry) for entry in self.papers]

    def of_all_papers(self, name: str) -> Callable[[object], list[str]]:
        """Return an input function: this file of every paper."""

        def files(wildcards: object) -> list[str]:
            self.plans(wildcards.scale)  # each of these files will ask
            return [f"results/{wildcards.scale}/{entry.key}/{name}" for entry in self.papers]

        return files

    def of_paper(self, label: str, paper: str) -> list[str]:
        """Return what is made of a paper: what of it is lost is made again."""
        folder = f"results/{label}/{paper}"
        page = f"results/{label}/report/{paper}.html"
        return [*(f"{folder}/{name}" for name in _OF_A_PAPER), page]

    def of_run(self, label: str) -> list[str]:
        """Return what a run makes."""
        pages = [f"results/{label}/report/{name}.html" for name in _PAGES]
        of_papers = [file for entry in self.papers for file in self.of_paper(label, entry.key)]
        return [f"results/{label}/done", f"results/{label}/check.json", *pages, *of_papers]

    def figures(self) -> list[str]:
        """Return the folders of published figures: of the papers that have committed evidence."""
        shelves = map(Shelf.of_reference, self.papers)
        return [f"figures/{shelf.key}" for shelf in shelves if shelf.verdicts_file.is_file()]

    def fetched_again(self, dataset: str) -> str:
        """Return another text each time, as long as a data set is not there: it is tried again."""
        file = Path(states_of([dataset])[0])
        if file.is_file() and not outcome.usable(State.from_json(file.read_text("utf-8"))):
            return str(self.started)
        return ""

    def states_for_trials(self, label: str, paper: str) -> list[str]:
        """Return what trials read; those lost, or to be retried, are forgotten first.

        An input is asked for before Snakemake looks for what is missing.
        """
        plan = self.plan(paper, label)
        run = self.shelf(label, paper)
        parts = [(name, about["code"]) for name, about in plan.shards.items()]
        failed = bool(self.run.retry) and any(again.failed_shards(run))
        if failed or again.has_lost(run, parts):
            if self.snakemake.only_plans:
                announce.say(f"Trials would be run again: {paper}")
            elif self.snakemake.changes_files:
                with as_snakemake_says():
                    lock.hold()
                again.forget_records(run)
                if failed:
                    again.forget_failed(run)
        return states_of(plan.reads)

    def refuse(self, target: str) -> NoReturn:
        """Say that no rule has the name of a target, and which is the nearest."""
        with as_snakemake_says():
            targets.refuse(target, self.snakemake.rules)

    def scales(self) -> list[str]:
        """Return the scales of this run: the target ``full`` has another than the configuration."""
        return self.snakemake.values("scale") or [self.run.scale]


def states_of(datasets: Iterable[str]) -> list[str]:
    """Return the files that say what became of data sets."""
    return [f"{store.run_folder('data')}/{name}.json" for name in datasets]
