"""Normalization over the last dimensions or over groups of channels: layer_norm, rms_norm, group_norm."""

from __future__ import annotations

import operator
from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from ....backends.numpy.layers import few_groups
from ....backends.numpy.layers.layer_norm import normalize, normalize_some_at_a_time
from ....backends.numpy.layers.moments import are_few
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....geometry import channels_last_3d_stride, channels_last_stride
from ....tensor.must_be_tensor import must_be_tensor, must_have
from ....tensor.tensor import Tensor
from ....types.cpp_names import cpp_name
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import bfloat16, dtype, float16, float32, opmath
from ....types.limits import finfo
from ..declaring import nn_composite, nn_row_without_out
from ..layouts import suggested_stride
from ..whole_numbers import whole_numbers


def array_of(tensor: Tensor | None) -> Any:
    """The array of an argument that may be left out."""
    return None if tensor is None else tensor._array


def kept_stride(input: Tensor) -> tuple[int, ...] | None:
    """The strides of a result whose channels lie last if the input's do; None for row-major order."""
    size = tuple(input.shape)
    order = {4: (0, 2, 3, 1), 5: (0, 2, 3, 4, 1)}.get(len(size))
    if order is None or input.is_contiguous():
        return None
    if not input.permute(order).is_contiguous():
        return suggested_stride(input, size)
    stride: Any = channels_last_stride(size) if len(size) == 4 else channels_last_3d_stride(size)
    return stride  # type: ignore[no-any-return]


def statistics_dtype(input: Tensor, kernel: str, *others: Tensor | None) -> dtype:
    """The dtype of means and deviations, after a check of the input's dtype and of its parameters' dtypes."""
    d = input._dtype
    given = [t._dtype for t in others if t is not None]
    if given and given[0] is not d:
        _check_mixed(d, given)
        return float32
    for other in given:
        if other is not d:
            refuse(
                RuntimeError,
                f"expected scalar type {d._type_name} but found {other._type_name}",
                "the input, the parameters and the statistics are computed with together",
                f"module.to({d})",
                rule="norm.dtype",
            )
    check_fraction(d, kernel)
    return d


def check_fraction(d: dtype, kernel: str) -> None:
    """Refuse an input of whole numbers."""
    if not d.is_floating_point:
        refuse_dtype(kernel, d, "means and standard deviations are rarely whole numbers", "input.float()")


def _check_mixed(d: dtype, given: list[dtype]) -> None:
    """Refuse parameters of another dtype than the input, but for those of float32 beside an input of 16 bits."""
    if any(other is not float32 for other in given):
        refuse(
            RuntimeError,
            "mixed dtype (CPU): expect parameter to have scalar type of Float",
            f"the input is of {d}, and a parameter is of another dtype",
            f"weight.to({d})",
            rule="norm.dtype",
        )
    if opmath(d) is d:
        refuse(
            RuntimeError,
            "mixed dtype (CPU): all inputs must share same datatype.",
            "the input, the parameters and the statistics are computed with together",
            "input.float()",
            rule="norm.dtype",
        )


# -- layer_norm --------------------------------------------------------------------------------------------------


