"""Which tests one process has."""

from functools import cache
from pathlib import Path


@cache
def papers():
    """Return the keys of all papers."""
    from icml2008.catalogue import library

    return frozenset(library.paper_keys())


def group_of(nodeid):
    """Return the paper that a test is about, by parameter, file or folder; else its file."""
    file, _, name = nodeid.partition("::")
    path = Path(file)
    parameters = name.partition("[")[2].rstrip("]").split("-")
    names = (*parameters, path.stem.removeprefix("test_"), path.parent.name)
    return next((name for name in names if name in papers()), file)
