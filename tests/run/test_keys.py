"""A result's key changes with everything that a trial can read."""

import pytest
import yaml

from icml2008 import papers
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.data import registry
from icml2008.run import keys

KEY = "bach2008bolasso"
NAME = "uci-errors"
DATA = "housing"


@pytest.fixture
def key_with(monkeypatch):
    """Return a function: a result's key, with changed entries in the registry."""

    def key(file=None, **changed):
        entry = registry.dataset_entry(DATA)
        changed_entry = entry.model_copy(update=changed)
        monkeypatch.setattr(
            keys, "dataset_entry", lambda name: changed_entry if name == DATA else entry
        )
        known = registry.file_entry(entry.files[0])
        other = known.model_copy(update={"sha256": file or known.sha256})
        monkeypatch.setattr(keys, "file_entry", lambda name: other)
        keys.code_of.cache_clear()
        return keys.result_key(Entry(KEY), NAME, data=[DATA])

    yield key
    keys.code_of.cache_clear()


def test_a_data_set_has_one_key_wherever_it_is_declared(tmp_path, monkeypatch):
    """It stands in a paper's folder while one paper reads it, and in the registry from then on."""
    entries = registry.registry()
    lines = {
        "datasets": {DATA: entries.datasets[DATA].model_dump(mode="json")},
        "files": {
            name: entries.files[name].model_dump(mode="json")
            for name in entries.datasets[DATA].files
        },
    }
    path = tmp_path / "doe2008toy/data.yaml"
    path.parent.mkdir()
    path.write_text(yaml.safe_dump(lines))
    common = keys.result_key(Entry(KEY), NAME, data=[DATA])
    keys.code_of.cache_clear()
    monkeypatch.setattr(registry, "registry", lambda: registry.read_registry([path]))
    assert list(registry.registry().datasets) == [DATA]
    assert keys.result_key(Entry(KEY), NAME, data=[DATA]) == common


def test_the_options_of_a_loader_are_in_the_key(key_with):
    options = registry.dataset_entry(DATA).options
    assert key_with(options={**options, "target": "CRIM"})["data"] != key_with()["data"]


def test_the_content_of_a_file_is_in_the_key(key_with):
    assert key_with(file="0" * 64)["data"] != key_with()["data"]


def test_the_code_of_a_loader_is_in_the_key(key_with):
    assert key_with(loader="icml2008.data.census:load")["code"] != key_with()["code"]


def test_a_packaged_file_that_a_loader_reads_is_in_the_key(monkeypatch):
    from icml2008.harness import code

    before = code.code_hash(["icml2008.data.census"])
    (table,) = code.files_beside("icml2008.data.census")
    edited = table.read_bytes().replace(b"1", b"2", 1)
    monkeypatch.setattr(type(table), "read_bytes", lambda path: edited)
    assert code.code_hash(["icml2008.data.census"]) != before


def test_the_choices_and_the_versions_are_in_the_key():
    default, other = (
        keys.result_key(Entry("bergeron2008mirank"), "accuracy", universe, data=[])
        for universe in ("default", "mic=balanced")
    )
    assert default["choices"] != other["choices"]
    assert default["versions"].keys() == {"highspy", "numba", "numpy", "scikit-learn", "scipy"}


def test_the_arithmetic_is_no_part_of_a_key(monkeypatch):
    before = keys.result_key(Entry("bergeron2008mirank"), "accuracy", data=[])
    monkeypatch.setenv("ICML2008_ARITHMETIC", "nehalem")
    assert keys.result_key(Entry("bergeron2008mirank"), "accuracy", data=[]) == before


def test_a_page_is_rendered_anew_after_an_edit_of_the_papers_own_figures(tmp_path, monkeypatch):
    key = "doe2008drawn"
    hashes = set()
    folder = tmp_path / key
    folder.mkdir()
    (folder / "paper.yaml").touch()
    monkeypatch.setattr(library, "folder", lambda key: folder)
    monkeypatch.setattr(papers, "__path__", [*papers.__path__, str(tmp_path)])
    for width in (1, 2):
        (folder / "figures.py").write_text(f"WIDTH = {width}\n")
        hashes.add(keys.rendering_code(Entry(key)))
    assert len(hashes) == 2
