"""The committed evidence is whole: its verdicts need not be derived, nor its figures drawn, again.

Where the first test fails: ``icml2008 judge --write`` derives verdicts, writes what differs, and
proves the rest. The second: ``snakemake --cores all figures --forcerun publish_figures``.
"""

import json
import subprocess
import sys

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.run.reference.proof import is_proven
from icml2008.store import REFERENCE, Shelf


def committed():
    """Return the papers that have committed evidence."""
    keys = [file.parent.name for file in sorted(REFERENCE.glob("*/verdicts.json"))]
    assert len(keys) > 40
    return filter(library.has_experiments, keys)


def test_every_committed_reference_has_a_proof_that_holds():
    unproven = [key for key in committed() if not is_proven(Shelf.of_reference(Entry(key)))]
    assert unproven == [], "run: icml2008 judge --write"


STAMPS = """
import json, sys
from icml2008.catalogue.entry import Entry
from icml2008.run.keys import drawn_by
print(json.dumps({key: drawn_by(Entry(key)) for key in sys.argv[1:]}))
"""


def test_every_published_figure_is_that_of_todays_code_and_evidence():
    keys = list(committed())
    # In a process of its own: code that other tests have put in the place of ours is kept in this.
    command = [sys.executable, "-c", STAMPS, *keys]
    today = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    files = {key: Shelf.of_reference(Entry(key)).drawn_by_file for key in keys}
    there = {key: file.read_text("utf-8").strip() for key, file in files.items() if file.is_file()}
    old = [key for key in keys if there.get(key) != today[key]]
    assert old == [], "run: snakemake --cores all figures --forcerun publish_figures"
