"""What the rules ask of Snakemake's own state: nothing else here knows how Snakemake keeps it.

Snakemake promises none of these attributes. They are those of the releases that ``pyproject.toml``
allows, `LOWEST` and later ones of the same major number; a test reads each from a workflow that
really runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from icml2008.run.trials.outcome import Step

LOWEST = "9.27"
"""The oldest release of Snakemake that the rules run with."""


class Workflow:
    """A workflow of Snakemake while it is planned, run, or has just ended.

    Parameters
    ----------
    workflow : snakemake.workflow.Workflow
        What Snakemake calls ``workflow`` in a file of rules.
    """

    def __init__(self, workflow: Any) -> None:
        self._workflow = workflow

    @property
    def is_a_job(self) -> bool:
        """Whether this process does a job on a node of a cluster."""
        return bool(self._workflow.remote_exec)

    @property
    def changes_files(self) -> bool:
        """Whether this process is the one that decides what is run, and will run it."""
        return bool(self._workflow.is_main_process and not self._workflow.dryrun)

    @property
    def only_plans(self) -> bool:
        """Whether nothing will be run."""
        return bool(self._workflow.dryrun)

    @property
    def cores(self) -> int | None:
        """The processors of this run; None on a cluster, where nobody knows."""
        return self._workflow.cores if self._workflow.local_exec else None

    @property
    def rules(self) -> list[str]:
        """The names of the rules."""
        return [rule.name for rule in self._workflow.rules]

    def wildcards(self) -> list[dict[str, str]]:
        """Return the wildcards of each planned job."""
        return [dict(job.wildcards.items()) for job in self._workflow.dag.jobs]

    def values(self, name: str, **others: str) -> list[str]:
        """Return the values of a wildcard in the jobs whose other wildcards are these, sorted."""
        values = {
            wildcards[name]
            for wildcards in self.wildcards()
            if name in wildcards and others.items() <= wildcards.items()
        }
        return sorted(values)

    def forced_outputs(self, rule: str) -> Iterator[Path]:
        """Yield the first output of each job of a rule that is run because the user forces it."""
        dag = self._workflow.dag
        for job in dag.needrun_jobs():
            if job.rule.name == rule and dag.reason(job).forced:
                yield Path(job.output[0])

    @property
    def has_failed(self) -> bool:
        """Whether a job failed; a run that ended badly without one was interrupted."""
        return bool(self._workflow.scheduler.failed)

    def failed_steps(self, scale: str) -> list[Step]:
        """Return the jobs of a scale that failed, those of groups one by one, by their logs."""
        steps = []
        for failed in self._workflow.scheduler.failed:
            for job in failed.jobs if failed.is_group() else [failed]:
                wildcards = dict(job.wildcards.items())
                if wildcards.get("scale", scale) == scale:
                    paper = wildcards.get("paper", "")
                    data = wildcards.get("dataset", "")
                    steps.append(Step(job.rule.name, paper, data, "".join(job.log[:1])))
        return sorted(steps, key=lambda step: step.log)
