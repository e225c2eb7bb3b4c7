"""One layer of a transformer: attention and a small network, each with a way around it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ....engine.ops.nn.attention.multihead import canonical_mask
from ....engine.tensor.grad_mode import grad_enabled
from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ..activation.fixed import GELU, ReLU
from ..dropout import Dropout
from ..linear import Linear
from ..module import Module
from ..multihead_attention import MultiheadAttention
from ..normalization import LayerNorm

Activation = str | Callable[[Tensor], Tensor]


def _get_activation_fn(activation: Activation) -> Callable[[Tensor], Tensor]:
    if not isinstance(activation, str):
        return activation
    if activation not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {activation}")
    chosen: Callable[[Tensor], Tensor] = getattr(F, activation)
    return chosen


def _hidden(mask: Tensor | None) -> Tensor | None:
    return None if mask is None else mask != 0


class _Layer(Module):
    """What layers of encoders and decoders share."""

    __constants__ = ["norm_first"]
    activation: Callable[[Tensor], Tensor]
    norm_first: bool
    self_attn: MultiheadAttention
    linear1: Linear
    linear2: Linear
    dropout: Dropout

    def _attend(self, which: MultiheadAttention, x: Tensor, other: Tensor, mask: Any, padding: Any, causal: Any) -> Any:
        output, _ = which(
            x, other, other, attn_mask=mask, key_padding_mask=padding, is_causal=causal, need_weights=False
        )
        return output

    def _feed_forward(self, x: Tensor) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Attention of a sequence to itself, then a network for each step.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, nhead=2, dim_feedforward=16)
    >>> layer(torch.ones(5, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        place: dict[str, Any] = {"device": device, "dtype": dtype}
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **place)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **place)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)
        activation = _get_activation_fn(activation)
        self.activation_relu_or_gelu = 0
        for number, (function, module) in enumerate(((F.relu, ReLU), (F.gelu, GELU)), 1):
            if activation is function or isinstance(activation, module):
                self.activation_relu_or_gelu = number
        self.activation = activation

    def forward(
        self, src: Tensor, src_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        padding = canonical_mask(src_key_padding_mask, "src_key_padding_mask", src_mask, "src_mask", src.dtype)
        mask = canonical_mask(src_mask, "src_mask", None, "", src.dtype, False)
        x, one_op = src, self._is_one_op(src)
        if one_op:  # which hides what a mask is not 0 for, whatever is said of the mask
            mask, padding, is_causal = _hidden(mask), _hidden(padding), False
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), mask, padding, is_causal)
            x = x + self._ff_block(self.norm2(x))
            return x.contiguous() if one_op else x
        x = self.norm1(x + self._sa_block(x, mask, padding, is_causal))
        result: Tensor = self.norm2(x + self._ff_block(x))
        return result

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)
        if not hasattr(self, "activation"):
            self.activation = F.relu

    def _is_one_op(self, src: Tensor) -> bool:
        """Whether PyTorch computes the layer by one op, which shows in the strides of the result."""
        attention = self.self_attn
        if self.training or src.dim() != 3 or not attention.batch_first or not self.activation_relu_or_gelu:
            return False
        if attention.in_proj_bias is None or attention.num_heads % 2 or self.norm1.eps != self.norm2.eps:
            return False
        return not (grad_enabled() and any(t.requires_grad for t in (src, *self.parameters())))

    def _sa_block(self, x: Tensor, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False) -> Any:
        return self.dropout1(self._attend(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x: Tensor) -> Any:
        return self.dropout2(self._feed_forward(x))


class TransformerDecoderLayer(_Layer):
    """Attention of a sequence to itself, then to what an encoder made, then a network for each step.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, nhead=2, dim_feedforward=16)
    >>> layer(torch.ones(5, 3, 8), torch.ones(4, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int = 2048, dropout: float = 0.1,
        activation: Activation = F.relu, layer_norm_eps: float = 1e-5, batch_first: bool = False,
        norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        place: dict[str, Any] = {"device": device, "dtype": dtype}
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **place)
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, bias, batch_first=batch_first, **place)
        self.linear1 = Linear(d_model, dim_feedforward, bias, **place)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, **place)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.norm2 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.norm3 = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
        self.dropout1, self.dropout2, self.dropout3 = Dropout(dropout), Dropout(dropout), Dropout(dropout)
        self.activation = _get_activation_fn(activation)

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        own = tgt_mask, tgt_key_padding_mask, tgt_is_causal
        others = memory_mask, memory_key_padding_mask, memory_is_causal
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), *own)
            x = x + self._mha_block(self.norm2(x), memory, *others)
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, *own))
        x = self.norm2(x + self._mha_block(x, memory, *others))
        result: Tensor = self.norm3(x + self._ff_block(x))
        return result

    def __setstate__(self, state: dict[str, Any]) -> None:
        state.setdefault("activation", F.relu)  # PyTorch's copies of a layer whose activation is a module use relu too
        super().__setstate__(state)

    def _sa_block(self, x: Tensor, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False) -> Any:
        return self.dropout1(self._attend(self.self_attn, x, x, attn_mask, key_padding_mask, is_causal))

    def _mha_block(self, x: Tensor, mem: Tensor, attn_mask: Any, key_padding_mask: Any, is_causal: bool = False) -> Any:
        return self.dropout2(self._attend(self.multihead_attn, x, mem, attn_mask, key_padding_mask, is_causal))

    def _ff_block(self, x: Tensor) -> Any:
        return self.dropout3(self._feed_forward(x))
