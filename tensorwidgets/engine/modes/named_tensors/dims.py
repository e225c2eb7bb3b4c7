"""Dimensions that a call is about: names become numbers."""

from __future__ import annotations

from typing import Any

from ...dimension_names import Names, words
from ...dimension_names.words import numbers_of
from ...errors.reasons import refuse, sure
from .calls import Call
from .tensors import names_of


def by_number(call: Call, *parameters: str) -> list[Any]:
    """The dimensions that a call is about, as numbers, which are put into the call, too."""
    names, result = names_of(call.input), []
    every = [call.get(parameter) for parameter in parameters]
    sure(words([given for given in every if isinstance(given, str)]))
    for parameter, given in zip(parameters, every, strict=True):
        _refuse_mixed(call, parameter, given)
        counted = numbers_of(names, given)
        if counted is not given:
            call.put(parameter, counted)
        result.append(counted)
    return result


def _refuse_mixed(call: Call, parameter: str, given: Any) -> None:
    """Refuse names that follow a number."""
    if isinstance(given, (tuple, list)) and given and not isinstance(given[0], str):
        place = next((k for k, d in enumerate(given) if isinstance(d, str)), None)
        if place is not None:
            refuse(
                TypeError,
                f"{call.op.name}(): argument '{parameter}' failed to unpack the object at pos {place + 1} with error "
                '"type must be tuple of ints,but got str"',
                "dimensions are given by names alone or by numbers alone",
                rule="names.mixed",
            )


def dimension(call: Call, parameter: str, otherwise: int | None = None) -> int | None:
    """One dimension of the input, counted from the left; None where the call names none that is there."""
    (dim,) = by_number(call, parameter)
    dim = otherwise if dim is None else dim
    ndim = call.input._array.ndim
    return dim % ndim if type(dim) is int and -ndim <= dim < ndim else None


def present(dims: Any, ndim: int) -> list[int] | None:
    """The dimensions of a call; None if one of them is not there."""
    result = list(dims) if isinstance(dims, (tuple, list)) else [dims]
    return result if all(type(d) is int and -ndim <= d < ndim for d in result) else None


def with_new(names: Names, dim: int) -> Names | None:
    """The names with a new dimension, which has none."""
    ndim = len(names)
    if type(dim) is not int or not -ndim - 1 <= dim <= ndim:
        return None
    at = dim % (ndim + 1)
    return (*names[:at], None, *names[at:])
