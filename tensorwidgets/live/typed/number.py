"""Reads a number and its dtype from what a person types or passes to `DtypeExplorer`, without raising."""

from __future__ import annotations

from fractions import Fraction
from math import prod
from typing import Any

from ...engine import FACE
from ...engine.errors.reasons import Reason
from ...pictures.arrays.decimals import decimal
from ...pictures.arrays.layout import Layout
from ...pictures.arrays.number_formats import FORMATS, Number
from ...pictures.arrays.sources import is_array
from ...pictures.operations.bits import exact_of
from ..expressions import reason_of
from .integers import refused

MOST = 16
"""How many elements of an array are kept."""


def answer_of(stored: Number | int) -> str:
    if isinstance(stored, Fraction):
        return repr(float(stored)) if stored.denominator != 1 else str(stored.numerator)
    return decimal(stored)


def name_of(dtype: Any) -> str:
    """The name of a dtype of any library."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))
    return str(name).rpartition(".")[2].rstrip("_")


def own_type(value: Any) -> str:
    """The dtype that PyTorch would give this value."""
    if hasattr(value, "dtype"):
        return name_of(value.dtype)
    return "bool" if isinstance(value, bool) else "int64" if isinstance(value, int) else "float32"


def elements_of(value: Any) -> Any:
    """The first elements of an array with at least two, as a tensor; None for anything else."""
    if not is_array(value):
        return None
    layout = Layout.of(value, values=False)
    if layout.numel < 2 or layout.dtype not in FORMATS:
        return None
    values = Layout.of(_beginning(value, layout.size)).values
    return None if values is None else FACE["tensor"](list(values[:MOST]), dtype=FACE[layout.dtype])


def _beginning(array: Any, size: tuple[int, ...]) -> Any:
    """The part of an array that holds its first elements: of a large one only the edges are read."""
    rest = prod(size[1:])
    if len(size) > 1 and rest >= MOST:
        return _beginning(array[0], size[1:])
    return array[: -(-MOST // rest)]


def number_of(value: Any) -> bool | int | float | Reason:
    """A Python number from text or a value, or the reason why it is not one."""
    if hasattr(value, "item") and getattr(value, "size", None) is not None:
        try:
            value = value.item()
        except Exception as error:
            return reason_of(error)
    if isinstance(value, (bool, int, float)):
        return value
    text = _clean(value)
    if text in ("True", "False"):
        return text == "True"
    if len(text) > 400:
        return refused("number", "That is longer than any number that is stored.")
    for kind in (int, float):
        try:
            return (
                kind(text) if len(text) < 400 else refused("number", "That is longer than any number that is stored.")
            )
        except ValueError:
            continue
    return refused("number", f"{text[:40]!r} is not a number; 1.1, -3, 1e-5, inf and nan are.")


def _clean(typed: Any) -> str:
    return str(typed).strip().replace("−", "-").replace("∞", "inf")


def exact_number(typed: str, number: bool | int | float) -> Number | int:
    """The exact value of the text typed for a number."""
    try:
        exact = Fraction(_clean(typed))
    except (ValueError, ZeroDivisionError):
        return exact_of(number)
    return exact if exact else exact_of(number)
