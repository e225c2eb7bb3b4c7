"""Which settings does the caching allocator have, and what does `PYTORCH_CUDA_ALLOC_CONF` mean?

>>> read_settings("max_split_size_mb:32,garbage_collection_threshold:0.8")
Settings(max_split_size=33554432, garbage_collection_threshold=0.8)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields
from sys import maxsize
from typing import NoReturn

from ...errors.reasons import refuse

MIB = 1 << 20
INTERVALS = 16
"""Divisions of powers of two are set for each power from 1 MiB to 32 GiB and all above."""

WITHOUT_EFFECT = (
    "release_lock_on_cudamalloc", "pinned_use_cuda_host_register", "pinned_num_register_threads",
    "pinned_use_background_threads", "graph_capture_record_stream_reuse",
)  # fmt: skip
"""Settings of PyTorch that are accepted and change nothing here."""


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

    text: str = field(default="", compare=False)
    """The settings as they were written."""

    def __repr__(self) -> str:
        changed = [f.name for f in fields(self) if f.compare and getattr(self, f.name) != f.default]
        parts = [f"{name}={getattr(self, name)}" for name in changed]
        return f"Settings({', '.join(parts)})"


def read_settings(text: str) -> Settings:
    """Read settings in PyTorch's notation: names and values with colons between them, separated by commas."""
    found: dict[str, int | float | str | tuple[int, ...]] = {"text": text}
    for name, value in _pairs(text):
        if name in ("max_split_size_mb", "max_non_split_rounding_mb"):
            found[name.removesuffix("_mb")] = max(_integer(value), 20) * MIB
        elif name == "large_segment_size_mb":
            megabytes = _integer(value)
            if megabytes <= 10:
                _wrong("CachingAllocator option large_segment_size_mb must be > 10 MB")
            found["large_segment_size"] = megabytes * MIB
        elif name == "garbage_collection_threshold":
            threshold = _fraction(value)
            if not 0 < threshold < 1:
                _wrong("garbage_collect_threshold is invalid, set it in (0.0, 1.0)")
            found["garbage_collection_threshold"] = threshold
        elif name == "roundup_power2_divisions":
            found["roundup_power2_divisions"] = _divisions(value)
        elif name == "expandable_segments":
            if value not in ("True", "False"):
                _wrong(f"Expected 'True' or 'False' at index 2 in ConfigTokenizer but got '{value}'")
            if value == "True":
                _no_expandable_segments()
        elif name == "backend":
            if value != "native":
                _wrong(f"the backend {value} is not supported")
        elif name not in WITHOUT_EFFECT:
            _wrong(f"Unrecognized key '{name}' in CUDA allocator config.")
    return Settings(**found)  # type: ignore[arg-type]


def _pairs(text: str) -> list[tuple[str, str]]:
    """Names and values: `a:1,b:[2:3,>:4]` has two."""
    parts = [part.strip() for part in re.split(r",(?![^\[]*\])", text) if part.strip()]
    pairs = []
    for part in parts:
        name, colon, value = part.partition(":")
        if not colon:
            _wrong(f"Expected ':' after '{name}' in the allocator's settings")
        pairs.append((name.strip(), value.strip()))
    return pairs


def _divisions(value: str) -> tuple[int, ...]:
    """One number of divisions for all sizes, or a list such as `[256:1,512:2,>:4]` with sizes in MiB."""
    if not value.startswith("["):
        number = _integer(value)
        if not _is_power_of_two(number):
            _wrong("For roundups, the divisions has to be power of 2 ")
        return (number,) * INTERVALS
    divisions, last = [0] * INTERVALS, 0
    for entry in value.strip("[]").split(","):
        size, _, text = (part.strip() for part in entry.partition(":"))
        end, number = INTERVALS, _integer(text)
        if size != ">":
            if not _is_power_of_two(_integer(size)):
                _wrong("For roundups, the intervals have to be power of 2 ")
            end = min(_integer(size).bit_length() - 1, INTERVALS - 1)
        if number and not _is_power_of_two(number):
            _wrong("For roundups, the divisions has to be power of 2 or 0 to disable roundup ")
        divisions[last:end] = [number] * (end - last)
        last = max(last, end)
    return tuple(divisions)


def _is_power_of_two(number: int) -> bool:
    return number > 0 and not number & number - 1


def _integer(value: str) -> int:
    """The digits that a value begins with."""
    digits = re.match(r"\s*\+?(\d+)", value)
    if digits is None:
        _wrong("stoull")
    return int(digits[1])


def _fraction(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        _wrong("stod")


def _wrong(message: str) -> NoReturn:
    refuse(
        ValueError, message, "the allocator's settings are names and values, as in max_split_size_mb:64",
        "max_split_size_mb:64,garbage_collection_threshold:0.8", rule="allocator.settings",
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
