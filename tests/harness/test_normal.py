"""What a piece of source says is one text for every Python, and in every layout."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from icml2008.harness.normal import normal_form

SOURCE = Path(__file__).parents[2] / "src"

# What parsers of different versions tell in different ways, or have once done.
ODD = r"""
text = f"{x!r}{y:>{width}.3f}" 'and' f"{z}" "" f""
quoted = f"{a['b']}" f'"{e}" \'s\' {{}}' f"it's \"{e}\""
empty = f"{x:}{x!s:}" + f"{x=}{y = !r:>10}" + f""
more = f'''{
    x
}
{y}''' rf"\d{n}\{m}" + f"{x:{y}{z}}{x:a{y}b}" + f"{x:%H:%M}"
letters = "é\u0301\U0001faf6\ud800\t" 'it''s' "\N{BULLET}"
numbers = [0x10, 1_000, 1e3, 1e999, 2j, .5, -0.0, 10**400, True, None, ..., b"\xff\n"]
table[1:2, ..., ::3, *more] = {**a, "k": [*b], }
del (first, second)
@decorated(lambda *a, k=1, **rest: (yield))
async def walk(a, /, b: "int" = 1, *, c, d=2) -> None:
    with (open(a) as first, open(b)):
        async for part in walk(b): await part
    try:
        match part:
            case {"kind": str() as kind, **rest} | [kind, *_] if kind: global seen
            case None | -1 | Point(x=0): pass
    except* (ValueError, OSError): raise Broken from None
    return (lambda: 0) if (n := len(b)) > 1 else not -n ** 2
class Method(Base, metaclass=Meta): x: int = 0; (y): float
""".encode("utf-8", "surrogatepass")


# By version 3.11 to 3.14.
DIGESTS = [
    "2bb9e70e", "6770765c", "58b6efb3", "7ee52463", "ced8053a",
    "a7b30a87", "316ec3f6", "18ea589c", "0890f050", "758093ad",
]  # fmt: skip

HASHED = """
import ast, hashlib, json, sys
from icml2008.harness.normal import normal_form
forms = [normal_form(node) for node in ast.parse(sys.stdin.buffer.read()).body]
print(json.dumps([hashlib.sha256(form.encode()).hexdigest()[:8] for form in forms]))
"""
EXPERIMENTS = """
import json, sys
from icml2008.harness.code import code_hash, starts_of
print(json.dumps([code_hash(starts_of(*names)) for names in json.load(sys.stdin)]))
"""


def others():
    """Return Pythons of other versions that are installed here, by minor version."""
    folders = [
        *os.environ["PATH"].split(os.pathsep),
        *Path("~/.pyenv/versions").expanduser().glob("3.*/bin"),
        *Path("/opt/hostedtoolcache/Python").glob("3.*/*/bin"),
    ]
    pythons = {}
    for minor in range(11, 20):
        for folder in map(Path, folders):
            if minor not in pythons and answers(folder / f"python3.{minor}", minor):
                pythons[minor] = str(folder / f"python3.{minor}")
    pythons.pop(sys.version_info.minor, None)
    return pythons or pytest.skip("no other Python from 3.11 on is installed")


def answers(python, minor):
    """Return whether a file is a Python of this version; it may be one that only speaks of it."""
    ask = [python, "-c", "import sys; print(sys.version_info[:2])"]
    if not python.is_file():
        return False
    return subprocess.run(ask, capture_output=True, text=True).stdout.strip() == f"(3, {minor})"


def said_by(python, program, text):
    """Return what a program prints, run with the standard library alone."""
    bare = [python, "-I", "-c", f"import sys; sys.path.insert(0, {str(SOURCE)!r})\n{program}"]
    return json.loads(subprocess.run(bare, input=text, capture_output=True, check=True).stdout)


def test_a_hash_is_that_of_every_version():
    assert said_by(sys.executable, HASHED, ODD) == DIGESTS


def test_the_other_versions_that_are_here_give_the_same():
    hashes = {minor: said_by(python, HASHED, ODD) for minor, python in others().items()}
    assert hashes == dict.fromkeys(hashes, DIGESTS)


@pytest.mark.thorough
def test_the_code_of_every_experiment_is_the_same_to_the_other_versions_that_are_here():
    names = [
        (file.parent.name, experiment)
        for file in sorted(SOURCE.glob("icml2008/papers/*/experiments.py"))
        for module in file.parent.rglob("*.py")
        for experiment in re.findall(r"@experiment\(\s*\"(.+?)\"", module.read_text("utf-8"))
    ]
    asked = json.dumps(names).encode()
    hashes = said_by(sys.executable, EXPERIMENTS, asked)
    assert len(set(hashes)) > 100
    elsewhere = [said_by(python, EXPERIMENTS, asked) for python in others().values()]
    assert elsewhere == [hashes] * len(elsewhere)


def forms(text):
    return [normal_form(node) for node in ast.parse(text).body]


LONG = """
total = combine(first_of_all_the_arguments, second_of_all_the_arguments, third=third_argument[0])
words = "it is " "one " f"of {many}"  # why
if (first
        and second): result = (a + b)
"""
LAID_OUT = """
total = combine(
    first_of_all_the_arguments,
    second_of_all_the_arguments,
    third=third_argument[0],
)
words = (
    'it is one '
    f'of {many}'
)


if first and second:
    # a comment
    result = a + b
"""


def test_layout_leaves_no_trace():
    assert forms(LONG) == forms(LAID_OUT)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("f'{x}'", "f'{y}'"),
        ("f'{x}a'", "f'a{x}'"),
        ("f'{x:3}'", "f'{x:4}'"),
        ("f'{x}'", "f'{x!r}'"),
        ("f'{x}'", "'{x}'"),
        ("'1'", "1"),
        ("1", "1.0"),
        ("1", "True"),
        ("'a'", "b'a'"),
        ("a[1:]", "a[:1]"),
        ("f(a, b)", "f((a, b))"),
        ("f(*a)", "f(**a)"),
        ("f(a)", "f(a=a)"),
        ("a - (b - c)", "a - b - c"),
        ("return_(None)", "return_()"),
        ("{**a, b: c}", "{b: c, **a}"),
        ("lambda a, b=1: 0", "lambda a=1, b=1: 0"),
        ("lambda *, a, b=1: 0", "lambda *, a=1, b: 0"),
        ("from a import b", "from .a import b"),
        ("if a: b\nelse: c", "if a:\n b\n c"),
        ("x: int", "x: int = None"),
        ("a = b = c", "a = b; b = c"),
    ],
)
def test_what_runs_otherwise_reads_otherwise(text, other):
    assert forms(text) != forms(other)
