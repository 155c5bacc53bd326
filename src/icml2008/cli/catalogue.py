"""Commands about papers: ``papers | show | new | claims | size | audit``."""

from __future__ import annotations

import sys
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from icml2008.cli.common import Format, FormatOption, PublishedOption, app, print_rows, simple_table
from icml2008.errors import Icml2008Error, nearest
from icml2008.store import is_reference, published_verdicts, run_folder

if TYPE_CHECKING:
    from icml2008.catalogue.entry import Entry
    from icml2008.catalogue.model import Paper
    from icml2008.harness.experiment import Experiment

KeyArgument = Annotated[str | None, typer.Argument(help="A paper; all of them if left out.")]


class NothingListed(Icml2008Error):
    """A list was asked for that can have nothing in it: a search that found nothing, status 1."""


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
    _known("--topic", topic, {head.topic for head in heads})
    _known("--state", state, set(library.STATES))
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
    from icml2008.report.entries import PaperResults
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
            f"{name} ({data.access}, {data.size}): {data.what}. {data.source}"
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
        yield f"\nRun it: {workflow_command(paper.key, library.folder(paper.key))}"
    if paper.audit:
        yield f"\nPrinted numbers checked: icml2008 audit {paper.key}"


def _printed(value: Any) -> str:
    if isinstance(value, dict):
        return "; ".join(f"{name} {_printed(inner)}" for name, inner in value.items())
    return ", ".join(map(_printed, value)) if isinstance(value, list) else value


@app.command()
def new(
    key: str,
    experiments: Annotated[
        list[str] | None, typer.Argument(help="Planned experiments; all of them if left out.")
    ] = None,
    to: Annotated[Path | None, typer.Option(help="A folder of papers of your own.")] = None,
) -> None:
    """Make a planned paper's folder ready: trials and claims to fill in, a place for tests.

    With --to it is begun in a folder of papers of your own, also one that the catalogue has not.
    `new method MODULE:NAME KEY/EXPERIMENT` begins a method that the experiment takes.
    """
    import icml2008.papers
    from icml2008.catalogue import library
    from icml2008.catalogue.commands import workflow_command
    from icml2008.catalogue.scaffold import new_paper

    if key == "method":
        _new_method(experiments or [], to or Path())
        return
    package = Path(icml2008.papers.__file__).parent
    if to is None and library.has_paper(key) and library.folder(key).parent == package:
        # An installed package is nobody's place to write.
        to = None if package.parents[2].joinpath("pyproject.toml").is_file() else Path("papers")
    elif to is None and not library.has_paper(key):
        msg = f"no paper {key!r}{nearest(key, library.paper_keys())}; to begin one: --to FOLDER"
        raise Icml2008Error(msg)
    folder, drafted = new_paper(key, experiments or [], to)
    inside = folder.parent == package
    first = next(iter(drafted.metrics))
    made = ", ".join(sorted(path.name for path in folder.iterdir() if path.is_file()))
    begun, judged = (
        f"{len(names)} {word}{'' if len(names) == 1 else 's'}"
        for names, word in ((drafted.metrics, "experiment"), (drafted.judged, "claim"))
    )
    lines = [
        f"{folder}: {made}",
        f"{begun}, {judged} to be judged, {len(drafted.listed)} that wait as drafts",
        *(f"{name}: its quote is missing" for name in drafted.judged),
        "Next:",
        f"  icml2008 {'' if inside else f'--papers-path {folder.parent} '}run {key}/{first}",
        f"  python -m pytest {folder}  (pytest is no part of icml2008: pip install pytest)",
        f"  {workflow_command(key, folder)}",
    ]
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _new_method(arguments: list[str], folder: Path) -> None:
    from icml2008.catalogue.scaffold import new_method

    if len(arguments) != 2:
        msg = "new method: name it and its experiment, as in: mymethods:MyRanker KEY/EXPERIMENT"
        raise Icml2008Error(msg)
    target, of = arguments
    for file in new_method(target, of, folder):
        sys.stdout.write(f"{file}\n")
    sys.stdout.write(
        f"Next:\n  PYTHONPATH={folder} icml2008 run {of} --method {target} --scale quick\n"
    )


