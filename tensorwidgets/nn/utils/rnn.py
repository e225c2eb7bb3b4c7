"""torch.nn.utils.rnn: how are sequences of several lengths put into one tensor, and taken out again?"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor
from ...engine.types.dtypes import float16, float32, float64, int8, int16, int32, int64, uint8
from ..modules.base.tree import destination

__all__ = [
    "PackedSequence", "invert_permutation", "pack_padded_sequence", "pack_sequence", "pad_packed_sequence",
    "pad_sequence", "unpack_sequence", "unpad_sequence",
]  # fmt: skip


class PackedSequence_(NamedTuple):
    """What a packed batch holds."""

    data: Any
    batch_sizes: Any
    sorted_indices: Any
    unsorted_indices: Any


class PackedSequence(PackedSequence_):
    """A batch of sequences without padding: the first step of each, then the second of those that have one, …

    >>> import tensorwidgets as torch
    >>> pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])])
    PackedSequence(data=tensor([1, 4, 2, 3]), batch_sizes=tensor([2, 1, 1]), sorted_indices=None, unsorted_indices=None)
    """

    def __new__(
        cls, data: Any, batch_sizes: Any = None, sorted_indices: Any = None, unsorted_indices: Any = None
    ) -> PackedSequence:
        if unsorted_indices is None:
            unsorted_indices = invert_permutation(sorted_indices)
        if batch_sizes is None:
            if not (isinstance(data, (list, tuple)) and len(data) == 2):
                raise AssertionError("Expected data to be a list or tuple of length 2")
            data, batch_sizes = data
        elif batch_sizes.device.type != "cpu":
            raise ValueError(
                "batch_sizes should always be on CPU. Instances of PackedSequence should never be created manually. "
                "They should be instantiated by functions like pack_sequence and pack_padded_sequences in nn.utils.rnn."
                " https://pytorch.org/docs/stable/nn.html#torch.nn.utils.rnn.pack_sequence"
            )
        return super().__new__(cls, data, batch_sizes, sorted_indices, unsorted_indices)

    def to(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The batch with its data in another dtype or on another device; itself if nothing changes."""
        destination(args, kwargs)  # refuses what `Tensor.to` would take, and this does not
        data = self.data.to(*args, **kwargs)
        if data is self.data:
            return self
        moved = [None if t is None else t.to(data.device) for t in (self.sorted_indices, self.unsorted_indices)]
        return type(self)(data, self.batch_sizes, *moved)

    def cpu(self) -> PackedSequence:
        """The batch in main memory."""
        return self.to("cpu")

    def cuda(self, *args: Any, **kwargs: Any) -> PackedSequence:
        """The batch on a GPU."""
        return self.to(*args, **kwargs) if args or "device" in kwargs else self.to(device="cuda", **kwargs)

    def double(self) -> PackedSequence:
        """The data as float64."""
        return self.to(dtype=float64)

    def float(self) -> PackedSequence:
        """The data as float32."""
        return self.to(dtype=float32)

    def half(self) -> PackedSequence:
        """The data as float16."""
        return self.to(dtype=float16)

    def long(self) -> PackedSequence:
        """The data as int64."""
        return self.to(dtype=int64)

    def int(self) -> PackedSequence:
        """The data as int32."""
        return self.to(dtype=int32)

    def short(self) -> PackedSequence:
        """The data as int16."""
        return self.to(dtype=int16)

    def char(self) -> PackedSequence:
        """The data as int8."""
        return self.to(dtype=int8)

    def byte(self) -> PackedSequence:
        """The data as uint8."""
        return self.to(dtype=uint8)

    @property
    def is_cuda(self) -> bool:
        """Whether the data is on a GPU."""
        return bool(self.data.is_cuda)

    def is_pinned(self) -> bool:
        """Whether the data is in pinned memory."""
        return bool(self.data.is_pinned())

    def pin_memory(self) -> PackedSequence:
        """The batch in pinned memory."""
        pinned = [None if t is None else t.pin_memory() for t in (self.sorted_indices, self.unsorted_indices)]
        return type(self)(self.data.pin_memory(), self.batch_sizes, *pinned)


