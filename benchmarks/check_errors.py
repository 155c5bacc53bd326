"""Does ``icml2008 check`` tell arithmetic from a moved number? Both ways to be wrong, counted.

``python benchmarks/check_errors.py mutations --work DIR`` makes small bugs, one at a time, in a
copy of the package, runs the smoke trials that go through the place, and has their records compared
with the reference: docs/check-errors.csv. Kinds and places are drawn by a fixed seed from the code
that an unmutated copy runs. What has been run is kept in DIR: a run that was ended goes on.

``python benchmarks/check_errors.py alarms --results DIR`` compares results under other arithmetics,
folders ``<scale>@<arithmetic>``, with the reference beside them: docs/check-false-alarms.csv.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from functools import cache
from itertools import chain
from pathlib import Path

import mutants
from scipy.stats import binomtest

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness import code
from icml2008.harness.benchmarks import heading
from icml2008.harness.choices import DEFAULT
from icml2008.harness.experiment import SCALES
from icml2008.harness.records import canonical, write_atomically
from icml2008.judge.recorded import RecordError
from icml2008.run.reference import grades
from icml2008.run.reference.check import compare_paper
from icml2008.run.reference.completeness import missing_records
from icml2008.run.reference.judging import lines_for_figures
from icml2008.run.reference.shifts import read_recorded
from icml2008.run.trials.configuration import arithmetic_of, scale_of
from icml2008.store import Shelf

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
REFERENCE = ROOT / "results" / "reference"
SEED = 2008
EACH = 8  # mutants a paper
SECONDS = 60  # of processor time, beyond those of the unmutated trials
LARGE = 0.5  # standard deviations of the repeats
WANTED = 0.95  # share of the mutants with a large shift that are to be caught
# A spread below this share of the values is that of their last digits: none.
LAST_DIGITS = 1e-12
WIDTH = 90  # of an expression in the table

NO_EFFECT = "no effect"
CRASHED = "crashed"
SMALL = "small"
CAUGHT = "caught"
MISSED = "missed"


@cache
def code_of(key):
    """Return a hash of the code of a paper's trials."""
    return code.code_hash([library.module_of(key)])


def run_smoke(key, experiments, folder, kernels, limit=resource.RLIM_INFINITY):
    """Run smoke trials with the package in a folder; return what they left, or why nothing."""
    file = folder / "trials.json"
    file.unlink(missing_ok=True)
    environment = {**os.environ, "PYTHONPATH": str(folder), "NUMBA_CACHE_DIR": str(kernels)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("smoke_trials.py"), file, key, *experiments],
        env=environment,
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    result = json.loads(file.read_text()) if done.returncode == 0 else {}
    error = ""
    if done.returncode < 0:
        error = f"ended by {signal.Signals(-done.returncode).name} after {seconds:.0f} s"
    elif done.returncode:
        lines = [line for line in done.stderr.splitlines() if "Error" in line]
        error = lines[-1] if lines else f"exit code {done.returncode}"
    return result | {"seconds": seconds, "error": error}


def copy_package(folder):
    """Put a copy of the package there, in place of an older one."""
    shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "src", folder)  # times too, so that numba knows its kernels again


def kept(file, asked, run):
    """Return what is kept in a file for what is asked, or run it and keep it."""
    if file.is_file() and (old := json.loads(file.read_text()))["asked"] == asked:
        return old
    new = {"asked": asked, **run()}
    write_atomically(file, json.dumps(new))
    return new


def control(key, work):
    """Return what the trials of an unmutated copy left, and the lines that they went through."""

    def run():
        copy_package(work / "copy")
        shutil.rmtree(work / key / "kernels", ignore_errors=True)
        return run_smoke(key, (), work / "copy", work / key / "kernels")

    result = kept(work / key / "control.json", code_of(key), run)
    if result["error"]:
        sys.exit(f"{key}: the unmutated copy fails: {result['error']}")
    for name, lines in result["records"].items():
        known = map(canonical, lines_for_figures(Shelf(REFERENCE, Entry(key)), name, DEFAULT))
        if not set(known).issuperset(map(canonical, lines[1:])):
            sys.exit(f"{key}: an unmutated copy has other records of {name} than the reference")
    return result


