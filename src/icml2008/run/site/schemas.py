"""JSON schemas of what others read and write: papers, second hands, records, verdicts and more."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from icml2008 import __version__, forms
from icml2008.catalogue import sentences
from icml2008.catalogue.model import Paper
from icml2008.catalogue.second import SecondHand
from icml2008.harness.records import SCHEMA, write_atomically

FOLDER = Path("schemas")
_BASE = "https://icml2008.github.io/icml2008/schemas"


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schemas by name, each with the version of what it describes.

    A record file has a value of ``record`` on each line. A paper is described as YAML reads it.
    """
    forms_of = {
        f"record-{SCHEMA}": forms.Header | forms.Line,
        f"comparison-{forms.COMPARISON}": forms.Comparison,
        f"verdicts-{__version__}": list[forms.Row],
        f"paper-{__version__}": Paper,
        f"second-{__version__}": SecondHand,
    }
    by_name = {}
    for name, form in forms_of.items():
        schema = TypeAdapter(form).json_schema(mode="validation")
        by_name[name] = {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"{_BASE}/{name}.json",
            **_any_of(schema),
        }
    # In a file short forms may stand for what is read: a group's name for its values, a table for
    # parts, a sentence for what it says, a change of several things, an erratum's own audit.
    shared = by_name[f"paper-{__version__}"]["$defs"]
    written = shared["Claim"]
    claim = written["properties"]
    claim["that"] = {"type": "string", "description": sentences.__doc__}
    for several in ("claims", "choices", "experiments"):
        named = [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]
        shared["Change"]["properties"][several] = {"anyOf": named}
    shared["Erratum"]["properties"]["audit"] = {"type": "object", "maxProperties": 1}
    heads = {"anyOf": [{"type": "string", "minLength": 1}, {"type": "null"}]}
    written["patternProperties"] = {f"^(?:{sentences.HEAD.pattern})$": heads}
    each = claim["each"]
    table = {"type": "object"}
    each["additionalProperties"] = {"anyOf": [each["additionalProperties"], {"type": "string"}]}
    for name in ("above", "below", "near", "exactly", "gap"):
        claim[name]["anyOf"].append(table)
    return by_name


def _any_of(schema: Any) -> Any:
    """Return a schema in which forms that are told apart by code may overlap."""
    if isinstance(schema, dict):
        names = {"oneOf": "anyOf"}
        return {names.get(name, name): _any_of(value) for name, value in schema.items()}
    return [_any_of(value) for value in schema] if isinstance(schema, list) else schema


def write_schemas(folder: Path = FOLDER) -> list[Path]:
    """Write the schemas below a folder; return their paths."""
    for name, content in files().items():
        write_atomically(folder / name, content)
    return [folder / name for name in files()]


def files() -> dict[str, bytes]:
    """Return the schemas as files, by name."""
    return {
        f"{name}.json": (json.dumps(schema, indent=1, ensure_ascii=False) + "\n").encode()
        for name, schema in schemas().items()
    }
