"""YAML as it is meant: a key that stands twice is refused, where others take the last."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from icml2008.errors import Icml2008Error

# Aliases can stand for a document of any size; the largest file of a paper has some 10,000 values.
_MOST_VALUES = 1_000_000
# The parser calls itself for each level, and a process ends where its stack does.
_DEEPEST = 100


class YamlError(Icml2008Error):
    """A file that is not YAML, or not as it is meant."""


class StrictLoader(yaml.CSafeLoader):
    """Safe loading that refuses a key that stands twice."""


def _unique_mapping(loader: yaml.CSafeLoader, node: yaml.MappingNode, deep: bool = True) -> dict:
    seen = set()
    for key, _ in node.value:
        if not isinstance(key, yaml.ScalarNode):
            raise yaml.constructor.ConstructorError(
                None, None, "a key is no plain text", key.start_mark
            )
        if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key.value!r} stands twice", key.start_mark
            )
        seen.add(key.value)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=deep)


StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _unique_mapping)


def read_text(path: Path) -> str:
    """Return the text of a file of YAML.

    Raises
    ------
    YamlError
        If it cannot be read, or is not UTF-8; the message names the file.
    """
    try:
        return path.read_text("utf-8")
    except OSError as error:
        msg = f"{path}: {error.strerror}"
        raise YamlError(msg) from None
    except UnicodeDecodeError as error:
        line = path.read_bytes().count(b"\n", 0, error.start) + 1
        msg = f"{path}: line {line} is not UTF-8; save the file in that encoding"
        raise YamlError(msg) from None


def load(text: str, path: Path) -> Any:
    """Return what a text says, the content of a file.

    Raises
    ------
    YamlError
        If it is not YAML, a key stands twice, it is nested too deep, or its aliases stand for more
        than a million values; the message names the file.
    """
    try:
        _refuse_depth(text)
        loader = StrictLoader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return None
            _count(node, {})
            return loader.construct_document(node)
        finally:
            loader.dispose()
    # The loader's own way to say that a tag or a form promises what the text does not keep.
    except (yaml.YAMLError, ValueError, AttributeError, LookupError) as error:
        msg = f"{path}: not YAML: {error}"
        raise YamlError(msg) from None


def _refuse_depth(text: str) -> None:
    depth = 0
    for event in yaml.parse(text, Loader=yaml.CSafeLoader):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                msg = f"line {event.start_mark.line + 1}: nested more than {_DEEPEST} deep"
                raise ValueError(msg)
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


def _count(node: yaml.Node, known: dict[int, int]) -> int:
    """Return how many values a node stands for, those behind aliases each time."""
    if isinstance(node, yaml.ScalarNode):
        return 1
    if id(node) not in known:
        known[id(node)] = _MOST_VALUES + 1  # met again below itself, it has no end
        mapping = isinstance(node, yaml.MappingNode)
        parts = [part for pair in node.value for part in pair] if mapping else node.value
        known[id(node)] = 1 + sum(_count(part, known) for part in parts)
    if known[id(node)] > _MOST_VALUES:
        msg = f"line {node.start_mark.line + 1}: aliases stand for too many values"
        raise ValueError(msg)
    return known[id(node)]
