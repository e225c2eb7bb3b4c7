"""Attention: each query gets a mean of the values, weighted by how well their keys fit."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from ....dispatch.call_errors import refuse_named
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....memory import MAIN_MEMORY, ON_META
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....tensor.wrapping import place_of
from ....types.cpp_names import cpp_name
from ....types.dtypes import HALVES, bool_, float32
from ..declaring import nn_composite
from .fused import FUSED, is_fused

if TYPE_CHECKING:
    from ....types.dtypes import dtype


@nn_composite("_safe_softmax", "Softmax, with zeros where every element is minus infinity.")
def _safe_softmax(input: Tensor, dim: int, dtype: dtype | None = None) -> Tensor:
    result = OPS["softmax"].function(input, dim, dtype)
    if not input.numel() or place_of(result) is MAIN_MEMORY and not np.isnan(result._array).any():
        return result
    hidden = OPS["all"].function(input == -math.inf, dim, True)
    return OPS["where"].function(hidden, OPS["zeros_like"].function(result), result)


def check_attention(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None) -> None:
    """Refuse what PyTorch refuses."""
    q, k, v = (t.dtype for t in (query, key, value))
    if not q == k == v:
        refuse(
            RuntimeError,
            "Expected query, key, and value to have the same dtype, but got query.dtype: "
            f"{cpp_name(q)} key.dtype: {cpp_name(k)} and value.dtype: {cpp_name(v)} instead.",
            "they are multiplied with one another",
            f"key.to({q})",
            rule="attention.dtype",
        )
    if min(query.dim(), key.dim(), value.dim()) < 2:
        refuse(
            RuntimeError,
            "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: "
            f"{query.dim()} key.dim: {key.dim()} and value.dim: {value.dim()} instead.",
            "the last two dimensions are the steps and the numbers of each step",
            rule="attention.ndim",
        )
    if mask is not None and mask.dtype not in (bool_, float32, q):
        refuse(
            RuntimeError,
            "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: "
            f"{cpp_name(mask.dtype)} and  query.dtype: {cpp_name(q)} instead.",
            "a mask of bools says what takes part; one of numbers is added to the scores",
            "attn_mask.bool()",
            rule="attention.mask",
        )


def added_mask(mask: Tensor | None, query: Tensor, key: Tensor, is_causal: bool) -> Tensor | None:
    """The numbers that are added to the scores: minus infinity where a key is hidden."""
    if is_causal:
        size = (query.size(-2), key.size(-2))
        mask = OPS["ones"].function(size, dtype=bool_, device=query.device).tril()
    if mask is None or mask.dtype is not bool_:
        return mask
    shown = OPS["zeros"].function(mask.size(), dtype=query.dtype, device=query.device)
    return shown.masked_fill_(mask.logical_not(), -math.inf)


def attend(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
    times: Callable[[Tensor, float], Tensor] = operator.mul,
) -> Tensor:  # fmt: skip
    """What attention computes; `times` multiplies a tensor by a number."""
    if not isinstance(is_causal, bool):
        given = query, key, value, attn_mask, dropout_p, is_causal
        refuse_named("nn.functional.scaled_dot_product_attention", False, given, {})
    if (described := getattr(attn_mask, "_for_inputs", None)) is not None:  # a mask of nn.attention.bias
        attn_mask, is_causal = described(query, key, value, is_causal)
    check_attention(query, key, value, attn_mask)
    on_cpu = place_of(query, key, value) in (MAIN_MEMORY, ON_META)
    if on_cpu and is_fused(query, key, value, attn_mask, dropout_p, enable_gqa):
        mask = added_mask(attn_mask, query, key, False)
        return OPS[FUSED].function(query, key, value, 0.0, is_causal, attn_mask=mask, scale=scale)[0]
    if attn_mask is not None and is_causal:
        refuse(
            RuntimeError,
            "_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True",
            "is_causal makes a mask itself",
            "is_causal=False",
            rule="attention.mask",
        )
    d = query._dtype
    if d in HALVES:  # PyTorch computes these in 32 bits, and rounds once
        query, key, value = (t.to(float32) for t in (query, key, value))
    if enable_gqa:
        if any(query.size(-3) % max(t.size(-3), 1) for t in (key, value)):
            refuse(
                RuntimeError,
                "Number of heads in key and value must divide the number of heads in ",
                "each head of the keys serves as many heads of the query",
                "key and value with as many heads as query",
                rule="attention.heads",
            )
        key, value = (t.repeat_interleave(query.size(-3) // t.size(-3), -3) for t in (key, value))
    width = query.size(-1)
    root = math.sqrt((1 / math.sqrt(width) if width else math.inf) if scale is None else scale)
    mask = added_mask(attn_mask, query, key, is_causal)
    scores = OPS["matmul"].function(times(query, root), times(key.transpose(-2, -1), root))
    if mask is not None:
        scores = scores.add_(mask)  # in place: a mask of more dimensions than the scores is refused
    weights = OPS["_safe_softmax"].function(scores, -1)
    if dropout_p > 0:
        weights = OPS["dropout"].function(weights, dropout_p, True)
    result: Tensor = OPS["matmul"].function(weights, value)
    return result.to(d) if d in HALVES else result


@nn_composite("nn.functional.scaled_dot_product_attention",
     "A mean of the values for each query, weighted by the softmax of its products with the keys.")  # fmt: skip
def scaled_dot_product_attention(
    query: Tensor, key: Tensor, value: Tensor, attn_mask: Tensor | None = None, dropout_p: float = 0.0,
    is_causal: bool = False, scale: float | None = None, enable_gqa: bool = False,
) -> Tensor:  # fmt: skip
    for position, (name, given) in enumerate((("query", query), ("key", key), ("value", value)), 1):
        must_be_tensor("scaled_dot_product_attention", given, name, position)
    return attend(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa)