@cache
def reference(key):
    """Return the records of the reference."""
    return Shelf(REFERENCE, Entry(key)).records()


def choose(key, ran):
    """Return the mutants of a paper: kind, module and place, by turns of the kinds.

    `ran` has the lines that were gone through by experiment and module.
    """
    draw = random.Random(f"{SEED} {key}")
    lines = {}
    for module, executed in chain.from_iterable(watched.items() for watched in ran.values()):
        if module.startswith(("icml2008.methods.", f"icml2008.papers.{key}.")):
            lines.setdefault(module, set()).update(executed)
    texts = {module: Path(code.source(module)).read_text("utf-8") for module in sorted(lines)}
    kinds = list(mutants.KINDS)
    first = draw.randrange(len(kinds))
    chosen = []
    for turn in range(EACH):
        kind = kinds[(first + turn) % len(kinds)]
        places = [
            (kind, module, place)
            for module, text in texts.items()
            for place in range(mutants.count(text, kind, lines[module]))
        ]
        left = [place for place in places if place not in chosen]
        if left:
            chosen.append(draw.choice(left))
    return [
        (kind, module, mutants.mutation(texts[module], kind, lines[module], place))
        for kind, module, place in chosen
    ]


def run_mutant(key, number, mutant, work, whole):
    """Run the smoke trials that go through a mutated place, or return what is kept of that."""
    kind, module, made = mutant
    ran = whole["lines"]
    first, last = made.statement
    lines = set(range(first, last + 1))
    experiments = [name for name in ran if not lines.isdisjoint(ran[name].get(module, ()))]
    asked = [code_of(key), kind, module, made.line, made.before, made.after, experiments]

    def run():
        copy_package(work / "copy")
        path = Path(code.source(module)).relative_to(ROOT / "src")
        (work / "copy" / path).write_text(made.text, "utf-8")
        copy_kernels(work / key / "kernels", work / "kernels", module if made.kernel else None)
        limit = SECONDS + math.ceil(whole["seconds"])
        return run_smoke(key, experiments, work / "copy", work / "kernels", limit)

    return kept(work / key / f"{number}.json", asked, run)


def copy_kernels(there, here, mutated):
    """Copy what numba has compiled, but for modules that reach a mutated kernel.

    Numba misses edits of a kernel that another module compiles into its own.
    """
    shutil.rmtree(here, ignore_errors=True)
    if there.is_dir():
        shutil.copytree(there, here)
    for file in here.glob("*/*") if mutated else ():
        name = file.name.partition(".")[0]
        if mutated in chain.from_iterable(map(code.closure, modules_called(name))):
            file.unlink()


@cache
def modules_called(name):
    """Return the modules whose file has a name, each as the start of a closure."""
    files = (ROOT / "src").glob(f"icml2008/**/{name}.py")
    return [[".".join(file.relative_to(ROOT / "src").with_suffix("").parts)] for file in files]


def shift_in_deviations(shift):
    """Return how far a mean moved in standard deviations of the reference's repeats."""
    if shift.old == shift.new:
        return 0.0
    if not shift.complete:
        return math.inf
    if shift.spread > LAST_DIGITS * max(map(abs, shift.old)):
        return abs(shift.change) / shift.spread
    return math.inf if abs(shift.change) > shift.resolution else 0.0


def beyond_digits(shift):
    """Return whether a shift is more than `check` takes for digits, whatever the spread."""
    if not shift.complete:
        return True
    return abs(shift.change) > max(grades.LEAST, grades.DIGITS * max(map(abs, shift.old)))


def measured(by_experiment):
    """Return records as those of a folder of results: arrays for figures are kept apart there."""
    return {
        (name, DEFAULT): [line for line in lines if "keep" not in line]
        for name, lines in by_experiment.items()
    }


