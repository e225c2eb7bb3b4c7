"""einsum: any product of tensors whose dimensions are named by letters, as a chain of batched products of matrices.

The letters are read by `equation`; here they become diagonals, permutations, sums and, for each pair of operands, one
`bmm`. For three operands and more, NumPy finds the order in which the pairs cost least.

>>> import tensorwidgets as torch
>>> a, b = torch.arange(6).reshape(2, 3), torch.arange(12).reshape(3, 4)
>>> torch.einsum("ij,jk->ki", a, b).shape
torch.Size([4, 2])
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from string import ascii_letters, ascii_lowercase, ascii_uppercase
from typing import Any

import numpy as np

from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import Reason, refuse
from ...tensor.tensor import Tensor
from ...types import einsum_equation

_NUMBERED = ascii_uppercase + ascii_lowercase
"""The letters that numbers stand for in the form with lists."""


def _do(name: str, *args: Any) -> Tensor:
    return OPS[name].function(*args)


def einsum(*args: Any) -> Tensor:
    text, operands = read(args)
    plan = einsum_equation.fit(
        einsum_equation.parse(text, [t._array.ndim for t in operands]), [t._array.shape for t in operands]
    )
    if isinstance(plan, Reason):
        plan.refuse()
    return contract(list(operands), plan.inputs, plan.output)


def read(args: tuple) -> tuple[str, list[Tensor]]:
    """The equation as a text, and the operands, from either form."""
    if len(args) < 2:
        refuse(
            ValueError,
            "einsum(): must specify the equation string and at least one operand, or at least one operand and its "
            "subscripts list",
            "an equation needs something to speak of",
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
                f"einsum(): argument 'equation' (position 1) must be str, not {type(text).__name__}",
                "letters name the dimensions",
                rule="argument.type",
            )
        if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
            operands = list(operands[0])
    for i, t in enumerate(operands):
        if not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 1, but got {type(t).__name__}",
                "einsum works on tensors",
                rule="argument.type",
            )
    return text, operands


def _subscripts(part: Any) -> str:
    """The letters of a list of numbers.

    >>> _subscripts([0, 26, ...])
    'Aa...'
    """
    letters = []
    for n in part:
        if n is not Ellipsis and not 0 <= n < len(_NUMBERED):
            refuse(
                ValueError,
                "einsum(): subscript in subscript list is not within the valid range [0, 52)",
                f"{n} stands for no letter: there are 52",
                rule="einsum.subscript",
            )
        letters.append("..." if n is Ellipsis else _NUMBERED[n])
    return "".join(letters)


def contract(operands: list[Tensor], inputs: Sequence[Sequence[str]], output: Sequence[str]) -> Tensor:
    """The sum of products; letters may be any texts, one for each dimension."""
    later = [letter for letters in inputs for letter in letters if letter not in output]
    order = [*output, *dict.fromkeys(later)]
    aligned = [_align(t, letters, order) for t, letters in zip(operands, inputs, strict=True)]
    summed = list(range(len(output), len(order)))
    while len(aligned) > 1:
        i, j = _cheapest(aligned, len(output)) if len(aligned) > 2 else (0, 1)
        b, a = aligned.pop(j), aligned.pop(i)
        needed = {d for t in aligned for d in summed if t._array.shape[d] != 1}
        now = [d for d in summed if d not in needed and (a._array.shape[d] != 1 or b._array.shape[d] != 1)]
        aligned.append(_pair(a, b, now))
        if not aligned[:-1]:
            # A letter of size 1 everywhere is summed by leaving it out.
            result = aligned[0]
            return _do("reshape", result, result._array.shape[: len(output)]) if summed else result
    (result,) = aligned
    return _do("sum", result, summed) if summed else result


def _align(t: Tensor, letters: Sequence[str], order: list[str]) -> Tensor:
    """The operand with a dimension for each letter in order: diagonals taken, missing letters of size 1."""
    left = list(letters)
    for letter in [letter for n, letter in enumerate(letters) if letter in letters[:n]]:
        first = left.index(letter)
        second = left.index(letter, first + 1)
        t = _do("diagonal", t, 0, first, second)
        del left[second], left[first]
        left.append(letter)
    here = [letter for letter in order if letter in left]
    t = _do("permute", t, [left.index(letter) for letter in here]) if here else t
    for d, letter in enumerate(order):
        if letter not in left:
            t = _do("unsqueeze", t, d)
    return t


def _cheapest(aligned: list[Tensor], kept: int) -> tuple[int, int]:
    """Which two to contract first, so that all of it costs least."""
    ndim = aligned[0]._array.ndim
    if ndim > len(ascii_letters):
        return 0, 1
    terms = ["".join(ascii_letters[d] for d in range(ndim) if t._array.shape[d] != 1) for t in aligned]
    shapes = [[n for n in t._array.shape if n != 1] for t in aligned]
    there = "".join(terms)
    text = ",".join(terms) + "->" + "".join(letter for letter in ascii_letters[:kept] if letter in there)
    stand_ins = [np.broadcast_to(np.float32(0), shape) for shape in shapes]
    how = "optimal" if len(aligned) < 6 else "greedy"
    first = np.einsum_path(text, *stand_ins, optimize=(how, 1 << 60))[0][1]
    i, j = sorted(first)[:2]
    return i, j


def _pair(a: Tensor, b: Tensor, summed: list[int]) -> Tensor:
    """The product of two aligned operands, with the dimensions in `summed` summed and left at size 1."""
    for d in summed:
        if b._array.shape[d] == 1:
            a = OPS["sum"].function(a, d, True)
        elif a._array.shape[d] == 1:
            b = OPS["sum"].function(b, d, True)
    if all(a._array.shape[d] == 1 for d in summed):
        return _do("mul", a, b)
    both: list[int] = []
    only_a: list[int] = []
    only_b: list[int] = []
    for d, (n, m) in enumerate(zip(a._array.shape, b._array.shape, strict=True)):
        if d not in summed:
            (both if n != 1 and m != 1 else only_a if n != 1 else only_b).append(d)
    wide = [d for d in only_b if b._array.shape[d] != 1]
    if only_a and wide and wide[-1] < only_a[-1]:
        # The operand whose letters come first in the output goes to the left, so that the result lies in order.
        a, b, only_a, only_b = b, a, only_b, only_a
    x, y = a._array.shape, b._array.shape
    if not both and all(y[d] == 1 for d in only_b):
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


stations.bind(
    add_row(
        Op(
            "einsum",
            "matmul",
            "other",
            "Products of tensors, summed over the letters that the result does not have.",
            signature="(equation: str, *operands: Tensor) -> Tensor",
            kernel=einsum,
            forms=frozenset(("function",)),
        )  # fmt: skip
    ),
    einsum,
)
