"""Data sets for tests: from the cache or a mirror folder, never from the network."""

from __future__ import annotations

from functools import cache

import pytest


@cache
def _load(name: str):
    from icml2008.data import DataUnavailable, PackageMissing, load

    try:
        return load(name, offline=True)
    except (DataUnavailable, PackageMissing) as error:
        return error


@pytest.fixture(scope="session")
def dataset():
    """Return a function that loads a data set, or skips the test where its files are missing."""

    def get(name: str):
        data = _load(name)
        if isinstance(data, Exception):
            pytest.skip(str(data))
        return data

    return get
