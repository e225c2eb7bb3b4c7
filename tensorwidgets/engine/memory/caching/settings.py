"""Which settings does the caching allocator have, and what does `PYTORCH_CUDA_ALLOC_CONF` mean?

>>> read_settings("max_split_size_mb:32,garbage_collection_threshold:0.8")
Settings(max_split_size=33554432, garbage_collection_threshold=0.8)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, fields
from sys import maxsize
from typing import NoReturn

from ...errors.reasons import refuse

MIB = 1 << 20
INTERVALS = 16
"""Divisions of powers of two are set for each power from 1 MiB to 32 GiB and all above."""


@dataclass(frozen=True, repr=False)
class Settings:
    """The settings of a caching allocator; sizes are in bytes.

    >>> Settings()
    Settings()
    """

    max_split_size: int = maxsize
    """Blocks of this size and more are not split, and serve only requests of nearly their size."""
    max_non_split_rounding: int = 20 * MIB
    """How much larger than the request a block may be that is not split."""
    roundup_power2_divisions: tuple[int, ...] = (0,) * INTERVALS
    """How many sizes a request may be rounded up to between two powers of two, for each power from 1 MiB; 0: any."""
    garbage_collection_threshold: float = 0.0
    """The part of the allowed memory above which old free segments are returned; needs a bound on the memory."""
    large_segment_size: int = 20 * MIB
    """The size of segments for requests above 1 MiB that are too small to have one to themselves."""

    def __repr__(self) -> str:
        parts = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != f.default]
        return f"Settings({', '.join(parts)})"


def read_settings(text: str) -> Settings:
    """Read settings in PyTorch's notation: names and values with colons between them, separated by commas."""
    found: dict[str, int | float | tuple[int, ...]] = {}
    for name, value in _pairs(text):
        if name == "max_split_size_mb":
            megabytes = _integer(name, value)
            if megabytes <= 20:
                _wrong("CachingAllocator option max_split_size_mb too small, must be > 20")
            found["max_split_size"] = megabytes * MIB
        elif name == "max_non_split_rounding_mb":
            megabytes = _integer(name, value)
            if megabytes <= 20:
                _wrong("CachingAllocator option max_non_split_rounding_mb too small, must be > 20")
            found["max_non_split_rounding"] = megabytes * MIB
        elif name == "large_segment_size_mb":
            megabytes = _integer(name, value)
            if megabytes <= 20:
                _wrong("CachingAllocator option large_segment_size_mb too small, must be > 20")
            found["large_segment_size"] = megabytes * MIB
        elif name == "garbage_collection_threshold":
            threshold = float(value)
            if not 0 < threshold < 1:
                _wrong("garbage_collect_threshold is invalid, set it in (0.0, 1.0)")
            found["garbage_collection_threshold"] = threshold
        elif name == "roundup_power2_divisions":
            found["roundup_power2_divisions"] = _divisions(value)
        elif name == "expandable_segments":
            if value == "True":
                _no_expandable_segments()
        else:
            _wrong(f"Unrecognized CachingAllocator option: {name}")
    return Settings(**found)  # type: ignore[arg-type]


def _pairs(text: str) -> list[tuple[str, str]]:
    """Names and values: `a:1,b:[2:3,>:4]` has two."""
    parts = [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]
    pairs = []
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon:
            _wrong("Error parsing CachingAllocator settings, expected :")
        pairs.append((name.strip(), value.strip()))
    return pairs


def _divisions(value: str) -> tuple[int, ...]:
    """One number of divisions for all sizes, or a list such as `[256:1,512:2,>:4]` with sizes in MiB."""
    if not value.startswith("["):
        return (_power_of_two(value),) * INTERVALS
    divisions, last = [0] * INTERVALS, 0
    for entry in value.strip("[]").split(","):
        size, _, number = (part.strip() for part in entry.partition(":"))
        end = INTERVALS if size == ">" else min(_power_of_two(size).bit_length() - 1, INTERVALS - 1)
        divisions[last:end] = [_power_of_two(number)] * (end - last)
        last = end
    return tuple(divisions)


def _power_of_two(text: str) -> int:
    number = _integer("roundup_power2_divisions", text)
    if number < 1 or number & number - 1:
        _wrong("For roundups, the divisions has to be power of 2 ")
    return number


def _integer(name: str, value: str) -> int:
    if not value.isdecimal():
        _wrong(f"Error parsing CachingAllocator option {name}: expected a whole number, got {value}")
    return int(value)


def _wrong(message: str) -> NoReturn:
    refuse(
        RuntimeError, message, "the allocator's settings are names and values, as in max_split_size_mb:64",
        rule="allocator.settings",
    )  # fmt: skip


def _no_expandable_segments() -> NoReturn:
    refuse(
        RuntimeError,
        "expandable_segments is not supported",
        "an expandable segment maps memory page by page into one range of addresses; neither the simulated GPU nor "
        "main memory can do this here",
        "max_split_size_mb:64 against fragmentation",
        rule="allocator.expandable_segments",
    )
