"""A hash of the elements: are two tensors the same to the last bit?"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...backends.numpy.casts import cast
from ...declare.reductions import folded, left_over, put, reduced_dims
from ...declare.rules import Answer, Result
from ...errors.reasons import refuse
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, ONLY_STORED
from .basic import row


def fill_hash(target: np.ndarray, values: np.ndarray, dims: tuple[int, ...], keepdim: bool, wide: dtypes.dtype) -> None:
    def bits(part: np.ndarray) -> np.ndarray:
        return cast(part, wide).view(np.uint64)

    if type(values) is np.ndarray:
        put(target, folded(np.bitwise_xor, values, dims, keepdim, bits))
    elif target.size:
        kept = [d for d in range(values.ndim) if d not in dims]
        rows = bits(values).transpose(*kept, *dims).reshape(target.size, -1)
        target[...] = _by_halves(rows).reshape(target.shape)


def _by_halves(rows: np.ndarray) -> np.ndarray:
    """The exclusive or of each row, for CuPy, which reduces by none."""
    while rows.shape[1] > 1:
        half = rows.shape[1] // 2
        odd = rows[:, 2 * half :]
        rows = rows[:, :half] ^ rows[:, half : 2 * half]
        if odd.shape[1]:
            rows[:, :1] ^= odd
    return rows


@row(
    "hash_tensor",
    "Combines the bits of all elements, as numbers of 64 bits, by exclusive or; of all or along the given dimensions.",
    fill_hash,
    out="Expected result to be of dtype uint64, but got {Got}",
)
def hash_tensor(input: Tensor, dim: int | Sequence[int] = (), *, keepdim: bool = False, mode: int = 0) -> Answer:
    must_be_tensor("hash_tensor", input)
    d = input._dtype
    size, dims = input._array.shape, reduced_dims(dim, input._array.ndim)
    if mode:
        refuse(
            RuntimeError,
            f"Unknown hash_tensor mode: {mode}",
            "there is one way to combine the bits, exclusive or",
            "mode=0",
            rule="hash.mode",
        )
    every = isinstance(dim, (tuple, list)) and not dim
    if 0 in size and every:
        refuse(
            RuntimeError,
            "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
            "with the 'dim' argument.",
            "of no elements there is no hash",
            rule="hash.empty",
        )
    for axis in dims:
        if not size[axis]:
            refuse(
                IndexError,
                f"hash_tensor: Expected reduction dim {axis} to have non-zero size.",
                f"dimension {axis} has no elements to combine",
                rule="hash.empty",
            )
    if d._kind == COMPLEX or d in ONLY_STORED:
        refuse_dtype("xor_sum_cpu", d)
    wide = dtypes.float64 if d._kind == FLOAT else dtypes.int64
    return Result(left_over(size, dims, keepdim), dtypes.uint64), (input._array, dims, keepdim, wide)
