"""The typed signatures of each op, derived from its row.

Help, stubs and the catalogue use them. They are read from PyTorch's notation of the op; for an op that PyTorch does not
have, or has written in Python, from the annotations of its rule or function. The name of a parameter determines its
type if neither gives one.

>>> from tensorwidgets.engine import OPS
>>> shown(OPS["narrow"])
<Signature (input: Tensor, dim: int, start: int | Tensor, length: int) -> Tensor>
>>> for way in ways(OPS["max"], method=True):
...     print(way)
(self) -> Tensor
(self, other: Tensor) -> Tensor
(self, dim: int, keepdim: bool = False) -> return_types.max
"""

from __future__ import annotations

import ast
import inspect
from ast import literal_eval
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from inspect import Parameter, Signature
from keyword import iskeyword
from typing import Any

from ..calling.notation import IN_PYTHON, Notation, notation, texts_of_op, torch_signatures
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


# -- the ways to call an op ---------------------------------------------------------------------------------------


@cache
def ways(op: Op, method: bool = False) -> tuple[Signature, ...]:
    """Returns all signatures of an op, as a function or as a method."""
    return tuple([_typed(op, each) for each in merged(_declared(op, method))])


@cache
def shown(op: Op, method: bool = False) -> Signature:
    """Returns the signature that help shows: the only one, or one that covers all of them."""
    return covering(ways(op, method))


def _declared(op: Op, method: bool) -> list[Signature]:
    if op.name in facts.WAYS:
        results = [parsed(text) for text in facts.WAYS[op.name]]
        return [as_method(each) for each in results] if method else results
    texts = texts_of_op(op.name, True) if method else ()
    if texts:
        notations = [notation(text, op.name) for text in texts]
        return [_from_notation(op, each, True) for each in notations]
    if op.family == "inplace" and not op.notations.all and op.name[:-1] in OPS:
        results = [_without_out(each) for each in _declared(OPS[op.name[:-1]], False)]
    elif op.notations.all:
        results = [_from_notation(op, each, False) for each in op.notations.all]
    else:
        written = torch_signatures().get(f"Tensor.{op.name}" if method else op.name, ("",))[0]
        own = _of_rule(op, op.rule) if op.kernel is None and callable(op.rule) else inspect.signature(op.plain)
        if not written.startswith(IN_PYTHON) or "*args" in written:
            results = [own]
        else:
            results = [_from_python(parsed(written.removeprefix(IN_PYTHON)), own)]
            method = False
    return [as_method(each) for each in results] if method else results


def _runs(op: Op) -> bool:
    """Returns whether a row's kernel returns what a call returns, rather than filling arrays."""
    return op.rule is None or op.family in VIEWS or op.decided_by == "values"


def _of_rule(op: Op, rule: Callable) -> Signature:
    """Returns the signature of a rule, without the dtype that typed rules take from the tensor."""
    result = inspect.signature(rule)
    first, *rest = result.parameters.values()
    return result.replace(parameters=[first, *rest[1:]]) if op.typed else result


def _from_python(written: Signature, own: Signature) -> Signature:
    """The names and defaults of PyTorch's function in Python, with the types of ours."""
    types = {name: p.annotation for name, p in own.parameters.items()}
    parameters = [p.replace(annotation=types.get(p.name, Parameter.empty)) for p in written.parameters.values()]
    return Signature(parameters, return_annotation=own.return_annotation)


def _from_notation(op: Op, way: Notation, method: bool) -> Signature:
    """Convert PyTorch's notation."""
    results = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD)] if method else []
    for p in way.parameters:
        if p.name == "out_dtype":
            continue
        kind = Parameter.KEYWORD_ONLY if p.keyword_only else Parameter.POSITIONAL_OR_KEYWORD
        annotation = "Tensor" if p.name == "out" and p.shown == "Tensor" else facts.PYTORCH_TYPES[p.kind]
        several = p.shown == "tuple of ints"
        if several and (p.least or way.spreads):
            annotation = facts.DIMS
        if several and way.spreads and not p.least and not p.optional:
            results.append(Parameter(p.name, Parameter.VAR_POSITIONAL, annotation=Words("int")))
            continue
        default = _default(p.default) if p.optional else Parameter.empty
        if p.takes_none and annotation != "Any" and default in (None, Parameter.empty):
            annotation += " | None"
        name = "input" if p.name == "self" else f"{p.name}_" if iskeyword(p.name) else p.name
        results.append(Parameter(name, kind, default=default, annotation=Words(annotation)))
    return Signature(results, return_annotation=Words(_result_of(op, way)))


def _default(text: str) -> Any:
    """A default in PyTorch's notation, as Python's value.

    >>> _default("{0,1}"), _default("0.5"), _default("contiguous_format")
    ((0, 1), 0.5, torch.contiguous_format)
    """
    try:
        return literal_eval(text.replace("{", "(").replace("}", ",)") if text != "{}" else "()")
    except (ValueError, SyntaxError):
        return Words(f"torch.{text.removeprefix('torch.')}")


def _result_of(op: Op, way: Notation) -> str:
    """The type of the result, which PyTorch's notation leaves out."""
    names = {p.name for p in way.parameters} - {"input", "self", "out"}
    if op.name in facts.RETURNS:
        return next(text for wanted, text in facts.RETURNS[op.name] if names.issuperset(wanted))
    for function in (op.rule if op.kernel is None else None, op.kernel if _runs(op) else None, op.plain):
        written = getattr(function, "__annotations__", {}).get("return", "")
        if written in (*facts.NOT_TENSORS, facts.PIECES) or written.startswith("tuple[Tensor"):
            return written
    return ""


