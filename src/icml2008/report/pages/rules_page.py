"""How verdicts are reached: the rules with examples from the evidence, and how often they err."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from icml2008.judge.decide import RULEBOOK
from icml2008.report import wording
from icml2008.report.pages.page import Page
from icml2008.report.pages.worked_examples import ABOUT, Row, examples
from icml2008.store import Shelf

DOCS = Path("docs")
# The rules as the measured error rates name them.
RULES = {
    "above": "Above or below a limit",
    "near": "Near a printed value",
    "two lines": "Two lines",
    "whole": "Claims with parts",
    "cap": "Runs that were broken off",
    "readings": "Over readings",
    "generalises": "On new data of the kind",
}


def rules_page(shelves: Iterable[Shelf], docs: Path = DOCS, **more: Any) -> Page:
    """Return the rules with examples and measured error rates, ``rules.html``.

    Parameters
    ----------
    shelves : iterable of Shelf
        The evidence that examples may come from, of papers of the proceedings alone.
    docs : path
        Where ``calibration.csv`` and ``fixed-rules.csv`` are; what is not there is not shown.
    **more
        What the page is given besides: `health`.
    """
    content = {
        "rulebook": RULEBOOK,
        "examples": examples(shelves),
        "rates": error_rates(_read(docs / "calibration.csv")),
        "beyond": unmet(_read(docs / "calibration.csv")),
        "others": other_rules(_read(docs / "fixed-rules.csv")),
    }
    return Page("rules.html", "pages/rules.html", content | more)


def _read(file: Path) -> list[dict[str, str]]:
    if not file.is_file():
        return []
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


# Worked examples.


# Measured error rates.


def error_rates(rows: Sequence[Mapping[str, str]]) -> list[Row]:
    """Return, by rule and error, the situations that were simulated and the worst rate of them.

    Only rates that owe something to a level; see `unmet` for the others.
    """
    groups: dict[tuple[str, str], list[Mapping[str, str]]] = {}
    for row in rows:
        if row["demand"] in ("at most", "exactly") and row["what"] != "power":
            groups.setdefault((row["rule"], row["what"]), []).append(row)
    rates = []
    for (rule, what), group in groups.items():
        worst = max(group, key=lambda row: float(row["rate"]) - float(row["nominal"]))
        rates.append(
            {
                "rule": RULES.get(rule, rule),
                "what": what,
                "situations": len(group),
                "rate": float(worst["rate"]),
                "nominal": float(worst["nominal"]),
                "where": _where(worst),
            }
        )
    return sorted(rates, key=lambda rate: (list(RULES.values()).index(rate["rule"]), rate["what"]))


def unmet(rows: Sequence[Mapping[str, str]]) -> list[Row]:
    """Return the situations in which an assumption does not hold and a rate is beyond its level."""
    rates = [
        {
            "rule": RULES.get(row["rule"], row["rule"]),
            "what": row["what"],
            "where": _where(row),
            "rate": float(row["rate"]),
            "nominal": float(row["nominal"]),
        }
        for row in rows
        if row["demand"] == "shown"
        and row["what"] != "power"
        and float(row["rate"]) > float(row["nominal"])
    ]
    return sorted(rates, key=lambda rate: -rate["rate"])


def _where(row: Mapping[str, str]) -> str:
    parts = f", {row['parts']} parts" if row["parts"] != "1" else ""
    return f"{row['situation'].replace('+-', wording.PLUS_MINUS)}, {row['repeats']} repeats{parts}"


def other_rules(rows: Sequence[Mapping[str, str]]) -> list[Row]:
    """Return what this project's and other rules decide in the same situations.

    A table for each of what is decided on; each row is a situation, its cells the shares of wrong
    and of open decisions by rule; and by rule the largest share of wrong ones.
    """
    tables: dict[str, dict[str, Any]] = {}
    for row in rows:
        table = tables.setdefault(row["about"], {"rules": {}, "rows": {}})
        repeats = f", {row['repeats']} repeats" if row["rule"] == "this project" else ""
        rule = f"{row['rule'].capitalize()}{repeats}"
        table["rules"][rule] = None
        confirmed = float(row["confirmed"])
        refuted = float(row["refuted"])
        wrong = {"holds": refuted, "does not hold": confirmed}
        at = table["rows"].setdefault(
            (row["situation"], row["truth"]),
            {"situation": row["situation"], "truth": row["truth"], "cells": {}},
        )
        at["cells"][rule] = {
            "wrong": wrong.get(row["truth"], confirmed + refuted),
            "open": max(1 - confirmed - refuted, 0.0),
        }
    return [
        {
            "title": ABOUT.get(about, about),
            "rules": list(table["rules"]),
            "rows": list(table["rows"].values()),
            "worst": {
                rule: max(row["cells"][rule]["wrong"] for row in table["rows"].values())
                for rule in table["rules"]
            },
        }
        for about, table in tables.items()
    ]
