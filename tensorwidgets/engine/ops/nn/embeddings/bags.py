"""Bags of embeddings: the sum, the mean or the largest elements of several rows of a table."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....backends.numpy.casts import assign
from ....backends.numpy.chunks import spans
from ....backends.numpy.rounded_steps import rounding
from ....declare.by_signature import calls
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.must_be_tensor import must_have
from ....tensor.tensor import Tensor
from ....tensor.wrapping import place_of
from ....types.cpp_names import cpp_tensor_type
from ....types.dtypes import bfloat16, float16, float32, float64, int64, opmath
from ....types.promotion import promote_types
from ..declaring import nn_composite, nn_row_without_out
from .tables import check_indices, limit_norms

SUM, MEAN, MAX = 0, 1, 2
MODES = {"sum": SUM, "mean": MEAN, "max": MAX}


def _refuse(message: str, because: str, *ways: str, error: type[Exception] = RuntimeError) -> None:
    refuse(error, message, because, *ways, rule="embedding_bag.argument")


# -- the kernel --------------------------------------------------------------------------------------------------


def fill_bags(
    targets: tuple, weight: np.ndarray, indices: np.ndarray, offsets: np.ndarray, mode: int, weights: np.ndarray | None,
    padding: int, wide: np.dtype,
) -> None:  # fmt: skip
    output, bags, sizes, chosen = targets
    count = len(output)
    _check_numbers(indices, offsets, len(weight), count, mode == MAX or padding >= 0)
    if not count:
        bags[...] = 0
        return
    starts = offsets[:count]
    number = np.searchsorted(starts, np.arange(len(indices)), side="right") - 1 if count else indices[:0]
    bags[...] = number
    used = indices != padding
    number, rows = number[used], indices[used]
    sizes[...] = np.bincount(number, minlength=count)
    if mode == MAX:
        _largest(output, chosen, weight, sizes, rows)
        return
    factors = np.ones(len(rows), wide) if weights is None else weights[used].astype(wide)
    ends = np.concatenate(([0], np.cumsum(sizes)))
    from scipy.sparse import csr_matrix  # SciPy loads with the first bag

    total = csr_matrix((factors, rows, ends), (count, len(weight))) @ weight.astype(wide, copy=False)
    if mode == MEAN:
        total = rounding(output.dtype, wide)(total)
        total /= np.maximum(sizes, 1)[:, None].astype(wide)
    assign(output, total)
    chosen[...] = sizes


def _largest(output: np.ndarray, chosen: np.ndarray, weight: np.ndarray, sizes: np.ndarray, rows: np.ndarray) -> None:
    """The largest elements of each bag; bags of one size are looked at together, some at a time."""
    output[...], chosen[...] = 0, 0
    starts, columns = np.cumsum(sizes) - sizes, np.arange(weight.shape[1])
    for length in np.unique(sizes[sizes > 0]).tolist():
        bags = np.flatnonzero(sizes == length)
        for piece in spans(len(bags), max(1, _ELEMENTS_AT_ONCE // (length * max(len(columns), 1)))):
            some = bags[piece]
            own = rows[starts[some][:, None] + np.arange(length)]
            best = np.take_along_axis(own, _place_of_largest(weight[own]), 1)
            chosen[some], output[some] = best, weight[best, columns]


_ELEMENTS_AT_ONCE = 1 << 18


def _place_of_largest(values: np.ndarray) -> Any:
    """Where the largest elements are along dimension 1. NaN is greater than nothing, and if it is first, nothing is."""
    wrong = np.isnan(values) if values.dtype.kind != "i" else None
    if wrong is not None and wrong.any():
        values[wrong] = -np.inf
        values[:, 0][wrong[:, 0]] = np.inf
    return values.argmax(1)


def _check_numbers(indices: np.ndarray, offsets: np.ndarray, rows: int, count: int, plain: bool) -> None:
    """Refuse offsets and numbers that do not fit; PyTorch's `plain` way, bag by bag, has other words for a number."""
    if len(offsets) and offsets[0] != 0:
        _refuse(
            "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, "
            f"got {offsets[0]}",
            "offsets say where each bag begins",
        )
    if len(offsets) and offsets[-1] > len(indices):
        _refuse(
            f"offsets[-1] can not be greater than input's length {len(indices)} but got offsets[-1] of {offsets[-1]}",
            "offsets say where each bag begins",
        )
    wrong = np.flatnonzero((indices < 0) | (indices >= rows))
    if len(wrong) and plain:
        _refuse(
            f"embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be {indices[wrong[0]]}",
            f"the table has {rows} rows",
        )
    if len(wrong) and count:
        _refuse(
            f"Index {wrong[0]} of input takes value {indices[wrong[0]]} which is not in the valid range [0, {rows})",
            f"the table has {rows} rows",
        )


