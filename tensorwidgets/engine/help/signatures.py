"""The typed signatures of each op, derived from its row.

Help, stubs and the catalogue use them. A row declares its signature in one of three ways: by the annotations of its
rule or function, by a text in `signature`, or by `arguments.Signatures` in PyTorch's notation. The name of a parameter
determines its type where the row gives none.

>>> from tensorwidgets.engine import OPS
>>> shown(OPS["narrow"])
<Signature (input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor>
>>> for way in ways(OPS["max"], method=True):
...     print(way)
(self) -> Tensor
(self, dim: int, keepdim: bool = False) -> return_types.max
(self, other: Tensor) -> Tensor
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from inspect import Parameter, Signature
from typing import Any

from ..dispatch.registry import OPS, Op
from ..dispatch.stations import VIEWS
from . import signature_facts as facts

_CATCH_ALL = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)


class Words(str):
    """A type or a default whose repr has no quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def parsed(text: str) -> Signature:
    """Parse a signature.

    >>> parsed("(input, dim: int = 0, *, out=None) -> Tensor")
    <Signature (input, dim: int = 0, *, out=None) -> Tensor>
    """
    (function,) = ast.parse(f"def f{text}: ...").body
    assert isinstance(function, ast.FunctionDef)
    given = function.args
    positional = [*given.posonlyargs, *given.args]
    absent: list[Any] = [None] * (len(positional) - len(given.defaults))
    kind = Parameter.POSITIONAL_OR_KEYWORD
    results = [_parameter(a, kind, d) for a, d in zip(positional, [*absent, *given.defaults], strict=True)]
    if given.vararg is not None:
        results.append(_parameter(given.vararg, Parameter.VAR_POSITIONAL, None))
    results += [
        _parameter(a, Parameter.KEYWORD_ONLY, d) for a, d in zip(given.kwonlyargs, given.kw_defaults, strict=True)
    ]
    if given.kwarg is not None:
        results.append(_parameter(given.kwarg, Parameter.VAR_KEYWORD, None))
    returns = Signature.empty if function.returns is None else Words(ast.unparse(function.returns))
    return Signature(results, return_annotation=returns)


def _parameter(argument: ast.arg, kind: Any, default: ast.expr | None) -> Parameter:
    annotation = Parameter.empty if argument.annotation is None else Words(ast.unparse(argument.annotation))
    value: Any = Parameter.empty
    if default is not None:
        try:
            value = ast.literal_eval(default)
        except ValueError:
            value = Words(ast.unparse(default))
    return Parameter(argument.arg, kind, default=value, annotation=annotation)


# -- what a row declares -----------------------------------------------------------------------------------------


@cache
def ways(op: Op, method: bool = False) -> tuple[Signature, ...]:
    """Returns all signatures of an op, as a function or as a method."""
    if method and op.name in facts.METHOD_WAYS:
        return tuple([_typed(op, parsed(text)) for text in facts.METHOD_WAYS[op.name]])
    results = [_typed(op, each) for each in _declared(op)]
    return tuple([as_method(each) for each in results] if method else results)


@cache
def shown(op: Op, method: bool = False) -> Signature:
    """Returns the signature that help shows: the only one, or one that covers all of them."""
    if op.name in facts.WAYS and isinstance(op.signature, str) and op.signature:
        results = dict.fromkeys(str(way.return_annotation) for way in ways(op, method))
        result = _typed(op, parsed(op.signature)).replace(return_annotation=Words(" | ".join(results)))
        return as_method(result) if method else result
    return ways(op, method)[0]


def _declared(op: Op) -> list[Signature]:
    if op.name in facts.WAYS:
        return [parsed(text) for text in facts.WAYS[op.name]]
    if op.family == "inplace" and op.name[:-1] in OPS:
        return [_without(each, "out") for each in _declared(OPS[op.name[:-1]])]
    if hasattr(op.signature, "all"):
        annotation = getattr(op.kernel, "__annotations__", {}).get("return", "")
        returned = Words(annotation) if annotation in facts.NOT_TENSORS else Signature.empty
        return [_from_pytorch(each).replace(return_annotation=returned) for each in op.signature.all]
    function = _of_rule(op, op.rule) if op.family in VIEWS and callable(op.rule) else inspect.signature(op.plain)
    if op.signature and any(p.kind in _CATCH_ALL for p in function.parameters.values()):
        return [parsed(op.signature)]
    return [function]


