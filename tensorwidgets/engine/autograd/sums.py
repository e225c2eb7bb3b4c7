"""How do the gradients that arrive at one place become one, of the size and dtype of what it is for?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy import ndarray

from ..backends.numpy.sums.float_sum import total
from ..backends.numpy.without_warnings import quietly, run
from ..dispatch.kinds import KINDS, NonStridedArray
from ..dispatch.registry import OPS
from ..errors.reasons import Reason, refuse
from ..geometry import broadcast, pointwise_stride
from ..memory.references import references_to
from ..tensor.grad_mode import grad_enabled
from ..tensor.moving.views_beside import explained
from ..tensor.tensor import Tensor
from ..tensor.wrapping import wrap
from ..types.dtypes import COMPLEX, FLOAT, float32, float64
from . import leaf_sizes
from .nodes import Node
from .saved import bare

if TYPE_CHECKING:
    from ..types.device import device
    from ..types.dtypes import dtype


_add, _references = np.add, references_to
_NOT_DEVICE = ~KINDS["device"].key


def add_part(place: list, number: int, grad: Tensor) -> None:
    """Add a gradient to the sum in one place of a list: in its own memory if nobody else refers to the sum."""
    old = place[number]
    if old is None:
        if grad._notes.get("_writes") and grad._base is None and not grad._keys and "_counted" not in grad._notes:
            grad = bare(grad)  # what the formula wrote into it does not count
        place[number] = grad
        return
    if (
        not (old._keys | grad._keys) & _NOT_DEVICE
        and references_to(old) == ALONE
        and (references_to(old._array) == 2 if old._storage is None else _has_no_view(old))
        and old._base is None
        and not grad_enabled()
        and old._dtype is grad._dtype
        and old._array.flags.forc
    ):
        if old._dtype in (float32, float64) and old._array.shape == grad._array.shape and not old._keys:
            quietly(np.add, old._array, grad._array, old._array)
            old._writes += 1  # no graph has saved it, so none is notified
        else:
            old.add_(grad)
        old._notes["_counted"] = True
        return
    place[number] = grad + old if old._keys and old.is_sparse else old + grad


def _has_no_view(t: Tensor) -> bool:
    """Whether nothing else refers to memory that views have been made of, as in `CopySlices`."""
    return references_to(t._storage) == 2 and explained([t])


ALONE = 3
"""The references to a sum in `add_part` if only its list refers to it: the list, the local name, the question."""


def add_array(sums: list, number: int, grad: Any) -> int:
    """Add an array to the sum of arrays in one place of a list. Returns how often the memory of the sum was written to.

    It is the sum of arrays that only the list refers to: the backward pass of plain tensors, see `passes`.
    """
    old = sums[number]
    if old is None:
        sums[number] = grad
        return 0
    if old.base is None and references_to(old) == ALONE and old.flags.writeable:
        quietly(np.add, old, grad, old)
        return 1
    if old.strides == grad.strides or old.flags.c_contiguous and 1 not in old.shape:
        sums[number] = np.asarray(quietly(np.add, old, grad))
    else:  # NumPy puts the dimensions of the result in another order than PyTorch
        item = old.itemsize
        layouts = [(a.shape, tuple([step // item for step in a.strides])) for a in (old, grad)]
        stride = pointwise_stride(old.shape, layouts)
        result = np.ndarray(old.shape, old.dtype, strides=tuple([step * item for step in stride]))
        sums[number] = quietly(np.add, old, grad, result)
    return 0


def adds_up(entry: list, grad: Any, d: dtype) -> bool:
    """Add an array to the sum of a leaf, if it is the first, or the sum is an array that only the entry refers to.

    Returns whether it did. See `passes` for the entries.
    """
    leaf, old = entry[0], entry[1]
    if leaf._dtype is not d or leaf_sizes.changed and not leaf_sizes.is_usual(leaf):
        return False
    if old is None:
        if grad.shape != leaf._array.shape:
            return False
        entry[1] = grad if type(grad) is ndarray else np.asarray(grad)
        return True
    if type(old) is not ndarray or old.base is not None or _references(old) != ALONE or grad.shape != old.shape:
        return False
    try:
        run(_add, old, grad, old)
    except RuntimeError:
        quietly(np.add, old, grad, old)
    entry[4] += 1
    return True


def summed_to(grad: ndarray, size: tuple[int, ...]) -> ndarray | None:
    """An array of floats summed over the dimensions in which one of this size is broadcast: what `sum_to_size` does.

    None where these are not the sizes of a broadcast.
    """
    shape, kind = grad.shape, grad.dtype
    first = len(shape) - len(size)
    if first < 0 or kind.kind != "f" or not grad.size or kind.itemsize < 4:
        return None
    if not size:
        whole: ndarray = OPS["sum"].function(wrap(grad, float32 if kind.itemsize == 4 else float64))._array
        return whole
    dims = [*range(first)]
    for d, n in enumerate(size, first):
        if n != shape[d]:
            if n != 1:
                return None
            dims.append(d)
    found = quietly(total, grad, tuple(dims))
    result = np.empty(size, kind)
    quietly(np.copyto, result.reshape(found.shape), found, "unsafe")
    return result[...] if first else result  # a view where PyTorch makes one


def as_tensor(array: ndarray, dtype: dtype, writes: int) -> Tensor:
    """A gradient as a tensor whose memory was written to this many times; a view where the array is one."""
    owner = array.base
    base = wrap(owner, dtype) if type(owner) is ndarray and owner.dtype is array.dtype else None  # older than its view
    t = wrap(array, dtype)
    t._base = base
    if writes:
        t._notes.update(_writes=writes, _counted=True)
    return t


def fitted(grad: Tensor, size: tuple[int, ...], dtype: dtype, by: Node | None, number: int) -> Any:
    """A gradient as what it is for needs it: summed over what was broadcast, and of the same dtype."""
    if not isinstance(grad, Tensor):
        return grad
    if grad._dtype is not dtype and (grad._dtype._kind == COMPLEX) is not (dtype._kind == COMPLEX):
        grad = _real(grad, size, dtype, by, number)
    if grad._array.shape != size:
        if not _can_be_summed(grad, size):
            _refuse_size(grad, size, by, number)
        grad = grad.sum() if grad.is_sparse and not size else grad.sum_to_size(tuple(size))
    if grad._dtype is not dtype:
        grad = grad.to(dtype)
    return grad


def _can_be_summed(grad: Tensor, size: tuple[int, ...]) -> bool:
    """Whether a gradient is that of something broadcast from the size."""
    outcome = broadcast(tuple(grad._array.shape), tuple(size))
    return not isinstance(outcome, Reason) and tuple(outcome) == tuple(grad._array.shape)


def _real(grad: Tensor, size: tuple[int, ...], dtype: dtype, by: Node | None, number: int) -> Tensor:
    """A gradient of other than what it is for: of real and complex numbers, one is real."""
    if grad._dtype._kind == FLOAT:
        return grad
    if by is None or by.casts:
        from ..derivatives.ops import torch

        return torch.real(grad)
    if grad._array.shape != size and not _can_be_summed(grad, size):
        _refuse_size(grad, size, by, number)
    refuse(
        RuntimeError,
        "Expected isFloatingType(grad.scalar_type()) || (input_is_complex == grad_is_complex) to be true, but got "
        "false.  (Could this error message be improved?  If so, please report an enhancement request to PyTorch.)",
        f"{by.name()} computed a gradient of {grad._dtype} for a tensor of {dtype}",
        "x.to(torch.complex64), which has a derivative that takes the real part",
        rule="autograd.dtype",
    )


def checked_place(grad: Tensor, place: device, by: Node | None, number: int) -> Tensor:
    """A gradient on the device of what it is for: one number goes there, anything larger is refused."""
    if grad.device == place:
        return grad
    if not grad._array.ndim:
        return grad.to(place)
    refuse(
        RuntimeError,
        f"{_returned_by(by)}invalid gradient at index {number} - expected device {place} but got {grad.device}",
        "a gradient is where its tensor is",
        f"grad.to('{place}')",
        rule="autograd.device",
    )


def _returned_by(by: Node | None) -> str:
    """How a refusal begins of what a node has computed, or the user has passed."""
    return "" if by is None else f"Function {by.name()} returned an "


def check_layout(grad: Tensor, leaf: Tensor, by: Node | None, number: int) -> None:
    """Refuse a compressed gradient of a leaf that has another layout. By coordinates it may always be."""
    if not isinstance(grad._array, NonStridedArray) or grad.is_sparse or grad.layout is leaf.layout:
        return
    expected, got = (
        "".join(part.capitalize() for part in t.layout.name.split("_")).removesuffix("Coo") for t in (leaf, grad)
    )
    refuse(
        RuntimeError,
        f"{_returned_by(by)}invalid gradient at index {number} - expected layout {expected} but got {got}",
        "a compressed gradient cannot be added to a tensor of another layout",
        "x.to_sparse_csr()",
        rule="autograd.layout",
    )


def _refuse_size(grad: Tensor, size: tuple[int, ...], by: Node | None, number: int) -> None:
    refuse(
        RuntimeError,
        f"{_returned_by(by)}invalid gradient at index {number} - got {list(grad._array.shape)} but expected "
        f"shape compatible with {list(size)}",
        "a gradient has the size of its tensor, or one that was broadcast from it",
        rule="autograd.size",
    )
