"""A release: said before it is made, made whole or not at all, described to archives."""

import gzip
import hashlib
import io
import json
import subprocess
import tarfile
import tomllib
from datetime import date
from pathlib import Path

import pytest
import yaml

from icml2008.cli.common import TO_CLONE
from icml2008.errors import Icml2008Error
from icml2008.report.citable import DEVELOPERS, SITE
from icml2008.report.described import codemeta, descriptions, zenodo
from icml2008.report.pages.releases import read_releases
from icml2008.run import release as releasing
from icml2008.run.release import CITATION, Release, plan, release_of

ROOT = Path(__file__).parents[2]
CITED = yaml.safe_load((ROOT / CITATION).read_text("utf-8"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
TABLE = gzip.compress(b"paper,claim,part,universe,verdict\nx,y,,default,confirmed\n", mtime=0)
DAY = date(2026, 1, 2)


def git(*command, where):
    who = ["-c", "user.name=Jane Doe", "-c", "user.email=jane@example.org"]
    done = subprocess.run(
        ["git", *who, *command], cwd=where, check=True, capture_output=True, text=True
    )
    return done.stdout


@pytest.fixture
def clone(tmp_path, monkeypatch):
    """Return a repository with what a release reads, and no builder of wheels."""
    monkeypatch.setattr(releasing, "find_spec", lambda name: None)
    for variable in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{variable}_NAME", "Jane Doe")
        monkeypatch.setenv(f"GIT_{variable}_EMAIL", "jane@example.org")
    root = tmp_path / "clone"
    root.mkdir()
    for name in (CITATION, Path("pyproject.toml")):
        (root / name).write_bytes((ROOT / name).read_bytes())
    log = f"# Changelog\n\n## {PROJECT['version']} (unreleased)\n\n- All.\n"
    (root / "CHANGELOG.md").write_text(log)
    git("init", "--quiet", where=root)
    git("add", ".", where=root)
    git("commit", "--quiet", "--message", "All", where=root)
    return root


def of(clone, **more):
    return Release(clone, DAY, TABLE, ["index.html", "x/y.html"], **more)


def test_what_it_would_do_is_said_and_nothing_is_done(clone, tmp_path):
    before = sorted(clone.rglob("*"))
    text = plan(of(clone), tmp_path / "dist")
    assert "CHANGELOG.md: +1 -1 lines" in text
    assert f"releases/{PROJECT['version']}/verdicts.csv.gz: new" in text
    assert "Nothing was done" in text
    assert sorted(clone.rglob("*")) == before
    assert not (tmp_path / "dist").exists()


def test_it_is_committed_tagged_and_archived_with_sums_that_are_true(clone, tmp_path):
    out = tmp_path / "dist"
    sources, sums = of(clone).make(out)
    version = PROJECT["version"]
    assert git("tag", where=clone).split() == [f"v{version}"]
    assert git("status", "--porcelain", where=clone) == ""
    listed = dict(line.split()[::-1] for line in sums.read_text().splitlines())
    assert listed == {sources.name: hashlib.sha256(sources.read_bytes()).hexdigest()}
    stem = f"icml2008-{version}"
    with tarfile.open(fileobj=io.BytesIO(sources.read_bytes())) as archive:
        cited = yaml.safe_load(archive.extractfile(f"{stem}/CITATION.cff").read())
        changes = archive.extractfile(f"{stem}/CHANGELOG.md").read().decode()
    assert cited == CITED | {"date-released": DAY}
    assert f"## {version} (2026-01-02)\n" in changes


def test_the_same_release_has_the_same_bytes(clone, tmp_path):
    release = of(clone)
    release.make(tmp_path / "first")
    again = release._archives(tmp_path / "second")
    assert [p.read_bytes() for p in again] == [
        (tmp_path / "first" / path.name).read_bytes() for path in again
    ]


def test_the_site_reads_what_it_archived(clone, tmp_path):
    of(clone).make(tmp_path / "dist")
    (archived,) = read_releases(clone / "releases")
    assert (archived.version, archived.released) == (PROJECT["version"], DAY)
    assert archived.verdicts == {("x", "y"): "confirmed"}


def test_addresses_of_earlier_releases_stay_in_the_list(clone, tmp_path):
    (clone / "docs").mkdir()
    (clone / "docs/addresses.txt").write_text("x/z.html\n")
    git("add", ".", where=clone)
    git("commit", "--quiet", "--message", "Addresses", where=clone)
    of(clone).make(tmp_path / "dist")
    text = (clone / "docs/addresses.txt").read_text()
    assert text.split() == ["index.html", "x/y.html", "x/z.html"]


def hindered(clone, how):
    if how == "dirty":
        (clone / "CHANGELOG.md").write_text("Other")
    elif how == "tagged":
        git("tag", f"v{PROJECT['version']}", where=clone)
    elif how == "no heading":
        (clone / "CHANGELOG.md").write_text("# Changelog\n")
        git("commit", "--quiet", "--all", "--message", "No heading", where=clone)
    elif how == "another version":
        text = (
            (clone / CITATION).read_text().replace(f"version: {PROJECT['version']}", "version: 9")
        )
        (clone / CITATION).write_text(text)
        git("commit", "--quiet", "--all", "--message", "Nine", where=clone)
    return of(clone, faults=["no proof of x"] if how == "no proof" else [])


@pytest.mark.parametrize(
    ("how", "message"),
    [
        ("dirty", "not committed: M CHANGELOG.md"),
        ("tagged", "the tag v[0-9.]+ is there"),
        ("no heading", "CHANGELOG.md has no heading '## [0-9.]+ .unreleased.'"),
        ("another version", "CITATION.cff has version 9, pyproject.toml"),
        ("no proof", "no proof of x"),
    ],
)
def test_what_hinders_it_is_said_and_nothing_is_written(clone, tmp_path, how, message):
    release = hindered(clone, how)
    before = git("log", "--all", "--format=%H", where=clone)
    with pytest.raises(Icml2008Error, match=message):
        release.make(tmp_path / "dist")
    assert not (tmp_path / "dist").exists()
    assert not (clone / "releases").exists()
    assert git("log", "--all", "--format=%H", where=clone) == before
    assert "It cannot be made now" in plan(release, tmp_path / "dist")


def test_outside_of_a_clone_it_says_so(tmp_path):
    with pytest.raises(Icml2008Error, match="no repository here"):
        release_of(tmp_path, DAY)


def test_the_committed_descriptions_are_todays():
    for name, content in descriptions(CITED, PROJECT).items():
        assert (ROOT / name).read_bytes() == content, f"{name}: icml2008 release shows what differs"


def test_the_citation_has_what_its_format_asks_for_and_nothing_unknown():
    """Citation File Format 1.2.0, of which this is what we use."""
    assert CITED["cff-version"] == "1.2.0"
    assert {"message", "title", "authors"} <= CITED.keys()
    known = {
        *("cff-version", "message", "title", "abstract", "type", "version", "license", "url"),
        *("repository-code", "authors", "keywords", "date-released"),
    }
    assert set(CITED) <= known
    assert CITED["type"] in ("software", "dataset")
    assert all(author["name"] for author in CITED["authors"])


def test_all_places_have_the_same_address_authors_and_licence():
    assert CITED["url"] == SITE
    assert CITED["authors"] == [{"name": DEVELOPERS}]
    assert CITED["repository-code"] == PROJECT["urls"]["Homepage"]
    assert f"git clone {PROJECT['urls']['Homepage']}" == TO_CLONE
    assert CITED["license"] == PROJECT["license"]


def test_archives_are_told_the_day_of_a_release():
    cited = CITED | {"date-released": DAY}
    assert codemeta(cited, PROJECT)["datePublished"] == "2026-01-02"
    assert zenodo(cited)["publication_date"] == "2026-01-02"
    assert "publication_date" not in zenodo(CITED)
    # As Zenodo names them: https://developers.zenodo.org
    asked = {"title", "upload_type", "description", "creators", "access_right", "license"}
    assert asked <= zenodo(CITED).keys()
    json.dumps(zenodo(cited))