def _of_rule(op: Op, rule: Callable) -> Signature:
    """Returns the signature of a rule, without the dtype that typed rules take from the tensor."""
    result = inspect.signature(rule)
    first, *rest = result.parameters.values()
    return result.replace(parameters=[first, *rest[1:]]) if op.typed else result


def _from_pytorch(declared: Any) -> Signature:
    """Convert a signature in PyTorch's notation, as parsed by `arguments`."""
    results = []
    for p, text in zip(declared.parameters, _without_star(declared.text), strict=True):
        annotation = facts.PYTORCH_KINDS[p.kind]
        default = text.partition(" = ")[2]
        if default == "None":
            annotation = f"{annotation} | None"
        results.append(
            Parameter(
                "input" if p.name == "self" else p.name,
                Parameter.KEYWORD_ONLY if p.keyword_only else Parameter.POSITIONAL_OR_KEYWORD,
                default=ast.literal_eval(default) if default else Parameter.empty,
                annotation=Words(annotation),
            )
        )
    if declared.spreads:
        place = int(declared.parameters[0].name == "self")
        results[place] = Parameter(results[place].name, Parameter.VAR_POSITIONAL, annotation=Words("int"))
    return Signature(results)


def _without_star(text: str) -> list[str]:
    return [part for part in text.split(", ") if part != "*"]


# -- types -------------------------------------------------------------------------------------------------------


def _typed(op: Op, value: Signature) -> Signature:
    """Add a type to every parameter, and drop parameters that are internal to the engine."""
    kept: list[Parameter] = []
    for place, p in enumerate(value.parameters.values()):
        if p.kind is Parameter.VAR_KEYWORD:
            kept += parsed(facts.OPTIONS).parameters.values() if p.name == "options" else []
            continue
        if place and p.kind is Parameter.POSITIONAL_OR_KEYWORD and kept[-1].kind is Parameter.VAR_POSITIONAL:
            p = p.replace(kind=Parameter.KEYWORD_ONLY)
        default = p.default if p.default is Parameter.empty or _is_plain(p.default) else Words(repr(p.default))
        kept.append(p.replace(annotation=Words(_type_of(op, p, place)), default=default))
    returned = _returned(op, value)
    if returned.startswith(("tuple", "return_types")):
        several = Words("tuple[Tensor, ...] | None")
        kept = [p.replace(annotation=several) if p.name == "out" else p for p in kept]
    return Signature(kept, return_annotation=Words(returned))


def _is_plain(default: Any) -> bool:
    return isinstance(default, (int, float, complex, str, tuple, type(None)))


def _type_of(op: Op, p: Parameter, place: int) -> str:
    result = _named_type(op, p, place)
    if result == "int" and isinstance(p.default, tuple):
        result = facts.DIMS
    if isinstance(p.default, str) and "str" not in result:
        result += " | str"
    return f"{result} | None" if p.default is None and "None" not in result and result != "Any" else result


def _named_type(op: Op, p: Parameter, place: int) -> str:
    """Returns the declared type of a parameter, or the type for its name."""
    known = facts.TYPES_IN_OP.get(f"{op.name}.{p.name}")
    if known is not None:
        return known
    written = "" if p.annotation is Parameter.empty else str(p.annotation)
    if written not in ("", "Any", "Geometry"):
        return written
    if p.name in ("input", "other") and _takes_numbers(op, p.name):
        return "Tensor | Number"
    by_default = type(p.default).__name__ if type(p.default) in (bool, int, float, str) else "Any"
    return facts.TYPES.get(p.name, by_default)


def _takes_numbers(op: Op, name: str) -> bool:
    """Returns whether a row accepts a Python number for this operand."""
    if op.family == "inplace" and name == "input" or "other" not in _declared(op)[0].parameters:
        return False
    return getattr(op.rule, "numbers", "none") in ("both", name)


