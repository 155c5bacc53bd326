"""One run at a time has a folder."""

import os
import signal
import subprocess
import sys

import pytest

HOLD = "from icml2008.run.trials import lock; print(lock.hold(), flush=True)"


@pytest.fixture
def holder(tmp_path):
    """Return a function that starts a process that takes the folder."""
    started = []

    def start(then=""):
        code = f"{HOLD}; {then}"
        started.append(
            subprocess.Popen(
                [sys.executable, "-c", code], cwd=tmp_path, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
        )  # fmt: skip
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


STAY = "import time; time.sleep(60)"


def test_a_second_run_is_refused_with_the_name_of_the_first(holder):
    first = holder(STAY)
    assert first.stdout.readline() == "\n"
    _, errors = holder().communicate()
    assert f"FolderInUse: another run (process {first.pid} on " in errors


def test_a_killed_run_leaves_its_name_and_the_folder(holder):
    first = holder(STAY)
    first.stdout.readline()
    first.kill()
    first.wait()
    output, errors = holder().communicate()
    assert (output.split()[:2], errors) == (["process", str(first.pid)], "")


def test_a_run_that_ends_by_itself_leaves_nothing(holder):
    assert holder().communicate() == ("\n", "")
    assert holder().communicate() == ("\n", "")


def test_what_a_run_forks_does_not_hold_the_folder(holder):
    first = holder(f"import os; os.write(1, b'%d\\n' % os.fork()); {STAY}")
    first.stdout.readline()
    fork = max(int(first.stdout.readline()) for _ in range(2))
    first.kill()
    first.wait()
    try:
        output, errors = holder().communicate()
    finally:
        os.kill(fork, signal.SIGKILL)
    assert f"process {first.pid} " in output
    assert errors == ""
