"""The ways of large tensors, taken by small ones: thresholds so low that nearly every call is cut into pieces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import tensorwidgets as tw
from tensorwidgets.engine import crosswise, folding, memory, packing, pointwise, products, reduce, running, slices, sums

LOW = [
    (slices, "FROM", 2), (pointwise, "FROM", 2), (reduce, "SHORT", 2), (slices, "PIECE", 7), (slices, "THREADED", 2),
    (pointwise, "THREADED", 2), (memory, "LARGE", 1),
    (crosswise, "STRIP", 2), (crosswise, "LONGEST", 3), (crosswise, "SHORTEST", 2), (folding, "TOGETHER", 4),
    (sums, "ROW", 2), (sums, "SHORT", 2), (sums, "WIDE_ROW", 4), (sums, "BLOCK", 32), (running, "CHUNK", 2),
    (running, "SEGMENTS", 3), (running, "LANES", 2), (running, "SIDE_BY_SIDE", 3), (running, "STEPS", 2),
    (packing, "FROM", 1), (packing, "IN_ALL", 1), (products, "FROM", 1),
]  # fmt: skip


@contextmanager
def finely_cut(threads: int) -> Iterator[None]:
    """Everything in pieces of a few elements, on so many threads."""
    before = tw.get_num_threads()
    tw.set_num_threads(threads)
    patches = [mock.patch.object(module, name, value) for module, name, value in LOW]
    for patch in patches:
        patch.start()
    try:
        yield
    finally:
        for patch in patches:
            patch.stop()
        tw.set_num_threads(before)
