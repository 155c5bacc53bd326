"""What is done before the first job of a run and after the last one."""

from __future__ import annotations

import atexit
import logging
from pathlib import Path
from shutil import rmtree

from icml2008 import store
from icml2008.errors import CannotWrite, Icml2008Error
from icml2008.harness import arithmetic
from icml2008.run.products import Products, as_snakemake_says
from icml2008.run.trials import announce, configuration, lock, outcome
from icml2008.run.worker import Workers


def begin(products: Products, workers: Workers) -> None:
    """Take the folder, say what will be left out, and start the warm processes."""
    here = Path.cwd()
    with as_snakemake_says():
        outcome.check_room(here)
        killed = lock.hold()
    atexit.register(outcome.say_no_room, here)
    # A full disk is said once, not for each line of a log.
    logging.raiseExceptions = False
    if killed:
        announce.say(f"The run before ({killed}) was killed; this one goes on from it.")
        store.remove_unfinished()
    for scale in products.scales():
        outcome.reason_of(scale).unlink(missing_ok=True)
    announce.announce(products.run, products.data(products.run.scale))
    # What forced jobs would else take up again.
    for records in products.snakemake.forced_outputs("run_trials"):
        rmtree(records.with_name("shards"), ignore_errors=True)
    used = map(configuration.arithmetic_of, products.run.labels)
    workers.start({arithmetic.BASELINE, *used})


def end_well(products: Products) -> None:
    """Say what the run took and where its results stand."""
    for scale in products.scales():
        announce.say_cost(products.shelves(scale), products.started, products.snakemake.cores)
        papers = products.snakemake.values("paper", scale=scale)
        announce.say_where(scale, [products.shelf(scale, paper) for paper in papers])


def end_badly(products: Products) -> None:
    """Write the pages of what failed, and say at the very end what did."""
    if not products.snakemake.has_failed:
        text = "Interrupted: the same command goes on from here"
        outcome.say_last(text, products.run.scale)
    for scale in products.scales():
        if failed := products.snakemake.failed_steps(scale):
            _say_failed(products, scale, failed)


def _say_failed(products: Products, scale: str, failed: list[outcome.Step]) -> None:
    from icml2008.run.site.rendering import render_failed

    strict = products.run.data_mode == "strict"
    ended = outcome.outcome_of(scale, products.data(scale), strict=strict, failed=failed)
    text = outcome.reason(ended, scale)
    try:
        if outcome.lacks_pages(failed):
            render_failed(scale, products.shelves(scale), ended)
            text = outcome.reason(ended, scale)  # which names the page
    except CannotWrite:
        pass  # said at the very end
    except Icml2008Error as error:  # what an earlier run left cannot be read
        text = f"{error}\n{text}"
    finally:
        outcome.say_last(text, scale)
