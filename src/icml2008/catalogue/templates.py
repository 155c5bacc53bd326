"""What the files of a paper that is begun look like."""

from __future__ import annotations

from string import Template

EXPERIMENTS = Template('''\
"""The paper's experiments."""

from __future__ import annotations

from icml2008.harness.experiment import experiment, grid


def not_written(rng):
    """Stand in for a method that is not there yet: this error is all that is recorded of it."""
    msg = "not written yet"
    raise NotImplementedError(msg)


METHODS = {
$methods
}
''')

# What the catalogue says of a planned paper; here all of it is to be filled in.
CARD = Template("""\
key: $key
title: "..."
authors: ["..."]
pages: [1, 8]
venue:
  name: "..."
  booktitle: "..."
  year: 2008
topic: evaluation
idea: "..."
methods: [ours, baseline]

data:
  sample: {what: drawn anew in each trial, access: generated, source: Section 1, size: "0"}

planned:
  table-1:
    where: Table 1
    data: [sample]
    protocol: "..."
    compute: seconds
    claims: [errors, ours-is-better]

claims:
  errors:
    kind: value
    says: the error of both methods
    printed: {ours: "0.10", baseline: "0.13"}
    page: 1
  ours-is-better:
    kind: order
    says: ours has a lower error than baseline
    page: 1
""")

EXPERIMENT = Template("""

@experiment(
    "$name",
    cells=$cells,
    repeats={"quick": 8, "full": 32},  # 1 at smoke
    cost=0.1,  # seconds a trial, roughly; a literal
    methods=METHODS,  # or a function of the choices that returns them
$data)
def run_$identifier(trial):
$docstring
    for name, method in trial.methods.items():
        with trial.attempt(name):
            found = method(trial.rng("sample"))
            $measure
""")

TO_BE_FETCHED = """\
    # data=lambda cell: (cell["dataset"],),  # as soon as the registry has it
"""

TESTS = '''\
"""What the paper's methods must agree with."""

import pytest

from .experiments import METHODS


@pytest.mark.parametrize("name", METHODS)
def test_a_method_agrees_with_its_oracle(name):
    """Brute force, a closed form, a general solver, finite differences or a trusted peer."""
    pytest.fail(f"{name} has no oracle yet")


def test_the_headline_number_is_found_by_a_plain_loop():
    """A few lines from the paper's text, by somebody who has not read the trials."""
    pytest.fail("nobody has written it yet")
'''

SECOND = Template("""\
# From the paper's text alone, by somebody who has seen neither trials nor results; committed before
# the first run at full scale. docs/second-hand.md says what each key is.
limits: ["..."]
readings:
- {what: "...", considered: ["..."], answer: "..."}
sentences:
  a-sentence:
    says: "..."
    quote: "..."
    page: $page
    verdict: open
    answer: "..."
""")

METHOD = Template('''\
"""A method of our own, for $of."""


$body
''')

METHOD_TEST = Template('''\
"""What the method must agree with."""

import pytest

import $module


def test_the_method_agrees_with_its_oracle():
    """Brute force, a closed form, a general solver, finite differences or a trusted peer."""
    pytest.fail(f"{$module.$name.__name__} has no oracle yet")
''')
