"""The folder of a planned paper, made ready for its experiments to be written."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Sequence
from inspect import Parameter, cleandoc, isfunction, signature
from pathlib import Path
from textwrap import indent
from typing import Any

from icml2008.catalogue import library
from icml2008.catalogue.drafts import Draft, draft
from icml2008.catalogue.model import Paper
from icml2008.catalogue.paper_error import PaperError
from icml2008.catalogue.parts import PlannedExperiment
from icml2008.catalogue.reading import read_paper
from icml2008.catalogue.templates import (
    CARD,
    EXPERIMENT,
    EXPERIMENTS,
    METHOD,
    METHOD_TEST,
    SECOND,
    TESTS,
    TO_BE_FETCHED,
)
from icml2008.errors import nearest
from icml2008.harness.records import write_atomically

WIDTH = 100


def new_paper(
    key: str, experiments: Sequence[str] = (), home: Path | None = None
) -> tuple[Path, Draft]:
    """Make a planned paper's folder one that runs, and return it with what the card yielded.

    Every method records that it is not written yet, so that nothing is judged before it is.

    Parameters
    ----------
    key : str
    experiments : list of str, optional
        Those of the planned experiments to begin with; all if left out.
    home : path, optional
        A folder of papers in which the paper gets its folder: with what the catalogue says of it,
        or, where it has none of the key, with a card to fill in. Otherwise it is begun where the
        catalogue has it.

    Raises
    ------
    PaperError
        If there is no such paper or experiment, if the paper has experiments already, or if it
        cannot be re-run.
    """
    if home is not None:
        _put_card(key, home)
    folder = library.folder(key)
    paper = library.load_paper(key)
    state = library.state(key)
    if state == "re-run" or paper.experiments:
        msg = f"{key} has experiments already: {folder}"
        raise PaperError(msg)
    if state != "planned":
        msg = f"{key} cannot be re-run ({state}): {paper.why}"
        raise PaperError(msg)
    if not paper.planned:
        msg = f"{folder / 'paper.yaml'}: planned: missing; it lists the experiments"
        raise PaperError(msg)
    for name in experiments:
        if name not in paper.planned:
            msg = f"{key}: no planned experiment {name!r}{nearest(name, paper.planned)}"
            raise PaperError(msg)
    path = folder / "paper.yaml"
    before = path.read_text("utf-8")
    try:
        drafted = draft(before, paper, experiments or list(paper.planned))
    except KeyError as error:
        msg = f"{path}: {error} has no line of its own, so that it cannot be moved"
        raise PaperError(msg) from None
    path.write_text(drafted.text, "utf-8")
    try:
        read_paper(path)
    except PaperError:
        path.write_text(before, "utf-8")
        raise
    (folder / "__init__.py").touch()
    (folder / "experiments.py").write_text(_experiments(paper, drafted), "utf-8")
    (folder / f"test_{key}.py").write_text(TESTS, "utf-8")
    if not (folder / "second.yaml").exists():
        page = paper.pages[0] if paper.pages else 1
        (folder / "second.yaml").write_text(SECOND.substitute(page=page), "utf-8")
    return folder, drafted


def _put_card(key: str, home: Path) -> None:
    """Put a paper's card into a further folder of papers, and look for papers there."""
    if not key.isidentifier():
        msg = f"{key!r} names a package of Python: use letters, digits and _, as in doe2008toy"
        raise PaperError(msg)
    card = home / key / "paper.yaml"
    if not card.is_file():
        text = CARD.substitute(key=key)
        if library.has_paper(key):
            text = (library.folder(key) / "paper.yaml").read_text("utf-8")
        write_atomically(card, text)
    library.add_papers(home)


def _experiments(paper: Paper, drafted: Draft) -> str:
    methods = "\n".join(f"    {_quoted(name)}: not_written," for name in drafted.methods)
    return EXPERIMENTS.substitute(methods=methods) + "".join(
        _experiment(name, paper.planned[name], metrics, _data(paper, paper.planned[name]))
        for name, metrics in drafted.metrics.items()
    )


def _data(paper: Paper, planned: PlannedExperiment) -> str:
    fetched = any(paper.data[name].access != "generated" for name in planned.data)
    return TO_BE_FETCHED if fetched else ""


