"""One trial of a paper, run for a test, with its own streams beside what it recorded."""

from dataclasses import replace

import numpy as np

from icml2008.catalogue.entry import Entry
from icml2008.harness.choices import DEFAULT
from icml2008.harness.trial import Trial, run_trial


class Wired:
    """A trial that has run.

    ``wired[method][metric]`` is a value, None where it was not finite; ``n_test`` has the number of
    cases by the same names, ``cases`` the outcomes by method, ``kept`` the arrays, ``failed`` the
    errors by method. ``wired.rng`` opens a stream of the trial again, from its beginning.
    """

    def __init__(self, trial):
        self.trial = trial
        self.rng = trial.rng
        self.metrics = {}
        self.n_test = {}
        self.cases = {}
        self.kept = {}
        self.failed = {}
        for line in run_trial(trial):
            method = line.get("method")
            if line["kind"] == "measurement":
                self.metrics.setdefault(method, {})[line["metric"]] = line["value"]
                self.n_test.setdefault(method, {})[line["metric"]] = line.get("n_test")
            elif line["kind"] == "cases":
                self.cases[method] = line["cases"]
            elif line["kind"] == "array":
                self.kept[line["keep"]] = np.array(line["array"])
            else:
                self.failed[method] = line["error"]

    def __getitem__(self, method):
        return self.metrics[method]


def values_of(key, name):
    """Return the values of a paper's choice, the default first; none if there is no such choice."""
    choice = Entry(key).choices.get(name)
    return [choice.default, *choice.alternatives] if choice else []


def wire(experiment, cell=None, *, repeat=0, choices=None, methods=None, data=None):
    """Run a trial of an experiment.

    Parameters
    ----------
    experiment : Experiment
        A decorated function of a paper's module.
    cell : mapping, optional
        Coordinates; what it lacks is that of the first smoke cell.
    choices : mapping, optional
        Values that are not the paper's defaults, of choices that touch the experiment: like a run
        it is given those alone.
    methods : mapping, optional
        Factories in place of all of the experiment's own, such as stubs.
    data : mapping, optional
        Data sets by name, in place of real ones.
    """
    entry = Entry(experiment.function.__module__.partition("papers.")[2].partition(".")[0])
    declared = entry.trial_choices(experiment.name, DEFAULT)
    unknown = set(choices or {}) - set(declared)
    assert not unknown, f"{experiment.name} of {entry.key} is touched by no choice {unknown}"
    if methods is not None:
        experiment = replace(experiment, methods=lambda choices: methods)
    trial = Trial(
        entry.key,
        experiment,
        {**experiment.cells["smoke"][0], **(cell or {})},
        repeat,
        choices={**declared, **(choices or {})},
        load=(data or {}).__getitem__,
    )
    return Wired(trial)
