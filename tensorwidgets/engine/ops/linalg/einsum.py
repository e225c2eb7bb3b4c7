"""einsum: any product of tensors whose dimensions are named by letters, as a chain of batched products of matrices.

`types/einsum_equation.py` reads the letters; here they become diagonals, permutations, sums and, for each pair of
operands, one `bmm`. Three operands and more are multiplied from left to right, unless another order saves much work.

>>> import tensorwidgets as torch
>>> a, b = torch.arange(6).reshape(2, 3), torch.arange(12).reshape(3, 4)
>>> torch.einsum("ij,jk->ki", a, b).shape
torch.Size([4, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import prod
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from ...declare.rules import composite_row
from ...dispatch.registry import OPS
from ...errors.reasons import Reason, refuse, sure
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...types import einsum_equation

_NUMBERED = ascii_uppercase + ascii_lowercase
"""The letters for the integers of the sublist format."""


def _do(name: str, *args: Any) -> Tensor:
    return OPS[name].function(*args)


@composite_row(
    "einsum",
    "Sums products of tensors as described by an equation in Einstein's notation.",
    family="matmul",
    category="other",
    forms="function",
)
def einsum(*args: Any) -> Tensor:
    text, operands = read(args)
    plan = sure(_plan(text, *[t._array.shape for t in operands]))
    return contract(list(operands), plan.inputs, plan.output)


@lru_cache(256)
def _plan(text: str, *sizes: tuple[int, ...]) -> einsum_equation.Plan | Reason:
    """What the letters mean for operands of these sizes: a loop asks for the same again and again."""
    return einsum_equation.fit(einsum_equation.parse(text, [len(size) for size in sizes]), sizes)


def read(args: tuple) -> tuple[str, list[Tensor]]:
    """Returns the equation and the operands from either call format."""
    while len(args) == 2 and isinstance(args[1], (list, tuple)) and not isinstance(args[0], Tensor):
        args = (args[0], *args[1])  # operands in a list
    if len(args) < 2:
        refuse(
            ValueError,
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list",
            "an equation needs operands",
            'torch.einsum("ij->ji", x)',
            rule="einsum.operands",
        )
    if isinstance(args[0], Tensor):
        sides = [_subscripts(part) for part in args[1::2]]
        text = ",".join(sides[: len(args) // 2])
        if len(args) % 2:
            text += "->" + _subscripts(args[-1])
        operands = list(args[0 : 2 * (len(args) // 2) : 2])
    else:
        text, operands = args[0], list(args[1:])
        if not isinstance(text, str):
            refuse(
                TypeError,
                f"einsum(): argument 'equation' (position 1) must be str, not {type_name(text)}",
                "letters name the dimensions",
                rule="argument.type",
            )
    for i, t in enumerate(operands):
        if not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 1, but got {type_name(t)}",
                "einsum works on tensors",
                rule="argument.type",
            )
    return text, operands


def _subscripts(part: Any) -> str:
    """Convert a list of integers to letters.

    >>> _subscripts([0, 26, ...])
    'Aa...'
    """
    letters = []
    for n in part:
        if n is not Ellipsis and not 0 <= n < len(_NUMBERED):
            refuse(
                ValueError,
                "einsum(): subscript in subscript list is not within the valid range [0, 52)",
                f"the numbers of letters are 0 to 51, and this is {n}",
                rule="einsum.subscript",
            )
        letters.append("..." if n is Ellipsis else _NUMBERED[n])
    return "".join(letters)


def contract(
    operands: list[Tensor], inputs: Sequence[Sequence[str]], output: Sequence[str], cheapest: bool = False
) -> Tensor:
    """The sum of products; letters may be any texts, one for each dimension.

    The pairs are multiplied from left to right, as in PyTorch without opt_einsum, so that strides and rounding are the
    same. Only where another order saves more than half of the work, or with `cheapest`, the cheapest order is taken.
    """
    later = {letter for letters in inputs for letter in letters}.difference(output)
    # First what `...` stands for, then the letters as the alphabet has them: the order in which PyTorch sums.
    order = [*output, *sorted(later, key=lambda letter: (len(letter) == 1, len(letter), letter))]
    aligned = [_align(t, letters, order) for t, letters in zip(operands, inputs, strict=True)]
    kept, summed = len(output), range(len(output), len(order))
    if len(aligned) == 1:
        return _do("sum", aligned[0], list(summed)) if summed else aligned[0]
    path = saving_path([t._array.shape for t in aligned], kept, cheapest) if len(aligned) > 2 else None
    for i, j in path or [(0, 1)] * (len(aligned) - 1):
        b, a = aligned.pop(j), aligned.pop(i)
        needed = {d for t in aligned for d in summed if t._array.shape[d] != 1}
        product = _summed_pair(a, b, [d for d in summed if d not in needed])
        aligned.insert(len(aligned) if path else 0, product)
    (result,) = aligned
    # Every summed dimension has size 1 by now.
    return _do("view", result, result._array.shape[:kept]) if summed else result


def _summed_pair(a: Tensor, b: Tensor, summed: list[int]) -> Tensor:
    """The product of two operands; dimensions that only one of them has are summed before."""
    x, y = a._array.shape, b._array.shape
    both = [d for d in summed if x[d] != 1 and y[d] != 1]
    only_a = [d for d in summed if x[d] != 1 and y[d] == 1]
    only_b = [d for d in summed if x[d] == 1 and y[d] != 1]
    if only_a:
        a = OPS["sum"].function(a, only_a, True)
    if only_b:
        b = OPS["sum"].function(b, only_b, True)
    return _pair(a, b, both) if both else _do("mul", a, b)


def _align(t: Tensor, letters: Sequence[str], order: list[str]) -> Tensor:
    """The operand with a dimension for each letter in order: diagonals taken, missing letters of size 1.

    The steps are PyTorch's: the strides of dimensions of size 1 decide how a product lies in memory.
    """
    place: dict[str, int] = {}
    for letter in letters:
        if letter in place:
            t = _do("movedim", _do("diagonal", t, 0, place[letter], len(place)), -1, place[letter])
        else:
            place[letter] = len(place)
    for letter in order:
        if letter not in place:
            t = _do("unsqueeze", t, len(place))
            place[letter] = len(place)
    return _do("permute", t, [place[letter] for letter in order])


def saving_path(shapes: list[tuple[int, ...]], kept: int, cheapest: bool) -> list[tuple[int, int]] | None:
    """Pairs in an order that needs less than half of the work of left to right; None where no order does.

    With `cheapest`, any order that needs less.

    A pair names places among the operands that are left; its product goes to the end.
    """
    ndim = len(shapes[0])
    in_order = _work(shapes, kept, [(0, 1)] * (len(shapes) - 1), front=True)
    if (in_order < _LITTLE_WORK and not cheapest) or ndim > len(ascii_letters):
        return None
    terms = ["".join(letter for letter, n in zip(ascii_letters, shape, strict=False) if n != 1) for shape in shapes]
    there = "".join(terms)
    text = ",".join(terms) + "->" + "".join(letter for letter in ascii_letters[:kept] if letter in there)
    stand_ins = [np.broadcast_to(np.float32(0), [n for n in shape if n != 1]) for shape in shapes]
    how = "optimal" if len(shapes) < 6 else "greedy"
    path = []
    for step in np.einsum_path(text, *stand_ins, optimize=(how, 1 << 60))[0][1:]:
        first, second, *others = sorted(step)
        path.append((first, second))
        # A step may name more than two operands: these are the first of those left, then the product.
        path += [(0, len(shapes) - len(path) - 1)] * len(others)
    return path if _work(shapes, kept, path, front=False) * (1 if cheapest else 2) < in_order else None


_LITTLE_WORK = 1 << 16
"""Below this number of multiplications, searching for a better order takes longer than multiplying."""


def _work(shapes: list[tuple[int, ...]], kept: int, path: list[tuple[int, int]], front: bool) -> int:
    """Returns the number of multiplications of a path.

    >>> shapes = [(1, 9, 1), (5, 9, 1), (5, 1, 7)]
    >>> _work(shapes, 0, [(0, 1), (0, 1)], front=True), _work(shapes, 0, [(1, 2), (0, 1)], front=False)
    (80, 324)
    """
    left, work = list(shapes), 0
    for i, j in path:
        b, a = left.pop(j), left.pop(i)
        sizes = [m if n == 1 else n for n, m in zip(a, b, strict=True)]
        work += prod(sizes)
        size = tuple(n if d < kept or any(shape[d] != 1 for shape in left) else 1 for d, n in enumerate(sizes))
        left.insert(0 if front else len(left), size)
    return work


def _pair(a: Tensor, b: Tensor, summed: list[int]) -> Tensor:
    """The product of two aligned operands, with the dimensions in `summed` summed and left at size 1."""
    both: list[int] = []
    only_a: list[int] = []
    only_b: list[int] = []
    for d, (n, m) in enumerate(zip(a._array.shape, b._array.shape, strict=True)):
        if d not in summed:
            (both if n != 1 and m != 1 else only_a if n != 1 else only_b).append(d)
    if only_a and only_b and only_b[-1] < only_a[0]:
        # The operand whose letters come first in the output goes to the left, so that the result lies in order.
        a, b, only_a, only_b = b, a, only_b, only_a
    x, y = a._array.shape, b._array.shape
    if not both and all(y[d] == 1 for d in only_b) and a._dtype is b._dtype:  # others are refused below, in order
        around = _around(a, only_a, summed)
        if around is not None:
            return _weighted(a, b, around, summed)
    batch, inside = [x[d] for d in both], prod(x[d] for d in summed)
    left, right = [x[d] for d in only_a], [y[d] for d in only_b]
    a = _do("permute", a, [*both, *only_a, *summed, *only_b])
    b = _do("permute", b, [*both, *summed, *only_b, *only_a])
    a = _do("reshape", a, [prod(batch), prod(left), inside])
    b = _do("reshape", b, [prod(batch), inside, prod(right)])
    result = _do("reshape", _do("bmm", a, b), [*batch, *left, *[1] * len(summed), *right])
    places = [*both, *only_a, *summed, *only_b]
    return _do("permute", result, [places.index(d) for d in range(len(places))])


def _around(a: Tensor, own: list[int], summed: list[int]) -> tuple[list[int], list[int]] | None:
    """The letters that lie before and after the summed ones, where these lie in the middle of what is in one piece.

    To bring them to the end, as a product of two matrices asks for, would copy all of it.
    """
    strides, size = a._array.strides, a._array.shape
    order = sorted([*own, *summed], key=lambda d: (-strides[d], d))
    first = min(order.index(d) for d in summed)
    before, after = order[:first], order[first + len(summed) :]
    if [*before, *after] != sorted(own) or sorted(order[first : first + len(summed)]) != sorted(summed):
        return None
    if all(size[d] == 1 for d in before) or all(size[d] == 1 for d in after):
        return None
    return (before, after) if a._array.transpose([*order, *_others(a, order)]).flags.c_contiguous else None


def _others(t: Tensor, dims: list[int]) -> list[int]:
    return [d for d in range(t._array.ndim) if d not in dims]


def _weighted(a: Tensor, weights: Tensor, around: tuple[list[int], list[int]], summed: list[int]) -> Tensor:
    """The product with weights for the summed letters alone: once for each place of the letters before."""
    before, after = around
    size = a._array.shape
    inside = prod(size[d] for d in summed)
    order = [*before, *summed, *after]
    rows = _do("permute", a, [*order, *_others(a, order)])
    rows = _do("reshape", rows, [prod(size[d] for d in before), inside, prod(size[d] for d in after)])
    row = _do("reshape", _do("permute", weights, [*summed, *_others(weights, summed)]), [inside])
    return _do("reshape", _do("matmul", row, rows), [1 if d in summed else n for d, n in enumerate(size)])
