"""Ranges of numbers: arange, range, linspace, logspace; tril_indices and triu_indices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...calling.arguments import as_int, as_number
from ...declare.creation import New, Target, creation_row
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.scalars import check_fits
from ...tensor.tensor import Tensor
from ...tensor.wrapping import place_of, wrap
from ...types import dtypes
from ...types.device import META
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import dtype
from .sequences import fill_arange, fill_linspace, fill_logspace, fill_range

_COUNTING = frozenset(
    (
        dtypes.uint8, dtypes.int8, dtypes.int16, dtypes.int32, dtypes.int64, dtypes.float16, dtypes.bfloat16,
        dtypes.float32, dtypes.float64,
    )
)  # fmt: skip
"""Returns the dtypes that PyTorch's kernels for these ops support."""


def _check_kernel(name: str, d: dtype, known: frozenset[dtype], meta: bool) -> None:
    if d not in known and not meta:
        refuse_dtype(name, d, "", "dtype=torch.int64")


# -- arange and range --------------------------------------------------------------------------------------------


def as_double(value: float) -> float:
    """Convert a number to a float; refuses complex numbers with an imaginary part."""
    check_fits(value, dtypes.float64)
    return float(value.real)


def as_int64(value: float) -> int:
    """Truncate a number to a 64-bit integer; refuses numbers that are too large."""
    check_fits(value, dtypes.int64)
    n = int(value.real)
    return n if n < 1 << 63 else n - (1 << 64)


def _check_bounds(start: float, end: float, step: float) -> None:
    if not (step > 0 or step < 0):
        refuse(RuntimeError, "step must be nonzero", "a step of 0 never reaches the end", rule="arange.step")
    _check_finite(start, end)
    _check_direction(start, end, step)


def _check_finite(start: float, end: float) -> None:
    if not (math.isfinite(start) and math.isfinite(end)):
        refuse(
            RuntimeError,
            f"unsupported range: {start:g} -> {end:g}",
            "the range must be finite",
            rule="arange.infinite",
        )


def _check_direction(start: float, end: float, step: float) -> None:
    if not (step > 0 and end >= start or step < 0 and end <= start):
        refuse(
            RuntimeError,
            "upper bound and lower bound inconsistent with step sign",
            f"from {start:g}, a step of {step:g} leads away from {end:g}",
            f"step={-step:g}",
            rule="arange.direction",
            start=start,
            end=end,
            step=step,
        )


def arange_count(start: int, end: float, step: int, d: dtype) -> int:
    """Returns the number of steps from start to end (exclusive).

    >>> arange_count(0, 5, 2, dtypes.int64)
    3
    """
    a, b, by = as_double(start), as_double(end), as_double(step)
    _check_bounds(a, b, by)
    if d is dtypes.int64:
        first, last, whole_step = as_int64(start), as_int64(end), as_int64(step)
        if whole_step == 0:
            refuse(ValueError, "step must be nonzero", f"as a whole number, the step {step} is 0", rule="arange.step")
        sign = 1 if whole_step > 0 else -1
        span = _wrapped(_wrapped(_wrapped(last - first) + whole_step) - sign)
        count = abs(span) // abs(whole_step) * (1 if span * whole_step >= 0 else -1)
    else:
        count = math.ceil((b - a) / by) if math.isfinite((b - a) / by) else -1
    _check_count(count)
    return count


def _check_count(count: int) -> None:
    """Refuse more steps than 64 bits can count."""
    if count == 1 << 63:
        refuse(
            RuntimeError,
            f"IntArrayRef contains an int that cannot be represented as a SymInt: {-count}",
            "the number of steps exceeds 64 bits",
            rule="arange.count",
        )
    if not 0 <= count < 1 << 63:
        refuse(
            RuntimeError,
            "invalid size, possible overflow?",
            "the number of steps exceeds 64 bits",
            rule="arange.count",
        )


def _check_meta(start: float, end: float, step: Any) -> None:
    """Run the checks of arange on the meta device, which differ in their order."""
    for name, value in (("start", start), ("end", end), ("step", step)):
        if isinstance(value, complex):
            refuse(
                AssertionError,
                f"arange does not support complex {name}",
                "complex numbers have no order to count in",
                rule="arange.complex",
            )
    if step and not math.isfinite(step):
        refuse(
            RuntimeError,
            f"step must be finite but got {step}",
            "an infinite step has no next element",
            rule="arange.step",
        )
    if step:
        _check_direction(float(start), float(end), float(step))


def _wrapped(n: int) -> int:
    return (n + (1 << 63)) % (1 << 64) - (1 << 63)


def _read_for(d: dtype, *values: Any) -> list:
    """Convert arguments as the kernel of a dtype does."""
    if d._kind == dtypes.INTEGER:
        return [as_int64(v) for v in values]
    if d.itemsize == 2:
        for v in values:
            check_fits(v, dtypes.float32)
    return [as_double(v) for v in values]


