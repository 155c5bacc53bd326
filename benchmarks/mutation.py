"""Which small bugs do the tests notice? Five in a paper's experiments, twenty in an engine part.

``python benchmarks/mutation.py [PACKAGE ...] [--survivors]`` copies the tree, puts one bug after
the other into the copy, and runs the tests concerned: those of the paper's folder; of an engine
part the files in ``tests/judge``, ``tests/harness`` and ``tests/run`` that run the function with
the bug, the quickest first. docs/mutation.csv has a line for each bug, and docs/mutation.md counts
them. Kinds and places are drawn by a fixed seed from the code. Packages that were not named keep
their lines; a bug that is there again keeps the reason written beside it.
"""

from __future__ import annotations

import argparse
import ast
import csv
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import mutants

from icml2008.catalogue import library
from icml2008.harness.records import write_atomically

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs" / "mutation.csv"
PAGE = ROOT / "docs" / "mutation.md"
SEED = 2008
EACH_PAPER = 5
EACH_PART = 20
ENGINE = ("judge", "harness", "run")
GOALS = {"trials of papers": 0.9, **dict.fromkeys(ENGINE, 0.95)}
# Tests that take so many times as long as without a bug, and a minute at least, have noticed it.
PATIENCE = 8
# The quickest tests that take so many seconds run before the others are so much as imported.
FIRST_SECONDS = 10
WIDTH = 90  # of an expression in the table
COLUMNS = ("package", "kind", "file", "line", "before", "after", "outcome", "reason")
KILLED = "killed"
SURVIVED = "survived"
MARKS = re.compile(r"(<!-- counted -->\n).*?(<!-- end -->)", re.S)
LEFT_OUT = (".git", ".venv", ".snakemake", "__pycache__", ".ruff_cache", ".pytest_cache")


@dataclass(frozen=True)
class Bug:
    """One bug, and the file of the tree that has it."""

    package: str
    kind: str
    file: Path
    made: mutants.Mutation

    @property
    def row(self):
        """Return its columns of the table, but for what became of it."""
        return {
            "package": self.package,
            "kind": self.kind,
            "file": self.file.as_posix(),
            "line": str(self.made.line),
            "before": shortened(self.made.before),
            "after": shortened(self.made.after),
        }


def shortened(text):
    """Return the text of an expression in one line of a bearable length."""
    text = " ".join(text.split())
    return text if len(text) <= WIDTH else f"{text[: WIDTH - 3]}..."


def papers():
    """Return the keys of the papers that have experiments."""
    return [key for key in library.paper_keys() if library.has_experiments(key)]


def sources(package):
    """Return the files of a package that bugs are put into."""
    folder = ROOT / "src" / "icml2008"
    if package in ENGINE:
        return sorted((folder / package).rglob("*.py"))
    modules = sorted((folder / "papers" / package).glob("*.py"))
    return [module for module in modules if "@experiment(" in module.read_text("utf-8")]


def tests_of(package):
    """Return the tests of a paper's folder; those first that are likely to notice."""
    folder = Path("src/icml2008/papers") / package
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / folder).rglob("test_*.py"))

    def rank(path):
        return path.stem != "test_wiring", "experiments" not in (ROOT / path).read_text("utf-8")

    return sorted(tests, key=rank)


def function_at(text, line):
    """Return the first line, decorators included, of the innermost function that a line is in."""
    starts = [
        min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef) and node.lineno <= line <= node.end_lineno
    ]
    return max(starts)


def rounds_of(bug, reach):
    """Return the tests that run the function with a bug, in two rounds: the quickest, the others.

    Where none does in its own process, those of the part's folder that name the module.
    """
    start = function_at((ROOT / bug.file).read_text("utf-8"), bug.made.line)
    place = [bug.file.as_posix(), start]
    tests = [name for name, test in reach.items() if place in test["runs"]]
    if not tests:
        name = re.compile(rf"\b{bug.file.stem}\b")
        folder = f"tests/{bug.package}/"
        tests = [path for path in reach if path.startswith(folder)]
        tests = [path for path in tests if name.search((ROOT / path).read_text("utf-8"))]
    tests.sort(key=lambda path: reach[path]["seconds"])
    total = 0.0
    rounds = [], []
    for path in tests:
        total += reach[path]["seconds"]
        rounds[total > FIRST_SECONDS and bool(rounds[0])].append(path)
    return [tests for tests in rounds if tests]


