"""Source code reads: one assignment a line, and names that say what a thing is."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
# Words of a sentence: none of them says what it stands for.
NO_NAMES = {"one", "some", "found", "said", "told", "so", "stored", "wanted", "manieth"}
# Packages whose names were chosen before there was this test; whoever is done takes it out.
NOT_YET = ()


def packed(node):
    """Return whether a statement gives several values to several names, other than a swap."""
    return isinstance(node, ast.Assign) and any(
        isinstance(target, ast.Tuple | ast.List)
        and isinstance(node.value, ast.Tuple)
        and sorted(map(ast.unparse, target.elts)) != sorted(map(ast.unparse, node.value.elts))
        for target in node.targets
    )


def bad_name(node):
    """Return whether a variable or an argument is called by a word of a sentence."""
    if isinstance(node, ast.arg):
        return node.arg in NO_NAMES
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in NO_NAMES


def places(text, fault):
    """Return the lines of a module at which a fault is."""
    return sorted({node.lineno for node in ast.walk(ast.parse(text)) if fault(node)})


def code():
    """Yield each module of the repository, by its path from the root."""
    for folder in ("src", "tests", "benchmarks"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            yield file.relative_to(ROOT).as_posix(), file.read_text("utf-8")


@pytest.mark.parametrize(
    ("text", "is_packed"),
    [
        ("a, b = 1, 2", True),
        ("a, b = (1, *c)", True),
        ("(a, b), c = f(), g()", True),
        ("a, b = b, a", False),
        ("a[i], a[j] = a[j], a[i]", False),
        ("a, *b = f()", False),
        ("*a, b = [*c, d]", False),
        ("a = 1, 2", False),
        ("for a, b in (1, 2), (3, 4): pass", False),
    ],
)
def test_a_swap_and_the_unpacking_of_one_value_may_stand_in_a_line(text, is_packed):
    assert bool(places(text, packed)) == is_packed


@pytest.mark.parametrize("text", ["one = 1", "[f(some) for some in x]", "lambda said: 0"])
def test_words_are_seen_wherever_a_name_is_bound(text):
    assert places(text, bad_name) == [1]


def test_each_assignment_has_a_line():
    faults = [f"{path}:{line}" for path, text in code() for line in places(text, packed)]
    assert not faults, f"give each name its own line: {', '.join(faults)}"


def test_names_say_what_a_thing_is():
    faults = [
        f"{path}:{line}"
        for path, text in code()
        if not path.startswith(NOT_YET)
        for line in places(text, bad_name)
    ]
    assert not faults, f"call it by a noun, none of {sorted(NO_NAMES)}: {', '.join(faults)}"


def test_a_package_that_is_done_is_not_excepted():
    late = {path for path, text in code() if places(text, bad_name)}
    done = [part for part in NOT_YET if not any(path.startswith(part) for path in late)]
    assert not done, f"no name is left to change: take out of NOT_YET {', '.join(done)}"
