"""A paper as a value: made once where a command or a rule begins, and passed on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from icml2008.catalogue import library
from icml2008.harness.choices import choices_of

if TYPE_CHECKING:
    from icml2008.catalogue.digest import Digest
    from icml2008.catalogue.figures import OwnFigure
    from icml2008.catalogue.model import Head, Paper
    from icml2008.catalogue.parts import Choice
    from icml2008.catalogue.second import SecondHand
    from icml2008.harness.experiment import Experiment


@dataclass(frozen=True)
class Entry:
    """A paper of the catalogue; what is in its folder is read when it is asked for.

    Attributes
    ----------
    key : str
        The name of its folder.
    """

    key: str

    @property
    def folder(self) -> Path:
        """The folder with everything about it."""
        return library.folder(self.key)

    @property
    def paper(self) -> Paper:
        """Its facts, claims and choices."""
        return library.load_paper(self.key)

    @property
    def head(self) -> Head:
        """Its title, authors, pages and topic, which is quick to read."""
        return library.load_head(self.key)

    @property
    def digest(self) -> Digest:
        """What lists show of it, and what its claims say of themselves."""
        from icml2008.catalogue.digest import load_digest

        return load_digest(self.key)

    @property
    def choices(self) -> Mapping[str, Choice]:
        """What it leaves unsaid, by name."""
        return self.paper.choices

    @property
    def experiments(self) -> dict[str, Experiment]:
        """Its experiments by name; none if it is only planned."""
        return library.load_experiments(self.key)

    @property
    def reads(self) -> list[str]:
        """The data sets that its experiments read at full scale, sorted."""
        return sorted({name for declared in self.experiments.values() for name in declared.reads})

    @property
    def figures(self) -> list[OwnFigure]:
        """The figures of its own."""
        return library.load_figures(self.key)

    @property
    def hands(self) -> dict[str, SecondHand]:
        """What second hands found, by the names of their files."""
        from icml2008.catalogue.reading_hands import hands

        return hands(self.key)

    @property
    def is_rerun(self) -> bool:
        """Whether it has experiments, which are not imported to know that."""
        return library.has_experiments(self.key)

    @property
    def state(self) -> str:
        """``re-run``, ``planned``, or what stands in the way."""
        return library.state(self.key)

    @property
    def module(self) -> str:
        """The full name of the module with its experiments."""
        return library.module_of(self.key)

    def load(self) -> None:
        """Import its experiments: that registers its own statistics, and holds claims against them.

        Raises
        ------
        PaperError
            If a claim speaks of what its experiment does not have.
        """
        library.load_experiments(self.key)

    def trial_choices(self, experiment: str, universe: str) -> dict[str, str]:
        """Return the value in a universe of each choice that touches an experiment."""
        return choices_of(universe, self.choices, experiment)


def entry_of(key: str) -> Entry:
    """Return the paper of a key.

    Raises
    ------
    PaperError
        If there is none; the message has the nearest known one.
    """
    return Entry(library.folder(key).name)


def all_entries() -> list[Entry]:
    """Return all papers, sorted by key."""
    return [Entry(key) for key in library.paper_keys()]


def rerun_entries(keys: Iterable[str] | None = None) -> list[Entry]:
    """Return the papers with experiments, of these keys or of all."""
    entries = all_entries() if keys is None else map(entry_of, keys)
    return [entry for entry in entries if entry.is_rerun]
