"""The registry fits together, and loading by name finds its way through it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module

import pytest
import yaml
from pydantic import ValidationError

from icml2008.data import UnknownData, catalogue, load
from icml2008.data.registry import (
    Registry,
    RegistryError,
    dataset_entry,
    look_in,
    read_registry,
    registry,
)

FILE = {"sha256": "0" * 64, "size": 1, "licence": "none", "citation": "none"}
DATASET = {"description": "a toy", "files": ["a"], "loader": "json:loads"}


@pytest.mark.parametrize("name", sorted(registry().datasets))
def test_loader_takes_the_files_and_options(name):
    entry = dataset_entry(name)
    module, function = entry.loader.split(":")
    loader = getattr(import_module(module), function)
    bound = inspect.signature(loader).bind(*entry.files, **entry.options)
    assert bound.arguments


@pytest.mark.parametrize(
    ("files", "datasets", "message"),
    [
        ({"a": FILE}, {"toy": DATASET | {"files": ["a", "b"]}}, "not registered: b"),
        ({"a": FILE, "b": FILE}, {"toy": DATASET}, "no data set uses the files: b"),
        ({"a": FILE | {"sha256": "0" * 63}}, {"toy": DATASET}, "files.a.sha256"),
        ({"../a": FILE}, {"toy": DATASET | {"files": ["../a"]}}, "files.`../a`"),
        ({"/a": FILE}, {"toy": DATASET | {"files": ["/a"]}}, "files.*/a"),
        ({"a": FILE}, {"../toy": DATASET}, "datasets.`../toy`"),
        ({"a": FILE | {"md5": "0"}}, {"toy": DATASET}, "files.a.md5"),
        ({"a": FILE | {"urls": ["ftp://host/a"]}}, {"toy": DATASET}, "files.a.urls.0"),
        ({"a": FILE}, {"toy": DATASET | {"loader": "loads"}}, "datasets.toy.loader"),
        ({"a": FILE}, {"toy": DATASET | {"files": []}}, "datasets.toy.files"),
    ],
)
def test_registry_that_does_not_fit_is_refused(files, datasets, message):
    with pytest.raises(ValidationError, match=message):
        Registry.model_validate({"files": files, "datasets": datasets})


def test_unknown_data_set_is_answered_with_the_nearest():
    with pytest.raises(UnknownData, match=r"no data set 'census-16'; did you mean 'census-16h'\?"):
        load("census-16")


def test_catalogue_says_what_is_cached(tmp_path):
    there = dataset_entry("census-16h").files
    whole = dataset_entry("census-8l").files
    for name in there:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    rows = {row["name"]: row for row in catalogue(cache=tmp_path)}
    assert list(rows) == sorted(registry().datasets)
    assert rows["census-16h"]["state"] == "cached"
    assert rows["census-8l"]["state"] == "partly cached"
    assert rows["iris"]["state"] == "not cached"
    assert rows["census-8l"]["files"] == list(whole)
    assert rows["census-8l"]["bytes"] == sum(registry().files[name].size for name in whole)


def test_catalogue_names_licence_and_citation_of_every_set():
    assert all(row["licence"] and row["citation"] and row["bytes"] for row in catalogue())


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import sys, icml2008.data.availability, icml2008.data.loading;"
        "heavy = {'pandas', 'sklearn', 'scipy', 'matplotlib', 'requests', 'numpy'};"
        "print(*heavy & {name.split('.')[0] for name in sys.modules}, end='')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == ""


@pytest.fixture
def declared(tmp_path):
    """Return a function that writes the entries of a paper and returns where they stand."""

    def write(key, text=None, files=("a",), name="toy"):
        entries = {
            "files": dict.fromkeys(files, FILE),
            "datasets": {name: DATASET | {"files": list(files)}},
        }
        path = tmp_path / key / "data.yaml"
        path.parent.mkdir()
        path.write_text(text or yaml.safe_dump(entries))
        return path

    return write


def test_entries_of_papers_are_one_registry(declared):
    paths = [declared("doe2008toy"), declared("roe2008tiny", files=["b"], name="tiny")]
    registry = read_registry(paths)
    assert (list(registry.files), list(registry.datasets)) == (["a", "b"], ["toy", "tiny"])


SERIES = """\
files:
  odds/{}.csv: {urls: ["http://host/{}"], licence: none, citation: none, each: {b/E1: B, a: A}}
datasets:
  odds: {description: odds, files: ["odds/{}.csv"], loader: "json:loads"}
"""


def test_a_series_is_each_of_its_files(declared):
    a, b = (f"{{sha256: {digit * 64}, size: {size}}}" for size, digit in ((1, "a"), (2, "b")))
    registry = read_registry([declared("doe2008toy", SERIES.replace("A", a).replace("B", b))])
    assert registry.datasets["odds"].files == ("odds/b/E1.csv", "odds/a.csv")
    first = registry.files["odds/b/E1.csv"]
    assert (first.size, first.urls, first.licence) == (2, ("http://host/b/E1",), "none")


def test_a_series_without_files_is_named(declared):
    path = declared("doe2008toy", SERIES.replace("each", "each_"))
    with pytest.raises(RegistryError, match=r"files\.odds/\{\}\.csv\.each_: unknown key"):
        read_registry([path])


@pytest.mark.parametrize(
    ("other", "name"),
    [({"name": "tiny"}, "files.a"), ({"files": ["b"]}, "datasets.toy")],
)
def test_name_that_stands_twice_is_refused_with_both_files(declared, other, name):
    first = declared("doe2008toy")
    second = declared("roe2008tiny", **other)
    with pytest.raises(RegistryError) as caught:
        read_registry([first, second])
    assert str(caught.value) == f"{second}: {name} stands in {first}, too"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("datasets:\n  toy: {}\n  toy: {}\n", "not YAML: the key 'toy' stands twice"),
        ("datasets: [\n", "not YAML: "),
        ("dataset: {}\n", "dataset: unknown key; did you mean 'datasets'?"),
        ("files:\n  a: {sha265: x}\n", "files.a.sha265: unknown key; did you mean 'sha256'?"),
        ("datasets:\n  toy: {file: x}\n", "datasets.toy.file: unknown key; did you mean 'files'?"),
    ],
)
def test_entries_that_are_wrong_are_named_with_their_file(declared, text, message):
    path = declared("doe2008toy", text)
    with pytest.raises(RegistryError) as caught:
        read_registry([path])
    assert f"{path}: {message}" in str(caught.value)


def test_papers_of_a_further_folder_are_in_the_registry(declared, monkeypatch):
    folder = declared("doe2008toy").parents[1]
    monkeypatch.setattr("icml2008.data.registry._PAPERS", [])
    look_in(folder)
    assert "toy" in registry().datasets
    assert "mnist" in registry().datasets
    assert "census-16h" not in registry().datasets
