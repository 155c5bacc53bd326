"""A verdict as others cite it: BibTeX, a hash of its content, ClaimReview and nanopublication.

The hash is that of one JSON text, which `icml2008 cite KEY/CLAIM --content` prints: what the claim
says, its verdicts under all readings, and the hash of the measurements behind them.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from icml2008.catalogue.citing import escaped
from icml2008.harness.choices import DEFAULT
from icml2008.harness.records import canonical
from icml2008.judge.standing import OWN
from icml2008.report.results import PaperResults

SITE = "https://icml2008.github.io/icml2008/"
DEVELOPERS = "the icml2008 developers"
LICENCE = "https://opensource.org/licenses/BSD-3-Clause"
PROCEEDINGS = "https://doi.org/10.1145/1390156"

IN_WORDS = {
    "confirmed": "The claim holds.",
    "depends": "It hangs on how the paper is read.",
    "refuted": "The claim does not hold under any reading that was tried.",
    "inconclusive": "Undecided.",
}
"""What a rating says beside its word."""

_PREFIXES = {
    "np": "http://www.nanopub.org/nschema#",
    "prov": "http://www.w3.org/ns/prov#",
    "dct": "http://purl.org/dc/terms/",
    "schema": "https://schema.org/",
    "xsd": "http://www.w3.org/2001/XMLSchema#",
}


@dataclass(frozen=True)
class Citable:
    """The committed verdict on a claim, with the evidence that it rests on.

    Attributes
    ----------
    results : PaperResults
    name : str
        Of the claim.
    verdicts : sequence of dict
        On the claim and its parts in all universes.
    records : str
        The SHA-256 of the measurements' file; empty where nothing was measured.
    """

    results: PaperResults
    name: str
    verdicts: list[dict[str, Any]] = field(repr=False)
    records: str = ""

    @cached_property
    def whole(self) -> Mapping[str, Any]:
        """The verdict on the whole claim in the default universe."""
        return next(row for row in self.verdicts if not row["part"] and row["universe"] == DEFAULT)

    @property
    def says(self) -> str:
        """What the claim says."""
        return self.whole.get("says") or self.name

    @property
    def judged(self) -> bool:
        """Whether there is a verdict that can be cited as a review of the claim."""
        return self.whole["verdict"] in IN_WORDS

    @cached_property
    def content(self) -> str:
        """The text that is hashed."""
        return canonical(
            {
                "paper": self.results.paper.key,
                "claim": self.name,
                "records": self.records,
                "verdicts": sorted(self.verdicts, key=lambda row: (row["universe"], row["part"])),
            }
        )

    @cached_property
    def hash(self) -> str:
        """The SHA-256 of the content."""
        return hashlib.sha256(self.content.encode()).hexdigest()

    @property
    def address(self) -> str:
        """The address of the claim's page."""
        return f"{SITE}{self.results.paper.key}/{self.name}.html"

    @property
    def date(self) -> str:
        """The day of the measurements."""
        provenance = self.results.provenance or {}
        kept = provenance.get("kept") or {}
        return kept.get(self.whole.get("experiment"), provenance.get("date", ""))

    def bibtex(self) -> str:
        """Return the entry of the verdict; that of the paper is on the paper's page."""
        key = self.results.paper.key
        fields = {
            "title": f"{{Verdict on {self.name} of {key}: {self.whole['verdict']}}}",
            "author": f"{{{DEVELOPERS}}}",
            "year": self.date[:4],
            "url": self.address,
            "note": f"Claim: {escaped(self.says)} sha256:{self.hash}",
        }
        lines = [f"  {name} = {{{text}}}," for name, text in fields.items() if text]
        return "\n".join([f"@misc{{icml2008-{key}-{self.name},", *lines, "}"])

    def claim_review(self) -> str:
        """Return the verdict as a ClaimReview of schema.org: JSON-LD that a page can hold."""
        row = self.whole
        about = {
            "@context": "https://schema.org",
            "@type": "ClaimReview",
            "@id": f"{self.address}#review",
            "url": self.address,
            "datePublished": self.date,
            "identifier": f"sha256:{self.hash}",
            "license": LICENCE,
            "author": _organization(),
            "claimReviewed": self.says,
            "itemReviewed": self._claim(),
            "reviewRating": {
                "@type": "Rating",
                "alternateName": row["verdict"],
                "ratingExplanation": IN_WORDS[row["verdict"]],
            },
            "reviewBody": row.get("reason") or "",
        }
        if not self.date:
            del about["datePublished"]
        text = json.dumps(about, ensure_ascii=False, separators=(",", ":"))
        # A script ends at its closing tag, wherever that stands.
        for letter in "<>&":
            text = text.replace(letter, f"\\u{ord(letter):04x}")
        return text

    def _claim(self) -> dict[str, Any]:
        """Return the claim: of the paper's authors, or ours about the paper."""
        row = self.whole
        claim = {"@type": "Claim", "@id": f"{self.address}#{self.name}"}
        claim["text"] = self.says
        if row.get("status") not in OWN:
            return claim | {"author": _organization(), "isBasedOn": self._article()}
        article = self._article()
        quote = {"citation": row.get("quote")} if row.get("quote") else {}
        return claim | {"author": article["author"], "appearance": article} | quote

    def _article(self) -> dict[str, Any]:
        paper = self.results.paper
        article = {
            "@type": "ScholarlyArticle",
            "name": paper.title,
            "author": [{"@type": "Person", "name": name} for name in paper.authors],
            "datePublished": str(paper.venue.year),
            "isPartOf": {"@type": "PublicationVolume", "name": paper.venue.booktitle},
        }
        if paper.pages:
            article["pagination"] = "-".join(map(str, paper.pages))
        if paper.proceedings:
            article["isPartOf"]["sameAs"] = PROCEEDINGS
        return article

    def nanopublication(self) -> str:
        """Return the verdict as a nanopublication, in TriG: assertion, provenance, publication."""
        this = self.address.removesuffix(".html") + ".trig"
        prefixes = {"this": this, "sub": f"{this}#", **_PREFIXES}
        graphs = {
            "head": self._head(),
            "assertion": self._assertion(),
            "provenance": self._provenance(),
            "pubinfo": self._publication(),
        }
        lines = [f"@prefix {name}: <{iri}> ." for name, iri in prefixes.items()]
        for graph, statements in graphs.items():
            lines += ["", f"sub:{graph} {{", *(f"  {text} ." for text in statements), "}"]
        return "\n".join([*lines, ""])

    def _head(self) -> Iterator[str]:
        yield "this: a np:Nanopublication"
        yield "this: np:hasAssertion sub:assertion"
        yield "this: np:hasProvenance sub:provenance"
        yield "this: np:hasPublicationInfo sub:pubinfo"

    def _assertion(self) -> Iterator[str]:
        row = self.whole
        claim = f"<{self.address}#{self.name}>"
        own = row.get("status") in OWN
        yield f"{claim} a schema:Claim"
        yield f"{claim} schema:text {literal(self.says)}"
        yield f"{claim} schema:{'appearance' if own else 'isBasedOn'} sub:article"
        if own and row.get("quote"):
            yield f"{claim} schema:citation {literal(row['quote'])}"
        yield "sub:review a schema:ClaimReview"
        yield f"sub:review schema:itemReviewed {claim}"
        yield f"sub:review schema:reviewBody {literal(row.get('reason') or '')}"
        yield "sub:review schema:reviewRating sub:rating"
        yield "sub:rating a schema:Rating"
        yield f"sub:rating schema:alternateName {literal(row['verdict'])}"
        yield f"sub:rating schema:ratingExplanation {literal(IN_WORDS[row['verdict']])}"
        article = self._article()
        yield "sub:article a schema:ScholarlyArticle"
        yield f"sub:article schema:name {literal(article['name'])}"
        for person in article["author"]:
            yield f"sub:article schema:author {literal(person['name'])}"
        yield f"sub:article schema:datePublished {literal(article['datePublished'])}"
        if proceedings := article["isPartOf"].get("sameAs"):
            yield f"sub:article schema:isPartOf <{proceedings}>"

    def _provenance(self) -> Iterator[str]:
        experiment = self.whole.get("experiment")
        yield f"sub:assertion prov:wasAttributedTo <{SITE}>"
        if self.date:
            yield f"sub:assertion prov:generatedAtTime {_day(self.date)}"
        yield "sub:assertion prov:wasDerivedFrom sub:article"
        if self.records:
            label = f"Measurements of {self.results.paper.key}/{experiment}"
            yield "sub:assertion prov:wasDerivedFrom sub:records"
            yield "sub:records a prov:Entity"
            yield f"sub:records dct:title {literal(label)}"
            yield f"sub:records dct:identifier {literal(f'sha256:{self.records}')}"

    def _publication(self) -> Iterator[str]:
        if self.date:
            yield f"this: dct:created {_day(self.date)}"
        yield f"this: dct:creator <{SITE}>"
        yield f"this: dct:license <{LICENCE}>"
        yield f"this: dct:identifier {literal(f'sha256:{self.hash}')}"
        yield f"this: dct:isPartOf <{self.address}>"
        yield f"<{SITE}> schema:name {literal(DEVELOPERS)}"


def citables(results: PaperResults, records: Mapping[str, str]) -> dict[str, Citable]:
    """Return the committed verdicts of a paper by claim.

    Parameters
    ----------
    results : PaperResults
    records : dict of str to str
        The SHA-256 of the measurements of each experiment.
    """
    by_claim = defaultdict(list)
    for row in results.reference:
        by_claim[row["claim"]].append(row)
    return {
        name: Citable(results, name, rows, records.get(rows[0].get("experiment") or "", ""))
        for name, rows in by_claim.items()
    }


def literal(text: str) -> str:
    r"""Return a text as Turtle and TriG write it.

    Examples
    --------
    >>> print(literal('a "b"'))
    "a \"b\""
    """
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007F")


def _day(date: str) -> str:
    return f"{literal(date)}^^xsd:date"


def _organization() -> dict[str, str]:
    return {"@type": "Organization", "name": DEVELOPERS, "url": SITE}
