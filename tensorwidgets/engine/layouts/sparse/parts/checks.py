"""What has to hold of the parts of a sparse tensor. Each refusal names the first index at fault in its note.

PyTorch 2.13 trusts its caller by default, and reads outside of its memory if that was wrong. Here small
tensors are checked at once, large ones at their first use, and `check_invariants=True` checks any at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ....errors.reasons import refuse
from ....tensor.keys import KEY_META
from ....tensor.tensor import Tensor
from .tensors import BLOCKED, BY_ROWS, Compressed, Coordinates

if TYPE_CHECKING:
    from ....types.formats import layout


AT_ONCE = 1 << 12
"""Up to this number of stored elements, the indices are checked when the tensor is made."""

enabled = False
"""Whether all tensors are checked when they are made (`torch.sparse.check_sparse_tensor_invariants`)."""


def invalid(message: str, because: str, **facts: Any) -> NoReturn:
    refuse(RuntimeError, message, because, rule="sparse.invariant", **facts)


def check(parts: Any, wanted: bool | None = None) -> None:
    """Check the indices of a new tensor now, or leave it to its first use."""
    if wanted is None:
        wanted = enabled or (wanted is None and parts.nnz <= AT_ONCE)
    parts.checked = False
    if wanted and not parts.values._keys & KEY_META:
        ready(parts)


def ready(parts: Any) -> None:
    """Have the indices checked, once, before anything is addressed by them."""
    if not parts.checked:
        if type(parts) is Coordinates:
            _check_coordinates(parts)
        else:
            _check_compressed(parts)
        parts.checked = True


# -- coordinates -------------------------------------------------------------------------------------------------


def _check_coordinates(parts: Coordinates) -> None:
    for dim, row in enumerate(parts.indices._array):
        if row.size:
            refuse_negative(row, dim)
            size = parts.shape[dim]
            if int(row.max()) >= size:
                place = int(np.argmax(row >= size))
                invalid(
                    f"size is inconsistent with indices: for dim {dim}, size is {size} but found index "
                    f"{int(row.max())}",
                    f"indices[{dim}, {place}] is {int(row[place])}, and dimension {dim} has the indices 0 to "
                    f"{size - 1}" if size else f"dimension {dim} has no indices at all",
                    dim=dim,
                    place=place,
                    index=int(row[place]),
                    size=size,
                )  # fmt: skip


def refuse_negative(row: np.ndarray, dim: int) -> None:
    """Indices of sparse tensors may not be negative."""
    least = int(row.min())
    if least < 0:
        place = int(np.argmax(row < 0))
        invalid(
            f"found negative index {least} for dim {dim}",
            f"indices[{dim}, {place}] is {int(row[place])}, and the coordinates of elements begin at 0",
            dim=dim,
            place=place,
            index=int(row[place]),
        )


def check_fit(indices: Tensor, values: Tensor, size: tuple[int, ...] | None) -> None:
    """Whether indices and values belong together, and to a tensor of this size."""
    i, v = indices._array.shape, values._array.shape
    dense = len(v) - 1
    if size is not None and i and len(size) != i[0] + dense:
        invalid(
            f"'len(size) == sparse_dim + dense_dim' is not satisfied: len(size) = {len(size)}, sparse_dim = {i[0]}, "
            f"dense_dim = {dense}",
            f"{i[0]} rows of indices and values of {dense + 1} dimensions make a tensor of {i[0] + dense} dimensions",
        )
    if len(i) != 2:
        invalid(
            f"indices must be sparse_dim x nnz, but got: {list(i)}",
            "indices have a row for each sparse dimension and a column for each kept element",
        )
    if i[1] != v[0]:
        invalid(
            f"indices and values must have same nnz, but got nnz from indices: {i[1]}, nnz from values: {v[0]}",
            f"{i[1]} coordinates cannot hold {v[0]} values",
        )
    if size is None:
        return
    wanted = (i[1], *size[i[0] :])
    if v != wanted:
        invalid(
            f"values has incorrect size, expected {list(wanted)}, got {list(v)}",
            "each value has the size of the dense dimensions",
        )


# -- compressed --------------------------------------------------------------------------------------------------


def names_of(layout: layout | None) -> tuple[str, str, str, str]:
    """What the two kinds of indices are called, and what they count."""
    if layout in BY_ROWS:
        return "crow_indices", "col_indices", "row", "col"
    return "ccol_indices", "row_indices", "col", "row"


_COUNTED = {"row": "rows", "col": "columns"}


def check_structure(layout: layout | None, outer: Tensor, inner: Tensor, values: Tensor, size: tuple[int, ...]) -> None:
    """Whether the sizes of the parts fit together."""
    o, i, v = outer._array.shape, inner._array.shape, values._array.shape
    outer_name, inner_name, compressed, _ = names_of(layout)
    for name, shape in ((outer_name, o), (inner_name, i)):
        if not shape:
            invalid(f"{name} must have dimensionality >= 1 but got 0", f"{name} is a row of numbers")
    if len(o) != len(i):
        invalid(
            f"{outer_name} and {inner_name} dimensionalities must be equal but got {len(o)} and {len(i)}, respectively",
            "both have the batch dimensions of the tensor and one of their own",
        )
    batch, block = len(o) - 1, 2 * (layout in BLOCKED)
    dense = len(v) - batch - block - 1
    if dense < 0:
        invalid(
            f"values must have dimensionality > sum of batch and block dimensionalities (={batch} + {block}) but got "
            f"{len(v)}",
            "values has the batch dimensions, one for the kept elements, and those of an element",
        )
    if len(size) != batch + 2 + dense:
        invalid(
            f"tensor dimensionality must be sum of batch, base, and dense dimensionalities (={batch} + 2 + {dense}) "
            f"but got {len(size)}",
            f"these parts make a tensor of {batch + 2 + dense} dimensions",
        )
    if not o[:batch] == i[:batch] == v[:batch] == size[:batch]:
        invalid(
            f"all batch dimensions of {outer_name} (={list(o[:batch])}), {inner_name} (={list(i[:batch])}), values "
            f"(={list(v[:batch])}), and tensor size (={list(size[:batch])}) must be equal.",
            "each matrix of the batch has its own indices and values",
        )
    blocks = v[batch + 1 : batch + 3] if block else (1, 1)
    for k in range(2):
        if blocks[k] == 0 or size[batch + k] % blocks[k]:
            invalid(
                f"tensor shape[{batch + k}] (={size[batch + k]}) must be divisible with blocksize[{k}] (={blocks[k]}) "
                "as defined by values shape",
                "blocks tile the matrix",
            )
    along = 0 if layout in BY_ROWS else 1
    lines = size[batch + along] // blocks[along]
    if o[-1] != lines + 1:
        counted = _COUNTED[compressed] if not block else f"{compressed} blocks"
        invalid(
            f"{outer_name}.shape[-1] must be equal to the number of {counted} + 1 (={lines + 1}), but got {o[-1]}",
            f"{outer_name} says where each {compressed} begins, and where the last one ends",
        )
    if i[-1] != v[batch]:
        invalid(
            f"{inner_name}.shape[-1] must be equal to nnz (={v[batch]}) as defined by values.shape[{batch}], but got "
            f"{i[-1]}",
            f"each value has its {inner_name.removesuffix('_indices')}",
        )
    if outer._dtype is not inner._dtype:
        invalid(
            f"{outer_name} and {inner_name} must have the same dtype, bot got {outer._dtype._type_name} and "
            f"{inner._dtype._type_name}, respectively",
            "both are indices of one tensor",
        )
    if outer._dtype._name not in ("int32", "int64"):
        invalid(
            f"{outer_name} and {inner_name} dtype must be Int or Long, but got {outer._dtype._type_name}",
            "indices are whole numbers of 32 or 64 bits",
        )


def _check_compressed(parts: Compressed) -> None:
    outer_name, inner_name, compressed, plain = names_of(parts.layout)
    outer, inner = parts.outer._array, parts.inner._array
    b = parts.batch_dim
    block = parts.block or (1, 1)
    by_rows = parts.layout in BY_ROWS
    n_inner = parts.shape[b + by_rows] // block[by_rows]
    lines = outer.shape[-1] - 1

    def broken(invariant: str, because: str) -> None:
        invalid(f"`{invariant}` is not satisfied.", because)

    for batch in np.ndindex(outer.shape[:-1]):
        o, i = outer[batch], inner[batch]
        where = "".join(f"{n}, " for n in batch)
        if o[0] != 0:
            broken(f"{outer_name}[..., 0] == 0", f"{outer_name}[{where}0] is {o[0]}")
        if o[-1] != parts.nnz:
            broken(f"{outer_name}[..., -1] == nnz", f"{outer_name}[{where}-1] is {o[-1]}, and nnz is {parts.nnz}")
        steps = np.diff(o)
        wrong = (steps < 0) | (steps > n_inner)
        if wrong.any():
            at = int(np.argmax(wrong)) + 1
            broken(
                f"0 <= {outer_name}[..., 1:] - {outer_name}[..., :-1] <= n{plain}s",
                f"{outer_name}[{where}{at - 1}] is {o[at - 1]} and {outer_name}[{where}{at}] is {o[at]}: {compressed} "
                f"{at - 1} would have {steps[at - 1]} elements",
            )
        wrong = (i < 0) | (i >= n_inner)
        if wrong.any():
            at = int(np.argmax(wrong))
            broken(
                f"0 <= {inner_name} < n{plain}s",
                f"{inner_name}[{where}{at}] is {i[at]}, and {plain}s are counted from 0 to {n_inner - 1}",
            )
        wrong = np.diff(i) <= 0
        begins = o[1:-1]
        wrong[begins[(begins > 0) & (begins < len(i))] - 1] = False
        if wrong.any():
            at = int(np.argmax(wrong))
            broken(
                f"{inner_name}[..., {outer_name}[..., i - 1]:{outer_name}[..., i]] for all i = 1, ..., n{compressed}s "
                "are sorted and distinct along the last dimension values",
                f"{inner_name}[{where}{at}] is {i[at]} and {inner_name}[{where}{at + 1}] is {i[at + 1]}, in one "
                f"{compressed}; of {lines} {compressed}s each has its {plain}s in rising order",
            )