def _experiment(name: str, planned: PlannedExperiment, metrics: list[str], data: str) -> str:
    paragraphs = (f'"""{_plain(planned.where)}.', _plain(planned.protocol))
    lines = [textwrap.fill(text, WIDTH - 4) for text in paragraphs]
    measured = [f"{metric}=found" for metric in metrics]
    return EXPERIMENT.substitute(
        name=name,
        identifier=re.sub(r"\W+", "_", name),
        cells=_cells(planned.data),
        data=data,
        docstring=textwrap.indent("\n\n".join(lines) + '\n"""', "    "),
        measure=_call("trial.measure(", ["name", *measured], ")", indent=12),
    )


def _cells(sets: list[str]) -> str:
    if not sets:
        return "grid()"
    names = [_quoted(name) for name in sets]
    line = f"grid(dataset=[{', '.join(names)}])"
    if len("    cells=,") + len(line) <= WIDTH:
        return line
    return f"grid(\n        {_call('dataset=[', names, ']', indent=8)}\n    )"


def _call(opening: str, items: list[str], closing: str, indent: int) -> str:
    """Return what stands in brackets on a line, or an item a line where that is too long."""
    line = f"{opening}{', '.join(items)}{closing}"
    if indent + len(line) <= WIDTH:
        return line
    inside = "".join(f"{' ' * (indent + 4)}{item},\n" for item in items)
    return f"{opening}\n{inside}{' ' * indent}{closing}"


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _plain(text: str) -> str:
    """Return a text on one line that can stand in a docstring."""
    return " ".join(text.split()).replace("\\", "/").replace('"', "'")


# A method of one's own.


def new_method(target: str, of: str, home: Path) -> list[Path]:
    """Write a method that an experiment takes, with all that it asks for left to be written.

    Parameters
    ----------
    target : str
        ``module:Name``, as ``icml2008 run --method`` has it.
    of : str
        The experiment, ``KEY/EXPERIMENT``.
    home : path
        Folder of the module and of its test.

    Returns
    -------
    list of path
        What was written.

    Raises
    ------
    PaperError
        If the experiment takes no methods, the target is no name of a module's, or the module is
        there already.
    """
    module, _, name = target.partition(":")
    if not (module.isidentifier() and name.isidentifier()):
        msg = f"{target!r}: write it as module:Name"
        raise PaperError(msg)
    key, _, experiment = of.partition("/")
    expects = library.load_experiment(key, experiment).expects
    if expects is None:
        msg = f"{of} takes no methods of one's own"
        raise PaperError(msg)
    files = {
        home / f"{module}.py": METHOD.substitute(of=of, body=_body(name, expects)),
        home / f"test_{module}.py": METHOD_TEST.substitute(module=module, name=name),
    }
    for file in files:
        if file.exists():
            msg = f"{file} is there already"
            raise PaperError(msg)
    for file, text in files.items():
        write_atomically(file, text)
    return list(files)


def _body(name: str, expects: type) -> str:
    """Return the source of a class, or a function, that has what a protocol asks for."""
    parts = {part: value for part, value in vars(expects).items() if isfunction(value)}
    if "__call__" in parts:
        return _to_fill_in(name, parts["__call__"], bound=False)
    # A protocol has a constructor of its own, which says nothing of the method's.
    methods = [_to_fill_in(part, value) for part, value in parts.items() if part[0] != "_"]
    head = f"class {name}:\n{indent(_docstring(expects), '    ')}\n\n"
    return head + "\n\n".join(indent(part, "    ") for part in methods)


def _to_fill_in(name: str, function: Any, *, bound: bool = True) -> str:
    """Return the source of a function that its author is to write: until then it says so."""
    head = signature(function)
    bare = [part.replace(annotation=Parameter.empty) for part in head.parameters.values()]
    shown = head.replace(parameters=bare if bound else bare[1:], return_annotation=head.empty)
    body = f'{_docstring(function)}\nmsg = "not written yet"\nraise NotImplementedError(msg)'
    return f"def {name}{shown}:\n{indent(body, '    ')}"


def _docstring(of: Any) -> str:
    text = cleandoc(of.__doc__ or "What the experiment asks for.")
    return f'"""{text}\n"""' if "\n" in text else f'"""{text}"""'
