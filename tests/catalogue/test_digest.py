"""What lists show of papers is what their files say, also after these have changed."""

import pytest

from icml2008.catalogue import digest, library
from icml2008.catalogue.digest import load_digest
from icml2008.judge.standing import facts

KEY = "bergeron2008mirank"


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    monkeypatch.setenv("ICML2008_CACHE", str(tmp_path / "cache"))
    forget()


def forget():
    digest._load.cache_clear()


@pytest.mark.parametrize("key", [KEY, "foundations", "zhang2008nystrom"])
def test_it_says_what_the_papers_file_says(key):
    for _ in ("compiled", "kept"):
        digest = load_digest(key)
        paper = library.load_paper(key)
        for name in ("key", "title", "authors", "topic", "rerunnable", "proceedings"):
            assert getattr(digest, name) == getattr(paper, name)
        assert digest.claims.keys() == paper.claims.keys()
        for name, claim in paper.claims.items():
            assert facts(digest.claims[name]) == facts(claim)
            assert digest.claims[name].parts() == list(claim.parts())
        forget()


def test_a_papers_file_that_changed_is_compiled_again(tmp_path, monkeypatch):
    title = load_digest(KEY).title
    copy = tmp_path / KEY
    copy.mkdir()
    text = (library.folder(KEY) / "paper.yaml").read_text()
    (copy / "paper.yaml").write_text(text.replace(title, "Changed"))
    monkeypatch.setattr(library, "_folders", lambda: {KEY: copy})
    assert load_digest(KEY).title == "Changed"


def test_what_is_kept_is_not_compiled_again(monkeypatch):
    whole = load_digest(KEY)
    forget()
    monkeypatch.setattr(digest, "_compile", None)
    assert load_digest(KEY) == whole


def test_without_a_place_to_keep_it_is_compiled(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ICML2008_CACHE", str(tmp_path / "file"))
    assert load_digest(KEY).key == KEY
