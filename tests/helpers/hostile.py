"""Input that nobody should give, and what has to withstand it.

Each of `TARGETS` takes a case in a folder of its own and returns what became of it: "accepted", or
"refused" by an error that a user can mend. Whatever else is raised is a fault.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
import sys
import tarfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import yaml
from scipy.io import savemat
from typer.testing import CliRunner

from icml2008.catalogue import library
from icml2008.catalogue.entry import Entry
from icml2008.catalogue.fit import misfits
from icml2008.catalogue.reading import read_paper
from icml2008.cli import app
from icml2008.data.integrity import mismatch
from icml2008.data.loading import read_files
from icml2008.data.registry import Dataset, File, read_registry
from icml2008.errors import Icml2008Error
from icml2008.report.results import PaperResults
from icml2008.report.terminal import verdict_lines
from icml2008.run.reference.completeness import missing_records
from icml2008.run.reference.judging import judge_paper
from icml2008.run.trials import configuration
from icml2008.store import BrokenFile, Shelf, record_file

KEY = "doe2008toy"
NAME = "centre"
Cases = Callable[[Random], Any]
TOY = Path(__file__).parents[1] / "run/papers"
ENTRY = Entry(KEY)
SHELF = Shelf.of_run("smoke", ENTRY)


@dataclass(frozen=True)
class Target:
    """Something that takes input.

    Attributes
    ----------
    case : callable
        Makes a case by a source of random numbers.
    take : callable
        Takes a case in the current folder.
    share : int
        Of how many cases in a hundred.
    """

    case: Cases
    take: Callable[[Any], object]
    share: int


def outcome(target: Target, case: Any) -> str:
    """Give a case to a target and return what became of it."""
    try:
        target.take(case)
    except Icml2008Error as error:
        if not str(error).strip():
            msg = "refused without a word"
            raise AssertionError(msg) from error
        return "refused"
    return "accepted"


# What cases are made of.

ODD = (
    *(None, True, False, 0, -1, 3, 2**63, 10**400, 0.5, -0.0, 1e308, float("nan"), float("inf")),
    *(
        "",
        "1e999",
        "{method}",
        "../..",
        "/",
        "-",
        "\x00",
        "\ud800",
        "é",
        "a" * 9999,
        "default",
        "all",
    ),
    *([], {}, [[]], [{}], {"": None}, ["default"], {"x": {"y": 1}}, {"size": 10}),
)


def odd(random: Random) -> Any:
    """Return plain data that is hardly what is wanted."""
    match random.randrange(4):
        case 0:
            return "".join(chr(random.randrange(0x300)) for _ in range(random.randrange(20)))
        case 1:
            return random.choice((random.gauss(0, 1e3), random.randrange(-9, 99)))
    return random.choice(ODD)


def altered(random: Random, value: Any) -> Any:
    """Return plain data with something odd in one place, or something gone."""
    if not (isinstance(value, dict | list) and value and random.randrange(10)):
        return odd(random)
    at = random.choice(list(value) if isinstance(value, dict) else range(len(value)))
    copy = value.copy()
    match random.randrange(12):
        case 0:
            del copy[at]
        case 1 if isinstance(value, dict):
            copy[str(odd(random))[:20]] = copy.pop(at)
        case 2 if isinstance(value, list):
            copy.append(value[at])
        case _:
            copy[at] = altered(random, value[at])
    return copy


def damaged(random: Random, *seeds: bytes) -> bytes:
    """Return bytes with a few of them changed, doubled or gone."""
    data = bytearray(random.choice(seeds))
    for _ in range(random.randint(1, 4)):
        at = random.randint(0, len(data))
        length = random.randint(0, 40)
        match random.randrange(6):
            case 0:
                data[at : at + 1] = random.randbytes(1)
            case 1:
                data[at:at] = random.randbytes(length)
            case 2:
                del data[at : at + length]
            case 3:
                data[at:at] = data[at : at + length] * random.randint(1, 3)
            case 4:
                del data[at:]
            case 5:
                data[at : at + 4] = random.randbytes(4)
    return bytes(data)


def as_yaml(value: Any) -> bytes:
    return yaml.safe_dump(value, allow_unicode=True).encode("utf-8", "surrogatepass")


def as_json_lines(lines: Any) -> bytes:
    lines = lines if isinstance(lines, list) else [lines]
    return "".join(f"{json.dumps(line)}\n" for line in lines).encode()


def either(seed: Any, write: Callable[[Any], bytes]) -> Cases:
    """Return what makes cases of a form that others write: odd content, or damaged bytes of it."""
    good = write(seed)

    def case(random: Random) -> bytes:
        if random.randrange(3):
            return write(altered(random, seed))
        return damaged(random, good)

    return case


def damages(*seeds: bytes) -> Cases:
    """Return what makes damaged files of good ones."""
    return lambda random: damaged(random, *seeds)


# Papers, configurations, the registry.


def take_paper(content: bytes) -> None:
    path = Path(KEY, "paper.yaml")
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)
    paper = read_paper(path)
    known = library.load_experiments(KEY)
    if paper.experiments.keys() == known.keys():
        misfits(paper, known)


def take_config(config: dict[str, Any]) -> None:
    run = configuration.read_config(config)
    for entry in configuration.papers(run)[:1]:
        configuration.universes(run, entry)


CONFIGS = (
    {"scale": "smoke", "papers": KEY, "data_mirrors": "a,b", "data_mode": "strict",
     "multiverse": "true", "arithmetic": "nehalem,zen"},
    {"multiverse": "full", "papers": "doe2008toy,roe2008tiny"},
)  # fmt: skip


def config(random: Random) -> dict[str, Any]:
    value = altered(random, random.choice(CONFIGS))
    return value if isinstance(value, dict) else {"scale": value}  # Snakemake gives a mapping


REGISTRY = {
    "files": {
        "doe/heights-{}.csv": {
            "urls": ["https://example.org/{}.csv"],
            "licence": "CC BY 4.0",
            "citation": "J. Doe (2008)",
            "each": {2007: {"size": 1234, "sha256": 64 * "0"}},
        }
    },
    "datasets": {
        "heights": {
            "description": "people",
            "files": ["doe/heights-{}.csv"],
            "loader": "icml2008.data.tables:load_delimited",
            "options": {"target": "x3"},
            "holds": {"shape": "100 x 3", "target": "151 .. 203", "missing": 1},
        }
    },
}


def take_registry(content: bytes) -> None:
    Path("data.yaml").write_bytes(content)
    read_registry([Path("data.yaml")])


# Results.

RECORDS = [
    {"schema": 2, "paper": KEY, "experiment": NAME, "universe": "default"},
    *(
        {"kind": "measurement", "cell": {"size": size}, "repeat": repeat, "method": method,
         "metric": "error", "value": 0.1 * place + 0.01 * repeat}
        for size in (10, 100) for repeat in range(3)
        for place, method in enumerate(("mean", "median"))
    ),
    {"kind": "failure", "cell": {"size": 10}, "repeat": 3, "method": "mean", "status": "failed",
     "error": "ValueError: no"},
    {"kind": "cases", "cell": {"size": 10}, "repeat": 2, "method": "mean", "cases": [0, 1]},
    {"kind": "no data", "cell": {"size": 100}, "repeat": 3, "reason": "gone"},
]  # fmt: skip


def take_records(content: bytes) -> None:
    file = record_file(SHELF.records_folder, NAME, "default")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    evidence, broken = SHELF.readable()
    if broken:
        raise BrokenFile(broken[0])
    missing_records(ENTRY, evidence, "smoke", ["default"])
    judge_paper(ENTRY, evidence, "smoke")


@cache
def judged() -> list[dict[str, Any]]:
    library.add_papers(TOY)
    return judge_paper(ENTRY, {(NAME, "default"): RECORDS}, "smoke")


def take_verdicts(content: bytes) -> None:
    file = SHELF.verdicts_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    rows = SHELF.verdicts()
    list(verdict_lines([PaperResults(library.load_paper(KEY), rows)]))


# The command line. No command is among them that makes files of a planned paper.

COMMANDS = (
    *("papers", "show", "cite", "claims", "size", "audit", "verdicts", "quality", "check", "run"),
    *("judge", "adopt", "renew", "record", "data", "new", "site", "nothing"),
)
WORDS = (
    *(KEY, "roe2008tiny", "vovk2008brier", f"{KEY}/", f"{KEY}/centr", "xyz", "", ".", "/", "a/b/c"),
    *("results/smoke", "results", "results/reference", "nowhere", "--results", "--format", "json"),
    *("csv", "table", "xml", "--scale", "smok", "full", "--universe", "noise=laplac", "--method"),
    *("json:loads", ":", "a.b:C", "--cores", "0", "-1", "--all", "--topic", "--kind", "order"),
    *("--text", "--state", "planned", "--out", "fetch", "verify", "census-16h", "--coverage"),
    *("--papers-path", "--no-universes", "--time-limit", "nan", "--help", "--version", "--write"),
    *("\x00", "é", "\udcff", "-", "--", "--verdicts", "--figure"),
)
# Without a paper these do all of them, which takes a minute.
_OF_ONE = ("size", "audit", "quality", "judge", "claims")


def arguments(random: Random) -> list[str]:
    more = random.choices(WORDS, k=random.randrange(6))
    more += [str(odd(random))[:40]] * (random.randrange(8) == 0)
    return [random.choice(COMMANDS), *more]


def take_arguments(arguments: list[str]) -> None:
    first = [] if arguments[0] not in _OF_ONE else [KEY]
    first = ["results/smoke", KEY] if arguments[0] == "judge" else first
    result = CliRunner().invoke(app, [arguments[0], *first, *arguments[1:]])
    if isinstance(result.exception, SystemExit):
        msg = f"exit {result.exit_code}"
        raise Icml2008Error(msg)
    if result.exception:
        raise result.exception


# Files of data.


def packed(members: dict[str, bytes], **odd: Any) -> bytes:
    file = BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            for field, value in odd.items():
                setattr(info, field, value)
            archive.addfile(info, BytesIO(content))
    return file.getvalue()


def matlab() -> bytes:
    file = BytesIO()
    savemat(file, {"fea": np.eye(4, 6, dtype=np.uint8), "gnd": np.arange(4.0)}, do_compression=True)
    return file.getvalue()


ARFF = b"""% a comment
@relation toy
@attribute size real
@attribute 'a kind' {small, "very large"}
@attribute name string
@data
1.5, small, x
?, 'very large', ?
"""
NAMES = b"yes, no.\nsize: continuous.\nkind: a, b, c.\nid: ignore.\n"
ROWS = b"1.5, a, 7, yes.\n?, b, 8, no.\n"
SGML = b"""<!DOCTYPE lewis SYSTEM "lewis.dtd">
<REUTERS TOPICS="YES" LEWISSPLIT="TRAIN" CGISPLIT="TRAINING-SET" OLDID="1" NEWID="1">
<DATE>26-FEB-1987</DATE><TOPICS><D>cocoa</D></TOPICS><PLACES></PLACES><PEOPLE></PEOPLE>
<ORGS></ORGS><EXCHANGES></EXCHANGES><TEXT>&#2;<TITLE>A &lt;B></TITLE><BODY>Rain.</BODY></TEXT>
</REUTERS>
"""
TEXTS = {"20news-bydate-train/sci.med/1": b"From: x\n\nHello", "20news-bydate-test/alt/2": b"Bye"}
# The head of an Excel 97 file: what follows need not be one.
EXCEL = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(504) + b"\x3e\x00\x03\x00\xfe\xff\x09\x00" * 64


def reading(loader: str, *others: bytes, **options: Any) -> Callable[[bytes], None]:
    """Return what reads a file, and others after it, by a registered loader."""
    entry = Dataset(description="toy", files=["toy"], loader=loader, options=options)

    def take(content: bytes) -> None:
        paths = []
        for place, content_there in enumerate((content, *others)):
            paths.append(Path(f"file-{place}"))
            paths[-1].write_bytes(content_there)
        read_files("toy", entry, paths)

    return take


def fetched(good: bytes, read: Callable[[bytes], None]) -> Callable[[bytes], None]:
    """Return what reads a file as `load` does: only if its content is the registered one.

    SciPy's reader of MATLAB files ends the process at some damaged ones, and no caller can help it.
    """
    sha256 = hashlib.sha256(good).hexdigest()
    entry = File(sha256=sha256, size=len(good), licence="none", citation="none")

    def take(content: bytes) -> None:
        Path("fetched").write_bytes(content)
        if fault := mismatch(Path("fetched"), entry):
            raise Icml2008Error(fault)
        read(content)

    return take


def take_download(content: bytes) -> None:
    Path("part").write_bytes(content)
    entry = File(sha256=64 * "0", size=4000, licence="none", citation="none")
    if fault := mismatch(Path("part"), entry):
        raise Icml2008Error(fault)


_TABLES = "icml2008.data.tables"
_READERS = "icml2008.data.readers"
_IDX = struct.pack(">HBBII", 0, 8, 2, 3, 4) + bytes(range(12))


@cache
def targets() -> dict[str, Target]:
    """Return what takes input, by name."""
    library.add_papers(TOY)
    good_matlab = matlab()
    paper = yaml.safe_load((TOY / KEY / "paper.yaml").read_text())
    return {
        "paper.yaml": Target(either(paper, as_yaml), take_paper, 20),
        "configuration": Target(config, take_config, 15),
        "registry": Target(either(REGISTRY, as_yaml), take_registry, 10),
        "records": Target(either(RECORDS, as_json_lines), take_records, 12),
        "verdicts": Target(
            either(judged(), lambda rows: json.dumps(rows).encode()), take_verdicts, 8
        ),
        "command line": Target(
            arguments,
            take_arguments,
            5,
        ),
        "ARFF": Target(damages(ARFF), reading(f"{_TABLES}:load_arff", target="size"), 4),
        "C4.5": Target(damages(NAMES), reading(f"{_TABLES}:load_c45", ROWS), 4),
        "delimited": Target(
            damages(ROWS, ROWS * 9), reading(f"{_TABLES}:load_delimited", target="x3"), 3
        ),
        "IDX": Target(damages(_IDX), reading(f"{_READERS}.idx:read_idx"), 4),
        "LIBSVM": Target(
            damages(b"1 1:0.5 3:2\n-1 2:1e3 # x\n"),
            reading(f"{_TABLES}:load_libsvm", n_features=4),
            4,
        ),
        "MATLAB": Target(
            lambda random: random.choice((good_matlab, damaged(random, good_matlab))),
            fetched(
                good_matlab,
                reading(
                    "icml2008.data.images:load_matlab_images",
                    **{"variable": "fea", "labels": "gnd", "height": 2, "width": 3},
                ),
            ),
            3,
        ),
        "SGML": Target(
            lambda random: packed({"reut2-000.sgm": damaged(random, SGML, SGML * 3)}),
            reading("icml2008.data.texts:load_reuters"),
            3,
        ),
        "XLS": Target(
            damages(EXCEL, b"name,size\nx,1\ny,2\n"),
            reading(f"{_READERS}.sheets:read_sheet", columns=["name", "size"]),
            2,
        ),
        "archive": Target(
            damages(packed(TEXTS), packed(TEXTS, type=tarfile.SYMTYPE, linkname="/etc/passwd")),
            reading("icml2008.data.texts:load_20newsgroups"),
            2,
        ),
        "download": Target(damages(packed(TEXTS), ARFF), take_download, 1),
    }


class Writes:
    """Which files are written outside of the current folder, the cache and the system's own."""

    def __init__(self) -> None:
        self.allowed = [os.devnull]
        self.outside: set[str] = set()
        self.watching = False
        sys.addaudithook(self._see)

    def _see(self, event: str, arguments: tuple) -> None:
        if not self.watching:
            return
        if event == "open":
            path, mode, flags = arguments
            if not (set(mode or "") & set("wax+") or (flags or 0) & (os.O_WRONLY | os.O_RDWR)):
                return
        elif event in ("os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.symlink", "os.link"):
            path = arguments[0]
        else:
            return
        if isinstance(path, int):
            return
        place = os.path.abspath(os.fsdecode(path))
        if not any(
            place == place_allowed or place.startswith(f"{place_allowed}/")
            for place_allowed in self.allowed
        ):
            self.outside.add(place)
