"""Attention as one op with one node, as PyTorch computes it for queries, keys and values of four dimensions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....backends.numpy.layers import attention
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result
from ....geometry.fresh import preserve_stride
from ....memory import MAIN_MEMORY, ON_META
from ....tensor.grad_mode import grad_enabled
from ....tensor.lookups import size_and_stride
from ....tensor.tensor import Tensor
from ....tensor.wrapping import place_of
from ....types.dtypes import FLOAT, dtype, opmath
from ..declaring import nn_row_without_out
from ..ways_back import way_back

NAME = "_scaled_dot_product_flash_attention_for_cpu"


def is_fused(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout: float, grouped: bool) -> bool:
    """Whether PyTorch computes this call as one op."""
    operands = query, key, value
    sizes = [t._array.shape for t in operands]
    if dropout or query._dtype._kind != FLOAT or any([len(size) != 4 or 0 in size for size in sizes]):
        return False
    (batch, heads, steps, width), (kb, kh, keys, kw), (vb, vh, values, vw) = sizes
    if not (batch == kb == vb and width == kw == vw and keys == values and kh == vh):
        return False
    if heads != kh and not (grouped and heads % kh == 0) or any(size_and_stride(t)[1][3] != 1 for t in operands):
        return False
    if any(place_of(t) not in (MAIN_MEMORY, ON_META) for t in operands):
        return False
    if mask is None:
        return True
    mask.size(-2)  # refuses a mask of fewer dimensions, as PyTorch does here
    shown = mask._array.shape
    if mask.requires_grad and grad_enabled() or len(shown) not in (2, 4):
        return False
    scores = (batch, heads, steps, keys)
    return all(n in (1, whole) for n, whole in zip(shown[::-1], scores[::-1], strict=False))


def _settings(query: Tensor, key: Tensor, mask: Tensor | None, is_causal: bool, scale: float | None) -> tuple:
    size = query._array.shape
    added = None if mask is None else mask._array
    scale = 1 / math.sqrt(size[3]) if scale is None else scale
    return scale, is_causal, added, (*size[:3], key._array.shape[2])


def _how(scale: float, is_causal: bool, mask: np.ndarray | None, scores: tuple[int, ...]) -> attention.Settings:
    return attention.Settings(scale, is_causal, None if mask is None else np.broadcast_to(mask, scores))


def fill_attention(targets: tuple, q: np.ndarray, k: np.ndarray, v: np.ndarray, d: dtype, *settings: Any) -> None:
    wide = opmath(d)._in_numpy
    arrays = [a.astype(wide, copy=False) for a in (q, k, v)]
    quietly(attention.attend, *targets, *arrays, _how(*settings))


@nn_row_without_out(NAME, "A mean of the values for each query, and the logarithm of the sum of its weights.",
           fill_attention)  # fmt: skip
def _flash(
    query: Tensor, key: Tensor, value: Tensor, dropout_p: float = 0.0, is_causal: bool = False, *,
    attn_mask: Tensor | None = None, scale: float | None = None,
) -> Answer:  # fmt: skip
    size, stride = size_and_stride(query)
    d = query._dtype
    batch, heads, steps, _ = size
    results = (
        Result(size, d, preserve_stride(size, stride)),
        Result(size[:3], opmath(d), (steps * heads, 1, heads)),
    )
    given = [t._array for t in (query, key, value)]
    return results, (*given, d, *_settings(query, key, attn_mask, is_causal, scale))


def fill_gradients(targets: tuple, *given: Any) -> None:
    *arrays, d, scale, is_causal, mask, scores = given
    wide = opmath(d)._in_numpy
    into = [t if t.dtype == wide else np.empty(t.shape, wide) for t in targets]
    for target in into:
        target.fill(0)
    wider = [a.astype(wide, copy=False) for a in arrays]
    quietly(attention.gradients, *wider, _how(scale, is_causal, mask, scores), tuple(into))
    for target, computed in zip(targets, into, strict=True):
        if target is not computed:
            np.copyto(target, computed, casting="same_kind")


@way_back(f"{NAME}_backward", "The gradients of attention.", fill_gradients)
def _flash_back(
    grad_out: Tensor, query: Tensor, key: Tensor, value: Tensor, out: Tensor, logsumexp: Tensor, is_causal: bool,
    attn_mask: Tensor | None, scale: float | None,
) -> Answer:  # fmt: skip
    results = []
    for t in (query, key, value):
        batch, heads, steps, width = size = t._array.shape
        results.append(Result(size, t._dtype, (steps * heads * width, width, heads * width, 1)))
    given = [t._array for t in (grad_out, query, key, value, out, logsumexp)]
    return tuple(results), (*given, query._dtype, *_settings(query, key, attn_mask, is_causal, scale))