def _at_once(*numbers: Any) -> Tensor | None:
    """The fast path for integers, for which NumPy's arange agrees with PyTorch's."""
    if not 0 < len(numbers) < 4:
        return None
    for n in numbers:
        if type(n) is not int or not -_COUNTABLE < n < _COUNTABLE:
            return None
    start, end = (0, numbers[0]) if len(numbers) == 1 else numbers[:2]
    step = numbers[2] if len(numbers) == 3 else 1
    if step == 0 or (end - start) * step <= 0:
        return None
    try:
        return wrap(np.arange(start, end, step, dtype=np.int64), dtypes.int64)
    except (MemoryError, ValueError):
        return None


_COUNTABLE = 1 << 40


def fill_stepped(target: np.ndarray, start: int, step: int, d: dtype) -> None:
    first, by = _read_for(d, start, step)
    fill_arange(target, first, by, d)


@creation_row(
    "arange",
    "Returns the numbers from start to end (exclusive) with a given step.",
    fast=_at_once,
    kernel=fill_stepped,
)
def arange(end: float, start: int = 0, step: int = 1, **options: Any) -> New:
    start, end, step = as_number(start), as_number(end), as_number(step)
    target = Target("arange", **options)
    whole = all(isinstance(x, int) for x in (start, end, step))
    d = target.dtype or (dtypes.int64 if whole else dtypes.get_default_dtype())
    _check_kernel("arange_cpu", d, _COUNTING, target.meta)
    if target.meta:
        _check_meta(start, end, step)
    count = arange_count(start, end, step, d)
    if target.out is not None and target.out._array.size not in (0, count):
        _warn_count(target.out._array.shape, count)
    return target.new((count,), d, (start, step, d), any_size=True)


def _warn_count(size: tuple[int, ...], count: int) -> None:
    n = math.prod(size)
    warn(
        f"The number of elements in the out tensor of shape {list(size)} is {n} which does not match the computed "
        "number of "
        f"elements {count}. Note that this may occur as a result of rounding error. The out tensor will be resized to "
        "a "
        f"tensor of shape ({count},)."
    )


@creation_row(
    "range",
    "Returns the numbers from start to end (inclusive) with a given step. Deprecated in favour of `arange`.",
    kernel=fill_range,
)
def range_(start: Any, end: Any, step: float = 1, **options: Any) -> New:
    warn(
        "torch.range is deprecated and will be removed in a future release because its behavior is inconsistent with "
        "Python's range builtin. Instead, use torch.arange, which produces values in [start, end)."
    )
    start, end, step = as_number(start), as_number(end), as_number(step)
    target = Target("range", **options)
    d = target.dtype or dtypes.get_default_dtype()
    _check_kernel("range_cpu", d, _COUNTING, False)
    if d.itemsize == 2 and d._kind == dtypes.FLOAT:
        _read_for(d, start, end, step)
    a, b, by = as_double(start), as_double(end), as_double(step)
    _check_bounds(a, b, by)
    first, last, step_read = _read_for(d, start, end, step)
    if step_read == 0:
        refuse(RuntimeError, "step must be nonzero", f"as a whole number, the step {step} is 0", rule="arange.step")
    count = int((b - a) / by + 1) if d._kind == dtypes.FLOAT else int((last - first) / step_read + 1)
    _check_count(count)
    return target.new((count,), d, (first, step_read, d), any_size=True)


# -- linspace and logspace ---------------------------------------------------------------------------------------


def _end_points(name: str, start: Tensor | float, end: Tensor | float, meta: bool) -> tuple[Any, Any]:
    tensors = {word: x for word, x in (("start", start), ("end", end)) if isinstance(x, Tensor)}
    if any(x._array.ndim for x in tensors.values()):
        result = " and ".join([f"{word} with {x._array.ndim} dimension(s)" for word, x in tensors.items()])
        name, received = ("linspace", "") if meta else (name, f", but got {result}.")
        refuse(
            RuntimeError,
            f"{name} only supports 0-dimensional start and end tensors{received}",
            f"each end is one number, and here is {result}",
            "start.item()",
            rule="linspace.dims",
        )
    return _end(start), _end(end)


def _end(x: Any) -> Any:
    """Returns an endpoint as a Python number; 0 for a meta tensor."""
    return x._dtype._in_numpy.type(0).item() if not place_of(x).has_numbers else as_number(x)


def _check_steps(count: int) -> None:
    if count < 0:
        words = f"{count} steps cannot be taken"
        refuse(RuntimeError, "number of steps must be non-negative", words, rule="linspace.steps")


