"""A progress bar for downloads, in the form that pooch asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class _Bar:
    """One task of a rich progress display, with the four names of a tqdm bar that pooch uses."""

    def __init__(self, display, label: str):
        self._display, self._task = display, display.add_task(label, total=None)

    @property
    def total(self) -> int | None:
        """Size of the download in bytes, if the server says it."""
        return self._display.tasks[0].total

    @total.setter
    def total(self, size: int) -> None:
        self._display.update(self._task, total=size or None)

    def update(self, size: int) -> None:
        """Move on by so many bytes."""
        self._display.update(self._task, advance=size)

    def reset(self) -> None:
        """Go back to the start."""
        self._display.update(self._task, completed=0)

    def close(self) -> None:
        """Do nothing: the display is closed where it was opened."""


@contextmanager
def progress_bar(label: str, *, shown: bool) -> Iterator[_Bar | bool]:
    """Yield a bar on standard error while a download lasts, or False where none is wanted."""
    if not shown:
        yield False
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TransferSpeedColumn,
    )

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as display:
        yield _Bar(display, label)
