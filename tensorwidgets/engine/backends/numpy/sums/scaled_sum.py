"""How is a multiple of one array added to another with one rounding? By BLAS, which multiplies and adds in one step.

NumPy rounds the product first. PyTorch's kernels do not, so its sums with `alpha` differ in last bits from NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ..fma import once_rounded

PIECE = 8192
"""Elements of one call: BLAS uses several threads for longer ones, and waits for them."""


def add_scaled(target: np.ndarray, x: np.ndarray, factor: Any) -> None:
    """Add `factor * x` to an array. Both are contiguous, of one dimension, and of float32 or float64.

    >>> target = np.array([1.0, 2.0], "f4")
    >>> add_scaled(target, np.array([3.0, 4.0], "f4"), 0.5)
    >>> target
    array([2.5, 4. ], dtype=float32)
    """
    if factor == 0:  # BLAS does nothing then, but zero times infinity is NaN
        with np.errstate(invalid="ignore"):
            np.add(target, np.multiply(x, target.dtype.type(factor)), target)
        return
    function = axpy(target.dtype)
    if target.size <= PIECE:
        if target.size:
            function(x, target, a=factor)
        return
    for start in range(0, target.size, PIECE):
        function(x[start : start + PIECE], target[start : start + PIECE], a=factor)


def scaled_sum(a: Any, b: Any, factor: Any, out: np.ndarray | None = None) -> Any:
    """`a + factor * b` with one rounding, for float32 or float64, in the layout that NumPy gives a sum.

    >>> scaled_sum(np.array([1.0, 2.0], "f4"), np.array([3.0, 4.0], "f4"), 0.5)
    array([2.5, 4. ], dtype=float32)
    """
    if _are_alike(a, b) and (out is None or _are_alike(out, b) and not np.may_share_memory(out, b)):
        if out is None:
            out = a.copy()
        elif out is not a:
            np.copyto(out, a)
        add_scaled(out.reshape(-1), b.reshape(-1), factor)
        return out
    total = np.array(np.broadcast_to(a, np.broadcast_shapes(np.shape(a), np.shape(b))), order="C")
    add_scaled(total.reshape(-1), np.ascontiguousarray(np.broadcast_to(b, total.shape)).reshape(-1), factor)
    if out is None:
        if not total.ndim:
            return total[()]
        flags: Any = [["readonly"], ["readonly"], ["writeonly", "allocate"]]
        out = np.nditer([a, b, None], ["zerosize_ok"], flags).operands[2]
    out[...] = total
    return out


def _are_alike(a: Any, b: Any) -> bool:
    """Whether two arrays are in one piece, and of the same dtype and size of at least one dimension."""
    if type(a) is not np.ndarray or type(b) is not np.ndarray or a.shape != b.shape or not a.shape:
        return False
    return bool(a.dtype == b.dtype and a.flags.c_contiguous and b.flags.c_contiguous)


@cache
def axpy(dtype: np.dtype) -> Callable:
    """The function of BLAS: `axpy(dtype)(x, target, size, factor)`, for arrays of one dimension that have elements."""
    from scipy.linalg import get_blas_funcs

    found: Callable = get_blas_funcs("axpy", dtype=dtype)
    return rounding_once(found, dtype)


def rounding_once(function: Callable, dtype: np.dtype) -> Callable:
    """An axpy that rounds each element once, made of one that may do so only in whole blocks.

    OpenBLAS's kernels for processors without AVX-512 multiply and add in one step in their vector loop, and in two
    steps in the rest that fills no block. Such a rest is put into a block of its own. For processors that never do both
    in one step, the sum is computed by NumPy.
    """
    block = next((b for b in (1, 2, 4, 8, 16, 32, 64) if _rounds_once(function, dtype, b)), None)
    if block == 1:
        return function
    if block is None:
        return _by_numpy

    def blockwise(x: np.ndarray, target: np.ndarray, size: int | None = None, a: Any = 1) -> None:
        size = target.size if size is None else size
        whole = size - size % block
        if whole:
            function(x, target, whole, a)
        if rest := size - whole:
            numbers, sums = np.zeros(block, dtype), np.zeros(block, dtype)
            numbers[:rest], sums[:rest] = x[whole:size], target[whole:size]
            function(numbers, sums, block, a)
            target[whole:size] = sums[:rest]

    return blockwise


def _by_numpy(x: np.ndarray, target: np.ndarray, size: int | None = None, a: Any = 1) -> None:
    part = slice(target.size if size is None else size)
    target[part] = once_rounded(x[part], target.dtype.type(a), target[part])


def _rounds_once(function: Callable, dtype: np.dtype, block: int) -> bool:
    """Whether every element of one block, and of three, is rounded once."""
    small = dtype.type(np.finfo(dtype).eps)
    for size in (block, 3 * block):
        x, target = np.full(size, 1 + small), np.full(size, -1 - 2 * small)
        function(x, target, size, 1 + small)
        if not target.all():  # the square of 1 + small, rounded, is 1 + 2 * small
            return False
    return True
