"""A large array for the canvas: its numbers as bytes, and the data from which the browser computes a cell's position.

>>> import numpy as np
>>> sheet, cells = sheet_of("x", np.zeros((300, 400), np.float32))
>>> sheet["rows"], sheet["columns"], sheet["dims"], len(cells)
(300, 400, [[300, 400], [400, 1]], 960000)
"""

from __future__ import annotations

from math import isfinite
from typing import Any

import numpy as np

from ..pictures.arrays.layout import WHOLE, Layout
from ..pictures.arrays.number_formats import BOOL, FORMATS, Float
from ..pictures.arrays.values import count, short
from ..pictures.drawing.tokens import EDGE, WIDTH, dark_of
from .module import shades

MOST = 1 << 18
"""The largest number of elements to send; of a larger array, every k-th row and column."""
LINE = 400
"""Numbers of a vector on one line."""

NOTHING: tuple[dict[str, Any], bytes] = ({}, b"")


def sheet_of(
    label: str, array: Any, ends: tuple[float, float] | None = None, least: int = WHOLE, room: int = WIDTH
) -> tuple[dict[str, Any], bytes]:
    """The sheet and its numbers; empty for an array of at most `least` elements, which is drawn whole, or whose
    elements are not real numbers. `ends` are the numbers with the palest and the deepest colour, if these are not the
    array's own; the canvas is `room` pixels wide, or as wide as its columns."""
    layout = Layout.of(array, values=False)
    if layout.numel <= least or layout.device == "meta":
        return NOTHING
    size = layout.size
    every = _every(size)
    try:
        numbers = _numbers(array, size, every)
    except (TypeError, ValueError, RuntimeError, NotImplementedError):
        return NOTHING
    filled = numbers.size
    if len(size) == 1:
        columns = min(LINE, filled)
        rows = -(-filled // columns)
        numbers = np.concatenate([numbers.ravel(), np.full(rows * columns - filled, np.nan)])
    else:
        rows, columns = numbers.shape
    finite = numbers[np.isfinite(numbers)]
    low, high = ends or ends_of(finite)
    scale = max(1, min(12, room // columns))
    sheet = {
        "label": label, "rows": rows, "columns": columns, "count": filled, "every": list(every),
        "line": LINE, "dims": [list(pair) for pair in zip(size, layout.stride, strict=True)], "offset": layout.offset,
        "itemsize": layout.itemsize, **_spelling(layout.dtype), "unit": "offset" if layout.in_elements else "byte",
        "scale": scale, "low": low, "high": high, "shades": shades(),
        "odd": [EDGE, dark_of()[EDGE]], "fact": _fact(layout, every, scale, finite.size < filled, low, high),
    }  # fmt: skip
    return sheet, np.ascontiguousarray(numbers, "<f8").tobytes()


def _spelling(dtype: str) -> dict[str, Any]:
    """How the browser writes a number, of which it has a double: as short as tells it from its neighbours.

    >>> _spelling("bool"), _spelling("float16"), _spelling("int64")
    ({'kind': 'bool', 'bits': 0}, {'kind': 'float', 'bits': 10}, {'kind': 'int', 'bits': 0})
    """
    form = FORMATS.get(dtype)
    if form is None or isinstance(form, Float):
        return {"kind": "float", "bits": 52 if form is None else form.mantissa}
    return {"kind": "bool" if form is BOOL else "int", "bits": 0}


def ends_of(numbers: np.ndarray) -> tuple[float, float]:
    """The smallest and the largest finite number, near enough to each other that their difference is finite, too."""
    finite = numbers[np.isfinite(numbers)]
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (0.0, 0.0)
    return (low, high) if isfinite(high - low) else (low / 2, high / 2)


def _every(size: tuple[int, ...]) -> tuple[int, int]:
    """The steps between the rows and columns that are sent, large enough to stay below `MOST`."""
    down, across = (1, size[-1]) if len(size) == 1 else size[-2:]
    if len(size) == 1:
        return 1, -(-across // MOST)
    rows = columns = 1
    while -(-down // rows) * -(-across // columns) > MOST:
        if down // rows >= across // columns:
            rows += 1
        else:
            columns += 1
    return rows, columns


def _numbers(array: Any, size: tuple[int, ...], every: tuple[int, int]) -> np.ndarray:
    """The part that is sent: the last two dimensions at index 0 of the others."""
    part = array[tuple(0 for _ in size[:-2])] if len(size) > 2 else array
    return as_numbers(part[:: every[1]] if len(size) == 1 else part[:: every[0], :: every[1]])


def as_numbers(part: Any) -> np.ndarray:
    """The elements of an array of any library as float64."""
    result = getattr(part, "_array", None)
    if not isinstance(result, np.ndarray):
        result = np.asarray(part.detach().cpu().resolve_conj() if hasattr(part, "detach") else part)
    if result.dtype.kind == "c":
        raise TypeError("a complex number has no one shade")
    return result.astype(np.float64)


def _fact(layout: Layout, every: tuple[int, int], scale: int, odd: bool, low: float, high: float) -> str:
    """What the canvas shows."""
    text = f"{count(layout.numel, 'cell')}, each {scale} px wide"
    if every != (1, 1):
        text = f"{count(layout.numel, 'cell')}; of each {every[0]:,} rows and {every[1]:,} columns one is drawn"
    if len(layout.size) > 2:
        text += f"; dimensions 0 to {len(layout.size) - 3} at 0"
    grey = " Grey cells hold no finite number." if odd else ""
    return f"{text}. The colour is weakest at {short(low)}, strongest at {short(high)}.{grey}"
