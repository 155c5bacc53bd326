"""Who asks the warm process of a run, and who does its work by itself."""

import os
import socket
from pathlib import Path
from types import SimpleNamespace

import pytest

from icml2008.run import job, worker


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


def test_a_job_that_is_interrupted_ends_without_a_word(monkeypatch, capsys):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(worker, "ask", interrupted)
    with pytest.raises(SystemExit) as ended:
        job.perform(SimpleNamespace(params={}))
    assert ended.value.code == 1
    assert capsys.readouterr() == ("", "")
