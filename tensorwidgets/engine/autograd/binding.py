"""The arguments of a call by PyTorch's names, which is how derivatives refer to them."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..calling.notation import torch_signatures
from ..calling.readers import reader
from ..calling.reading import Notations, Plan, by_plan, plan_of, types_of
from ..declare.fast_calls import PLAIN
from ..dispatch.call_errors import refuse_call
from ..dispatch.registry import Op


def bound_arguments(op: Op, args: tuple, kwargs: dict) -> dict[str, Any]:
    """The arguments that a call names, by PyTorch's names.

    >>> from ..dispatch.registry import find
    >>> bound_arguments(find("sum"), ("a tensor", 0), {"keepdim": True})["dim"]
    0
    """
    values = (*args, *kwargs.values()) if kwargs else args
    parts = types_of(values, PLAIN)
    if parts is None:
        return {name: _plainly(value) for name, value in _read(op, args, kwargs).items()}
    key = (op.name, *parts, len(args), *kwargs) if kwargs else (op.name, *parts)
    plan = _plans.get(key)
    if plan is not None:
        return by_plan(plan, values)
    bound = _read(op, args, kwargs)
    if key not in _plans:
        _plans[key] = plan_of(bound, args, kwargs)
    return bound


def _plainly(value: Any) -> Any:
    """A whole number, or several, without NumPy's: formulas compare and index with them."""
    if isinstance(value, np.integer):
        return int(value)
    if type(value) in (tuple, list) and any([isinstance(v, np.integer) for v in value]):
        return type(value)([int(v) if isinstance(v, np.integer) else v for v in value])
    return value


_plans: dict[tuple, Plan | None] = {}
"""How calls are read, by their types. What has no plan is read at each call."""


def _read(op: Op, args: tuple, kwargs: dict) -> dict[str, Any]:
    readers = _readers(op.name)
    for read, method in readers:
        given = read(args[1:] if method else args, kwargs)
        if given is not None:
            if method:
                given = {"input": args[0], **given}
            return _renamed(given)
    if op.notations.all:
        given = _reading(op.notations)(args, kwargs)
        if given is not None:
            return _renamed(given)
    if readers:
        refuse_call(op.name, args, kwargs)
    return _by_parameters(op, args, kwargs)


@cache
def _readers(name: str) -> tuple[tuple[Callable, bool], ...]:
    found: list[tuple[Callable, bool]] = []
    for spelled, method in ((name, False), (f"Tensor.{name}", True)):
        ways = torch_signatures().get(spelled)
        if ways is None:
            continue
        if ways[0] == "-" and method:
            found.append((lambda args, kwargs: {} if not args and not kwargs else None, True))
            continue
        if ways[0].startswith("def "):
            found.append((_like_python(ways[0].removeprefix("def ").removeprefix("(")), False))
            continue
        notations = getattr(reader(spelled), "__self__", None)
        if isinstance(notations, Notations):
            found.append((_reading(notations), method))
    return tuple(found)


def _reading(notations: Notations) -> Callable:
    # None says something too where a way requires the argument: sum(dim=None) is the form with dimensions.
    required = {way.text: [p.name for p in way.parameters if p.takes_none and not p.optional] for way in notations.all}

    def read(args: tuple, kwargs: dict) -> dict | None:
        try:
            chosen = notations.chosen(args, kwargs)
        except TypeError:
            return None
        if chosen is None:
            return None
        way, given = chosen
        for name in required[way.text]:
            given.setdefault(name, None)
        return given

    return read


def _like_python(parameters: str) -> Callable:
    """Reads a call of a function that PyTorch has written in Python, by the text of its parameters."""
    shape = inspect.signature(eval(f"lambda {parameters.removesuffix(')')}: None"))  # a line of our own file

    def read(args: tuple, kwargs: dict) -> dict | None:
        try:
            bound = shape.bind(*args, **kwargs)
        except TypeError:
            return None
        return dict(bound.arguments)

    return read


def _renamed(given: dict) -> dict:
    if "input" in given or not ("self" in given or "tensor" in given):
        return given
    name = "self" if "self" in given else "tensor"
    return {"input" if each == name else each: value for each, value in given.items()}


def _by_parameters(op: Op, args: tuple, kwargs: dict) -> dict[str, Any]:
    """By the names of our own function's parameters, for rows that PyTorch writes in Python."""
    names = _positional(op.plain)
    if not kwargs and len(args) <= len(names):
        return dict(zip(names, args, strict=False))
    try:
        bound = inspect.signature(op.plain).bind(*args, **kwargs)
    except (TypeError, ValueError):
        return {**{f"argument{i}": a for i, a in enumerate(args)}, **kwargs}
    return dict(bound.arguments)


@cache
def _positional(plain: Callable) -> tuple[str, ...]:
    """The names of a function's parameters, if it takes nothing else."""
    try:
        parameters = inspect.signature(plain).parameters.values()
    except (TypeError, ValueError):
        return ()
    usual = all(p.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD for p in parameters)
    return tuple([p.name for p in parameters]) if usual else ()
