"""Reading and writing by index, recorded part by part as PyTorch does: select, slice, unsqueeze, then one index."""

from __future__ import annotations

from typing import Any

from ...ops.indexing.index_key import MASKS, apply, index_tensor, is_plain, is_sequence, parts_of
from ...ops.indexing.setitem import number_for, without_leading_ones
from ...tensor.grad_mode import grad_enabled
from ...tensor.tensor import Tensor
from ...types import dtypes
from .. import view_rows
from ..beside import places_beside, zeros_beside
from ..declaring import differentiate, parts, refuse_derivative
from ..helpers import counted
from ..ops import torch
from ..private_rows import alias, everywhere, index, put_at, slice_of


@parts("getitem")
def getitem(self: Tensor, key: Any) -> Any:
    """select, slice, unsqueeze, and index for what is left"""
    if self.layout is not torch.strided:
        return _of_sparse(self, key)
    key = key if is_plain(key) and key is not Ellipsis else parts_of(key)
    apply(self, key)  # which refuses what is not a key
    if is_plain(key):
        view, _, indices = _one(self, key, 0)
    else:
        view, indices = _step_by_step(self, key)
        if not indices and view is self:
            return alias(self)
    return index(view, _listed(indices)) if indices else view


def _of_sparse(self: Tensor, key: int) -> Any:
    """Each number selects; what else a sparse tensor accepts has no derivative."""
    keys = key if isinstance(key, tuple) else (key,)
    if all(type(k) is int for k in keys) and len(keys) <= self.dim():
        for k in keys:
            self = self.select(0, k)
        return self
    self.detach()[key]  # which refuses most keys
    refuse_derivative("derivative for aten::index is not implemented")


@parts("setitem")
def setitem(self: Tensor, key: Any, value: Tensor | float) -> None:
    """select, slice and unsqueeze, then copy_ or index_put_"""
    if self.layout is not torch.strided:
        self.detach()[key] = value  # which is refused
        return
    source = value if isinstance(value, Tensor) else number_for(value, self._dtype)
    if key is False:
        return
    key = key if is_plain(key) and key is not Ellipsis else parts_of(key)
    apply(self, key)
    if is_plain(key):
        whole = isinstance(key, slice) and _is_whole(key, self.shape[0]) if self.dim() else False
        view, indices = (self, []) if whole else _one(self, key, 0)[::2]
    else:
        view, indices = _step_by_step(self, key)
    if key is True or not indices:
        _copy_to(view, source)
    else:
        put_at(view, _listed(indices), without_leading_ones(source))


def _copy_to(view: Tensor, source: Tensor) -> None:
    if tuple(view.shape) == tuple(source.shape):
        view.copy_(source)
    elif source.dim() == 0:
        view.fill_(source)
    else:
        shape = tuple(source.shape)
        first = next((i for i, n in enumerate(shape) if n != 1), len(shape))
        source = source.view(shape[first:])
        view.copy_(source if source.shape == view.shape else source.expand(view.shape))


def _step_by_step(self: Tensor, key_parts: Any) -> tuple[Any, list]:
    ndim = self.dim()
    used = sum(_consumes(k) for k in key_parts)
    view, dim, indices = self, 0, []
    for part in key_parts:
        if part is Ellipsis:
            dim += ndim - used
            continue
        if isinstance(part, slice) and _is_whole(part, view.shape[dim]):
            dim += 1
            continue
        view, taken, more = _one(view, part, dim)
        indices += more
        dim += taken
    return view, indices


def _consumes(k: Any) -> int:
    if k is None or k is Ellipsis or isinstance(k, bool):
        return 0
    return k.dim() if isinstance(k, Tensor) and k._dtype in MASKS else 1


def _is_whole(k: slice, n: int) -> bool:
    return k.start in (None, 0) and (k.stop is None or int(k.stop) >= n) and k.step in (None, 1)


def _one(view: Tensor, k: Any, dim: int) -> tuple[Any, int, list]:
    """One part of a key: the view, how many dimensions it is past then, and the index tensor that it leaves."""
    if isinstance(k, slice):
        return slice_of(view, dim, k.start, k.stop, 1 if k.step is None else int(k.step)), 1, []
    if k is None:
        return view.unsqueeze(dim), 1, []
    if isinstance(k, bool):
        return view.unsqueeze(dim), 1, [(dim, places_beside(view, int(k)))]
    if not is_plain(k) and (isinstance(k, Tensor) or is_sequence(k)):
        tensor = k if isinstance(k, Tensor) else index_tensor(k)
        if tensor.dim() or tensor._dtype._kind > dtypes.INTEGER:
            return view, tensor.dim() if tensor._dtype in MASKS else 1, [(dim, tensor)]
        if tensor._dtype in MASKS:
            return view.unsqueeze(dim), 1, [(dim, places_beside(view, int(bool(tensor.item()))))]
        return view.select(dim, int(tensor.item())), 0, []
    return view.select(dim, int(k)), 0, []


def _listed(indices: list) -> list:
    """Index tensors in order, and None for each dimension between them; a mask covers as many as it has."""
    result: list[Any] = []
    covered = 0
    for dim, tensor in indices:
        result += [None] * (dim - covered) + [tensor]
        covered = dim + (tensor.dim() if tensor.dtype in MASKS else 1)
    return result


differentiate(
    "_put_at", node="IndexPutBackward0", casts=False,
    input=lambda grad, indices: _emptied(grad, indices),
    values=lambda grad, indices: grad[everywhere(indices)],
)  # fmt: skip


def _emptied(grad: Tensor, indices: list) -> Tensor:
    """A gradient with zeros where elements were written."""
    zero = zeros_beside(grad, ())
    if all(index is not None for index in indices):
        return grad.index_put(tuple(indices), zero)
    return put_at(grad.clone(), indices, zero)


differentiate("index", node="IndexBackward0", input=lambda grad, input_like, indices: _into_index(
    grad, input_like, indices))  # fmt: skip


def _into_index(grad: Tensor, like: Any, indices: list) -> Any:
    if grad_enabled():
        return counted(view_rows.index_put_impl(like.new_zeros(), indices, grad), 1)
    return counted(view_rows.added_at(like.new_zeros(), indices, grad), 1)


differentiate("_index_put_impl", node="IndexPutImplBackward0", input=lambda grad: grad,
              values=lambda grad, indices: index(grad, indices))  # fmt: skip
