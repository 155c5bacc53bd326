"""What a folder of results has of one paper: its files, and what is read from them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from icml2008 import forms
from icml2008.harness.records import Line, canonical
from icml2008.judge.standing import stated
from icml2008.store import verdictfiles
from icml2008.store.files import PACKED, read_json, read_text, write_json, write_packed
from icml2008.store.places import FIGURES, REFERENCE, is_reference, page_of, run_folder
from icml2008.store.recordfiles import packed_text, read_lines, read_measurements, record_file
from icml2008.store.verdictfiles import Row


class Titled(Protocol):
    """What a shelf asks of a paper, of which `icml2008.catalogue.entry.Entry` has more."""

    @property
    def key(self) -> str:
        """The name of its folders."""

    @property
    def digest(self) -> Any:
        """What lists show of it: what its claims say of themselves today."""


@dataclass(frozen=True)
class Shelf:
    """The results of a paper in a folder of results.

    Attributes
    ----------
    results : path
        The folder: of a run, or the reference.
    entry : Entry
        The paper.
    """

    results: Path
    entry: Titled

    @classmethod
    def of_reference(cls, entry: Titled) -> Shelf:
        """Return the shelf with the committed results of a paper."""
        return cls(REFERENCE, entry)

    @classmethod
    def of_run(cls, label: str, entry: Titled) -> Shelf:
        """Return the shelf of a paper in the folder of a scale, or of a scale and an arithmetic."""
        return cls(run_folder(label), entry)

    @property
    def key(self) -> str:
        """Key of the paper."""
        return self.entry.key

    @property
    def label(self) -> str:
        """The name of the folder of results: a scale, or a scale and an arithmetic."""
        return self.results.name

    @property
    def reference(self) -> Shelf:
        """The shelf with the committed results of the same paper."""
        return Shelf(REFERENCE, self.entry)

    @property
    def packed(self) -> bool:
        """Whether what is written here is packed: in a reference."""
        return is_reference(self.results)

    @property
    def folder(self) -> Path:
        """The paper's folder in the folder of results."""
        return self.results / self.key

    @property
    def records_folder(self) -> Path:
        """The folder of record files."""
        return self.folder / "records"

    @property
    def shards_folder(self) -> Path:
        """The folder of what single jobs recorded."""
        return self.folder / "shards"

    @property
    def verdicts_file(self) -> Path:
        """The file of the verdicts; of a reference, of those of the default universe."""
        return self.folder / "verdicts.json"

    @property
    def provenance_file(self) -> Path:
        """The file that says how a reference came about."""
        return self.folder / "provenance.json"

    @property
    def first_claims_file(self) -> Path:
        """The file of the hashes of claims as they were judged at first."""
        return self.folder / "claims.json"

    @property
    def changed_claims_file(self) -> Path:
        """The file of the hashes of claims that were changed, one for each change."""
        return self.folder / "changes.json"

    @property
    def arithmetic_file(self) -> Path:
        """The file that says what other arithmetics do to a reference."""
        return self.folder / "arithmetic.json"

    @property
    def proof_file(self) -> Path:
        """The file with a hash of a reference that was whole."""
        return self.folder / "proof.txt"

    @property
    def overview_file(self) -> Path:
        """The file of a paper's line of a run's scoreboard."""
        return self.folder / "overview.json"

    @property
    def tables_stem(self) -> Path:
        """The path of a run's tables, less their suffixes."""
        return self.folder / "claims"

    @property
    def figures_folder(self) -> Path:
        """The folder of a run's figures of a paper that has no published ones."""
        return self.folder / "figures"

    @property
    def published_figures(self) -> Path:
        """The folder of the paper's published figures: one, whatever the folder of results."""
        return FIGURES / self.key

    @property
    def drawn_by_file(self) -> Path:
        """The file beside published figures with what they are drawn by and from."""
        return self.published_figures / "drawn-by.txt"

    @property
    def page(self) -> Path:
        """The page of a paper among those of a run."""
        return page_of(self.label).with_name(f"{self.key}.html")

    @property
    def cost_files(self) -> list[Path]:
        """The files that say what the jobs of a paper's trials cost."""
        return sorted(self.shards_folder.glob("*/*.cost.json"))

    @property
    def record_files(self) -> list[Path]:
        """The files with measurements."""
        folder = self.records_folder
        return sorted([*folder.glob("*/*.jsonl"), *folder.glob(f"*{PACKED}")])

    @property
    def verdict_files(self) -> list[Path]:
        """The files of verdicts that are there."""
        files = (self.verdicts_file, self._more_verdicts)
        return [file for file in files if file.is_file()]

    @property
    def files(self) -> list[Path]:
        """All files, but the proof that they are whole."""
        paths = self.folder.rglob("*")
        return [path for path in paths if path.is_file() and path != self.proof_file]

    @property
    def _more_verdicts(self) -> Path:
        return self.folder / f"verdicts{PACKED}"

    def packed_file(self, experiment: str) -> Path:
        """Return the file of an experiment's records in a reference."""
        return self.records_folder / f"{experiment}{PACKED}"

    def records(self) -> dict[tuple[str, str], list[Line]]:
        """Return the measurements by experiment and universe, each with its header."""
        records = {}
        for path in self.record_files:
            records |= read_measurements(path)
        return records

    def readable(self) -> tuple[dict[tuple[str, str], list[Line]], list[str]]:
        """Return the measurements of the files that can be read, and why others cannot."""
        records = {}
        broken = []
        for path in self.record_files:
            try:
                records |= read_measurements(path)
            except OSError as error:
                broken.append(f"{path} cannot be read: {error.strerror}")
            except forms.BrokenFile as error:
                broken.append(str(error))
        return records, broken

    def lines(self, experiment: str, universe: str) -> list[Line]:
        """Return measurements and kept arrays of an experiment in a universe, without headers.

        A reference has kept arrays of the default only.
        """
        files = [
            *(
                record_file(self.records_folder, experiment, universe, kept=kept)
                for kept in (False, True)
            ),
            self.packed_file(experiment),
        ]
        groups = [
            lines
            for file in files
            if file.is_file()
            for lines in read_lines(file, lambda head: head["universe"] == universe)
        ]
        return [line for lines in groups for line in lines[1:]]

    def pack(self, experiment: str, run: Shelf) -> Path:
        """Write the packed records of an experiment from those of a run; return their file."""
        file = self.packed_file(experiment)
        write_packed(file, packed_text(run.records_folder, experiment))
        return file

    def rows(self, *, more: bool = True, universe: str | None = None) -> list[Row]:
        """Return the verdicts as they were written; none if the paper was not judged.

        Without `more`, only what ``verdicts.json`` has: of a reference, the default universe
        without reasons and inputs, which is quick to read. A reference has the inputs of the
        default universe alone. With a `universe`, its verdicts only.

        Raises
        ------
        BrokenFile
            If a file of theirs is not what it should be.
        """
        file = self.verdicts_file
        listed = forms.hold(list[dict[str, Any]], read_json(file) or [], str(file))
        lines = self._packed_rows(universe) if more and listed else ()
        rows = forms.rows(verdictfiles.unpacked(listed, lines), file)
        return [row for row in rows if universe in (None, row["universe"])]

    def _packed_rows(self, universe: str | None) -> Iterator[Row]:
        file = self._more_verdicts
        # Most lines are of other universes, and reading one takes longer than looking into it.
        named = "" if universe is None else canonical({"universe": universe})[1:-1]
        if file.is_file():
            for number, text in enumerate(read_text(file).splitlines(), start=1):
                if named in text:
                    where = f"{file}, line {number}"
                    yield forms.hold(dict[str, Any], forms.from_json(text, where), where)

    def verdicts(self, *, more: bool = True) -> list[Row]:
        """Return the verdicts with what their claims say of themselves today, as `rows` does."""
        rows = self.rows(more=more)
        claims = self.entry.digest.claims if rows else {}
        return [stated(row, claims) for row in rows]

    def write_verdicts(self, rows: Sequence[Row]) -> None:
        """Write the verdicts in all universes."""
        if self.packed:
            rows, more = verdictfiles.packed(rows)
            write_packed(self._more_verdicts, "".join(f"{canonical(row)}\n" for row in more))
        write_json(self.verdicts_file, rows)

    def provenance(self) -> dict[str, Any] | None:
        """Return where a reference comes from, or None if that is not to be read."""
        try:
            content = read_json(self.provenance_file)
        except (OSError, ValueError):
            return None
        known = isinstance(content, dict) and isinstance(content.get("keys"), dict)
        return content if known else None

    @contextmanager
    def replaced(self) -> Iterator[Shelf]:
        """Give a shelf with a copy of what is on this one; it takes its place after the body.

        If the body fails, nothing has changed.
        """
        self.results.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".", dir=self.results.parent) as temporary:
            stage = Shelf(Path(temporary, self.results.name), self.entry)
            old = Path(temporary, "old")
            if self.folder.is_dir():
                shutil.copytree(self.folder, stage.folder)
            yield stage
            if self.folder.is_dir():
                os.rename(self.folder, old)
            os.rename(stage.folder, self.folder)
