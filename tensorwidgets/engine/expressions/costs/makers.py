"""Costs of ops that make or repeat arrays: their arguments say how large."""

from __future__ import annotations

from collections.abc import Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from ...interop.foreign_arrays import NUMPY, is_array, library_of
from ..counting import CAP, numel, power, shape, times, whole, wholes
from .call import Call, Cost
from .linear import kept_parts

if TYPE_CHECKING:
    import numpy as np

    from ...tensor.tensor import Tensor
    from ...types.dtypes import dtype


def _made(n: int, steps: int = 8) -> Cost:
    return Cost(n, n * steps, n)


def sizes(call: Call, *numbers: Any) -> Cost:
    """A size as separate numbers or as one tuple: ``zeros(2, 3)``."""
    words = [v for k, v in call.kwargs.items() if k in ("size", "shape")]
    return _made(times(*wholes(*call.args, *words)), 20 if "rand" in call.name else 4)


def size_after_tensor(call: Call) -> Cost:
    """The same as a method: ``x.new_zeros(2, 3)``."""
    words = [v for k, v in call.kwargs.items() if k in ("size", "shape", "sizes")]
    return _made(times(*wholes(*call.args[1:], *words)))


def sized(call: Call, size: float | Sequence[int]) -> Cost:
    """A size in the first place: ``full((2, 3), 1)``."""
    return _made(max(times(*wholes(size)), call.stretched))


def like(call: Call, x: Tensor | ndarray | Sequence[int] | None, size: Any) -> Cost:
    """As large as another, or as NumPy's ``shape=`` says."""
    return _made(max(numel(x), call.stretched, times(*wholes(size)) if size is not None else 1), 20)


def strided(call: Call, size: Any, stride: Any) -> Cost:
    """As much memory as the last element lies away."""
    last = sum(times(n, s) for n, s in zip(wholes(size), wholes(stride), strict=False))
    return _made(min(last, CAP) + times(*wholes(size)))


def rows(call: Call, n: Any, m: ndarray | dtype | Sequence[int] | None, offset: tuple[int, ...] | None) -> Cost:
    """A matrix by its two sizes."""
    return _made(2 * times(whole(n), whole(m, whole(n))))


def triangle_indices(call: Call, n: int | ndarray, m: Any, k: Any) -> Cost:
    """Two indices for each element of the triangle of a matrix; the libraries order the numbers differently."""
    return _made(4 * times(whole(n), max(whole(n), whole(m), whole(k))))


def grid(call: Call) -> Cost:
    """NumPy's ``indices(shape)``, the indices of all elements; a sparse tensor's ``indices()`` are there already."""
    if call.args and library_of(call.args[0]) not in (None, NUMPY):
        return kept_parts(call)
    numbers = wholes(*call.args[:1], call.kwargs.get("dimensions", ()))
    return _made(times(len(numbers), *numbers))


def random_whole(call: Call) -> Cost:
    """The size comes last: ``randint(0, 9, (2, 3))``."""
    words = [v for k, v in call.kwargs.items() if k == "size"]
    return _made(times(*wholes(*(words or call.args[-1:]))), 20)


def counted(call: Call, n: Any) -> Cost:
    """One number says how many."""
    return _made(max(numel(n), whole(n)), 200)


def steps(call: Call, start: Any, end: Any, step: Any) -> Cost:
    """From one number to another in equal steps."""
    if end is None:
        start, end = 0, start
    try:
        a, b, by = float(start or 0), float(end), float(1 if step is None else step)
        far = abs((b - a) / by) if by else 0.0
    except (TypeError, ValueError, RuntimeError):
        return Cost()  # the op refuses what is not a number
    except OverflowError:
        return _made(CAP)
    return _made(min(int(far) + 2, CAP) if isfinite(far) else 1)


def spaced(call: Call, start: int | Sequence[int], end: int | None, many: int | None, base: Any) -> Cost:
    """The numbers between two, or between the elements of two arrays."""
    ends = max(numel(v) for v in (start, end, base))
    return _made(times(whole(many, 100), ends), 40)


