"""Why a function of PyTorch's own Python code failed: this engine's function of that name is called in its place.

`F.cross_entropy(input, target)` or a layer's `F.linear(input, self.weight)` fails in a frame of PyTorch, whose names
have the operands. Their mirrors go through this engine's function, and if that refuses them with the same message, its
reason is the one.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator, Mapping
from types import FrameType, TracebackType
from typing import Any

from ..dispatch.registry import OPS
from ..errors.reasons import Reason
from ..errors.tracebacks import is_library_file
from ..interop.foreign_arrays import OURS, is_array, library_of
from .frames import fetched
from .mirrors import flat, mirrored_call

DEEPEST = 6
"""How many frames are tried, from the innermost one."""

SWITCHES = ("dropout", "dropout_p", "p")
"""Arguments that say how much is drawn at random, which the mirrors do without."""


def reason_of_call(error: BaseException) -> Reason | None:
    """This engine's reason for an error that a frame of PyTorch raised; None if it has none that says the same."""
    for number, link in enumerate(_library_links(error.__traceback__)):
        if number == DEEPEST or not isinstance(error, Exception):
            break
        for name, args, kwargs in (*_called_in(link), *_call_of(link.tb_frame)):
            if any(map(_would_run, flat((*args, *kwargs.values())))):
                continue
            for op in (OPS.get(f"nn.functional.{name}"), OPS.get(name)):
                reason = mirrored_call(error, op.function, args, kwargs) if op is not None else None
                if reason is not None:
                    return reason
    return None


def _would_run(value: Any) -> bool:
    """Whether to give this to a function would change it, or run code of the program once more."""
    if library_of(value) is not None:
        return library_of(value) == OURS  # of which no mirror is made
    return callable(value) and not isinstance(value, type) or hasattr(value, "__next__")


def _library_links(trace: TracebackType | None) -> list[TracebackType]:
    """The last entry of a traceback in the user's own code, and those of libraries below it; the innermost first."""
    links: list[TracebackType] = []
    while trace is not None:
        links = [trace, *links] if is_library_file(trace.tb_frame.f_code.co_filename) else [trace]
        trace = trace.tb_next
    return links


def _called_in(link: TracebackType) -> Iterator[tuple[str, tuple, dict[str, Any]]]:
    """The call that failed in a frame, if all of its arguments can be read without running code."""
    try:
        from executing import Source

        node: Any = Source.executing(link).node
    except Exception:  # `executing` can fail in many ways, and none of them may hide the error
        return
    if not isinstance(node, ast.Call) or not isinstance(node.func, (ast.Attribute, ast.Name)):
        return
    name = node.func.attr if isinstance(node.func, ast.Attribute) else node.func.id
    names = {**link.tb_frame.f_globals, **link.tb_frame.f_locals}
    values = [*node.args, *(keyword.value for keyword in node.keywords)]
    if all(_is_read(part, names) for part in values) and all(keyword.arg for keyword in node.keywords):
        owner = fetched(node.func.value, names) if isinstance(node.func, ast.Attribute) else None
        args = (*((owner,) if is_array(owner) else ()), *(_value(part, names) for part in node.args))
        yield name, args, {str(k.arg): _value(k.value, names) for k in node.keywords}


def _is_read(node: ast.expr, names: Mapping[str, Any]) -> bool:
    known = isinstance(node, (ast.Constant, ast.Name, ast.Attribute)) or _is_number(node)
    return known or _value(node, names) is not None


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:
    if isinstance(node, (ast.Tuple, ast.List)) and all(_is_read(part, names) for part in node.elts):
        return [_value(part, names) for part in node.elts]
    if _is_number(node):
        return ast.literal_eval(node) if not isinstance(node, ast.Call) else float(ast.literal_eval(node.args[0]))
    return node.value if isinstance(node, ast.Constant) else fetched(node, names)


def _is_number(node: ast.expr) -> bool:
    """Whether this is written as a number: ``-1e9``, ``float("inf")``."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant)
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id != "float":
        return False
    return len(node.args) == 1 and getattr(node.args[0], "value", None) in ("inf", "-inf", "nan")


def _call_of(frame: FrameType) -> Iterator[tuple[str, tuple, dict[str, Any]]]:
    """The call that made a frame: the function's name, and its arguments as they are now."""
    code = frame.f_code
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        return
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    if "self" not in names and all(name in frame.f_locals for name in names):
        given = {name: frame.f_locals[name] for name in names}
        yield code.co_name, (), given | {name: 0.0 for name in SWITCHES if isinstance(given.get(name), float)}
