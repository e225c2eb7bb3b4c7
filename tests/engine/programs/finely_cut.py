"""The ways of large tensors, taken by small ones: thresholds so low that nearly every call is cut into pieces."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest import mock

import tensorwidgets as tw
from tensorwidgets.engine.backends.numpy import (
    chunked_reduce,
    chunks,
    matrix_products,
    packed_sort,
    parallel_scan,
    transpose_tiles,
)
from tensorwidgets.engine.backends.numpy.sums import float_sum
from tensorwidgets.engine.declare import fast_calls, pointwise_calls, pointwise_runs, reductions
from tensorwidgets.engine.memory import main_memory

LOW = [
    (chunks, "FROM", 2), (fast_calls, "FROM", 2), (pointwise_runs, "FROM", 2), (reductions, "SHORT", 2),
    (chunks, "PIECE", 7), (chunks, "THREADED", 2), (pointwise_calls, "THREADED", 2), (main_memory, "LARGE", 1),
    (transpose_tiles, "STRIP", 2), (transpose_tiles, "LONGEST", 3), (transpose_tiles, "SHORTEST", 2),
    (chunked_reduce, "TOGETHER", 4),
    (float_sum, "ROW", 2), (float_sum, "WIDE_ROW", 4), (float_sum, "BLOCK", 32),
    (parallel_scan, "CHUNK", 2), (parallel_scan, "SEGMENTS", 3), (parallel_scan, "LANES", 2),
    (parallel_scan, "SIDE_BY_SIDE", 3), (parallel_scan, "STEPS", 2), (packed_sort, "FROM", 1),
    (packed_sort, "IN_ALL", 1), (matrix_products, "FROM", 1),
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
