"""The page of the audit of printed numbers, and of errata."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from icml2008.audit.findings import CERTAINTIES, Finding
from icml2008.catalogue.model import Paper
from icml2008.report.pages.page import Page
from icml2008.report.pages.paper import upheld


def audit_page(findings: Sequence[Finding], papers: Iterable[Paper], **more: Any) -> Page:
    """Return the audit of the whole catalogue, ``audit.html``.

    Parameters
    ----------
    findings : sequence of Finding
        In the order of the page.
    papers : iterable of Paper
    **more
        What the page is given besides: `health`.
    """
    papers = list(papers)
    content = {
        "found": {
            certainty: [finding for finding in findings if finding.certainty == certainty]
            for certainty in CERTAINTIES
        },
        "titles": {paper.key: paper.title for paper in papers},
        "errata": {paper.key: errata for paper in papers if (errata := upheld(paper))},
    }
    return Page("audit.html", "pages/audit.html", content | more)