def diagonals(call: Call, n: Any, ndim: Any) -> Cost:
    """One row of indices, handed out once for each dimension."""
    return Cost(whole(n), whole(n) * 4, objects=whole(ndim, 2))


def unravelled(call: Call, indices: Any, size: Any) -> Cost:
    """An index in each dimension for every number."""
    many = times(numel(indices), len(wholes(size)))
    return _made(many, 20)


def repeated(call: Call) -> Cost:
    """Elements again and again: ``x.repeat(2, 3)`` in PyTorch, ``np.repeat(x, 3, axis=0)`` in NumPy."""
    x, rest = call.first, call.args[1:]
    n = numel(x)
    words = [v for k, v in call.kwargs.items() if k in ("repeats", "reps", "dims", "sizes", "size")]
    each = (rest[:1] or words[:1] or [None])[0]
    if is_array(each) or isinstance(each, (list, tuple)) and len(each) == max([1, *shape(x)[:1]]):
        counts = wholes(each)
        most = sum(counts) if len(counts) > 1 else whole(each)
        along = times(most, n)  # each repetition is a whole row at most
    else:
        along = 0
    final = max(wholes(call.kwargs.get("output_size")))
    return _made(max(along, times(n, *wholes(*rest, *words)), times(final, n)), 20)


def tiled(call: Call) -> Cost:
    """The whole, again and again in each dimension."""
    words = [v for k, v in call.kwargs.items() if k in ("reps", "dims")]
    return _made(times(numel(call.first), *wholes(*call.args[1:], *words)))


def powers(call: Call, x: float | ndarray, n: Any) -> Cost:
    """A column for each power."""
    return _made(times(numel(x), whole(n, numel(x))), 40)


def diagonal_of(call: Call, x: Tensor | ndarray | Sequence[int] | None, offset: int | dtype | None, *more: Any) -> Cost:
    """A vector on the diagonal of a square, or the diagonal of a matrix; each row of a batch is one."""
    size = shape(x)
    if len(size) > 1 and call.name == "diag":
        return _made(numel(x))
    last = max([1, *size[-1:]]) if call.name == "diag_embed" else numel(x)
    shift = max([0, *wholes(offset, *more, call.kwargs.get("offset"))])
    return _made(times(numel(x) // last, last + shift, last + shift))


def triangle(call: Call, x: Tensor | ndarray | dtype, *more: Any) -> Cost:
    """As large as what it is taken of; NumPy makes a square of a vector."""
    n = numel(x)
    return _made(times(n, n) if len(shape(x)) == 1 else n)


def blocks(call: Call, *operands: Any) -> Cost:
    """All rows by all columns."""
    sizes_of = [(1, 1, *shape(a))[-2:] for a in call.arrays]
    return _made(times(sum(r for r, _ in sizes_of), sum(c for _, c in sizes_of)) + len(sizes_of) * 100)


def combinations(call: Call, x: Any, r: Any) -> Cost:
    """PyTorch makes all tuples, and drops those out of order."""
    many, wide = power(numel(x), whole(r, 2)), whole(r, 2)
    return _made(times(many, wide + 1), 20)


def window(call: Call, n: Any) -> Cost:
    """A window; its argument is the number of elements."""
    return _made(whole(n), 300)


def frames(call: Call, x: Any, n_fft: Any, hop: Any, wide: np.dtype, window_: Any) -> Cost:
    """A transform of each piece of a signal; a short hop makes many of them."""
    length = max([1, *shape(x)[-1:]])
    wide_ = max(whole(n_fft), whole(wide), 1)
    many = (length + 2 * wide_) // max(whole(hop, wide_ // 4), 1) + 2
    n = times(numel(x) // length, many, wide_, 2)
    return Cost(n, n * 30, 2 * n)


def unframed(call: Call, x: Any, n_fft: Any, hop: Any, wide: np.dtype, window_: Any, *more: Any) -> Cost:
    """A signal from its pieces, filled up to a length."""
    length = max([0, *wholes(*more[:1], call.kwargs.get("length"), *(v for v in more if type(v) is int))])
    n = times(numel(x), 4) + times(max([1, *shape(x)[-1:]]), whole(hop) + whole(n_fft)) + length
    return Cost(n, n * 30, 2 * n)
