"""The documentation, part of the site: ``icml2008 site --docs``, or ``sphinx-build -W docs OUT``.

Its pages have the site's own header and style sheet, and lie in its folder ``docs``. Pages that
list what there is (methods, experiments, commands, figures) are templates; `listed` fills them.
"""

import os
import re
import subprocess
import sys
from importlib.metadata import version as version_of
from inspect import isclass
from pathlib import Path

from docutils import nodes
from docutils.utils.math.latex2mathml import tex2mathml
from jinja2 import Environment

from icml2008.catalogue import library
from icml2008.methods import worlds
from icml2008.report import interfaces

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT / "docs"))

import method_pages  # noqa: E402

os.chdir(ROOT)  # what is listed is looked for as the command line does

project, version = "icml2008", version_of("icml2008")
author = copyright = "the icml2008 authors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
exclude_patterns = ["theme"]
default_role, highlight_language = "py:obj", "none"
autodoc_typehints = "none"
autodoc_default_options = {"members": True}
autodoc_member_order = "bysource"
napoleon_use_ivar = True
napoleon_use_rtype = False
myst_heading_anchors = 4
suppress_warnings = [
    "misc.highlighting_failure",  # a diagram is shown as its source
    "myst.header",  # what is included begins below the page's own title
]

html_theme, html_theme_path = "theme", [str(Path(__file__).parent)]
templates_path = ["../src/icml2008/report/templates"]
html_title = "Documentation"
html_copy_source = html_show_search_summary = False
html_math_renderer = "mathml"


def listed(app, docname, source):
    """Fill in what a page of `LISTS` lists."""
    if docname in LISTS:
        found = Environment(trim_blocks=True, lstrip_blocks=True).from_string(source[0])
        source[0] = found.render(LISTS[docname](), root="../" * (docname.count("/") + 1))


def public_methods():
    """Return the public methods by subject; each has a page of its own."""
    return {"subjects": method_pages.by_subject()}


def public_worlds():
    """Return the worlds, each as what autodoc calls it, with its name in full."""
    kinds = {name: isclass(getattr(worlds, name)) for name in worlds.__all__}
    return {
        "worlds": [
            ("class" if kind else "function", f"{worlds.__name__}.{name}")
            for name, kind in kinds.items()
        ]
    }


def experiments():
    """Return what each experiment of each paper expects of methods of one's own."""
    found = {}
    for key in filter(library.has_experiments, library.paper_keys()):
        taken = {}
        for name, one in library.load_experiments(key).items():
            taken.setdefault(one.expects, []).append(name)
        found[key] = [
            (names, interfaces.in_short(expects), interfaces.in_full(expects))
            for expects, names in taken.items()
        ]
    return {"papers": {key: (library.load_head(key).title, found[key]) for key in found}}


def commands():
    """Return how each command is called, as it says itself."""
    ask = [sys.executable, "-m", "typer", "icml2008.cli", "utils", "docs"]
    ask += ["--name", "icml2008", "--title", "The command line"]
    return {"commands": subprocess.run(ask, capture_output=True, text=True, check=True).stdout}


def guides():
    """Return the guides that lie in papers' folders."""
    found = [folder / "guide.md" for folder in library.folders()]
    return {"guides": [os.path.relpath(path, ROOT / "docs") for path in found if path.is_file()]}


def figures():
    """Return the published figures of each paper: those that its page on the site has."""
    found = {}
    for key in filter(library.has_experiments, library.paper_keys()):
        drawn = [one for one in library.load_figures(key) if _published(key, one.name)]
        if drawn:
            found[key] = library.load_head(key).title, drawn
    return {"papers": found}


def _published(key, name):
    return (ROOT / "figures" / key / f"{name}.svg").is_file()


LISTS = {
    "reference/methods": public_methods,
    "reference/worlds": public_worlds,
    "reference/experiments": experiments,
    "reference/command-line": commands,
    "guides": guides,
    "gallery": figures,
}


def in_the_site(app, pagename, templatename, context, doctree):
    """Tell the site's layout where its folder is from a page."""
    context["root"] = "../" * (pagename.count("/") + 1)
    context["whole"] = context["documented"] = True
    context["health"] = {"line": f"Version {version}."}


def mathml(self, node):
    """Write a formula as MathML, which needs no script."""
    block = isinstance(node, nodes.math_block)
    self.body.append(str(tex2mathml(node.astext(), as_block=block)))
    raise nodes.SkipNode


def of_scikit_learn(app, kind, name, found, skip, options):
    """Leave out the methods that scikit-learn makes for the routing of metadata."""
    return True if name.startswith("set_") and name.endswith("_request") else None


def types_are_texts(app, kind, name, found, options, lines):
    """Let no type be read as a reference: a shape (n_iter_,) would be one."""
    lines[:] = [
        re.sub(r"_(?=\W)", r"\\_", line)
        if line.lstrip().startswith((":ivar", ":vartype"))
        else line
        for line in lines
    ]


def setup(app):
    """Connect the above."""
    app.connect("autodoc-process-docstring", types_are_texts)
    app.connect("builder-inited", lambda app: method_pages.write())
    app.connect("autodoc-skip-member", of_scikit_learn)
    app.connect("source-read", listed)
    app.connect("html-page-context", in_the_site)
    app.add_html_math_renderer("mathml", (mathml, None), (mathml, None))
