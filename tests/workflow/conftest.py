import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TOY = Path(__file__).parent / "papers"


@pytest.fixture
def snakemake(tmp_path):
    """Return a function that runs the workflow in a folder of its own and returns how it ended."""

    def run(*targets, cores=2, papers="doe2008toy", env=None, papers_path=TOY, **config):
        settings = {"papers": papers, "papers_path": papers_path, **config}
        command = [
            *(sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"),
            *("--directory", tmp_path, "--configfile", ROOT / "config/config.yaml"),
            *("--workflow-profile", ROOT / "profiles/default", "--cores", cores, *targets),
            *("--config", *(f"{key}={value}" for key, value in settings.items())),
        ]
        return subprocess.run(
            list(map(str, command)), capture_output=True, text=True, check=False,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(env or {})},
        )  # fmt: skip

    run.folder = tmp_path
    return run


@pytest.fixture
def nowhere(tmp_path):
    """Return an environment without cache, mirror or network."""
    dead = "http://127.0.0.1:9"
    return {
        "ICML2008_CACHE": str(tmp_path / "cache"),
        "ICML2008_MIRROR": "",
        **dict.fromkeys(("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"), dead),
    }