def invert_permutation(permutation: Tensor | None) -> Tensor | None:
    """The order that undoes an order.

    >>> import tensorwidgets as torch
    >>> invert_permutation(torch.tensor([2, 0, 1]))
    tensor([1, 2, 0])
    """
    if permutation is None:
        return None
    result: Tensor = torch.empty_like(permutation)
    result.scatter_(0, permutation, torch.arange(0, permutation.numel(), device=permutation.device))
    return result


def pack_padded_sequence(
    input: Tensor, lengths: Any, batch_first: bool = False, enforce_sorted: bool = True
) -> PackedSequence:
    """Packs a padded batch; `lengths` says how many steps of each sequence count.

    The longest sequence comes first; with `enforce_sorted=False` they are sorted, and the order is kept.
    """
    if isinstance(lengths, Tensor):
        lengths = lengths.to(dtype=int64)
    else:
        lengths = torch.as_tensor(lengths, dtype=int64, device="cpu")
    order = None
    if not enforce_sorted:
        lengths, order = torch.sort(lengths, descending=True)
        order = order.to(input.device)
        input = input.index_select(0 if batch_first else 1, order)
    data, sizes = torch._pack_padded_sequence(input, lengths, batch_first)
    return PackedSequence(data, sizes, order, None)


def pad_packed_sequence(
    sequence: PackedSequence, batch_first: bool = False, padding_value: float = 0.0, total_length: int | None = None
) -> tuple[Tensor, Tensor]:
    """Undoes `pack_padded_sequence`: the padded batch, in the order before packing, and the lengths."""
    longest = sequence.batch_sizes.size(0)
    if total_length is not None:
        if total_length < longest:
            raise ValueError(
                "Expected total_length to be at least the length of the longest sequence in input, but got "
                f"total_length={total_length} and max sequence length being {longest}"
            )
        longest = total_length
    padded, lengths = torch._pad_packed_sequence(
        sequence.data, sequence.batch_sizes, batch_first, padding_value, longest
    )
    back = sequence.unsorted_indices
    if back is None:
        return padded, lengths
    return padded.index_select(0 if batch_first else 1, back), lengths[back.cpu()]


def pad_sequence(
    sequences: Any, batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    """Puts sequences into one tensor, with a value after (or before) the shorter ones.

    >>> import tensorwidgets as torch
    >>> pad_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])], batch_first=True)
    tensor([[1, 2, 3],
            [4, 0, 0]])
    """
    if not isinstance(sequences, Iterable):
        raise RuntimeError(
            f"pad_sequence: Expected iterable for input sequences, but got arg of type: {type(sequences)}"
        )
    result: Tensor = torch._nn.pad_sequence(tuple(sequences), batch_first, padding_value, padding_side)
    return result


def unpad_sequence(padded_sequences: Tensor, lengths: Tensor, batch_first: bool = False) -> list[Tensor]:
    """Undoes `pad_sequence`. As in PyTorch, a batch that is not `batch_first` is transposed in place."""
    if not batch_first:
        padded_sequences.transpose_(0, 1)
    steps = torch.arange(padded_sequences.shape[1], device=lengths.device)
    return [each[steps < length] for each, length in zip(padded_sequences, lengths, strict=True)]


def pack_sequence(sequences: Sequence[Tensor], enforce_sorted: bool = True) -> PackedSequence:
    """Packs sequences, the longest first; with `enforce_sorted=False` they are sorted, and the order is kept."""
    lengths = torch.as_tensor([each.size(0) for each in sequences])
    return pack_padded_sequence(pad_sequence(sequences), lengths, enforce_sorted=enforce_sorted)


def unpack_sequence(packed_sequences: PackedSequence) -> list[Tensor]:
    """Undoes `pack_sequence`.

    >>> import tensorwidgets as torch
    >>> unpack_sequence(pack_sequence([torch.tensor([1, 2, 3]), torch.tensor([4])]))
    [tensor([1, 2, 3]), tensor([4])]
    """
    return unpad_sequence(*pad_packed_sequence(packed_sequences, batch_first=True), batch_first=True)
