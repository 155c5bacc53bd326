"""What a run says of the commits that its results come from."""

import subprocess

import pytest

from icml2008.harness.machine import last_commits


def git(folder, *command):
    who = ("-c", "user.name=doe", "-c", "user.email=doe@example.org")
    done = subprocess.run(
        ["git", *who, *command], cwd=folder, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path):
    """Return a repository whose folders `papers/a` and `papers/b` have a commit each."""
    root = tmp_path / "whole"
    root.mkdir()
    git(root, "init", "-q")
    for name in ("a", "b"):
        folder = root / "papers" / name
        folder.mkdir(parents=True)
        (folder / "file").write_text(name)
        git(root, "add", ".")
        git(root, "commit", "-q", "-m", name)
    return root


def test_each_folder_has_the_last_commit_that_changed_it(repository, monkeypatch):
    monkeypatch.chdir(repository)
    first, second = git(repository, "log", "--reverse", "--format=%h").split()
    assert last_commits(repository / "papers") == {"a": first, "b": second}


def test_a_shallow_clone_says_of_no_folder_when_it_changed(repository, tmp_path, monkeypatch):
    git(tmp_path, "clone", "-q", "--depth", "1", repository.as_uri(), "shallow")
    monkeypatch.chdir(tmp_path / "shallow")
    assert (tmp_path / "shallow" / "papers" / "a" / "file").is_file()
    assert last_commits(tmp_path / "shallow" / "papers") == {}


def test_outside_of_a_repository_no_commit_is_known(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert last_commits(tmp_path) == {}
