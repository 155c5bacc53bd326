"""What a run, its planning and the verdicts cost, against the number of papers.

A checkout is made in a folder with copies of re-run papers under new keys: round after round
through those that keep to their budgets of time, as every further paper has to, in the order of
their keys, each copy in the place of a planned paper that declares no data and that no test names,
as far as there are, until there are as many re-run ones as wanted. A copy has experiments, claims,
tests, figures and reference of its own, and shares methods, data and random streams with its
original, so that its results are as good as the original's. Run as

    python benchmarks/scaling.py 160 640 2560 --folder FOLDER [--only NAME ...] [--bare]

it puts what it measured into results/scaling.csv beside itself: for each number of papers and each
command the seconds on the clock, those of the processor, the memory of the largest process, and the
load of the machine before; of "tracked files" and of the folder that the site is written to, the
size and how many files there are. The exponent is that of growth since the next smaller number of
papers: 1 where twice the papers take twice the time, or have twice the files.

In a checkout that is made with ``--bare`` a copy's packed records are links to its original's, and
say that they are of that: enough for what judges and shows them, not for what runs trials. It saves
most of the time that making one takes. ``verdicts`` compiles a paper's file and ``plan`` plans
anew the first time: let each run once before, or measure what is kept by the names that say so.
"""

from __future__ import annotations

import argparse
import csv
import lzma
import math
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice, zip_longest
from pathlib import Path

from icml2008 import store
from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.harness.benchmarks import heading
from icml2008.run.site.size import SECONDS, size_of

ROOT = Path(__file__).parents[1]
TABLE = Path(__file__).with_name("results") / "scaling.csv"
COLUMNS = (
    *("papers", "what", "seconds", "processor_seconds", "mebibytes", "files", "exponent"),
    *("load", "date"),
)

SNAKEMAKE = (sys.executable, "-m", "snakemake", "--cores", "2")
ICML2008 = (sys.executable, "-c", "from icml2008.cli import main; main()")
# What copies cannot fulfil: they have pages and titles of their originals, and read their data.
OF_THE_CATALOGUE = (
    "tests/catalogue/test_catalogue.py::test_further_entries_are_what_the_proceedings_build_on",
    "tests/catalogue/test_catalogue.py::test_no_two_papers_have_one_title",
    "tests/catalogue/test_catalogue.py::test_pages_run_from_1_to_1263_without_overlap_or_hole",
    "tests/catalogue/test_catalogue.py::test_the_proceedings_have_158_papers",
    "tests/catalogue/test_paper_files.py::test_no_paper_reads_what_another_declares",
)
COMMANDS = {
    "plan": (*SNAKEMAKE, "--dry-run"),
    "plan, kept": (*SNAKEMAKE, "--dry-run"),
    "plan the multiverse": (*SNAKEMAKE, "--dry-run", "--config", "multiverse=true"),
    "run at smoke": (*SNAKEMAKE, "--config", "scale=smoke"),
    "make": ("make",),
    "make test": ("make", "test"),
    ".ci/run": (".ci/run",),
    ".ci/run but make test": ("bash", "-c", "sed /^make.test/d .ci/run >.ci/rest; bash .ci/rest"),
    "judge": (*ICML2008, "judge"),
    "quality": (*ICML2008, "quality"),
    "agreement": (*ICML2008, "agreement"),
    "verdicts": (*ICML2008, "verdicts"),
    "site": (*ICML2008, "site", "--out", "site"),
    "site, kept": (*ICML2008, "site", "--out", "site"),
}
# What a command writes, where that is to stay small.
WRITES = {"site": "site"}

STAMP = """
from icml2008 import store
from icml2008.catalogue.entry import rerun_entries
from icml2008.run import keys
from icml2008.run.reference import proof
from icml2008.run.site import rendering
for entry in rerun_entries():
    shelf = store.Shelf.of_reference(entry)
    provenance = store.read_json(shelf.provenance_file)
    provenance["keys"] = {name: keys.result_key(entry, name) for name in provenance["keys"]}
    store.write_json(shelf.provenance_file, provenance)
    rendering.stamp_figures(entry)
    proof.prove(shelf)
"""


def copies() -> Iterator[tuple[str, str]]:
    """Yield original and key of one copy after the other; keys as long keep lines in form."""
    rerun = filter(library.has_experiments, library.paper_keys())
    seconds = {f"{scale}_s" for scale in SECONDS}
    originals = [key for key in rerun if not size_of(Entry(key)).over.keys() & seconds]
    number = 0
    while True:
        number += 1
        yield from ((key, f"{key[:-2]}{number:02}") for key in originals)


def checkout(folder: Path, papers: int, *, bare: bool = False) -> None:
    """Make a checkout in which so many papers are re-run, in a bare one records of others."""
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    planned = [key for key in library.paper_keys() if not library.has_experiments(key)]
    more = papers - (len(library.paper_keys()) - len(planned))
    tests = "".join(file.read_text("utf-8") for file in (ROOT / "tests").rglob("*.py"))
    places = (
        key
        for key in planned
        if key not in tests and not (library.folder(key) / "data.yaml").exists()
    )
    made = list(islice(copies(), more))
    for (original, key), place in zip_longest(made, islice(places, more)):
        if place:
            shutil.rmtree(folder / "src/icml2008/papers" / place)
        for parent in ("src/icml2008/papers", "results/reference", "figures"):
            for file in (folder / parent / original).rglob("*"):
                # Data sets are shared, and a name may stand only once.
                if file.is_file() and file.suffix != ".pyc" and file.name != "data.yaml":
                    to = str(file.relative_to(folder)).replace(original, key)
                    _copy(file, folder / to, (original, key), bare=bare)
    _made_by_itself(folder, {key: original for original, key in made})


