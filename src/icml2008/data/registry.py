"""The registry: which files there are, what they must hold, and which data sets they make.

What several papers read stands in this package's ``registry.yaml``, what one paper reads in the
``data.yaml`` of its folder, which is found by its path: the registry is all of them together.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from itertools import chain
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationError,
    model_validator,
)

from icml2008 import strict_yaml
from icml2008.errors import Icml2008Error, nearest

COMMON = Path(__file__).with_name("registry.yaml")
_PAPERS = [Path(__file__).parents[1] / "papers"]

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Url = Annotated[str, StringConstraints(pattern=r"^(https?)://\S+$")]


# A file's path inside a mirror and the cache, which it must not leave; a data set names a file.
InMirror = Annotated[str, StringConstraints(pattern=r"^[\w][\w.&+ -]*(/[\w][\w.&+ -]*)*$")]
Name = Annotated[str, StringConstraints(pattern=r"^\w[\w.-]*$")]


class UnknownData(Icml2008Error):
    """A data set or file that the registry does not have."""


class RegistryError(Icml2008Error):
    """A file of entries is wrong; the message names file, key and value."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Archive(_Strict):
    """Where a file is published inside an archive: see `icml2008.data.repack`.

    `members` is its path there, or the pattern of those that make it; `at_most` the bytes that the
    archive may have.
    """

    url: Url
    members: Text
    at_most: Annotated[int, Field(gt=0)]


class File(_Strict):
    """One file, by its path inside a mirror.

    Size and hash are those of the content, that is of the bytes inside an outer gzip, bzip2, xz or
    compress layer: mirrors and publishers pack the same content in different ways. What nobody
    publishes as such says what it was `made_from`.
    """

    urls: tuple[Url, ...] = ()
    archives: tuple[Archive, ...] = ()
    made_from: Url | None = None
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    size: Annotated[int, Field(gt=0)]
    licence: Text
    citation: Text
    defects: tuple[Text, ...] = ()

    @property
    def addresses(self) -> tuple[str, ...]:
        """Where it can be fetched from: as a file, or inside an archive."""
        return (*self.urls, *(archive.url for archive in self.archives))


class Holding(_Strict):
    """What a loaded data set was found to hold, counted by other means than its loader."""

    shape: Text
    n_train: int | None = None
    target: Text
    missing: int = 0


class Dataset(_Strict):
    """One data set: its files, in the order in which the loader takes their paths, and options.

    `needs` are the packages that its loader imports beyond those that are always installed.
    """

    description: Text
    files: Annotated[tuple[str, ...], Field(min_length=1)]
    loader: Annotated[str, StringConstraints(pattern=r"^[\w.]+:\w+$")]
    options: dict[str, Any] = {}
    needs: tuple[Text, ...] = ()
    holds: Holding | None = None

    @property
    def lacks(self) -> tuple[str, ...]:
        """Those of `needs` that are not installed."""
        return tuple(name for name in self.needs if not _is_installed(name))


def _is_installed(package: str) -> bool:
    try:
        version(package)
    except PackageNotFoundError:
        return False
    return True


class Entries(_Strict):
    """What one file declares."""

    files: dict[InMirror, File] = {}
    datasets: dict[Name, Dataset] = {}


class Registry(Entries):
    """All files and data sets, which fit together."""

    @model_validator(mode="after")
    def _files_and_datasets_fit(self) -> Registry:
        used = {name for dataset in self.datasets.values() for name in dataset.files}
        if lost := sorted(used - self.files.keys()):
            message = f"data sets name files that are not registered: {', '.join(lost)}"
            raise ValueError(message)
        if idle := sorted(self.files.keys() - used):
            message = f"no data set uses the files: {', '.join(idle)}"
            raise ValueError(message)
        return self


def look_in(papers: str | Path) -> None:
    """Take what the papers in a further folder declare into the registry, too."""
    if Path(papers) not in _PAPERS:
        _PAPERS.append(Path(papers))


def registry() -> Registry:
    """Return the entries of this package and of all papers."""
    return _registry(tuple(_PAPERS))


