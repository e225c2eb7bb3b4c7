"""Batches of sequences that differ in length: padded to one length, or packed without padding."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....declare.rules import Answer, Result
from ....dispatch.meta import refuse_values
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.lookups import checked_dim
from ....tensor.tensor import Tensor
from ....tensor.versions import bump_version
from ....types.dtypes import int64
from ..declaring import nn_calls


def _refuse(message: str, because: str, *ways: str) -> None:
    refuse(RuntimeError, message, because, *ways, rule="sequences.size")


def batch_sizes(lengths: np.ndarray) -> np.ndarray:
    """How many sequences are as long as each step needs.

    >>> batch_sizes(np.array([3, 1])).tolist()
    [2, 1, 1]
    """
    return (np.arange(lengths[0])[:, None] < lengths).sum(1)


def fill_packed(targets: tuple, input: np.ndarray, sizes: np.ndarray) -> None:
    data, counts = targets
    counts[...] = sizes
    start = 0
    for step, size in zip(input, sizes, strict=False):  # steps that a length counts but the input lacks are left out
        data[start : start + size] = step[:size]
        start += size


@nn_calls(
    "_pack_padded_sequence", "Puts the steps of sequences one after the other without their padding.",
    "Tensor input, Tensor lengths, bool batch_first", kernel=fill_packed, returns="tuple[Tensor, Tensor]", out=None,
    decided_by="values",
)  # fmt: skip
def _pack_padded_sequence(input: Tensor, lengths: Tensor, batch_first: bool) -> Answer:
    dims = input.dim()
    if lengths.dim() != 1 or lengths.dtype is not int64 or lengths.is_cuda:
        _refuse(
            f"'lengths' argument should be a 1D CPU int64 tensor, but got {lengths.dim()}D {lengths.device} "
            f"{lengths._dtype._type_name} tensor",
            "each sequence has one length",
        )
    if not input.numel():
        _refuse("Cannot pack empty tensors.", "there is no step")
    for dim in (0, 1):
        checked_dim(dim, dims)
    array = input._array.swapaxes(0, 1) if batch_first else input._array
    batch, given = array.shape[1], lengths._array
    if lengths.is_meta:
        refuse_values("_pack_padded_sequence")
    if len(given) != batch:
        _refuse(
            f"Expected `len(lengths)` to be equal to batch_size, but got {len(given)} (batch_size={batch})",
            "each sequence has one length",
        )
    if given[-1] <= 0:  # the shortest, if they are in order
        _refuse(
            "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0",
            "a sequence without steps cannot be packed",
        )
    if (np.diff(given) > 0).any():
        _refuse(
            "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
            "`enforce_sorted=False` to pack_padded_sequence and/or pack_sequence to sidestep this requirement if you "
            "do not need ONNX exportability.",
            "a packed batch begins with its longest sequence",
            "enforce_sorted=False",
        )
    sizes = batch_sizes(given)
    steps = int(sizes[: array.shape[0]].sum())
    return (Result((steps, *array.shape[2:]), input._dtype), Result((len(sizes),), int64)), (array, sizes)


@nn_calls("_pad_packed_sequence", "Puts the steps of packed sequences back into a padded batch, with the lengths.",
     "Tensor data, Tensor batch_sizes, bool batch_first, Scalar padding_value, int64_t total_length")  # fmt: skip
def _pad_packed_sequence(
    data: Tensor, batch_sizes: Tensor, batch_first: bool, padding_value: float, total_length: int
) -> tuple[Tensor, Tensor]:
    sizes = batch_sizes.tolist()
    if not sizes:
        _refuse("batch_sizes can not be empty", "it tells how many sequences there are")
    steps, widest = len(sizes), sizes[0]
    if 0 < total_length < steps:
        _refuse(
            "Expected total_length to be at least the length of the longest sequence in input, but got "
            f"total_length={total_length} and max sequence length being {steps}",
            "nothing is cut off",
        )
    whole = (max(total_length, steps), widest, *data.shape[1:])
    padded = OPS["empty"].function(whole, dtype=data.dtype, device=data.device).fill_(padding_value)
    start = first = 0
    for step in range(1, steps + 1):
        if step < steps and sizes[step] == sizes[step - 1]:
            continue  # steps of one size are copied together
        size, count = sizes[first], (step - first) * sizes[first]
        part = data[start : start + count].view(step - first, size, *data.shape[1:])
        padded[first:step, :size].copy_(part)
        start, first = start + count, step
    lengths = [sum(size > n for size in sizes) for n in range(widest)]
    padded = padded.transpose(0, 1) if batch_first else padded
    return padded, OPS["tensor"].function(lengths, dtype=int64, device="cpu")


@nn_calls(
    "_nn.pad_sequence",
    "Puts sequences of several lengths into one tensor, with a value after the shorter ones.",
    "TensorList sequences, bool batch_first=False, double padding_value=0.0, c10::string_view padding_side='right'",
)
def pad_sequence(
    sequences: Sequence[Tensor], batch_first: bool = False, padding_value: float = 0.0, padding_side: str = "right"
) -> Tensor:
    if not sequences:
        _refuse("received an empty list of sequences", "the size of a step is read from the first sequence")
    if padding_side not in ("left", "right"):
        _refuse(
            f"Expected padding_side to be one of left or right, but got {padding_side}.",
            "there are two sides",
            "padding_side='left'",
        )
    if not sequences[0].dim():
        _refuse("ArrayRef: invalid slice, N = 1; size = 0", "a single number is not a sequence", "x.reshape(1)")
    longest, first = max(s.size(0) for s in sequences), sequences[0]
    ends = (len(sequences), longest) if batch_first else (longest, len(sequences))
    padded = OPS["full"].function((*ends, *first.shape[1:]), padding_value, dtype=first.dtype, device=first.device)
    for n, sequence in enumerate(sequences):
        count = sequence.size(0)
        room = padded.select(0 if batch_first else 1, n)
        room.narrow(0, longest - count if padding_side == "left" else 0, count).copy_(sequence)
    bump_version(padded)  # for the value behind the shorter ones
    return padded
