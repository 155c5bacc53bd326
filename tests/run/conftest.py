import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers/doe2008toy"


@pytest.fixture(scope="session")
def workflow_in():
    """Return a function from a folder to one that runs the workflow there."""

    def workflow(folder, root=ROOT):
        def run(
            *targets,
            cores=2,
            papers=TOY.name,
            env=None,
            papers_path=TOY.parent,
            kill_when=None,
            **config,
        ):
            settings = {"papers": papers, "papers_path": papers_path, **config}
            command = [
                *(sys.executable, "-m", "snakemake", "--snakefile", root / "Snakefile"),
                *("--directory", folder, "--configfile", root / "config/config.yaml"),
                *("--workflow-profile", root / "profiles/default", "--cores", cores, *targets),
                *("--config", *(f"{key}={value}" for key, value in settings.items())),
            ]
            command = list(map(str, command))
            env = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})}
            if kill_when is None:
                return subprocess.run(command, capture_output=True, text=True, check=False, env=env)
            process = subprocess.Popen(
                command,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=env,
                start_new_session=True,
            )
            while not kill_when() and process.poll() is None:
                time.sleep(0.01)
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            return process

        run.folder = folder
        return run

    return workflow


@pytest.fixture
def snakemake(workflow_in, tmp_path):
    """Return a function that runs the workflow in a folder of its own and returns how it ended."""
    return workflow_in(tmp_path)


@pytest.fixture(scope="session")
def nowhere(tmp_path_factory):
    """Return an environment without cache, mirror or network."""
    dead = "http://127.0.0.1:9"
    return {
        "ICML2008_CACHE": str(tmp_path_factory.mktemp("cache")),
        "ICML2008_MIRROR": "",
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), dead),
    }
