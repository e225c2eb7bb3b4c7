"""Convolutions, forward and transposed, over one to three dimensions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import index
from typing import Any

import numpy as np

from ....backends.numpy.layers.convolution import Windows, convolve, convolve_back, weigh
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result, computed_row
from ....dispatch.call_errors import refuse_named
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....geometry import is_contiguous
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtypes import COMPLEX, dtype, opmath
from ...pointwise.number_rows import mul_number
from ..declaring import nn_composite
from ..layouts import stride_as_a_row, suggested_stride
from ..ways_back import way_back
from .convolution_checks import by_library, check, check_bias_dtype, check_complex, check_groups, refuse_dims


def per_dim(name: str, value: int | Sequence[int], dims: int) -> tuple[int, ...]:
    """One number for each dimension, of one number or several."""
    several = (value,) if isinstance(value, (int, np.integer)) else value
    numbers = tuple([n if type(n) is int else whole(n) for n in several])
    if len(numbers) == 1:
        numbers *= dims
    if len(numbers) != dims:
        refuse(
            RuntimeError,
            f"expected {name} to be a single integer value or a list of {dims} values to match the convolution "
            f"dimensions, but got {name}={list(numbers)}",
            f"there are {dims} dimensions to slide along",
            f"{name}={numbers[0] if numbers else 1}",
            rule="convolution.numbers",
        )
    return numbers


def whole(number: Any) -> int:
    """A setting that is no int as one; a TypeError otherwise, for which the message follows from the call."""
    if isinstance(number, bool):
        raise TypeError("a setting is a number")
    return index(number)


def result_size(
    input: Sequence[int], weight: Sequence[int], windows: Windows, transposed: bool, extra: Sequence[int]
) -> tuple[int, ...]:
    """The size of a convolution's result."""
    channels = weight[1] * windows.groups if transposed else weight[0]
    size = []
    for n, k, s, p, d, e in zip(
        input[2:], weight[2:], windows.stride, windows.padding, windows.dilation, extra, strict=True
    ):
        size.append((n - 1) * s - 2 * p + d * (k - 1) + e + 1 if transposed else (n + 2 * p - d * (k - 1) - 1) // s + 1)
    return (input[0], channels, *size)


@silent
def fill(
    target: np.ndarray,
    input: np.ndarray,
    weight: np.ndarray,
    bias: np.ndarray | None,
    windows: Windows,
    transposed: bool,
    wide: np.dtype,
) -> None:
    if not target.size:
        return
    function, room = convolve_back if transposed else convolve, target
    if bias is not None and target.dtype.itemsize == 2 and not (transposed and target.dtype == np.float16):
        # 16-bit floats are rounded once, with the bias.
        room = np.empty_like(target, dtype=wide)
    function(room, input, weight, windows, wide)
    if bias is not None:
        room += bias.reshape(-1, *(1,) * (target.ndim - 2)).astype(room.dtype, copy=False)
    if room is not target:
        np.copyto(target, room, casting="unsafe")


@computed_row(
    "convolution",
    "Slides a weight over the input, or the way back: what all convolutions call.",
    fill,
    family="nn",
    category="nn",
    forms="function",
    out=None,
)
def convolution(
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    transposed: bool,
    output_padding: int | Sequence[int],
    groups: int,
) -> Answer:
    windows, extra = read(weight, stride, padding, dilation, output_padding, groups)
    check(input, weight, bias, windows, transposed, extra)
    size = result_size(input.shape, weight.shape, windows, transposed, extra)
    arrays = input._array, weight._array, None if bias is None else bias._array
    given = *arrays, windows, transposed, wide_of(input._dtype)
    return Result(size, input._dtype, _stride_like(input, weight, windows, size)), given


def read(
    weight: Tensor,
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    output_padding: int | Sequence[int],
    groups: int,
) -> tuple[Windows, tuple[int, ...]]:
    """The numbers of a convolution, one for each dimension."""
    dims = weight.dim() - 2
    if dims <= 0:
        refuse(RuntimeError, "weight should have at least three dimensions", rule="convolution.ndim")
    check_groups(groups)
    named = ("stride", stride), ("padding", padding), ("dilation", dilation), ("output_padding", output_padding)
    steps, pads, spread, extra = (per_dim(name, value, dims) for name, value in named)
    return Windows(steps, pads, spread, groups), extra


def _stride_like(input: Tensor, weight: Tensor, windows: Windows, size: tuple[int, ...]) -> tuple[int, ...] | None:
    """The strides of a result or gradient: channels last if those of input or weight are; None for row-major order."""
    if not input._array.size:
        return None
    if len(size) == 3:
        return stride_as_a_row(size, input, weight)
    stride = suggested_stride(input, size) or suggested_stride(weight, size)
    return stride if stride is None or len(size) == 4 or by_library(input, weight, windows) else None


def _stride_of_slopes(input: Tensor, weight: Tensor, windows: Windows) -> tuple[int, ...] | None:
    """The strides of a weight's gradient: row by row where the weight's own strides would do for channels last too.

    They do with one channel or a window of one element. PyTorch's library puts the channels last all the same.
    """
    size = tuple(weight.shape)
    stride = _stride_like(input, weight, windows, size)
    if stride is None or suggested_stride(weight, size) or by_library(input, weight, windows):
        return stride
    return None if is_contiguous(size, weight.stride(), f"channels_last{'_3d' * (len(size) == 5)}") else stride


def wide_of(d: dtype) -> np.dtype:
    return opmath(d)._in_numpy


@silent
def fill_back(
    targets: tuple[Any, Any, Any],
    grad: np.ndarray,
    input: np.ndarray,
    weight: np.ndarray,
    windows: Windows,
    transposed: bool,
    mask: Sequence[bool],
    wide: np.dtype,
) -> None:
    if mask[0]:
        (convolve if transposed else convolve_back)(targets[0], grad, weight, windows, wide)
    if mask[1] and transposed:
        weigh(targets[1], input, grad, windows, wide)
    elif mask[1]:
        weigh(targets[1], grad, input, windows, wide)
    if mask[2]:
        targets[2][...] = grad.sum(axis=(0, *range(2, grad.ndim)), dtype=wide)


@way_back("convolution_backward", "The gradients of a convolution.", fill_back)
def convolution_backward(
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    bias_sizes: Sequence[int] | None,
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    transposed: bool,
    output_padding: int | Sequence[int],
    groups: int,
    output_mask: Sequence[bool],
) -> Answer:
    """The gradients of input, weight and bias; those that are not asked for are empty."""
    windows, _ = read(weight, stride, padding, dilation, output_padding, groups)
    filters = (weight.shape[1] * groups if transposed else weight.shape[0],)
    like = _stride_like(input, weight, windows, tuple(input.shape)) if output_mask[0] else None
    slopes = _stride_of_slopes(input, weight, windows) if output_mask[1] else None
    parts = (tuple(input.shape), like), (tuple(weight.shape), slopes), (filters, None)
    results = tuple(
        Result(size, input._dtype, strides) if m else Result((0,), input._dtype)
        for (size, strides), m in zip(parts, output_mask, strict=True)
    )
    arrays = grad_output._array, input._array, weight._array
    return results, (*arrays, windows, transposed, tuple(output_mask), wide_of(input._dtype))


def check_back(
    grad_output: Tensor,
    input: Tensor,
    weight: Tensor,
    stride: int | Sequence[int],
    padding: int | Sequence[int],
    dilation: int | Sequence[int],
    groups: int,
) -> None:
    """Refuse a gradient that is not that of this convolution: those that autograd passes back always are."""
    if grad_output.dim() != input.dim() == weight.dim():
        dims = f"{input.dim()} and {grad_output.dim()}"
        message = f"Expected input and grad_output to have the same number of dimensions, but got: {dims}"
        refuse(RuntimeError, message, "a gradient has the size of the result", rule="convolution.ndim")
    windows, extra = read(weight, stride, padding, dilation, 0, groups)
    for other in (weight, grad_output):
        if other._dtype != input._dtype:
            names = f"{input._dtype._type_name} but found {other._dtype._type_name}"
            refuse(RuntimeError, f"expected scalar type {names}", "they are multiplied", rule="convolution.dtype")
    check(input, weight, None, windows, False, extra)
    wanted = result_size(input.shape, weight.shape, windows, False, extra)
    for dim, (found, size) in enumerate(zip(grad_output.shape, wanted, strict=True)):
        if found != size:
            refuse(
                RuntimeError,
                f"Expected a tensor of dimension {input.dim()} and tensor.size[{dim}] == {size} but got: dimension "
                f"{input.dim()} and tensor.size[{dim}] = {found}",
                f"the result has the size {wanted}",
                rule="convolution.size",
            )


# --- the functions over one, two and three dimensions ---


def _ways_to_dims(input: Tensor, weight: Tensor, dims: int, name: str) -> list[str]:
    """How an input without channels gets them."""
    if input.dim() != dims or weight.dim() != dims + 2:
        return []
    channels = weight.size(0 if "transpose" in name else 1)
    return [
        "x[None], for one channel" if channels == 1 else f"torch.stack([x] * {channels}), for {channels} equal channels"
    ]


def _of_batch(
    name: str, dims: int, given: tuple[Any, ...], bias: Tensor | None, run: Callable[[Tensor], Tensor]
) -> Tensor:
    """A convolution of a batch, or of one image as a batch of one, by the arguments that were `given`."""
    input, weight = given[:2]
    if not isinstance(input, Tensor) or not isinstance(weight, Tensor):
        refuse_named(name, False, given, {})  # by the ways that PyTorch has to call it
    must_be_tensor(name, input)
    must_be_tensor(name, weight, "weight", 2)
    if bias is not None and "transpose" not in name:
        check_bias_dtype(input, bias)  # which PyTorch does before it counts dimensions
    if input.dim() not in (dims + 1, dims + 2):
        refuse(
            RuntimeError,
            f"Expected {dims + 1}D (unbatched) or {dims + 2}D (batched) input to {name}, but got input of size: "
            f"{list(input.shape)}",
            f"an input has examples, channels and {dims} dimensions to slide along, or these without the examples",
            *_ways_to_dims(input, weight, dims, name),
            rule="convolution.ndim",
        )
    if input.dim() == dims + 2:
        return run(input)
    return OPS["squeeze"].function(run(OPS["unsqueeze"].function(input, 0)), 0)


def _as_numbers(given: Any, count: int) -> Any:
    """A setting as the row takes it: one number stands for all dimensions."""
    if isinstance(given, Tensor) and not given._array.ndim:
        given = index(given)
    return (given,) * count if type(given) is int else given


def _convolve(
    dims: int,
    input: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    stride: int | Sequence[int],
    padding: int | Sequence[int] | str,
    dilation: int | Sequence[int],
    transposed: bool,
    output_padding: int | Sequence[int],
    groups: int,
) -> Tensor:
    """One convolution; one of complex numbers is made of three of real ones, each of which pads its own input."""

    if input._dtype._kind == COMPLEX:
        check_complex(input, weight, bias)
    count = 1 if weight.dim() == dims + 2 else dims  # the numbers of the function, where the weight has others
    stride, padding, dilation, output_padding = (
        _as_numbers(given, count) for given in (stride, padding, dilation, output_padding)
    )

    def run(x: Tensor, w: Tensor, b: Tensor | None) -> Tensor:
        pad = padding
        if pad == "same":
            x, pad = _same_padding(x, w, dilation, stride, groups)
        result: Tensor = OPS["convolution"].function(x, w, b, stride, pad, dilation, transposed, output_padding, groups)
        return result

    if COMPLEX not in (input._dtype._kind, weight._dtype._kind) or input._dtype is not weight._dtype:
        return run(input, weight, bias)
    of_input, of_weight = (OPS["view_as_real"].function(t.resolve_conj()) for t in (input, weight))
    real, imaginary = of_input.select(-1, 0), of_input.select(-1, 1)
    w_real, w_imaginary = of_weight.select(-1, 0), of_weight.select(-1, 1)
    b_real = b_imaginary = b_both = None
    if bias is not None:
        of_bias = OPS["view_as_real"].function(bias.resolve_conj())
        b_real, b_imaginary = of_bias.select(-1, 0), of_bias.select(-1, 1)
        b_both = b_real + b_imaginary
    a, b = run(real, w_real, b_real), run(imaginary, w_imaginary, None)
    c = run(real + imaginary, w_real + w_imaginary, b_both)
    return a - b + mul_number(c - a - b, 1j)


def _same_padding(
    input: Tensor, weight: Tensor, dilation: int | Sequence[int], stride: int | Sequence[int], groups: int
) -> tuple[Tensor, tuple[int, ...]]:
    """The padding that keeps the size; where it is odd, one more element is added at the end first."""
    if weight.dim() < 3:
        refuse(RuntimeError, "weight should have at least three dimensions", rule="convolution.ndim")
    check_groups(groups)
    if input.dim() != weight.dim():
        refuse_dims(input, weight, "")
    dims = weight.dim() - 2
    if any(s != 1 for s in per_dim("stride", stride, dims)):
        refuse(
            RuntimeError,
            "padding='same' is not supported for strided convolutions",
            "a stride makes the result smaller, whatever the padding",
            "padding=1",
            rule="convolution.same",
        )
    totals = [d * (k - 1) for d, k in zip(per_dim("dilation", dilation, dims), weight.shape[2:], strict=True)]
    if any(t % 2 for t in totals):
        warn(
            "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of the "
            "input be created",
            once=True,
        )
        ends = [n for t in reversed(totals) for n in (0, t % 2)]
        while len(ends) > 2 and not ends[-1] and not ends[-2]:
            del ends[-2:]
        input = OPS["constant_pad_nd"].function(input, ends, 0)
    return input, tuple(t // 2 for t in totals)


def _declare(dims: int) -> None:
    plain, turned = f"conv{dims}d", f"conv_transpose{dims}d"
    over = {1: "a sequence", 2: "images", 3: "volumes"}[dims]

    @nn_composite(plain, f"Slides filters over {over}.", f"nn.functional.{plain}")
    def conv(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] | str = 0,
        dilation: int | Sequence[int] = 1,
        groups: int = 1,
    ) -> Tensor:
        def run(batch: Tensor) -> Tensor:
            pad: Any = padding
            if isinstance(pad, str) and batch._dtype._kind == COMPLEX:
                check_complex(batch, weight, bias)
            if pad == "valid":
                pad = 0
            elif isinstance(pad, str) and pad != "same":
                refuse(
                    RuntimeError,
                    f"Invalid padding string: '{pad}'",
                    instead="padding='same' or 'valid'",
                    rule="convolution.padding",
                )
            return _convolve(dims, batch, weight, bias, stride, pad, dilation, False, 0, groups)

        given = (input, weight, bias, stride, padding, dilation, groups)
        checked = None if isinstance(padding, str) else bias  # whose dtype PyTorch compares before anything else
        return _of_batch(plain, dims, given, checked, run)

    @nn_composite(
        turned,
        f"Spreads each element of {over} over a window by filters: a convolution in reverse.",
        f"nn.functional.{turned}",
    )
    def conv_transpose(
        input: Tensor,
        weight: Tensor,
        bias: Tensor | None = None,
        stride: int | Sequence[int] = 1,
        padding: int | Sequence[int] = 0,
        output_padding: int | Sequence[int] = 0,
        groups: int = 1,
        dilation: int | Sequence[int] = 1,
    ) -> Tensor:
        def run(batch: Tensor) -> Tensor:
            return _convolve(dims, batch, weight, bias, stride, padding, dilation, True, output_padding, groups)

        given = (input, weight, bias, stride, padding, output_padding, groups, dilation)
        return _of_batch(turned, dims, given, bias, run)


for each in (1, 2, 3):
    _declare(each)
