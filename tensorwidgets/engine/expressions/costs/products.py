"""Costs of ops that combine all pairs: matrix products, einsum, distances."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from numpy import ndarray

from ...interop.foreign_arrays import is_array
from ..counting import CAP, Shape, arrays, logarithm, numel, shape, times, together, whole
from .call import Call, Cost, Uncounted

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor

OPERANDS = 16
"""Operands of an einsum or of a product of many."""


def _meet(out: int, depth: int, *operands: Any) -> Cost:
    """The cost of this number of elements, each a sum of products; BLAS computes floating point."""
    fast = all(re.search(r"float(32|64)|complex", str(getattr(a, "dtype", ""))) for a in operands)
    steps = times(out, depth)
    scratch = sum(map(numel, operands))
    return Cost(out, (steps // 3 if fast else steps * 6) + 4 * out, scratch + out)


def _matrix(s: Shape, first: bool) -> Shape:
    return s if len(s) > 1 else (1, *s) if first and s else (*s, 1) if s else (1, 1)


def matmul(call: Call, a: Any, b: Any) -> Cost:
    one, other = _matrix(shape(a), True), _matrix(shape(b), False)
    batch = together([one[:-2], other[:-2]])
    cost = _meet(times(batch, one[-2], other[-1]), max(one[-1], other[-2], 1), a, b)
    return cost._replace(
        scratch=cost.scratch + times(batch, numel(a) // times(*one[:-2]) + numel(b) // times(*other[:-2]))
    )


def added_matmul(call: Call, x: Tensor | int, a: Any, b: Any) -> Cost:
    """A product, and what it is added to; `addbmm` sums over the batch."""
    cost = matmul(call, a, b)
    return cost._replace(elements=max(cost.elements, numel(x)), scratch=cost.scratch + numel(x))


def either(call: Call, a: ndarray | None, b: ndarray | None) -> Cost:
    """The product of a matrix and vectors, from the left or from the right."""
    n = times(together([shape(a)[:-2], shape(b)[:-1]]), *shape(a)[-2:])
    m = times(together([shape(b)[:-2], shape(a)[:-1]]), *shape(b)[-2:])
    return _meet(max(n, m), 1, a, b)


def rows_by_rows(call: Call, a: Tensor | bool, b: float | None) -> Cost:
    """Each row of one with each row of the other."""
    depth = max([1, *shape(a)[-1:], *shape(b)[-1:]])
    last, other = max([1, *shape(a)[-1:]]), max([1, *shape(b)[-1:]])
    return _meet(times(numel(a) // last, numel(b) // other), depth, a, b)


def dot(call: Call, a: Tensor | ndarray | None, b: Any) -> Cost:
    """NumPy's dot: the last dimension of one meets the last but one of the other."""
    depth, last = max([1, *shape(a)[-1:]]), max([1, *(shape(b)[-2:-1] or shape(b)[-1:])])
    return _meet(times(numel(a) // depth, numel(b) // last), max(depth, last), a, b)


def distances(call: Call, a: Any, b: Any, p: Any) -> Cost:
    """One number for each pair of rows; the steps of a difference, a power and a root for each element."""
    one, other = (1, 1, *shape(a)), (1, 1, *shape(b))
    out = times(together([one[:-2], other[:-2]]), one[-2], other[-2])
    return Cost(out, times(out, max(one[-1], other[-1]), 40 if p not in (None, 1, 2) else 4), 2 * out)


def outer(call: Call) -> Cost:
    """Each element of one with each of the others."""
    n = times(*map(numel, call.given))
    return Cost(n, n * 6, n)


def added_outer(call: Call, x: Tensor | None, a: float | None, b: Any) -> Cost:
    n = together([shape(x), (numel(a), numel(b))])
    return Cost(n, n * 8, n)


def grids(call: Call) -> Cost:
    """All pairings, once for each operand."""
    many = arrays(call.given)
    n = times(len(many), *map(numel, many))
    return Cost(n, n * 20, n)


def slid(call: Call, a: tuple[int, ...], b: Any) -> Cost:
    """One signal slid over another."""
    n = numel(a) + numel(b)
    return Cost(n, times(numel(a), numel(b)) + 4 * n, n)


def covariances(call: Call, x: Any, y: Any) -> Cost:
    """Every row with every row, or every column with every column."""
    if y is not None and not is_array(y):
        y = None
    rows, columns = (1, 1, *shape(x))[-2:]
    if y is not None:
        rows, columns = rows + (1, 1, *shape(y))[-2], columns + (1, 1, *shape(y))[-1]
    by_columns = any(v is False or type(v) is int and not v for v in call.given)
    side = max(rows, columns) if by_columns else rows
    return Cost(times(side, side), times(side, rows, columns) + call.total * 20, 3 * call.total + times(side, side))


def tensordot(call: Call, a: ndarray, b: ndarray, dims: int) -> Cost:
    """Elements of the result, each a sum over the dimensions that meet."""
    one, other = shape(a), shape(b)
    if dims is None or isinstance(dims, int) and not isinstance(dims, bool):
        n = min(whole(dims, 2), 64)
        met = [times(*one[max(len(one) - n, 0) :]) if n else 1, times(*other[:n])]
    elif isinstance(dims, (list, tuple)) and len(dims) == 2:
        met = [_met(one, dims[0]), _met(other, dims[1])]
    else:
        met = [1, 1]
    return _meet(times(numel(a) // met[0], numel(b) // met[1]), max(met), a, b)


def _met(size: Shape, dims: Any) -> int:
    return (
        times(*(size[d] for d in {d % len(size) for d in _numbers(dims) if -len(size) <= d < len(size)})) if size else 1
    )


def _numbers(dims: Any) -> list[int]:
    return [d for d in (dims if isinstance(dims, (list, tuple)) else [dims]) if type(d) is int]


def einsum(call: Call, equation: str, *operands: Any) -> Cost:
    """The whole space of indices is walked, letters that are summed among them."""
    many = [*arrays([equation]), *arrays(operands)]
    if len(many) > OPERANDS:
        raise Uncounted(f"{len(many)} operands")
    optimize = call.kwargs.get("optimize")
    if optimize is not None and not isinstance(optimize, bool):
        raise Uncounted("optimize")
    space = times(*map(numel, many))
    if isinstance(equation, str):
        space = min(space, _space(equation, many))
    scratch = space if len(many) > 2 else 2 * sum(map(numel, many))
    out = min(space, _space(equation, many, output=True)) if isinstance(equation, str) else space
    return Cost(out, space * (3 if len(many) > 1 else 8) + sum(map(numel, many)) * 8, min(scratch, CAP) + out)


def _space(equation: str, operands: list[Any], output: bool = False) -> int:
    """Elements of the space of all letters, or of those that are kept; `...` is what letters leave over."""
    inputs, arrow, kept = equation.replace(" ", "").partition("->")
    length: dict[str, int] = {}
    left: list[Shape] = []
    for term, operand in zip(inputs.split(","), operands, strict=False):
        size = shape(operand)
        head, dots, tail = term.partition("...")
        at = len(size) - len(tail) if dots else len(head)
        named = [*zip(head, size, strict=False), *(zip(tail, size[max(at, 0) :], strict=False) if dots else ())]
        for letter, n in named:
            length[letter] = max(n, length.get(letter, 1))
        left.append(size[len(head) : max(at, len(head))])
    if output:
        letters = kept if arrow else "".join(c for c in length if inputs.count(c) == 1)
        return times(together(left), *(length.get(c, 1) for c in set(letters) - {"."}))
    return times(together(left), *length.values())


def chained(call: Call) -> Cost:
    """Several products, in the order that costs least; no one of them is larger than the largest sizes."""
    many = call.arrays
    if len(many) > OPERANDS:
        raise Uncounted(f"{len(many)} operands")
    side = max([1, *(n for a in many for n in shape(a))])
    between = [shape(a)[-1] for a in many[:-1] if shape(a)]
    ends = [*(shape(a)[-2] for a in many[:1] if len(shape(a)) > 1), *(shape(a)[-1] for a in many[-1:] if shape(a))]
    largest = max([1, *between, *ends])
    cost = _meet(times(largest, side), max([1, *between]), *many)
    return cost._replace(work=cost.work * max(len(many) - 1, 1) + 10**6, scratch=cost.scratch * 2)


def raised(call: Call, a: Any, n: Any) -> Cost:
    """A power of a matrix, by squaring; a negative one inverts it first."""
    one = matmul(call, a, a)
    return one._replace(work=one.work * (2 * logarithm(whole(n)) + 4) + 5 * 10**4)


def exponential(call: Call, a: Any) -> Cost:
    """The exponential of a matrix: a series, then squarings, as many as the exponent of its largest number."""
    one = matmul(call, a, a)
    return Cost(one.elements, one.work * 64 + 10**5, one.scratch * 12)
