"""Sizes of pools: how many windows there are, and PyTorch's refusals of windows that do not fit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn

from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ..whole_numbers import whole_numbers

Numbers = int | Sequence[int]
WORDS = {1: "one int", 2: "two ints", 3: "three ints"}
POSITIONS = {"kernel_size": 2, "stride": 3, "padding": 4, "dilation": 5}


class Pool(NamedTuple):
    """How the windows of a pool lie, one number for each dimension."""

    kernel: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    ceil_mode: bool


def several(op: str, name: str, value: Any, dims: int, optional: bool = False) -> tuple[int, ...]:
    """One number for each dimension."""
    if type(value) is int:
        return (value,) * dims
    numbers = whole_numbers(op, name, POSITIONS[name], value)
    if len(numbers) not in (1, dims):
        refuse_pool(_wrong_count(op, name, len(numbers), dims, optional))
    return numbers * dims if len(numbers) == 1 else numbers


def _wrong_count(op: str, name: str, count: int, dims: int, optional: bool) -> str:
    """What PyTorch's kernels say of too many or too few numbers; each has words of its own."""
    if op in ("avg_pool1d", "max_pool1d_with_indices"):
        return f"{op.removesuffix('_with_indices')}() argument '{name}' should contain one int (got {count})"
    if op == "max_pool1d":
        kinds = {"stride": "None, an int, list of ints, or", "padding": "an int, list of ints, or"}
        kind = kinds.get(name, "an int, list of ints or")
        return f"{op}() {name} must be {kind} tuple of ints of size 1 but got size {count}"
    either = "either be omitted, a single int, or" if optional else "either be a single int, or"
    if op == "avg_pool3d":
        either = "be omitted, a single int, or" if optional else "be a single int, or"
    elif name == "dilation":
        either = "be either a single int, or"
    return f"{op}: {name} must {either} a tuple of {WORDS[dims]}"


def pool_of(
    op: str,
    dims: int,
    kernel_size: Numbers,
    stride: int | Sequence[int],
    padding: Numbers,
    dilation: Numbers,
    ceil_mode: bool,
) -> Pool:
    """The numbers of a pool; without a stride, the windows do not overlap."""
    kernel = several(op, "kernel_size", kernel_size, dims)
    empty = stride is None or isinstance(stride, (tuple, list)) and not stride
    steps = kernel if empty else several(op, "stride", stride, dims, True)
    pads, spread = several(op, "padding", padding, dims), several(op, "dilation", dilation, dims)
    return Pool(kernel, steps, pads, spread, bool(ceil_mode))


def count(n: int, kernel: int, stride: int, padding: int, dilation: int, ceil_mode: bool) -> int:
    """How many windows there are along one dimension.

    >>> count(5, 2, 2, 0, 1, False), count(5, 2, 2, 0, 1, True)
    (2, 3)
    """
    room = n + 2 * padding - dilation * (kernel - 1) - 1
    windows = (room + (stride - 1 if ceil_mode else 0)) // stride + 1
    if ceil_mode and (windows - 1) * stride >= n + padding:
        windows -= 1  # the last window would begin in the padding
    return windows


def pooled_size(input: Tensor, pool: Pool, dims: int) -> tuple[int, ...]:
    """The size of a pool's result, after its numbers have been checked."""
    check_numbers(pool, dims)
    size = tuple(input.shape)
    out = tuple(
        count(n, k, s, p, d, pool.ceil_mode)
        for n, k, s, p, d in zip(size[-dims:], *pool[:4], strict=True)
    )  # fmt: skip
    return (*size[:-dims], *out)


def check_numbers(pool: Pool, dims: int) -> None:
    for k, s, p, d in zip(*pool[:4], strict=True):  # as PyTorch computes the sizes, one after the other
        if s == 0:
            refuse_pool("stride should not be zero")
        if p < 0:
            refuse_pool(f"pad must be non-negative, but got pad: {p}")
        if p > int((d * (k - 1) + 1) / 2):
            refuse_pool(
                f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "
                f"dilation={d}",
                *too_padded(int((d * (k - 1) + 1) / 2)),
            )
    if any(k <= 0 for k in pool.kernel):
        axes = ("T", "H", "W")[-dims:]
        listed = " ".join(f"k{a}: {k}" for a, k in zip(axes, pool.kernel, strict=True))
        refuse_pool(f"kernel size should be greater than zero, but got {listed}")
    if any(s < 0 for s in pool.stride):
        axes = ("T", "H", "W")[-dims:]
        listed = " ".join(f"d{a}: {s}" for a, s in zip(axes, pool.stride, strict=True))
        refuse_pool(f"stride should be greater than zero, but got {listed}")
    if any(d <= 0 for d in pool.dilation):
        axes = ("T", "H", "W")[-dims:]
        listed = " ".join(f"dilation{a}: {d}" for a, d in zip(axes, pool.dilation, strict=True))
        refuse_pool(f"dilation should be greater than zero, but got {listed}")


def check_room(input: Tensor, out: tuple[int, ...], dims: int, called: str, pool: Pool | None = None) -> None:
    """Refuse an input without elements, and one that no window fits into; with its `pool`, not even beside padding."""
    size = tuple(input.shape)
    if input.dim() not in (dims + 1, dims + 2):
        refuse_pool(f"non-empty {dims + 1}D or {dims + 2}D (batch mode) tensor expected for input")
    body = size if input.dim() == dims + 1 else size[1:]
    if 0 in body and dims == 3:
        refuse_pool(
            f"{called}(): Expected input's non-batch dimensions to have positive length, but input has a shape of "
            f"{list(size)} and non-batch dimension 0 has length zero!"
        )
    if 0 in body:
        refuse_pool(
            f"Expected {dims + 1}D or {dims + 2}D (batch mode) tensor with optional 0 dim batch size for input, but "
            f"got:{list(size)}"
        )
    if pool is not None and any(n < k for n, k in zip(size[-dims:], pool.kernel, strict=True)):
        given, window = (
            " ".join(f"{letter}{axis}: {n}" for axis, n in zip("THW", numbers, strict=True))
            for letter, numbers in (("", size[-dims:]), ("k", pool.kernel))
        )
        refuse_pool(
            f"input image ({given}) smaller than kernel size ({window})",
            *_too_small(size[-dims:], pool),
        )
    if any(n < 1 for n in out[-dims:]):
        given, found = ("x".join(map(str, s[-dims - 1 :])) for s in (size, out))
        refuse_pool(
            f"Given input size: ({given}). Calculated output size: ({found}). Output size is too small",
            *_too_small(size[-dims:], pool),
        )


def too_padded(most: int) -> tuple[str, str]:
    """Why there is too much padding, and what to write instead."""
    return "more than half of the first window would be padding", f"padding={most}" + (", or less" if most else "")


def _too_small(size: Sequence[int], pool: Any) -> tuple[str, str]:
    """Why a window does not fit, and what to write instead."""
    given = " x ".join(map(str, size))
    if pool is None:
        return f"no window fits into the input, {given}", "a smaller kernel_size, or a larger input"
    window = " x ".join(map(str, pool.kernel))
    fits = f"kernel_size={max(1, min(size))}, or a larger input"
    return f"the window, {window}, is larger than the input, {given}", fits


def refuse_pool(
    message: str, because: str = "a pool slides a window over the last dimensions of its input",
    way: str = "",
) -> NoReturn:  # fmt: skip
    refuse(RuntimeError, message, because, *([way] if way else []), rule="pool.numbers")
