"""`where` by bit operations, without branches.

NumPy's `where` branches at every element, and with a random mask the processor predicts half of the branches wrong.
Here the mask becomes all ones or all zeros, and bit operations select the result.
"""

from __future__ import annotations

import numpy as np

from . import chunks


def choose(mask: np.ndarray, yes: np.ndarray, no: np.ndarray, target: np.ndarray) -> None:
    """`yes` where the mask is true, else `no`, into the target; all of the target's dtype, broadcast to its size.

    >>> result = np.empty(3)
    >>> choose(np.array([True, False, True]), np.array([1.0, 2.0, np.nan]), np.array(-0.0), result)
    >>> result
    array([ 1., -0., nan])
    """
    width = target.dtype.itemsize
    if target.size < chunks.FROM or width > 8 or any(np.may_share_memory(target, a) for a in (mask, yes, no)):
        target[...] = no
        np.copyto(target, yes, where=mask)
        return
    unsigned, signed = np.dtype(f"u{width}"), np.dtype(f"i{width}")
    bits, *sources = [np.broadcast_to(a, target.shape) for a in (mask, yes, no)]
    into = target.view(unsigned)

    def piece(key: tuple[slice, ...]) -> None:
        one, other = [a[key].view(unsigned) for a in sources]
        # Bytes that are neither 0 nor 1 are true as well, if another library wrote them.
        ones = np.negative(np.not_equal(bits[key].view(np.uint8), 0).view(np.int8)).astype(signed).view(unsigned)
        result = into[key]
        np.bitwise_xor(one, other, out=result)
        result &= ones
        result ^= other

    # Small arrays have smaller pieces, because the masks take memory, too.
    chunks.run_parallel(
        piece, chunks.cuts(target.shape, target.strides, min(chunks.PIECE, max(1 << 14, target.size >> 6)))
    )


def chosen(mask: np.ndarray, yes: np.ndarray, no: np.ndarray) -> np.ndarray:
    """`yes` where the mask is true, else `no`: two arrays of one dtype and size, of which the first is written over.

    >>> chosen(np.array([True, False]), np.array([1.0, 2.0]), np.array([np.nan, -0.0]))
    array([ 1., -0.])
    """
    bits = _ones(mask, yes)
    if bits is None or no.shape != yes.shape or no.dtype != yes.dtype:
        return np.where(mask, yes, no)
    result, other = yes.view(bits.dtype), no.view(bits.dtype)
    result ^= other
    result &= bits
    result ^= other
    return yes


def kept(mask: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Values where the mask is true, else 0.

    >>> kept(np.array([True, False]), np.array([1.0, np.nan]))
    array([1., 0.])
    """
    bits = _ones(mask, values)
    if bits is None:
        return np.where(mask, values, values.dtype.type(0))
    np.bitwise_and(bits, values.view(bits.dtype), bits)
    return bits.view(values.dtype)


FEW = 500
"""Below so many elements a wrong guess costs less than more steps."""


def _ones(mask: np.ndarray, values: np.ndarray) -> np.ndarray | None:
    """Integers of all ones where a mask is true, and of zeros elsewhere; None where values have no such bits."""
    if type(values) is not np.ndarray or values.dtype.kind != "f" or values.dtype.itemsize > 8:
        return None
    if values.size < FEW or mask.shape != values.shape:
        return None
    signed = np.dtype(f"i{values.dtype.itemsize}")
    return np.negative(mask.view(np.int8)).astype(signed)
