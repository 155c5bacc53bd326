"""Small bugs to order: every place in a module's functions where one of a kind can be made."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Iterator
from copy import deepcopy
from dataclasses import dataclass

OPPOSITE = {ast.Add: ast.Sub, ast.Sub: ast.Add}
NEIGHBOUR = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
CONTRARY = {ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In}
EXTREMES = {
    least: most
    for pair in (("min", "max"), ("argmin", "argmax"), ("nanargmin", "nanargmax"))
    + (("minimum", "maximum"), ("nanmin", "nanmax"))
    for least, most in (pair, pair[::-1])
}
# Swapping these arguments changes nothing, or asks about a type or a name.
SYMMETRIC = (
    *("max", "min", "maximum", "minimum", "hypot", "add", "multiply", "logaddexp", "gcd"),
    *("allclose", "zip", "isinstance", "getattr", "hasattr", "setattr", "replace"),
)


@dataclass(frozen=True)
class Mutation:
    """One small bug.

    Attributes
    ----------
    line : int
        Where it is in the original source.
    statement : tuple of int
        First and last line of the statement, of a compound one without its body.
    kernel : bool
        Whether numba compiles the function.
    before, after : str
        The expression or statement, as it was and as it becomes.
    text : str
        The whole module with it.
    """

    line: int
    statement: tuple[int, int]
    kernel: bool
    before: str
    after: str
    text: str


def _is_number(node: ast.AST, *types: type) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in types


def _is_text(node: ast.AST) -> bool:
    return any(
        isinstance(part, ast.JoinedStr)
        or (isinstance(part, ast.Constant) and type(part.value) is str)
        for part in ast.walk(node)
    )


def _plus(node: ast.expr, step: int) -> ast.expr:
    if _is_number(node, int):
        return ast.Constant(node.value + step)
    return ast.BinOp(node, ast.Add() if step > 0 else ast.Sub(), ast.Constant(abs(step)))


def sign(node: ast.AST) -> ast.AST | None:
    """Turn a sum into a difference or the reverse, or leave a minus out."""
    if isinstance(node, ast.BinOp | ast.AugAssign) and type(node.op) in OPPOSITE:
        if not _is_text(node):
            node.op = OPPOSITE[type(node.op)]()
            return node
        return None
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    # A minus before a literal is an index or an axis from the end.
    return node.operand if minus and not _is_number(node.operand, int) else None


def index(node: ast.AST) -> ast.AST | None:
    """Move an index, the end of a range or slice, or a limit by one."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in NEIGHBOUR:
        node.ops[0] = NEIGHBOUR[type(node.ops[0])]()
        return node
    if isinstance(node, ast.Subscript):
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        for place, part in enumerate(parts):
            if isinstance(part, ast.Slice) and (part.upper or part.lower):
                side = "upper" if part.upper else "lower"
                setattr(part, side, _plus(getattr(part, side), -1 if part.upper else 1))
                return node
            moved = _plus(part, 1) if _is_number(part, int) else None
            if (
                isinstance(part, ast.BinOp)
                and type(part.op) in OPPOSITE
                and _is_number(part.right, int)
            ):
                moved = part.left
            if moved:
                parts[place] = moved
                node.slice = ast.Tuple(parts, ast.Load()) if len(parts) > 1 else parts[0]
                return node
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "range":
        place = min(1, len(node.args) - 1)
        node.args[place] = _plus(node.args[place], -1)
        return node
    return None


def constant(node: ast.AST) -> ast.AST | None:
    """Make a number a tenth larger: a fraction, a factor, or a count of ten and more."""
    if _is_number(node, float) and node.value:
        return ast.Constant(float(f"{1.1 * node.value:.6g}"))
    if _is_number(node, int) and node.value >= 10:
        return ast.Constant(round(1.1 * node.value))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult | ast.Div):
        for side in ("left", "right"):
            if _is_number(part := getattr(node, side), int) and 0 < part.value < 10:
                setattr(node, side, ast.Constant(float(f"{1.1 * part.value:.6g}")))
                return node
    return None


def term(node: ast.AST) -> ast.AST | None:
    """Drop the second term of a sum or the second factor of a product."""
    arithmetic = isinstance(node, ast.BinOp) and isinstance(
        node.op, ast.Add | ast.Sub | ast.Mult | ast.Div
    )
    return node.left if arithmetic and not _is_text(node) else None


