"""Activations that read more than one number for each result: prelu, rrelu, glu."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy import ndarray

from ....backends.numpy.branchless_where import chosen
from ....backends.numpy.casts import assign
from ....backends.numpy.layers import few_activations as few
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....geometry import pointwise_stride
from ....tensor.generator import Generator
from ....tensor.lookups import checked_dim, size_and_stride
from ....tensor.must_be_tensor import must_be_tensor, must_have
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import float16, opmath
from ...pointwise.prepared import REAL_FRACTIONS
from ...random.sampling import stream
from ..declaring import nn_composite, nn_row
from .elementwise import elementwise, fill_elementwise, in_place

# -- prelu: a slope for each channel -----------------------------------------------------------------------------


@nn_composite(
    "prelu", "Multiplies negative elements by a weight, one for all or one for each channel.", "nn.functional.prelu",
    forms="function method",
)  # fmt: skip
def prelu(input: Tensor, weight: Tensor) -> Tensor:
    must_be_tensor("prelu", input)
    must_be_tensor("prelu", weight, "weight", 2)
    if input.dtype is not weight.dtype:
        one, two = input._dtype._type_name, weight._dtype._type_name
        refuse(
            RuntimeError,
            f"prelu: Type promoting not supported. Got {one} and {two}",
            "the weight has the dtype of the input",
            f"weight.to({input.dtype})",
            rule="prelu.dtype",
        )
    dims, count = input.dim(), weight.numel()
    if count != 1:
        if not dims:
            refuse(RuntimeError, "Not allow zero-dim input tensor.", "there is no channel", rule="prelu.channels")
        channels = input.size(1) if dims > 1 else 1
        if channels != count:
            refuse(
                RuntimeError,
                "Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                f"{count} and channel size = {channels}.",
                "there is one weight for all channels, or one for each index of dimension 1",
                rule="prelu.channels",
            )
    if weight.dim() > 1:
        refuse(
            RuntimeError,
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight.dim()}",
            "there is one weight for all channels, or one for each index of dimension 1",
            "weight.flatten()",
            rule="prelu.channels",
        )
    if weight.dim() != dims:
        weight = weight.reshape([count if d == 1 else 1 for d in range(dims)])
    return OPS["_prelu_kernel"].function(input, weight)


def fill_prelu(target: np.ndarray, x: np.ndarray, weight: np.ndarray, wide: np.dtype) -> None:
    fill_elementwise(target, _bent, wide, (), x, np.broadcast_to(weight, x.shape))


def _bent(x: np.ndarray, weight: np.ndarray) -> Any:
    return chosen(~(x > 0), x * weight, x)


@nn_row("_prelu_kernel", "Multiplies negative elements by a weight of as many dimensions.", fill_prelu)
def _prelu_kernel(input: Tensor, weight: Tensor) -> Answer:
    d = input._dtype
    if d not in REAL_FRACTIONS:
        refuse_dtype("prelu_cpu", d)
    stride = pointwise_stride(input._array.shape, [size_and_stride(input)])
    return Result(input._array.shape, d, stride), (input._array, weight._array, opmath(d)._in_numpy)


# -- rrelu: a random slope for each element ----------------------------------------------------------------------


def fill_noise(target: np.ndarray, x: np.ndarray, lower: float, upper: float, g: Generator) -> None:
    below = quietly(np.less_equal, x, 0)  # 16-bit numbers warn of NaN
    drawn = np.ones_like(x, dtype=np.float64)
    drawn[below] = g.doubles(int(np.count_nonzero(below))) * (upper - lower) + lower
    assign(target, drawn)


@nn_row("_nn.rrelu_noise", "Draws a slope for each element that is not positive, and 1 for others.", fill_noise)
def _rrelu_noise(input: Tensor, lower: float, upper: float, generator: Generator | None = None) -> Answer:
    rounded = opmath(input._dtype)._in_numpy.type
    low, high = float(rounded(lower)), float(rounded(upper))
    return Result(input._array.shape, input._dtype), (input._array, low, high, stream(generator, input))


def with_noise(x: ndarray, noise: ndarray, lower: float, upper: float, training: bool) -> Any:
    if training:
        return chosen(x <= 0, x * noise, x)
    return chosen(~(x > 0), x * x.dtype.type((lower + upper) / 2), x)


@elementwise(
    "_nn.rrelu_with_noise", "Multiplies negative elements by slopes that were drawn.", with_noise,
    stub="leaky_relu_cpu", contiguous=True,
)  # fmt: skip
def _rrelu_with_noise(input: Tensor, noise: Tensor, lower: float, upper: float, training: bool) -> tuple:
    return lower, upper, training


in_place("_nn.rrelu_with_noise_", "_nn.rrelu_with_noise")


def _rrelu(
    input: Tensor, lower: float, upper: float, training: bool, generator: Generator | None, ending: str
) -> Tensor:
    must_be_tensor("rrelu", input)
    if lower > upper:
        refuse(
            RuntimeError,
            "Lower bound should be less than or equal to the upper bound",
            "slopes are drawn between the bounds",
            f"lower={upper}, upper={lower}",
            rule="rrelu.bounds",
        )
    values = input.detach()
    if training:
        if input._dtype not in REAL_FRACTIONS or input._dtype is float16:
            refuse_dtype("rrelu_with_noise_out_cpu", input._dtype)
        noise = OPS["_nn.rrelu_noise"].function(values, lower, upper, generator)
    else:
        noise = OPS["empty_like"].function(values)
    return OPS["_nn.rrelu_with_noise" + ending].function(input, noise, lower, upper, training)


@nn_composite("rrelu", "Multiplies negative elements by random slopes; by their mean if not in training.")
def rrelu(
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> Tensor:
    return _rrelu(input, lower, upper, training, generator, "")


@nn_composite("rrelu_", "In-place form of `rrelu`.", "nn.functional.rrelu_")
def rrelu_(
    input: Tensor,
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    generator: Generator | None = None,
) -> Tensor:
    return _rrelu(input, lower, upper, training, generator, "_")


@nn_composite("nn.functional.rrelu", "Multiplies negative elements by random slopes; by their mean if not in training.")
def functional_rrelu(
    input: Tensor, lower: float = 1 / 8, upper: float = 1 / 3, training: bool = False, inplace: bool = False
) -> Tensor:
    return OPS["rrelu_" if inplace else "rrelu"].function(input, lower, upper, training)


# -- glu: one half opens the other -------------------------------------------------------------------------------


def fill_glu(target: np.ndarray, x: np.ndarray, axis: int, wide: np.dtype) -> None:
    before, half = (slice(None),) * axis, target.shape[axis]
    fill_elementwise(target, _gated, wide, (), x[(*before, slice(half))], x[(*before, slice(half, None))])


def _gated(a: ndarray, b: ndarray) -> Any:
    if few.are_few(b):
        return a * few.sigmoid(b)
    return a / (1 + np.exp(-b))


@nn_row("_nn.glu", "Multiplies one half of a dimension by the sigmoid of the other half.", fill_glu)
def _glu(input: Tensor, dim: int = -1) -> Answer:
    must_be_tensor("glu", input)
    size, d = input._array.shape, input._dtype
    if not size:
        refuse(
            RuntimeError, "glu does not support 0-dimensional tensors", "a single number has no halves",
            "x.reshape(1)", rule="glu.size",
        )  # fmt: skip
    axis = checked_dim(dim, len(size))
    if size[axis] % 2:
        refuse(
            RuntimeError,
            f"Halving dimension must be even, but dimension {axis} is size {size[axis]}",
            "one half is multiplied by the sigmoid of the other",
            rule="glu.size",
        )
    if d not in REAL_FRACTIONS:
        refuse_dtype("glu_cpu", d)
    halved = (*size[:axis], size[axis] // 2, *size[axis + 1 :])
    stride = pointwise_stride(halved, [(halved, size_and_stride(input)[1])])
    return Result(halved, d, stride), (input._array, axis, opmath(d)._in_numpy)


@nn_composite("nn.functional.glu", "Multiplies one half of a dimension by the sigmoid of the other half.")
def glu(input: Tensor, dim: int = -1) -> Tensor:
    must_have(input, "dim", "glu")
    if not input.dim():
        refuse(
            RuntimeError,
            "glu does not support scalars because halving size must be even",
            "a single number has no halves",
            "x.reshape(1)",
            rule="glu.size",
        )
    return OPS["_nn.glu"].function(input, dim)
