"""How does PyTorch's C++ print the numbers of a tensor? A few messages contain them so."""

from __future__ import annotations

from math import ceil, floor, isfinite, log10

import numpy as np

LINE = 80


def cpp_numbers(array: np.ndarray, name: str) -> str:
    """The numbers of an array of two dimensions or more, and its type.

    >>> print(cpp_numbers(np.array([[1, -20], [3, 4]]), "torch.LongTensor"))
      1 -20
      3   4
    [ torch.LongTensor{2,2} ]
    """
    parts = []
    if array.size:
        numbers = array.astype(np.float64)
        if array.ndim == 2:
            parts.append(_matrix(numbers, LINE, ""))
        else:
            outer = array.shape[:-2]
            for place in np.ndindex(outer[::-1]):  # the first dimension changes fastest
                at = place[::-1]
                head = "(" + "".join([f"{i + 1}," for i in at]) + ".,.) = \n"
                parts.append(head + _matrix(numbers[at], LINE, " "))
    size = ",".join(map(str, array.shape))
    return "\n".join(parts) + f"[ {name}{{{size}}} ]"


def _matrix(numbers: np.ndarray, width: int, indent: str) -> str:
    scale, size, style = _format(numbers)
    rows, columns = numbers.shape
    fit = (width - len(indent)) // (size + 1)
    text = ""
    for first in range(0, columns, fit):
        last = min(first + fit, columns)
        if fit < columns:
            text += ("\n" if first else "") + f"Columns {first + 1} to {last}{indent}"
        if scale != 1:
            text += f"{scale:g} *\n{indent}"
        between = "\n" + indent + (" " if scale != 1 else "")
        lines = [" ".join([f"{x / scale:{style}}".rjust(size) for x in row[first:last]]) for row in numbers]
        text += between.join(lines) + "\n"
    return text


def _format(numbers: np.ndarray) -> tuple[float, int, str]:
    """The factor before a matrix, the width of a number, and how it is written."""
    finite = [x for x in abs(numbers).ravel().tolist() if isfinite(x)]
    low, high = _digits(min(finite, default=0)), _digits(max(finite, default=0))
    if all([x == ceil(x) for x in finite]):
        return (1, 11, ".4e") if high > 9 else (1, high + 1, "g")
    if high - low > 4:
        return 1, 11 + (abs(high) > 99 or abs(low) > 99), ".4e"
    if high > 5 or high < 0:
        return 10.0 ** (high - 1), 7, ".4f"
    return 1, 7 if high == 0 else high + 6, ".4f"


def _digits(x: float) -> int:
    return floor(log10(x)) + 1 if x else 1
