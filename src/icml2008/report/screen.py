"""A paper on one screen of a terminal: the answer, its headline claims, how to run it."""

from __future__ import annotations

import textwrap
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from icml2008.catalogue import library
from icml2008.catalogue.commands import workflow_command
from icml2008.judge.totals import VERDICTS
from icml2008.report.interfaces import in_short
from icml2008.report.pages.answer import answer, written
from icml2008.report.pages.hinges import hinges
from icml2008.report.pages.lines import claim_rows
from icml2008.report.results import GROUPS, PaperResults
from icml2008.report.wording import SYMBOLS

if TYPE_CHECKING:
    from icml2008.harness.experiment import Experiment

_WIDTH = 80
_CLAIMS = 5


def screen(
    results: PaperResults, state: str, experiments: Mapping[str, Experiment]
) -> Iterator[str]:
    """Yield the lines of a paper's screen, of 80 columns.

    Parameters
    ----------
    results : PaperResults
    state : str
        Of the paper, such as ``planned``.
    experiments : mapping
        What can be run of it, by name.
    """
    paper = results.paper
    rows = claim_rows(results)
    yield from _filled(paper.title, "")
    yield from _filled(f"{', '.join(paper.authors)}. {paper.published}. {state.capitalize()}.", "")
    yield ""
    if sentence := written(paper.answer, list(rows.values())):
        yield from _filled(sentence, "")
        yield ""
    yield from _filled(answer(list(rows.values())), "")
    for hinge in hinges(paper, rows.values()):
        yield from _filled(f"- {hinge['says'].rstrip('.')}: {hinge['text']}", "", "  ")
    replies = {"": paper.author_response}
    replies |= {f" to {name}": claim.author_response for name, claim in paper.claims.items()}
    for to, reply in replies.items():
        if reply:
            yield from _filled(f"{reply.author}, an author, replied{to} on {reply.date}.", "")
    headlines = [row for row in rows.values() if row["status"] == "headline"]
    if headlines:
        yield from ("", "Headline claims:")
        for row in headlines[:_CLAIMS]:
            yield from _claim(row)
        if more := headlines[_CLAIMS:]:
            yield f"  and {len(more)} more: {_counts(more)}"
    for title, claims in _others(rows.values()).items():
        yield from _filled(f"{title}: {_counts(claims)}", "")
    if experiments:
        yield from ("", "Experiments, with their trials at full scale:")
        for takes, names in _by_interface(experiments).items():
            yield from _filled(f"{', '.join(names)}; {takes}", "  ")
    if paper.planned:
        yield from ("", "Planned, with their claims:")
        names = (f"{name} {len(plan.claims)}" for name, plan in paper.planned.items())
        yield from _filled(", ".join(names), "  ")
    if paper.choices:
        many = len(paper.choices)
        yield f"Its text leaves {many} question{'s' if many != 1 else ''} open."
    yield ""
    if experiments:
        yield f"Run it: {workflow_command(library.folder(paper.key))}"
    yield f"All claims, parts, choices, departures and errata: icml2008 show {paper.key} --all"


def _claim(row: Mapping[str, Any]) -> Iterator[str]:
    yield from _filled(f"{SYMBOLS[row['verdict']]} {row['says']}", "  ", "    ")
    decides = _counts(row["parts"]) or f"{row['ours']} {row['interval']}".strip()
    text = "; ".join(filter(None, [decides, row["choices"]]))
    yield from _filled(": ".join(filter(None, [row["name"], text])), "    ")
    for question in row["turns"]:
        yield from _filled(f"Turns on: {question}", "    ")


def _by_interface(experiments: Mapping[str, Experiment]) -> dict[str, list[str]]:
    by_interface = defaultdict(list)
    for name, experiment in experiments.items():
        by_interface[in_short(experiment.expects)].append(
            f"{name} {len(experiment.trials('full'))}"
        )
    return by_interface


def _others(rows: Any) -> dict[str, list[Mapping[str, Any]]]:
    titles = {"supporting": "Supporting claims", "ours": GROUPS["ours"]}
    titles |= {"stand_in": GROUPS["stand_in"]}
    groups = {title: [row for row in rows if row["status"] == of] for of, title in titles.items()}
    return {title: rows for title, rows in groups.items() if rows}


def _counts(rows: list[Mapping[str, Any]]) -> str:
    counts = Counter(row["verdict"] for row in rows)
    return ", ".join(f"{counts[word]} {word}" for word in VERDICTS if counts[word])


def _filled(text: str, indent: str, hanging: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        _WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  " if hanging is None else hanging,
        break_on_hyphens=False,
        break_long_words=False,
    )