def _spaced(name: str, start: Any, end: Any, steps: Any, *more: Any, **options: Any) -> New:
    """The rule of linspace and logspace, whose kernel is given the ends and `more`."""
    if options.get("device") is None and any(not place_of(x).has_numbers for x in (start, end)):
        options["device"] = META
    start, end = _end_points(name, start, end, options.get("device") is META)
    count = as_int(steps)
    if options.get("out") is None:
        _check_steps(count)
    target = Target(name, **options)
    _check_steps(count)
    is_complex = isinstance(start, complex) or isinstance(end, complex)
    d = target.dtype or (dtypes.default_complex() if is_complex else dtypes.get_default_dtype())
    if is_complex and d._kind != dtypes.COMPLEX and (target.out is None or target.meta):
        inferred = dtypes.default_complex()
        part = "double" if inferred is dtypes.complex128 else "float"
        words = f"torch.{name}(): inferred dtype c10::complex<{part}>", d._type_name
        if target.meta:
            words = f"linspace(): inferred dtype {inferred}", str(d)
        refuse(
            RuntimeError,
            f"{words[0]} can't be safely cast to passed dtype {words[1]}",
            f"{d} has no imaginary part",
            "dtype=torch.complex64",
            rule="linspace.complex",
        )
    if count > 1:
        _check_kernel(f"{name}_cpu", d, _COUNTING | {dtypes.complex64, dtypes.complex128}, target.meta)
    return target.new((count,), d, (start, end, *more, d), any_size=True)


@creation_row("linspace", "Returns evenly spaced numbers from start to end (inclusive).", kernel=fill_linspace)
def linspace(start: Tensor | float, end: Tensor | float, steps: int, **options: Any) -> New:
    return _spaced("linspace", start, end, steps, **options)


@creation_row(
    "logspace",
    "Returns powers of a base with evenly spaced exponents from start to end (inclusive).",
    kernel=fill_logspace,
)
def logspace(start: Any, end: Any, steps: Tensor | int, base: float = 10.0, **options: Any) -> New:
    return _spaced("logspace", start, end, steps, as_double(base if type(base) is int else as_number(base)), **options)


# -- the indices of a triangle -----------------------------------------------------------------------------------


def _triangle(name: str, upper: bool, row: int, col: int, offset: int, options: dict) -> New:
    rows, columns, shift = as_int(row), as_int(col), as_int(offset)
    for word, n in (("row", rows), ("col", columns)):
        if n < 0:
            blank = " " if options.get("device") is META else ""
            words = f"{word} must be non-negative, got{blank}{n}"
            refuse(RuntimeError, words, f"{n} is not a size", rule="size.negative")
    target = Target(name, **options)
    d = target.dtype or dtypes.int64
    if target.meta and d not in (dtypes.int32, dtypes.int64):
        refuse(
            RuntimeError,
            f"\"{name}\" not implemented for '{d}'",
            "indices must be int32 or int64",
            "dtype=torch.int64",
            rule="creation.dtype",
        )
    _check_kernel(name, d, frozenset((dtypes.int32, dtypes.int64)), False)
    count = columns * rows - _clipped(shift, columns, rows) if upper else _clipped(shift + 1, columns, rows)
    return target.new((2, count), d, (upper, rows, columns, shift))


def fill_triangle(target: np.ndarray, upper: bool, rows: int, columns: int, shift: int) -> None:
    """Write the row and column indices of the elements of a triangle."""
    count = target.shape[1]
    if not count:
        return
    start, stop = (0, min(rows, columns - shift)) if upper else (max(0, -shift), rows)
    places = np.arange(start, stop, like=target)
    ahead = np.clip(places + shift + (not upper), 0, columns)
    widths = columns - ahead if upper else ahead
    before = np.cumsum(widths) - widths - (ahead if upper else 0)
    target[0] = np.repeat(places, widths)
    target[1] = np.arange(count, like=target) - np.repeat(before, widths)


def _clipped(first: int, most: int, count: int) -> int:
    """The sum of `first`, `first + 1`, … (this many numbers), where each is at least 0 and at most `most`.

    >>> _clipped(-1, 2, 5)  # 0 + 0 + 1 + 2 + 2
    5
    """
    start = min(max(0, -first), count)
    stop = min(max(start, most - first), count)
    return (start + first + stop - 1 + first) * (stop - start) // 2 + most * (count - stop)


@creation_row(
    "tril_indices",
    "Returns the row and column indices of the lower triangle of a matrix.",
    category="other",
    kernel=fill_triangle,
)
def tril_indices(row: int, col: int, offset: int = 0, **options: Any) -> New:
    return _triangle("tril_indices", False, row, col, offset, options)


@creation_row(
    "triu_indices",
    "Returns the row and column indices of the upper triangle of a matrix.",
    category="other",
    kernel=fill_triangle,
)
def triu_indices(row: int, col: int, offset: int = 0, **options: Any) -> New:
    return _triangle("triu_indices", True, row, col, offset, options)
