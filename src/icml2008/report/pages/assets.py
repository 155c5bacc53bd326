"""The style sheet and the script of the site."""

from __future__ import annotations

from pathlib import Path

_FOLDER = Path(__file__).parents[1] / "templates" / "pages"


def texts() -> dict[str, str]:
    """Return the files that every page needs, by name: the fragments of style sheets are one."""
    sheets = [_FOLDER / "site.css", *sorted(_FOLDER.glob("*.css"))]
    css = "\n".join(sheet.read_text("utf-8") for sheet in dict.fromkeys(sheets))
    return {"site.css": css, "site.js": (_FOLDER / "site.js").read_text("utf-8")}
