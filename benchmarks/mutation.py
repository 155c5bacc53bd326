"""Which small bugs do the tests notice? Five in a paper's experiments, twenty in an engine part.

``python benchmarks/mutation.py [PACKAGE ...] [--work DIR]`` copies the tree, puts one bug after the
other into the copy, and runs the tests concerned: those of the paper's folder, or of
``tests/judge``, ``tests/harness``, ``tests/run``. docs/mutation.csv has a line for each bug, and
docs/mutation.md counts them. Kinds and places are drawn by a fixed seed from the code. Packages
that were not named keep their lines; a bug that is there again keeps the reason written beside it.
"""

from __future__ import annotations

import argparse
import csv
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
    return [folder / "papers" / package / "experiments.py"]


def tests_of(package, file):
    """Return the tests concerned; those first that are likely to notice."""
    folder = Path("src/icml2008/papers") / package
    if package in ENGINE:
        folder = Path("tests") / package
    tests = sorted(path.relative_to(ROOT) for path in (ROOT / folder).rglob("test_*.py"))
    name = re.compile(rf"\b{file.stem}\b")

    def rank(path):
        nearest = path.stem == "test_wiring" or file.stem in path.stem
        return not nearest, not name.search((ROOT / path).read_text("utf-8"))

    return sorted(tests, key=rank)


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


def notices(folder, tests, seconds=None):
    """Run tests in a copy of the tree; return whether one failed, and the end of what was said.

    So has one if they have not ended after the seconds.
    """
    options = ("-x", "-q", "-p", "no:cacheprovider", "-p", "no:xdist")
    environment = {
        **os.environ,
        "PYTHONPATH": str(folder / "src"),
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


def try_package(package, folder):
    """Return a row for each bug of a package; without one its tests must pass."""
    bugs = choose(package)
    begin = time.monotonic()
    failed, last_words = notices(folder, tests_of(package, sources(package)[0]))
    if failed:
        sys.exit(f"{package}: its tests fail without a bug:\n{last_words}")
    seconds = max(60, PATIENCE * (time.monotonic() - begin))
    rows = []
    for bug in bugs:
        path = folder / bug.file
        path.write_text(bug.made.text, "utf-8")
        kernels = folder / "kernels"
        kernels.mkdir(exist_ok=True)
        if bug.made.kernel:  # numba misses edits of what another module compiles into its own
            kernels.rename(folder / "kept")
        killed, _ = notices(folder, tests_of(package, bug.file), seconds)
        shutil.copy2(ROOT / bug.file, path)  # with its time, so that numba knows its kernels again
        if bug.made.kernel:
            shutil.rmtree(kernels, ignore_errors=True)
            (folder / "kept").rename(kernels)
        rows.append({**bug.row, "outcome": KILLED if killed else SURVIVED})
        say(" | ".join(rows[-1].values()))
    return rows


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
        for package in named:
            before = read_table()
            reasons = {identity(row): row["reason"] for row in before}
            rows = try_package(package, folder)
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
