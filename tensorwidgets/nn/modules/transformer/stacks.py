"""Transformers: stacks of layers that read a sequence, and that write one."""

from __future__ import annotations

import copy
import math
import warnings
from typing import Any

from ....engine.derivatives.ops import torch
from ....engine.ops.nn.attention.multihead import canonical_mask
from ....engine.tensor.tensor import Tensor
from ... import functional as F
from ... import init
from ..container import ModuleList
from ..module import Module
from ..normalization import LayerNorm
from .layers import Activation, TransformerDecoderLayer, TransformerEncoderLayer


def _causal_mask(size: int, device: Any, dtype: Any) -> Any:
    """Minus infinity above the diagonal, 0 elsewhere."""
    return torch.triu(torch.full((size, size), -math.inf, dtype=dtype, device=device), diagonal=1)


def _is_causal(mask: Tensor | None, told: bool | None, steps: int) -> bool:
    """Whether a mask hides what comes later, and nothing else; what the caller says is believed."""
    if told is not None or mask is None:
        return told is True
    causal = _causal_mask(steps, mask.device, mask.dtype)
    return bool(mask.size() == causal.size() and (mask == causal).all())


def _steps(x: Tensor, batch_first: bool) -> int:
    """How long a sequence is."""
    if x.is_nested:  # never; PyTorch asks, so a refusal names it
        return 0
    size = x.size()
    return size[0] if len(size) == 2 or not batch_first else size[1]


def _get_clones(module: Module, N: int) -> ModuleList:
    return ModuleList([copy.deepcopy(module) for _ in range(N)])