def _returned(op: Op, value: Signature) -> str:
    written = "" if value.return_annotation is Signature.empty else str(value.return_annotation)
    if written == facts.PIECES:
        return "tuple[Tensor, ...]"
    if written in ("", "Any", "Result"):
        name = op.name.replace(".", "_")
        return f"return_types.{name}" if name in facts.RESULTS else "Tensor"
    return written


# -- overloads ---------------------------------------------------------------------------------------------------


def spread(value: Iterable[Signature]) -> list[Signature]:
    """Add an overload for sizes that are given as one sequence instead of one by one.

    >>> spread([parsed("(*size: int)")])
    [<Signature (*size: int)>, <Signature (size: Sequence[int])>]
    """
    result = []
    for each in value:
        result.append(each)
        parameters = list(each.parameters.values())
        for i, p in enumerate(parameters):
            if p.kind is Parameter.VAR_POSITIONAL:
                listed = Words(f"Sequence[{p.annotation}]")
                one = Parameter(p.name, Parameter.POSITIONAL_OR_KEYWORD, annotation=listed)
                result.append(each.replace(parameters=[*parameters[:i], one, *parameters[i + 1 :]]))
    return result


def told_apart(value: Sequence[Signature]) -> list[Signature]:
    """Drop overloads that another one covers, which a type checker would never reach.

    >>> told_apart([parsed("(x: int)"), parsed("(x: int | str, y: int = 0)")])
    [<Signature (x: int | str, y: int = 0)>]
    """
    kept: list[Signature] = []
    for i, each in enumerate(value):
        if not any(takes_in(other, each) for other in [*kept, *value[i + 1 :]]):
            kept.append(each)
    return kept


def takes_in(wide: Signature, narrow: Signature) -> bool:
    """Returns whether every call that `narrow` accepts is accepted by `wide`, with the same result type."""
    if wide.return_annotation != narrow.return_annotation:
        return False
    places = list(wide.parameters)
    for place, p in enumerate(narrow.parameters.values()):
        other = wide.parameters.get(p.name)
        if other is None or (p.kind is Parameter.VAR_POSITIONAL) != (other.kind is Parameter.VAR_POSITIONAL):
            return False
        by_place = p.kind is Parameter.POSITIONAL_OR_KEYWORD
        if by_place and (other.kind is not p.kind or places[place] != p.name):
            return False
        if _is_needed(other) and not _is_needed(p):
            return False
        if not set(str(p.annotation).split(" | ")) <= set(str(other.annotation).split(" | ")):
            return False
    return not any(_is_needed(p) for p in wide.parameters.values() if p.name not in narrow.parameters)


def _is_needed(p: Parameter) -> bool:
    return p.default is Parameter.empty and p.kind not in _CATCH_ALL


def as_method(value: Signature) -> Signature:
    """Convert to the signature of a method: `self` comes first, and there is no ``out=``.

    >>> as_method(parsed("(input, dim=0, *, out=None)"))
    <Signature (self, dim=0)>
    """
    first, *rest = _without(value, "out").parameters.values()
    return value.replace(parameters=[Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *rest])


def _without(value: Signature, name: str) -> Signature:
    return value.replace(parameters=[p for p in value.parameters.values() if p.name != name])


# -- functions without a row -------------------------------------------------------------------------------------


@cache
def of_function(function: Callable) -> Signature:
    """Returns the signature of a function without a row, with its annotations as written.

    >>> of_function(parsed)
    <Signature (text: str) -> Signature>
    """
    result = inspect.Signature.from_callable(getattr(function, "__wrapped__", function))
    parameters = [
        p.replace(annotation=_as_words(p.annotation), default=p.default if _is_plain(p.default) else _shown_default(p))
        for p in result.parameters.values()
    ]
    return result.replace(parameters=parameters, return_annotation=_as_words(result.return_annotation))


def _as_words(annotation: Any) -> Any:
    return Words(annotation) if isinstance(annotation, str) else annotation


def _shown_default(p: Parameter) -> Any:
    return p.default if p.default is Parameter.empty else Words(repr(p.default))
