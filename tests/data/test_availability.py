"""What is there and what is not, before a run and after fetching."""

from __future__ import annotations

import gzip
import hashlib
import http.server
import threading

import pytest

from icml2008.data import PackageMissing, load
from icml2008.data.availability import State, ensure, state, verify
from icml2008.data.fetch import Patience
from icml2008.data.prospects import Probe, outlook
from icml2008.data.registry import Registry

PARTS = {"toy/a.csv.gz": b"1,2\n", "toy/b.csv.gz": b"3,4\n"}
HASTY = Patience(attempts=1, timeout=0.5)
CLOSED = "http://127.0.0.1:9"  # the discard port: nobody listens


def toy_registry(**urls):
    files = {
        name: {
            "urls": urls.get(name[4], ()),
            "sha256": hashlib.sha256(content).hexdigest(),
            "size": len(content),
            "licence": "none",
            "citation": "none",
        }
        for name, content in PARTS.items()
    }
    dataset = {"description": "two files", "files": list(PARTS), "loader": "json:loads"}
    return Registry.model_validate({"files": files, "datasets": {"toy": dataset}})


@pytest.fixture(autouse=True)
def register(monkeypatch):
    monkeypatch.delenv("ICML2008_MIRROR", raising=False)

    def give(**urls):
        monkeypatch.setattr("icml2008.data.registry.registry", lambda: toy_registry(**urls))

    give()
    return give


@pytest.fixture
def mirror(tmp_path):
    folder = tmp_path / "mirror"
    (folder / "toy").mkdir(parents=True)
    for name, content in PARTS.items():
        (folder / name).write_bytes(gzip.compress(content))
    return folder


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def test_all_files_make_a_data_set_available(mirror, cache):
    made = ensure("toy", mirrors=[mirror], cache=cache)
    assert made.status == "available"
    assert made.reasons == {}
    assert made == state("toy", cache=cache)


def test_one_missing_file_makes_it_unavailable(mirror, cache):
    (mirror / "toy/b.csv.gz").unlink()
    made = ensure("toy", mirrors=[mirror], cache=cache, offline=True)
    assert made.status == "unavailable"
    assert list(made.reasons) == ["toy/b.csv.gz"]


def test_corrupt_outranks_unavailable(mirror, cache):
    (mirror / "toy/a.csv.gz").unlink()
    (mirror / "toy/b.csv.gz").write_bytes(b"something else")
    assert ensure("toy", mirrors=[mirror], cache=cache, offline=True).status == "corrupt"


@pytest.fixture
def needy(monkeypatch):
    """Register the toy with a loader that needs a package which is not installed."""
    entries = toy_registry().model_dump()
    entries["datasets"]["toy"]["needs"] = ["numpy", "no-such-package"]
    needy = Registry.model_validate(entries)
    monkeypatch.setattr("icml2008.data.registry.registry", lambda: needy)


@pytest.mark.usefixtures("needy")
def test_data_whose_reader_is_not_installed_are_unavailable_and_the_reason_names_it(mirror, cache):
    made = ensure("toy", mirrors=[mirror], cache=cache)
    assert made.status == "unavailable"
    assert made.reasons == {"no-such-package": "is not installed"}
    look = outlook("toy", mirrors=[mirror], cache=cache)
    assert not look.available
    assert str(look) == "toy: not available (no-such-package is not installed)"
    with pytest.raises(PackageMissing, match=r"pip install no-such-package$"):
        load("toy", mirrors=[mirror], cache=cache)


def test_equal_states_are_equal_bytes_wherever_they_arose(tmp_path, mirror, register):
    """No path, address or way of failing may show, or a workflow would run again for nothing."""
    texts = {
        ensure("toy", mirrors=[tmp_path / "none"], cache=tmp_path / "x", offline=True).to_json(),
        ensure("toy", cache=tmp_path / "y", offline=True).to_json(),
    }
    register(a=[f"{CLOSED}/a"], b=[f"{CLOSED}/b"])
    texts.add(ensure("toy", cache=tmp_path / "z", patience=HASTY).to_json())
    assert len(texts) == 1
    assert str(tmp_path) not in texts.pop()


def test_state_comes_back_from_its_json(mirror, cache):
    made = ensure("toy", mirrors=[mirror], cache=cache)
    assert State.from_json(made.to_json()) == made


def test_failures_are_told_with_their_sources(mirror, cache):
    messages = []
    ensure("toy", mirrors=[mirror / "none"], cache=cache, offline=True, tell=messages.append)
    assert len(messages) == 2
    assert str(mirror / "none" / "toy/a.csv.gz") in messages[0]


def test_verify_finds_what_changed_after_fetching(mirror, cache):
    ensure("toy", mirrors=[mirror], cache=cache)
    (cache / "toy/a.csv.gz").write_bytes(b"1,3\n")
    (cache / "toy/b.csv.gz").unlink()
    faults = verify("toy", cache=cache)
    assert faults["toy/a.csv.gz"].startswith("expected content with sha256")
    assert faults["toy/b.csv.gz"] == "not there"


def where(view):
    return [source.where for source in view.sources]


def test_outlook_names_the_first_source_of_each_file(mirror, cache):
    (mirror / "toy/b.csv.gz").unlink()
    ensure("toy", mirrors=[mirror], cache=cache, offline=True)
    (mirror / "toy/b.csv.gz").write_bytes(gzip.compress(PARTS["toy/b.csv.gz"]))
    view = outlook("toy", mirrors=[mirror], cache=cache, probe=None)
    assert where(view) == ["cached", "mirror"]
    assert view.available
    assert not (cache / "toy/b.csv.gz").exists(), "an outlook fetches nothing"


def test_outlook_asks_urls_and_believes_a_refusal_to_talk_about_it(cache, register):
    register(a=["http://one/a"], b=["http://two/b"])
    answers = {"http://one/a": None, "http://two/b": "two does not answer"}
    view = outlook("toy", cache=cache, probe=answers.get)
    assert where(view) == ["url", "nowhere"]
    assert "two does not answer" in str(view)
    assert not view.available


def test_outlook_offline_asks_nobody(cache, register):
    register(a=["http://one/a"], b=["http://two/b"])
    view = outlook("toy", cache=cache, offline=True, probe=lambda url: pytest.fail("asked"))
    assert where(view) == ["nowhere", "nowhere"]
    assert "offline" in str(view)


@pytest.fixture
def statuses():
    """Serve, at /NUMBER, an answer with that HTTP status, and count the questions."""

    class Status(http.server.BaseHTTPRequestHandler):
        def do_HEAD(self):
            self.send_response(int(self.path.strip("/")))
            self.end_headers()

        def log_message(self, *args):
            """Keep the test's output clean."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Status)
    threading.Thread(target=server.serve_forever, args=[0.01], daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


@pytest.mark.parametrize(
    ("status", "there"), [(200, True), (405, True), (404, False), (503, False)]
)
def test_probe_takes_only_clear_answers_for_a_no(statuses, status, there):
    assert (Probe()(f"{statuses}/{status}") is None) == there


def test_probe_waits_for_a_silent_host_only_once(monkeypatch):
    import requests

    asked = []

    def silent(url, **options):
        asked.append(url)
        raise requests.ConnectTimeout

    monkeypatch.setattr(requests, "head", silent)
    probe = Probe()
    assert probe("http://silent/a") == probe("http://silent/b")
    assert asked == ["http://silent/a"]
