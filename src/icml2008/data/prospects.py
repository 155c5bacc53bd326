"""What can be fetched, before anything is: which copies of files answer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from icml2008.data.availability import NOT_INSTALLED
from icml2008.data.cache import cache_folder
from icml2008.data.download import reason
from icml2008.data.fetch import all_mirrors, is_url, mirror_url
from icml2008.data.integrity import mismatch
from icml2008.data.registry import dataset_entry, file_entry, registry


@dataclass(frozen=True)
class Source:
    """Where one file would come from.

    Attributes
    ----------
    file : str
        The file's registered name.
    where : {"cached", "mirror", "url", "nowhere"}
        The first source that seems to have it.
    reason : str
        Why there is none, where there is none, else empty.
    """

    file: str
    where: Literal["cached", "mirror", "url", "nowhere"]
    reason: str = ""


@dataclass(frozen=True)
class Outlook:
    """Where the files of a data set would come from, before any is fetched.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    sources : tuple of Source
        One for each file.
    lacks : tuple of str
        The packages that its loader needs and that are not installed.
    """

    dataset: str
    sources: tuple[Source, ...]
    lacks: tuple[str, ...] = ()

    @property
    def available(self) -> bool:
        """Whether every file has a source, and can be read."""
        return not self.missing and not self.lacks

    @property
    def missing(self) -> tuple[Source, ...]:
        """The files without a source."""
        return tuple(source for source in self.sources if source.where == "nowhere")

    def __str__(self) -> str:
        if self.available:
            return f"{self.dataset}: {', '.join(sorted({s.where for s in self.sources}))}"
        faults = [f"{source.file}: {source.reason}" for source in self.missing]
        faults += [f"{package} {NOT_INSTALLED}" for package in self.lacks]
        return f"{self.dataset}: not available ({'; '.join(faults)})"


class Probe:
    """Asks servers whether they have a file, and asks a host that does not answer only once.

    Parameters
    ----------
    timeout : float
        Seconds to wait for an answer.
    """

    def __init__(self, timeout: float = 3.0):
        self.timeout = timeout
        self._silent: dict[str, str] = {}

    def __call__(self, url: str) -> str | None:
        """Return None if the server seems to have the file, else the reason why not."""
        import requests

        host = urlsplit(url).netloc
        if host in self._silent:
            return self._silent[host]
        try:
            answer = requests.head(url, timeout=self.timeout, allow_redirects=True)
        except OSError as error:
            self._silent[host] = f"{host} does not answer ({reason(error)})"
            return self._silent[host]
        # Some servers refuse HEAD (403, 405) and yet deliver: only these say that it is not there.
        if answer.status_code in (404, 410) or answer.status_code >= 500:
            return f"{host} answers with HTTP status {answer.status_code}"
        return None


def addresses(probe: Callable[[str], str | None] | None = None) -> list[dict[str, str]]:
    """Return a row for each address of each file, by data set.

    Parameters
    ----------
    probe : callable, optional
        As for `outlook`; nothing is asked where there is none.

    Returns
    -------
    list of dict
        ``dataset``, ``file``, ``as`` (``file``, ``archive``, or ``made from``, which is not
        fetched), ``url`` and ``tried``: "no", "answers", or why not.
    """
    rows = []
    for name, entry in sorted(registry().datasets.items()):
        for file in entry.files:
            source = file_entry(file)
            kinds = {
                "file": source.urls,
                "archive": [archive.url for archive in source.archives],
                "made from": [source.made_from] if source.made_from else [],
            }
            rows += [
                {
                    **{"dataset": name, "file": file, "as": kind, "url": url},
                    "tried": "no" if probe is None else probe(url) or "answers",
                }
                for kind, urls in kinds.items()
                for url in urls
            ]
    return rows


def outlook(
    dataset: str,
    *,
    mirrors: Iterable[str | os.PathLike] = (),
    cache: str | os.PathLike | None = None,
    offline: bool = False,
    probe: Callable[[str], str | None] | None = None,
) -> Outlook:
    """Say where each file of a data set would come from, without fetching anything.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    mirrors, cache, offline
        As for `icml2008.data.fetch_file`.
    probe : callable, optional
        Takes a URL, returns None or the reason why it does not seem to have the file. Pass one
        `Probe` to several calls, and hosts that do not answer are waited for only once.
    """
    probe = probe or Probe()
    folder = cache_folder(cache)
    places = all_mirrors(mirrors)
    entry = dataset_entry(dataset)
    sources = (_source(name, folder, places, offline, probe) for name in entry.files)
    return Outlook(dataset, tuple(sources), entry.lacks)


def _source(
    name: str,
    folder: Path,
    mirrors: list[str],
    offline: bool,
    probe: Callable[[str], str | None],
) -> Source:
    entry = file_entry(name)
    if (path := folder / name).is_file() and not mismatch(path, entry):
        return Source(name, "cached")
    reasons = ["not in the cache"]
    for mirror in mirrors:
        if not is_url(mirror):
            if (Path(mirror).expanduser() / name).is_file():
                return Source(name, "mirror")
            reasons.append(f"not in {mirror}")
        elif not offline:
            if not (fault := probe(mirror_url(mirror, name))):
                return Source(name, "mirror")
            reasons.append(fault)
    for url in () if offline else entry.addresses:
        if not (fault := probe(url)):
            return Source(name, "url")
        reasons.append(fault)
    if offline:
        reasons.append("offline")
    elif not entry.addresses:
        reasons.append("no known URL")
    return Source(name, "nowhere", ", ".join(dict.fromkeys(reasons)))
