"""The documentation: snippets that no guide's own test runs, and the strict build."""

import doctest
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
import yaml

from icml2008 import judge, methods
from icml2008.audit.auditing import RULES
from icml2008.data.availability import ensure
from icml2008.data.registry import read_registry
from icml2008.methods import worlds
from icml2008.run.trials.outcome import usable
from reading import Read
from restructured import documented, faults_of

ROOT = Path(__file__).parents[2]


def blocks(file, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", (ROOT / file).read_text("utf-8"), re.M | re.S)


@pytest.fixture
def _census():
    if not usable(ensure("census-16h")):
        pytest.skip("census-16h cannot be fetched here")


@pytest.mark.usefixtures("_census")
def test_the_first_lines_of_the_readme_rank_every_states_bags():
    (code,) = blocks("README.md", "python")
    names = {}
    exec(code, names)
    ranked = names["ranker"].rank(names["X"], boxes=names["towns"].state, bags=names["bags"])
    assert ranked.keys() == set(names["towns"].state)


@pytest.mark.usefixtures("_census")
def test_a_data_set_is_loaded_as_the_page_on_data_says():
    done = doctest.testfile(str(ROOT / "docs/data.md"), module_relative=False)
    assert (done.failed, done.attempted) == (0, 4)


def test_data_are_declared_as_the_page_on_data_says(tmp_path):
    sets, archives, series = (
        yaml.safe_load(re.sub("64 hexadecimal digits(, of the content)?", "a" * 64, block))
        for block in blocks("docs/data.md", "yaml")
    )
    (file,) = sets["files"].values()
    (pattern,) = series["files"]
    file |= archives
    heights = sets["datasets"]["heights"]
    series["datasets"] = {"of-years": heights | {"files": [pattern]}}
    for name, declared in {"sets": sets, "series": series}.items():
        (tmp_path / f"{name}.yaml").write_text(yaml.safe_dump(declared))
    registry = read_registry([tmp_path / "sets.yaml", tmp_path / "series.yaml"])
    assert list(registry.datasets["of-years"].files) == [
        pattern.format(year) for year in (2007, 2008)
    ]


def test_a_printed_number_is_declared_as_the_page_on_the_audit_says():
    (block,) = blocks("docs/audit.md", "yaml")
    ((entry,),) = (declared.values() for declared in yaml.safe_load(block).values())
    outcome = RULES[entry["rule"]].model_validate(entry).weigh()
    assert outcome


def public_names():
    """Yield what the pages of reference are made of."""
    for package in (judge, methods, worlds):
        yield from (getattr(package, name) for name in package.__all__)
    text = (ROOT / "docs/reference/harness.md").read_text("utf-8")
    single = re.compile(r"^\.\. auto(?:class|exception|function):: (\S+)\.(\w+)$", re.M)
    yield from (getattr(import_module(module), name) for module, name in single.findall(text))


def test_no_public_docstring_is_misread():
    docstrings = dict(entry for public in public_names() for entry in documented(public))
    assert len(docstrings) > 300
    faults = {name: mistakes for name, text in docstrings.items() if (mistakes := faults_of(text))}
    assert faults == {}


@pytest.mark.parametrize(
    "docstring",
    [
        "Return exp(-|a - b|^2).",
        "Return it.\n\nParameters\n----------\nx : float\n    At most |x|.",
        "Return x_.\n\nNotes\n-----\nIt is ``open.",
        "Return it.\n\n- one\n- two\nthree",
    ],
)
def test_what_a_docstring_marks_up_by_mistake_is_found(docstring):
    assert faults_of(docstring)


def test_a_docstring_of_numpydocs_kind_is_read():
    text = "Return `x`.\n\nParameters\n----------\nx : ndarray, shape (n_,)\n    By :func:`f`.\ny"
    assert faults_of(text) == []


def test_it_is_built_without_a_warning_and_every_link_in_it_leads_somewhere(tmp_path):
    for package in ("sphinx", "myst_parser"):
        pytest.importorskip(package, reason="icml2008[docs], which builds it, is not installed")
    out = tmp_path / "site/docs"
    sphinx = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning"]
    subprocess.run([*sphinx, "--doctree-dir", tmp_path / "trees", ROOT / "docs", out], check=True)
    pages = {path: Read(path.read_text("utf-8")) for path in out.rglob("*.html")}
    assert {"index", "gallery", "verdicts", "reader", "methods"} <= {path.stem for path in pages}
    of_methods = {path.stem: page for path, page in pages.items() if path.parent.name == "methods"}
    assert of_methods.keys() == set(methods.__all__)
    for name, page in of_methods.items():
        assert f"icml2008.methods.{name}" in page.ids
        assert f"../../../methods/{name}.html" in page.links
    leads = {link for page in of_methods.values() for link in page.links}
    assert {"../../../bergeron2008mirank.html", "../../../duchi2008projections.html"} <= leads
    for path, page in pages.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = (path.parent / file).resolve() if file else path
            if ":" in link or not target.is_relative_to(out):  # the site's own
                continue
            assert target.is_file(), f"{path.name}: {link}"
            assert not anchor or target not in pages or anchor in pages[target].ids, link
