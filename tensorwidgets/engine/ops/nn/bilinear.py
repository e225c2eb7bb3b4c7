"""Bilinear maps: two inputs are multiplied with each other, each pair of elements with a weight."""

from __future__ import annotations

import numpy as np

from ...backends.numpy.casts import assign
from ...backends.numpy.rounded_steps import rounding
from ...backends.numpy.without_warnings import silent
from ...declare.rules import Answer, Result
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types.cpp_names import cpp_name
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import BAREBONES_UNSIGNED, BOOL, opmath
from .declaring import nn_composite, nn_row_without_out


@silent
def fill_trilinear(target: np.ndarray, x1: np.ndarray, weight: np.ndarray, x2: np.ndarray, wide: np.dtype) -> None:
    x1, weight, x2 = (a.astype(wide, copy=False) for a in (x1, weight, x2))
    outputs, first, second = weight.shape
    by_first = weight.transpose(1, 0, 2).reshape(first, outputs * second)
    halfway = rounding(target.dtype, wide)((x1 @ by_first).reshape(len(x1), outputs, second))
    assign(target, np.matmul(halfway, x2[:, :, None])[..., 0])


@nn_row_without_out(
    "_trilinear", "For each row of two matrices the product with each matrix of weights.", fill_trilinear
)
def _trilinear(i1: Tensor, i2: Tensor, i3: Tensor) -> Answer:
    wide = opmath(i1._dtype)._in_numpy
    size = i1._array.shape[0], i2._array.shape[0]
    return Result(size, i1._dtype), (i1._array, i2._array, i3._array, wide)


def _check(fits: bool, message: str) -> None:
    if not fits:
        refuse(
            RuntimeError,
            f"bilinear(): {message}",
            "the weight has the size (outputs, elements of input1, elements of input2)",
            rule="bilinear.size",
        )


@nn_composite("bilinear", "Computes x1 @ weight[k] @ x2 + bias[k] for each output k.", "nn.functional.bilinear")
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    for position, (name, given) in enumerate((("input1", input1), ("input2", input2), ("weight", weight)), 1):
        must_be_tensor("bilinear", given, name, position)
    given_tensors = {"input1": input1, "input2": input2, "weight": weight} | ({} if bias is None else {"bias": bias})
    if len({t._dtype for t in given_tensors.values()}) > 1:
        listed = ", ".join(f"{name}: {cpp_name(t._dtype)}" for name, t in given_tensors.items())
        refuse(
            RuntimeError,
            f"All tensors must have the same dtype, got {listed}",
            "they are multiplied with one another",
            rule="bilinear.dtype",
        )
    dims = input1.dim()
    _check(dims == input2.dim(), f"input dimensions do not match: got {dims} and {input2.dim()}")
    for dim in range(dims - 1):
        one, two = input1.size(dim), input2.size(dim)
        _check(one == two, f"input batch dimensions do not match at dim {dim}: got {one} and {two}")
    for number, given in enumerate((input1, input2), 1):
        expected, got = weight.size(number), given.size(-1)
        _check(got == expected, f"input{number} size does not match weight size: got {got} but expected {expected}")
    if bias is not None:
        got, expected = bias.size(0), weight.size(0)
        _check(got == expected, f"bias size does not match weight size: got {got} but expected {expected}")
    if input1._dtype._kind == BOOL or input1._dtype in BAREBONES_UNSIGNED:
        refuse_dtype("bmm", input1._dtype)
    if weight.dim() != 3:
        refuse(
            RuntimeError,
            "number of dimensions must match",
            f"the weight has three dimensions (outputs, elements of input1, elements of input2), not {weight.dim()}",
            rule="bilinear.size",
        )
    size = (*input1.size()[:-1], weight.size(0))
    rows = [x.reshape(-1, x.size(-1)) for x in (input1, input2)]
    result: Tensor = OPS["_trilinear"].function(rows[0], weight, rows[1]).reshape(size)
    return result if bias is None else result + bias
