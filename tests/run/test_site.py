"""The site from the committed evidence: whole, and made again only where something changed."""

import gzip
import json
import re
import shutil
from pathlib import Path
from types import SimpleNamespace

import pytest

from icml2008.catalogue import library
from icml2008.errors import Icml2008Error
from icml2008.harness.machine import last_commits
from icml2008.run.site import building
from icml2008.store import REFERENCE
from reading import Read

ROOT = Path(__file__).parents[2]
KEYS = ["long2008random", "meka2008rank"]


@pytest.fixture(scope="module", autouse=True)
def _two_papers():
    """Leave a re-run and a planned paper, as seen from the root of the checkout."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(ROOT)
        patch.setattr(library, "paper_keys", lambda: KEYS)
        yield


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    out = tmp_path_factory.mktemp("site") / "out"
    return out, building.build_site(out)


def files_of(out):
    return {path: path.stat().st_mtime_ns for path in out.rglob("*") if path.is_file()}


def test_every_paper_and_every_claim_has_its_page(built):
    out, counts = built
    assert counts["made"] == 2
    claims = library.load_paper(KEYS[0]).claims
    for name in ["index", "audit", "quality", *KEYS, *(f"{KEYS[0]}/{claim}" for claim in claims)]:
        assert (out / f"{name}.html").is_file(), name


def test_every_link_leads_somewhere(built):
    out, _ = built
    pages = {path: Read(path.read_text("utf-8")) for path in out.rglob("*.html")}
    for path, page in pages.items():
        assert page.open == []
        for link in [*page.links, *page.loaded]:
            file, _, anchor = link.partition("#")
            if link.startswith(("http:", "https:", "data:")):
                continue
            target = (path.parent / file).resolve() if file else path
            assert target.is_file(), f"{path.name}: {link}"
            assert not anchor or target not in pages or anchor in pages[target].ids, link


def test_the_documentation_is_led_to_where_it_is_and_stays_when_pages_are_made_again(
    built, tmp_path, monkeypatch
):
    out = tmp_path / "out"
    shutil.copytree(built[0], out)

    def leads(page):
        return "docs/index.html" in Read((out / f"{page}.html").read_text("utf-8")).links

    assert not leads("index")

    def write(out):
        (out / "docs").mkdir()
        (out / "docs/index.html").write_text("Documentation")

    monkeypatch.setattr(building, "find_spec", lambda name: name)
    monkeypatch.setattr(building, "_write_docs", write)
    building.build_site(out, docs=True)
    for name in ("index", *KEYS):
        assert leads(name)
    building.build_site(out)
    assert (out / "docs/index.html").is_file()


def test_what_the_documentation_needs_is_one_message(tmp_path, monkeypatch):
    monkeypatch.setattr(building, "find_spec", lambda name: None)
    with pytest.raises(Icml2008Error, match=r"pip install -e '.\[run,docs\]'"):
        building.build_site(tmp_path / "new", docs=True)
    assert not (tmp_path / "new").exists()


def test_documentation_that_could_not_be_built_is_read_anew_the_next_time(tmp_path, monkeypatch):
    """Sphinx reads only what has changed, and complains only of what it reads."""

    def fail(command, **how):
        read = Path(command[command.index("--doctree-dir") + 1])
        assert not read.exists()
        read.mkdir(parents=True)
        return SimpleNamespace(returncode=1, stderr="WARNING: |a is no reference\n")

    monkeypatch.setattr(building.subprocess, "run", fail)
    for _ in range(2):
        with pytest.raises(Icml2008Error, match=r"not written:\nWARNING: \|a is no reference$"):
            building._write_docs(tmp_path)


def test_a_second_time_nothing_is_written(built):
    out, _ = built
    before = files_of(out)
    counts = building.build_site(out)
    assert (counts["kept"], counts.get("made", 0)) == (2, 0)
    assert files_of(out) == before


def test_pages_of_single_papers_and_then_the_rest_are_the_site_made_at_once(built, tmp_path):
    out = tmp_path / "out"
    assert building.build_site(out, only=KEYS[:1])["made"] == 1
    assert not (out / "index.html").exists()
    assert building.build_site(out, only=KEYS[1:])["made"] == 1
    assert building.build_site(out)["kept"] == 2
    shares, whole = (
        {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        for site in (out, built[0])
    )
    assert shares == whole


def test_an_unknown_paper_is_named_before_anything_is_written(tmp_path):
    out = tmp_path / "out"
    with pytest.raises(Icml2008Error, match="long2008rando.*long2008random"):
        building.build_site(out, only=["long2008rando"])
    assert not out.exists()


def test_after_a_change_only_that_papers_pages_and_the_shared_ones_are_made_again(
    built, tmp_path, monkeypatch
):
    out = tmp_path / "out"
    shutil.copytree(built[0], out)
    monkeypatch.setattr(
        building, "_stamp", lambda shelf, *_: shelf.key if shelf.key != KEYS[0] else "new"
    )
    for key in KEYS[1:]:
        made = out / ".made" / f"{key}.json.gz"
        known = json.loads(gzip.decompress(made.read_bytes()))
        made.write_bytes(gzip.compress(json.dumps(known | {"stamp": key}).encode()))
    assert building.build_site(out)["made"] == 1


def test_a_paper_of_which_the_record_is_cut_short_is_made_again(built, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(built[0], out)
    made = out / ".made" / f"{KEYS[0]}.json.gz"
    made.write_bytes(made.read_bytes()[:99])
    assert building.build_site(out)["made"] == 1


def test_the_footer_says_from_when_evidence_is_of_which_commit_and_which_kernel(
    built, tmp_path, monkeypatch
):
    assert last_commits(tmp_path) == {}
    monkeypatch.setattr(building, "last_commits", lambda _: {KEYS[0]: "1f2e3d4"})
    out = tmp_path / "out"
    shutil.copytree(built[0], out)
    assert building.build_site(out)["made"] == 1  # the planned one has no evidence
    text = Read((out / f"{KEYS[0]}.html").read_text("utf-8")).text
    assert re.search(r"Evidence of 20\S+, commit 1f2e3d4, openblas .*stale.*, .*underpowered", text)
    text = Read((out / "index.html").read_text("utf-8")).text
    assert re.search(r"Evidence of 20\S+, commit \S+, openblas .*stale.*, .*underpowered", text)


def test_what_no_longer_belongs_is_removed_and_an_old_page_comes_back(built, tmp_path):
    out = tmp_path / "out"
    shutil.copytree(built[0], out)
    (out / KEYS[0] / "gone.html").write_text("gone")
    (out / f"{KEYS[0]}.html").unlink()
    building.build_site(out)
    assert {p.relative_to(out) for p in out.rglob("*")} == {
        p.relative_to(built[0]) for p in built[0].rglob("*")
    }


def test_a_folder_with_something_else_is_left_alone(tmp_path):
    (tmp_path / "thesis.tex").write_text("years of work")
    with pytest.raises(Icml2008Error, match="something else than a site"):
        building.build_site(tmp_path, REFERENCE)
    assert (tmp_path / "thesis.tex").is_file()


def test_no_page_is_above_a_megabyte_and_a_closed_one_is_below_100_kilobytes_packed(built):
    import gzip

    for path in built[0].rglob("*.html"):
        assert path.stat().st_size < 1e6, path
        assert len(gzip.compress(path.read_bytes())) < 1e5, path