def choose(package):
    """Return the bugs of a package, by turns of the kinds, each at a place of its own."""
    draw = random.Random(f"{SEED} {package}")
    texts = {file: file.read_text("utf-8") for file in sources(package)}
    kinds = list(mutants.WIRING)
    draw.shuffle(kinds)
    places = {kind: [] for kind in kinds}
    for file, text in texts.items():
        lines = range(1, text.count("\n") + 2)
        for kind in kinds:
            count = mutants.count(text, kind, lines)
            places[kind] += [(file, place, lines) for place in range(count)]
    for left in places.values():
        draw.shuffle(left)
    bugs = []
    number = EACH_PART if package in ENGINE else EACH_PAPER
    while len(bugs) < number and any(places.values()):
        for kind in kinds:
            if places[kind] and len(bugs) < number:
                file, place, lines = places[kind].pop()
                made = mutants.mutation(texts[file], kind, lines, place)
                bugs.append(Bug(package, kind, file.relative_to(ROOT), made))
    return bugs


def copy_tree(folder):
    """Put a copy of the tree there, with the reference and no other results."""
    results = ROOT / "results"

    def left_out(parent, names):
        others = [name for name in names if Path(parent) == results and name != "reference"]
        return {*others, *(name for name in names if name in LEFT_OUT)}

    shutil.copytree(ROOT, folder, ignore=left_out, dirs_exist_ok=True)


def notices(folder, tests, seconds=None, *, reach=None):
    """Run tests in a copy of the tree; return whether one failed, and the end of what was said.

    So has one if they have not ended after the seconds. `reach` is a file for what they run.
    """
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    options += ("-p", "reach") if reach else ()
    paths = [folder / "src", *([folder / "benchmarks"] if reach else [])]
    environment = {
        **os.environ,
        **({"REACH": str(reach)} if reach else {}),
        "PYTHONPATH": os.pathsep.join(map(str, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": str(folder / "kernels"),
    }
    chosen = ("-m", "not thorough and not workflow")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "pytest", *options, *chosen, *map(str, tests)],
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            timeout=seconds,
        )
    except subprocess.TimeoutExpired:
        return True, "out of time"
    return done.returncode != 0, done.stdout[-1500:] + done.stderr[-500:]


def reach_of_tests(folder, file):
    """Return what each file of the engine's tests runs; without a bug they must pass."""
    if not file.is_file():
        failed, last_words = notices(folder, [f"tests/{part}" for part in ENGINE], reach=file)
        if failed:
            sys.exit(f"the engine's tests fail without a bug:\n{last_words}")
    return json.loads(file.read_text("utf-8"))


def noticed(bug, folder, rounds, seconds):
    """Return whether a test notices a bug that is put into the copy, and leave it without."""
    path = folder / bug.file
    path.write_text(bug.made.text, "utf-8")
    kernels = folder / "kernels"
    kernels.mkdir(exist_ok=True)
    if bug.made.kernel:  # numba misses edits of what another module compiles into its own
        kernels.rename(folder / "kept")
    killed = any(notices(folder, tests, seconds)[0] for tests in rounds)
    shutil.copy2(ROOT / bug.file, path)  # with its time, so that numba knows its kernels again
    if bug.made.kernel:
        shutil.rmtree(kernels, ignore_errors=True)
        (folder / "kept").rename(kernels)
    return killed


def try_paper(package, bugs, folder):
    """Yield each bug of a paper, and whether it was noticed; without one its tests must pass."""
    tests = tests_of(package)
    begin = time.monotonic()
    failed, last_words = notices(folder, tests)
    if failed:
        sys.exit(f"{package}: its tests fail without a bug:\n{last_words}")
    seconds = max(60, PATIENCE * (time.monotonic() - begin))
    for bug in bugs:
        yield bug, noticed(bug, folder, [tests], seconds)


def try_part(bugs, folder, file):
    """Yield each bug of an engine part, and whether it was noticed."""
    reach = reach_of_tests(folder, file)
    for bug in bugs:
        rounds = rounds_of(bug, reach)
        seconds = PATIENCE * sum(reach[path]["seconds"] for tests in rounds for path in tests)
        yield bug, noticed(bug, folder, rounds, max(60, seconds))


def try_package(package, folder, file, caught=()):
    """Return a row for each bug of a package; those that are `caught` are not tried again."""
    bugs = choose(package)
    outcomes = {bug: KILLED for bug in bugs if identity(bug.row) in caught}
    untried = [bug for bug in bugs if bug not in outcomes]
    if package in ENGINE:
        tried = try_part(untried, folder, file)
    else:
        tried = try_paper(package, untried, folder)
    for bug, killed in tried if untried else ():
        outcomes[bug] = KILLED if killed else SURVIVED
        say(" | ".join([*bug.row.values(), outcomes[bug]]))
    return [{**bug.row, "outcome": outcomes[bug]} for bug in bugs]


