"""What goes wrong with papers."""

from __future__ import annotations

from icml2008.errors import Icml2008Error


class PaperError(Icml2008Error):
    """A paper's folder is wrong; the message names file, key and value."""
