"""A progress bar for downloads."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class Bar:
    """What a download tells of itself, shown nowhere."""

    def start(self, size: int) -> None:
        """Expect so many bytes; 0 if the server does not say."""

    def update(self, size: int) -> None:
        """Move on by so many bytes."""


class _Shown(Bar):
    """One task of a rich progress display."""

    def __init__(self, display, label: str):
        self._display = display
        self._task = display.add_task(label, total=None)

    def start(self, size: int) -> None:
        self._display.update(self._task, total=size or None)

    def update(self, size: int) -> None:
        self._display.update(self._task, advance=size)


@contextmanager
def progress_bar(label: str, *, shown: bool) -> Iterator[Bar]:
    """Yield a bar on standard error while a download lasts, where one is wanted."""
    if not shown:
        yield Bar()
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
        yield _Shown(display, label)
