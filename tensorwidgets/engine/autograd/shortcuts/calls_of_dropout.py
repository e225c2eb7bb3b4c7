"""How is dropout recorded with few steps in between? As the product with a mask, as in PyTorch.

As in `calls_of_rows`, None leaves a call to the general way.
"""

from __future__ import annotations

from typing import Any

from ...declare.fast_calls import NO_GRAD
from ...dispatch.registry import OPS
from ...tensor.generator import default_generator
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...tensor.wrapping import wrap
from .calls_of_rows import is_simple

MOST = 1 << 15
"""Larger masks are drawn piece by piece."""


def install() -> None:
    """Give the function its quick way; runs once, when the first tensor requires a gradient."""
    op = OPS["nn.functional.dropout"]
    op.quick = op.quick_plain = dropout


def dropout(*args: Any, **more: Any) -> Tensor | None:
    """Random elements become 0, and the others are divided by 1 - p."""
    unusual = state.__dict__
    if not 0 < len(args) <= 4 or unusual and unusual != NO_GRAD or not is_simple(args[0]):
        return None
    settings = [*args[1:], *_USUAL[len(args) - 1 :]]
    for name, value in more.items():
        place = _PLACES.get(name)
        if place is None or place < len(args) - 1:
            return None
        settings[place] = value
    input, (p, training, in_place) = args[0], settings
    if type(p) is not float or not 0 < p < 1 or in_place is not False or type(training) is not bool:
        return None
    if not training:
        return input
    x, d = input._array, input._dtype
    if not 0 < x.size <= MOST or not x.ndim or 1 in x.shape or not x.flags.c_contiguous:
        return None
    mask = wrap((default_generator.doubles(x.size) < 1 - p).astype(x.dtype).reshape(x.shape), d)
    mask._writes = 1  # its draws
    return input * mask.div_(1 - p)


_USUAL = (0.5, True, False)
_PLACES = {"p": 0, "training": 1, "inplace": 2}
