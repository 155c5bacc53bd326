"""Fetching: the right content under its final name, or nothing, whatever a server does."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import pickle
import subprocess
import sys
import tarfile
import textwrap
import threading
import time
from collections import Counter
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from icml2008.data.fetch import DataCorrupt, DataUnavailable, Patience, fetch_file
from icml2008.data.registry import Registry, UnknownData
from icml2008.errors import Icml2008Error


def tar(members):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        for name, content in members:
            entry = tarfile.TarInfo(name)
            entry.size = len(content)
            archive.addfile(entry, io.BytesIO(content))
    return file.getvalue()


CONTENT = b"0.5,1.25,-3\n" * 9000
PACKED = gzip.compress(CONTENT, mtime=0)
WRONG = CONTENT.replace(b"-3", b"-4")
BOMB = gzip.compress(bytes(50_000_000))
ARCHIVE = gzip.compress(
    tar([("README", b"numbers"), ("data/numbers.csv", CONTENT), ("data/link.csv", b"")])
)
HASTY = Patience(attempts=3, wait=0.01, timeout=0.3, grace=0.5, slowest=1e7)
NAME = "toy/numbers.csv.gz"


class Behaviour(BaseHTTPRequestHandler):
    """What a path does: the first part of it names the behaviour, the rest the file."""

    def do_GET(self):
        behaviour = self.path.split("/")[1]
        self.server.asked[behaviour] += 1
        getattr(self, behaviour)()

    do_HEAD = do_GET

    def answer(self, body, *, status=200, length=None, **headers):
        self.send_response(status)
        for key, value in headers.items():
            self.send_header(key.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(body) if length is None else length))
        self.end_headers()
        if self.command == "GET":
            self.wfile.write(body)

    def right(self):
        self.answer(PACKED)

    def unpacked(self):
        self.answer(CONTENT)

    def encoded(self):
        """Some servers declare a .gz file as a transfer encoding, and clients then unpack it."""
        self.answer(PACKED, Content_Encoding="gzip")

    def wrong(self):
        self.answer(gzip.compress(WRONG))

    def half(self):
        """A connection that ends early."""
        self.answer(PACKED[: len(PACKED) // 2], length=len(PACKED))

    def cut(self):
        """A file that was stored cut off."""
        self.answer(PACKED[: len(PACKED) // 2])

    def bomb(self):
        self.answer(BOMB)

    def page(self):
        self.answer(b"\n<!DOCTYPE html><title>Please log in</title>")

    def missing(self):
        self.answer(b"", status=404)

    def broken(self):
        self.answer(b"", status=500)

    def recovering(self):
        if self.server.asked["recovering"] <= 2:
            self.answer(b"", status=500)
        else:
            self.right()

    def moved(self):
        self.answer(b"", status=301, Location=self.path.replace("/moved/", "/right/"))

    def stalled(self):
        self.answer(PACKED[:100], length=len(PACKED))
        self.wfile.flush()
        self.server.done.wait(10)

    def endless(self):
        self.send_response(200)
        self.end_headers()
        with suppress(OSError):
            while not self.server.done.is_set():
                self.wfile.write(bytes(1 << 16))

    def trickling(self, **headers):
        """A few bytes at a time, so that the connection never stalls."""
        self.send_response(200)
        for key, value in headers.items():
            self.send_header(key, value)
        self.end_headers()
        with suppress(OSError):
            for byte in PACKED:
                self.wfile.write(bytes([byte]))
                if self.server.done.wait(0.02):
                    break

    def trickling_packed(self):
        self.trickling(**{"Content-Encoding": "gzip"})

    def refused(self):
        """A connection that ends before it answers."""
        self.connection.close()

    def elsewhere(self):
        self.answer(b"", status=302, Location="file:///etc/passwd")

    def archive(self):
        self.answer(ARCHIVE)

    def circling(self):
        self.answer(b"", status=302, Location=self.path)

    def together(self):
        """Nobody gets the end of the file before two have asked for it."""
        self.answer(PACKED[:100], length=len(PACKED))
        self.wfile.flush()
        self.server.two.wait(20)
        self.wfile.write(PACKED[100:])

    def log_message(self, *args):
        """Keep the test's output clean."""


@contextmanager
def serving():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Behaviour)
    server.daemon_threads = True
    server.asked = Counter()
    server.done = threading.Event()
    server.two = threading.Barrier(2)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    try:
        yield server
    finally:
        server.done.set()
        server.shutdown()
        server.server_close()


@pytest.fixture
def server():
    with serving() as running:
        yield running


@pytest.fixture
def at(server):
    """Return the address of a mirror that behaves in a given way."""
    return lambda behaviour: f"http://127.0.0.1:{server.server_port}/{behaviour}"


def toy_registry(*urls, **more):
    entry = {
        "urls": urls,
        **more,
        "sha256": hashlib.sha256(CONTENT).hexdigest(),
        "size": len(CONTENT),
        "licence": "none",
        "citation": "none",
    }
    dataset = {"description": "numbers", "files": [NAME], "loader": "json:loads"}
    return Registry.model_validate({"files": {NAME: entry}, "datasets": {"toy": dataset}})


