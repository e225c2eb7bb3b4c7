"""Joining tensors: each gets its part of the gradient."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ...ops.creation.grids import ask_for_indexing
from ..beside import places_beside, zeros_beside
from ..declaring import differentiate, parts
from ..ops import torch

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


def _parted(grad: Tensor, shapes: tuple, dtypes: tuple, dim: int) -> list:
    """The parts of a gradient that belong to the tensors of a `cat`."""
    results: list[Any] = []
    start = 0
    for shape, dtype in zip(shapes, dtypes, strict=True):
        if tuple(shape) == (0,):  # an empty tensor that `cat` leaves out
            results.append(zeros_beside(grad, 0))
            continue
        part = grad.narrow(dim, start, shape[dim])
        results.append(torch.real(part) if grad.is_complex() and not dtype.is_complex else part)
        start += shape[dim]
    return results


differentiate("cat", tensors=lambda grad, tensors_shape, tensors_dtype, dim=0: _parted(
    grad, tensors_shape, tensors_dtype, dim))  # fmt: skip
differentiate("stack", tensors=lambda grad, tensors_dtype, dim=0: [
    torch.real(g) if g.is_complex() and not d.is_complex else g
    for g, d in zip([grad.select(dim, k) for k in range(len(tensors_dtype))], tensors_dtype, strict=True)])  # fmt: skip


@parts("hstack")
def hstack(tensors: Sequence[Tensor]) -> Any:
    """cat along the second dimension"""
    tensors = torch.atleast_1d(*tensors) if len(tensors) > 1 else [torch.atleast_1d(tensors[0])]
    return torch.cat(list(tensors), 0 if tensors[0].dim() == 1 else 1)


@parts("vstack")
def vstack(tensors: Sequence[Tensor]) -> Any:
    """cat along the first dimension"""
    return torch.cat([torch.atleast_2d(t) for t in tensors], 0)


@parts("dstack")
def dstack(tensors: Sequence[Tensor]) -> Any:
    """cat along the third dimension"""
    return torch.cat([torch.atleast_3d(t) for t in tensors], 2)


@parts("column_stack")
def column_stack(tensors: Sequence[Tensor]) -> Any:
    """cat of columns"""
    return torch.cat([t.reshape(t.numel(), 1) if t.dim() <= 1 else t for t in tensors], 1)


differentiate("block_diag", tensors=lambda grad, tensors_shape, tensors_dtype: _blocks(
    grad, tensors_shape, tensors_dtype))  # fmt: skip


def _blocks(grad: Tensor, shapes: tuple, dtypes: tuple) -> list:
    results = []
    row = column = 0
    for shape, dtype in zip(shapes, dtypes, strict=True):
        height, width = (1, 1) if not shape else (1, shape[0]) if len(shape) == 1 else shape
        block = grad[row : row + height, column : column + width]
        block = block if len(shape) == 2 else block.reshape(shape)
        results.append(torch.real(block) if grad.is_complex() and not dtype.is_complex else block)
        row, column = row + height, column + width
    return results


@parts("meshgrid")
def meshgrid(*tensors: Any, indexing: str | None = None) -> Any:
    """view and expand"""
    given = tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    swap = indexing == "xy" and len(given) >= 2
    if indexing not in (None, "xy", "ij") or any(t.dim() > 1 for t in given) or len({t.dtype for t in given}) > 1:
        raise ValueError("the row itself refuses this")
    if indexing is None:
        ask_for_indexing()
    if swap:
        given = (given[1], given[0], *given[2:])
    size = [t.numel() for t in given]
    results = []
    for place, t in enumerate(given):
        shape = [1] * len(given)
        shape[place] = -1
        results.append(t.view(shape).expand(size))
    if swap:
        results[0], results[1] = results[1], results[0]
    return tuple(results)


@parts("cartesian_prod")
def cartesian_prod(*tensors: Any) -> Any:
    """meshgrid, and stack of the flattened grids"""
    given = tuple(tensors[0]) if len(tensors) == 1 and isinstance(tensors[0], (list, tuple)) else tensors
    if any(t.dim() != 1 for t in given) or len({t.dtype for t in given}) > 1:
        raise ValueError("the row itself refuses this")
    if len(given) == 1:
        return given[0]
    grids = meshgrid(*given, indexing="ij")
    return torch.stack([g.reshape(-1) for g in grids], 1)


@parts("combinations")
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Any:
    """masked_select of grids, and stack"""
    if r == 0 and input.dim() == 1:
        return torch.combinations(input.detach(), 0)
    if r < 1 or input.dim() != 1:
        raise ValueError("the row itself refuses this")
    n = input.shape[0]
    grids = meshgrid(*[input] * r, indexing="ij")
    places = torch.meshgrid(*[places_beside(input, n)] * r, indexing="ij")
    mask = torch.ones((n,) * r, dtype=torch.bool, device=input.device)
    for a, b in zip(places[:-1], places[1:], strict=True):
        mask = mask & ((a <= b) if with_replacement else (a < b))
    return torch.stack([g.masked_select(mask) for g in grids], 1)