@silent
def fill_layer_norm(
    targets: tuple, input: np.ndarray, count: int, weight: ndarray, bias: ndarray | None, eps: float, wide: np.dtype
) -> None:
    """Normalize rows of `count` elements."""
    result, mean, scale = targets
    rows = input.reshape(input.size // count if count else mean.size, count).astype(wide, copy=False)
    own = result.dtype == wide and result.flags.c_contiguous and not np.may_share_memory(result, input)
    normal = result.reshape(rows.shape) if own else np.empty(rows.shape, wide, like=input)
    factor, summand = [None if one is None else one.reshape(count).astype(wide, copy=False) for one in (weight, bias)]
    center, inverse = np.empty((len(rows), 1), wide, like=input), np.empty((len(rows), 1), wide, like=input)
    if result.dtype.itemsize == 2:
        normalize_some_at_a_time(rows, None, None, eps, normal, center, inverse)
        normal = _in_one_step(rows, center, inverse, factor, summand)
    else:
        normalize(rows, factor, summand, eps, normal, center, inverse)
    if not own:
        np.copyto(result, normal.reshape(result.shape), casting="unsafe")
    np.copyto(mean, center.reshape(mean.shape), casting="unsafe")
    np.copyto(scale, inverse.reshape(scale.shape), casting="unsafe")


def _in_one_step(
    rows: np.ndarray, center: np.ndarray, inverse: np.ndarray, factor: np.ndarray | None, summand: np.ndarray | None
) -> np.ndarray:
    """Rows of 16-bit floats normalized by a product and a sum that is rounded with it, as in PyTorch."""
    normal = (rows.astype(np.float64) * inverse + -center * inverse).astype(rows.dtype)
    if factor is not None:
        normal *= factor
    if summand is not None:
        normal += summand
    return normal


def check_shape(input: Tensor, shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None, mark: str) -> None:
    """Refuse a shape that the input does not end in, and parameters of another one."""
    if not shape:
        refuse(
            RuntimeError,
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []",
            "the mean is taken over the last dimensions",
            "normalized_shape=input.shape[-1:]",
            rule="norm.shape",
        )
    _check_parameters(shape, weight, bias)
    size = input._array.shape
    if size[-len(shape) :] != shape:
        wanted = ", ".join(str(n) for n in shape)
        refuse(
            RuntimeError,
            f"Given normalized_shape={list(shape)}, expected input with shape [*{mark}{wanted}], but got input of "
            f"size{list(size)}",
            "the last dimensions of the input are those that are normalized",
            f"normalized_shape={list(size[-len(shape) :])}",
            rule="norm.shape",
        )


def _check_parameters(shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None) -> None:
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and given._array.shape != shape:
            refuse(
                RuntimeError,
                f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                f"{list(given._array.shape)} and normalized_shape = {list(shape)}",
                "each normalized element has a factor of its own",
                f"{name}.reshape({shape})",
                rule="norm.shape",
            )


@nn_row_without_out("native_layer_norm", "Layer normalization with the mean and the inverse deviation of each row.",
           fill_layer_norm)  # fmt: skip
def native_layer_norm(
    input: Tensor, normalized_shape: tuple[int, ...], weight: Tensor | None, bias: Tensor | None, eps: float
) -> Answer:
    shape = tuple(normalized_shape)
    first = bias if weight is None else weight  # whose dtype PyTorch looks at before the sizes
    if first is not None and first._dtype is not input._dtype:
        _check_mixed(input._dtype, [one._dtype for one in (weight, bias) if one is not None])
    check_shape(input, shape, weight, bias, ", ")
    d, size = input._dtype, input._array.shape
    inner = statistics_dtype(input, "LayerNormKernelImpl", weight, bias)
    outer = (*size[: len(size) - len(shape)], *(1,) * len(shape))
    given = (input._array, prod(shape), array_of(weight), array_of(bias), eps, opmath(d)._in_numpy)
    return (Result(size, d), Result(outer, inner), Result(outer, inner)), given


@nn_composite("layer_norm", "Layer normalization: the last dimensions get mean 0 and variance 1.")
def layer_norm(
    input: Tensor, normalized_shape: tuple[int, ...], weight: Tensor | None = None, bias: Tensor | None = None,
    eps: float = 1e-05, cudnn_enable: bool = True,
) -> Tensor:  # fmt: skip
    must_be_tensor("layer_norm", input)
    shape = whole_numbers("layer_norm", "normalized_shape", 2, normalized_shape, single=False)
    return OPS["native_layer_norm"].function(input, shape, weight, bias, eps)[0]


@nn_composite("nn.functional.layer_norm", "Gives the last dimensions mean 0 and variance 1, then multiplies and adds.")
def functional_layer_norm(
    input: Tensor,
    normalized_shape: tuple[int, ...],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-05,
) -> Tensor:
    return OPS["layer_norm"].function(input, normalized_shape, weight, bias, eps)


# -- rms_norm ----------------------------------------------------------------------------------------------------


def divided_by_root(
    input: Tensor, shape: tuple[int, ...], weight: Tensor | None, eps: float | None, add: Callable = operator.add
) -> Tensor:
    """What `rms_norm` computes; `add` adds a number to a tensor."""
    check_shape(input, shape, weight, None, "")
    d = input._dtype
    if not (d.is_floating_point or d.is_complex):
        statistics_dtype(input, "rms_norm")
    wide = input.to(float32) if d in (bfloat16, float16) else input
    if eps is None:
        eps = finfo(wide._dtype.to_real() if d.is_complex else wide._dtype).eps
    square = OPS["pow"].function(wide, 2)
    dims = list(range(input.dim() - len(shape), input.dim()))
    result = wide * OPS["rsqrt"].function(add(OPS["mean"].function(square, dims, True), eps))
    if weight is not None:
        if weight._dtype is not d:
            warn(
                f"Mismatch dtype between input and weight: input dtype = {cpp_name(d)}, weight dtype = "
                f"{cpp_name(weight._dtype)}, Cannot dispatch to fused implementation.",
                once="Mismatch dtype between input and weight",
            )
        result = result * weight
    result = result if result._dtype is d else result.to(d)
    if result.is_contiguous() or kept_stride(input) is not None:
        return result
    return result.contiguous()  # in PyTorch's order, but for channels that lie last


@nn_composite("rms_norm", "Divides by the root of the mean square over the last dimensions.", "nn.functional.rms_norm")
def rms_norm(
    input: Tensor, normalized_shape: tuple[int, ...], weight: Tensor | None = None, eps: float | None = None
) -> Tensor:
    must_be_tensor("rms_norm", input)
    shape = whole_numbers("rms_norm", "normalized_shape", 2, normalized_shape, single=False)
    if shape:
        _check_parameters(shape, weight, None)
    if input.dim() < len(shape):
        refuse(
            ValueError,
            f"Input tensor must have at least {len(shape)} dimensions, but got {input.dim()}",
            "the last dimensions of the input are those that are normalized",
            rule="norm.shape",
        )
    return divided_by_root(input, shape, weight, eps)


# -- group_norm --------------------------------------------------------------------------------------------------


@silent
def fill_group_norm(
    targets: tuple, input: np.ndarray, groups: int, weight: ndarray, bias: ndarray, eps: float, wide: np.dtype
) -> None:
    """Normalize groups of channels; each channel has a factor and a summand."""
    result, mean, scale = targets
    n, channels = mean.shape[0], input.shape[1]
    rows = input.reshape(n * groups, -1) if input.size else np.empty((n * groups, 0), wide, like=input)
    count = rows.shape[1]
    if not count:
        mean.fill(0)
        scale.fill(np.nan)
        return
    if are_few(rows) and input.dtype == result.dtype and input.flags.c_contiguous:
        planes = input.reshape(n, channels, -1)
        for target, found in zip(targets, few_groups.normalize(planes, groups, weight, bias, eps), strict=True):
            np.copyto(target, found.reshape(target.shape))
        return
    center = rows.mean(1, dtype=wide, keepdims=True)
    normal = np.subtract(rows, center, dtype=wide)
    inverse = 1 / np.sqrt(np.einsum("ij,ij->i", normal, normal)[:, None] / count + wide.type(eps))
    normal *= inverse
    normal = normal.reshape(n, channels, -1)
    if weight is not None:
        normal *= weight.astype(wide, copy=False)[:, None]
    if bias is not None:
        normal += bias.astype(wide, copy=False)[:, None]
    elif weight is not None:
        normal += 0  # a factor below 0 makes a negative zero of 0
    np.copyto(result, normal.reshape(result.shape), casting="unsafe")
    np.copyto(mean, center.reshape(mean.shape), casting="unsafe")
    np.copyto(scale, inverse.reshape(scale.shape), casting="unsafe")


@nn_row_without_out("native_group_norm", "Group normalization with the mean and the inverse deviation of each group.",
           fill_group_norm)  # fmt: skip
def native_group_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, N: int, C: int, HxW: int, group: int, eps: float
) -> Answer:
    d = input._dtype
    inner = statistics_dtype(input, "GroupNormKernelImpl", weight, bias)
    given = (input._array, group, array_of(weight), array_of(bias), eps, opmath(d)._in_numpy)
    outer = Result((N, group), inner)
    return (Result(input._array.shape, d, suggested_stride(input, input._array.shape)), outer, outer), given


