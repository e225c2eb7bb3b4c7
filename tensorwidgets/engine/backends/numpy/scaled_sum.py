"""How is a multiple of one array added to another with one rounding? By BLAS, which multiplies and adds in one step.

NumPy rounds the product first. PyTorch's kernels do not, so its sums with `alpha` differ in last bits from NumPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

PIECE = 8192
"""Elements of one call: BLAS uses several threads for longer ones, and waits for them."""


def add_scaled(target: np.ndarray, x: np.ndarray, factor: Any) -> None:
    """Add `factor * x` to an array. Both are contiguous, of one dimension, and of float32 or float64.

    >>> target = np.array([1.0, 2.0], "f4")
    >>> add_scaled(target, np.array([3.0, 4.0], "f4"), 0.5)
    >>> target
    array([2.5, 4. ], dtype=float32)
    """
    function = _function(target.dtype)
    if target.size <= PIECE:
        if target.size:
            function(x, target, a=factor)
        return
    for start in range(0, target.size, PIECE):
        function(x[start : start + PIECE], target[start : start + PIECE], a=factor)


@cache
def _function(dtype: np.dtype) -> Callable:
    from scipy.linalg import blas

    found: Callable = {"f": blas.saxpy, "d": blas.daxpy}[dtype.char]
    return found
