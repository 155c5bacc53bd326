"""Faults of all kinds, on purpose: is anything lost, and what does the user see?

    python benchmarks/faults.py --folder FOLDER [--only FAULT ...] [--kills 50] [--seed 2008]

puts into docs/faults.csv a line for each fault: how often it was tried, how often something was
lost (records or verdicts of the command given once more differ by a byte from those of a run that
nothing happened to, or something half-written stood under a final name), and the last that the user
saw. The workload is the small paper of the tests. Small disks and protected folders are mounted:
these faults need root on Linux, others do not.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from icml2008.harness.benchmarks import heading

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "docs/faults.csv"
COLUMNS = ("fault", "tried", "lost", "seen")
TOY = "doe2008toy"
ICML2008 = (sys.executable, "-m", "icml2008")
LOGS = "logs/quick/doe2008toy"
SHARD = "results/quick/doe2008toy/shards/default/0002.jsonl"

Row = tuple[int, int, str]


class Workflow:
    """The workflow on one paper in a folder of its own."""

    def __init__(self, folder: Path, *targets: str, env: dict[str, str] | None = None, **config):
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        given = {"scale": "quick", "papers": TOY, "papers_path": ROOT / "tests/run/papers"}
        self.command = [
            *(sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile"),
            *("--directory", folder, "--configfile", ROOT / "config/config.yaml"),
            *("--workflow-profile", ROOT / "profiles/default", "--cores", "2", *targets),
            *("--config", *(f"{key}={value}" for key, value in (given | config).items())),
        ]
        self.env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), **(env or {})}
        self.output = folder.with_name(f"{folder.name}.txt")

    def start(self) -> subprocess.Popen:
        """Start it in a session of its own."""
        with self.output.open("w") as output:
            return subprocess.Popen(
                list(map(str, self.command)),
                env=self.env, stdout=output, stderr=output,
                start_new_session=True, preexec_fn=_hear_ctrl_c,
            )  # fmt: skip

    def run(self) -> int:
        """Run it and return its status."""
        return self.start().wait()

    def seen(self) -> str:
        """Return the last line that the user saw."""
        text = self.output.read_text().strip()
        assert "Traceback" not in text, self.output
        return text.rpartition("\n")[2].strip().replace(str(self.folder), "FOLDER")

    def results(self) -> dict[str, bytes]:
        """Return what must not be lost: shards, records and verdicts, as far as they are there."""
        folder = self.folder / "results/quick" / TOY
        files = [*folder.glob("shards/*/*.jsonl"), *folder.glob("records/**/*.jsonl")]
        files += folder.glob("verdicts.json")
        return {str(file.relative_to(folder)): file.read_bytes() for file in files}


class Faults:
    """All faults, each a method that returns how often it was tried and lost, and what was seen."""

    def __init__(self, folder: Path, kills: int, seed: int):
        self.folder = folder
        self.kills = kills
        self.random = random.Random(seed)
        self._number = 0
        clean = self.workflow(TOY)
        start = time.monotonic()
        assert clean.run() == 0, clean.output
        self.seconds = time.monotonic() - start
        self.expected = clean.results()
        assert len(self.expected) == 6

    def workflow(self, *targets: str, **how) -> Workflow:
        self._number += 1
        folder = how.pop("folder", self.folder / f"{self._number:03d}")
        return Workflow(folder, *targets, **how)

    def lost(self, workflow: Workflow) -> int:
        """Return 1 if something is half-written, or if the same command does not mend all."""
        half = any(self.expected[name] != content for name, content in workflow.results().items())
        failed = workflow.run() or workflow.results() != self.expected
        left = list(workflow.folder.glob("results/**/.*.part"))
        lost = int(bool(half or failed or left))
        if not lost and workflow.folder.parent == self.folder:
            shutil.rmtree(workflow.folder)
        return lost

    def kill_9(self, workflow: Workflow) -> None:
        """Kill, at a random moment, the run, one of its processes, or all at once."""
        process = workflow.start()
        time.sleep(self.random.uniform(0, 1.1 * self.seconds))
        below = list(_below(process.pid))
        kind = self.random.choice(("run", "one", "all"))
        targets = {"run": [process.pid], "all": [process.pid, *below]}
        for target in targets.get(kind) or [self.random.choice(below or [process.pid])]:
            _kill(target, signal.SIGKILL)
        process.wait()
        deadline = time.monotonic() + 60
        while any(map(_alive, below)) and time.monotonic() < deadline:
            time.sleep(0.1)
        assert not any(map(_alive, below)), f"{kind}: processes live on"

    def killed(self) -> Row:
        """kill -9 at a random moment: of the run, of one of its processes, or of all of them."""
        lost = 0
        messages = set()
        for _ in range(self.kills):
            workflow = self.workflow(TOY)
            self.kill_9(workflow)
            lost += self.lost(workflow)
            messages |= _lines(workflow, "The run before")
        return self.kills, lost, _numberless(messages)

    def interrupted(self) -> Row:
        """Ctrl-C at a random moment."""
        lost = 0
        messages = set()
        for _ in range(tries := 5):
            workflow = self.workflow(TOY, env={"DOE2008TOY": "stall"})
            process = workflow.start()
            time.sleep(self.random.uniform(0.8, 1.6) * self.seconds)
            os.killpg(process.pid, signal.SIGINT)
            process.wait()
            messages.add(workflow.seen())
            workflow.env.pop("DOE2008TOY")
            lost += self.lost(workflow)
        return tries, lost, " / ".join(sorted(messages))

    def two_at_once(self) -> Row:
        """A second run in the same folder."""
        first = self.workflow(TOY, env={"DOE2008TOY": "stall"})
        process = first.start()
        _wait_for(first.folder / SHARD.replace("0002", "0000"), process)
        second = Workflow(first.folder)
        second.output = first.output.with_suffix(".second.txt")
        assert second.run() == 1
        (message,) = _lines(second, "another run")
        _kill(process.pid, signal.SIGKILL)
        process.wait()
        first.env.pop("DOE2008TOY")
        return 1, self.lost(first), _numberless({message.replace(str(first.folder), "FOLDER")})

    def hungry(self) -> Row:
        """A trial that allocates without bound."""
        workflow = self.workflow(TOY, env={"DOE2008TOY": "hungry"})
        assert workflow.run() == 1
        (message, *_) = sorted(_lines(workflow, f"  {TOY}: run_trials"))
        workflow.env.pop("DOE2008TOY")
        return 1, self.lost(workflow), message

    def clock_moved_back(self) -> Row:
        """The clock moved back by a day, after a run was killed."""
        lost = 0
        done = set()
        for _ in range(tries := 3):
            workflow = self.workflow(TOY)
            self.kill_9(workflow)
            for file in workflow.folder.rglob("*"):
                if file.is_file() and not file.is_symlink():
                    tomorrow = file.stat().st_mtime + 86400
                    os.utime(file, (tomorrow, tomorrow))
            assert workflow.run() == 0, workflow.output
            lost += workflow.results() != self.expected
            assert workflow.run() == 0, workflow.output
            done |= _lines(workflow, "localrule ") | _lines(workflow, "Nothing to be done")
            lost += self.lost(workflow)
        return tries, lost, f"given once more, the command says: {' / '.join(sorted(done))}"

    def disk_full(self, watched: str, *targets: str) -> Row:
        with _mounted(self.folder / "small", "-t", "tmpfs", "-o", "size=24m", "tmpfs") as small:
            workflow = self.workflow(*targets, folder=small / "run")
            workflow.output = self.folder / "small.txt"
            process = workflow.start()
            _wait_for(workflow.folder / watched, process)
            with _filled(small):
                assert process.wait() == 1, workflow.output
            message = workflow.seen()
            return 1, self.lost(workflow), message

    def disk_full_in_trials(self) -> Row:
        """The disk is full when trials begin."""
        return self.disk_full(f"{LOGS}/trials.log", TOY)

    def disk_full_in_collect(self) -> Row:
        """The disk is full when records are joined."""
        return self.disk_full(SHARD, TOY)

    def disk_full_in_judge(self) -> Row:
        """The disk is full when claims are judged."""
        return self.disk_full(f"{LOGS}/judge.log", TOY)

    def disk_full_in_render(self) -> Row:
        """The disk is full when the index is rendered."""
        return self.disk_full("logs/quick/index.log")

    def disk_full_in_fetch(self) -> Row:
        """The disk of the cache is full when data are fetched."""
        with _mounted(self.folder / "cache", "-t", "tmpfs", "-o", "size=1m", "tmpfs") as cache:
            target = "results/data/census-16h.json"
            workflow = self.workflow(
                target, env={"ICML2008_CACHE": str(cache)}, papers="bergeron2008mirank"
            )
            with _filled(cache):
                assert workflow.run() == 1, workflow.output
            (message, *_) = sorted(_lines(workflow, "  fetch_data"))
            left = list(cache.rglob(".*"))
        return 1, int(bool(left)), message.replace(str(cache), "CACHE")

    def disk_full_in_run_out(self) -> Row:
        """The disk is full when `icml2008 run --out` writes."""
        with _mounted(self.folder / "out", "-t", "tmpfs", "-o", "size=1m", "tmpfs") as out:
            with _filled(out):
                command = (
                    *ICML2008,
                    "run",
                    "li2008worst/bounds",
                    "--out",
                    str(out / "records.jsonl"),
                )
                done = _called(command)
            assert done.returncode == 2, done
            left = list(out.iterdir())
        printed = "the table, then: " if "mean" in done.stdout else ""
        return (
            1,
            int(bool(left) or not printed),
            printed + done.stderr.strip().replace(str(out), "FOLDER"),
        )

    def read_only(self) -> Row:
        """The folder of results is protected."""
        workflow = self.workflow(TOY)
        results = workflow.folder / "results"
        results.mkdir()
        with _mounted(results, "--bind", results):
            subprocess.run(["mount", "-o", "remount,ro,bind", results], check=True)
            assert workflow.run() == 1
            (message,) = _lines(workflow, "cannot write")
        return 1, self.lost(workflow), message.replace(str(workflow.folder), "FOLDER")

    def corrupt_cache(self) -> Row:
        """A file of the cache has another byte: with a mirror, and without."""
        cache = self.folder / "corrupt"
        env = {**os.environ, "ICML2008_CACHE": str(cache)}
        fetch = (*ICML2008, "data", "fetch", "census-16h")
        assert _called(fetch, env).returncode == 0
        file = cache / "census/cities.dbf"
        whole = file.read_bytes()
        broken = bytearray(whole)
        broken[self.random.randrange(len(whole))] ^= 255
        file.write_bytes(broken)
        mended = _called(fetch, env).returncode == 0 and file.read_bytes() == whole
        file.write_bytes(broken)
        alone = {
            **env,
            "ICML2008_MIRROR": "",
            "https_proxy": "http://127.0.0.1:9",
            "http_proxy": "http://127.0.0.1:9",
        }
        done = _called(fetch, alone)
        assert done.returncode
        message = next(
            line for line in (done.stdout + done.stderr).splitlines() if "cities.dbf" in line
        )
        return (
            2,
            int(not mended),
            f"with a mirror nothing; without: {message.strip()}".replace(str(cache), "CACHE"),
        )

    def truncated_records(self) -> Row:
        """A packed record of the reference is cut short."""
        source = ROOT / "results/reference/li2008worst"
        results = self.folder / "cut/reference"
        shutil.copytree(source, results / source.name)
        file = next((results / source.name / "records").iterdir())
        file.write_bytes(file.read_bytes()[: self.random.randrange(60, file.stat().st_size)])
        done = _called((*ICML2008, "judge", str(results), "li2008worst"))
        message = next(
            line for line in (done.stdout + done.stderr).splitlines() if file.name in line
        )
        assert done.returncode == 1, done
        return 1, 0, message.replace(str(results), "results/reference")


def _called(command, env=None) -> subprocess.CompletedProcess:
    env = {**(env or os.environ), "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, env=env, cwd=ROOT, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr, done.stderr
    return done


def _below(process: int) -> Iterator[int]:
    """Yield the processes that a process started, and those that they did."""
    for task in Path(f"/proc/{process}/task").glob("*"):
        for child in map(int, (task / "children").read_text().split()):
            yield child
            yield from _below(child)


def _alive(process: int) -> bool:
    try:
        return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False


def _hear_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell's background is deaf to it


def _kill(process: int, how: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process, how)


def _wait_for(file: Path, process: subprocess.Popen) -> None:
    while not file.exists():
        assert process.poll() is None, f"ended before {file}"
        time.sleep(0.0005)


def _lines(workflow: Workflow, part: str) -> set[str]:
    return {line for line in workflow.output.read_text().splitlines() if part in line}


def _numberless(messages: set[str]) -> str:
    words = {" ".join("N" if w.isdigit() else w for w in line.split()) for line in messages}
    host = os.uname().nodename
    return " / ".join(sorted(words)).replace(f" {host})", " HOST)")


@contextmanager
def _mounted(folder: Path, *how) -> Iterator[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", *map(str, how), str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", str(folder)], check=True)


@contextmanager
def _filled(folder: Path) -> Iterator[None]:
    """Leave not a byte on the disk of a folder."""
    ballast = folder / "ballast"
    with ballast.open("wb", buffering=0) as file:
        for block in (1 << 16, 1 << 12):
            with suppress(OSError):
                while file.write(bytes(block)) == block:
                    pass
    try:
        yield
    finally:
        ballast.unlink()


def main() -> None:
    """Try what was asked for; other rows of the table stay."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    faults = {
        name: fault for name, fault in vars(Faults).items()
        if isinstance(fault, Callable)
        and fault.__annotations__.get("return") == "Row"
        and fault.__doc__
    }  # fmt: skip
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=faults, default=list(faults))
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=2008)
    given = parser.parse_args()
    shutil.rmtree(given.folder, ignore_errors=True)
    here = Faults(given.folder.absolute(), given.kills, given.seed)
    rows = {}
    if TABLE.is_file():
        lines = [line for line in TABLE.read_text("utf-8").splitlines() if line[:1] != "#"]
        rows = {row["fault"]: row for row in csv.DictReader(lines)}
    for name in given.only:
        title = faults[name].__doc__.rstrip(".")
        rows[title] = {"fault": title, **dict(zip(COLUMNS[1:], faults[name](here), strict=True))}
        sys.stdout.write(f"{rows[title]}\n")
        sys.stdout.flush()
        with TABLE.open("w", newline="", encoding="utf-8") as file:
            file.write(heading("icml2008", "snakemake"))
            table = csv.DictWriter(file, COLUMNS, lineterminator="\n")
            table.writeheader()
            order = [fault.__doc__.rstrip(".") for fault in faults.values()]
            table.writerows(sorted(rows.values(), key=lambda row: order.index(row["fault"])))


if __name__ == "__main__":
    main()
