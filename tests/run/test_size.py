"""What a paper takes follows from its declarations and its files."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.run.site import size

KEY = "doe2008toy"
PAPERS = Path(__file__).parent / "papers"


@pytest.fixture
def toy(tmp_path, monkeypatch):
    library.add_papers(PAPERS)
    monkeypatch.chdir(tmp_path)
    for name, length in (
        ("results/reference/KEY/a", 700),
        ("figures/KEY/a.svg", 60_001),
        ("figures/KEY/a.png", 9),
    ):
        file = tmp_path / name.replace("KEY", KEY)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * length)
    return size.size_of(Entry(KEY))


def test_seconds_are_trials_times_their_declared_cost(toy):
    """Two cells of 8, 40 and 160 repeats, a second each."""
    assert toy.trials == toy.seconds == {"smoke": 16, "quick": 80, "full": 320}
    assert toy.over == {"smoke_s": 16, "quick_s": 80, "figures": 60_001}


def test_lines_and_bytes_are_those_of_its_files(toy):
    lines = {name: len((PAPERS / KEY / name).read_text().splitlines())
             for name in ("paper.yaml", "experiments.py")}  # fmt: skip
    assert (toy.yaml, toy.code, toy.tests) == (*lines.values(), 0)
    assert (toy.evidence, toy.figures) == (700, 60_001)


def test_tests_beside_a_paper_are_counted_apart_and_no_claim_allows_for_few_lines(
    tmp_path, monkeypatch
):
    for name, lines in (("paper.yaml", 1), ("figures.py", 300), ("test_roe2008long.py", 300)):
        (tmp_path / name).write_text("#\n" * lines)
    (tmp_path / "experiments.py").touch()
    monkeypatch.setattr(library, "folder", lambda key: tmp_path)
    monkeypatch.setattr(library, "load_experiments", lambda key: {})
    monkeypatch.setattr(library, "load_paper", lambda key: SimpleNamespace(claims={}))
    monkeypatch.setattr(size, "_share_of_methods", lambda entry: 40)
    counts = size.size_of(Entry("roe2008long"))
    assert (counts.yaml, counts.code, counts.tests) == (1, 300, 300)
    assert counts.lines == 641
    assert counts.beyond == 641 - size.LINES
