"""The registry fits together, and loading by name finds its way through it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from importlib import import_module
from importlib.resources import files

import pytest
import yaml
from pydantic import ValidationError

from icml2008.data import UnknownData, catalogue, load
from icml2008.data.registry import Registry, dataset_entry, registry

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
    there, whole = dataset_entry("census-16h").files, dataset_entry("census-8l").files
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
        "heavy = {'pandas', 'sklearn', 'scipy', 'matplotlib', 'requests', 'pooch', 'numpy'};"
        "print(*heavy & {name.split('.')[0] for name in sys.modules}, end='')"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == ""


def test_registry_is_plain_yaml_without_double_keys():
    """YAML takes the last of two equal keys without a word."""

    class Strict(yaml.SafeLoader):
        def construct_mapping(self, node, deep=False):
            keys = [self.construct_object(key) for key, _ in node.value]
            assert len(keys) == len(set(keys)), f"a key stands twice among {keys}"
            return super().construct_mapping(node, deep)

    yaml.load((files("icml2008.data") / "registry.yaml").read_text(encoding="utf-8"), Strict)