def merged(value: Iterable[Signature]) -> list[Signature]:
    """Join signatures that differ only in types, and drop those that another one covers.

    >>> merged([parsed("(x, y: Tensor, *, out=None)"), parsed("(x, y: Number)"), parsed("(x)")])
    [<Signature (x, y: Tensor | Number, *, out=None)>, <Signature (x)>]
    """
    results: list[Signature] = []
    for each in value:
        for i, other in enumerate(results):
            joined = _joined(other, each)
            if joined is not None:
                results[i] = joined
                break
        else:
            results.append(each)
    return told_apart(results)


def _joined(a: Signature, b: Signature) -> Signature | None:
    """One signature for two that differ only in types and `out`."""
    ours, theirs = dict(a.parameters), dict(b.parameters)
    if "out" not in theirs:
        theirs |= {"out": ours["out"]} if "out" in ours else {}
    if list(ours) != list(theirs) or a.return_annotation != b.return_annotation:
        return None
    for name, p in ours.items():
        other = theirs[name]
        if p.kind is not other.kind or p.kind is Parameter.VAR_POSITIONAL:
            return None
        if p.default != other.default and Parameter.empty not in (p.default, other.default):
            return None
        default = other.default if p.default is Parameter.empty else p.default
        ours[name] = p.replace(annotation=_either(p.annotation, other.annotation), default=default)
    return a.replace(parameters=list(ours.values()))


def _either(a: Any, b: Any) -> Any:
    if Parameter.empty in (a, b):
        return Parameter.empty
    parts = set(f"{a} | {b}".split(" | "))
    return a if a == b else Words(" | ".join(sorted(parts, key=lambda text: (facts.ORDER.find(f"{text} "), text))))


def covering(value: Sequence[Signature]) -> Signature:
    """One signature that takes the calls of all: the longest one, with the other parameters as keywords.

    >>> covering([parsed("(end)"), parsed("(start, end, step=1)")])
    <Signature (start=None, end=None, step=1)>
    >>> covering([parsed("(x)"), parsed("(x, dim, *, out=None)"), parsed("(x, other)")])
    <Signature (x, dim=None, *, other=None, out=None)>
    """
    if len(value) == 1:
        return value[0]
    longest = max(value, key=lambda way: (_spreads(way), len(way.parameters)))
    kept: list[Parameter] = []
    for p in longest.parameters.values():
        needed = all(p.name in way.parameters for way in value)
        after_default = kept and kept[-1].kind is p.kind and kept[-1].default is not Parameter.empty
        if _is_needed(p) and (not needed or after_default and p.kind is Parameter.POSITIONAL_OR_KEYWORD):
            p = p.replace(default=None, annotation=_either(p.annotation, "None"))
        kept.append(p)
    more = {name: p for way in value for name, p in way.parameters.items() if name not in longest.parameters}
    keywords = [_as_keyword(p) for p in more.values()]
    at = sum(p.kind is not Parameter.KEYWORD_ONLY for p in kept)
    results = dict.fromkeys(str(way.return_annotation) for way in value)
    returned = Words(" | ".join(results)) if len(results) > 1 else longest.return_annotation
    return longest.replace(parameters=[*kept[:at], *keywords, *kept[at:]], return_annotation=returned)


def _as_keyword(p: Parameter) -> Parameter:
    if _is_needed(p):
        p = p.replace(default=None, annotation=_either(p.annotation, "None"))
    return p.replace(kind=Parameter.KEYWORD_ONLY)


def _spreads(way: Signature) -> bool:
    return any(p.kind is Parameter.VAR_POSITIONAL for p in way.parameters.values())


# -- types -------------------------------------------------------------------------------------------------------


def _typed(op: Op, value: Signature) -> Signature:
    """Add a type to every parameter, and drop parameters that are internal to the engine."""
    kept: list[Parameter] = []
    for place, p in enumerate(value.parameters.values()):
        if p.name == "self":
            kept.append(p)
            continue
        if p.kind is Parameter.VAR_KEYWORD:
            kept += parsed(facts.OPTIONS).parameters.values() if p.name == "options" else []
            continue
        if place and p.kind is Parameter.POSITIONAL_OR_KEYWORD and kept[-1].kind is Parameter.VAR_POSITIONAL:
            p = p.replace(kind=Parameter.KEYWORD_ONLY)
        default = p.default if p.default is Parameter.empty or _is_plain(p.default) else Words(repr(p.default))
        kept.append(p.replace(annotation=Words(_type_of(op, p)), default=default))
    returned = _returned(op, value)
    if returned.startswith(("tuple", "return_types")):
        several = Words("tuple[Tensor, ...] | None")
        kept = [p.replace(annotation=several) if p.name == "out" else p for p in kept]
    return Signature(kept, return_annotation=Words(returned))


def _is_plain(default: Any) -> bool:
    return isinstance(default, (int, float, complex, str, tuple, type(None)))


def _type_of(op: Op, p: Parameter) -> str:
    result = _named_type(op, p)
    if p.kind is Parameter.VAR_POSITIONAL and result == "Sequence[Tensor]":
        return "Tensor"  # each of them
    if result == "int" and isinstance(p.default, tuple):
        result = facts.DIMS
    if isinstance(p.default, str) and not isinstance(p.default, Words) and "str" not in result:
        result += " | str"
    return f"{result} | None" if p.default is None and "None" not in result and result != "Any" else result


def _named_type(op: Op, p: Parameter) -> str:
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
    if op.family == "inplace" and name == "input" or "other" not in _declared(op, False)[0].parameters:
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
    first, *rest = _without_out(value).parameters.values()
    return value.replace(parameters=[Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *rest])


def _without_out(value: Signature) -> Signature:
    return value.replace(parameters=[p for p in value.parameters.values() if p.name != "out"])


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
