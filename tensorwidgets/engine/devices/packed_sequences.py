"""Which ops take a tensor in main memory beside one on a GPU, whatever its size? Packed sequences do.

Their steps are on the GPU; how long each sequence is, and how many of them each step has, is read in main memory.
"""

from __future__ import annotations

from math import prod

from ..dispatch.registry import OPS
from ..tensor.tensor import Tensor
from .calls import KIND


def _pack_padded_sequence(input: Tensor, lengths: Tensor, batch_first: bool) -> tuple[Tensor, Tensor]:
    row, size = OPS["_pack_padded_sequence"], tuple(input.shape)
    if lengths.is_cuda or len(size) < 2 or not prod(size):
        packed: tuple[Tensor, Tensor] = row.plain(input, lengths, batch_first)  # which refuses it
        return packed
    numbers = OPS["arange"].function(prod(size[:2]), device="cpu").reshape(size[:2])
    order, sizes = row.function(numbers, lengths, batch_first)
    return input.reshape(-1, *size[2:]).index_select(0, order.to(input.device)), sizes


def _pad_packed_sequence(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[Tensor, Tensor]:
    padded: tuple[Tensor, Tensor] = OPS["_pad_packed_sequence"].plain(
        data, batch_sizes, batch_first, padding_value, total_length
    )
    return padded


def enter() -> None:
    """Let calls with a tensor on a GPU come here."""
    OPS["_pack_padded_sequence"].kernels[KIND.key] = _pack_padded_sequence
    OPS["_pad_packed_sequence"].kernels[KIND.key] = _pad_packed_sequence
