"""Which expression of the user's program raised an error, and which values did its names have?

The traceback gives the innermost frame of the user's code, the expression in it that was being evaluated, and the
names in scope. Nothing is run here.
"""

from __future__ import annotations

import ast
import dis
import linecache
import re
from collections.abc import Mapping
from types import CodeType, FrameType, FunctionType, TracebackType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..errors.tracebacks import is_library_file
from ..expressions.limits import too_long
from ..interop.foreign_arrays import OURS, TORCH, is_array, library_of

if TYPE_CHECKING:
    from collections.abc import Callable


class Place(NamedTuple):
    """An expression in the user's program, with the names in scope."""

    text: str
    names: Mapping[str, Any]
    node: ast.AST
    held: Mapping[str, Any]
    """Arrays that are reached through objects, by their text: ``self.weight``, ``state["w"]``."""


def place_of(error: BaseException) -> Place | None:
    """The expression of the user's program that raised an error; None if its source is not available."""
    link = user_frame(error.__traceback__)
    if link is None:
        return None
    try:
        from executing import Source

        result = Source.executing(link)
        node = result.node
        text = result.text() if node is not None else ""
    except Exception:
        # `executing` can fail in many ways, depending on where the program runs; none of them may hide the error.
        return None
    if node is None or not text:
        return None
    names = names_in(node, link.tb_frame)
    return Place(_on_one_line(text), names, node, held_in(node, names, result.source.text))


def names_around(error: BaseException) -> dict[str, Any]:
    """All names in the scope of the user's program that raised an error, those of the function first."""
    link = user_frame(error.__traceback__)
    return {} if link is None else {**link.tb_frame.f_locals, **link.tb_frame.f_globals, **link.tb_frame.f_locals}


def _on_one_line(text: str) -> str:
    """Code that was written in several lines, in one.

    >>> _on_one_line("(x\\n    .t()\\n    + 1)")
    '(x.t() + 1)'
    """
    return " ".join(re.sub(r"\n\s*(?=\.[A-Za-z_])", "", text).split())


def user_frame(trace: TracebackType | None) -> TracebackType | None:
    """The innermost traceback entry that belongs to no library."""
    result = None
    while trace is not None:
        if not is_library_file(trace.tb_frame.f_code.co_filename):
            result = trace
        trace = trace.tb_next
    return result


def names_in(node: ast.AST, frame: FrameType) -> dict[str, Any]:
    """The names that an expression uses, with their values in a frame."""
    collected: dict[str, Any] = {}
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            if part.id in frame.f_locals:
                collected[part.id] = frame.f_locals[part.id]
            elif part.id in frame.f_globals:
                collected[part.id] = frame.f_globals[part.id]
    return collected


def held_in(node: ast.AST, names: Mapping[str, Any], source: str) -> dict[str, Any]:
    """The arrays that an expression reads from objects, looked up without running any code of those objects.

    >>> import numpy as np
    >>> text = "state['w'] @ x"
    >>> held_in(ast.parse(text, mode="eval"), {"state": {"w": np.ones(3)}}, text)
    {"state['w']": array([1., 1., 1.])}
    """
    collected: dict[str, Any] = {}
    for part in ast.walk(node):
        if isinstance(part, (ast.Attribute, ast.Subscript)):
            value = fetched(part, names)
            if is_array(value):
                collected[_on_one_line(ast.get_source_segment(source, part) or "")] = value
    return collected


def fetched(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The value of a chain of attributes and constant subscripts; None if reading it would run code."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = fetched(node.value, names)
        if is_array(owner):
            return owner.data if node.attr == "data" and library_of(owner) in (OURS, TORCH) else None
        return None if owner is None else _attribute(owner, node.attr)
    if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant):
        owner, key = fetched(node.value, names), node.slice.value
        if type(owner) is dict:
            return owner.get(key)
        if type(owner) in (list, tuple) and type(key) is int and -len(owner) <= key < len(owner):
            return owner[key]
    return None