@nn_row_without_out("_embedding_bag", "The sum, mean or largest elements of rows of a table, and which rows these are.",
           fill_bags, returns="tuple[Tensor, Tensor, Tensor, Tensor]")  # fmt: skip
def _embedding_bag(
    weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: bool = False, mode: int = SUM,
    sparse: bool = False, per_sample_weights: Tensor | None = None, include_last_offset: bool = False,
    padding_idx: int = -1,
) -> Answer:  # fmt: skip
    if include_last_offset and not offsets._array.shape[0]:
        _refuse("include_last_offset: number of offset should be at least 1", "the last offset ends the last bag")
    count = offsets._array.shape[0] - bool(include_last_offset)
    size, d = (count, weight._array.shape[1]), weight._dtype
    numbers = Result((count,), int64)
    results = (
        Result(size, d),
        Result(indices._array.shape, int64),
        numbers,
        Result(size, int64) if mode == MAX else numbers,
    )
    given = [None if t is None else t._array for t in (weight, indices, offsets)]
    weights = None if per_sample_weights is None else per_sample_weights._array
    return results, (*given, mode, weights, padding_idx, opmath(d)._in_numpy)


# -- the functions -----------------------------------------------------------------------------------------------


@calls("embedding_bag", "The sum, mean or largest elements of rows of a table, and which rows these are.",
       family="nn", category="nn", forms="function")  # fmt: skip
def embedding_bag(
    weight: Tensor, indices: Tensor, offsets: Tensor, scale_grad_by_freq: bool = False, mode: int = SUM,
    sparse: bool = False, per_sample_weights: Tensor | None = None, include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:  # fmt: skip
    rows = weight.size(0) if padding_idx is not None else 0
    if padding_idx is not None and not -rows <= padding_idx < rows:
        _refuse(
            f"padding_idx must be within the number of embeddings, -{rows} through {rows - 1}, but got {padding_idx}",
            f"the table has {rows} rows",
        )
    if indices.dim() not in (1, 2):
        message = f"input has to be a 1D or 2D Tensor, but got Tensor of dimension {indices.dim()}"
        _refuse(message, "bags are given one after the other in 1 dimension, or as the rows of 2")
    if indices.dim() == 1 and offsets.dim() != 1:
        message = f"offsets has to be a 1D Tensor, but got Tensor of dimension {offsets.dim()}"
        _refuse(message, "offsets say where each bag begins")
    if weight.dim() != 2:
        message = f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}"
        _refuse(message, "the table has a row for each number")
    check_indices(indices, "embedding_bag", d=promote_types(indices._dtype, offsets._dtype))
    check_indices(offsets, "embedding_bag")
    if weight._dtype not in (float16, bfloat16, float32, float64):
        _refuse(
            "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, "
            f"Float, Double; but got {cpp_tensor_type(weight._dtype)} instead "
            "(while checking arguments for embedding_bag)",
            "vectors hold fractions",
            "weight.float()",
        )
    if mode not in MODES.values():
        _refuse("`mode` must be sum, mean, or max.", f"{mode} is none of {', '.join(map(str, MODES.values()))}")
    if per_sample_weights is not None and per_sample_weights._dtype is not weight._dtype:
        one, two = (f"torch.{t._dtype._type_name}Tensor" for t in (weight, per_sample_weights))
        _refuse(
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
            f"'per_sample_weights'; but type {one} does not equal {two} (while checking arguments for embedding_bag)",
            "they are multiplied with each other",
            f"per_sample_weights.to({weight._dtype})",
        )
    if per_sample_weights is not None:
        one_dim = per_sample_weights.dim() == 1
        if not one_dim or per_sample_weights.numel() != indices.numel():
            wanted = "numel() == indices.numel()" if one_dim else "dim() == 1"
            _refuse(
                f"Expected per_sample_weights.value().{wanted} to be true, but got false.  (Could this error message "
                "be improved?  If so, please report an enhancement request to PyTorch.)",
                "each number has its weight",
            )
    rows = weight.size(0)
    padding = -1 if padding_idx is None else padding_idx % rows
    if include_last_offset:
        indices, per_sample_weights = _up_to_the_last(indices, offsets, per_sample_weights)
    return OPS["_embedding_bag"].function(
        weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights, include_last_offset, padding
    )


