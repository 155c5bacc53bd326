"""Where results lie that are of no paper: folders of results, and what a run leaves in its own."""

from __future__ import annotations

from pathlib import Path

REFERENCE = Path("results/reference")
FIGURES = Path("figures")
"""The figures that are published, committed; a folder for each paper."""
RERUNS = Path("reruns")
"""Comparisons that others made on machines of their own, committed."""
_SHIPPED = Path(__file__).parents[1] / "reference"  # in a wheel
_CHECKOUT = Path(__file__).parents[3] / REFERENCE  # of an editable installation


def run_folder(label: str) -> Path:
    """Return the folder of results of a scale, or of a scale and an arithmetic."""
    return Path("results") / label


def published_verdicts() -> Path:
    """Return the folder of the published verdicts: the reference here, else the package's own."""
    folders = (REFERENCE, _SHIPPED, _CHECKOUT)
    return next((folder for folder in folders if folder.is_dir()), REFERENCE)


def is_reference(results: Path) -> bool:
    """Return whether a folder of results is a reference: what is written there is packed."""
    return results.name == REFERENCE.name


def data_state_file(dataset: str) -> Path:
    """Return the file with the state of a data set."""
    return Path("results/data") / f"{dataset}.json"


def check_of(label: str) -> Path:
    """Return the file with a run's comparison with the reference."""
    return run_folder(label) / "check.json"


def reason_of(label: str) -> Path:
    """Return the file in which a run that failed leaves the reason."""
    return run_folder(label) / "reason.txt"


def page_of(label: str) -> Path:
    """Return the first page of a run; the pages of its papers are beside it."""
    return run_folder(label) / "report" / "index.html"
