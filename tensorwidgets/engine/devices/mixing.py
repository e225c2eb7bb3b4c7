"""May tensors of several devices meet in a call? A number without dimensions may come from the CPU."""

from __future__ import annotations

from typing import Any

from ..dispatch.registry import Op, tensors_in
from ..errors.reasons import refuse
from ..memory.places import Place, moved
from ..tensor.tensor import Tensor, place_of, wrap

_ANY = frozenset(
    "to cpu cuda copy_ type_as type tensor as_tensor asarray new_tensor expand_as view_as reshape_as resize_as_ "
    "is_set_to broadcast_tensors result_type can_cast __getitem__ __setitem__ getitem setitem".split()
)
"""Ops that move tensors, or look at nothing but sizes."""


def place_among(op: Op, args: tuple, kwargs: dict) -> Place:
    """Where a call computes: on the device of the first tensor that is on one."""
    for t in tensors_in(args, kwargs):
        place = place_of(t)
        if place.has_numbers and not place.in_main_memory:
            return place
    raise AssertionError(op.name)


def kind_of_gpu() -> str:
    """Whether GPUs are simulated or real, in a word."""
    from .gpus import active

    return str(active().words)


def meet(op: Op, args: tuple, kwargs: dict) -> tuple[tuple, dict, Place]:
    """The arguments with numbers from the CPU brought along; or the refusal of tensors that may not meet."""
    place = place_among(op, args, kwargs)
    if op.name in _ANY or op.family in ("creation",):
        return args, kwargs, place
    others = [t for t in tensors_in(args, kwargs) if place_of(t) is not place]
    if not others:
        return args, kwargs, place
    for t in others:
        if t._array.ndim or not place_of(t).in_main_memory:
            refuse(
                RuntimeError,
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"{place.device} and {t.device}!",
                "an operation computes where its tensors are, and nothing is moved unasked",
                f"x.to({str(place.device)!r})",
                rule="device.mixed",
            )

    def bring(value: Any) -> Any:
        if isinstance(value, Tensor):
            if place_of(value) is place:
                return value
            t = wrap(moved(value._array, place), value._dtype)
            t._keys |= value._keys
            return t
        if type(value) in (tuple, list):
            return type(value)([bring(part) for part in value])
        return value

    return bring(args), {name: bring(value) for name, value in kwargs.items()}, place