def _attribute(owner: Any, name: str) -> Any:
    attributes = getattr(owner, "__dict__", None)
    if type(attributes) is not dict:
        return None
    # PyTorch's modules keep parameters, buffers and submodules in separate dicts.
    for values in (attributes, *(attributes.get(k) for k in ("_parameters", "_buffers", "_modules"))):
        if isinstance(values, dict) and name in values:
            return values[name]
    return next((vars(c)[name] for c in type(owner).__mro__ if is_array(vars(c).get(name))), None)


def names_for(text: str, passed: Mapping[str, Any], frame: FrameType | None) -> dict[str, Any]:
    """The names that an expression uses: those passed with it, and else those of the caller's frame."""
    result = dict(passed)
    if too_long(text) is not None:
        return result  # the evaluator refuses it without parsing it
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError, AttributeError):
        return result  # the evaluator raises the error
    if frame is not None:
        result = names_in(tree, frame) | result
    return result


def harmless(node: ast.AST) -> bool:
    """Whether an expression can be evaluated again without changes: no `_` methods, no ``out=``, no random numbers."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute):
            name = part.attr
            if name.endswith("_") or name.startswith("rand") or name in _CHANGES:
                return False
        elif isinstance(part, ast.keyword) and part.arg == "out":
            return False
        elif isinstance(part, ast.Call) and isinstance(part.func, ast.Attribute):
            function = getattr(np, part.func.attr, None)
            if isinstance(function, np.ufunc) and len(part.args) > function.nin:
                return False  # what NumPy writes to may be given by its place
    return True


_CHANGES = frozenset("bernoulli multinomial normal poisson put partition resize fill fill_diagonal".split())


class Lambda(NamedTuple):
    """The body of a lambda as text, with the names in scope."""

    text: str
    names: dict[str, Any]
    node: ast.expr


def body_of(function: Callable[..., Any]) -> Lambda | None:
    """The expression of a lambda without arguments; None if its source is not available or ambiguous."""
    if not isinstance(function, FunctionType) or function.__name__ != "<lambda>":
        return None
    code = function.__code__
    if code.co_argcount or code.co_kwonlyargcount:
        return None
    source = "".join(linecache.getlines(code.co_filename, function.__globals__))
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return None
    results = [n for n in ast.walk(tree) if isinstance(n, ast.Lambda) and n.lineno == code.co_firstlineno]
    starts = {(p.lineno, p.col_offset) for p in map(_position, dis.get_instructions(code)) if p is not None}
    inside = [n for n in results if _covers(n.body, starts)]
    if len(inside) != 1:
        return None
    text = ast.get_source_segment(source, inside[0].body)
    return None if text is None else Lambda(_on_one_line(text), visible(function), inside[0].body)


class _Start(NamedTuple):
    lineno: int
    col_offset: int


def _position(instruction: dis.Instruction) -> _Start | None:
    p = instruction.positions
    if p is None or p.lineno is None or p.col_offset is None or p.end_col_offset in (None, 0):
        return None
    return _Start(p.lineno, p.col_offset)


def _covers(body: ast.expr, starts: set[tuple[int, int]]) -> bool:
    """Whether all instructions of a lambda start within this body, and one of them at its first character."""
    first, last = (body.lineno, body.col_offset), (body.end_lineno or 0, body.end_col_offset or 0)
    return first in starts and all(first <= start < last for start in starts)


def visible(function: FunctionType) -> dict[str, Any]:
    """The global and enclosing names that a function uses, with their current values."""
    collected: dict[str, Any] = {}
    for name in _all_names(function.__code__):
        if name in function.__globals__:
            collected[name] = function.__globals__[name]
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            collected[name] = cell.cell_contents
        except ValueError:
            continue  # the name is not bound yet
    return collected


def _all_names(code: CodeType) -> set[str]:
    result = set(code.co_names)
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            result |= _all_names(inner)
    return result
