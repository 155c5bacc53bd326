"""Commands for those who add papers: ``new | claims | size | audit | schemas``."""

from __future__ import annotations

import sys
import unicodedata
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from icml2008.cli.common import (
    Format,
    FormatOption,
    KeyArgument,
    app,
    print_rows,
    refuse_unknown,
    simple_table,
)
from icml2008.errors import Icml2008Error


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
        msg = f"no paper {key!r}"
        msg += f"{library.nearest_key(key, library.paper_keys())}; to begin one: --to FOLDER"
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
        f"  {workflow_command(folder)}",
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

    refuse_unknown("--kind", kind, {"value", "order", "trend", "invariant"})
    words = _plain(text or "").split()
    rows = []
    listed = [entry.paper for entry in all_entries()]
    refuse_unknown("--topic", topic, {paper.topic for paper in listed})
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
