"""One number or another at each place, by their bits.

NumPy's `where` asks at every place and goes one way or the other; with a mask that changes all the time a processor
guesses wrong half the time. Here the mask becomes all ones or all zeros, and the bits are chosen without a question.
"""

from __future__ import annotations

import numpy as np

from . import chunks


def choose(mask: np.ndarray, yes: np.ndarray, no: np.ndarray, target: np.ndarray) -> None:
    """`yes` where the mask is true, else `no`, into the target; all of the target's dtype, broadcast to its size.

    >>> found = np.empty(3)
    >>> choose(np.array([True, False, True]), np.array([1.0, 2.0, np.nan]), np.array(-0.0), found)
    >>> found
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

    # Little pieces of little arrays, for the masks are made on the way.
    chunks.run_parallel(
        piece, chunks.cuts(target.shape, target.strides, min(chunks.PIECE, max(1 << 14, target.size >> 6)))
    )
