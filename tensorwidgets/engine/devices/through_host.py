"""How does a call go through the host? Its tensors are fetched, it is computed in main memory, and brought back."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from ..dispatch import stations
from ..dispatch.kinds import IN_MAIN_MEMORY_ALONE, refuse_on_device
from ..dispatch.registry import Op
from ..memory.places import Place, moved
from ..tensor.generator import DEFAULTS
from ..tensor.keys import NOT_AUTOGRAD
from ..tensor.moving.resizing import resize
from ..tensor.tensor import Tensor
from ..tensor.versions import bump_version, version_owner
from ..tensor.wrapping import place_of, wrap
from ..types.device import device
from .simulated_array import is_dense


@cache
def listed() -> frozenset[str]:
    """The ops that go through the host, which `through_host.txt` lists."""
    text = files(__package__).joinpath("through_host.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))


def is_always(name: str) -> bool:
    """Whether an op is listed as one that goes through the host."""
    return name in listed()


def compute_there(op: Op, args: tuple, kwargs: dict, place: Place) -> Any:
    """Compute a call in main memory and bring its results to a place."""
    visit = _Visit(op, place)
    own, named = visit.fetch(args), visit.fetch(kwargs)
    result = _random(op, own, named, place) if op.family == "random" else stations.by_keys(op, own, named)
    for visitor, original, version in visit.visitors.values():
        if version_owner(visitor)._writes != version:
            _write_back(visitor, original)
            bump_version(original)
        elif op.name in WRITES_UNSEEN:
            _write_back(visitor, original)
    return visit.bring(result)


class _Visit:
    """What one call has fetched. Nothing here refers to itself, so that its memory is free when the call ends."""

    __slots__ = ("by_tensor", "op", "place", "visitors")

    def __init__(self, op: Op, place: Place):
        self.op, self.place = op, place
        self.visitors: dict[int, tuple[Tensor, Tensor, int]] = {}
        self.by_tensor: dict[int, Tensor] = {}

    def fetch(self, value: Any) -> Any:
        """Arguments with each tensor of a device as its visitor in main memory."""
        if isinstance(value, Tensor):
            here = place_of(value)
            if here.in_main_memory or not here.has_numbers:
                return value
            if id(value) not in self.by_tensor:
                t = wrap(here.fetch(value._array), value._dtype)
                t._keys = value._keys & NOT_AUTOGRAD & ~here.key
                t._empty_offset = value._empty_offset
                self.by_tensor[id(value)] = t
                self.visitors[id(t)] = (t, value, version_owner(t)._writes)
            return self.by_tensor[id(value)]
        if isinstance(value, (tuple, list)):
            return type(value)([self.fetch(part) for part in value])
        if isinstance(value, dict):
            return {name: self.fetch(part) for name, part in value.items()}
        if isinstance(value, device) and value == self.place.device:
            return device("cpu")
        return value

    def bring(self, value: Any) -> Any:
        """Results as they lie in the place; a visitor as the tensor that it stands for."""
        if isinstance(value, Tensor):
            if id(value) in self.visitors:
                return self.visitors[id(value)][1]
            if value._keys & IN_MAIN_MEMORY_ALONE:
                refuse_on_device(self.op.name)
            if not place_of(value).in_main_memory:
                return value
            t = wrap(exactly(value._array, self.place), value._dtype)
            t._keys |= value._keys
            return t
        if isinstance(value, (tuple, list)):
            return type(value)([self.bring(part) for part in value])
        return value


WRITES_UNSEEN = frozenset(("native_batch_norm",))
"""Ops that write to their operands without counting it as a write: statistics that run along."""


def exactly(values: np.ndarray, place: Place) -> Any:
    """An array in a place with the same strides, gaps included."""
    if not values.size or is_dense(values):
        return place.bring(values)
    span = sum((n - 1) * s for n, s in zip(values.shape, values.strides, strict=True)) + values.itemsize
    whole = np.zeros(span, np.uint8)
    np.ndarray(values.shape, values.dtype, whole, 0, values.strides)[...] = values
    return place.view(place.bring(whole), values.shape, values.strides, values.dtype)


def _random(op: Op, args: tuple, kwargs: dict, place: Place) -> Any:
    """Random numbers are of the device's own stream, also when they are drawn in main memory."""
    generator = kwargs.get("generator") or DEFAULTS[place.device.type](place.device)
    with generator.in_main_memory():
        return stations.by_keys(op, args, {**kwargs, "generator": generator})


def _write_back(visitor: Tensor, original: Tensor) -> None:
    """What a call wrote to a visitor is written to the tensor that it stands for."""
    if visitor._array.shape != original._array.shape:
        resize(original, visitor._array.shape, visitor.stride())
    if visitor._array.size:
        original._array[...] = moved(visitor._array, place_of(original))
