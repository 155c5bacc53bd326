"""A method of one's own beside a paper's: its promises; its claims, judged by the same rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from itertools import product
from math import prod
from types import ModuleType
from typing import Any

from icml2008.catalogue.entry import Entry
from icml2008.catalogue.model import Paper
from icml2008.harness import records
from icml2008.harness.experiment import Cell, cell_name
from icml2008.judge.claims import Claim
from icml2008.judge.judgement import judge_claim
from icml2008.judge.recorded import Records

Line = records.Line


def load_promises(entry: Entry) -> ModuleType | None:
    """Return what a paper holds against methods of one's own, if it has more than shapes to say."""
    there = (entry.folder / "promises.py").is_file()
    return import_module(f"icml2008.papers.{entry.key}.promises") if there else None


def compare(
    entry: Entry,
    experiment: str,
    own: Iterable[str],
    lines: Sequence[Line],
    *,
    scale: str,
    universe: str,
) -> tuple[Paper, list[dict[str, Any]]]:
    """Judge whether each own method beats each of the paper's.

    Parameters
    ----------
    entry : Entry
    experiment : str
    own : iterable of str
        Names of the own methods in the records.
    lines : sequence of dict
        Records of all methods, without a header.
    scale, universe : str
        Where the records come from.

    Returns
    -------
    paper : Paper
        With these claims in place of its own.
    verdicts : list of dict
        On each claim, the whole first, then its parts.
    """
    metrics = compared_metrics(entry, experiment, lines)
    claims = dict(_claims(experiment, list(own), metrics, lines))
    paper = entry.paper.model_copy(update={"claims": claims})
    tables = {experiment: Records([records.header(entry.key, experiment, universe), *lines])}
    resampling = {name: facts.resampling for name, facts in paper.experiments.items()}
    verdicts = [
        verdict.to_json()
        for name, claim in claims.items()
        for verdict in judge_claim(
            entry.key, name, claim, tables,
            metrics=paper.metrics, resampling=resampling, scale=scale, universe=universe,
        )
    ]  # fmt: skip
    return paper, verdicts


def compared_metrics(entry: Entry, experiment: str, lines: Sequence[Line]) -> list[str]:
    """Return the metrics in which the paper compares methods, or all if it compares none."""
    statistics = [claim.statistic for claim in entry.paper.claims.values()]
    compared = {
        statistic.metric
        for statistic in statistics
        if statistic and statistic.experiment == experiment and len(statistic.method_names()) > 1
    }
    measured = sorted({line["metric"] for line in lines if line["kind"] == "measurement"})
    return [metric for metric in measured if metric in compared] or measured


def _claims(
    experiment: str, own: list[str], metrics: list[str], lines: Sequence[Line]
) -> Iterator[tuple[str, Claim]]:
    measured = [line for line in lines if line["kind"] == "measurement"]
    others = sorted({line["method"] for line in measured} - set(own))
    for metric in metrics:
        for method, rival in product(own, others):
            both = [
                {records.canonical(line["cell"]): line["cell"] for line in measured
                 if (line["method"], line["metric"]) == (name, metric)}
                for name in (method, rival)
            ]  # fmt: skip
            cells = [cell for at, cell in both[0].items() if at in both[1]]
            for name, each in _parts(cells):
                statistic = {"difference": [method, rival], "metric": metric}
                yield (
                    "-".join(filter(None, (method, "beats", rival, metric, name))),
                    Claim.model_validate(
                        {
                            "says": f"{method} beats {rival} in {metric}.",
                            "statistic": {**statistic, "experiment": experiment},
                            "each": each,
                            "above": "0",
                        }
                    ),
                )


def _parts(cells: Sequence[Cell]) -> Iterator[tuple[str, Mapping[str, list[Any]]]]:
    """Yield the parts of one claim about a full grid, or else of a claim for each cell."""
    values: dict[str, dict[Any, None]] = {}
    for cell in cells:
        for name, value in cell.items():
            values.setdefault(name, {})[value] = None
    each = {name: list(levels) for name, levels in values.items()}
    if cells and prod(map(len, each.values())) == len(cells):
        yield "", each
    else:
        for cell in cells:
            yield cell_name(cell), {name: [value] for name, value in cell.items()}