def assess(key, result, whole):
    """Return the columns of the table that say what became of a mutant."""
    if result["error"]:
        return {"outcome": CRASHED, "why": shortened(result["error"])}
    mutated = measured(result["records"])
    old = {at: reference(key)[at] for at in mutated}
    new = measured(whole["records"]) | mutated
    recorded = read_recorded(Shelf(REFERENCE, Entry(key)))
    paper = library.load_paper(key)
    shifts = [shift for at in old for shift in grades.shifts(paper, old[at], mutated[at])]
    sizes = [shift_in_deviations(shift) for shift in shifts]
    large = [shift for shift, size in zip(shifts, sizes, strict=True) if size > LARGE]
    counts = {
        "means": len(shifts),
        "changed": sum(shift.old != shift.new for shift in shifts),
        "large": len(large),
        "beyond_digits": sum(beyond_digits(shift) for shift in large),
        "largest_shift": f"{max(sizes):.3g}",
    }
    try:
        compared = compare_paper(Entry(key), reference(key), new, SCALES[0], recorded)
    except RecordError:  # values beyond a metric's bounds, say: `check` ends with an error
        return {**counts, "outcome": CAUGHT if large else SMALL, "why": "impossible values"}
    counts |= {
        "moved": len(compared["moved"]),
        "flipped": len(compared["flipped"]),
        "missing": len(missing_records(Entry(key), new, SCALES[0], [DEFAULT])),
    }
    if result["records"].items() <= whole["records"].items():
        return {**counts, "outcome": NO_EFFECT}
    if not large:
        return {**counts, "outcome": SMALL}
    if counts["moved"] + counts["flipped"] + counts["missing"]:
        return {**counts, "outcome": CAUGHT}
    return {**counts, "outcome": MISSED, "why": "; ".join(why_let_pass(paper, large, recorded))}


def why_let_pass(paper, large, recorded):
    """Return by which bounds large shifts passed, each with the number of means."""
    reasons = Counter()
    for shift in large:
        if not beyond_digits(shift):
            reasons["within the digits"] += 1
        elif abs(shift.change) <= shift.resolution:
            reasons["within one test case"] += 1
        elif grades.grade(shift, recorded.of(shift.experiment, shift.at), False) != grades.MOVED:
            reasons["other arithmetics did as much"] += 1
        else:
            reasons["declared chaotic"] += 1
    return [f"{reason}: {count}" for reason, count in reasons.items()]


def mutations(work):
    """Make, run and assess all mutants; write the table and return whether enough are caught."""
    keys = [key for key in library.paper_keys() if library.has_experiments(key)]
    wholes = {}
    chosen = {}
    for key in keys:
        wholes[key] = control(key, work)
        chosen[key] = choose(key, wholes[key]["lines"])
    for number in range(EACH):
        for key in keys:
            for mutant in chosen[key][number : number + 1]:
                result = run_mutant(key, number, mutant, work, wholes[key])
                say(f"{key} {number}: {result['seconds']:.0f} s {result['error']}")
    rows = []
    for key in keys:
        for number, mutant in enumerate(chosen[key]):
            kind, module, made = mutant
            result = run_mutant(key, number, mutant, work, wholes[key])
            rows.append(
                {
                    "paper": key,
                    "module": module.removeprefix("icml2008."),
                    "line": made.line,
                    "kind": kind,
                    "before": shortened(made.before),
                    "after": shortened(made.after),
                    **assess(key, result, wholes[key]),
                }
            )
    outcomes = Counter(row["outcome"] for row in rows)
    large = [row for row in rows if row["outcome"] in (CAUGHT, MISSED)]
    summary = [
        f"{len(rows)} mutants: {', '.join(f'{n} {name}' for name, n in outcomes.most_common())}",
        f"caught of those with a large shift: {share_caught(large)}",
        "caught of those with a large shift that is beyond its digits, too: "
        f"{share_caught([row for row in large if row['beyond_digits']])}",
    ]
    columns = (
        *("paper", "module", "line", "kind", "before", "after", "means", "changed", "large"),
        *("beyond_digits", "largest_shift", "moved", "flipped", "missing", "outcome", "why"),
    )
    comments = [
        f"arithmetic: {wholes[keys[0]]['arithmetic']}",
        f"smoke trials, seed {SEED}; large: means shifted by more than {LARGE} standard deviations "
        "of the reference's repeats; beyond_digits: those of them by more than "
        f"{grades.DIGITS:g} of the largest value, at least {grades.LEAST:g}; largest_shift: in "
        "deviations",
        *summary,
    ]
    write(rows, columns, comments, DOCS / "check-errors.csv")
    say("\n".join(summary))
    return outcomes[CAUGHT] >= WANTED * len(large)


