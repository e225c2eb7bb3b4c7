"""Which inputs of a convolution fit together, and PyTorch's refusals of those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....backends.numpy.layers.convolution import Windows
from ....errors.reasons import refuse
from ....tensor.tensor import Tensor
from ....types.cpp_names import cpp_name


def check(input: Tensor, weight: Tensor, bias: Tensor | None, windows: Windows, transposed: bool, extra: Any) -> None:
    """Refuse what does not fit together, in PyTorch's order."""
    size, shape = tuple(input.shape), tuple(weight.shape)
    if bias is not None and not transposed:
        _check_bias_dtype(input, bias)
    _check_weight_dtype(input, weight)
    if bias is not None and transposed:
        _check_bias_dtype(input, bias)
    for bad, what in (
        (any(p < 0 for p in windows.padding), "negative padding"),
        (any(e < 0 for e in extra), "negative output_padding"),
        (any(s <= 0 for s in windows.stride), "non-positive stride"),
        (windows.groups <= 0, "non-positive groups"),
    ):
        if bad:
            refuse(RuntimeError, f"{what} is not supported", rule="convolution.numbers")
    if any(d <= 0 for d in windows.dilation):
        refuse(RuntimeError, "dilation should be greater than zero", rule="convolution.numbers")
    if len(size) != len(shape):
        refuse_dims(input, weight, " ")
    groups = windows.groups
    if transposed:
        _check_extra(windows, extra)
        wanted, filters, head = shape[0], shape[1] * groups, f"Given transposed=1, weight of size {list(shape)}"
    else:
        wanted, filters, head = shape[1] * groups, shape[0], f"Given groups={groups}, weight of size {list(shape)}"
    if shape[0] % groups or shape[0] < groups:
        refuse(
            RuntimeError,
            f"Given groups={groups}, expected weight to be {'at least' if shape[0] < groups else 'divisible by'} "
            f"{groups} at dimension 0, but got weight of size {list(shape)} instead",
            rule="convolution.groups",
        )
    if size[1] != wanted:
        refuse(
            RuntimeError,
            f"{head}, expected input{list(size)} to have {wanted} channels, but got {size[1]} channels instead",
            f"each filter reads {wanted} channels of the input's dimension 1",
            f"a layer with in_channels={size[1]}",
            rule="convolution.channels",
        )
    if bias is not None and tuple(bias.shape) != (filters,):
        refuse(
            RuntimeError,
            f"{head if transposed else f'Given weight of size {list(shape)}'}, expected bias to be 1-dimensional with "
            f"{filters} elements, but got bias of size {list(bias.shape)} instead",
            "every channel of the result has one number that is added",
            f"bias=torch.zeros({filters})",
            rule="convolution.bias",
        )
    if not transposed:
        padded = [n + 2 * p for n, p in zip(size[2:], windows.padding, strict=True)]
        kernel = [d * (k - 1) + 1 for k, d in zip(shape[2:], windows.dilation, strict=True)]
        if any(k > n for k, n in zip(kernel, padded, strict=True)):
            refuse(
                RuntimeError,
                f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size: "
                f"({' x '.join(map(str, kernel))}). Kernel size can't be greater than actual input size",
                "no window fits into the input",
                f"padding={max(k - n for k, n in zip(kernel, padded, strict=True))}",
                rule="convolution.kernel",
            )


def _check_weight_dtype(input: Tensor, weight: Tensor) -> None:
    if input._dtype is not weight._dtype:
        refuse(
            RuntimeError,
            f"Input type ({input.type()}) and weight type ({weight.type()}) should be the same or input should be a "
            "MKLDNN tensor and weight is a dense tensor"
            if input._dtype._in_numpy.itemsize == 4
            else f"expected scalar type {input._dtype._type_name} but found {weight._dtype._type_name}",
            "a convolution converts none of its inputs",
            f"input.to({weight._dtype})",
            rule="convolution.dtype",
        )


def _check_bias_dtype(input: Tensor, bias: Tensor) -> None:
    if bias._dtype is not input._dtype:
        names = [cpp_name(d) for d in (input._dtype, bias._dtype)]
        refuse(
            RuntimeError,
            f"Input type ({names[0]}) and bias type ({names[1]}) should be the same",
            "a convolution converts none of its inputs",
            f"input.to({bias._dtype})",
            rule="convolution.dtype",
        )


def refuse_dims(input: Tensor, weight: Tensor, gap: str) -> None:
    """Refuse an input whose number of dimensions does not fit the weight."""
    size, shape = list(input.shape), list(weight.shape)
    refuse(
        RuntimeError,
        f"Expected {len(shape)}-dimensional input for {len(shape)}-dimensional weight{gap}{shape}, but got "
        f"{len(size)}-dimensional input of size {size} instead",
        "a weight has filters, channels, and the dimensions of a window",
        rule="convolution.ndim",
    )


def _check_extra(windows: Windows, extra: Sequence[int]) -> None:
    if all(e < s or e < d for e, s, d in zip(extra, windows.stride, windows.dilation, strict=True)):
        return
    axes = {1: ("width",), 2: ("height", "width"), 3: ("depth", "height", "width")}[len(extra)]
    listed = " ".join(
        f"{name}_{axis}: {n}"
        for name, numbers in (("output_padding", extra), ("stride", windows.stride), ("dilation", windows.dilation))
        for axis, n in zip(axes, numbers, strict=True)
    )
    refuse(
        RuntimeError,
        f"output padding must be smaller than either stride or dilation, but got {listed}",
        "output_padding chooses among the sizes that the stride leaves open",
        "output_padding=0",
        rule="convolution.output_padding",
    )