@app.command()
def claims(
    text: Annotated[str | None, typer.Option(help="Words in the claim or its paper.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="value, order, trend or invariant; listed claims have one.")
    ] = None,
    topic: Annotated[str | None, typer.Option(help="Only papers of this topic.")] = None,
    how: FormatOption = Format.table,
) -> None:
    """Search the claims of all papers."""
    from icml2008.catalogue.entry import all_entries

    _known("--kind", kind, {"value", "order", "trend", "invariant"})
    words = _plain(text or "").split()
    rows = []
    listed = [entry.paper for entry in all_entries()]
    _known("--topic", topic, {paper.topic for paper in listed})
    for paper in listed:
        if topic not in (None, paper.topic):
            continue
        about = " ".join([paper.title, *paper.methods])
        for name, claim in paper.claims.items():
            inside = _plain(f"{name} {claim.says} {about}")
            if kind in (None, claim.kind) and all(word in inside for word in words):
                state = "judged" if claim.statistic else "listed"
                rows.append(
                    {
                        **{"paper": paper.key, "claim": name, "kind": claim.kind, "state": state},
                        **{"says": claim.says, "page": claim.page},
                        **{"status": claim.status, "quote": claim.quote},
                    }
                )
    print_rows(rows, how, lambda: simple_table(rows, ["paper", "claim", "kind", "state", "says"]))


def _known(option: str, value: str | None, known: set[str]) -> None:
    if value is not None and value not in known:
        msg = f"{option}: nothing is {value!r}{nearest(value, known)}"
        raise NothingListed(msg)


def _plain(text: str) -> str:
    """Return small letters without their accents, so that nystrom finds Nyström."""
    parts = unicodedata.normalize("NFKD", text.lower())
    return "".join(letter for letter in parts if not unicodedata.combining(letter))


@app.command()
def size(key: KeyArgument = None, how: FormatOption = Format.table) -> None:
    """Say what papers take: trials and declared seconds by scale, lines, bytes of evidence.

    What exceeds its budget is marked, and named in the lists of other formats. Lines have no
    budget but a goal for the median, which stands below the table.
    """
    from icml2008.catalogue.entry import entry_of, rerun_entries
    from icml2008.run.site.size import in_words, size_of

    sizes = [size_of(entry) for entry in ([entry_of(key)] if key else rerun_entries())]
    rows = [row.to_json() for row in sizes]
    print_rows(rows, how, lambda: simple_table(*_marked(rows)))
    if how == Format.table:
        sys.stdout.write(f"{in_words(sizes)}\n")


def _marked(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[str]]:
    columns = [name for name in rows[0] if name != "over"]
    shown = [
        {name: f"{row[name]}{'!' if name in row['over'] else ''}" for name in columns}
        for row in rows
    ]
    return shown, columns


@app.command()
def audit(
    key: KeyArgument = None,
    how: FormatOption = Format.table,
) -> None:
    """Check the printed numbers of papers, and list what was found, the most certain first."""
    from icml2008.audit.auditing import audit as check
    from icml2008.catalogue.entry import entry_of

    rows = [asdict(finding) for finding in check([entry_of(key)] if key else None)]
    if how is not Format.table:
        print_rows(rows, how, lambda: None)
        return
    if not rows:
        sys.stdout.write("No printed numbers of it are declared for checking.\n")
    for row in rows:
        head = f"{row['certainty']}: {row['paper']}, {row['where']} ({row['rule']}, {row['name']})"
        sys.stdout.write(f"{head}\n  {row['evidence']}\n")
        sys.stdout.write(f"  {row['note']}\n" if row["note"] else "")


@app.command()
def schemas(
    out: Annotated[Path, typer.Option(help="Folder that they are written to.")] = Path("schemas"),
) -> None:
    """Write JSON schemas of papers, records, verdicts and comparisons."""
    from icml2008.run.site.schemas import write_schemas

    for path in write_schemas(out):
        sys.stdout.write(f"{path}\n")
