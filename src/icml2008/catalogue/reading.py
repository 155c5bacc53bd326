"""Reading a `paper.yaml`, with messages that say where it is wrong."""

from __future__ import annotations

import re
from collections.abc import Container
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from icml2008 import strict_yaml
from icml2008.catalogue.model import Head, Paper
from icml2008.catalogue.paper_error import PaperError
from icml2008.errors import nearest

_Read = TypeVar("_Read", bound=Head)


def _describe(error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"])
    value = error["input"]
    match error["type"]:
        case "extra_forbidden":
            return f"{where}: unknown key"
        case "missing":
            return f"{where}: missing"
        case "string_type":
            hint = (
                "yes and no are booleans" if isinstance(value, bool) else "zeros at the end count"
            )
            return f"{where}: {value!r} is a {type(value).__name__}; put it in quotes ({hint})"
    text = error["msg"].removeprefix("Value error, ")
    return ": ".join(filter(None, [where, text])) + (
        "" if isinstance(value, dict | BaseModel) else f", found {value!r}"
    )


def read_paper(path: str | Path) -> Paper:
    """Read and check a ``paper.yaml``.

    Raises
    ------
    PaperError
        If it is not YAML, or not what `Paper` describes; one line for each mistake.
    """
    return _read(Path(path), Paper)


def read_head(path: str | Path) -> Head:
    """Read and check the head of a ``paper.yaml``, many times faster than all of it.

    Raises
    ------
    PaperError
        As `read_paper`, for the keys of `Head`.
    """
    return _read(Path(path), Head, only=Head.model_fields)


def _read(path: Path, model: type[_Read], only: Container[str] | None = None) -> _Read:
    try:
        text = strict_yaml.read_text(path)
        if only is not None:
            # A line that begins with a letter begins a key of the document: the rest is indented.
            blocks = re.split(r"(?m)^(?=[a-z])", text)
            text = "".join(block for block in blocks if block.partition(":")[0] in only)
        paper = model.model_validate(strict_yaml.load(text, path))
    except strict_yaml.YamlError as error:
        raise PaperError(str(error)) from None
    except ValidationError as error:
        lines = []
        for item in error.errors():
            line = _describe(item)
            if item["type"] == "extra_forbidden" and len(item["loc"]) == 1:
                line += nearest(str(item["loc"][0]), model.model_fields)
            lines += [f"{path}: {part}" for part in line.splitlines()]
        raise PaperError("\n".join(lines)) from None
    if paper.key != path.parent.name:
        msg = (
            f"{path}: key: {paper.key!r} in the folder {path.parent.name!r}; they must be the same"
        )
        raise PaperError(msg)
    return paper
