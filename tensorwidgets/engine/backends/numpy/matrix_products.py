"""Products of matrices by BLAS, also of whole numbers, for which BLAS has no kernel."""

from __future__ import annotations

import numpy as np

from . import chunks
from .sums import float_sum
from .without_warnings import quietly

EXACT = 1 << 53
"""Up to here float64 represents every integer."""

FROM = 1 << 15
"""Below this many multiplications computing in float64 is not worth it."""


def matmul(x: np.ndarray, y: np.ndarray, target: np.ndarray) -> None:
    """`np.matmul` into a target of the same dtype, without an array in between where NumPy can write there itself."""
    if x.dtype.kind in "iu":
        result = integer_matmul(x, y)
        np.copyto(target, np.matmul(x, y) if result is None else result, casting="unsafe")
    elif len(y) == 1 and x.ndim == y.ndim == 2 and len(x) > 1 and y.shape[1] > 1:
        quietly(np.multiply, x, y, target)  # nothing is added up, so a product of -0 stays that, as in PyTorch
    elif x.ndim == 1 and y.ndim == 3 and y.size >= chunks.FROM:
        # BLAS would call its threads together for each matrix of the batch, and wait for all of them each time.
        def piece(batch: slice) -> None:
            quietly(np.einsum, "k,bkn->bn", x, y[batch], out=target[batch])

        chunks.run_parallel(piece, chunks.spans(len(y), max(1, chunks.PIECE * len(y) // y.size)))
    elif target.size == 1 and x.dtype == y.dtype == np.float32:
        quietly(np.copyto, target, quietly(float_sum.dot, x.reshape(-1), y.reshape(-1)), "unsafe")
    elif target.flags.c_contiguous and target.ndim > 1 and not _overlap(target, x, y):
        if y.size >= LARGE and _is_quicker_turned(x, y):
            quietly(_turned, x, y, target)
        else:
            quietly(np.matmul, x, y, out=target)
    else:
        target[...] = quietly(np.matmul, x, y)


def multiply_matrices(x: np.ndarray, y: np.ndarray, target: np.ndarray) -> None:
    """The product of two matrices of floats, into one of the same dtype that lies in order and apart from both.

    >>> target = np.empty((1, 1))
    >>> multiply_matrices(np.ones((1, 2)), np.ones((2, 1)), target)
    >>> target.tolist()
    [[2.0]]
    """
    if len(y) == 1 and len(x) > 1 and y.shape[1] > 1:
        np.multiply(x, y, target)  # nothing is added up, so a product of -0 stays that, as in PyTorch
    elif y.size >= LARGE and _is_quicker_turned(x, y):
        _turned(x, y, target)
    elif x.flags.forc and y.flags.forc:
        x.dot(y, target)  # the same call of BLAS, with fewer steps before it
    else:
        np.matmul(x, y, target)


def product(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The product of two matrices of the same dtype of floats, row by row in new memory.

    >>> product(np.ones((2, 3)), np.ones((3, 2))).tolist()
    [[3.0, 3.0], [3.0, 3.0]]
    """
    if 1 < len(y) and y.size < LARGE and x.flags.forc and y.flags.forc:
        return x.dot(y)  # type: ignore[no-any-return]  # what `multiply_matrices` does, at once
    result = np.empty((len(x), y.shape[1]), x.dtype)
    multiply_matrices(x, y, result)
    return result


LARGE = 1 << 14
"""From this many elements on it may be worth computing a product as its transpose."""


def _is_quicker_turned(x: np.ndarray, y: np.ndarray) -> bool:
    """Whether a few rows are multiplied by a large matrix that lies column by column, as a layer's weight does.

    BLAS first copies both into an order of its own. Column by column, float32 take it several times as long as row by
    row, and the other way round if the factors change places.
    """
    return (
        x.ndim == y.ndim == 2
        and y.dtype == np.float32 == x.dtype
        and 2 < len(x) <= y.shape[1] // 4
        and y.flags.f_contiguous
        and x.flags.c_contiguous
    )


def _turned(x: np.ndarray, y: np.ndarray, target: np.ndarray) -> None:
    """The product as the transpose of another one."""
    target[...] = np.dot(y.T, x.T).T


def _overlap(target: np.ndarray, x: np.ndarray, y: np.ndarray) -> bool:
    return np.may_share_memory(target, x) or np.may_share_memory(target, y)


def integer_matmul(x: np.ndarray, y: np.ndarray) -> np.ndarray | None:
    """The product as int64, computed in float64; None if sums might exceed what float64 represents exactly.

    >>> integer_matmul(np.full((32, 32), 1 << 20), np.full((32, 32), 1 << 20))[0, 0] == 1 << 45
    np.True_
    >>> integer_matmul(np.full((32, 32), 1 << 25), np.full((32, 32), 1 << 25)) is None
    True
    """
    terms = x.shape[-1]
    rows = y.shape[-1] if y.ndim > 1 else 1
    if x.size * rows < FROM or terms * _largest(x) * _largest(y) >= EXACT:
        return None
    return np.matmul(x.astype(np.float64), y.astype(np.float64)).astype(np.int64)


def _largest(values: np.ndarray) -> int:
    """The largest magnitude, as a Python int, because the magnitude of the smallest int64 is not an int64."""
    return max(abs(int(values.min())), abs(int(values.max())))
