"""A run by another arithmetic becomes a record beside the reference."""

from __future__ import annotations

from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic
from icml2008.harness.choices import DEFAULT
from icml2008.run.reference.adopting import computed_by
from icml2008.run.reference.check import compare_paper
from icml2008.run.reference.completeness import missing_records
from icml2008.run.reference.grades import ARITHMETIC, MOVED
from icml2008.run.reference.shifts import read_recorded, with_run
from icml2008.run.trials.configuration import arithmetic_of, scale_of
from icml2008.store import Shelf, write_json


def record(run: Shelf) -> str:
    """Record what an arithmetic does to the means and verdicts of a paper's reference.

    The universes of alternatives are recorded, too, those that the run has. They count neither
    among the means nor among the verdicts.

    Parameters
    ----------
    run : Shelf
        In a folder such as ``results/quick@nehalem``.

    Returns
    -------
    str
        What was seen, in a line.

    Raises
    ------
    Icml2008Error
        If the folder is not of another arithmetic, or lacks a trial of its scale.
    """
    name = arithmetic_of(run.label)
    scale = scale_of(run.label)
    if name == arithmetic.BASELINE:
        command = "snakemake ... --config arithmetic=NAME"
        msg = f"{run.results} is not of another arithmetic; run: {command}"
        raise Icml2008Error(msg)
    old, broken = run.reference.readable()
    new, faults = run.readable()
    universes = dict.fromkeys([DEFAULT, *(universe for _, universe in sorted(new))])
    if lacking := [*broken, *faults, *missing_records(run.entry, new, scale, universes)]:
        msg = f"{run.key}: {'; '.join(lacking)}"
        raise Icml2008Error(msg)
    defaults = {at: lines for at, lines in new.items() if at[1] == DEFAULT}
    compared = compare_paper(run.entry, old, defaults, scale)
    elsewhere = None
    if universes.keys() - {DEFAULT}:
        every = compare_paper(run.entry, old, new, scale)
        elsewhere = [row for row in every[MOVED] + every[ARITHMETIC] if "universe" in row]
    before = read_recorded(run.reference)
    recorded = with_run(before, name, scale, compared, computed_by(run), elsewhere)
    write_json(run.reference.arithmetic_file, recorded.to_json())
    means = compared["means"]
    return (
        f"{sum(means.values())} means, {means['equal']} equal, {means['within']} within their "
        f"resolution, {means['beyond']} beyond it; {len(compared['flipped'])} of "
        f"{compared['judged']} verdicts flipped"
        + (f"; {len(elsewhere)} beyond it under alternatives" if elsewhere else "")
    )
