"""How the suite is run: one arithmetic, no network, the same examples each time.

Tests of a paper run together. Each paper has `SECONDS_OF_TESTS` of a processor in every run; who
takes more is listed at its end.
"""

import gc
import os
import sys
from collections import Counter

import pytest
from _pytest.doctest import DoctestModule
from hypothesis import HealthCheck, settings

import icml2008.papers
from grouping import group_of, papers
from icml2008.harness import arithmetic
from icml2008.run import worker

# Before anything loads NumPy: smoke trials give the bytes of the reference, on one thread each, and
# a kernel that a run here has compiled is not compiled again, nor the other way round.
worker.prepare(arithmetic.BASELINE)

# EXAMPLES=10000 makes a long run.
settings.register_profile(
    "icml2008",
    deadline=None,
    derandomize=True,
    max_examples=int(os.environ.get("EXAMPLES", "50")),
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("icml2008")

_HERE = ("127.0.0.1", "::1", "localhost", "0.0.0.0", None, "")


class NetworkError(RuntimeError):
    """A test asks the network, which the suite does without."""


def _refuse_the_network(event, arguments):
    if event == "socket.connect":
        host = arguments[1][0] if isinstance(arguments[1], tuple) else None  # else a local socket
    elif event == "socket.getaddrinfo":
        host = arguments[0]
    else:
        return
    host = host.decode() if isinstance(host, bytes) else host
    if host not in _HERE:
        message = f"{host}: tests use no network; serve it from 127.0.0.1"
        raise NetworkError(message)


sys.addaudithook(_refuse_the_network)
# What tests start has the same: nobody listens at the discard port.
os.environ |= dict.fromkeys(
    ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), "http://127.0.0.1:9"
)
os.environ |= dict.fromkeys(("no_proxy", "NO_PROXY"), "127.0.0.1,localhost")


@pytest.fixture(autouse=True, scope="module")
def _same_papers():
    """Leave the library as it was: papers that a file's tests add are not counted by others."""
    before = list(icml2008.papers.__path__)
    yield
    if list(icml2008.papers.__path__) != before:
        from icml2008.catalogue import library  # which has added them

        icml2008.papers.__path__[:] = before
        library._folders.cache_clear()


STARTED = pytest.StashKey[float]()
ALL_ELSE = "all else"


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Look for doctests only where there is a prompt: looking imports the module."""
    found = yield
    if any(isinstance(one, DoctestModule) for one in found) and not _has_prompt(file_path):
        return [one for one in found if not isinstance(one, DoctestModule)]
    return found


def _has_prompt(file):
    return ">>> " in file.read_text("utf-8")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Put together the tests of a paper, else of a file; the runs of Snakemake come first."""
    order = {}
    for item in items:
        order.setdefault(group_of(item.nodeid), len(order))
    items.sort(
        key=lambda item: (not item.get_closest_marker("workflow"), order[group_of(item.nodeid)])
    )


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    """Hand out groups whole and in this order, to one process each."""
    from xdist.scheduler import LoadScopeScheduling

    class ByGroup(LoadScopeScheduling):
        _split_scope = staticmethod(group_of)

    return ByGroup(config, log)


def pytest_collection_finish():
    """Leave modules and tests, which stay, out of every later search for garbage."""
    gc.freeze()


def _processor():
    """Return the seconds of a processor that this process and its children have taken."""
    return sum(os.times()[:4])


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    item.stash[STARTED] = _processor()


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_teardown(item):
    group = group_of(item.nodeid)
    paper = group if group in papers() else ALL_ELSE
    item.user_properties.append((paper, _processor() - item.stash[STARTED]))


def pytest_terminal_summary(terminalreporter):
    """List the papers whose tests took more than their share: a fact, and never a failure.

    After a run of the whole suite, say what all papers took, and all else.
    """
    from icml2008.catalogue import library
    from icml2008.run.site.size import SECONDS_OF_TESTS

    seconds = Counter()
    for reports in terminalreporter.stats.values():
        for report in reports:
            if getattr(report, "when", "") == "teardown":
                seconds.update(dict(report.user_properties))
    engine = seconds.pop(ALL_ELSE, 0.0)
    over = [(key, taken) for key, taken in seconds.most_common() if taken > SECONDS_OF_TESTS]
    if over:
        title = f"papers whose tests take over {SECONDS_OF_TESTS:g} s of a processor"
        terminalreporter.section(title)
        for key, taken in over:
            terminalreporter.write_line(f"{taken:7.1f} s {key}")
    config = terminalreporter.config
    if config.args_source is config.ArgsSource.TESTPATHS:
        rerun = sum(map(library.has_experiments, papers()))
        each = seconds.total() / rerun
        terminalreporter.section("seconds of a processor")
        terminalreporter.write_line(f"{seconds.total():7.1f} s papers, {each:.1f} for each re-run")
        terminalreporter.write_line(f"{engine:7.1f} s {ALL_ELSE}")