def identity(row):
    """Return by what a bug is known again when lines above it have moved."""
    return tuple(row[column] for column in ("package", "kind", "file", "before", "after"))


def read_table():
    """Return the rows that there are."""
    if not TABLE.is_file():
        return []
    with TABLE.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def write_table(rows):
    """Write the table, sorted, and what the page counts."""
    rows = sorted(rows, key=lambda row: (row["package"], row["file"], int(row["line"])))
    with tempfile.TemporaryFile("w+", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        file.seek(0)
        write_atomically(TABLE, file.read())
    page = PAGE.read_text("utf-8")
    write_atomically(PAGE, MARKS.sub(lambda mark: mark[1] + counted(rows) + mark[2], page))


def group_of(row):
    """Return the group of packages by which bugs are counted."""
    return row["package"] if row["package"] in ENGINE else "trials of papers"


def counted(rows):
    """Return the Markdown tables of the page: by kind and package, and the survivors."""
    groups = list(GOALS)
    all_of = Counter((row["kind"], group_of(row)) for row in rows)
    killed = Counter((row["kind"], group_of(row)) for row in rows if row["outcome"] == KILLED)
    lines = [f"| kind | {' | '.join(groups)} |", f"| --- |{' ---: |' * len(groups)}"]
    for kind in mutants.WIRING:
        cells = [f"{killed[kind, group]} of {all_of[kind, group]}" for group in groups]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    shares = []
    for group in groups:
        number = sum(all_of[kind, group] for kind in mutants.WIRING)
        caught = sum(killed[kind, group] for kind in mutants.WIRING)
        share = f"{100 * caught / number:.0f} %" if number else "not tried"
        shares.append(f"**{caught} of {number}, {share}**")
    lines += [f"| all | {' | '.join(shares)} |", "", "Those that no test noticed:", ""]
    lines += ["| where | bug | why |", "| --- | --- | --- |"]
    for row in rows:
        if row["outcome"] == SURVIVED:
            where = f"{row['file'].removeprefix('src/icml2008/')}:{row['line']}"
            bug = f"`{row['before']}` becomes `{row['after']}`".replace("|", "\\|")
            lines.append(f"| {where} | {bug} | {row['reason'] or 'a test is wanted'} |")
    return "\n".join(lines) + "\n"


def say(text):
    """Tell how far it is."""
    sys.stderr.write(f"{text}\n")


def meets_goals(rows):
    """Return whether each group that was tried has the share of its goal."""
    all_of = Counter(map(group_of, rows))
    killed = Counter(group_of(row) for row in rows if row["outcome"] == KILLED)
    return all(killed[group] >= GOALS[group] * all_of[group] for group in all_of)


def main():
    """Run what the command line asks for; 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument(
        "packages", nargs="*", metavar="PACKAGE", help="papers' keys or engine parts"
    )
    parser.add_argument("--work", type=Path, help="folder of the copy, kept; else a temporary one")
    parser.add_argument(
        "--survivors", action="store_true", help="try only those that no test has noticed before"
    )
    parser.add_argument(
        "--reach", type=Path, help="file of what tests run, made if it is not there"
    )
    asked = parser.parse_args()
    known = [*papers(), *ENGINE]
    named = asked.packages or known
    if "papers" in named:
        named = [*papers(), *(name for name in named if name != "papers")]
    if unknown := set(named) - set(known):
        parser.error(f"no such package: {', '.join(sorted(unknown))}; known: {', '.join(known)}")
    with tempfile.TemporaryDirectory() as temporary:
        folder = asked.work or Path(temporary)
        shutil.rmtree(folder, ignore_errors=True)
        copy_tree(folder)
        reach = (asked.reach or folder / "reach.json").absolute()
        for package in named:
            before = read_table()
            reasons = {identity(row): row["reason"] for row in before}
            killed = (identity(row) for row in before if row["outcome"] == KILLED)
            caught = {*killed} if asked.survivors else ()
            rows = try_package(package, folder, reach, caught)
            for row in rows:
                row["reason"] = reasons.get(identity(row), "")
                if row["outcome"] == KILLED:
                    row["reason"] = ""
            write_table([row for row in before if row["package"] != package] + rows)
    rows = [row for row in read_table() if row["package"] in known]
    write_table(rows)
    return 0 if meets_goals([row for row in rows if row["package"] in named]) else 1


if __name__ == "__main__":
    sys.exit(main())
