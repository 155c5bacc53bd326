"""A benchmark for judges: sentences that two hands judged, and simulated claims of known truth."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from icml2008.catalogue.second import FOUND, combined
from icml2008.errors import Icml2008Error, nearest
from icml2008.harness.choices import DEFAULT
from icml2008.judge.fixed import RUNS
from icml2008.judge.simulated import SIMPLER, by_rule_book, by_simpler_rule, simulated
from icml2008.report import wording
from icml2008.report.hand_pairs import Pair, read_pairs
from icml2008.report.kappa import agreement
from icml2008.report.pages import bundle
from icml2008.store import Shelf

Row = dict[str, Any]
Verdicts = Mapping[str, str]
"""What a judge says, by the ids of sentences and simulated claims."""

OURS = "rule book 3"
BASELINES = "judges.csv"
# Of two equal methods neither order is true: a judge that knows leaves it open.
_RIGHT = {"equal": "open"}
_WRONG = {"holds": ("fails", "equal", "depends"), "fails": ("holds", "equal", "depends")}
_COLUMNS = {
    "sentences": {
        "id": "Paper, file of the second hand, and sentence.",
        "paper": "Key of the paper.",
        "kind": "theorem, order, trend, limit or value.",
        "says": "The sentence in the second hand's words.",
        "quote": "In the paper's words.",
        "page": "Where it stands.",
        "printed": "The number that it prints.",
        "claims": "The claims or parts that judge it, rows of the verdicts; by semicolons.",
        "second_hand": "What the second hand found: holds, fails, depends or open.",
        "ours": "What our verdicts on these claims come to.",
        "consensus": "What both say; empty where they differ.",
    },
    "simulated": {
        "id": "Name of the claim: an order (A is better than B) or a value (of A, as printed).",
        "reading": "1 is the best guess, 2 another that the text allows; the rest is said.",
        "printed": "Of a value: the printed number.",
        "printed_sd": "Its printed standard deviation.",
        "printed_n": "Its printed repeats.",
        "gap": "The printed gap that the experiment is about.",
        "a": "What A reached in each repeat, by spaces; higher is better.",
        "b": "What B reached in the same repeats.",
    },
    "truth": {
        "id": "Name of the simulated claim.",
        "situation": "From what it was drawn.",
        "truth": "holds, fails, depends (on the reading), or equal (neither order is true).",
    },
}


class Benchmark:
    """Sentences and simulated claims, with what is known of them.

    Parameters
    ----------
    shelves : iterable of Shelf
        The evidence that our hand judged.
    """

    def __init__(self, shelves: Iterable[Shelf]) -> None:
        self.shelves = {shelf.key: shelf for shelf in shelves}
        pairs = read_pairs(self.shelves.values())
        self.pairs = {f"{p.paper}/{p.hand}/{p.name}": p for p in pairs if p.now}
        self.simulated = {f"simulated/{claim.name}": claim for claim in simulated()}

    def read(self, file: Path) -> dict[str, str]:
        """Return what a judge says in a file of CSV with the columns ``id`` and ``verdict``.

        Raises
        ------
        Icml2008Error
            If a column, an id or a verdict is another.
        """
        text = file.read_text("utf-8") if file.is_file() else ""
        rows = list(csv.DictReader(io.StringIO(text)))
        if not rows or not {"id", "verdict"} <= rows[0].keys():
            msg = f"{file}: a judge's file is CSV with the columns id and verdict, a line for each"
            raise Icml2008Error(msg)
        known = [*self.pairs, *self.simulated]
        for number, row in enumerate(rows, start=2):
            for value, options in ((row["id"], known), (row["verdict"], FOUND)):
                if value not in options:
                    msg = f"{file}, line {number}: unknown {value!r}{nearest(value, options)}"
                    raise Icml2008Error(msg)
        return {row["id"]: row["verdict"] for row in rows}

    def baselines(self) -> Iterator[tuple[str, Verdicts]]:
        """Yield what the rule book and the two simpler rules say."""
        ours = {name: pair.now for name, pair in self.pairs.items()}
        yield OURS, ours | {name: by_rule_book(claim) for name, claim in self.simulated.items()}
        values = {key: self._parts(self.shelves[key]) for key in self._papers()}
        for rule in SIMPLER:
            verdicts = {name: _by_rule(rule, p, values[p.paper]) for name, p in self.pairs.items()}
            verdicts |= {
                name: by_simpler_rule(rule, *claim.of_one_reading)
                for name, claim in self.simulated.items()
            }
            yield rule, {name: verdict for name, verdict in verdicts.items() if verdict}

    def _papers(self) -> list[str]:
        return list(dict.fromkeys(pair.paper for pair in self.pairs.values()))

    def _parts(self, shelf: Shelf) -> dict[str, Row]:
        return {
            " / ".join(filter(None, [row["claim"], row["part"]])): row
            for row in shelf.rows(more=False)
            if row.get("universe", DEFAULT) == DEFAULT
        }

    def score(self, judge: str, verdicts: Verdicts) -> Row:
        """Return how a judge does.

        Returns
        -------
        dict
            Of the sentences on which both hands agree, how many it judged, and on what share it
            agrees with them; on what share of all that it judged with the second hand, and kappa.
            Of the simulated claims: how many it judged; the share of its false confirmations among
            those that do not hold, and of false refutations among those that do not fail; the
            share that it got right, and left open.
        """
        judged = {name: pair for name, pair in self.pairs.items() if name in verdicts}
        alike = {name: pair for name, pair in self.pairs.items() if pair.now == pair.theirs}
        both = [verdicts[name] == pair.theirs for name, pair in alike.items() if name in verdicts]
        triples = [(pair.paper, pair.theirs, verdicts[name]) for name, pair in judged.items()]
        second = agreement(triples, FOUND)
        truths = [
            (claim.truth, verdicts[name])
            for name, claim in self.simulated.items()
            if name in verdicts
        ]
        return {
            "judge": judge,
            "agreed sentences": f"{len(both)} of {len(alike)}",
            "alike": _rounded(_mean(both)),
            "with second hand": _rounded(second.share),
            "kappa": _rounded(second.kappa),
            "simulated": f"{len(truths)} of {len(self.simulated)}",
            "false confirmations": _share(truths, "holds"),
            "false refutations": _share(truths, "fails"),
            "right": _rounded(_mean([word == _RIGHT.get(truth, truth) for truth, word in truths])),
            "open": _rounded(_mean([word == "open" for _, word in truths])),
        }

    def archive(self) -> bytes:
        """Return the data set as a ZIP archive with its ``datapackage.json``."""
        tables: dict[str, list[list[Any]]] = {name: [] for name in _COLUMNS}
        rows = {key: self._parts(self.shelves[key]) for key in self._papers()}
        for name, pair in self.pairs.items():
            its = pair.sentence
            alike = pair.theirs == pair.now
            about = [name, pair.paper, pair.kind, its.says, its.quote, its.page, its.printed]
            hands = [pair.theirs, pair.now, pair.now if alike else None]
            tables["sentences"].append(
                [*about, [claim for claim in its.claims if claim in rows[pair.paper]], *hands]
            )
        for name, claim in self.simulated.items():
            tables["truth"].append([name, claim.situation, claim.truth])
            printed = [(claim.printed or {}).get(key) for key in ("value", "sd", "n", "gap")]
            for place, runs in enumerate(claim.readings, start=1):
                a, *b = (" ".join(f"{x:.6g}" for x in column) for column in runs.T)
                tables["simulated"].append([name, place, *printed, a, "".join(b)])
        verdicts = [row for parts in rows.values() for row in parts.values()]
        files = {bundle.VERDICTS: bundle.verdicts_csv(verdicts).encode()}
        about = "What the records of our claims come to, and our verdicts"
        described = [bundle.table("verdicts", bundle.VERDICTS, about, bundle.verdict_fields())]
        for name, columns in _COLUMNS.items():
            files[f"{name}.csv"] = bundle.as_csv(tables[name], list(columns)).encode()
            fields = [{"name": column, "description": columns[column]} for column in columns]
            described.append(bundle.table(name, f"{name}.csv", name.capitalize(), fields))
        title = "A benchmark for judges of reproductions"
        files[bundle.PACKAGE] = bundle.packaged("judges", title, described, files)
        return bundle.zipped(files)


def _by_rule(rule: str, pair: Pair, rows: Mapping[str, Row]) -> str | None:
    """Return what a simpler rule says of a sentence; None where it has no say on all its claims."""
    words = {"holds": "confirmed", "fails": "refuted", "open": "inconclusive"}
    verdicts = []
    for claim in pair.sentence.claims:
        parts = [row for at, row in rows.items() if at.startswith(f"{claim} / ")]
        for row in parts or filter(None, [rows.get(claim)]):
            if row["verdict"] == "untested":
                continue
            floor = row["floor"]
            printed = wording.printed_value(row)
            ordered = row["comparison"] in ("above", "below") and floor is not None
            if len(row["values"]) < RUNS or not (ordered or row["comparison"] == "near"):
                return None
            runs = np.asarray(row["values"], float)
            sign = -1 if row["comparison"] == "below" else 1
            given = (sign * (runs - floor), None) if ordered else (runs, printed)
            verdicts.append(words[by_simpler_rule(rule, *given)])
    return combined(verdicts)


def _share(truths: Sequence[tuple[str, str]], word: str) -> float | None:
    return _rounded(_mean([verdict == word for truth, verdict in truths if truth in _WRONG[word]]))


def _mean(hits: Sequence[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None


def _rounded(share: float | None) -> float | None:
    return None if share is None else round(share, 3)
