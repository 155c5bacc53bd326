"""The committed evidence is whole: its verdicts need not be derived, nor its figures drawn, again.

Where the first test fails: ``icml2008 judge --write`` derives verdicts, writes what differs, and
proves the rest. The second: ``snakemake --cores all figures --forcerun publish_figures``.
"""

from icml2008.catalogue import library
from icml2008.run.keys import drawn_by
from icml2008.run.proof import is_proven
from icml2008.store import REFERENCE, drawn_by_file


def committed():
    """Return the papers that have committed evidence."""
    keys = [file.parent.name for file in sorted(REFERENCE.glob("*/verdicts.json"))]
    assert len(keys) > 40
    return filter(library.has_experiments, keys)


def test_every_committed_reference_has_a_proof_that_holds():
    unproven = [key for key in committed() if not is_proven(key)]
    assert unproven == [], "run: icml2008 judge --write"


def test_every_published_figure_is_that_of_todays_code_and_evidence():
    stamps = {key: drawn_by_file(key) for key in committed()}
    old = [
        key
        for key, file in stamps.items()
        if not file.is_file() or file.read_text("utf-8").strip() != drawn_by(key)
    ]
    assert old == [], "run: snakemake --cores all figures --forcerun publish_figures"
