from dataclasses import replace

import pytest

from icml2008.report.pages.claim import claim_pages
from icml2008.report.pages.front import front_page
from icml2008.report.pages.lines import claim_rows
from icml2008.report.pages.paper import overview, paper_page
from reading import Read

HEALTH = {"line": "Evidence of 2026-01-02."}


@pytest.fixture
def page():
    """Read a paper's page."""

    def read(results, run=None, rows=None, **more):
        about = {"figures": [], "opener": None, "run": run, "state": "re-run", "reads": []} | more
        claims = rows or claim_rows(results)
        paper = paper_page(results, claims, **about, health=HEALTH, whole=True)
        return Read(paper.render())

    return read


@pytest.fixture
def claims():
    """Read the pages of a paper's claims, by address."""

    def read(results):
        pages = claim_pages(results, claim_rows(results), health=HEALTH, whole=True)
        return {page.path: Read(page.render()) for page in pages}

    return read


@pytest.fixture
def front():
    """Read the first page of some papers."""

    def read(*results, outcome=None, left_out=None, state="re-run"):
        shown = [overview(paper, claim_rows(paper), state) for paper in results]
        about = {"outcome": outcome, "left_out": left_out, "run": None, "covered": ()}
        return Read(front_page(shown, **about, health=HEALTH, whole=True).render())

    return read


@pytest.fixture
def other():
    """Make a paper with another key of results."""
    return lambda results, key, **more: replace(
        results, paper=results.paper.model_copy(update={"key": key, **more})
    )
