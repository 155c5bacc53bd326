"""Content is the same in any packing, and its faults are named."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma

import pytest

from icml2008.data.content import read_content
from icml2008.data.integrity import mismatch
from icml2008.data.registry import File

CONTENT = bytes(range(256)) * 50
ENTRY = File(
    sha256=hashlib.sha256(CONTENT).hexdigest(), size=len(CONTENT), licence="none", citation="none"
)
PACKINGS = {"plain": bytes, "gzip": gzip.compress, "bzip2": bz2.compress, "xz": lzma.compress}


@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
def test_content_is_the_same_in_any_packing(tmp_path, pack):
    path = tmp_path / "file"
    path.write_bytes(pack(CONTENT))
    assert read_content(path) == CONTENT
    assert mismatch(path, ENTRY) is None


@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
def test_cut_off_file_is_named_as_such(tmp_path, pack):
    path = tmp_path / "file"
    whole = pack(CONTENT)
    path.write_bytes(whole[: len(whole) * 2 // 3])
    assert "bytes" in mismatch(path, ENTRY)


@pytest.mark.parametrize(
    ("content", "fault"),
    [
        (CONTENT[:-1], f"expected {len(CONTENT)} bytes of content, got {len(CONTENT) - 1}"),
        (CONTENT + b"x", "got more than"),
        (CONTENT[::-1], "expected content with sha256"),
        (b"", "got 0"),
    ],
)
def test_fault_says_what_was_expected_and_found(tmp_path, content, fault):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert fault in mismatch(path, ENTRY)
