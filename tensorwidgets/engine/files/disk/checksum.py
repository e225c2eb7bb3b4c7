"""Combine the CRC-32 of two byte ranges, so that several threads can compute the checksum of one record.

A CRC is a remainder of polynomials over {0, 1}. Appending bytes multiplies the first remainder by a power of x and adds
the remainder of those bytes. An integer here is a polynomial with the highest power in the lowest bit.
"""

from __future__ import annotations

_DIVISOR = 0xEDB88320
_ONE = 1 << 31


def joined(first: int, second: int, second_length: int) -> int:
    """The CRC-32 of two byte ranges joined together.

    >>> import zlib
    >>> joined(zlib.crc32(b"from "), zlib.crc32(b"two runs"), 8) == zlib.crc32(b"from two runs")
    True
    """
    return _times(_power(8 * second_length), first) ^ second


def _times(a: int, b: int) -> int:
    """The product of two polynomials, modulo the CRC-32 polynomial."""
    product = 0
    while a:
        if a & _ONE:
            product ^= b
        a = (a << 1) & 0xFFFFFFFF
        b = b >> 1 ^ _DIVISOR if b & 1 else b >> 1
    return product


def _power(n: int) -> int:
    """x to the power n, modulo the CRC-32 polynomial."""
    result, square = _ONE, _ONE >> 1
    while n:
        if n & 1:
            result = _times(result, square)
        square = _times(square, square)
        n >>= 1
    return result
