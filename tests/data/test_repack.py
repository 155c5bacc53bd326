"""What is published inside an archive is taken out of it, however it is packed, and no more."""

import bz2
import gzip
import lzma
import struct
import tarfile
import zipfile
from io import BytesIO

import pytest

from icml2008.data import repack as module
from icml2008.data.repack import BadArchive, repack

WANTED = {"texts/a.sgm": b"first", "texts/b.sgm": b"second"}
OTHERS = {"README.txt": b"read me", "texts/c.txt": b"no"}


def tar(members, form=tarfile.GNU_FORMAT, **odd):
    file = BytesIO()
    with tarfile.open(fileobj=file, mode="w", format=form) as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            for field, value in odd.items():
                setattr(entry, field, value)
            archive.addfile(entry, BytesIO(content))
    return file.getvalue()


def made(tmp_path, content, members="texts/*.sgm", size=11_000):
    (tmp_path / "archive").write_bytes(content)
    repack(tmp_path / "archive", members, size, tmp_path / "out")
    return (tmp_path / "out").read_bytes()


def test_an_archive_that_is_packed_in_another_way_gives_the_same_bytes(tmp_path):
    both = [*WANTED.items(), *OTHERS.items()]
    first = made(tmp_path, tar(both))
    for content in (
        gzip.compress(tar(both[::-1], mtime=1e9, uname="jane", mode=0o600)),
        bz2.compress(tar([(f"./{name}", content) for name, content in both])),
        lzma.compress(tar(both, tarfile.PAX_FORMAT, pax_headers={"comment": "x"})),
        first,
    ):
        assert made(tmp_path, content) == first
    with tarfile.open(fileobj=BytesIO(first)) as archive:
        assert {m.name: archive.extractfile(m).read() for m in archive} == WANTED


def test_one_member_is_its_content(tmp_path):
    content = gzip.compress(tar([*WANTED.items(), *OTHERS.items()]))
    assert made(tmp_path, content, members="texts/b.sgm") == b"second"


def odd(name="texts/b.sgm", **fields):
    return tar([("texts/a.sgm", b"first")])[:1024] + tar([(name, b"")], **fields)


def zipped():
    file = BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("texts/a.sgm", "first")
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (odd(type=tarfile.SYMTYPE, linkname="/etc/passwd"), "'texts/b.sgm' is no file"),
        (odd(type=tarfile.LNKTYPE, linkname="texts/a.sgm"), "'texts/b.sgm' is no file"),
        (odd(type=tarfile.CHRTYPE), "'texts/b.sgm' is no file"),
        (odd(type=tarfile.FIFOTYPE), "'texts/b.sgm' is no file"),
        (tar(2 * [("texts/a.sgm", b"x")]), "'texts/a.sgm' stands twice"),
        (tar([("texts/a.sgm", b"x"), ("./texts/a.sgm", b"y")]), "stands twice"),
        (tar([("texts/a.sgm", bytes(20_000))]), "more than the 11000 bytes that are registered"),
        (tar([("../texts/a.sgm", b"x"), ("/texts/a.sgm", b"y")]), "nothing in it is called texts/"),
        (tar(OTHERS.items()), "nothing in it is called texts/"),
        (tar(WANTED.items())[:700], "no archive: "),
        (b"<html>", "no archive: "),
        (b"", "no archive: "),
        (zipped(), "no archive: "),
        (gzip.compress(tar(WANTED.items()))[:60], "no archive: "),
    ],
    ids=lambda value: value if isinstance(value, str) else "archive",
)
def test_what_nobody_should_unpack_is_refused_and_nothing_is_written(tmp_path, content, message):
    with pytest.raises(BadArchive, match=message):
        made(tmp_path, content)
    assert [path.name for path in tmp_path.rglob("*")] == ["archive"]


@pytest.mark.parametrize("inside", [True, False])
def test_a_bomb_is_not_unpacked(tmp_path, monkeypatch, inside):
    monkeypatch.setattr(module, "_MOST", 1 << 20)
    bomb = tar([("texts/a.sgm" if inside else "other", bytes(3 << 20))])
    with pytest.raises(BadArchive, match="unpacks to more than 1 MiB|more than the 11000 bytes"):
        made(tmp_path, gzip.compress(bomb))


def test_a_member_that_claims_a_size_beyond_the_archive_is_refused(tmp_path):
    head = bytearray(tar([("texts/a.sgm", b"first")]))
    head[124:136] = b"\x80" + struct.pack(">Q", 1 << 60).rjust(11, b"\0")  # in base 256
    head[148:156] = b" " * 8
    head[148:156] = b"%06o\0 " % sum(head[:512])
    with pytest.raises(BadArchive, match="more than the 11000 bytes"):
        made(tmp_path, bytes(head))
