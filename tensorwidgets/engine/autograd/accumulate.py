"""Adding gradients to the leaves."""

from __future__ import annotations

import os
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from ..backends.numpy.without_warnings import quietly, run
from ..dispatch.kinds import NonStridedArray
from ..geometry import is_contiguous, is_non_overlapping_and_dense
from ..memory.references import references_to
from ..tensor.grad_mode import grad_enabled
from ..tensor.keys import KEY_AUTOGRAD, KEY_CONJ
from ..tensor.lookups import size_and_stride
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state as this_thread
from ..tensor.wrapping import alias_of, empty_array, wrap
from ..types import formats
from ..types.dtypes import float32, float64
from . import leaf_sizes
from .hooks.on_gradients import replaced, run_after, run_on_tensor
from .saved import bare

if TYPE_CHECKING:
    from ..types.dtypes import dtype

_lock = threading.RLock()
"""Held while a gradient is added to a leaf: several threads may run backward at once."""


def _in_a_child() -> None:
    """A thread of the parent that held the lock does not exist in a process that was forked."""
    global _lock
    _lock = threading.RLock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_a_child)

ALONE = 3
"""The references to a gradient in `add_to_leaf` if only its leaf has it: from there, the local name, the question."""


def add_to_leaf(leaf: Tensor, grad: Tensor | None, fresh: bool) -> None:
    """Add a gradient to a leaf's `.grad`. A `fresh` one, to which nobody else refers, is taken as it is."""
    accumulator = leaf._notes.get("_accumulator")
    if accumulator is not None:
        accumulator = _accumulator(leaf)
        leaf = leaf_sizes.leaf_behind(leaf)
    if grad is None:
        _run_hooks_alone(leaf, accumulator)
        return
    state = leaf._notes
    hooks = state.get("_hooks")
    if hooks:
        references = references_to(grad)
        hooked = run_on_tensor(hooks, grad)
        kept = references_to(hooked) > (references + 1 if hooked is grad else 2)
        fresh = not kept and (fresh or hooked is not grad)
        grad = hooked
    if accumulator is not None and accumulator.extra is not None:
        for before in list(accumulator.extra.before.values()):
            new = before((grad,))
            if new is not None:
                grad = replaced(before, (grad,), new)[0]
                new = None
                fresh = references_to(grad) == 2
        if grad is None:
            return
    with _lock:
        old = state.get("_grad")
        if not leaf._keys & KEY_AUTOGRAD:
            pass  # it requires no gradient any longer, but its hooks are run
        elif old is None:
            state["_grad"] = _kept(leaf, grad, fresh)
        elif old._keys and old.is_sparse and not grad.is_sparse:
            state["_grad"] = grad + old
        elif grad_enabled():
            state["_grad"] = old + grad
        elif old._array is grad._array:
            state["_grad"] = old + grad
        elif references_to(old) == ALONE and _simple(old) and _simple(grad) and old._array.shape == grad._array.shape:
            quietly(np.add, old._array, grad._array, old._array)
            old._writes += 1  # no graph has saved it, so none is notified
        else:
            old += grad
    after_all = state.get("_hooks_after")
    if after_all:
        for hook in list(after_all.values()):
            run_after(hook, leaf)
    if accumulator is not None and accumulator.extra is not None:
        for after in list(accumulator.extra.after.values()):
            new = after((), (grad,))
            if new is not None:
                replaced(after, (), new)


def add_directly(leaf: Tensor, grad: Tensor | None) -> None:
    """What the node of a leaf does where it is called itself: of the hooks, only those after the sum are run."""
    state = leaf._notes
    hidden: dict[str, Any] = {name: state.pop(name) for name in ("_hooks", "_accumulator") if name in state}
    try:
        if grad is None:
            _run_hooks_alone(leaf, None)
        else:
            add_to_leaf(leaf, grad, False)
    finally:
        state.update(hidden)


def _run_hooks_alone(leaf: Tensor, accumulator: Any) -> None:
    """Call the hooks of a leaf that backward has reached without a gradient."""
    state = leaf._notes
    hooks, after_all = state.get("_hooks"), state.get("_hooks_after")
    if hooks:
        run_on_tensor(hooks, None)
    extra = None if accumulator is None else accumulator.extra
    if extra is not None:
        for before in list(extra.before.values()):
            new = before((None,))
            if new is not None:
                replaced(before, (None,), new)
    for hook in list((after_all or {}).values()):
        run_after(hook, leaf)
    if extra is not None:
        for after in list(extra.after.values()):
            new = after((), (None,))
            if new is not None:
                replaced(after, (), new)


