"""How large are blocks and segments? Arithmetic on sizes alone.

>>> s = Settings()
>>> [rounded(n, s) for n in (1, 513, (1 << 20) + 1)]
[512, 1024, 1049088]
>>> [segment_size(rounded(n, s), s) >> 20 for n in (1, (1 << 20) + 1, 10 << 20, (20 << 20) + 1)]
[2, 20, 10, 22]
"""

from __future__ import annotations

from .settings import INTERVALS, MIB, Settings

SMALLEST = 512
"""Sizes of blocks are multiples of this."""
LARGEST_SMALL = MIB
"""Blocks up to this size come from the small pool."""
SMALL_SEGMENT = 2 * MIB
OWN_SEGMENT = 10 * MIB
"""A request of this size and more has a segment to itself, if none is free."""
SEGMENT_STEP = 2 * MIB
"""Sizes of such segments are multiples of this."""


def rounded(nbytes: int, settings: Settings) -> int:
    """The size of the block for a request."""
    if nbytes < SMALLEST:
        return SMALLEST
    divisions = settings.roundup_power2_divisions[min(max(nbytes.bit_length() - 21, 0), INTERVALS - 1)]
    if divisions > 1 and nbytes > SMALLEST * divisions:
        return next_division(nbytes, divisions)
    return -(-nbytes // SMALLEST) * SMALLEST


def next_division(nbytes: int, divisions: int) -> int:
    """The next size up, of `divisions` from one power of two to the next.

    >>> [next_division(n, 4) for n in (1024, 1025, 1200, 1300)]
    [1024, 1280, 1280, 1536]
    """
    step = (1 << nbytes.bit_length() - 1) // divisions
    return -(-nbytes // step) * step


def segment_size(size: int, settings: Settings) -> int:
    """How much to request from the driver when no free block holds `size` bytes."""
    if size <= LARGEST_SMALL:
        return SMALL_SEGMENT
    if size < OWN_SEGMENT:
        return settings.large_segment_size
    return -(-size // SEGMENT_STEP) * SEGMENT_STEP


def is_split(rest: int, size: int, small: bool, settings: Settings) -> bool:
    """Whether a block is split when `rest` bytes are left over."""
    if small:
        return rest >= SMALLEST
    return size < settings.max_split_size and rest > LARGEST_SMALL
