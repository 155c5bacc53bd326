"""A release: what it needs, the files that it writes, and the archive that it makes."""

from __future__ import annotations

import gzip
import hashlib
import re
import subprocess
import tomllib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import yaml

from icml2008.catalogue.entry import all_entries
from icml2008.errors import Icml2008Error
from icml2008.harness.records import write_atomically
from icml2008.report.described import descriptions
from icml2008.report.pages.bundle import ALL_VERDICTS, packed_verdicts
from icml2008.run.reference.proof import is_proven
from icml2008.run.site.addresses import FROZEN, addresses, frozen, lost
from icml2008.run.site.listings import RELEASES, verdicts_of
from icml2008.store import Shelf

CITATION = Path("CITATION.cff")
CHANGELOG = Path("CHANGELOG.md")
SUMS = "SHA256SUMS"

_DATE = re.compile(r"^date-released: .*\n", re.MULTILINE)
_VERSION = re.compile(r"^(?=version: )", re.MULTILINE)


@dataclass(frozen=True)
class Release:
    """The release of the version that `pyproject.toml` has.

    Attributes
    ----------
    root : path
        The clone of the repository.
    day : date
    table : bytes
        The packed table of all verdicts.
    pages : sequence of str
        The addresses of the site.
    faults : sequence of str
        What is wrong with the evidence or with addresses.
    """

    root: Path
    day: date
    table: bytes
    pages: Sequence[str]
    faults: Sequence[str] = ()

    @cached_property
    def project(self) -> dict[str, Any]:
        """The table ``project`` of ``pyproject.toml``."""
        return tomllib.loads((self.root / "pyproject.toml").read_text("utf-8"))["project"]

    @property
    def version(self) -> str:
        """The version."""
        return self.project["version"]

    @property
    def tag(self) -> str:
        """The tag of its commit."""
        return f"v{self.version}"

    @property
    def _heading(self) -> str:
        return f"## {self.version} (unreleased)\n"

    def hindrances(self) -> Iterator[str]:
        """Yield why it cannot be made now; nothing if it can."""
        if changed := self._git("status", "--porcelain").splitlines():
            yield f"the work tree has changes that are not committed: {changed[0].strip()}"
        if self._git("tag", "--list", self.tag).strip():
            yield f"the tag {self.tag} is there; raise the version in pyproject.toml"
        if self._heading not in (self.root / CHANGELOG).read_text("utf-8"):
            yield f"{CHANGELOG} has no heading {self._heading.strip()!r}"
        if (version := str(self._cited()["version"])) != self.version:
            yield f"{CITATION} has version {version}, pyproject.toml {self.version}"
        yield from self.faults

    def _cited(self) -> dict[str, Any]:
        return yaml.safe_load((self.root / CITATION).read_text("utf-8"))

    def files(self) -> dict[str, bytes]:
        """Return the files of the repository that it writes, by path."""
        cff = _DATE.sub("", (self.root / CITATION).read_text("utf-8"))
        cff = _VERSION.sub(f"date-released: {self.day}\n", cff, count=1)
        log = (self.root / CHANGELOG).read_text("utf-8")
        given = sorted({*frozen(self.root), *self.pages})
        folder = RELEASES / self.version
        return {
            str(CITATION): cff.encode(),
            str(CHANGELOG): log.replace(
                self._heading, f"## {self.version} ({self.day})\n"
            ).encode(),
            **descriptions(yaml.safe_load(cff), self.project),
            str(FROZEN): "".join(f"{address}\n" for address in given).encode(),
            str(folder / CITATION): cff.encode(),
            str(folder / ALL_VERDICTS): self.table,
        }

    def make(self, out: Path) -> list[Path]:
        """Write its files, commit and tag them, and make the archive; return what is in `out`.

        Raises
        ------
        Icml2008Error
            If something hinders it; nothing is written then.
        """
        if hindrances := list(self.hindrances()):
            raise Icml2008Error("\n".join(hindrances))
        files = self.files()
        for path, content in files.items():
            write_atomically(self.root / path, content)
        self._git("add", "--", *files)
        self._git("commit", "--quiet", "--message", f"Release {self.version}", "--", *files)
        self._git("tag", "--annotate", self.tag, "--message", f"Release {self.version}")
        return self._archives(out)

    def _archives(self, out: Path) -> list[Path]:
        """Write the sources and, where its builder is at hand, the wheel, with their sums."""
        stem = f"{self.project['name']}-{self.version}"
        tar = self._git("archive", "--format=tar", f"--prefix={stem}/", self.tag, text=False)
        sources = out / f"{stem}.tar.gz"
        write_atomically(sources, gzip.compress(tar, 9, mtime=0))
        archives = [sources, *_wheels(self.root, out)]
        sums = out / SUMS
        write_atomically(sums, "".join(sum_line(path) for path in archives))
        return [*archives, sums]

    def _git(self, *command: str, text: bool = True) -> Any:
        done = subprocess.run(["git", *command], cwd=self.root, capture_output=True, text=text)
        if done.returncode:
            reason = done.stderr if text else done.stderr.decode()
            msg = f"git {command[0]}: {reason.strip()}"
            raise Icml2008Error(msg)
        return done.stdout