def _up_to_the_last(indices: Tensor, offsets: Tensor, weights: Tensor | None) -> tuple[Tensor, Tensor | None]:
    """The numbers before the last offset, which ends the last bag."""
    if offsets.dim() != 1 or not offsets.numel() or not place_of(offsets).has_numbers:
        return indices, weights
    end = int(offsets._array[-1])
    if not 0 <= end < len(indices):
        return indices, weights
    return indices[:end], None if weights is None else weights[:end]


def _cut(input: Tensor, offsets: Tensor | None, weights: Tensor | None) -> tuple[Tensor, Any, Tensor | None]:
    """A matrix of numbers as bags of one length; a vector with its offsets as it is."""
    if input.dim() == 2:
        if offsets is not None:
            _refuse(
                "if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "
                f"sequences. However, found offsets of type {type(offsets)}",
                "each row is a bag",
                "input.flatten()",
                error=ValueError,
            )
        starts = OPS["arange"].function(0, input.numel(), input.size(1), dtype=input.dtype, device=input.device)
        return input.reshape(-1), starts, None if weights is None else weights.reshape(-1)
    if input.dim() != 1:
        message = f"input has to be 1D or 2D Tensor, but got Tensor of dimension {input.dim()}"
        _refuse(message, "bags are given one after the other in 1 dimension, or as the rows of 2", error=ValueError)
    if offsets is None:
        _refuse("offsets has to be a 1D Tensor but got None", "offsets say where each bag begins", error=ValueError)
    elif offsets.dim() != 1:
        _refuse("offsets has to be a 1D Tensor", "offsets say where each bag begins", error=ValueError)
    return input, offsets, weights


@nn_composite(
    "nn.functional.embedding_bag", "Looks up rows of a table, and returns the sum, mean or largest of each bag."
)
def functional_embedding_bag(
    input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None,
    norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
    per_sample_weights: Tensor | None = None, include_last_offset: bool = False, padding_idx: int | None = None,
) -> Tensor:  # fmt: skip
    if weight.dtype is int64 and input.is_floating_point():
        warn(
            "Argument order of nn.functional.embedding_bag was changed. Usage `embedding_bag(weight, input, ...)` is "
            "deprecated, and should now be `embedding_bag(input, weight, ...)`."
        )
        weight, input = input, weight
    if per_sample_weights is not None and input.size() != per_sample_weights.size():
        _refuse(
            f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the "
            f"same shape as the input ({input.shape})",
            "each number has its weight",
            error=ValueError,
        )
    if weight.dim() != 2:
        message = f"weight has to be a 2D Tensor, but got Tensor of dimension {weight.dim()}"
        _refuse(message, "the table has a row for each number", error=ValueError)
    must_have(input, "dim", "embedding_bag")
    include_last_offset = bool(include_last_offset) and input.dim() != 2
    input, offsets, per_sample_weights = _cut(input, offsets, per_sample_weights)
    if mode not in tuple(MODES):
        _refuse("mode has to be one of sum, mean or max", f"there is no {mode!r}", error=ValueError)
    if mode == "max" and scale_grad_by_freq:
        message = "max mode does not support scaling the gradient by the frequency"
        _refuse(message, "one row of a bag gets the gradient", error=ValueError)
    if mode == "max" and sparse:
        _refuse("max mode does not support sparse weights", "PyTorch has no such kernel", error=ValueError)
    if max_norm is not None:
        limit_norms(weight, input, max_norm, norm_type)
    if per_sample_weights is not None and mode != "sum":
        _refuse(
            "embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for mode='sum' (got "
            f"mode='{mode}'). Please open a feature request on GitHub.",
            "weights belong to a sum",
            "mode='sum'",
            error=NotImplementedError,
        )
    result: Tensor = OPS["embedding_bag"].function(
        weight, input, offsets, scale_grad_by_freq, MODES[mode], sparse, per_sample_weights, include_last_offset,
        padding_idx,
    )[0]  # fmt: skip
    return result
