"""Embeddings: rows of a table by their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.grad_mode import no_grad
from ....tensor.must_be_tensor import must_be_tensor, must_have
from ....tensor.tensor import Tensor
from ....types.cpp_names import cpp_tensor_type
from ....types.dtypes import dtype, int32, int64
from ..declaring import nn_composite, nn_row_without_out


def check_indices(indices: Tensor, op: str, name: str = "indices", position: int = 1, d: dtype | None = None) -> None:
    """Refuse numbers of rows that are not whole numbers, or would not be in the dtype `d`."""
    if (d or indices._dtype) not in (int64, int32):
        refuse(
            RuntimeError,
            f"Expected tensor for argument #{position} '{name}' to have one of the following scalar types: Long, Int; "
            f"but got {cpp_tensor_type(d or indices._dtype)} instead (while checking arguments for {op})",
            "each element is the number of a row",
            f"{name}.long()",
            rule="embedding.dtype",
        )


def check_table(weight: Tensor) -> None:
    """Refuse a table that is not a matrix."""
    if weight.dim() != 2:
        refuse(
            RuntimeError,
            "'weight' must be 2-D",
            "the table has a row for each number",
            "weight.reshape(-1, weight.shape[-1])",
            rule="embedding.ndim",
        )


def check_range(indices: np.ndarray, count: int) -> None:
    """Refuse a number without a row."""
    if indices.size and (indices.min() < 0 or indices.max() >= count):
        low, high = int(indices.min()), int(indices.max())
        refuse(
            IndexError,
            "index out of range in self",
            f"the table has rows 0 to {count - 1}, and "
            + (f"{low} is not among them" if low == high else f"the numbers go from {low} to {high}"),
            *([f"num_embeddings={high + 1}, or more"] if high >= count else ["numbers that are 0 or more"]),
            rule="embedding.range",
        )


def fill_embedding(target: np.ndarray, weight: np.ndarray, indices: np.ndarray) -> None:
    check_range(indices, len(weight))
    if type(target) is np.ndarray:
        np.take(weight, indices, axis=0, out=target, mode="clip")
    else:
        target[...] = weight[indices]


@nn_row_without_out("embedding", "The rows of a table by their numbers.", fill_embedding)
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Answer:
    check_table(weight)
    check_indices(indices, "embedding")
    if indices._array.size and not weight._array.shape[0]:
        refuse(
            RuntimeError,
            "index_select(): self indexing axis dim should be positive",
            "the table has no rows",
            "num_embeddings=1, or more",
            rule="embedding.range",
        )
    size = (*indices._array.shape, weight._array.shape[1])
    return Result(size, weight._dtype), (weight._array, indices._array)


def row_number(padding_idx: int | None, count: int, words: str) -> int:
    """The number of the row that is not trained; -1 for none."""
    if padding_idx is None:
        return -1
    if padding_idx and not -count <= padding_idx < count:  # PyTorch does not look at 0
        refuse(
            AssertionError,
            words,
            f"the table has {count} rows",
            "padding_idx=0",
            rule="embedding.padding",
        )
    return padding_idx % count if count else 0


def limit_norms(weight: Tensor, indices: Tensor, max_norm: float, norm_type: float) -> None:
    """Shrink the rows that are about to be looked up to a largest norm, in place."""
    with no_grad():
        check_range(indices._array, weight.size(0))
        numbers = OPS["unique"].function(indices)
        rows = weight[numbers]
        norms = OPS["linalg.vector_norm"].function(rows, norm_type, 1, True)
        factor = OPS["where"].function(norms > max_norm, max_norm / (norms + 1e-7), OPS["ones_like"].function(norms))
        weight.index_copy_(0, numbers.long(), rows * factor)


@nn_composite("nn.functional.embedding", "Looks up the rows of a table by their numbers.")
def functional_embedding(
    input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
    norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False,
) -> Tensor:  # fmt: skip
    if padding_idx:  # PyTorch compares it with the number of rows, unless it is 0
        must_have(weight, "size", "embedding")
        weight.size(0)  # which refuses a number
    elif max_norm is not None:
        must_have(input, "contiguous", "embedding")
    must_be_tensor("embedding", weight, "weight")
    if not weight.dim():
        check_table(weight)
    padding: Any = row_number(padding_idx, weight.size(0), "Padding_idx must be within num_embeddings")
    if max_norm is not None:
        input = input.contiguous()
        if weight.dim() != 2:
            refuse(
                RuntimeError,
                f"Expected 2-dimensional tensor, but got {weight.dim()}-dimensional tensor for argument #1 'self' "
                "(while checking arguments for embedding_renorm_)",
                "the table has a row for each number",
                "weight.reshape(-1, weight.shape[-1])",
                rule="embedding.ndim",
            )
        check_indices(input, "embedding_renorm_", position=2)
        limit_norms(weight.detach(), input, max_norm, norm_type)
    must_be_tensor("embedding", input, "indices", 2)
    return OPS["embedding"].function(weight, input, padding, scale_grad_by_freq, sparse)
