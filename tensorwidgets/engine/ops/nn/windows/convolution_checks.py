"""Which inputs of a convolution fit together, and PyTorch's refusals of those that do not."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, NoReturn

from ....backends.numpy.layers.convolution import Windows
from ....errors.reasons import refuse
from ....memory import MetaArray
from ....tensor.tensor import Tensor
from ....types.cpp_names import cpp_name
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import (
    BOOL,
    COMPLEX,
    INTEGER,
    ONLY_STORED,
    bfloat16,
    dtype,
    float32,
    int64,
)

MKLDNN = (float32, bfloat16)
"""Dtypes that PyTorch gives to a library, whose refusals have other words."""


def check(input: Tensor, weight: Tensor, bias: Tensor | None, windows: Windows, transposed: bool, extra: Any) -> None:
    """Refuse what does not fit together, in PyTorch's order."""
    size, shape = tuple(input.shape), tuple(weight.shape)
    _check_numbers(windows, extra)
    if len(size) != len(shape):
        refuse_dims(input, weight, " ")
    _check_channels(size, shape, bias, windows.groups, transposed)
    if transposed:
        _check_extra(windows, extra)
    else:
        _check_window(size, shape, windows)
    library = by_library(input, weight, windows)
    if library:
        _check_weight_dtype(input, weight, windows, transposed)
    if not all(windows.dilation):
        _refuse_dilation(_no_dilation(windows, transposed, library))
    _check_elements(tuple(input.shape))
    if transposed:
        _check_transposed_size(input, weight, windows, extra)
    if not library:
        _check_weight_dtype(input, weight, windows, transposed)
    dilated = not transposed and any(d != 1 for d in windows.dilation)
    short = input._dtype._kind == INTEGER and input._dtype is not int64
    stored = input._dtype in ONLY_STORED and type(input._array) is not MetaArray
    if input._array.size and (input._dtype._kind == BOOL or stored or short and (transposed or dilated)):
        plain = set(shape[2:]) | set(windows.stride) == {1} and not any(windows.padding) and shape[1] == size[1]
        refuse_dtype("slow_conv_dilated<>" if dilated else _kernel_of(len(shape) - 2, transposed, plain), input._dtype)
    if bias is not None:
        check_bias_dtype(input, bias)
    if size[0] and 0 in (shape[1:] if transposed else shape[2:]):
        _refuse_no_filter(shape, input._dtype in MKLDNN, transposed)


def _check_numbers(windows: Windows, extra: Any) -> None:
    """Refuse numbers of the windows that are too small."""
    for bad, what in (
        (any(p < 0 for p in windows.padding), "negative padding"),
        (any(e < 0 for e in extra), "negative output_padding"),
        (any(s <= 0 for s in windows.stride), "non-positive stride"),
    ):
        if bad:
            refuse(RuntimeError, f"{what} is not supported", rule="convolution.numbers")
    if any(d < 0 for d in windows.dilation):
        _refuse_dilation("dilation should be greater than zero")


