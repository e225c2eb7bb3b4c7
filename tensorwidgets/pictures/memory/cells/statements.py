"""The statements of a cell, and the cell with a call before each of its inner ones, so that each line is looked at.

Calls that are part of the code cost nothing elsewhere: functions run as fast as ever, and a debugger keeps its place.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

LOOK = "__tensorwidgets_line__"
"""The name that the cell calls, with the number of the statement, counted from 0."""

Compound = (
    ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match,
)  # fmt: skip
"""Statements whose inner lines run one by one in the cell itself, which those of definitions do not."""
Loop = (ast.For, ast.AsyncFor, ast.While)


@dataclass(frozen=True)
class Line:
    """A statement of the cell: its number and its source."""

    number: int
    source: str
    statement: ast.stmt


def lines_of(tree: ast.Module, source: str) -> list[Line]:
    """The statements of a cell, the outer ones and those inside of loops and conditions, in the order of the source.

    >>> source = "x = [\\n  1,\\n]\\nfor i in x:\\n    y = i; z = y"
    >>> [(line.number, line.source) for line in lines_of(ast.parse(source), source)]
    [(1, 'x = [1]'), (4, 'for i in x:'), (5, 'y = i'), (5, 'z = y')]
    """
    text = source.splitlines()
    lines: list[Line] = []

    def add(body: Sequence[ast.stmt]) -> None:
        starts = [statement.lineno for statement in body]
        for statement in body:
            first = min([statement.lineno, *(d.lineno for d in getattr(statement, "decorator_list", ()))])
            head = text[first - 1].strip() if first <= len(text) else ""
            several = starts.count(statement.lineno) > 1 or (statement.end_lineno or 0) > statement.lineno
            if several and not hasattr(statement, "body"):
                head = ast.unparse(statement)
            lines.append(Line(first, head, statement))
            for inner in blocks_of(statement):
                add(inner)

    add(tree.body)
    return lines


def blocks_of(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The lists of statements inside of a loop or a condition."""
    if isinstance(statement, ast.Match):
        return [case.body for case in statement.cases]
    if not isinstance(statement, Compound):
        return []
    handlers = [handler.body for handler in getattr(statement, "handlers", [])]
    parts = [
        getattr(statement, "body", []),
        *handlers,
        getattr(statement, "orelse", []),
        getattr(statement, "finalbody", []),
    ]
    return [part for part in parts if part]


def inner_lines(statement: ast.stmt) -> list[ast.stmt]:
    """All statements inside of one, and inside of these."""
    return [one for part in blocks_of(statement) for inner in part for one in (inner, *inner_lines(inner))]


def watch(statement: ast.stmt, numbers: Mapping[int, int]) -> None:
    """Puts a call before each inner statement, and one where a loop comes back to its head.

    `numbers` has the number of each statement, by its id.

    >>> source = "for i in x:\\n    y = i"
    >>> tree = ast.parse(source)
    >>> lines = lines_of(tree, source)
    >>> watch(tree.body[0], {id(line.statement): k for k, line in enumerate(lines)})
    >>> print(ast.unparse(tree).replace(LOOK, "look"))
    for i in x:
        look(1)
        y = i
        look(0)
    """

    def within(body: list[ast.stmt], loop: int | None) -> list[ast.stmt]:
        result: list[ast.stmt] = []
        for one in body:
            number = numbers[id(one)]
            result.append(_call(number, one))
            if isinstance(one, ast.Continue) and loop is not None:
                result.append(_call(loop, one))
            inside(one, number, loop)
            result.append(one)
        return result

    def inside(one: ast.stmt, number: int, loop: int | None) -> None:
        for part in blocks_of(one):
            mine = isinstance(one, Loop) and part is one.body
            last = part[-1]
            part[:] = within(part, number if mine else loop)
            if mine or isinstance(one, (ast.With, ast.AsyncWith)):
                part.append(_call(number, last))

    inside(statement, numbers[id(statement)], None)


def _call(number: int, beside: ast.stmt) -> ast.stmt:
    """`look(number)`, said to be in the line of a statement, so that tracebacks point where they should."""
    call = ast.Expr(ast.Call(ast.Name(LOOK, ast.Load()), [ast.Constant(number)], []))
    ast.copy_location(call, beside)
    for node in ast.walk(call):
        ast.copy_location(node, beside)
    return call