@pytest.fixture(autouse=True)
def register(monkeypatch):
    """Make the toy file the only one in the registry, and return a function to give it URLs."""
    monkeypatch.delenv("ICML2008_MIRROR", raising=False)
    monkeypatch.delenv("ICML2008_CACHE", raising=False)

    def give(*urls, **more):
        monkeypatch.setattr("icml2008.data.registry.registry", lambda: toy_registry(*urls, **more))

    give()
    return give


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def fetch(cache):
    def get(*mirrors, **options):
        return fetch_file(NAME, mirrors=mirrors, cache=cache, patience=HASTY, **options)

    return get


@pytest.fixture
def folder(tmp_path):
    """Return a mirror that is a folder."""
    path = tmp_path / "mirror" / NAME
    path.parent.mkdir(parents=True)
    path.write_bytes(PACKED)
    return tmp_path / "mirror"


def leftovers(cache):
    return [path for path in cache.rglob("*") if path.is_file()]


@pytest.mark.parametrize("behaviour", ["right", "unpacked", "encoded", "recovering", "moved"])
def test_content_is_complete_however_it_comes(fetch, at, cache, behaviour):
    path = fetch(at(behaviour))
    assert path == cache / NAME
    packed = path.read_bytes()
    assert (gzip.decompress(packed) if packed[:2] == b"\x1f\x8b" else packed) == CONTENT
    assert leftovers(cache) == [path]


@pytest.mark.parametrize("behaviour", ["wrong", "cut", "bomb"])
def test_other_content_is_corrupt_and_not_kept(fetch, at, cache, behaviour):
    with pytest.raises(DataCorrupt):
        fetch(at(behaviour))
    assert leftovers(cache) == []


@pytest.mark.parametrize(
    ("behaviour", "reason"),
    [
        ("missing", "HTTP status 404"),
        ("broken", "HTTP status 500"),
        ("half", "ended early"),
        ("stalled", "stalled"),
        ("endless", "longer than what is registered"),
        ("trickling", "too slow"),
        ("trickling_packed", "too slow"),
        ("refused", "ConnectionError"),
        ("circling", "HTTP status 302"),
        ("elsewhere", "InvalidSchema"),
        ("page", "a web page instead of the file"),
    ],
)
def test_failure_to_deliver_is_unavailable_with_its_reason(fetch, at, cache, behaviour, reason):
    with pytest.raises(DataUnavailable) as caught:
        fetch(at(behaviour))
    assert caught.value.tried[-1] == (f"mirror {at(behaviour)}/{NAME}", reason)
    assert leftovers(cache) == []


def test_wrong_content_is_named_with_what_was_expected_and_found(fetch, at):
    with pytest.raises(DataCorrupt) as caught:
        fetch(at("wrong"))
    assert hashlib.sha256(CONTENT).hexdigest() in str(caught.value)
    assert hashlib.sha256(WRONG).hexdigest() in str(caught.value)


@pytest.mark.parametrize(
    ("behaviour", "times"),
    [
        ("broken", 3),
        ("half", 3),
        ("recovering", 3),
        ("missing", 1),
        ("endless", 1),
        ("trickling", 1),
    ],
)
def test_only_what_may_pass_is_tried_again(fetch, at, server, behaviour, times):
    try:
        fetch(at(behaviour))
    except DataUnavailable:
        assert behaviour != "recovering"
    assert server.asked[behaviour] == times


def in_archive(behaviour, members="data/numbers.csv", at_most=1_000_000):
    return {"url": f"{behaviour}/x.tar.gz", "members": members, "at_most": at_most}


def test_a_file_is_taken_out_of_the_archive_in_which_it_is_published(fetch, at, register, cache):
    register(archives=[in_archive(at("broken")), in_archive(at("archive"))])
    path = fetch()
    assert path.read_bytes() == CONTENT
    assert leftovers(cache) == [path]


@pytest.mark.parametrize(
    ("behaviour", "more", "reason"),
    [
        ("archive", {"members": "data/other.csv"}, "nothing in it is called data/other.csv"),
        ("archive", {"at_most": 10}, "longer than what is registered"),
        ("page", {}, "a web page instead of the file"),
        ("cut", {}, "no archive: "),
        ("right", {}, "no archive: "),
        ("missing", {}, "HTTP status 404"),
    ],
)
def test_an_archive_without_the_file_is_named_with_the_reason(
    fetch, at, register, cache, monkeypatch, behaviour, more, reason
):
    monkeypatch.setattr("icml2008.data.download._SLACK", 0)
    register(archives=[in_archive(at(behaviour), **more)])
    with pytest.raises(DataUnavailable) as caught:
        fetch()
    source, why = caught.value.tried[-1]
    assert source == f"archive {at(behaviour)}/x.tar.gz"
    assert why.startswith(reason)
    assert leftovers(cache) == []