def add_array_to_leaf(leaf: Tensor, grad: np.ndarray, d: dtype, writes: int) -> bool:
    """Add an array to a leaf's `.grad` if nothing is unusual in any way; whether it did.

    A first gradient, to which only its entry and this call refer, becomes `.grad` as it is.
    """
    state = leaf._notes
    if "_hooks" in state or "_hooks_after" in state or "_accumulator" in state or not leaf._keys & KEY_AUTOGRAD:
        return False
    old = state.get("_grad")
    if old is None:
        own, base = leaf._array, grad.base
        if references_to(grad) != ALONE or not grad.flags.c_contiguous:
            return False
        size, strides = grad.shape, grad.strides
        if base is not None:
            if type(base) is not np.ndarray or base.base is not None:
                return False
            if base.shape != size or base.strides != strides:  # as that of x.t() is where x is square
                return False
            if references_to(base) != ALONE:  # the local name, the view, the question
                return False
            grad = base
        if type(own) is not np.ndarray or own.shape != size or own.strides != strides:
            return False
        first = wrap(grad, d)
        if writes:
            first._notes.update(_writes=writes, _counted=True)
        with _lock:
            if state.get("_grad") is not None:
                return False
            state["_grad"] = first
        return True
    array = old._array
    if type(old) is not Tensor or old._keys or old._base is not None or old._counter is not None or old._dtype is not d:
        return False
    if array is grad or array.shape != grad.shape or not array.flags.forc:
        return False
    with _lock:
        if references_to(old) != ALONE:
            return False
        try:
            run(np.add, array, grad, array)
        except RuntimeError:
            quietly(np.add, array, grad, array)
        old._writes += 1  # no graph has saved it, so none is notified
    return True


def _simple(grad: Tensor) -> bool:
    """Whether a gradient is a plain tensor in memory of its own, to which NumPy may add as it is."""
    return (
        type(grad) is Tensor
        and grad._dtype in (float32, float64)
        and grad._base is None
        and grad._counter is None
        and not grad._keys
        and grad._array.flags.forc
    )


def _accumulator(leaf: Tensor) -> Any:
    kept = leaf._notes.get("_accumulator")
    if kept is None:
        return None
    return kept() if callable(kept) and not hasattr(kept, "variable") else kept


def _kept(leaf: Tensor, grad: Tensor, fresh: bool) -> Tensor:
    """The first gradient of a leaf: itself if it is fresh and laid out as the leaf, otherwise a copy that is."""
    if isinstance(grad._array, NonStridedArray):
        return _kept_parts(grad, fresh)
    if isinstance(leaf._array, NonStridedArray):
        return grad.clone()
    if grad._array.shape != leaf._array.shape:  # the leaf was given other data
        if fresh and not grad_enabled() and leaf_sizes.laid_out_alike(grad, leaf):
            return bare(grad) if grad._keys & KEY_AUTOGRAD else grad
        size, stride = size_and_stride(leaf)
        dense = is_non_overlapping_and_dense(size, stride)
        return laid_out(grad, size, stride) if dense else grad.clone(memory_format=formats.contiguous_format)
    if fresh and _simple(grad) and not grad_enabled():
        if grad._array.strides == leaf._array.strides:
            return grad
    size, stride = size_and_stride(leaf)
    dense = is_non_overlapping_and_dense(size, stride)
    own = size_and_stride(grad)[1]
    if dense:
        alike = own == stride or all(a == b or n == 1 and a for n, a, b in zip(size, own, stride, strict=True))
    else:  # no layout that a gradient could have
        alike = is_contiguous(size, own)
    if fresh and (alike or not this_thread.as_laid_out) and not grad_enabled():
        if grad._base is not None and not grad._keys & ~(KEY_AUTOGRAD | KEY_CONJ):  # as that of x.t() is
            return alias_of(grad, share_version=True)
        if grad._base is None:
            return bare(grad) if grad._keys & KEY_AUTOGRAD else grad
    return laid_out(grad, size, stride) if dense else grad.clone(memory_format=formats.contiguous_format)


def _kept_parts(grad: Tensor, fresh: bool) -> Tensor:
    """The first gradient of a leaf if it is sparse: a copy, or other coordinates and values of a fresh one."""
    parts: Any = grad
    if not parts.is_sparse and not parts.is_sparse_csr:
        parts.is_contiguous()  # which refuses, as PyTorch's accumulator does
    if not parts.is_sparse or not fresh or grad_enabled():
        return grad.clone()
    indices, values = parts._indices(), parts._values()
    if not indices.is_contiguous() or not values.is_contiguous():
        return grad.clone()
    from ..derivatives.ops import torch

    return torch.sparse_coo_tensor(indices, values, tuple(grad.shape))  # type: ignore[no-any-return]


def laid_out(grad: Tensor, size: tuple[int, ...], stride: tuple[int, ...]) -> Tensor:
    """A copy of a gradient with given strides."""
    plain = type(grad) is Tensor and grad._dtype in (float32, float64) and not grad._keys and not grad_enabled()
    if plain and grad._array.shape == size:
        array = empty_array(size, stride, grad._dtype)
        np.copyto(array, grad._array)
        copied = wrap(array, grad._dtype)
        copied._writes = 1  # as after `copy_`
        return copied
    from ..derivatives.ops import torch

    result: Tensor = torch.empty_strided(size, stride, dtype=grad._dtype, device=grad.device)
    return result.copy_(grad)


def referred_to_elsewhere(grad: Tensor, known: int) -> bool:
    """Whether more than `known` references to a gradient or its array exist."""
    of_array = 2 if grad._storage is None else 3  # its own storage refers to the array as well
    if grad._keys & KEY_CONJ and grad._base is not None and references_to(grad._base) == 2:
        of_array += grad._base._array is grad._array  # conj() is a view by the same array
    return references_to(grad) > known or references_to(grad._array) > of_array
