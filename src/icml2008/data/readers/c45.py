"""C4.5 tables: a file of names and files of data."""

from __future__ import annotations

import re
from pathlib import Path

from icml2008.data.content import read_content
from icml2008.data.readers.columns import Column


def read_c45(names: Path, *data: Path, target: str = "class") -> list[Column]:
    """Read C4.5 files, the rows of several data files one after the other.

    Parameters
    ----------
    names : pathlib.Path
        The file of names: the classes, then one declaration for each attribute, each with a full
        stop at its end. A bar begins a comment.
    *data : pathlib.Path
        Files of rows, values between commas, the class last, with or without a full stop.
    target : str
        Name to give to the column of classes.

    Returns
    -------
    list of Column
        The attributes, without those declared "ignore", and last the classes.

    Raises
    ------
    ValueError
        For a row of the wrong length.

    References
    ----------
    J. R. Quinlan (1993): C4.5: Programs for Machine Learning, Morgan Kaufmann, appendix.
    """
    classes, *declared = _declarations(read_content(names).decode("latin-1"))
    attributes = [text.split(":", 1) for text in declared]
    rows = [row for path in data for row in _rows(path, len(attributes) + 1)]
    *inputs, labels = zip(*rows, strict=True)
    columns = []
    for (name, kind), values in zip(attributes, inputs, strict=True):
        word = kind.split()[0].rstrip(",")
        if word == "ignore":
            continue
        if word == "discrete":
            categories = tuple(sorted({*values} - {None}))
        else:
            categories = None if word == "continuous" else _list(kind)
        columns.append(Column(name.strip(), list(values), categories))
    return [*columns, Column(target, list(labels), _list(classes))]


def _declarations(text: str) -> list[str]:
    """Return the statements of a file of names, which end in a full stop at the end of a line."""
    bare = re.sub(r"\|.*", "", text)
    statements = re.split(r"\.\s*(?:\n|$)", bare)
    return [" ".join(statement.split()) for statement in statements if statement.strip()]


def _list(text: str) -> tuple[str, ...]:
    return tuple(value.strip() for value in text.split(","))


def _rows(path: Path, width: int) -> list[list[str | None]]:
    rows = []
    for number, line in enumerate(read_content(path).decode("latin-1").splitlines(), start=1):
        bare = line.split("|")[0].strip()
        if not bare:
            continue
        row = [None if value == "?" else value for value in _list(bare.removesuffix("."))]
        if len(row) != width:
            message = f"{path.name}, line {number}: {len(row)} values, not {width}"
            raise ValueError(message)
        rows.append(row)
    return rows
