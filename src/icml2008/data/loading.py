"""Loading data sets by name, and the list of those there are."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

from icml2008.data.fetch import cache_folder, fetch_file
from icml2008.data.readers.text import Unreadable
from icml2008.data.registry import Dataset, dataset_entry, file_entry, registry
from icml2008.errors import Icml2008Error


class PackageMissing(Icml2008Error):
    """A data set cannot be read without a package that is not installed."""


class DataUnreadable(Icml2008Error):
    """A data set's loader cannot read its files, though they hold what is registered."""


def load(
    name: str,
    *,
    mirrors: Iterable[str | os.PathLike] = (),
    cache: str | os.PathLike | None = None,
    offline: bool = False,
    progress: bool = False,
) -> Any:
    """Return a data set, fetching its files first where they are not in the cache.

    Parameters
    ----------
    name : str
        A name that `icml2008.data.catalogue` lists.
    mirrors, cache, offline, progress
        As for `icml2008.data.fetch_file`.

    Returns
    -------
    object
        What the data set's loader documents.

    Raises
    ------
    UnknownData
        If there is no data set of that name; the message has the nearest one.
    PackageMissing
        If its loader needs a package that is not installed.
    DataUnavailable, DataCorrupt
        If a file of it could not be had.
    DataUnreadable
        If its loader cannot read them: the entry names another loader or other options than the
        files need.
    DataOtherwise
        If what was read is not what the entry says under ``holds``.
    """
    from icml2008.data.holding import check_holding  # which imports NumPy

    entry = dataset_entry(name)
    if lacks := entry.lacks:
        msg = f"{name} is read with {', '.join(lacks)}: pip install {' '.join(lacks)}"
        raise PackageMissing(msg)
    mirrors = tuple(mirrors)
    paths = [
        fetch_file(file, mirrors=mirrors, cache=cache, offline=offline, progress=progress)
        for file in entry.files
    ]
    data = read_files(name, entry, paths)
    check_holding(name, entry, data)
    return data


def read_files(name: str, entry: Dataset, paths: Sequence[Path]) -> Any:
    """Return what a data set's loader makes of files.

    Raises
    ------
    DataUnreadable
        If it fails; the message has its reason.
    """
    module, _, function = entry.loader.partition(":")
    try:
        return getattr(import_module(module), function)(*paths, **entry.options)
    except Unreadable as error:
        msg = f"{name}: {error}"
        raise DataUnreadable(msg) from error
    except (Icml2008Error, MemoryError):
        raise
    except Exception as error:  # a loader is given what a stranger registered, and may fail anyhow
        files = ", ".join(path.name for path in paths)
        msg = f"{name}: {entry.loader} cannot read {files}: {type(error).__name__}: {error}"
        raise DataUnreadable(msg) from error


def catalogue(*, cache: str | os.PathLike | None = None) -> list[dict[str, Any]]:
    """Return one row for each data set, sorted by name.

    Returns
    -------
    list of dict
        Keys: ``name``, ``description``, ``files`` (names), ``bytes`` (of the content), ``licence``,
        ``citation``, ``defects`` (each a list of distinct texts) and ``state``: "cached", "partly
        cached" or "not cached", by the presence of the files alone (`icml2008.data.verify` reads
        them).
    """
    folder = cache_folder(cache)
    rows = []
    for name, entry in sorted(registry().datasets.items()):
        files = [file_entry(file) for file in entry.files]
        there = sum((folder / file).is_file() for file in entry.files)
        extent = "cached" if there == len(files) else "partly cached" if there else "not cached"
        rows.append(
            {
                "name": name,
                "description": entry.description,
                "files": list(entry.files),
                "bytes": sum(file.size for file in files),
                "licence": _distinct(file.licence for file in files),
                "citation": _distinct(file.citation for file in files),
                "defects": _distinct(defect for file in files for defect in file.defects),
                "state": extent,
            }
        )
    return rows


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))
