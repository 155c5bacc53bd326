"""A run's warm process: it has imported what jobs need, and forks for each of them.

Importing NumPy, numba and scikit-learn takes longer than most jobs. The processes belong to the
run's own machine: a job of a cluster does its work by itself, within its own limits.
"""

from __future__ import annotations

import gc
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from zlib import crc32

from icml2008.harness import arithmetic

_RUN = "ICML2008_RUN"
_PROGRAM = "icml2008.run.job"
_WAITING = 1024  # jobs that may wait for the imports to end

# Whatever is not here is imported by each job that needs it.
_IMPORTED = (
    "PIL.ImageDraw", "PIL.ImageFont", "highspy", "matplotlib.figure", "numba", "scipy.optimize",
    "scipy.sparse.linalg", "scipy.spatial", "scipy.special", "scipy.stats", "sklearn.cluster",
    "sklearn.datasets", "sklearn.decomposition", "sklearn.ensemble", "sklearn.feature_selection",
    "sklearn.linear_model", "sklearn.manifold", "sklearn.metrics", "sklearn.mixture",
    "sklearn.model_selection", "sklearn.neighbors", "sklearn.svm", "threadpoolctl",
    "icml2008.run.steps",
)  # fmt: skip


def _socket(name: str) -> str:
    """Return where the process of an arithmetic listens; one of another environment cannot help."""
    return f".snakemake/worker-{os.environ[_RUN]}-{crc32(sys.prefix.encode()):x}-{name}"


class Workers:
    """The warm processes of a run, one for each arithmetic; they end with it however it ends."""

    def __init__(self) -> None:
        self._processes: list[subprocess.Popen] = []

    def start(self, names: Iterable[str]) -> None:
        """Start a process for each arithmetic."""
        os.environ[_RUN] = str(os.getpid())
        for name in names:
            with socket.socket(socket.AF_UNIX) as listener:
                listener.bind(_socket(name))
                listener.listen(_WAITING)
                command = [sys.executable, "-m", _PROGRAM, name, str(listener.fileno())]
                path = os.pathsep.join(filter(None, sys.path))  # finds what this process finds
                # Its standard input ends when this process does, be it by a signal.
                self._processes.append(
                    subprocess.Popen(
                        command,
                        stdin=subprocess.PIPE,
                        pass_fds=[listener.fileno()],
                        env={**os.environ, "PYTHONPATH": path},
                        start_new_session=True,
                    )
                )

    def stop(self) -> None:
        """End the processes and wait for them."""
        for process in self._processes:
            process.stdin.close()
            process.wait()


def forget() -> None:
    """Leave the processes alone: a job of a cluster works within what it was given."""
    os.environ.pop(_RUN, None)


def ask(name: str, snakemake: Any) -> int | None:
    """Have a job done by the warm process of an arithmetic; return its status, None without one."""
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            connection.connect(_socket(name))
        except (KeyError, OSError):
            return None
        connection.sendall(pickle.dumps(snakemake))
        connection.shutdown(socket.SHUT_WR)
        status = connection.recv(1)
    return status[0] if status else 1


def serve(listener: socket.socket, do: Callable[[Any], None]) -> None:
    """Fork for each job that is asked for, until the run ends; what then still works is ended."""
    while sys.stdin not in (ready := select.select([listener, sys.stdin], [], [])[0]):
        if listener not in ready:
            continue
        connection, _ = listener.accept()
        if not os.fork():
            listener.close()
            _do_one(connection, do)
        connection.close()
        _reap()
    Path(listener.getsockname()).unlink(missing_ok=True)
    if _reap():
        os.killpg(0, signal.SIGKILL)


def _reap() -> bool:
    """Wait for the jobs that ended; return whether others are left."""
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
        return True
    return False


def _do_one(connection: socket.socket, do: Callable[[Any], None]) -> None:
    status = 1
    try:
        with connection.makefile("rb") as asked:
            do(pickle.load(asked))
        status = 0
    except SystemExit:
        pass
    finally:
        with suppress(OSError):
            connection.sendall(bytes([status]))
        os._exit(status)


def warm_up() -> None:
    """Import what jobs need, and compile what they have in common."""
    for module in _IMPORTED:
        import_module(module)
    from numba import njit

    from icml2008.report.templating import environment

    for name in environment().list_templates(extensions=("html", "svg")):
        environment().get_template(name)  # compiles it
    njit(lambda x: x)(1.0)  # numba prepares for the processor at its first kernel
    gc.collect()
    gc.freeze()


def prepare(name: str) -> None:
    """Compute by an arithmetic from here on; to be called before NumPy is loaded."""
    arithmetic.use(name)
    os.environ["NUMBA_CACHE_DIR"] = str(Path(".snakemake/numba").absolute())
    os.environ["NUMBA_CACHE_LOCATOR_CLASSES"] = "icml2008.run.trials.kernels.ByCode"
