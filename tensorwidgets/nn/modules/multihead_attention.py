"""MultiheadAttention: attention whose inputs and results are projected, for each of several heads."""

from __future__ import annotations

import math
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.ops.nn.attention.multihead import canonical_mask, of_fractions
from ...engine.tensor.grad_mode import grad_enabled
from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..parameter import Parameter
from .linear import NonDynamicallyQuantizableLinear
from .module import Module


class MultiheadAttention(Module):
    """Each query gets a mean of the values, weighted by how well their keys fit, once for each head.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.MultiheadAttention(4, num_heads=2, batch_first=True)
    >>> x = torch.ones(1, 3, 4)
    >>> output, weights = layer(x, x, x)
    >>> output.shape, weights.shape
    (torch.Size([1, 3, 4]), torch.Size([1, 3, 3]))
    """

    __constants__ = ["batch_first"]
    bias_k: Tensor | None
    bias_v: Tensor | None

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, bias: bool = True, add_bias_kv: bool = False,
        add_zero_attn: bool = False, kdim: int | None = None, vdim: int | None = None, batch_first: bool = False,
        device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and num_heads={num_heads} "
                "instead"
            )
        super().__init__()
        self.embed_dim, self.num_heads, self.dropout, self.batch_first = embed_dim, num_heads, dropout, batch_first
        self.kdim, self.vdim = (embed_dim if size is None else size for size in (kdim, vdim))
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")

        def parameter(*size: int) -> Any:
            return Parameter(torch.empty(size, device=device, dtype=dtype))

        apart = "q_proj_weight", "k_proj_weight", "v_proj_weight"
        if self._qkv_same_embed_dim:
            self.in_proj_weight = parameter(3 * embed_dim, embed_dim)
            for name in apart:
                self.register_parameter(name, None)
        else:
            for name, size in zip(apart, (embed_dim, self.kdim, self.vdim), strict=True):
                setattr(self, name, parameter(embed_dim, size))
            self.register_parameter("in_proj_weight", None)
        self.register_parameter("in_proj_bias", parameter(3 * embed_dim) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        if add_bias_kv:
            self.bias_k, self.bias_v = parameter(1, 1, embed_dim), parameter(1, 1, embed_dim)
        else:
            self.bias_k = self.bias_v = None
        self.add_zero_attn = add_zero_attn
        self._reset_parameters()

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.constant_(self.in_proj_bias, 0.0)
            init.constant_(self.out_proj.bias, 0.0)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__({"_qkv_same_embed_dim": True, **state})

    def forward(
        self, query: Tensor, key: Tensor, value: Tensor, key_padding_mask: Tensor | None = None,
        need_weights: bool = True, attn_mask: Tensor | None = None, average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> tuple[Tensor, Tensor | None]:  # fmt: skip
        """The results, and the weights of the means unless `need_weights` is False."""
        of_fractions(attn_mask), of_fractions(key_padding_mask)  # which refuse what is no mask
        turned = query.dim() == 3 and self.batch_first
        blind = None
        if not need_weights and self._is_one_op(query, key, value, attn_mask, key_padding_mask):
            blind = _blind(attn_mask, key_padding_mask, query.size(0), self.num_heads)
        padding = canonical_mask(key_padding_mask, "key_padding_mask", attn_mask, "attn_mask", query.dtype)
        mask = canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
        if query.is_nested or key.is_nested or value.is_nested:  # never; PyTorch asks, so a refusal names it
            raise AssertionError("MultiheadAttention does not support NestedTensor outside of its fast path.")
        if turned:  # one input stays one tensor, since one product can then serve several projections
            moved = {id(x): x.transpose(1, 0) for x in (query, key, value)}
            query, key, value = (moved[id(x)] for x in (query, key, value))
        output, weights = F.multi_head_attention_forward(
            query, key, value, self.embed_dim, self.num_heads, self.in_proj_weight, self.in_proj_bias, self.bias_k,
            self.bias_v, self.add_zero_attn, self.dropout, self.out_proj.weight, self.out_proj.bias,
            training=self.training, key_padding_mask=padding, need_weights=need_weights, attn_mask=mask,
            use_separate_proj_weight=not self._qkv_same_embed_dim, q_proj_weight=self.q_proj_weight,
            k_proj_weight=self.k_proj_weight, v_proj_weight=self.v_proj_weight,
            average_attn_weights=average_attn_weights, is_causal=is_causal,
        )  # fmt: skip
        output = output.transpose(1, 0) if turned else output
        return output if blind is None else output.masked_fill(blind, math.nan), weights

    def _is_one_op(self, query: Tensor, key: Tensor, value: Tensor, *masks: Tensor | None) -> bool:
        """Whether PyTorch computes a call by one op, in which a mean of nothing is not a number."""
        if self.training or self.num_heads % 2 or not self.batch_first or query.dim() != 3:
            return False
        if query is not key or key is not value or not self._qkv_same_embed_dim or self.in_proj_bias is None:
            return False
        if self.bias_k is not None or self.add_zero_attn or any(m is not None and m.is_floating_point() for m in masks):
            return False
        return not (grad_enabled() and any(t.requires_grad for t in (query, *self.parameters())))


def _blind(mask: Tensor | None, padding: Tensor | None, batch: int, heads: int) -> Any:
    """Which steps see no key: True for each of them, as (batch or 1, steps or 1, 1); None without a mask."""
    hidden: Any = None if padding is None else padding.view(batch, 1, 1, -1)
    if mask is not None:
        own = mask.view(batch, heads, *mask.shape[1:]) if mask.dim() == 3 else mask.view(1, 1, *mask.shape)
        hidden = own if hidden is None else hidden | own
    return None if hidden is None else hidden.all(-1).any(1).unsqueeze(-1)
