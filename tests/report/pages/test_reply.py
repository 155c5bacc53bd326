"""What an author replies stands above the verdicts; what is disputed is in no total."""

import pytest

from icml2008.catalogue.model import Paper
from icml2008.judge.standing import stated
from icml2008.report.results import PaperResults

REPLY = {"author": "Jane <b>Doe</b>", "date": "2026-03-04", "text": "Wine was <i>scaled</i>."}


@pytest.fixture
def disputed(preliminary):
    plain = preliminary.paper.model_dump(mode="json")
    plain["claims"]["a-accuracy"] |= {"author_response": REPLY, "disputed": True}
    paper = Paper.model_validate(plain, strict=False)
    return PaperResults(paper, [stated(row, paper.claims) for row in preliminary.current])


def test_the_reply_to_a_claim_stands_above_its_numbers(disputed, page):
    text = page(disputed).source
    claim = text.index("id=a-accuracy")
    reply = text.index("Wine was &lt;i&gt;scaled&lt;/i&gt;.", claim)
    assert text.index("Jane &lt;b&gt;Doe&lt;/b&gt;, an author of the paper, replies", claim) < reply
    assert text.index('class="mark disputed"', claim) < reply < text.index("<table", claim)
    assert text.count('class="mark disputed"') == 1


def test_the_reply_to_all_stands_at_the_top(preliminary, page):
    plain = preliminary.paper.model_dump(mode="json") | {"author_response": REPLY}
    results = PaperResults(Paper.model_validate(plain, strict=False), preliminary.current)
    text = page(results).source
    assert text.index("Wine was &lt;i&gt;") < text.index("<h2")


def test_a_disputed_verdict_is_in_no_answer(disputed, page):
    assert "None of 1 judged claim holds, 1 is undecided" in page(disputed).text
