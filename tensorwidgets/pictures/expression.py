"""An expression taken apart into its steps: `x.t()[1:].reshape(-1)` is x, .t(), [1:], .reshape(-1).

Each step is evaluated once, on what the step before it gave. A step that raises is kept with its exception, and nothing
after it is tried.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

_HOLE = "_the_step_before"


@dataclass(frozen=True)
class Step:
    """One step: the source so far, the source that it adds, and what it gave."""

    before: str
    code: str
    value: Any = None
    error: Exception | None = None
    method: str = ""
    again: Any = None
    """The step as compiled code with a hole, so that it can be asked what it does to other values."""

    @property
    def source(self) -> str:
        return self.code.replace("…", self.before) if "…" in self.code and self.before else self.before + self.code


def steps_of(source: str, names: Mapping[str, Any]) -> list[Step]:
    """The steps of an expression, evaluated.

    >>> [(s.code, s.value) for s in steps_of("word.upper()[1:]", {"word": "abc"})]
    [('word', 'abc'), ('.upper()', 'ABC'), ('[1:]', 'BC')]
    """
    try:
        tree = ast.parse(source.strip(), mode="eval").body
    except SyntaxError as wrong:
        raise ValueError(
            f"show.steps takes one expression, such as 'x.t()[1:]', and this is none: {source!r}"
        ) from wrong
    spine = [tree]
    while (inner := _inner(spine[-1], names)) is not None:
        spine.append(inner)
    steps: list[Step] = []
    space = dict(names)
    for node in reversed(spine):
        inner = _inner(node, names)
        code, method, compiled = _step(node, inner)
        if inner is None and node is not tree and not isinstance(node, (ast.Name, ast.Call)):
            code = f"({code})"
        before = steps[-1].source if steps else ""
        if isinstance(inner, (ast.BinOp, ast.UnaryOp, ast.Compare)):
            before = f"({before})"
        try:
            space[_HOLE] = steps[-1].value if steps else None
            value = eval(compiled, space)
        except Exception as error:
            steps.append(Step(before, code, error=error, method=method, again=compiled))
            break
        steps.append(Step(before, code, value, method=method, again=compiled))
    return steps


def redo(step: Step, value: Any, names: Mapping[str, Any]) -> Any:
    """The same step on another value."""
    return eval(step.again, {**names, _HOLE: value})


def _inner(node: ast.expr, names: Mapping[str, Any]) -> ast.expr | None:
    """The expression that a step is taken on: what stands before a dot, a bracket or an operator, or a function's
    first argument."""
    if isinstance(node, ast.Subscript):
        return node.value
    if isinstance(node, ast.Attribute):
        return None if _is_module(node.value, names) else node.value
    found: ast.expr | None = None
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not _is_module(node.func.value, names):
            return node.func.value
        found = node.args[0] if node.args else None
    elif isinstance(node, (ast.BinOp, ast.Compare)):
        found = node.left
    elif isinstance(node, ast.UnaryOp):
        found = node.operand
    # A call that makes an array, such as zeros((2, 3)), has nothing to be taken on.
    taken = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp)
    return found if isinstance(found, taken) and not _is_module(found, names) else None


def _is_module(node: ast.expr, names: Mapping[str, Any]) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and type(names.get(node.id)).__name__ == "module"


def _step(node: ast.expr, inner: ast.expr | None) -> tuple[str, str, Any]:
    """A step's own source, the name of what it calls, and its code with a hole for what came before."""
    if inner is None:
        return ast.unparse(node), "", compile(ast.Expression(node), "<steps>", "eval")
    chained = isinstance(node, (ast.Subscript, ast.Attribute)) or (
        isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.value is inner
    )
    text = ast.unparse(_with(node, inner, "_" if chained else "…"))[chained:]
    compiled = compile(ast.Expression(_with(node, inner, _HOLE)), "<steps>", "eval")
    called = node.func if isinstance(node, ast.Call) else node
    method = "[]" if isinstance(called, ast.Subscript) else getattr(called, "attr", getattr(called, "id", ""))
    return text, method, compiled


def _with(node: ast.expr, inner: ast.expr, name: str) -> ast.expr:
    """A copy of the node with a name where the inner expression stood."""

    return copy.deepcopy(node, {id(inner): ast.copy_location(ast.Name(name, ast.Load()), inner)})
