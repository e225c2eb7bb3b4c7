"""Hooks: functions that are called with gradients."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ...errors.reasons import refuse
from ...tensor.grad_flag import refuse_transformed
from ...tensor.tensor import Tensor
from ...tensor.thread_state import transforms
from ..nodes import more
from ..origin import Output, node_of, output_number, tracked
from .handles import RemovableHandle


def add(hooks: OrderedDict, hook: Callable) -> RemovableHandle:
    """Add a hook to some others."""
    handle = RemovableHandle(hooks)
    hooks[handle.id] = hook
    return handle


def _without_node(t: Tensor) -> bool:
    """Whether a view never had a node: nobody looks then whether its base was written to."""
    return type(t._origin) is Output and t._origin.node is None and bool(t._origin.made)


def register(t: Tensor, hook: Callable) -> RemovableHandle:
    """``t.register_hook(hook)``."""
    known = t._notes.get("_hooks_of_view")
    if known is not None:
        return add(known, hook)
    first = t._notes.get("_hooks") is None  # PyTorch looks for the node with the first hook
    try:
        node = node_of(t) if first or not _without_node(t) else None
    except RuntimeError:  # a view that has lost its node
        t._notes.setdefault("_hooks", OrderedDict())
        if first:
            raise
        node = None
    if node is None:
        hooks = t._notes.setdefault("_hooks", OrderedDict())
    else:
        hooks = more(node).on_results.setdefault(output_number(t), OrderedDict())
        if t._base is not None:  # later ones go there too, though a write to the base may give the view another node
            t._notes["_hooks_of_view"] = hooks
    return add(hooks, hook)


def register_after(t: Tensor, hook: Callable) -> RemovableHandle:
    """``t.register_post_accumulate_grad_hook(hook)``."""
    if node_of(t) is not None:
        refuse(
            RuntimeError,
            "post accumulate grad hooks cannot be registered on non-leaf tensors",
            "only a leaf accumulates its gradient in .grad",
            "x.register_hook(hook)",
            rule="autograd.hook",
        )
    return add(t._notes.setdefault("_hooks_after", OrderedDict()), hook)


def retain(t: Tensor) -> None:
    """``t.retain_grad()``: keep the gradient of a tensor that is not a leaf."""
    if transforms.under_way:
        refuse_transformed("retain_grad")
    node = None if _without_node(t) else node_of(t)
    if node is None or "_retains" in t._notes:
        return
    t._notes["_retains"] = True
    more(node).retained[output_number(t)] = weakref.ref(t)


def retains(t: Tensor) -> bool:
    """Whether a tensor that is not a leaf keeps its gradient."""
    return tracked(t) and "_retains" in t._notes


def run_on_tensor(hooks: OrderedDict, grad: Any) -> Any:
    """Call the hooks of a tensor one after the other; each may replace the gradient."""
    for hook in list(hooks.values()):
        result = hook(grad)
        if result is not None:
            _check_replacement(grad, result, hook)
            grad = result
    return grad


def _check_replacement(before: Any, after: Any, hook: Callable) -> None:
    if not isinstance(before, Tensor):
        refuse(
            RuntimeError,
            "can't replace a None gradient with a non-None value",
            "nothing is computed from this gradient, or it is zero everywhere",
            rule="autograd.hook",
        )
    if not isinstance(after, Tensor):
        refuse(
            TypeError,
            f"expected Variable, but hook returned '{type(after).__name__}'",
            "a hook returns a tensor that replaces the gradient, or None",
            rule="autograd.hook",
        )
    if before._dtype is not after._dtype or (before._keys | after._keys) and before.type() != after.type():
        refuse(
            RuntimeError,
            f"hook '{name_of(hook)}' has changed the type of value (was {_type_name(before)} got {_type_name(after)})",
            "a gradient has the dtype and the layout of its tensor",
            rule="autograd.hook",
        )
    if before._array.shape != after._array.shape:
        refuse(
            RuntimeError,
            f"hook '{name_of(hook)}' has changed the size of value",
            "a gradient has the size of its tensor",
            rule="autograd.hook",
        )


def _type_name(t: Tensor) -> str:
    """The type of a tensor in C++, as messages of hooks have it."""
    name = t._dtype._type_name
    if t.is_meta:
        return f"Meta{name}Type"
    return f"CPU{name}Type" if t._dtype.is_complex and not t.is_sparse else t.type()


def name_of(hook: Callable) -> str:
    """What a message calls a hook: an object that can be called has no name."""
    return str(getattr(hook, "__name__", "<unknown>"))


def replaced(hook: Callable, before: tuple, after: Any) -> list:
    """What a hook of a node returned, in place of some gradients."""
    if not isinstance(after, tuple):
        refuse(
            TypeError,
            f"expected tuple, but hook returned '{type(after).__name__}'",
            "a hook of a node returns a tuple of gradients, or None",
            "return (grad,)",
            rule="autograd.hook",
        )
    if len(after) != len(before):
        refuse(
            RuntimeError,
            f"hook '{name_of(hook)}' has returned an incorrect number of values (got {len(after)}, but expected "
            f"{len(before)})",
            "a hook of a node returns as many gradients as it gets",
            rule="autograd.hook",
        )
    for old, new in zip(before, after, strict=True):
        if new is not None and new is not old:
            _check_replacement(old, new, hook)
    return list(after)


def run_after(hook: Callable, leaf: Tensor) -> None:
    """Call a hook of a leaf whose gradient has been added."""
    result = hook(leaf)
    if result is not None and result is not leaf:
        _check_replacement(leaf, result, hook)
        refuse(
            RuntimeError,
            "Tensor post accumulate grad hooks should return None.",
            "the gradient has been added already; the hook may change x.grad",
            rule="autograd.hook",
        )
