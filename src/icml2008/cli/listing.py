"""Commands that list papers and show one: ``papers | show``."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from icml2008.cli.common import (
    Format,
    FormatOption,
    PublishedOption,
    app,
    print_rows,
    refuse_unknown,
    simple_table,
)
from icml2008.store import is_reference, published_verdicts, run_folder

if TYPE_CHECKING:
    from icml2008.catalogue.entry import Entry
    from icml2008.catalogue.model import Paper
    from icml2008.harness.experiment import Experiment


@app.command()
def papers(
    topic: Annotated[str | None, typer.Option(help="Only this topic, such as kernels.")] = None,
    state: Annotated[str | None, typer.Option(help="Only this state, such as planned.")] = None,
    coverage: Annotated[
        bool, typer.Option("--coverage", help="Counts by topic and state instead.")
    ] = False,
    how: FormatOption = Format.table,
) -> None:
    """List the papers."""
    from icml2008.catalogue import library
    from icml2008.catalogue.digest import load_digest

    heads = [load_digest(key) for key in library.paper_keys()]
    refuse_unknown("--topic", topic, {head.topic for head in heads})
    refuse_unknown("--state", state, set(library.STATES))
    rows = [
        {
            "key": head.key,
            "title": head.title,
            "authors": head.authors,
            "pages": head.pages,
            "topic": head.topic,
            "state": library.state(head.key, head.rerunnable),
        }
        for head in heads
    ]
    rows = [row for row in rows if topic in (None, row["topic"]) and state in (None, row["state"])]
    if coverage:
        from icml2008.catalogue.coverage import coverage as count
        from icml2008.catalogue.coverage import to_markdown

        counts = count([row["key"] for row in rows])
        if how is Format.table:
            sys.stdout.write(to_markdown(counts))
        else:
            print_rows(counts, how, lambda: None)
        return
    print_rows(rows, how, lambda: simple_table(rows, ["key", "title", "topic", "state"]))


@app.command()
def show(
    key: str,
    everything: Annotated[
        bool, typer.Option("--all", help="All claims and parts, choices, departures, errata.")
    ] = False,
    results: PublishedOption = None,
    how: FormatOption = Format.table,
) -> None:
    """Show a paper on one screen: the answer, its headline claims, experiments, how to run it."""
    from icml2008.catalogue.entry import entry_of
    from icml2008.judge.explain import explain
    from icml2008.judge.verdict import Verdict
    from icml2008.report.results import PaperResults
    from icml2008.report.screen import screen
    from icml2008.store import Shelf

    entry = entry_of(key)
    paper = entry.paper
    state = entry.state
    results = results or _judged(entry)
    verdicts = Shelf(results, entry).verdicts()
    if how is not Format.table:
        print_rows([{**paper.model_dump(mode="json"), "verdicts": verdicts}], how, lambda: None)
        return
    if everything:
        judged = [explain(Verdict.from_json(verdict)) for verdict in verdicts]
        lines = _paper_text(paper, state, judged, results, entry.experiments)
    else:
        lines = screen(PaperResults(paper, verdicts), state, entry.experiments)
    for line in lines:
        sys.stdout.write(f"{line}\n")
    if verdicts and not is_reference(results):
        sys.stdout.write(f"Judged by the run in {results}\n")


def _judged(entry: Entry) -> Path:
    """Return the published folder, or where it lacks the paper that of its largest run here."""
    from icml2008.harness.experiment import SCALES
    from icml2008.store import Shelf

    folders = [published_verdicts(), *(run_folder(scale) for scale in reversed(SCALES))]
    judged = (folder for folder in folders if Shelf(folder, entry).verdicts_file.is_file())
    return next(judged, folders[0])


def _paper_text(
    paper: Paper,
    state: str,
    judged: list[str],
    results: Path,
    experiments: Mapping[str, Experiment],
) -> Iterator[str]:
    from icml2008.catalogue import library
    from icml2008.catalogue.commands import workflow_command
    from icml2008.report.interfaces import in_full, in_short

    yield from (paper.title, ", ".join(paper.authors), paper.published, "", paper.idea, "")
    yield f"{state.capitalize()}. {paper.why}".rstrip()
    replies = {"": paper.author_response}
    replies |= {f" to {name}": claim.author_response for name, claim in paper.claims.items()}
    for to, reply in replies.items():
        if reply:
            yield f"\n{reply.author}, an author, replies{to} ({reply.date}):\n  {reply.text}"
    if judged:
        yield from (f"\n{text}" for text in judged)
    for name, claim in paper.claims.items() if not judged else ():
        if claim.statistic is not None:
            yield f"\n{name}: {claim.says} (not judged in {results})"
    for name, planned in paper.planned.items():
        yield f"\nPlanned: {name} ({planned.where}; {planned.compute})\n  {planned.protocol}"
        for claim in planned.claims:
            listed = paper.claims[claim]
            yield f"  {claim} ({listed.kind}, page {listed.page or '-'}): {listed.says}"
            if listed.printed:
                yield f"    printed: {_printed(listed.printed)}"
    sections = {
        "Experiments": [
            "\n    ".join(
                [f"{name}: {in_short(experiment.expects)}"]
                + [f"{part}: {what}" for part, what in in_full(experiment.expects)]
            )
            for name, experiment in experiments.items()
        ],
        "Data": [
            f"{name} ({', '.join(filter(None, (data.access, data.size)))}): {data.what}. "
            + "; ".join(filter(None, (data.source, ", ".join(data.sets))))
            for name, data in paper.data.items()
        ],
        "Choices, the default first": [
            f"{name}: {' | '.join([choice.default, *choice.alternatives])}\n    {choice.question}"
            for name, choice in paper.choices.items()
        ],
        "What the paper leaves unsaid": paper.gaps,
        "Departures": [
            f"{change.kind} {change.what}, {change.date}: "
            f"{change.before or 'nothing'} -> {change.after or 'nothing'}. {change.reason}"
            for change in paper.changes
        ],
        "Errata": [
            f"{entry.where}: {entry.says} {entry.evidence}".rstrip()
            + f" ({entry.status}{f': {entry.reason}' if entry.reason else ''})"
            for entry in paper.errata
        ],
        "Today": [paper.today] if paper.today else [],
    }
    for title, lines in sections.items():
        if lines:
            yield f"\n{title}:"
            yield from (f"  {line}" for line in lines)
    if state == "re-run":
        yield f"\nRun it: {workflow_command(library.folder(paper.key))}"
    if paper.audit:
        yield f"\nPrinted numbers checked: icml2008 audit {paper.key}"


def _printed(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name} {_printed(inner)}" for name, inner in value.items())
    return ", ".join(map(_printed, value)) if isinstance(value, list) else value
