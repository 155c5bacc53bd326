"""The site: every paper's pages from a reference, made again only where something changed."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import zlib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from icml2008.audit.auditing import audit
from icml2008.catalogue.coverage import coverage
from icml2008.catalogue.entry import all_entries, entry_of
from icml2008.errors import Icml2008Error
from icml2008.harness.machine import commit, last_commits
from icml2008.harness.records import write_atomically
from icml2008.report.pages.audit import audit_page
from icml2008.report.pages.findings_page import findings_page
from icml2008.report.pages.front import front_page
from icml2008.report.pages.page import write_files, write_pages
from icml2008.report.pages.quality_page import quality_page
from icml2008.report.pages.rules_page import rules_page
from icml2008.report.pages.two_hands import hands_page, reliability_of
from icml2008.report.quality import Flaw
from icml2008.report.templating import explained
from icml2008.run import keys as hashes
from icml2008.run.reference.flaws import quality_of
from icml2008.run.reference.reruns import summary
from icml2008.run.site import schemas
from icml2008.run.site.listed_methods import public_among
from icml2008.run.site.listings import archive_of, shelf_of, shelf_pages
from icml2008.run.site.pages import (
    evidence_of,
    health_of,
    moved,
    record_hashes,
    weak,
    write_paper,
    write_texts,
)
from icml2008.run.site.rendering import published
from icml2008.store import REFERENCE, Shelf

# Beside the pages: by which code and from what each paper's were made, and what lists say of it.
_MADE = ".made"
# Sphinx knows by itself what is there.
_DOCS = "docs"
# What the footer of the shared pages says of all evidence.
_OF_EVIDENCE = ("date", "arithmetic")


def build_site(
    out: Path,
    results: Path = REFERENCE,
    over: Callable[[Sequence[Any]], Iterable[Any]] = iter,
    *,
    docs: bool = False,
    only: Sequence[str] = (),
) -> dict[str, int]:
    """Write the site below a folder; return how many papers were made anew or kept, and files.

    Only pages of papers whose evidence, facts or code changed are made again. Files of an earlier
    site that no longer belong to it are removed. With `only`, several processes can share the work
    of one folder: each writes the pages of some papers, and then one the rest of the site.

    Parameters
    ----------
    out : path
    results : path
        The committed evidence, or a copy of it.
    over : callable
        Goes over the papers, and may show how far it is.
    docs : bool
        Whether to write the documentation, too, into the folder ``docs``, and lead to it.
    only : sequence of str
        Keys of papers: their pages are written, and nothing else; the whole site without any.

    Raises
    ------
    Icml2008Error
        If the folder holds something else than a site, or the documentation cannot be written.
    """
    if docs and not (find_spec("sphinx") and find_spec("myst_parser")):
        msg = "the documentation needs Sphinx and MyST; install: pip install -e '.[run,docs]'"
        raise Icml2008Error(msg)
    if out.exists() and not (out.is_dir() and (_MADE in os.listdir(out) or not os.listdir(out))):
        msg = f"{out} holds something else than a site; name an empty folder or a new one"
        raise Icml2008Error(msg)
    code = hashes.site_code()
    known = []
    belongs = set()
    counts: Counter[str] = Counter()
    commits = last_commits(results)
    entries = [entry_of(key) for key in only] or all_entries()
    shelves = [Shelf(results, entry) for entry in entries]
    # From now on the folder is a site's, for whoever shares the work, too.
    (out / _MADE).mkdir(parents=True, exist_ok=True)
    for shelf in over(shelves):
        key = shelf.key
        stamp = _stamp(shelf, f"{code} {docs} {commits.get(key)}")
        kept = out / _MADE / f"{key}.json.gz"
        made = _read_made(kept)
        if not made or made["stamp"] != stamp or not _there(out, made["files"]):
            made = _write_paper(out, shelf, docs, commits.get(key)) | {"stamp": stamp}
            write_atomically(kept, gzip.compress(json.dumps(made).encode(), mtime=0))
            counts["made"] += 1
        else:
            counts["kept"] += 1
        known.append(made)
        belongs.update(made["files"])
    if only:
        return {**counts, "files": len(belongs)}
    belongs.update(_write_shared(out, known, shelves, docs))
    _remove_others(out, belongs)
    if docs:
        _write_docs(out)
    return {**counts, "files": len(belongs)}


def _stamp(shelf: Shelf, code: str) -> str:
    """Return what a paper's pages are made by and from."""
    drawn = shelf.published_figures
    figures = sorted([*drawn.glob("*.svg"), *drawn.glob("*.csv")])
    evidence = [path for path in shelf.folder.rglob("*") if path.is_file()]
    folder = shelf.entry.folder
    facts = [folder / "paper.yaml", *folder.glob("second*.yaml"), *folder.rglob("*.py")]
    return f"{code} {hashes.hash_files([*facts, *figures, *evidence])}"