def _check_channels(
    size: tuple[int, ...], shape: tuple[int, ...], bias: Tensor | None, groups: int, transposed: bool
) -> None:
    """Refuse filters that do not fit the groups, the channels of the input, or the bias."""
    if transposed:
        wanted, filters, head = shape[0], shape[1] * groups, f"Given transposed=1, weight of size {list(shape)}"
    else:
        wanted, filters, head = shape[1] * groups, shape[0], f"Given groups={groups}, weight of size {list(shape)}"
    if shape[0] % groups or shape[0] < groups:
        refuse(
            RuntimeError,
            f"Given groups={groups}, expected weight to be {'at least' if shape[0] < groups else 'divisible by'} "
            f"{groups} at dimension 0, but got weight of size "
            f"{list(shape) if shape[0] < groups else [list(shape)]} instead",
            rule="convolution.groups",
        )
    if size[1] != wanted:
        # An input without a batch has one of 1 by now. Counted from the end, the place is right for both.
        place = 1 if size[0] > 1 else 1 - len(size)
        refuse(
            RuntimeError,
            f"{head}, expected input{list(size)} to have {wanted} channels, but got {size[1]} channels instead",
            f"each filter reads {wanted} channels, and the input has {size[1]}: {list(size)} has its channels in "
            "dimension 1",
            *([f"x.movedim(-1, {place}), as the channels are last"] if size[-1] == wanted else []),
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


def _check_window(size: tuple[int, ...], shape: tuple[int, ...], windows: Windows) -> None:
    """Refuse a window that is larger than the input with its padding."""
    padded = [n + 2 * p for n, p in zip(size[2:], windows.padding, strict=True)]
    kernel = [d * (k - 1) + 1 for k, d in zip(shape[2:], windows.dilation, strict=True)]
    if any(k > n for k, n in zip(kernel, padded, strict=True)):
        refuse(
            RuntimeError,
            f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size: "
            f"({' x '.join(map(str, kernel))}). Kernel size can't be greater than actual input size",
            f"the window, {' x '.join(map(str, kernel))}, is larger than the input with its padding, "
            f"{' x '.join(map(str, padded))}",
            f"padding={max((k - n + 1) // 2 for k, n in zip(kernel, size[2:], strict=True))}",
            rule="convolution.kernel",
        )


def check_groups(groups: int) -> None:
    if groups <= 0:
        refuse(RuntimeError, "non-positive groups is not supported", rule="convolution.numbers")


def check_complex(input: Tensor, weight: Tensor, bias: Tensor | None) -> None:
    """Refuse parameters of other dtypes than an input of complex numbers: PyTorch looks at these first."""
    for what, t in (("weight", weight), ("bias", bias)):
        if t is not None and t._dtype is not input._dtype:
            refuse(
                RuntimeError,
                f"Input type ({_shown(input)}) and {what} type ({_shown(t)}) should be the same",
                f"a convolution does not promote: the input is {input._dtype}, the {what} {t._dtype}",
                *_ways_to_convert(input._dtype, t._dtype),
                rule="convolution.dtype",
            )


def _refuse_no_filter(shape: tuple[int, ...], by_library: bool, transposed: bool) -> None:
    """Refuse filters without elements, in the words of PyTorch's kernel or of the library in its place."""
    kernel = _in_a_row(shape[2:], 1)
    if by_library:
        message = _no_primitive(transposed)
    elif 0 not in kernel:
        return
    elif len(kernel) == 3:
        message = f"kernel size should be greater than zero, but got: {' x '.join(map(str, kernel))} (TxHxW)"
    else:
        message = (
            f"kernel size should be greater than zero, but got kernel_height: {kernel[0]} kernel_width: {kernel[1]}"
        )
    refuse(RuntimeError, message, "a filter has at least one element", rule="convolution.kernel")


def _no_primitive(transposed: bool) -> str:
    return (
        f"could not create a primitive descriptor for the {'de' if transposed else ''}convolution forward propagation "
        "primitive. Run workload with environment variable ONEDNN_VERBOSE=all to get additional diagnostic information."
    )


def _kernel_of(dims: int, transposed: bool, plain: bool) -> str:
    """The name of PyTorch's kernel, which computes a sequence as an image of one row; `plain` if each window is one
    element.
    """
    if transposed:
        return f"slow_conv_transpose{max(dims, 2)}d_out_cpu"
    return "compute_columns3d" if dims == 3 and not plain else f"slow_conv{max(dims, 2)}d_cpu"


def _in_a_row(numbers: Sequence[int], one: int) -> list[int]:
    """The numbers of a sequence as those of an image of one row."""
    return [one, *numbers] if len(numbers) == 1 else list(numbers)


def _no_dilation(windows: Windows, transposed: bool, library: bool) -> str:
    """PyTorch's refusal of a dilation of 0."""
    shown = _in_a_row(windows.dilation, 1)
    if library:
        return _no_primitive(transposed) if transposed else "non-positive dilation is not supported"
    if transposed:
        listed = ", ".join(f"dilation_{axis}: {d}" for axis, d in zip(_axes(len(shown)), shown, strict=True))
        return f"dilation should be greater than zero, but got {listed}"
    return f"dilation should be greater than zero, but got {shown}"


def _refuse_dilation(message: str) -> NoReturn:
    refuse(RuntimeError, message, "neighbours in a window are at least one element apart", rule="convolution.numbers")


def _check_elements(size: tuple[int, ...]) -> None:
    """Refuse images without pixels."""
    pixels = _in_a_row(size[2:], 1)
    if 0 in pixels and 0 not in size[:2]:
        refuse(
            RuntimeError,
            f"Only zero batch or zero channel inputs are supported, but got input shape: {[*size[:2], *pixels]}",
            "an image without pixels has no windows, and padding alone is no image",
            rule="convolution.size",
        )


def _check_transposed_size(input: Tensor, weight: Tensor, windows: Windows, extra: Sequence[int]) -> None:
    """Refuse a padding that takes everything away."""
    size, kernel = _in_a_row(input.shape[2:], 1), _in_a_row(weight.shape[2:], 1)
    numbers = zip(
        size, kernel, _in_a_row(windows.stride, 1), _in_a_row(windows.padding, 0), _in_a_row(windows.dilation, 1),
        _in_a_row(extra, 0), strict=True,
    )  # fmt: skip
    out = [(n - 1) * s - 2 * p + d * (k - 1) + e + 1 for n, k, s, p, d, e in numbers]
    if not input.shape[0]:  # an empty batch has no kernel that refuses a small result: only its size is checked
        whole = [0, weight.shape[1] * windows.groups, *out]
        if min(out) < 0:
            place = max(i for i, n in enumerate(whole) if n < 0)
            refuse(
                RuntimeError,
                f"invalid shape dimension {whole[place]} at index {place} of shape {whole}",
                "the padding takes more away than there is",
                rule="convolution.size",
            )
        return
    library = by_library(input, weight, windows)
    if min(out) < (0 if library else 1):
        given, found = (" x ".join(map(str, numbers)) for numbers in (size, out))
        refuse(
            RuntimeError,
            "could not construct a memory descriptor using a format tag"
            if library
            else f"Given input size per channel: ({given}). Calculated output size per channel: ({found}). Output size "
            "is too small",
            f"the padding takes away more than the result has: ({found})",
            "padding=0",
            rule="convolution.size",
        )


def by_library(input: Tensor, weight: Tensor, windows: Windows) -> bool:
    """Whether PyTorch calls its library for convolutions: its own kernels differ in messages and the order of volumes.

    A few small images of float32 are faster without it.
    """
    if input._dtype is not float32:
        return input._dtype in MKLDNN
    size, kernel = input.shape, _in_a_row(weight.shape[2:], 1)
    return windows.groups > 1 or min(kernel[-2:]) > 3 or size[0] > 1 or prod(size[:4]) > 20480


def _check_weight_dtype(input: Tensor, weight: Tensor, windows: Windows, transposed: bool) -> None:
    d = input._dtype
    if d is not weight._dtype and not (d._kind == BOOL or d._kind == INTEGER and d is not int64 and transposed):
        message = f"expected scalar type {d._type_name} but found {weight._dtype._type_name}"
        library = by_library(input, weight, windows)
        if library or d._kind == COMPLEX:
            message = f"Input type ({_shown(input)}) and weight type ({_shown(weight)}) should be the same"
            if library:
                message += " or input should be a MKLDNN tensor and weight is a dense tensor"
        refuse(
            RuntimeError,
            message,
            f"a convolution does not promote: the input is {input._dtype}, the weight {weight._dtype}",
            *_ways_to_convert(input._dtype, weight._dtype),
            rule="convolution.dtype",
        )


def _ways_to_convert(given: dtype, learned: dtype) -> list[str]:
    """How an input gets the dtype of a layer, or the layer that of the input."""
    of_layer = [f"layer.to({given}), which converts its parameters"] if given.is_floating_point else []
    return [f"input.to({learned})", *of_layer]


def _shown(t: Tensor) -> str:
    """The type of a tensor as PyTorch's C++ prints it: not all have a class of the old kind."""
    d = t._dtype
    return f"CPU{d._type_name}Type" if d._kind in (COMPLEX, BOOL) or d is bfloat16 else t.type()


def check_bias_dtype(input: Tensor, bias: Tensor) -> None:
    if bias._dtype is not input._dtype:
        names = [cpp_name(d) for d in (input._dtype, bias._dtype)]
        refuse(
            RuntimeError,
            f"Input type ({names[0]}) and bias type ({names[1]}) should be the same",
            f"a convolution does not promote: the input is {input._dtype}, the bias {bias._dtype}",
            *_ways_to_convert(input._dtype, bias._dtype),
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


def _axes(dims: int) -> tuple[str, ...]:
    return ("depth", "height", "width")[-dims:]


def _check_extra(windows: Windows, extra: Sequence[int]) -> None:
    if all(e < s or e < d for e, s, d in zip(extra, windows.stride, windows.dilation, strict=True)):
        return
    named = ("output_padding", extra, 0), ("stride", windows.stride, 1), ("dilation", windows.dilation, 1)
    listed = " ".join(
        f"{name}_{axis}: {n}"
        for name, numbers, one in named
        for axis, n in zip(_axes(max(len(extra), 2)), _in_a_row(numbers, one), strict=True)
    )
    refuse(
        RuntimeError,
        f"output padding must be smaller than either stride or dilation, but got {listed}",
        "output_padding chooses among the sizes that the stride leaves open",
        "output_padding=0",
        rule="convolution.output_padding",
    )
