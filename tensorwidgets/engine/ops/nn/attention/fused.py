"""Attention as one op with one node, as PyTorch computes it for queries, keys and values of four dimensions."""

from __future__ import annotations

import math
from typing import Any, NoReturn

import numpy as np

from ....backends.numpy.layers import attention
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result
from ....errors.reasons import refuse
from ....geometry.fresh import preserve_stride
from ....tensor.grad_mode import grad_enabled
from ....tensor.lookups import size_and_stride
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtypes import FLOAT, HALVES, dtype, float32, opmath
from ..declaring import nn_row_without_out
from ..ways_back import way_back

FUSED = "_scaled_dot_product_flash_attention_for_cpu"


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
    if mask is None:
        return True
    mask.size(-2)  # refuses a mask of fewer dimensions, as PyTorch does here
    shown = mask._array.shape
    if mask.requires_grad and grad_enabled() or len(shown) not in (2, 4):
        return False
    scores = (batch, heads, steps, keys)
    return all(n in (1, whole) for n, whole in zip(shown[::-1], scores[::-1], strict=False))


def _check(query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, dropout: float) -> None:
    """Refuse what this op cannot compute, where it is called by its own name."""
    operands = query, key, value
    sizes = [t._array.shape for t in operands]
    d = query._dtype
    if d._kind != FLOAT:
        _refuse(f"Expected data type in FP32, FP64, BF16, FP16, but got {d._type_name} instead.")
    if any(len(size) != 4 for size in sizes):
        _refuse("Accept only 4 dims inputs shape of {B, H, T, K}")
    if dropout > 0:
        _refuse("Currently do not support dropout > 0")
    if len({size[3] for size in sizes}) > 1:
        _refuse("Q/K/V should have the same head size")
    if mask is not None and mask._array.ndim not in (2, 4):
        _refuse("Attention mask dim in {2, 4}")
    if mask is not None and mask._dtype not in (float32, d):
        _refuse("Attention mask is the same data type as query")
    for other in (key, value):
        if other._dtype is not d:
            refuse(RuntimeError, f"expected scalar type {d._type_name} but found {other._dtype._type_name}", CAUSE, WAY)
    if not is_fused(query, key, value, mask, 0.0, True):
        _refuse("the sizes of the operands and of the mask do not fit together")


CAUSE, WAY = "this op is one of the ways in which attention is computed", "nn.functional.scaled_dot_product_attention"


def _refuse(message: str) -> NoReturn:
    refuse(RuntimeError, f"scaled_dot_product_attention_flash_attention: {message}", CAUSE, WAY, rule="attention.fused")


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
    how = _how(*settings)
    quietly(attention.attend, *targets, *arrays, how._replace(small=d._in_numpy) if d in HALVES else how)


@nn_row_without_out(FUSED, "A mean of the values for each query, and the logarithm of the sum of its weights.",
           fill_attention)  # fmt: skip
def _flash(
    query: Tensor, key: Tensor, value: Tensor, dropout_p: float = 0.0, is_causal: bool = False, *,
    attn_mask: Tensor | None = None, scale: float | None = None,
) -> Answer:  # fmt: skip
    for position, (name, given) in enumerate((("query", query), ("key", key), ("value", value)), 1):
        must_be_tensor(FUSED, given, name, position)
    _check(query, key, value, attn_mask, dropout_p)
    size, stride = size_and_stride(query)
    d = query._dtype
    batch, heads, steps, _ = size
    results = (
        Result(size, d, preserve_stride(size, stride)),
        Result(size[:3], opmath(d), (steps * heads, 1, heads)),
    )
    arrays = [t._array for t in (query, key, value)]
    return results, (*arrays, d, *_settings(query, key, attn_mask, is_causal, scale))


def fill_gradients(targets: tuple, *given: Any) -> None:
    *arrays, d, scale, is_causal, mask, scores = given
    wide = opmath(d)._in_numpy
    into = [t if t.dtype == wide else np.empty(t.shape, wide) for t in targets]
    wider = [a.astype(wide, copy=False) for a in arrays]
    how = _how(scale, is_causal, mask, scores)
    how = how._replace(small=d._in_numpy) if d in HALVES else how
    quietly(attention.gradients, *wider, how, tuple(into))
    for target, computed in zip(targets, into, strict=True):
        if target is not computed:
            np.copyto(target, computed, casting="same_kind")


@way_back(f"{FUSED}_backward", "The gradients of attention.", fill_gradients)
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