def test_what_nobody_publishes_as_such_says_what_it_was_made_from(fetch, register):
    register(made_from="https://example.org/numbers.rda")
    with pytest.raises(DataUnavailable, match="was made from https://example.org/numbers.rda"):
        fetch()


@pytest.mark.parametrize("behaviour", ["wrong", "missing", "half", "page"])
def test_next_source_mends_the_failure_of_one(fetch, at, behaviour):
    assert fetch(at(behaviour), at("right")).is_file()


def test_cache_comes_first_then_mirrors_in_order_then_urls(
    fetch, at, server, register, monkeypatch
):
    register(f"{at('right')}/x.gz")
    monkeypatch.setenv("ICML2008_MIRROR", at("missing"))
    path = fetch(at("broken"))
    assert list(server.asked) == ["missing", "broken", "right"]
    path.touch()
    fetch(at("broken"))
    assert server.asked["right"] == 1


def test_what_a_killed_process_was_fetching_is_removed_and_what_another_fetches_is_left(
    fetch, at, cache
):
    (cache / NAME).parent.mkdir(parents=True)
    dead, alive = ((cache / NAME).with_name(f".{name}.part") for name in ("dead", "alive"))
    for part in (dead, alive):
        part.write_bytes(PACKED[:100])
    os.utime(dead, (0, time.time() - 2 * 86_400))
    fetch(at("right"))
    assert (dead.exists(), alive.exists()) == (False, True)


def test_cache_that_went_bad_is_replaced(fetch, at, cache):
    path = fetch(at("right"))
    path.write_bytes(PACKED[:50])
    assert fetch(at("right")).read_bytes() == PACKED


def test_cache_that_went_bad_is_removed_where_nothing_replaces_it(fetch, at, cache):
    path = fetch(at("right"))
    path.write_bytes(PACKED[:50])
    with pytest.raises(DataCorrupt, match="content breaks off"):
        fetch()
    assert not path.exists()


def test_folder_that_cannot_be_written_serves_as_mirror(fetch, folder, cache):
    for path in (folder / NAME, (folder / NAME).parent, folder):
        path.chmod(0o444 if path.is_file() else 0o555)
    try:
        path = fetch(folder)
        assert path.read_bytes() == PACKED
        path.write_bytes(b"the copy is not write-protected")
    finally:
        for path in (folder, (folder / NAME).parent):
            path.chmod(0o755)


def test_offline_uses_folders_and_asks_no_server(fetch, at, server, folder, register):
    register(f"{at('right')}/x.gz")
    with pytest.raises(DataUnavailable):
        fetch(at("right"), offline=True)
    assert fetch(at("right"), folder, offline=True).is_file()
    assert not server.asked


def test_cache_folder_can_be_named_by_the_environment(folder, tmp_path, monkeypatch):
    monkeypatch.setenv("ICML2008_CACHE", str(tmp_path / "elsewhere"))
    assert fetch_file(NAME, mirrors=[folder]) == tmp_path / "elsewhere" / NAME


def test_cache_that_cannot_be_made_is_an_error_of_its_own(folder, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    with pytest.raises(Icml2008Error, match="ICML2008_CACHE") as caught:
        fetch_file(NAME, mirrors=[folder], cache=tmp_path / "file")
    assert not isinstance(caught.value, DataUnavailable)


def test_full_disk_is_no_fault_of_the_source(fetch, folder, monkeypatch):
    def full(source, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("icml2008.data.fetch.shutil.copyfile", full)
    with pytest.raises(Icml2008Error, match="cannot write") as caught:
        fetch(folder)
    assert not isinstance(caught.value, DataUnavailable)


def test_two_processes_that_fetch_at_once_both_get_the_file(at, server, cache):
    script = textwrap.dedent(f"""
        import sys
        sys.path.insert(0, {str(Path(__file__).parent)!r})
        import test_fetch, icml2008.data.registry as registry
        registry.registry = test_fetch.toy_registry
        from icml2008.data.fetch import fetch_file
        print(fetch_file({NAME!r}, mirrors=[{at("together")!r}], cache={str(cache)!r}))
    """)
    command = [sys.executable, "-c", script]
    runs = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    outputs = [run.communicate(timeout=60)[0].strip() for run in runs]
    assert server.asked["together"] == 2, "both must have been downloading at the same time"
    assert outputs == [str(cache / NAME)] * 2
    assert leftovers(cache) == [cache / NAME]
    assert (cache / NAME).read_bytes() == PACKED


def test_progress_is_shown_on_standard_error_only(fetch, at, capsys):
    fetch(at("right"), progress=True)
    assert capsys.readouterr().out == ""


def test_unknown_file_is_answered_with_the_nearest():
    with pytest.raises(UnknownData, match=r"did you mean 'toy/numbers.csv.gz'\?"):
        fetch_file("toy/number.csv.gz")


def test_errors_survive_the_way_between_processes():
    error = DataUnavailable(NAME, (("cache", "not there"),), Path("cache"))
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
