"""A loader that fails on a file says which, and why."""

import pytest

from icml2008.data.loading import DataUnreadable, read_files
from icml2008.data.registry import Dataset


@pytest.mark.parametrize(
    ("loader", "options", "message"),
    [
        ("icml2008.data.tables:load_arff", {}, "TypeError: .*'target'"),
        ("icml2008.data.tables:load_arff", {"target": "x"}, "cannot read toy.arff: KeyError: 'x'"),
        ("icml2008.data.tables:load_arf", {}, "AttributeError: .*load_arf.$"),
        ("icml2008.data.nowhere:load", {}, "ModuleNotFoundError"),
        ("icml2008.data.readers.idx:read_idx", {}, "ValueError: toy.arff is not an IDX file"),
    ],
)
def test_an_entry_that_does_not_fit_its_file_is_named(tmp_path, loader, options, message):
    path = tmp_path / "toy.arff"
    path.write_text("@attribute a real\n@attribute b real\n@data\n1,2\n")
    entry = Dataset(description="toy", files=["toy"], loader=loader, options=options)
    with pytest.raises(DataUnreadable, match=message):
        read_files("toy", entry, [path])
