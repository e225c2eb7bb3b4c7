"""The grips on a picture of memory: which numbers they move, and on which part of the picture they are.

The grips themselves are in `touch.mjs`. A grip is a second face of the slider with its name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..pictures.arrays.layout import Layout
from ..pictures.arrays.storages import storage_of, storages_of
from ..pictures.drawing.scene import Block, Stack
from ..pictures.parts.memory_bar import Bar
from .strided import Asked, Ground


def hands_of(
    ground: Ground, asked: Asked, arrays: Sequence[Any], at: int, names: Sequence[str], blocks: Sequence[Block]
) -> dict[str, Any]:
    """What the browser needs for the grips of the view at `at` among the arrays of a picture.

    >>> import numpy as np
    >>> x = np.arange(12).reshape(3, 4)
    >>> hands_of(Ground("x", x), ((3, 4), (4, 1), 0), [x], 0, ["x"], [])["held"]
    12
    """
    layouts = [Layout.of(array, values=False) for array in arrays]
    storage = storage_of(layouts[at], storages_of(layouts, names))
    size, stride, offset = asked
    return {
        "letter": storage.letter, "unit": storage.unit, "item": ground.item, "held": ground.held,
        "first": ground.owner.start - storage.start, "view": at, "size": list(size), "stride": list(stride),
        "offset": offset, "combs": [comb if which == names[at] else None for which, comb in _combs(blocks)],
    }  # fmt: skip


def _combs(blocks: Sequence[Block]) -> Iterator[tuple[str, list[int]]]:
    """The combs in the order in which they are drawn: of which view, and dimension, first byte and bytes of its bar."""
    for block in blocks:
        if isinstance(block, Stack):
            yield from _combs(block.blocks)
        elif isinstance(block, Bar) and block.view is not None:
            for which in block.level.combs:
                yield block.view.name, [block.view.combs[which].dim, block.level.start, block.level.nbytes]
