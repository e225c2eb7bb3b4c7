"""Padding: more elements around the last dimensions."""

from __future__ import annotations

from collections.abc import Sequence

from numpy import ndarray

from ....declare.rules import Answer, Result, computed_row
from ....errors.reasons import refuse
from ....geometry.fresh import preserve_stride
from ....tensor.lookups import size_and_stride
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.scalars import fill_number
from ....tensor.tensor import Tensor
from ..layouts import suggested_stride


def per_axis(pad: Sequence[int]) -> list[tuple[int, int]]:
    """How many elements are added before and after, the last dimension first."""
    return list(zip(pad[::2], pad[1::2], strict=True))


def fill_constant(target: ndarray, x: ndarray, pad: tuple[int, ...], value: ndarray) -> None:
    target[...] = value
    into, source = [slice(None)] * x.ndim, [slice(None)] * x.ndim
    for i, (before, after) in enumerate(per_axis(pad)):
        axis = x.ndim - 1 - i
        n = x.shape[axis]
        into[axis] = slice(max(before, 0), max(before, 0) + max(n + min(before, 0) + min(after, 0), 0))
        source[axis] = slice(max(-before, 0), max(n - max(-after, 0), max(-before, 0)))
    target[tuple(into)] = x[tuple(source)]


@computed_row("constant_pad_nd", "Adds a number around the last dimensions.", fill_constant, family="nn",
              category="nn", forms="function", out=None)  # fmt: skip
def constant_pad_nd(input: Tensor, pad: Sequence[int], value: int = 0) -> Answer:
    must_be_tensor("constant_pad_nd", input)
    numbers, size = tuple(int(n) for n in pad), list(input.shape)
    if len(numbers) % 2:
        refuse(
            RuntimeError,
            f"Length of pad must be even but instead it equals {len(numbers)}",
            "each dimension has a number for its begin and one for its end",
            "pad=(1, 1)",
            rule="pad.count",
        )
    if len(numbers) > 2 * len(size):
        refuse(
            RuntimeError,
            "Length of pad should be no more than twice the number of dimensions of the input. Pad length is "
            f"{len(numbers)}while the input has {len(size)}dimensions.",
            rule="pad.count",
        )
    for i, (before, after) in enumerate(per_axis(numbers)):
        axis = len(size) - 1 - i
        if size[axis] + min(before, 0) + min(after, 0) < 0:
            refuse(
                RuntimeError,
                "narrow(): length must be non-negative.",
                f"{before} and {after} remove more than the {size[axis]} elements of dimension {axis}",
                rule="pad.size",
            )
        size[axis] += before + after
    number = fill_number(value.item() if isinstance(value, Tensor) else value, input._dtype)
    return Result(tuple(size), input._dtype, _stride(input, tuple(size), numbers)), (input._array, numbers, number)


def _stride(input: Tensor, size: tuple[int, ...], pad: tuple[int, ...]) -> tuple[int, ...] | None:
    """PyTorch's strides: those of a copy where nothing is added, else of the memory format of the input."""
    if pad and max(pad) > 0:
        return suggested_stride(input, size)
    return preserve_stride(size, size_and_stride(input)[1])
