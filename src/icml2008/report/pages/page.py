"""A page of the site, and how a folder of pages is written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from icml2008.harness.records import write_atomically
from icml2008.report.templating import environment

_TAGS = re.compile(r"<[a-z][^<>]*>")
_QUOTES = re.compile(r'="([\w./#:-]*[\w-])"(?=[ >])')
# Not those between words that a browser would draw together.
_BREAKS = re.compile(r">\n+(?=</?(?:d[dlt]|details|div|figure|h\d|li|nav|p|section|t[a-z]+|ul)\b)")


@dataclass(frozen=True)
class Page:
    """What a template makes a page of.

    Attributes
    ----------
    path : str
        Below the folder of the site, ``bergeron2008mirank/mirank-beats-mic.html``.
    template : str
        Below ``templates``, ``pages/claim.html``.
    content : mapping
        What the template is given, besides `root`, the way from the page to the site's folder
        (empty or ``../``).
    """

    path: str
    template: str
    content: Mapping[str, Any] = field(default_factory=dict)

    def render(self) -> str:
        """Return the page's text."""
        root = "../" * self.path.count("/")
        return lean(environment().get_template(self.template).render(self.content, root=root))


def lean(html: str) -> str:
    r"""Return a page without quotes and line breaks that HTML lets one leave out.

    Texts are escaped: what looks like an attribute is one, and breaks between tags show nothing.

    Examples
    --------
    >>> print(lean('<dd>\n<p class="about"><a href="x/y.html" title="two words">x="1"</a></p>'))
    <dd><p class=about><a href=x/y.html title="two words">x="1"</a></p>
    """
    return _BREAKS.sub(">", _TAGS.sub(lambda tag: _QUOTES.sub(r"=\1", tag[0]), html))


def write_pages(folder: Path, pages: Iterable[Page]) -> list[str]:
    """Write pages below a folder; return their paths. Those that hold this text already stay."""
    written = []
    for page in pages:
        write_text(folder / page.path, page.render())
        written.append(page.path)
    return written


def write_text(file: Path, text: str) -> None:
    """Write a file atomically; one that holds this text already stays as it is."""
    _write(file, text.encode())


def write_files(folder: Path, files: Mapping[str, bytes]) -> list[str]:
    """Write files below a folder; return their paths. Those that hold this already stay."""
    for path, content in files.items():
        _write(folder / path, content)
    return list(files)


def _write(file: Path, content: bytes) -> None:
    if not file.is_file() or file.read_bytes() != content:
        write_atomically(file, content)
