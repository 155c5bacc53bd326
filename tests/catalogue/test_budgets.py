"""No further paper takes more of a processor than its share; `icml2008 size` shows all."""

import re
from pathlib import Path

import pytest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import DEFAULT, around_the_default, projected
from icml2008.run.site.size import SECONDS, size_of
from icml2008.store import REFERENCE

ROOT = Path(__file__).parents[2]
# Of a processor, declared, for all papers and all alternatives at scale smoke, as `.ci/run` has it.
SECONDS_OF_CHECK = 600

# Declared seconds at scales smoke and quick, and why. They came before there was a budget: a number
# may fall, or rise by what a claim of the paper lacked; an entry goes once it is within the budget.
OVER = {
    "bach2008bolasso": (3.01, 7.09, "10 times 10 folds for each of 100 parameters"),
    "bach2008pointclouds": (9.95, 26.5, "a Gram matrix of digits for every setting of a kernel"),
    "bickel2008hiv": (3.76, 8.75, "12 methods, each tuned as a whole on every cohort"),
    "dredze2008confidence": (2.95, 5.25, "parameters by ten folds of another run, as printed"),
    "foundations": (4.07, 15.12, "42 experiments of a series of lectures, no paper"),
    "kakade2008efficient": (7.6, 47.6, "passes over a million documents"),
    "lashkari2007convex": (46, 105, "50 random starts for each of 50 clusters in 50 dimensions"),
    "long2008random": (1.91, 7.5, "boosters of 100 rounds with and without noise"),
    "nowozin2008decoupled": (8.64, 14.46, "1100 digits at six bandwidths, and 20 mixtures"),
    "radlinski2008diverse": (0.99, 7.3, "300,000 presentations a run, six runs where they decide"),
    "xia2008listmle": (3.89, 7.89, "rankers trained from 20 starts, each for 200 epochs"),
}

KEYS = list(filter(library.has_experiments, library.paper_keys()))


@pytest.fixture(scope="module")
def seconds():
    """Return the declared seconds of each paper by scale."""
    return {key: size_of(Entry(key)).seconds for key in KEYS}


def test_no_paper_takes_more_than_the_budget_or_than_it_took_before_there_was_one(seconds):
    over = {
        f"{key} at {scale}": f"{taken[scale]:g} s, allowed are {max(budget, declared):g} s"
        for key, taken in seconds.items()
        for (scale, budget), declared in zip(
            SECONDS.items(), OVER.get(key, (0, 0))[:2], strict=True
        )
        if taken[scale] > max(budget, declared)
    }
    assert over == {}


def test_the_list_of_those_that_may_take_more_names_no_other(seconds):
    within = [
        key
        for key in OVER
        if all(seconds.get(key, {}).get(scale, 0) <= budget for scale, budget in SECONDS.items())
    ]
    assert within == []


def test_the_docs_say_how_many_alternatives_check_compares_and_what_they_take():
    text = " ".join((ROOT / "docs" / "check.md").read_text("utf-8").split())
    stated = re.search(
        r"([\d.]+) MB, .* (\d+) papers in the default and (\d+) further universes, declared at "
        r"(\d+) processor seconds, (\d+) of which",
        text,
    )
    megabytes, papers, universes, seconds, of_defaults = map(float, stated.groups())
    alternatives = 0
    taken = {True: 0.0, False: 0.0}
    for entry in map(Entry, KEYS):
        others = around_the_default(entry.choices)
        alternatives += len(others)
        for name, declared in entry.experiments.items():
            for cell, _ in declared.trials("smoke"):
                for universe in (DEFAULT, *others):
                    if projected(universe, entry.choices, name, cell) == universe:
                        taken[universe == DEFAULT] += declared.seconds(cell)
    assert papers == len(KEYS)
    assert universes == pytest.approx(alternatives, rel=0.1)
    assert of_defaults == pytest.approx(taken[True], rel=0.1)
    assert seconds == pytest.approx(sum(taken.values()), rel=0.1)
    assert sum(taken.values()) < SECONDS_OF_CHECK
    size = sum(file.stat().st_size for file in (ROOT / REFERENCE).glob("*/records/**/*.xz"))
    assert megabytes == pytest.approx(size / 1e6, rel=0.1)