def _made_by_itself(folder: Path, originals: dict[str, str]) -> None:
    """Let the checkout have an environment, and copies their originals' streams and standing."""
    seeds = folder / "src/icml2008/harness/seeds.py"
    text = seeds.read_text("utf-8")
    begin = "    text = json.dumps("
    assert begin in text
    text = text.replace(begin, f"    paper = _COPIES.get(paper, paper)\n{begin}")
    seeds.write_text(f"{text}\n\n_COPIES = {originals}  # fmt: skip # noqa: E501\n", "utf-8")
    (folder / ".venv").symlink_to(sys.prefix)
    for name in ("requirements.lock", "pyproject.toml"):
        os.utime(folder / name, (0, 0))  # make finds the environment set up
    env = {**os.environ, "PYTHONPATH": str(folder / "src")}
    subprocess.run([sys.executable, "-c", STAMP], cwd=folder, env=env, check=True)


def _copy(file: Path, to: Path, names: tuple[str, str], *, bare: bool) -> None:
    to.parent.mkdir(parents=True, exist_ok=True)
    if bare and file.suffix in (".xz", ".svg", ".png"):
        os.link(file, to)
    elif file.suffix == ".xz":
        store.write_packed(to, lzma.decompress(file.read_bytes()).decode().replace(*names))
    else:
        to.write_bytes(file.read_bytes().replace(*(name.encode() for name in names)))


def taken_by(folder: Path) -> dict[str, str]:
    """Return size and number of a folder's files, those that Python compiles left out."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.suffix != ".pyc"]
    size = sum(file.stat().st_size for file in files)
    return {"mebibytes": f"{size / 2**20:.0f}", "files": str(len(files))}


def measure(command: tuple[str, ...], folder: Path) -> dict[str, str]:
    """Run a command in a checkout and return what it took, that of its processes included."""
    env = {**os.environ, "PYTHONPATH": str(folder / "src")}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # else each process compiles all that it imports
    env["PYTEST_ADDOPTS"] = " ".join(f"--deselect={name}" for name in OF_THE_CATALOGUE)
    load = f"{os.getloadavg()[0]:.1f}"
    start = time.perf_counter()
    with (folder / "output.txt").open("w") as output:
        run = subprocess.Popen(command, cwd=folder, env=env, stdout=output, stderr=output)
        _, status, used = os.wait4(run.pid, 0)
    if status:
        sys.exit(f"{' '.join(command)} failed; see {folder / 'output.txt'}")
    return {
        "seconds": f"{time.perf_counter() - start:.1f}",
        "processor_seconds": f"{used.ru_utime + used.ru_stime:.1f}",
        "mebibytes": f"{used.ru_maxrss / 1024:.0f}",
        "load": load,
    }


Rows = dict[tuple[str, str], dict[str, str]]
"""Rows of the table by the number of papers and what was measured."""


def exponent(rows: Rows, papers: str, what: str) -> str:
    """Return how a row grew since the next smaller number of papers: n to which power."""
    smaller = [int(number) for number, name in rows if name == what and int(number) < int(papers)]
    if not smaller:
        return ""
    before = rows[str(max(smaller)), what]
    now = rows[papers, what]
    measure = "processor_seconds" if now.get("processor_seconds") else "files"
    if not (before.get(measure) and now.get(measure)):
        return ""
    growth = math.log(float(now[measure]) / float(before[measure]))
    return f"{growth / math.log(int(papers) / max(smaller)):.2f}"


def write(rows: Rows) -> None:
    """Write the table, sorted."""
    for papers, what in rows:
        rows[papers, what]["exponent"] = exponent(rows, papers, what)
    with TABLE.open("w", newline="", encoding="utf-8") as file:
        file.write(heading("snakemake", used="all"))
        table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        table.writeheader()
        table.writerows(rows[at] for at in sorted(rows, key=lambda at: (at[1], int(at[0]))))


def main() -> None:
    """Measure what was asked for; other rows of the table stay."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("papers", type=int, nargs="+")
    parser.add_argument("--folder", type=Path, required=True, help="for the checkouts")
    parser.add_argument("--only", nargs="+", choices=COMMANDS, default=list(COMMANDS))
    parser.add_argument("--bare", action="store_true", help="with links to records of others")
    given = parser.parse_args()
    rows = {}
    if TABLE.is_file():
        lines = [line for line in TABLE.read_text("utf-8").splitlines() if line[:1] != "#"]
        rows = {(row["papers"], row["what"]): row for row in csv.DictReader(lines)}
    for papers in given.papers:
        folder = given.folder.absolute() / str(papers)
        measured = {}
        if not folder.is_dir():
            checkout(folder, papers, bare=given.bare)
            measured["tracked files"] = taken_by(folder)
        for name in given.only:
            if name in WRITES:  # what is there already would not be made again
                shutil.rmtree(folder / WRITES[name], ignore_errors=True)
            measured[name] = measure(COMMANDS[name], folder)
            if name in WRITES:
                measured[f"{name} folder"] = taken_by(folder / WRITES[name])
        for name, values in measured.items():
            about = {
                "papers": papers,
                "what": name,
                "date": time.strftime("%Y-%m-%d", time.gmtime()),
            }
            rows[str(papers), name] = about | values
        write(rows)


if __name__ == "__main__":
    main()