def _read_made(file: Path) -> dict[str, Any] | None:
    """Return what is kept of a paper's pages; None without it, and where it is broken."""
    with suppress(FileNotFoundError, gzip.BadGzipFile, EOFError, zlib.error, ValueError):
        return json.loads(gzip.decompress(file.read_bytes()))
    return None


def _there(out: Path, files: Iterable[str]) -> bool:
    return all((out / file).is_file() for file in files)


def _write_paper(out: Path, shelf: Shelf, docs: bool, last: str | None) -> dict[str, Any]:
    """Write what is about one paper; return what the rest of the site needs of it."""
    results = published(shelf)
    if last:
        results = replace(results, provenance={**(results.provenance or {}), "commit": last})
    flaws = quality_of(shelf, results.reference) if results.reference else []
    listed = shelf_of(shelf.entry, results)
    health = health_of(results, flaws)
    written = write_paper(
        out,
        shelf.entry,
        results,
        shelf.published_figures,
        health=health,
        records=record_hashes(shelf),
        reads=sorted(listed["reads"]),
        public=public_among(listed["runs"], shelf.entry),
        whole=True,
        docs=docs,
    )
    files = [*written.files, *write_files(out, archive_of(shelf, results))]
    return {
        "overview": written.overview,
        "files": files,
        "shelf": listed,
        "flaws": [asdict(flaw) for flaw in flaws],
        "moved": moved(results),
        "provenance": results.provenance
        and {name: results.provenance[name] for name in _OF_EVIDENCE},
    }


def _write_shared(
    out: Path, known: Sequence[Mapping[str, Any]], shelves: Sequence[Shelf], docs: bool
) -> list[str]:
    """Write what is about all papers."""
    overviews = [made["overview"] for made in known]
    flaws = [Flaw(**flaw) for made in known for flaw in made["flaws"]]
    kinds = Counter(flaw.kind for flaw in flaws)
    shifted = sum(made["moved"] for made in known)
    made_by = [origin for made in known if (origin := made["provenance"])]
    line = explained(f"{evidence_of(made_by, commit())} {weak(kinds, shifted)}")
    more = {"health": {"line": line}}
    more |= {"whole": True, "documented": docs}
    audited = audit()
    papers = [shelf.entry.paper for shelf in shelves]
    pages = [
        front_page(overviews, outcome=None, left_out=None, run=None, covered=coverage(), **more),
        quality_page(flaws, overviews, **more),
        audit_page(audited, papers, **more),
        findings_page(shelves, audited, reruns=summary(), hands=reliability_of(shelves), **more),
        rules_page(shelves, **more),
        hands_page(shelves, **more),
    ]
    results = shelves[0].results
    listings, beside = shelf_pages(out, [made["shelf"] for made in known], results, **more)
    published = {f"schemas/{name}": content for name, content in schemas.files().items()}
    return [
        *write_files(out, published),
        *write_pages(out, [*pages, *listings]),
        *write_texts(out, overviews),
        *write_files(out, beside),
    ]


def _write_docs(out: Path) -> None:
    """Write the documentation; what is doubtful in it is an error."""
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"]
    read = out / _MADE / "docs"
    done = subprocess.run(
        [*sphinx, "--doctree-dir", read, "docs", out / _DOCS], stderr=subprocess.PIPE, text=True
    )
    if done.returncode:
        # Else the next run would not read again, and not complain of, what has not changed since.
        shutil.rmtree(read, ignore_errors=True)
        msg = f"the documentation was not written:\n{done.stderr.strip()}"
        raise Icml2008Error(msg)


def _remove_others(out: Path, belongs: set[str]) -> None:
    for path in sorted(out.rglob("*"), reverse=True):
        inside = path.relative_to(out).as_posix()
        if inside.split("/")[0] in (_MADE, _DOCS):
            continue
        if path.is_dir():
            if not any(path.iterdir()):
                path.rmdir()
        elif inside not in belongs:
            path.unlink()
