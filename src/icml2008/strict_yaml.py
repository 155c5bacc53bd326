"""YAML as it is meant: a key that stands twice is refused, where others take the last."""

from __future__ import annotations

import yaml


class StrictLoader(yaml.CSafeLoader):
    """Safe loading that refuses a key that stands twice."""


def _unique_mapping(loader: yaml.CSafeLoader, node: yaml.MappingNode, deep: bool = True) -> dict:
    seen = set()
    for key, _ in node.value:
        if key.value in seen and key.tag != "tag:yaml.org,2002:merge":
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key.value!r} stands twice", key.start_mark
            )
        seen.add(key.value)
    loader.flatten_mapping(node)
    return loader.construct_mapping(node, deep=deep)


StrictLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _unique_mapping)
