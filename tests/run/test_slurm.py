"""Through Slurm come the same records, whatever becomes of its jobs."""

import importlib.util
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from icml2008.harness.choices import DEFAULT
from icml2008.store import record_file

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers/doe2008toy"
RECORDS = record_file(f"results/quick/{TOY.name}/records", "centre", DEFAULT)
SECONDS = 300  # that anything may take on a busy machine


def lacking():
    """Return why nothing can be submitted to Slurm here; empty if it can."""
    if not importlib.util.find_spec("snakemake_executor_plugin_slurm"):
        return "Snakemake's plugin for Slurm is not installed: pip install 'icml2008[slurm]'"
    if not shutil.which("sinfo"):
        return "Slurm is not installed: apt-get install slurm-wlm munge"
    asked = subprocess.run(["sinfo"], capture_output=True, text=True, check=False)
    return f"no Slurm answers: make test-slurm starts one ({asked.stderr})" * bool(asked.returncode)


pytestmark = [pytest.mark.slurm, pytest.mark.skipif(bool(lacking()), reason=lacking() or "none")]


class Submitted:
    """The workflow at work through Slurm."""

    def __init__(self, folder, *options, env=None):
        command = [
            *(sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile", TOY.name),
            *("--directory", folder, "--configfile", ROOT / "config/config.yaml"),
            *("--workflow-profile", ROOT / "profiles/slurm", "--max-threads", 1),
            *("--slurm-no-account", "--slurm-status-command", "squeue", "--latency-wait", 10),
            *("--slurm-init-seconds-before-status-checks", 3, "--seconds-between-status-checks", 3),
            *("--default-resources", "slurm_partition=tests", *options),
            *("--config", "scale=quick", f"papers={TOY.name}", f"papers_path={TOY.parent}"),
        ]
        self.folder = folder
        self.output = folder / "output.txt"
        with self.output.open("w") as output:
            self.process = subprocess.Popen(
                list(map(str, command)),
                env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
                stdout=output, stderr=output,
            )  # fmt: skip

    def jobs(self):
        """Return the numbers of the jobs that were submitted."""
        return re.findall(r"submitted with SLURM jobid (\d+)", self.output.read_text())

    def wait_for(self, state):
        """Wait until the first job is in a state; return what Slurm says of it."""
        end = time.monotonic() + SECONDS
        while not (self.jobs() and f"JobState={state} " in (description := job(self.jobs()[0]))):
            assert time.monotonic() < end, self.output.read_text()
            assert self.process.poll() is None, self.output.read_text()
            time.sleep(0.5)
        return description

    def go(self):
        """Let trials end, and return the records when all is done."""
        (self.folder / "go").touch()
        assert self.process.wait(SECONDS) == 0, self.output.read_text()
        return (self.folder / RECORDS).read_bytes()


def job(number):
    return subprocess.run(
        ["scontrol", "--oneliner", "show", "job", number],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip


def limit_of(description):
    """Return the minutes that a job may take."""
    hours, minutes, _ = re.search(r"TimeLimit=(\d+):(\d+):(\d+)", description).groups()
    return 60 * int(hours) + int(minutes)


@pytest.fixture(scope="module")
def waiting(tmp_path_factory):
    """Return runs by name, whose trials wait to be let go: all at once, as a minute has to pass."""
    runs = {}
    for name in ("limited", "plain", "cancelled", "node"):
        options = ("--set-resources", "run_trials:runtime=attempt") if name == "limited" else ()
        folder = tmp_path_factory.mktemp(name)
        runs[name] = Submitted(folder, *options, env={"DOE2008TOY": "wait"})
    yield runs
    for run in runs.values():
        run.process.kill()
        run.process.wait()


@pytest.fixture(scope="module")
def expected(workflow_in, tmp_path_factory):
    """Return the records that come without Slurm."""
    run = workflow_in(tmp_path_factory.mktemp("here"))
    assert run(TOY.name, scale="quick").returncode == 0
    return (run.folder / RECORDS).read_bytes()


def test_records_are_those_of_a_run_without_slurm_within_what_was_asked_for(waiting, expected):
    description = waiting["plain"].wait_for("RUNNING")
    assert limit_of(description) >= 5
    assert "mem=2G" in description
    assert waiting["plain"].go() == expected
    assert len(waiting["plain"].jobs()) == 1


def test_a_cancelled_job_is_submitted_again(waiting, expected):
    waiting["cancelled"].wait_for("RUNNING")
    subprocess.run(["scancel", waiting["cancelled"].jobs()[0]], check=True)
    assert waiting["cancelled"].go() == expected
    assert len(waiting["cancelled"].jobs()) == 2


def test_a_node_whose_daemon_is_started_again_keeps_its_job(waiting, expected):
    waiting["node"].wait_for("RUNNING")
    config = subprocess.run(["scontrol", "show", "config"], capture_output=True, text=True).stdout
    daemon = Path(re.search(r"SlurmdPidFile *= (\S+)", config)[1])
    os.kill(int(daemon.read_text()), signal.SIGTERM)
    while daemon.exists():
        time.sleep(0.1)
    subprocess.run(["slurmd"], check=True)
    assert waiting["node"].go() == expected
    assert len(waiting["node"].jobs()) == 1


def test_a_job_past_its_time_is_submitted_again_with_more(waiting, expected):
    waiting["limited"].wait_for("TIMEOUT")
    assert waiting["limited"].go() == expected
    assert [limit_of(job(number)) for number in waiting["limited"].jobs()] == [1, 2]
