"""Which reduction does a loss apply to its elements? none, mean or sum, or the two old arguments that say the same."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....geometry.fresh import pointwise_stride
from ....tensor.keys import KEY_META
from ....tensor.lookups import size_and_stride
from ....tensor.must_be_tensor import must_be_tensor, must_have
from ....tensor.tensor import Tensor


def must_be_pair(op_name: str, input: Any, target: Any) -> None:
    """Refuse an input or a target that is not a tensor."""
    must_be_tensor(op_name, input)
    must_be_tensor(op_name, target, "target", 2)


def check_weights(input: Tensor, weight: Tensor | None) -> None:
    """Refuse weights that are not one for each element."""
    if weight is None:
        return
    must_have(weight, "size", "a weighted loss")
    if weight.size() != input.size():
        refuse(
            ValueError,
            "Weights and input must have the same size.",
            "each element has its own weight",
            rule="loss.weight",
        )


def stride_of_pairs(size: tuple[int, ...], input: Tensor, target: Tensor) -> tuple[int, ...]:
    """The strides of a loss for each pair of elements: in the order in which both lie."""
    return pointwise_stride(size, [size_and_stride(input), size_and_stride(target)])


def in_order(first: Tensor, second: Tensor) -> tuple[np.ndarray, np.ndarray]:
    """The arrays of a pair, with their dimensions in the order in which the loss of each pair of elements would lie.

    So PyTorch adds them up. Where there are no elements, nothing is added up.
    """
    a, b = first._array, second._array
    if (
        (first._keys | second._keys) & KEY_META
        or a.shape == b.shape
        and (a.ndim < 2 or a.flags.c_contiguous and b.flags.c_contiguous)
    ):
        return a, b
    size = np.broadcast_shapes(a.shape, b.shape)
    stride = stride_of_pairs(size, first, second)
    order = sorted(range(len(size)), key=lambda d: -stride[d])
    return np.broadcast_to(a, size).transpose(order), np.broadcast_to(b, size).transpose(order)


NONE, MEAN, SUM = 0, 1, 2
"""PyTorch's numbers of the reductions, by which its compiled losses are called."""

REDUCTIONS = {"none": NONE, "mean": MEAN, "sum": SUM}


def reduction_by_name(
    reduction: str, size_average: Any = None, reduce: bool | None = None, loss: str = "CrossEntropyLoss"
) -> str:
    """The name of a reduction; the two old arguments win, with a warning. ``loss`` names the class in a refusal."""
    if size_average is not None or reduce is not None:
        _refuse_data(size_average, loss)
        averaged, reduced = size_average is None or size_average, reduce is None or reduce
        reduction = "none" if not reduced else "mean" if averaged else "sum"
        warn(f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.")
    return reduction


def _refuse_data(size_average: Any, loss: str) -> None:
    """Refuse a tensor that was meant for the loss, and was given to its class: it is no yes or no."""
    if isinstance(size_average, Tensor) and size_average.numel() > 1:
        refuse(
            RuntimeError,
            "Boolean value of Tensor with more than one value is ambiguous",
            f"{loss}(...) makes a loss, and takes no tensors to compare: these go into the next parentheses",
            f"nn.{loss}()(input, target)",
            rule="loss.reduction",
        )


def chosen_reduction(
    reduction: str, size_average: Any = None, reduce: bool | None = None, wrong: str = "a valid value for reduction",
    old: bool = True,
) -> int:  # fmt: skip
    """PyTorch's number of a reduction.

    `wrong` is what a message says that another name is not; `old` says whether an old name of the mean is one.
    """
    reduction = reduction_by_name(reduction, size_average, reduce)
    if reduction == "elementwise_mean" and old:
        warn("reduction='elementwise_mean' is deprecated. Please use reduction='mean' instead.")
        reduction = "mean"
    if not isinstance(reduction, str) or reduction not in REDUCTIONS:
        refuse(
            ValueError,
            f"{reduction} is not {wrong}" if old else reduction + f" is not {wrong}",  # None has no sum with a text
            "reduction says whether a loss keeps every element, adds them up or takes their mean",
            "reduction='mean', 'sum' or 'none'",
            rule="loss.reduction",
        )
    return REDUCTIONS[reduction]
