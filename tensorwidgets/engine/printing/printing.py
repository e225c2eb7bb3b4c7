"""PyTorch's printed form of a tensor, to the character.

Printing takes three steps. The *window* is the part of the array that is printed: all of it, or its edges if it
is long; no other element is read. The *cells* are the elements of the window as text, all in one notation that
depends on the finite nonzero elements. The *brackets* arrange the cells in nested lines. The suffixes (``dtype=``,
``size=`` …) are appended at the end.

>>> print(tensor_repr(np.array([[0.5, -2], [1e-3, 4]]), float64))
tensor([[ 5.0000e-01, -2.0000e+00],
        [ 1.0000e-03,  4.0000e+00]], dtype=torch.float64)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, ParamSpec

import numpy as np
from numpy import ndarray

from ..types.dtypes import bool_, complex64, complex128, float64, get_default_dtype, int64
from ..types.dtypes import dtype as DType
from ..types.print_options import (
    PrintOptions,
    get_printoptions,
    options,
    printoptions,
    set_printoptions,
    why_printing_failed,
)

__all__ = [
    "PrintOptions", "get_printoptions", "printoptions", "set_printoptions",
    "tensor_repr", "values_text", "with_suffixes",
]  # fmt: skip

P = ParamSpec("P")


def _explain_settings(function: Callable[P, str]) -> Callable[P, str]:
    """Explain errors that invalid print options cause: like PyTorch, `set_printoptions` does not check them."""

    @wraps(function)
    def printer(*args: P.args, **kwargs: P.kwargs) -> str:
        try:
            return function(*args, **kwargs)
        except (TypeError, ValueError, OverflowError, RuntimeError) as error:
            reason = None if hasattr(error, "reason") else why_printing_failed(error)
            if reason is None:
                raise
            raise reason.exception() from None

    return printer


# --- the whole text ---


@_explain_settings
def tensor_repr(
    values: ndarray,
    dtype: DType,
    *,
    device: str | None = None,
    requires_grad: bool = False,
    grad_fn: Any = None,
    names: tuple[str | None, ...] | None = None,
    default_dtype: DType | None = None,
    prefix: str = "tensor(",
    contents: str | None = None,
) -> str:
    """Returns the text ``tensor(...)``, with `contents` in place of the numbers where they are given.

    For a meta tensor only ``values.shape`` is read.

    >>> tensor_repr(np.zeros((0, 3)), float64, requires_grad=True)
    'tensor([], size=(0, 3), dtype=torch.float64, requires_grad=True)'
    >>> tensor_repr(np.arange(3), int64, names=("C",))
    "tensor([0, 1, 2], names=('C',))"
    """
    default = default_dtype or get_default_dtype()
    shape = tuple(values.shape)
    suffixes = []
    if device is not None and device != "cpu":
        suffixes.append(f"device='{device}'")
    if device == "meta":
        text, show_size, show_dtype = "...", True, dtype is not default
    elif 0 in shape:
        # Without elements, no decimal point shows whether the dtype is int64 or the default.
        text, show_size, show_dtype = "[]", len(shape) != 1, dtype is not default
    else:
        text = values_text(values, dtype, len(prefix)) if contents is None else ""
        show_size, show_dtype = not options.edgeitems, not goes_without_saying(dtype, default)
    if show_size:
        suffixes.append(f"size={shape}")
    if show_dtype:
        suffixes.append(f"dtype={dtype}")
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{type(grad_fn).__name__}>")
    elif requires_grad:
        suffixes.append("requires_grad=True")
    if names is not None and any(name is not None for name in names):
        suffixes.append(f"names={names}")
    return with_suffixes(prefix + (text if contents is None else contents), suffixes, len(prefix))


def goes_without_saying(dtype: DType, default: DType | None = None) -> bool:
    """Returns whether the printed numbers imply the dtype."""
    default = default or get_default_dtype()
    return dtype in (default, int64, bool_, complex128 if default is float64 else complex64)


def with_suffixes(text: str, suffixes: Sequence[str], indent: int, new_line: bool = False) -> str:
    """Append suffixes and the closing bracket; a suffix that does not fit on the line starts a new one.

    ``new_line`` puts the first suffix on a new line in any case, as sparse tensors do.

    >>> print(with_suffixes("tensor([1, 2]", ["size=(2,)", "nnz=2"], 7, new_line=True))
    tensor([1, 2],
           size=(2,), nnz=2)
    """
    # The count starts at 2, as in PyTorch, so lines break slightly before the line width.
    length = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if new_line or length + len(suffix) + 2 > options.linewidth:
            text += ",\n" + " " * indent + suffix
            length = indent + len(suffix)
            new_line = False
        else:
            text += ", " + suffix
            length += len(suffix) + 2
    return text + ")"


@_explain_settings
def values_text(values: np.ndarray, dtype: DType, indent: int) -> str:
    """Returns the elements in brackets; each line after the first is indented by ``indent`` spaces.

    >>> print(values_text(np.eye(2, dtype=bool), bool_, 4))
    [[ True, False],
         [False,  True]]
    """
    if values.size == 0:
        return "[]"
    gaps: list[int | None] = [None] * values.ndim
    if values.size > options.threshold and values.ndim:
        if not options.edgeitems:
            return "[...]"
        values, gaps = _window(values, options.edgeitems)
    cells, width = _cells(values.reshape(-1).tolist(), dtype)
    return _brackets(cells, width, values.shape, gaps, indent)


# --- the window ---


def _window(values: np.ndarray, edge: int) -> tuple[np.ndarray, list[int | None]]:
    """Returns the edges of a long array and, for each dimension, the number of items before the gap."""
    kept: list[Sequence[int]] = []
    gaps: list[int | None] = []
    last = values.ndim - 1
    for axis, size in enumerate(values.shape):
        head, tail, gap = range(size), range(0), None
        if size > 2 * edge:
            # PyTorch slices vectors and indexes other dimensions item by item; negative or fractional edges differ.
            if axis == last:
                head, tail = range(size)[:edge], range(size)[-edge:]
            else:
                head, tail = range(edge), range(size - edge, size)
                if not head:
                    raise RuntimeError("stack expects a non-empty TensorList")
            gap = len(head)
        kept.append([*head, *tail])
        gaps.append(gap)
    return values[np.ix_(*kept)], gaps


# --- the cells ---


def _cells(elements: list, dtype: DType) -> tuple[list[str], int]:
    """Returns each element as text, and the column width that PyTorch uses to break lines."""
    if dtype.is_complex:
        real, width = _floats([z.real for z in elements])
        imag, imag_width = _floats([z.imag for z in elements])
        signed = [text if text[0] == "-" else "+" + text for text in imag]
        return [a.rjust(width) + b + "j" for a, b in zip(real, signed, strict=True)], width + imag_width + 1
    if dtype.is_floating_point:
        texts, width = _floats(elements)
    else:
        texts = list(map(str, elements))
        width = max(map(len, texts), default=1)
    return [text.rjust(width) for text in texts], width


def _floats(elements: list[float]) -> tuple[list[str], int]:
    """Format floats in one notation; only finite nonzero elements decide the notation and the width."""
    significant = [x for x in elements if x and x - x == 0.0]
    if not significant:
        return [_with_point(x) for x in elements], 1
    if _scientific(significant):
        texts = list(map(f"{{:.{options.precision}e}}".format, elements))
    elif all(map(float.is_integer, significant)):
        texts = list(map(_with_point, elements))
    else:
        texts = list(map(f"{{:.{options.precision}f}}".format, elements))
    if len(significant) == len(elements):
        return texts, max(map(len, texts))
    return texts, max(len(text) for text, x in zip(texts, elements, strict=True) if x and x - x == 0.0)


def _scientific(significant: list[float]) -> bool:
    if options.sci_mode is not None:
        return options.sci_mode
    sizes = list(map(abs, significant))
    least, most = min(sizes), max(sizes)
    return most > 1e8 or least < 1e-4 or most / least > 1000.0


def _with_point(x: float) -> str:
    return f"{x:.0f}." if x - x == 0.0 else f"{x:.0f}"


# --- the brackets ---


def _brackets(cells: list[str], width: int, shape: tuple[int, ...], gaps: list[int | None], indent: int) -> str:
    """Arrange cells in nested brackets, with as many per line as fit."""
    if not shape:
        return cells[0]
    depth = len(shape) - 1
    per_line = max(1, math.floor((options.linewidth - indent - depth) / (width + 2)))
    break_line = ",\n" + " " * (indent + depth + 1)
    parts = []
    for row in _groups(cells, shape[-1], gaps[-1], " ..."):
        lines = [", ".join(row[at : at + per_line]) for at in range(0, len(row), per_line)]
        parts.append("[" + break_line.join(lines) + "]")
    for axis in range(depth - 1, -1, -1):
        between = "," + "\n" * (depth - axis) + " " * (indent + axis + 1)
        parts = ["[" + between.join(group) + "]" for group in _groups(parts, shape[axis], gaps[axis], "...")]
    return parts[0]


def _groups(parts: list[str], size: int, gap: int | None, mark: str) -> list[list[str]]:
    """Split the parts into groups of ``size``, with a mark in each where items are left out.

    >>> _groups(["1", "2", "8", "9"], 4, 2, "...")
    [['1', '2', '...', '8', '9']]
    """
    groups = [parts[at : at + size] for at in range(0, len(parts), size or 1)] or [[]]
    if gap is not None:
        for group in groups:
            group.insert(gap, mark)
    return groups
