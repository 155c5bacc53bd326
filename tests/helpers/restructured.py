"""Docstrings as the documentation reads them, without building it."""

import inspect
import io
import re

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import roles
from docutils.utils import Reporter

# Entries below these are a line each with what names it, and a text that is set in.
_ENTRIES = ("Parameters", "Attributes", "Returns", "Yields", "Raises", "Other Parameters")
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.M)

for _role in ("class", "func", "meth", "mod"):  # of Sphinx's
    roles.register_generic_role(_role, nodes.literal)


def documented(public):
    """Yield a public name's name and docstring, and those of a class's own public members."""
    members = vars(public).items() if inspect.isclass(public) else ()
    shown = [("", public), *((f".{name}", member) for name, member in members if name[0] != "_")]
    for name, member in shown:
        member = getattr(member, "__func__", member)  # of a class method
        if inspect.isclass(member) or inspect.isfunction(member) or isinstance(member, property):
            yield public.__name__ + name, inspect.getdoc(member) or ""


def faults_of(docstring):
    """Return what docutils objects to in a docstring of numpydoc's kind."""
    opening, *sections = _HEADING.split(docstring)
    texts = [opening]
    for heading, body in zip(sections[::2], sections[1::2], strict=True):
        texts.append(_set_out(body) if heading in _ENTRIES else body)
    complaints = io.StringIO()
    publish_doctree(
        ".. default-role:: literal\n\n" + "\n\n".join(texts),
        settings_overrides={
            "report_level": Reporter.WARNING_LEVEL,
            "halt_level": Reporter.SEVERE_LEVEL + 1,
            "warning_stream": complaints,
        },
    )
    return complaints.getvalue().splitlines()


def _set_out(body):
    """Return the texts of entries without the lines that name them."""
    lines = body.splitlines()
    return "\n".join(line[4:] if line[:4].isspace() else "" for line in lines)