def arguments(node: ast.AST) -> ast.AST | None:
    """Swap the first two arguments of a call."""
    if not isinstance(node, ast.Call) or len(node.args) < 2:
        return None
    name = getattr(node.func, "attr", getattr(node.func, "id", ""))
    first, second = node.args[:2]
    if name in (*SYMMETRIC, "range") or isinstance(first, ast.Starred):
        return None
    if isinstance(second, ast.Starred):
        return None
    node.args[:2] = [second, first]
    return node


def setting(node: ast.AST) -> ast.AST | None:
    """Take the worst for the best, the other of two cases, or a measurement for another."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in CONTRARY:
        node.ops[0] = CONTRARY[type(node.ops[0])]()
        return node
    if isinstance(node, ast.IfExp):
        node.body, node.orelse = node.orelse, node.body
        return node
    if not isinstance(node, ast.Call):
        return None
    attribute = "id" if isinstance(node.func, ast.Name) else "attr"
    name = getattr(node.func, attribute, "")
    if name in EXTREMES:
        setattr(node.func, attribute, EXTREMES[name])
        return node
    metrics = [keyword for keyword in node.keywords if keyword.arg not in (None, "n_test")]
    if name == "measure" and len(metrics) > 1:
        first, second = metrics[:2]
        first.value, second.value = second.value, first.value
        return node
    return None


KINDS: dict[str, Callable[[ast.AST], ast.AST | None]] = {
    "sign": sign,
    "index off by one": index,
    "constant 10 % off": constant,
    "dropped term": term,
    "swapped arguments": arguments,
}
# Of the wiring of a trial: not among those by which `check` is tried.
WIRING = {**KINDS, "wrong setting": setting}


class _Mutator(ast.NodeTransformer):
    """Applies a kind of bug at one of its places, or counts them.

    Only bodies of functions are visited; annotations and messages are left alone.
    """

    def __init__(self, kind: str, lines: Collection[int], number: int = -1) -> None:
        self.make = WIRING[kind]
        self.lines = lines
        self.number = number
        self.seen = 0
        self.made: tuple[int, tuple[int, int], bool, str, str] | None = None
        self.inside = self.kernel = self.runs = False
        self.statement = 0, 0

    def visit(self, node: ast.AST) -> ast.AST:
        if isinstance(node, ast.Raise | ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom):
            return node
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            before = self.inside, self.kernel
            compiled = any("njit" in ast.unparse(decorator) for decorator in node.decorator_list)
            self.inside = True
            self.kernel = self.kernel or compiled
            node.body = [self.visit(part) for part in node.body]
            self.inside, self.kernel = before
            return node
        if isinstance(node, ast.stmt):
            body = getattr(node, "body", None)
            end = max(node.lineno, body[0].lineno - 1) if body else node.end_lineno
            self.statement = node.lineno, end
            self.runs = not self.lines.isdisjoint(range(node.lineno, end + 1))
        if isinstance(node, ast.AnnAssign):
            node.value = node.value and self.visit(node.value)
            return node
        if self.inside and self.runs and not self.made:
            before = ast.unparse(node) if isinstance(node, ast.expr | ast.AugAssign) else ""
            changed = self.make(deepcopy(node)) if before else None
            if changed is not None and (after := ast.unparse(changed)) != before:
                self.seen += 1
                if self.seen - 1 == self.number:
                    self.made = node.lineno, self.statement, self.kernel, before, after
                    return changed
        return self.generic_visit(node)


def count(source: str, kind: str, lines: Collection[int]) -> int:
    """Return how many bugs of a kind can be made in statements that run, by their lines."""
    mutator = _Mutator(kind, frozenset(lines))
    mutator.visit(ast.parse(source))
    return mutator.seen


def mutation(source: str, kind: str, lines: Collection[int], place: int) -> Mutation:
    """Return one of them."""
    tree = ast.parse(source)
    mutator = _Mutator(kind, frozenset(lines), place)
    mutator.visit(tree)
    return Mutation(*mutator.made, ast.unparse(ast.fix_missing_locations(tree)) + "\n")


def code_lines(code) -> Iterator[int]:
    """Yield the lines of a code object and of those inside it."""
    yield from (line for _, _, line in code.co_lines() if line is not None)
    for part in code.co_consts:
        if hasattr(part, "co_lines"):
            yield from code_lines(part)
