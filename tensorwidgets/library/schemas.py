"""What arguments does an operator of a program's own take? As its annotations say, or a text such as PyTorch's own.

>>> def f(x: Tensor, n: int = 2) -> Tensor: ...
>>> infer_schema(f, mutates_args=())
'(Tensor x, SymInt n=2) -> Tensor'
"""

from __future__ import annotations

import inspect
import types as python_types
import typing
from collections.abc import Callable, Iterable, Sequence
from numbers import Number
from typing import Any, NamedTuple, NoReturn

from ..engine.tensor.tensor import Tensor
from ..engine.types.device import device
from ..engine.types.dtypes import dtype

_WORDS: dict[Any, str] = {
    Tensor: "Tensor", int: "SymInt", float: "float", bool: "bool", str: "str", dtype: "ScalarType", device: "Device",
    Number: "Scalar", complex: "Scalar",
}  # fmt: skip


def _word(annotation: Any) -> str | None:
    """How a schema writes a type; None if no argument has it."""
    if annotation in _WORDS:
        return _WORDS[annotation]
    origin, parts = typing.get_origin(annotation), typing.get_args(annotation)
    if origin in (typing.Union, python_types.UnionType) and type(None) in parts and len(parts) == 2:
        inner = _word(next(part for part in parts if part is not type(None)))
        return inner and inner + "?"
    if origin in (list, Sequence) and len(parts) == 1:
        inner = _word(parts[0])
        return inner and inner + "[]"
    return None


def _result(annotation: Any) -> str | None:
    if annotation is None or annotation is type(None):
        return "()"
    if typing.get_origin(annotation) is tuple:
        words = [_word(part) for part in typing.get_args(annotation)]
        return None if None in words else f"({', '.join(map(str, words))})"
    return _word(annotation)


def infer_schema(
    prototype_function: Callable, /, *, mutates_args: str | Iterable[str], op_name: str | None = None
) -> str:
    """The schema of a function with annotations."""
    signature = inspect.signature(prototype_function)

    def refuse(what: str) -> NoReturn:
        raise ValueError(f"infer_schema(func): {what} Got func with signature {signature})")

    hints = _hints(prototype_function)
    written = [] if mutates_args == "unknown" else list(mutates_args)
    shown, keyword_only = [], False
    for place, (name, parameter) in enumerate(signature.parameters.items()):
        if parameter.kind not in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY):
            refuse("We do not support positional-only args, varargs, or varkwargs.")
        if parameter.kind is parameter.KEYWORD_ONLY and not keyword_only:
            shown.append("*")
            keyword_only = True
        if parameter.annotation is parameter.empty:
            refuse(f"Parameter {name} must have a type annotation.")
        word = _word(hints.get(name, parameter.annotation))
        if word is None:
            refuse(f"Parameter {name} has unsupported type {parameter.annotation}.")
        if (mutates_args == "unknown" or name in written) and word.startswith("Tensor"):
            word = f"Tensor(a{place}!){word[len('Tensor') :]}"
        elif name in written:
            refuse(f"Parameter {name} is in mutable_args but only Tensors or collections of Tensors can be mutated")
        default = "" if parameter.default is parameter.empty else f"={_default(parameter.default)}"
        shown.append(f"{word} {name}{default}")
    if unseen := set(written) - set(signature.parameters):
        refuse(
            f"{unseen} in mutates_args were not found in the custom op's signature. mutates_args should contain the "
            "names of all args that the custom op mutates, or just the string 'unknown' if you don't know."
        )
    returned = hints.get("return", signature.return_annotation)
    result = None if returned is signature.empty else _result(returned)
    if result is None:
        refuse("Return has unsupported type." if returned is not signature.empty else "No return type annotation.")
    return f"{op_name or ''}({', '.join(shown)}) -> {result}"


def _hints(function: Callable) -> dict[str, Any]:
    """The annotations, also those that are written as text."""
    try:
        return typing.get_type_hints(function)
    except (NameError, TypeError):
        return dict(getattr(function, "__annotations__", {}))


def _default(value: Any) -> str:
    if isinstance(value, dtype):
        return str(value).partition(".")[2]
    return f'"{value}"' if isinstance(value, (str, device)) else str(value)


class Argument(NamedTuple):
    """One argument of a schema."""

    name: str
    kind: str
    keyword_only: bool
    has_default: bool


def arguments_of(schema: str) -> list[Argument]:
    """The arguments that a schema names.

    >>> [a.name for a in arguments_of("(Tensor(a!) x, *, int[2] n=[1, 2]) -> Tensor")]
    ['x', 'n']
    """
    inside, found, keyword_only = schema.partition("->")[0].strip()[1:-1], [], False
    for part in _parts(inside):
        if part == "*":
            keyword_only = True
            continue
        said, equals, _ = part.partition("=")
        kind, _, name = said.strip().rpartition(" ")
        found.append(Argument(name, kind.strip(), keyword_only, bool(equals)))
    return found


def _parts(text: str) -> list[str]:
    """The parts between commas that are in no brackets."""
    parts, depth, begun = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == "," and not depth:
            parts.append(text[begun:place].strip())
            begun = place + 1
    last = text[begun:].strip()
    return [*parts, last] if last else parts
