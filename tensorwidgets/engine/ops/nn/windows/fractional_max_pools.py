"""Pools whose windows lie at random, so that the result may have any size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....backends.numpy.layers.fractional import largest
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, FLOAT8, int64
from ..declaring import nn_composite, nn_row
from ..ways_back import way_back
from ..whole_numbers import whole_numbers
from .max_pools import fill_scattered
from .pool_sizes import refuse_pool

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

SIDES = {2: ("height", "width"), 3: ("time", "height", "width")}


@silent
def fill_largest(
    targets: tuple[np.ndarray, np.ndarray], x: np.ndarray, samples: np.ndarray, width: tuple[int, ...]
) -> None:
    examples = len(x) if x.ndim == len(width) + 2 else 1
    largest(*targets, x, samples[:examples].reshape(-1, len(width)), width)


def _per_dimension(name: str, called: str, position: int, value: Any, dims: int) -> tuple[int, ...]:
    numbers = whole_numbers(name, called, position, value)
    if isinstance(value, int):
        return numbers * dims
    if len(numbers) != dims:
        count = "" if dims == 2 else "three "
        refuse_pool(f"{name}: {called} must either be a single Int or tuple of {count}Ints")
    return numbers


def _check_room(name: str, input: Tensor, kernel: tuple[int, ...], out: tuple[int, ...]) -> None:
    """Refuse an input that has no room for the windows, in PyTorch's order."""
    dims, size = len(kernel), list(input.shape)
    called = f"{name}()" if dims == 2 else f"{name}_out()"
    if len(size) not in (dims + 1, dims + 2):
        refuse_pool(f"{called}: Expected {dims + 1}D or {dims + 2}D tensor, but got: {size}")
    for i in range(len(size) - dims - 1, len(size)):
        if not size[i]:
            refuse_pool(
                f"{called}: Expected input to have non-zero size for non-batch dimensions, but got{size} with "
                f"dimension {i} being empty."
            )
    for side, n, width, windows in zip(SIDES[dims], size[-dims:], kernel, out, strict=True):
        if windows + width - 1 > n or dims == 3 and windows + width - 1 == n:
            refuse_pool(f"{called}: pool {side} {width} too large relative to input {side} {n}")


def _check_samples(input: Tensor, samples: Tensor, dims: int) -> None:
    if samples._dtype is not input._dtype:
        refuse_pool("Expect _random_samples to have the same dtype as input")
    if samples.dim() != 3:
        refuse_pool(f"Expect _random_samples to have 3 dimensions, got {samples.dim()}")
    examples, channels = (1 if input.dim() == dims + 1 else len(input)), input.size(-dims - 1)
    if samples.size(0) < examples:
        refuse_pool("Expect _random_samples.size(0) no less then input batch size.")
    if samples.size(1) != channels:
        refuse_pool("Expect _random_samples.size(1) equals to input channel size.")
    if samples.size(2) != dims:
        refuse_pool(f"Expect _random_samples.size(2) equals to {dims}; got {samples.size(2)}.")


def _declare(dims: int) -> None:
    name = f"fractional_max_pool{dims}d"

    @nn_row(f"_nn.{name}", "The largest element of each random window, and its place.", fill_largest, out=None)
    def with_indices(
        input: Tensor, kernel_size: int | Sequence[int], output_size: int | Sequence[int], random_samples: Tensor
    ) -> Answer:
        must_be_tensor(name, input)
        must_be_tensor(name, random_samples, "random_samples", 4)
        kernel = _per_dimension(name, "kernel_size", 2, kernel_size, dims)
        out = _per_dimension(name, "output_size", 3, output_size, dims)
        _check_room(name, input, kernel, out)
        size = (*input.shape[:-dims], *out)
        if any(n < 0 for n in size):
            wrong = next(n for n in size if n < 0)
            refuse_pool(f"Trying to create tensor with negative dimension {wrong}: {list(size)}")
        _check_samples(input, random_samples, dims)
        d = input._dtype
        if d._kind != FLOAT or d in FLOAT8:
            refuse_dtype(f"{name}_out_frame", d)
        return (Result(size, d), Result(size, int64)), (input._array, random_samples._array, kernel)

    @way_back(f"{name}_backward", "The gradient of a pool.", fill_scattered)
    def back(grad_output: Tensor, input: Tensor, kernel_size: Any, output_size: Any, indices: Tensor) -> Answer:
        return Result(tuple(input.shape), grad_output._dtype), (grad_output._array, indices._array, dims)

    def both(
        input: Tensor, kernel_size: Any, output_size: Any, output_ratio: Any, random_samples: Tensor | None
    ) -> tuple[Tensor, Tensor]:
        if output_size is None and output_ratio is None:
            message = f"{name} requires specifying either an output_size or an output_ratio"
            refuse(ValueError, message, "the result needs a size", "output_ratio=(0.5, 0.5)", rule="pool.size")
        if output_size is None:
            output_size = _by_ratio(name, input, output_ratio, dims)
        if random_samples is None:
            examples = 1 if input.dim() == dims + 1 else input.size(0)
            size = (examples, input.size(-dims - 1), dims)
            random_samples = OPS["rand"].function(size, dtype=input.dtype, device=input.device)
        found: tuple[Tensor, Tensor] = OPS[f"_nn.{name}"].function(input, kernel_size, output_size, random_samples)
        return found

    @nn_composite(
        f"nn.functional.{name}", "Keeps the largest element of each random window; optionally with its place."
    )
    def function(
        input: Tensor, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None,
        output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> Any:  # fmt: skip
        found = both(input, kernel_size, output_size, output_ratio, _random_samples)
        return found if return_indices else found[0]

    @nn_composite(
        f"nn.functional.{name}_with_indices", "Keeps the largest element of each random window, and its place."
    )
    def function_with_indices(
        input: Tensor, kernel_size: int | Sequence[int], output_size: int | Sequence[int] | None = None,
        output_ratio: float | Sequence[float] | None = None, return_indices: bool = False,
        _random_samples: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:  # fmt: skip
        return both(input, kernel_size, output_size, output_ratio, _random_samples)


def _by_ratio(name: str, input: Tensor, ratio: Any, dims: int) -> list[int]:
    """The size of the result as a part of the input's."""
    if dims == 2 and len(ratio) > 2:
        message = f"{name} requires output_ratio to either be a single Int or tuple of Ints."
        refuse(ValueError, message, "there is a ratio for each dimension", "output_ratio=(0.5, 0.5)", rule="pool.size")
    several = ratio if isinstance(ratio, (tuple, list)) else (ratio,) * dims
    return [int(input.size(k - dims) * several[k]) for k in range(dims)]


for each in (2, 3):
    _declare(each)
