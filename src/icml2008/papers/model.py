"""What a `paper.yaml` holds, and messages that say where it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from icml2008.errors import Icml2008Error, nearest
from icml2008.judge.claims import Claim, Metric, Resampling


class PaperError(Icml2008Error):
    """A paper's folder is wrong; the message names file, key and value."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class ExperimentFacts(_Strict):
    """Which tables and figures an experiment feeds, and how its repeats come about."""

    feeds: list[str] = Field(min_length=1)
    resampling: Resampling
    protocol: str


class Choice(_Strict):
    """Something that the paper leaves unsaid and that can change a result."""

    question: str
    default: str
    alternatives: list[str] = Field(min_length=1)
    touches: list[str] = Field(min_length=1)
    why: str

    @model_validator(mode="after")
    def _default_is_no_alternative(self) -> Choice:
        if self.default in self.alternatives:
            msg = f"the default {self.default!r} stands among the alternatives"
            raise ValueError(msg)
        return self


class Erratum(_Strict):
    """A misprint or contradiction in the paper, with its evidence."""

    where: str
    says: str
    evidence: str


class Note(_Strict):
    """Something learnt that a reader of the results must know."""

    title: str
    text: str


class Paper(_Strict):
    """One entry of the catalogue."""

    key: str
    title: str
    authors: list[str] = Field(min_length=1)
    pages: tuple[int, int] = Field(strict=False)
    topic: str
    idea: str
    metrics: dict[str, Metric] = {}
    experiments: dict[str, ExperimentFacts] = {}
    claims: dict[str, Claim] = {}
    choices: dict[str, Choice] = {}
    notes: list[Note] = []
    errata: list[Erratum] = []
    author_response: str | None = None

    @model_validator(mode="after")
    def _names_meet(self) -> Paper:
        for name, choice in self.choices.items():
            for touched in choice.touches:
                if touched not in self.experiments:
                    hint = nearest(touched, self.experiments)
                    msg = f"choices.{name}.touches: no experiment {touched!r}{hint}"
                    raise ValueError(msg)
        return self


class _Loader(yaml.CSafeLoader):
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


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _unique_mapping)


def _describe(error: dict[str, Any]) -> str:
    where = ".".join(str(part) for part in error["loc"]) or "the document"
    found = error["input"]
    match error["type"]:
        case "extra_forbidden":
            return f"{where}: unknown key"
        case "missing":
            return f"{where}: missing"
        case "string_type":
            hint = (
                "yes and no are booleans" if isinstance(found, bool) else "zeros at the end count"
            )
            return f"{where}: {found!r} is a {type(found).__name__}; put it in quotes ({hint})"
    text = error["msg"].removeprefix("Value error, ")
    return f"{where}: {text}" + (
        "" if isinstance(found, dict | BaseModel) else f", found {found!r}"
    )


def read_paper(path: str | Path) -> Paper:
    """Read and check a ``paper.yaml``.

    Raises
    ------
    PaperError
        If it is not YAML, or not what `Paper` describes; one line for each mistake.
    """
    path = Path(path)
    try:
        content = yaml.load(path.read_text("utf-8"), _Loader)
        paper = Paper.model_validate(content)
    except OSError as error:
        msg = f"{path}: {error.strerror}"
        raise PaperError(msg) from None
    except yaml.YAMLError as error:
        msg = f"{path}: not YAML: {error}"
        raise PaperError(msg) from None
    except ValidationError as error:
        known = set(Paper.model_fields)
        lines = []
        for item in error.errors():
            line = _describe(item)
            if item["type"] == "extra_forbidden" and len(item["loc"]) == 1:
                line += nearest(str(item["loc"][0]), known)
            lines.append(f"{path}: {line}")
        raise PaperError("\n".join(lines)) from None
    if paper.key != path.parent.name:
        msg = (
            f"{path}: key: {paper.key!r} in the folder {path.parent.name!r}; they must be the same"
        )
        raise PaperError(msg)
    return paper
