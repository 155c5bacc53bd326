"""The registry: which files there are, what they must hold, and which data sets they make."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from icml2008.errors import Icml2008Error, nearest

Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Url = Annotated[str, StringConstraints(pattern=r"^(https?)://\S+$")]


class UnknownData(Icml2008Error):
    """A data set or file that the registry does not have."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class File(_Strict):
    """One file, by its path inside a mirror.

    Size and hash are those of the content, that is of the bytes inside an outer gzip, bzip2, xz or
    compress layer: mirrors and publishers pack the same content in different ways.
    """

    urls: tuple[Url, ...] = ()
    sha256: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    size: Annotated[int, Field(gt=0)]
    licence: Text
    citation: Text
    defects: tuple[Text, ...] = ()


class Dataset(_Strict):
    """One data set: its files, in the order in which the loader takes their paths, and options."""

    description: Text
    files: Annotated[tuple[str, ...], Field(min_length=1)]
    loader: Annotated[str, StringConstraints(pattern=r"^[\w.]+:\w+$")]
    options: dict[str, Any] = {}


class Registry(_Strict):
    """All files and data sets."""

    files: dict[Text, File]
    datasets: dict[Text, Dataset]

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


@cache
def registry() -> Registry:
    """Return the package's own registry."""
    text = (files("icml2008.data") / "registry.yaml").read_text(encoding="utf-8")
    return Registry.model_validate(yaml.safe_load(text))


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
