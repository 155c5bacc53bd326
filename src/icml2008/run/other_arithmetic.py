"""A run by another arithmetic becomes a record beside the reference."""

from __future__ import annotations

from pathlib import Path

from icml2008 import store
from icml2008.errors import Icml2008Error
from icml2008.harness import arithmetic
from icml2008.harness.choices import DEFAULT
from icml2008.run.check import compare_paper
from icml2008.run.completeness import missing_records, readable
from icml2008.run.configuration import arithmetic_of, scale_of
from icml2008.run.recorded import read_recorded, with_run
from icml2008.run.reference import computed_by
from icml2008.store import REFERENCE


def record(key: str, results: Path) -> str:
    """Record what an arithmetic does to the means and verdicts of a paper's reference.

    Parameters
    ----------
    key : str
    results : path
        A folder such as ``results/quick@nehalem``.

    Returns
    -------
    str
        What was seen, in a line.

    Raises
    ------
    Icml2008Error
        If the folder is not of another arithmetic, or lacks a trial of its scale.
    """
    name = arithmetic_of(results.name)
    scale = scale_of(results.name)
    if name == arithmetic.BASELINE:
        msg = f"{results} is not of another arithmetic; run: snakemake ... --config arithmetic=NAME"
        raise Icml2008Error(msg)
    (old, broken), (new, faults) = (readable(folder, key) for folder in (REFERENCE, results))
    if lacking := [*broken, *faults, *missing_records(key, new, scale, [DEFAULT])]:
        msg = f"{key}: {'; '.join(lacking)}"
        raise Icml2008Error(msg)
    defaults = {at: lines for at, lines in new.items() if at[1] == DEFAULT}
    compared = compare_paper(key, old, defaults, scale)
    found = with_run(
        read_recorded(REFERENCE, key), name, scale, compared, computed_by(results, key)
    )
    store.write_json(store.arithmetic_file(REFERENCE, key), found.to_json())
    means = compared["means"]
    return (
        f"{sum(means.values())} means, {means['equal']} equal, {means['within']} within their "
        f"resolution, {means['beyond']} beyond it; {len(compared['flipped'])} of "
        f"{compared['judged']} verdicts flipped"
    )
