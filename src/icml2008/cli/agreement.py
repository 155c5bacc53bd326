"""Commands that lay two hands side by side: ``agreement | score-judge``."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from icml2008.cli.common import (
    Format,
    FormatOption,
    KeyArgument,
    NothingListed,
    PublishedOption,
    app,
    console,
    print_rows,
    shelves_of,
    simple_table,
)
from icml2008.store import published_verdicts

if TYPE_CHECKING:
    from icml2008.report.hand_pairs import Pair


@app.command()
def agreement(
    key: KeyArgument = None,
    results: PublishedOption = None,
    how: FormatOption = Format.table,
) -> None:
    """Say how far our verdicts agree with those of a second hand, who had the text alone.

    At first, and by today's verdicts; csv has a line for each sentence.
    """
    from icml2008.report.hand_pairs import read_pairs
    from icml2008.report.hand_totals import summary

    pairs = read_pairs(shelves_of(key, results or published_verdicts()))
    if not pairs:
        msg = f"no second hand on {key or 'any paper'} yet: its second.yaml is missing"
        raise NothingListed(msg)
    if how is Format.csv:
        print_rows([pair.to_json() for pair in pairs], how, lambda: None)
    elif how is Format.json:
        text = json.dumps(summary(pairs), indent=1, ensure_ascii=False, allow_nan=False)
        sys.stdout.write(f"{text}\n")
    else:
        _print(pairs, summary(pairs))


def _print(pairs: Sequence[Pair], overview: dict[str, Any]) -> None:
    out = console()
    judged = overview["all"]
    rows = [_agreement("all", judged), *(_agreement(row["name"], row) for row in overview["kinds"])]
    papers = [_agreement(row["name"], row) for row in overview["papers"]]
    columns = ["", *(f"{name} {moment}" for moment in ("first", "now") for name in _COLUMNS)]
    sentences = overview["sentences"]
    compared = overview["numbers"]["compared"]
    out.print(f"{sentences} sentences of {len(papers)} papers were judged by a second hand.\n")
    out.print(simple_table(rows, columns))
    if len(papers) > 1:
        out.print()
        out.print(simple_table(papers, columns))
    out.print(f"\n{_standing(overview['standing'])}")
    if overview["causes"]:
        out.print("\nDifferences by cause")
        out.print(simple_table(overview["causes"], ["cause", "first", "now", "about"]))
    out.print(f"\nNumbers with a standard error on both sides: {compared}")
    for number in overview["numbers"]["apart"]:
        out.print(
            f"  {number['paper']}, {number['claim']}: {number['theirs']:.4g} and ours "
            f"{number['ours']:.4g}, {number['apart']:.1f} standard errors apart"
        )
    for row in overview["differences"]:
        out.print(
            f"\n{row['paper']} {row['sentence']}: {row['theirs']}; ours at first "
            f"{row['first'] or 'not judged'}, now {row['now'] or 'not judged'}\n"
            f"  {row['says']}\n  {row['cause'] or 'no cause given'}: {row['answer'] or '-'}"
            + (f"\n  decided by the text: {row['decided']}" if row["decided"] else "")
        )


@app.command()
def score_judge(
    file: Annotated[
        Path | None,
        typer.Argument(help="CSV with the columns id and verdict; the baselines if left out."),
    ] = None,
    results: PublishedOption = None,
    how: FormatOption = Format.table,
) -> None:
    """Score a judge's verdicts: against two hands that agree, and where the truth is known.

    The sentences and claims are in judges.zip, among the downloads of the site.
    """
    from icml2008.run.site.judges import Benchmark

    benchmark = Benchmark(shelves_of(None, results or published_verdicts()))
    judges = benchmark.baselines() if file is None else [(file.stem, benchmark.read(file))]
    rows = [benchmark.score(*judge) for judge in judges]
    print_rows(rows, how, lambda: simple_table(rows, list(rows[0])))


def _standing(row: dict[str, Any]) -> str:
    judged = row["agree"] + row["decided"] + row["open"]
    text = (
        f"Now {row['agree']} of {judged} sentences agree, {row['decided']} are decided by the "
        f"text, and {row['open']} are left open"
    )
    if row["share"] is not None:
        text += f": {100 * row['share']:.1f} % agree or are decided"
    if row["low"] is not None:
        text += f" (95 % interval over papers {100 * row['low']:.0f} to {100 * row['high']:.0f} %)"
    return f"{text}."


_COLUMNS = ("agree", "opposite", "kappa", "95 %")


def _agreement(name: str, row: dict[str, Any]) -> dict[str, str]:
    cells = {"": name}
    for moment in ("first", "now"):
        measures = row[moment]
        value = measures["kappa"]
        low = measures["low"]
        high = measures["high"]
        cells[f"agree {moment}"] = f"{measures['agree']} of {measures['sentences']}"
        cells[f"opposite {moment}"] = f"{measures['opposite']}"
        cells[f"kappa {moment}"] = "" if value is None else f"{value:.2f}"
        cells[f"95 % {moment}"] = "" if low is None else f"{low:.2f} to {high:.2f}"
    return cells