def release_of(root: Path, day: date) -> Release:
    """Return the release of a clone as it is."""
    if not (root / CITATION).is_file() or not (root / ".git").exists():
        msg = "no repository here: a release is made in a clone"
        raise Icml2008Error(msg)
    entries = list(all_entries())
    papers = [entry.paper for entry in entries]
    shelves = [Shelf.of_reference(entry) for entry in entries]
    judged = [shelf for shelf in shelves if shelf.verdicts_file.is_file()]
    unproven = [shelf.key for shelf in judged if not is_proven(shelf)]
    faults = []
    if unproven:
        names = ", ".join(unproven)
        faults.append(
            f"no proof that verdicts are those of the records: {names}; icml2008 judge --write"
        )
    faults += [f"nothing is at {address} any more" for address in lost(frozen(root), papers)]
    table = packed_verdicts(verdicts_of(judged))
    return Release(root, day, table, addresses(papers), faults)


def sum_line(path: Path) -> str:
    """Return the line that ``sha256sum --check`` reads."""
    return f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n"


def _wheels(root: Path, out: Path) -> list[Path]:
    if not find_spec("hatchling"):
        return []
    from hatchling.builders.wheel import WheelBuilder

    return [Path(path) for path in WheelBuilder(str(root)).build(directory=str(out))]


def plan(release: Release, out: Path) -> str:
    """Return what making a release would do, and what hinders it."""
    stem = f"{release.project['name']}-{release.version}"
    wheel = f", {stem}-py3-none-any.whl" if find_spec("hatchling") else ""
    lines = [f"Release {release.version} of {release.day}", "", "It writes"]
    lines += [f"  {_change(release.root, path, content)}" for path, content in _files(release)]
    lines += ["commits and tags them", f"  Release {release.version}, {release.tag}"]
    lines += [f"and makes, in {out}", f"  {stem}.tar.gz{wheel}, {SUMS}"]
    hindrances = list(release.hindrances())
    if hindrances:
        lines += ["", "It cannot be made now:", *(f"  {text}" for text in hindrances)]
    else:
        lines += ["", "Nothing was done. To do it: icml2008 release --make"]
    return "\n".join(lines)


def _files(release: Release) -> Sequence[tuple[str, bytes]]:
    return list(release.files().items())


def _change(root: Path, path: str, content: bytes) -> str:
    """Return in words what writing a file would change."""
    file = root / path
    before = file.read_bytes() if file.is_file() else None
    if before is None:
        return f"{path}: new, {len(content):,} bytes"
    if before == content:
        return f"{path}: as it is"
    old = before.decode().splitlines()
    new = content.decode().splitlines()
    added = len(set(new) - set(old))
    gone = len(set(old) - set(new))
    return f"{path}: +{added} -{gone} lines"
