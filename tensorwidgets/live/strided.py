"""The whole memory of an array, from which views are made, and the engine's check of which views fit.

>>> import numpy as np
>>> ground = Ground("x", np.arange(12).reshape(3, 4))
>>> ground.cut((2, 2), (4, 1), 5).tolist(), ground.code((2, 2), (4, 1), 5)
([[5, 6], [9, 10]], 'as_strided(x, (2, 2), (4, 1), 5)')
>>> ground.reason((4, 4), (4, 1), 0).because
'The last element would be at place 15, and the storage ends at place 11.'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..engine.errors.reasons import Reason
from ..engine.geometry import Geometry, as_strided
from ..pictures.arrays.layout import Layout
from ..pictures.arrays.values import shape_text
from ..pictures.operations.operands import atom
from .sheet import MOST, as_numbers
from .typed.integers import refused

Ints = tuple[int, ...]
Asked = tuple[Ints, Ints, int]
"""Size, stride and offset."""
Edge = tuple[int, Reason | None]
LARGEST = 2**31


class Ground:
    """An array and the memory behind it."""

    def __init__(self, label: str, array: Any):
        self.label, self.array = label, array
        layout = Layout.of(array, values=False)
        self.item = max(layout.itemsize, 1)
        self.owner = layout.owner
        self.torch_like = hasattr(array, "untyped_storage") and hasattr(array, "as_strided")
        self.run = None if self.torch_like else _run(array)
        self.held = (self.owner.nbytes if self.torch_like else 0 if self.run is None else self.run.nbytes) // self.item
        self.free = layout.in_elements and (self.torch_like or self.run is not None)
        """Whether views can be cut from it at all."""

    def reason(self, size: Ints, stride: Ints, offset: int) -> Reason | None:
        """Why this view is invalid, from the engine; NumPy's arrays may have negative strides."""
        if any(abs(number) > LARGEST for number in (*size, *stride, offset)):
            return refused("far", f"{max((*size, *stride, offset), key=abs)} is further than any memory reaches.")
        back = not self.torch_like and any(step < 0 for step in stride)
        if back and len(size) == len(stride) and min(size, default=0) >= 0:
            first = offset + sum((n - 1) * s for n, s in zip(size, stride, strict=True) if s < 0 and n > 0)
            if first < 0 and 0 not in size:
                text = f"The first element would be at place {first}, and the storage begins at place 0."
                return refused("start", text)
            stride = tuple(max(s, 0) for s in stride)
        result = as_strided(Geometry((), (), 0), size, stride, offset, self.held * self.item, self.item)
        if isinstance(result, Reason):
            return result
        if min(size, default=0) < 0:
            return refused("size", f"{min(size)} is not a size: a dimension has 0 elements or more.")
        return None

    def cut(self, size: Ints, stride: Ints, offset: int) -> Any:
        """The view; `reason` must be None for it."""
        if self.torch_like:
            return self.array.as_strided(size, stride, offset)
        steps = tuple(s * self.item for s in stride)
        if 0 in size:
            return np.ndarray(size, self.array.dtype, self.run, 0, steps if not any(s < 0 for s in stride) else None)
        return np.ndarray(size, self.array.dtype, self.run, offset * self.item, steps)

    def numbers(self) -> np.ndarray:
        """All numbers of the memory, one after the other; none where there are too many, or where they are no real
        numbers."""
        if not self.free or not 0 < self.held <= MOST:
            return np.empty(0)
        try:
            return as_numbers(self.cut((self.held,), (1,), 0))
        except (TypeError, ValueError, RuntimeError, NotImplementedError):
            return np.empty(0)

    def code(self, size: Ints, stride: Ints, offset: int) -> str:
        """The code of this view."""
        numbers = f"{shape_text(size)}, {shape_text(stride)}, {offset}"
        return (
            f"{atom(self.label)}.as_strided({numbers})" if self.torch_like else f"as_strided({self.label}, {numbers})"
        )

    @property
    def most(self) -> int:
        """The upper end of the sliders: one more than any valid number."""
        return self.held + 1

    def least(self, what: str) -> int:
        """The lower end of the sliders; NumPy's arrays may have negative strides."""
        return -self.most if what == "stride" and not self.torch_like else 0

    def edges(self, asked: Asked, what: str, dim: int) -> tuple[Edge, Edge]:
        """The smallest and largest valid number for this size, stride or offset, given the others, and why the next one
        is invalid. If no number is valid, the first is above the second."""

        def why(number: int) -> Reason | None:
            return self.reason(*changed(*asked, what, dim, number))

        size, stride, offset = asked
        now = {"size": size, "stride": stride}.get(what, (offset,))[dim]
        back = sum((n - 1) * -s for n, s in zip(size, stride, strict=True) if s < 0)
        inner = next((n for n in (now, 0, 1, back) if why(n) is None), None)
        if inner is None:
            return (1, None), (0, None)
        least, most = min(self.least(what), inner), max(self.most, inner)
        return _last(why, inner, least), _last(why, inner, most)


def _last(why: Callable[[int], Reason | None], inside: int, end: int) -> Edge:
    """The last valid number in this direction, and the reason why the next one is invalid."""
    result = why(end)
    if result is None:
        return end, None
    outside = end
    while abs(outside - inside) > 1:
        middle = (inside + outside) // 2
        reason = why(middle)
        if reason is None:
            inside = middle
        else:
            outside, result = middle, reason
    return inside, result


def changed(size: Ints, stride: Ints, offset: int, what: str, dim: int, number: int) -> Asked:
    """A geometry with one of its numbers replaced.

    >>> changed((3, 4), (4, 1), 0, "stride", 1, 2)
    ((3, 4), (4, 2), 0)
    """
    if what == "offset":
        return size, stride, number
    new = lambda numbers: (*numbers[:dim], number, *numbers[dim + 1 :])  # noqa: E731
    return (new(size), stride, offset) if what == "size" else (size, new(stride), offset)


def _run(array: Any) -> np.ndarray | None:
    """The whole memory behind a NumPy array as a flat array, if it is contiguous."""
    if not isinstance(array, np.ndarray) or array.dtype.hasobject:
        return None
    while isinstance(array.base, np.ndarray):
        array = array.base
    for one in (array, array.T):
        if one.flags.c_contiguous:
            return one.reshape(-1).view(np.ndarray)
    return None