@cache
def _registry(folders: tuple[Path, ...]) -> Registry:
    return read_registry([COMMON, *declarations(folders)])


def declarations(folders: Iterable[Path]) -> list[Path]:
    """Return the files in which papers declare data, the first of each key."""
    by_key: dict[str, Path] = {}
    for folder in folders:
        for path in sorted(folder.glob("*/data.yaml")):
            by_key.setdefault(path.parent.name, path)
    return list(by_key.values())


def read_registry(paths: Iterable[Path]) -> Registry:
    """Return the entries of several files as one registry.

    Raises
    ------
    RegistryError
        If a file is not what `Entries` describes, or if a name stands in two of them.
    """
    union: dict[str, dict[str, Any]] = {"files": {}, "datasets": {}}
    homes: dict[tuple[str, str], Path] = {}
    for path in paths:
        for kind, entries in _read(path):
            for name in entries:
                if (home := homes.setdefault((kind, name), path)) != path:
                    msg = f"{path}: {kind}.{name} stands in {home}, too"
                    raise RegistryError(msg)
            union[kind] |= entries
    try:
        return Registry(**union)
    except ValidationError as error:
        msg = error.errors()[0]["msg"].removeprefix("Value error, ")
        raise RegistryError(msg) from None


def _read(path: Path) -> Entries:
    try:
        given = strict_yaml.load(strict_yaml.read_text(path), path)
        return Entries.model_validate(_without_series(given))
    except strict_yaml.YamlError as error:
        raise RegistryError(str(error)) from None
    except ValidationError as error:
        lines = (f"{path}: {_describe(item)}" for item in error.errors())
        raise RegistryError("\n".join(lines)) from None


def _without_series(given: Any) -> Any:
    """Return entries in which each series of files is replaced by its files.

    A series has ``{}`` in its name, and ``each``: by what stands there, the facts that are a file's
    own. A data set that names the series has all its files, in this order.
    """
    try:
        series = {name: entry for name, entry in given["files"].items() if "{}" in name}
        named = {
            name: {name.replace("{}", str(part)): part for part in entry["each"]}
            for name, entry in series.items()
        }
        files = {name: entry for name, entry in given["files"].items() if name not in series}
        for name, entry in series.items():
            own = ("each", "urls", "archives")
            common = {key: value for key, value in entry.items() if key not in own}
            for file, part in named[name].items():
                urls = [url.replace("{}", str(part)) for url in entry.get("urls", ())]
                archives = [
                    {**archive, "members": archive["members"].replace("{}", str(part))}
                    for archive in entry.get("archives", ())
                ]
                where = {"urls": urls, "archives": archives}
                files[file] = {**common, **where, **entry["each"][part]}
        datasets = {
            name: {**entry, "files": [*chain(*(named.get(f, [f]) for f in entry["files"]))]}
            for name, entry in given.get("datasets", {}).items()
        }
    except (AttributeError, KeyError, TypeError):
        return given  # the model says what is wrong
    return {**given, "files": files, "datasets": datasets}


def _describe(error: dict[str, Any]) -> str:
    loc = error["loc"]
    where = ".".join(map(str, loc))
    if error["type"] != "extra_forbidden":
        return f"{where}: {error['msg']}"
    models = {1: Entries, 3: File if loc[0] == "files" else Dataset, 4: Holding, 5: Archive}
    return f"{where}: unknown key{nearest(str(loc[-1]), models[len(loc)].model_fields)}"


def file_entry(name: str) -> File:
    """Return what is registered for a file.

    Raises
    ------
    UnknownData
        If there is no such file.
    """
    known = registry().files
    if name not in known:
        message = f"data file {name!r} is not registered{nearest(name, known)}"
        raise UnknownData(message)
    return known[name]


def dataset_entry(name: str) -> Dataset:
    """Return what is registered for a data set.

    Raises
    ------
    UnknownData
        If there is no such data set.
    """
    known = registry().datasets
    if name not in known:
        message = f"there is no data set {name!r}{nearest(name, known)}"
        raise UnknownData(message)
    return known[name]
