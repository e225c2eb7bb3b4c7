"""Ops that stack tensors: hstack, vstack, dstack, column_stack, block_diag."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...backends.numpy.casts import assign
from ...declare.by_signature import calls
from ...declare.pointwise import common_dtype
from ...declare.rules import Answer, Result, computed_row
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes


def raised(name: str, tensor: Tensor) -> Tensor:
    return OPS[name].function(tensor)


def _check_tensors(tensors: Sequence[int] | Sequence[Tensor]) -> None:
    for i, t in enumerate(tensors):
        if not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {i} in argument 0, but got {type(t).__name__}",
                f"element {i} of the list is not a tensor",
                rule="argument.type",
            )


def _check_some(name: str, tensors: Sequence[int] | Sequence[Tensor]) -> None:
    _check_tensors(tensors)
    if not tensors:
        refuse(
            RuntimeError,
            f"{name} expects a non-empty TensorList",
            "the list of tensors is empty",
            rule="stack.empty",
        )


def _joined(tensors: list[Tensor], dim: int, out: Tensor | None) -> Tensor:
    return OPS["cat"].function(tensors, dim, **({} if out is None else {"out": out}))


@calls("hstack", "Stacks tensors horizontally (side by side).", forms="function", family="join")
def hstack(tensors: Any, out: Tensor | None = None) -> Tensor:
    _check_some("hstack", tensors)
    rows = [raised("atleast_1d", t) for t in tensors]
    return _joined(rows, 0 if rows[0]._array.ndim == 1 else 1, out)


@calls(
    "vstack",
    "Stacks tensors vertically (one below the other).",
    aliases=("row_stack",),
    forms="function",
    family="join",
)
def vstack(tensors: Sequence[Tensor], out: Tensor | None = None) -> Tensor:
    _check_some("vstack", tensors)
    return _joined([raised("atleast_2d", t) for t in tensors], 0, out)


@calls("dstack", "Stacks tensors in depth (along the third dimension).", forms="function", family="join")
def dstack(tensors: Sequence[Tensor], out: Tensor | None = None) -> Tensor:
    _check_some("dstack", tensors)
    return _joined([raised("atleast_3d", t) for t in tensors], 2, out)


@calls("column_stack", "Stacks tensors horizontally, with vectors as columns.", forms="function", family="join")
def column_stack(tensors: Any, out: Tensor | None = None) -> Tensor:
    _check_some("column_stack", tensors)
    columns = [t if t._array.ndim > 1 else OPS["reshape"].function(t, t._array.size, 1) for t in tensors]
    return _joined(columns, 1, out)


def fill_blocks(target: np.ndarray, blocks: list[np.ndarray]) -> None:
    """Write matrices one after the other along the diagonal; vectors are rows."""
    target[...] = 0
    row = column = 0
    for block in blocks:
        rows, columns = _matrix_size(block.shape)
        below, right = row + rows, column + columns
        assign(target[row:below, column:right], block.reshape(rows, columns))
        row, column = below, right


def _matrix_size(size: tuple[int, ...]) -> tuple[int, int]:
    """The size of a block: a number or a vector is a matrix with one row."""
    return ((1, 1), (1, *size), size)[len(size)]  # type: ignore[return-value]


@computed_row(
    "block_diag",
    "Returns a block-diagonal matrix of the given matrices, with zeros elsewhere.",
    fill_blocks,
    family="join",
    category="other",
    forms="function",
    out=None,
)
def block_diag(*tensors: Any) -> Answer:
    _check_tensors(tensors)
    for i, t in enumerate(tensors):
        if t._array.ndim > 2:
            refuse(
                RuntimeError,
                f"torch.block_diag: Input tensors must have 2 or fewer dimensions. Input {i} has {t._array.ndim} "
                "dimensions",
                "each tensor is one block of a matrix",
                rule="block.ndim",
            )
    if not tensors:
        return Result((1, 0), dtypes.get_default_dtype()), ([],)
    sizes = [_matrix_size(t._array.shape) for t in tensors]
    size = (sum(rows for rows, _ in sizes), sum(columns for _, columns in sizes))
    return Result(size, common_dtype(tensors)), ([t._array for t in tensors],)
