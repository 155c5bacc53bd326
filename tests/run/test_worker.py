"""Who asks the warm process of a run, and who does its work by itself."""

import os
import socket
from pathlib import Path

import pytest

from icml2008.run import worker


def test_a_job_that_left_the_run_does_not_ask_its_process(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path(".snakemake").mkdir()
    monkeypatch.setitem(os.environ, "ICML2008_RUN", "1")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(worker._socket("baseline"))
        listener.listen()
        worker.forget()
        assert worker.ask("baseline", None) is None
        listener.setblocking(False)
        with pytest.raises(BlockingIOError):
            listener.accept()
