"""Where results lie, and how they are read and written: no other module spells it.

A folder of results is that of a run, ``results/<scale>`` (``results/<scale>@<arithmetic>`` under
another arithmetic than the baseline), or the reference, ``results/reference``. Besides its shards,
a run leaves for each paper

==============================================  ================================================
``records/<experiment>/<universe>.jsonl``       a header and measurements
``records/<experiment>/kept/<universe>.jsonl``  a header and the arrays that were kept for figures
``verdicts.json``                               the verdicts of all universes
``overview.json``                               its line of the scoreboard
==============================================  ================================================

The reference is committed, therefore it is packed:

==================================  ============================================================
``records/<experiment>.jsonl.xz``   the record files of all universes, one after the other, all
                                    repeats of a measurement on a line; the default's kept arrays
``verdicts.json``                   the verdicts of the default universe, without long fields
``verdicts.jsonl.xz``               their inputs and these fields; other universes' verdicts
``provenance.json``                 how it came about
``claims.json``                     a hash of each claim as it was judged at first
``changes.json``                    its hashes since, one for each entry of ``changes``
``arithmetic.json``                 what other arithmetics do to it
``proof.txt``                       a hash of what was found to be whole
==================================  ============================================================

Both kinds are read by the same functions. What equals the default of a field of `Verdict` is left
out of packed verdicts, from a part's in ``verdicts.json`` what equals that of the line before, and
from another universe's what equals the default's, and its inputs, which the records tell.
"""

from __future__ import annotations

from icml2008.forms import BrokenFile
from icml2008.store.files import (
    read_json,
    read_text,
    remove_unfinished,
    write_json,
    write_packed,
)
from icml2008.store.places import (
    FIGURES,
    REFERENCE,
    RERUNS,
    check_of,
    data_state_file,
    is_reference,
    page_of,
    published_verdicts,
    reason_of,
    run_folder,
)
from icml2008.store.recordfiles import RecordSet, read_lines, read_measurements, record_file
from icml2008.store.shelf import Shelf

__all__ = [
    "FIGURES",
    "REFERENCE",
    "RERUNS",
    "BrokenFile",
    "RecordSet",
    "Shelf",
    "check_of",
    "data_state_file",
    "is_reference",
    "page_of",
    "published_verdicts",
    "read_json",
    "read_lines",
    "read_measurements",
    "read_text",
    "reason_of",
    "record_file",
    "remove_unfinished",
    "run_folder",
    "write_json",
    "write_packed",
]