class TransformerEncoder(Module):
    """Copies of one layer, one after the other.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.TransformerEncoderLayer(8, nhead=2, dim_feedforward=16, batch_first=True)
    >>> torch.nn.TransformerEncoder(layer, num_layers=2)(torch.ones(3, 5, 8)).shape
    torch.Size([3, 5, 8])
    """

    __constants__ = ["norm"]

    def __init__(
        self, encoder_layer: Module, num_layers: int, norm: Module | None = None, enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(encoder_layer, num_layers), num_layers, norm
        self.enable_nested_tensor, self.mask_check = enable_nested_tensor, mask_check
        hindrance = _why_not_nested(encoder_layer)
        self.use_nested_tensor = enable_nested_tensor and not hindrance
        if enable_nested_tensor and hindrance:
            warnings.warn(
                f"enable_nested_tensor is True, but self.use_nested_tensor is False because {hindrance}", stacklevel=2
            )

    def forward(
        self, src: Tensor, mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Tensor:  # fmt: skip
        padding = canonical_mask(src_key_padding_mask, "src_key_padding_mask", mask, "mask", src.dtype)
        mask = canonical_mask(mask, "mask", None, "", src.dtype, False)
        first: Any = self.layers[0]
        nested = padding is not None and self._as_nested(src, padding, mask)
        causal = _is_causal(mask, is_causal, _steps(src, first.self_attn.batch_first))
        output: Any = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, is_causal=causal, src_key_padding_mask=padding)
        if nested and padding is not None:
            # PyTorch computes this case without the padding, and puts zeros there.
            output = output.masked_fill((padding != 0).unsqueeze(-1), 0.0)
        return output if self.norm is None else self.norm(output)

    def _as_nested(self, src: Tensor, padding: Tensor, mask: Tensor | None) -> bool:
        """Whether PyTorch would leave the padding out."""
        first: Any = self.layers[0]
        if not self.use_nested_tensor or first.training or src.dim() != 3:
            return False
        if self.mask_check:
            if padding.size() != src.size()[:2]:
                raise RuntimeError("Mask size should match input size")
            shown = padding == 0
            if not ((shown[:, :-1] >= shown[:, 1:]).all() and shown.any(1).all()):
                return False
        own = first.self_attn.in_proj_weight, *first.parameters()
        return mask is None and not (torch.is_grad_enabled() and any(t.requires_grad for t in (src, *own)))


def _why_not_nested(layer: Any) -> str:
    """Why PyTorch cannot leave out the padding of sequences for a layer; empty if it can."""
    if not isinstance(layer, TransformerEncoderLayer):
        return "encoder_layer was not TransformerEncoderLayer"
    attention = layer.self_attn
    hindrances = {
        ".norm_first was True": layer.norm_first,
        ".self_attn.batch_first was not True(use batch_first for better inference performance)":
            not attention.batch_first,
        ".self_attn._qkv_same_embed_dim was not True": not attention._qkv_same_embed_dim,
        ".self_attn was passed bias=False": attention.in_proj_bias is None,
        ".activation_relu_or_gelu was not True": not layer.activation_relu_or_gelu,
        ".norm1.eps was not equal to encoder_layer.norm2.eps": layer.norm1.eps != layer.norm2.eps,
        ".self_attn.num_heads is odd": attention.num_heads % 2 == 1,
    }  # fmt: skip
    return next(("encoder_layer" + words for words, true in hindrances.items() if true), "")


class TransformerDecoder(Module):
    """Copies of one layer, one after the other, each of which sees what the encoder made.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.TransformerDecoderLayer(8, nhead=2, dim_feedforward=16)
    >>> torch.nn.TransformerDecoder(layer, num_layers=2)(torch.ones(5, 3, 8), torch.ones(4, 3, 8)).shape
    torch.Size([5, 3, 8])
    """

    __constants__ = ["norm"]

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers, self.num_layers, self.norm = _get_clones(decoder_layer, num_layers), num_layers, norm

    def forward(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Tensor | None = None, memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        first: Any = self.layers[0]
        causal = _is_causal(tgt_mask, tgt_is_causal, _steps(tgt, first.self_attn.batch_first))
        output: Any = tgt
        for layer in self.layers:
            output = layer(
                output, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=causal,
                memory_is_causal=memory_is_causal,
            )  # fmt: skip
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder that reads one sequence, and a decoder that writes another one.

    >>> import tensorwidgets as torch
    >>> model = torch.nn.Transformer(8, 2, 1, 1, dim_feedforward=16, batch_first=True)
    >>> model(torch.ones(3, 5, 8), torch.ones(3, 4, 8)).shape
    torch.Size([3, 4, 8])
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: Activation = F.relu,
        custom_encoder: Any = None, custom_decoder: Any = None, layer_norm_eps: float = 1e-5,
        batch_first: bool = False, norm_first: bool = False, bias: bool = True, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        place: dict[str, Any] = {"device": device, "dtype": dtype}
        layer = d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias
        super().__init__()
        if custom_encoder is None:
            encoder_layer = TransformerEncoderLayer(*layer, **place)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
            custom_encoder = TransformerEncoder(encoder_layer, num_encoder_layers, norm)
        self.encoder = custom_encoder
        if custom_decoder is None:
            decoder_layer = TransformerDecoderLayer(*layer, **place)
            norm = LayerNorm(d_model, eps=layer_norm_eps, bias=bias, **place)
            custom_decoder = TransformerDecoder(decoder_layer, num_decoder_layers, norm)
        self.decoder = custom_decoder
        self._reset_parameters()
        self.d_model, self.nhead, self.batch_first = d_model, nhead, batch_first

    def forward(
        self, src: Tensor, tgt: Tensor, src_mask: Tensor | None = None, tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None, src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None, memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None, tgt_is_causal: bool | None = None, memory_is_causal: bool = False,
    ) -> Tensor:  # fmt: skip
        batch, batched = 0 if self.batch_first else 1, src.dim() == 3
        if src.size(batch) != tgt.size(batch) and batched:
            raise RuntimeError("the batch number of src and tgt must be equal")
        if src.size(-1) != self.d_model or tgt.size(-1) != self.d_model:
            raise RuntimeError("the feature number of src and tgt must be equal to d_model")
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask, is_causal=src_is_causal)
        output: Tensor = self.decoder(
            tgt, memory, tgt_mask=tgt_mask, memory_mask=memory_mask, tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask, tgt_is_causal=tgt_is_causal,
            memory_is_causal=memory_is_causal,
        )  # fmt: skip
        return output

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Any = None, dtype: Any = None) -> Tensor:
        """A mask that hides from each step what comes later.

        >>> Transformer.generate_square_subsequent_mask(2)
        tensor([[0., -inf],
                [0., 0.]])
        """
        mask: Tensor = _causal_mask(sz, device, dtype)
        return mask

    def _reset_parameters(self) -> None:
        for parameter in self.parameters():
            if parameter.dim() > 1:
                init.xavier_uniform_(parameter)
