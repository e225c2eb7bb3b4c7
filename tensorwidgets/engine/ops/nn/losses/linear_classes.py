"""A linear map and the cross entropy of its result, in one call.

`options` say how PyTorch cuts batches into chunks, which changes no number; here they are checked and have no effect.
"""

from __future__ import annotations

from math import prod
from typing import Any, NoReturn

from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.tensor import Tensor
from ....types.dtypes import bfloat16, dtype, float16, int64
from ..declaring import nn_composite


def _refuse(message: str, because: str) -> NoReturn:
    refuse(RuntimeError, message, because, rule="loss.linear")


@nn_composite("nn.functional.linear_cross_entropy", "Cross entropy of a linear map's result.")
def linear_cross_entropy(
    input: Tensor, linear_weight: Tensor, target: Tensor, *, linear_bias: Tensor | None = None,
    weight: Tensor | None = None, reduction: str = "mean", ignore_index: int | None = None,
    label_smoothing: float = 0.0, options: Any = None,
) -> Tensor:  # fmt: skip
    size, weights = tuple(input.shape), tuple(linear_weight.shape)
    _check(size, weights, linear_bias)
    classes, *places = weights[:-1]
    wanted = (*size[:-1], classes, *places)
    if tuple(target.shape) == wanted and ignore_index is not None:
        _refuse("ignore_index cannot be specified when target contains probabilities", "no class is named")
    if options is not None:
        _check_options(options, input, target, weights, linear_bias, reduction, label_smoothing)
    if places:
        linear_weight = linear_weight.reshape((classes * prod(places), size[-1]))
        linear_bias = None if linear_bias is None else linear_bias.reshape(classes * prod(places))
    numbers = OPS["nn.functional.linear"].function(input, linear_weight, linear_bias).reshape(wanted)
    result: Tensor = OPS["nn.functional.cross_entropy"].function(
        numbers, target, weight=weight, reduction=reduction, label_smoothing=label_smoothing,
        ignore_index=-100 if ignore_index is None else ignore_index,
    )  # fmt: skip
    return result


def _check_options(
    options: Any, input: Tensor, target: Tensor, weights: tuple[int, ...], bias: Tensor | None, reduction: str,
    label_smoothing: float,
) -> None:  # fmt: skip
    """Tell of a call that PyTorch does not cut into chunks, and refuse chunks whose size is given twice."""
    classes, *places, in_features = weights
    if not places and reduction in ("mean", "sum", "none") and label_smoothing == 0.0 and target._dtype is int64:
        chunk_size(options, input.shape[0] if input.dim() == 2 else 1, in_features, classes, input._dtype)
        return
    warn(
        "linear_cross_entropy: ``options`` ignored; chunked path needs reduction in {'mean','sum','none'}, "
        f"label_smoothing == 0, target.dtype == int64, out_features == (). Got {reduction=}, {label_smoothing=}, "
        f"target.dtype={target._dtype}, out_features={tuple(places)}, tracing=False, linear_bias.shape="
        f"{None if bias is None else tuple(bias.shape)}."
    )


def chunk_size(options: Any, num_batches: int, in_features: int, num_classes: int, d: dtype) -> int:
    """How many rows of a batch PyTorch takes at once, on the CPU; refused if two settings disagree.

    >>> import tensorwidgets as torch
    >>> chunk_size(torch.nn.LinearCrossEntropyOptions(), 64, 8, 32, torch.float32)
    8
    """
    given, method = options.batch_chunk_size, options.chunking_method
    if method == "auto":
        method = ("aspect_ratio" if d in (bfloat16, float16) else "aspect_ratio:2") if given is None else None
    if method is None:
        return num_batches if given is None else min(given, num_batches)
    wider = -(-num_classes // in_features)
    rows = 1 << (-(-num_batches // wider) - 1).bit_length()  # the next power of two
    size = min(rows // int(method.partition(":")[2] or 1), num_batches)
    if given is not None and given != size:
        refuse(
            ValueError,
            f"batch_chunk_size (={given}) and chunking_method ('{method}') give different chunk sizes ({given} vs "
            f"{size}); pass only one.",
            "both say how many rows are taken at once",
            "LinearCrossEntropyOptions(batch_chunk_size=…, chunking_method=None)",
            rule="loss.chunks",
        )
    return max(1, size)


def _check(size: tuple[int, ...], weights: tuple[int, ...], bias: Tensor | None) -> None:
    """Refuse sizes that do not fit each other."""
    if len(size) not in (1, 2):
        _refuse(f"expected input with dimensionality 1 or 2, got {len(size)}", "it is an example or a batch of them")
    if len(weights) < 2:
        _refuse(
            f"expected linear_weight with dimensionality at least 2, got {len(weights)}",
            "it has a row for each class",
        )
    if size[-1] != weights[-1]:
        _refuse(
            f"expected equal input and linear_weight last dimensions (in_features), got {size[-1]} and {weights[-1]}, "
            "respectively",
            "they are multiplied and added up",
        )
    if bias is not None and tuple(bias.shape) != weights[:-1]:
        _refuse(f"expected linear_bias shape {weights[:-1]}, got {tuple(bias.shape)}", "each result has its own number")
    if len(weights) > 2 and len(size) == 1:
        _refuse(
            f"K-dimensional loss defined by linear_weight shape {weights} requires batched input, (N, {size[-1]}), got "
            f"unbatched input with shape {size}",
            "classes of several places are for batches",
        )
