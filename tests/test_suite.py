"""How the suite is handed out to processes."""

import re
import socket
import subprocess
import sys
import warnings
from collections import defaultdict
from itertools import groupby

import numpy as np  # noqa: F401  (which arithmetic it has is what is asked)
import pytest

from grouping import group_of
from icml2008.harness import arithmetic


def test_what_asks_the_network_fails_and_what_is_served_here_does_not():
    with pytest.raises(RuntimeError, match="example.org: tests use no network"):
        socket.create_connection(("example.org", 80), timeout=1)
    with pytest.raises(RuntimeError, match="192.0.2.1: tests use no network"):
        socket.create_connection(("192.0.2.1", 80), timeout=1)
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname(), timeout=1).close()


def test_a_warning_is_an_error():
    with pytest.raises(DeprecationWarning):
        warnings.warn("old", DeprecationWarning, stacklevel=1)


@pytest.mark.skipif(bool(arithmetic.lacking(arithmetic.BASELINE)), reason="an older processor")
def test_tests_compute_by_the_baseline_whatever_this_processor_has():
    """Else no smoke trial would be compared with the reference's."""
    active = arithmetic.active()
    assert all(blas.endswith("Haswell") for blas in active["blas"])
    assert active["numpy"] == ["X86_V2 X86_V3"]


def test_the_tests_of_a_paper_or_of_a_file_follow_each_other(request):
    groups = [
        group for group, _ in groupby(group_of(item.nodeid) for item in request.session.items)
    ]
    assert len(groups) == len(set(groups))


def test_a_test_for_each_paper_is_with_the_papers_own(request):
    items = request.session.items
    by_paper = {
        item.callspec.params.get("key"): item for item in items if hasattr(item, "callspec")
    }
    for name in by_paper.keys() & {item.path.stem.removeprefix("test_") for item in items}:
        assert group_of(by_paper[name].nodeid) == name


def test_one_process_has_the_tests_of_a_file(request):
    """Else what they share is made in each process."""
    files = ["tests/harness/test_seeds.py", "tests/harness/test_choices.py"]
    command = [sys.executable, "-m", "pytest", "--numprocesses=2", "-vv", *files]
    root = request.config.rootpath
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=True)
    processes = defaultdict(set)
    for process, file in re.findall(r"\[(gw\d)\].* PASSED (.*?)::", run.stdout):
        processes[file].add(process)
    assert {file: len(workers) for file, workers in processes.items()} == dict.fromkeys(files, 1)
