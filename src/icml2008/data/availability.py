"""What is there, what is not, and why: before a run, for the workflow, and for people."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass
from typing import Literal

from icml2008.data.fetch import (
    PATIENCE,
    DataCorrupt,
    DataUnavailable,
    Patience,
    cache_folder,
    fetch_file,
)
from icml2008.data.integrity import mismatch
from icml2008.data.registry import dataset_entry, file_entry

Status = Literal["available", "unavailable", "corrupt"]

NOT_INSTALLED = "is not installed"
_WHY = {
    "unavailable": "not in the cache, on no mirror, and not to be had from its URLs",
    "corrupt": "the content that was found is not the registered one",
}


@dataclass(frozen=True)
class State:
    """Whether a data set can be used.

    Its JSON form holds neither times nor paths nor addresses: equal states are equal bytes.

    Attributes
    ----------
    dataset : str
        Name of the data set.
    status : {"available", "unavailable", "corrupt"}
        The worst of its files' statuses.
    files : dict of str to str
        Registered SHA-256 of each file's content.
    reasons : dict of str to str
        Why a file cannot be used, in a fixed wording, for each file that cannot; and that a
        package is not installed, for each that the data set's loader needs.
    """

    dataset: str
    status: Status
    files: dict[str, str]
    reasons: dict[str, str]

    def to_json(self) -> str:
        """Return the state as JSON text with a newline at its end.

        Examples
        --------
        >>> print(State("toy", "available", {"toy.csv": "00ff"}, {}).to_json(), end="")
        {
          "dataset": "toy",
          "files": {
            "toy.csv": "00ff"
          },
          "reasons": {},
          "status": "available"
        }
        """
        return json.dumps(asdict(self), indent=2, sort_keys=True) + "\n"

    @classmethod
    def from_json(cls, text: str) -> State:
        """Return the state that `to_json` wrote."""
        return cls(**json.loads(text))


def state(dataset: str, *, cache: str | os.PathLike | None = None) -> State:
    """Return the state of a data set in the cache; nothing is fetched."""
    folder = cache_folder(cache)

    def look(name: str) -> Status:
        path = folder / name
        if not path.is_file():
            return "unavailable"
        return "corrupt" if mismatch(path, file_entry(name)) else "available"

    return _state(dataset, look)


def ensure(
    dataset: str,
    *,
    mirrors: Iterable[str | os.PathLike] = (),
    cache: str | os.PathLike | None = None,
    offline: bool = False,
    progress: bool = False,
    patience: Patience = PATIENCE,
    tell: Callable[[str], object] = lambda text: None,
) -> State:
    """Fetch a data set's files and return the state that results; a failure is a state.

    Parameters
    ----------
    dataset : str
        Name of the data set.
    mirrors, cache, offline, progress, patience
        As for `icml2008.data.fetch_file`.
    tell : callable
        Called with the full text, addresses included, of each failure.
    """
    mirrors = tuple(mirrors)

    def bring(name: str) -> Status:
        try:
            fetch_file(
                name,
                mirrors=mirrors,
                cache=cache,
                offline=offline,
                progress=progress,
                patience=patience,
            )
        except (DataUnavailable, DataCorrupt) as error:
            tell(str(error))
            return "corrupt" if isinstance(error, DataCorrupt) else "unavailable"
        return "available"

    return _state(dataset, bring)


def _state(dataset: str, status_of: Callable[[str], Status]) -> State:
    entry = dataset_entry(dataset)
    by_file = {name: status_of(name) for name in entry.files}
    lacks = dict.fromkeys(entry.lacks, NOT_INSTALLED)
    statuses = [*by_file.values(), *("unavailable" for _ in lacks)]
    return State(
        dataset=dataset,
        status=max(statuses, key=("available", "unavailable", "corrupt").index),
        files={name: file_entry(name).sha256 for name in entry.files},
        reasons={name: _WHY[status] for name, status in by_file.items() if status in _WHY} | lacks,
    )


def verify(dataset: str, *, cache: str | os.PathLike | None = None) -> dict[str, str | None]:
    """Check a data set's files in the cache.

    Returns
    -------
    dict of str to str or None
        For each file None where its content is the registered one, else what is wrong.
    """
    folder = cache_folder(cache)
    return {
        name: mismatch(path, file_entry(name)) if (path := folder / name).is_file() else "not there"
        for name in dataset_entry(dataset).files
    }
