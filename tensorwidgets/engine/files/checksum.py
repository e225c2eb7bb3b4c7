"""The checksum of two runs of bytes from the checksum of each, so that several threads can sum one record.

A CRC is a remainder of polynomials over {0, 1}. Bytes that follow multiply it by a power of x, and what they add is
their own remainder; numbers are polynomials here, with the highest power in the lowest bit.
"""

from __future__ import annotations

_DIVISOR = 0xEDB88320
_ONE = 1 << 31


def joined(first: int, second: int, second_length: int) -> int:
    """The CRC-32 of two runs, one behind the other.

    >>> import zlib
    >>> joined(zlib.crc32(b"from "), zlib.crc32(b"two runs"), 8) == zlib.crc32(b"from two runs")
    True
    """
    return _times(_power(8 * second_length), first) ^ second


def _times(a: int, b: int) -> int:
    """The product of two polynomials, as a remainder."""
    product = 0
    while a:
        if a & _ONE:
            product ^= b
        a = (a << 1) & 0xFFFFFFFF
        b = b >> 1 ^ _DIVISOR if b & 1 else b >> 1
    return product


def _power(n: int) -> int:
    """x to the n, as a remainder."""
    result, square = _ONE, _ONE >> 1
    while n:
        if n & 1:
            result = _times(result, square)
        square = _times(square, square)
        n >>= 1
    return result