def share_caught(rows):
    """Return how many of some mutants are caught, with the exact interval of the share."""
    caught = sum(row["outcome"] == CAUGHT for row in rows)
    limits = binomtest(caught, len(rows)).proportion_ci()
    interval = f"{100 * limits.low:.1f} to {100 * limits.high:.1f} %"
    return f"{caught} of {len(rows)}, {100 * caught / len(rows):.1f} % (95 % interval {interval})"


def shortened(text):
    """Return the text of an expression in one line of a bearable length."""
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def alarms(results):
    """Compare results under other arithmetics with the reference; return whether none alarms."""
    rows = []
    for folder in sorted(path for path in results.glob("*@*") if path.is_dir()):
        for scale in SCALES[: SCALES.index(scale_of(folder.name)) + 1]:
            counts, alarming = alarms_of(folder, scale, results / "reference")
            if not counts["papers"]:
                continue
            where = {"arithmetic": arithmetic_of(folder.name), "scale": scale}
            rows.append({**where, **counts, "alarming": "; ".join(alarming)})
            say(" ".join(map(str, rows[-1].values())))
    if not rows:
        sys.exit(f"{results} has no results of another arithmetic, such as quick@nehalem")
    run = "snakemake --cores all --config arithmetic=NAME"
    comments = [f"{run}; compared without what is recorded of that arithmetic"]
    write(rows, list(rows[0]), comments, DOCS / "check-false-alarms.csv")
    return not any(row["alarming"] for row in rows)


def alarms_of(folder, scale, reference_folder):
    """Return how a run's papers compare with the reference over a scale's trials, and alarms."""
    parts = ("papers", "means", "equal", "within", "graded_arithmetic", "moved", "flipped")
    counts = dict.fromkeys(parts, 0)
    alarming = []
    for key in sorted(path.parent.name for path in folder.glob("*/records")):
        new = trials_of(key, scale, Shelf(folder, Entry(key)).records())
        if missing_records(Entry(key), new, scale, [DEFAULT]):
            say(f"{folder.name}: {key} is not complete, left out")
            continue
        old = Shelf(reference_folder, Entry(key)).records()
        recorded = read_recorded(Shelf(reference_folder, Entry(key)))
        recorded = recorded.without(arithmetic_of(folder.name))
        compared = compare_paper(Entry(key), old, new, scale, recorded)
        means = compared["means"]
        alarms = {
            "papers": 1,
            "means": sum(means.values()),
            "equal": means["equal"],
            "within": means["within"],
            "graded_arithmetic": len(compared[grades.ARITHMETIC]),
            "moved": len(compared[grades.MOVED]),
            "flipped": len(compared["flipped"]),
        }
        counts = {part: counts[part] + alarms[part] for part in parts}
        alarming += [f"{key}: {alarms[part]} {part}" for part in parts[-2:] if alarms[part]]
    return counts, alarming


def trials_of(key, scale, evidence):
    """Return the records of a scale's trials, of the default choices."""
    by_experiment = {}
    for name, experiment in library.load_experiments(key).items():
        trials = {(canonical(dict(cell)), repeat) for cell, repeat in experiment.trials(scale)}
        head, *lines = evidence.get((name, DEFAULT), [None])
        measured_lines = [
            line for line in lines if (canonical(line["cell"]), line["repeat"]) in trials
        ]
        by_experiment |= {(name, DEFAULT): [head, *measured_lines]} if head else {}
    return by_experiment


def write(rows, columns, comments, path):
    """Write a table below what it was made with."""
    with path.open("w", newline="", encoding="utf-8") as file:
        file.write(heading("icml2008", *code.NUMERICAL))
        file.writelines(f"# {comment}\n" for comment in comments)
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def say(text):
    """Tell how far it is."""
    sys.stderr.write(f"{text}\n")


def main():
    """Run what the command line asks for; 1 if the rule does worse than it should."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parts = parser.add_subparsers(dest="part", required=True)
    parts.add_parser("mutations").add_argument("--work", type=Path, required=True)
    parts.add_parser("alarms").add_argument("--results", type=Path, default=ROOT / "results")
    asked = parser.parse_args()
    good = mutations(asked.work.resolve()) if asked.part == "mutations" else alarms(asked.results)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
