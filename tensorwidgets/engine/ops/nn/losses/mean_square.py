"""mse_loss: the mean of the squared differences."""

from __future__ import annotations

import numpy as np

from ....backends.numpy.rounded_steps import rounding, unchanged
from ....backends.numpy.without_warnings import silent
from ....declare.pointwise import common_dtype
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.warnings import warn
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import opmath
from ...pointwise.prepared import REAL_FRACTIONS
from ..declaring import nn_composite, nn_row
from .reduction import MEAN, NONE, SUM, check_weights, chosen_reduction, in_order, reduction_by_name, stride_of_pairs
from .yes_or_no import added_up, reduced


@silent
def fill_mse(target: np.ndarray, input: np.ndarray, wanted: np.ndarray, reduction: int, wide: np.dtype) -> None:
    difference = np.subtract(input, wanted, dtype=wide, casting="unsafe")
    rounded = rounding(target.dtype, wide)
    if rounded is not unchanged:
        reduced(target, np.square(rounded(difference)), reduction)
        return
    square = np.square(difference, out=difference if difference.ndim else None)
    np.copyto(target, added_up(square, reduction, target.dtype) if reduction else square, casting="unsafe")


@nn_row("_nn.mse_loss", "The squares of the differences, their mean or their sum.", fill_mse)
def _mse_loss(input: Tensor, target: Tensor, reduction: int = MEAN) -> Answer:
    size = np.broadcast_shapes(input._array.shape, target._array.shape)
    d = common_dtype((input, target))
    if d not in REAL_FRACTIONS:
        refuse_dtype("mse_cpu", d)
    pair = in_order(input, target) if reduction else (input._array, target._array)
    given = (*pair, reduction, opmath(d)._in_numpy)
    return Result((), d) if reduction else Result(size, d, stride_of_pairs(size, input, target)), given


@nn_composite("nn.functional.mse_loss", "The mean of the squared differences.")
def mse_loss(
    input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
    reduction: str = "mean", weight: Tensor | None = None,
) -> Tensor:  # fmt: skip
    if target.size() != input.size():
        warn(
            f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "
            "likely lead to incorrect results due to broadcasting. Please ensure they have the same size."
        )
    reduction = reduction_by_name(reduction, size_average, reduce)
    given = input
    input, target = OPS["broadcast_tensors"].function(input, target)
    check_weights(given, weight)
    how = chosen_reduction(reduction)
    if weight is None:
        return OPS["_nn.mse_loss"].function(input, target, how)
    weighted = OPS["pow"].function(input - target, 2) * weight
    if how == NONE:
        return weighted
    return weighted.sum() if how == SUM else weighted.sum() / weight.sum()
