"""Content is the same in any packing, and its faults are named."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
from functools import partial

import pytest

from icml2008.data.content import read_content
from icml2008.data.integrity import mismatch
from icml2008.data.registry import File

CONTENT = bytes(range(256)) * 50
ENTRY = File(
    sha256=hashlib.sha256(CONTENT).hexdigest(), size=len(CONTENT), licence="none", citation="none"
)


def compress(content, most=10, clear_at=9000):
    """Pack as compress(1) does in block mode, which begins its table anew where it sees fit."""
    packed = bytearray([0x1F, 0x9D, 0x80 | most])
    group = []
    bits = 9

    def flush():
        number = sum(code << (place * bits) for place, code in enumerate(group))
        packed.extend(number.to_bytes(bits if group else 0, "little"))
        group.clear()

    def put(code):
        group.append(code)
        if len(group) == 8:
            flush()

    table = {bytes([byte]): byte for byte in range(256)}
    free = 257
    text = b""
    for place, byte in enumerate(content):
        longer = text + bytes([byte])
        if longer in table:
            text = longer
            continue
        put(table[text])
        if place > clear_at:
            clear_at = len(content)
            put(256)
            flush()
            bits = 9
            table = {bytes([each]): each for each in range(256)}
            free = 257
        elif free < 1 << most:
            table[longer] = free
            free += 1
            if free > 1 << bits and bits < most:
                flush()
                bits += 1
        text = bytes([byte])
    put(table[text])
    rest = sum(code << (place * bits) for place, code in enumerate(group))
    return bytes(packed) + rest.to_bytes(-(-len(group) * bits // 8), "little")


PACKINGS = {
    "plain": bytes,
    "gzip": gzip.compress,
    "bzip2": bz2.compress,
    "xz": lzma.compress,
    "compress": compress,
    "compress, longer codes": partial(compress, most=16),
}


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


def test_codes_of_compress_that_stand_for_nothing_are_named(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"\x1f\x9d\x90" + b"\xff" * 40)
    assert "content breaks off after 0" in mismatch(path, ENTRY)
    path.write_bytes(b"\x1f\x9d\x1f" + b"\x00" * 40)
    with pytest.raises(OSError, match="codes of up to 31 bits"):
        read_content(path)


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
