"""Run the smoke trials of experiments in this process, for ``check_errors.py``.

``python smoke_trials.py FILE KEY [EXPERIMENT ...]`` writes the records to FILE; without experiments
all of them are run, and the lines of code that each of them went through are written, too.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from contextlib import nullcontext
from pathlib import Path

from icml2008.harness import arithmetic

arithmetic.use()  # before NumPy is loaded

from mutants import code_lines  # noqa: E402

from icml2008.catalogue import library  # noqa: E402
from icml2008.catalogue.entry import Entry  # noqa: E402
from icml2008.harness import code, records  # noqa: E402
from icml2008.harness.choices import DEFAULT  # noqa: E402
from icml2008.run.trials.execution import run_trials  # noqa: E402

SCALE = "smoke"
# Functions that are called more often are not watched any longer.
ENOUGH = 100


class Watch:
    """Notes the lines that Python goes through in some modules, and what numba compiles there."""

    def __init__(self, modules):
        self.modules = {code.source(module): module for module in modules}
        self.lines = defaultdict(set)
        self.calls = defaultdict(int)

    def __enter__(self):
        sys.settrace(self._call)
        return self

    def __exit__(self, *failure):
        sys.settrace(None)
        for module in self.modules.values():
            for value in list(vars(sys.modules.get(module, object)).values()):
                # A kernel that nothing has called has no machine code.
                if getattr(value, "overloads", None) and value.__module__ == module:
                    self.lines[module].update(code_lines(value.py_func.__code__))

    def _call(self, frame, event, given):
        module = self.modules.get(frame.f_code.co_filename)
        if module is None:
            return None
        self.calls[frame.f_code] += 1
        if self.calls[frame.f_code] > ENOUGH:
            return None
        lines = self.lines[module]

        def line(frame, event, given):
            lines.add(frame.f_lineno)
            return line

        return line


def main(file, key, *experiments):
    """Run the trials and write what they left."""
    result = {"records": {}, "lines": {}}
    for name in experiments or library.load_experiments(key):
        watch = Watch(code.closure(code.starts_of(key, name)))
        trials = library.load_experiment(key, name).trials(SCALE)
        with nullcontext() if experiments else watch:
            lines, _ = run_trials(Entry(key), name, DEFAULT, trials)
        head = records.header(key, name, DEFAULT)
        text = records.to_text(head, lines)
        result["records"][name] = [json.loads(line) for line in text.splitlines()]
        result["lines"][name] = {module: sorted(lines) for module, lines in watch.lines.items()}
    result["arithmetic"] = arithmetic.in_words(arithmetic.active())
    Path(file).write_text(json.dumps(result), "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