@nn_composite("group_norm", "Group normalization: groups of channels get mean 0 and variance 1.")
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-05,
    cudnn_enabled: bool = True,
) -> Tensor:  # fmt: skip
    n, channels = input.size(0), input.size(1)  # which refuse dimensions that are not there
    size = tuple(input.size())
    if num_groups <= 0:
        refuse(RuntimeError, f"Expected num groups to be greater than 0, got {num_groups}", rule="norm.groups")
    if channels % num_groups:
        refuse(
            RuntimeError,
            "Expected number of channels in input to be divisible by num_groups, but got input of shape "
            f"{list(size)} and num_groups={num_groups}",
            "every group has as many channels",
            rule="norm.groups",
        )
    for name, given in (("weight", weight), ("bias", bias)):
        if given is not None and tuple(given.size()) != (channels,):
            shown = [0] if weight is None else list(weight.size())  # also of a bias, as PyTorch has it
            refuse(
                RuntimeError,
                f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} of "
                f"shape {shown} and input of shape {list(size)}",
                "each channel has a factor of its own",
                rule="norm.channels",
            )
    if suggested_stride(input, size) is None:
        input = input.contiguous()
    weight, bias = (None if given is None else given.contiguous() for given in (weight, bias))
    return OPS["native_group_norm"].function(
        input, weight, bias, n, channels, prod(size[2:]), num_groups, eps
    )[0]  # fmt: skip


def check_batch_size(size: Any) -> None:
    """Refuse a batch with a single number for each channel: its variance would be 0."""
    if prod(size[2:]) * size[0] == 1:
        refuse(
            ValueError,
            f"Expected more than 1 value per channel when training, got input size {size}",
            f"the variance of a channel is taken over the batch, and {list(size)} has one number for each channel",
            "module.eval(), to normalize by what was learned",
            "a batch of two examples or more; DataLoader(..., drop_last=True) leaves out a last batch of one",
            rule="norm.batch",
        )


@nn_composite("nn.functional.group_norm", "Gives groups of channels mean 0 and variance 1, then multiplies and adds.")
def functional_group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-05
) -> Tensor:
    must_have(input, "dim", "group_norm")
    if input.dim() < 2:
        refuse(
            RuntimeError,
            f"Expected at least 2 dimensions for input tensor but received {input.dim()}",
            "the second dimension holds the channels",
            rule="norm.ndim",
        )
    check_batch_size([input.size(0) * input.size(1) // num_groups, num_groups, *input.size()[2:]])
    return OPS["group_norm"].function(input, num_groups, weight, bias, eps)
