import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
KERNELS = ROOT / ".snakemake/numba"
TOY = Path(__file__).parent / "papers/doe2008toy"


@pytest.fixture(scope="session")
def workflow_in(tmp_path_factory):
    """Return a function from a folder to one that runs the workflow there.

    No run parses a source or compiles a kernel that another has: both are kept by what they hold.
    """
    KERNELS.mkdir(parents=True, exist_ok=True)
    shared = {"icml2008/source": tmp_path_factory.mktemp("source"), "numba": KERNELS}

    def workflow(folder, root=ROOT):
        for part, place in shared.items():
            link = folder / ".snakemake" / part
            if not link.is_symlink():
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(place, target_is_directory=True)

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
