"""Which random integers can a dtype hold? Bounds that it cannot hold are moved or refused."""

from __future__ import annotations

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...errors.warnings import warn
from ...types import dtypes
from ...types.cpp_names import cpp_name
from ...types.dtypes import BOOL, COMPLEX, FLOAT, dtype
from .distributions import (
    DIGITS,
)
from .sampling import no_such_numbers, out_of_range


def checked_range(low: int, high: int, d: dtype) -> tuple[int, int]:
    """The bounds of whole numbers that a dtype can hold; floats that skip some are rounded to what they hold."""
    if low >= high:
        out_of_range(
            f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}",
            f"there is no whole number from {low} up to, and without, {high}",
        )
    if d._kind == FLOAT:
        no_such_numbers("random_update_from_to", d, FLOAT)
        low, high = held_from(low, d), _held_to(high, d)
        if low >= high:
            out_of_range(
                "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got "
                f"from={low} >= to={high}",
                f"{d} holds no whole number in between",
            )
    check_bounds(low, high - 1, d)
    return low, high


def held_from(low: int, d: dtype) -> int:
    """The lowest number at or above a bound that a float holds, where the next one is rounded down past it."""
    rounded = _as_held(low + 1, d)
    return low if rounded >= low else rounded + (1 << (abs(low + 1).bit_length() - DIGITS[d]))


def _held_to(high: int, d: dtype) -> int:
    rounded = _as_held(high - 1, d)
    return high if rounded < high else rounded - (1 << (abs(high - 1).bit_length() - DIGITS[d]))


def _as_held(n: int, d: dtype) -> int:
    """A whole number as a float holds it; where it is beyond all of them, a processor says this."""
    held = float(n) if d is dtypes.float64 else float(quietly(np.float32(n).astype, d._in_numpy))
    return int(held) if abs(held) < 2.0**63 else -(2**63)


def check_bounds(low: int, last: int, d: dtype) -> None:
    """Refuse bounds that a dtype cannot hold, and warn where its floats are too far apart for every whole number."""
    if d._kind == COMPLEX:
        out_of_range(
            "check_random_bounds handles only integral, floating-point and boolean types",
            "complex numbers have no order, so there are none between two bounds",
        )
    if d._kind == FLOAT:
        digits, largest = DIGITS[d], _LARGEST[d]
        for name, bound in (("from", low), ("to - 1", last)):
            if abs(bound) > largest:
                out_of_range(f"{name} is out of bounds for {cpp_name(d)}", f"{d} ends at {largest:g}")
        for name, bound in (("from", low), ("to - 1", last)):
            if abs(bound) > 1 << digits:
                warn(
                    f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                    f"{cpp_name(d)} can support discrete uniform distribution only within this range. This warning "
                    "will become an error in version 1.7 release, please fix the code in advance",
                )
        return
    least, most = (0, 1) if d._kind == BOOL else (int(np.iinfo(d._in_numpy).min), int(np.iinfo(d._in_numpy).max))
    for name, bound in (("from", low), ("to - 1", last)):
        if not least <= bound <= most:
            out_of_range(f"{name} is out of bounds for {cpp_name(d)}", f"{d} holds {least} to {most}")


_LARGEST = {dtypes.float64: 1.8e308, dtypes.float32: 3.4e38, dtypes.float16: 65504.0, dtypes.bfloat16: 3.38e38}
