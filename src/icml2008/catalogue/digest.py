"""What lists show of papers: compiled from their files once, and kept for as long as they stay."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from icml2008.catalogue import library
from icml2008.data.cache import cache_folder
from icml2008.harness.kept import kept
from icml2008.judge.standing import facts

# What decides on a digest besides the paper's file.
_MODULES = (
    *(f"icml2008.catalogue.{name}" for name in ("digest", "model", "parts", "reading")),
    *(f"icml2008.judge.{name}" for name in ("claims", "part_tables", "printings", "standing")),
)


@dataclass(frozen=True)
class Untested:
    """Why a claim is not judged."""

    reason: str


@dataclass(frozen=True)
class ClaimDigest:
    """What a claim says, and of itself; `each` are the coordinates of its parts."""

    says: str
    each: list[dict[str, str]]
    untested: Untested | None
    status: str | None
    page: int | None
    quote: str | None
    note: str | None
    same_as: str | None
    part_of: str | None
    cause: str | None
    misprint: str | None
    unsaid: str | None
    hedge: str | None
    disputed: bool

    def parts(self) -> list[dict[str, str]]:
        """Return the coordinates of each part."""
        return self.each


@dataclass(frozen=True)
class Digest:
    """A paper in a list; the attributes are those of `Paper`."""

    key: str
    title: str
    authors: list[str]
    pages: list[int]
    topic: str
    rerunnable: str
    proceedings: bool
    claims: Mapping[str, ClaimDigest]


def load_digest(key: str) -> Digest:
    """Return what lists show of a paper, from the cache if its file is that which was compiled."""
    return _load(key, (library.folder(key) / "paper.yaml").read_bytes())


@cache
def _load(key: str, content: bytes) -> Digest:
    file = cache_folder() / "catalogue" / f"{key}.json"
    plain = json.loads(kept(file, (_rules(), content), lambda: _compile(key)))
    claims = {
        name: ClaimDigest(**claim | {"untested": claim["untested"] and Untested(claim["untested"])})
        for name, claim in plain.pop("claims").items()
    }
    return Digest(key, claims=claims, **plain)


@cache
def _rules() -> bytes:
    return b"".join(Path(find_spec(name).origin).read_bytes() for name in _MODULES)


def _compile(key: str) -> str:
    paper = library.load_paper(key)
    plain = {
        "title": paper.title,
        "authors": paper.authors,
        "pages": list(paper.pages or ()),
        "topic": paper.topic,
        "rerunnable": paper.rerunnable,
        "proceedings": paper.proceedings,
        "claims": {
            name: {
                "says": claim.says,
                "each": list(claim.parts()),
                "untested": claim.untested and claim.untested.reason,
                **facts(claim),
            }
            for name, claim in paper.claims.items()
        },
    }
    return json.dumps(plain, ensure_ascii=False)
