"""`swap_tensors`: two tensors change places: every name of one of them then shows the other's numbers."""

from __future__ import annotations

import gc
import weakref
from typing import Any

from ..engine.errors.reasons import refuse
from ..engine.tensor.tensor import Tensor

_MEMBERS = tuple(name for name in Tensor.__slots__ if name != "__weakref__")
_UNSET: Any = object()


def swap_tensors(t1: Tensor, t2: Tensor) -> None:
    """Swap two tensors: numbers, dtype, gradient, attributes and class. The objects stay where they are.

    >>> import tensorwidgets as torch
    >>> x, y = torch.ones(2), torch.zeros(3)
    >>> other_name = x
    >>> swap_tensors(x, y)
    >>> other_name
    tensor([0., 0., 0.])
    """
    for t in (t1, t2):
        if not isinstance(t, Tensor):
            message = f"'{type(t).__name__}' object has no attribute '_use_count'"
            refuse(AttributeError, message, "only two tensors can be swapped", rule="swap.tensors")
    for name, t in (("t1", t1), ("t2", t2)):
        if weakref.getweakrefcount(t):
            refuse(
                RuntimeError,
                f"Cannot swap {name} because it has weakref associated with it",
                "who refers to it weakly would find another tensor there",
                rule="swap.tensors",
            )
    if _slots(t1) != _slots(t2):
        message = "Cannot swap t1 and t2 if they have different slots"
        refuse(
            RuntimeError,
            message,
            "an object has the slots that its class made, and gets no others",
            rule="swap.tensors",
        )
    for name, t in (("t1", t1), ("t2", t2)):
        _check_views(name, t)
    first, second = _contents(t1), _contents(t2)
    _fill(t1, second)
    _fill(t2, first)


def _check_views(name: str, t: Tensor) -> None:
    """Refuse a tensor that others are views of: they would read another tensor's numbers afterwards."""
    views = [v for v in gc.get_referrers(t) if isinstance(v, Tensor) and v._base is t]
    if not views:
        return
    reason = "views read the memory of this tensor, and it would be another tensor then"
    if len(views) == 1 and not t.requires_grad:
        refuse(
            RuntimeError,
            "It is not possible to get the gradient edge for a Tensor that does not require gradients",
            reason,
            rule="swap.tensors",
        )
    uses = 1 + len(views) + (t.is_leaf and any(v.requires_grad for v in views))
    refuse(
        RuntimeError,
        f"Expected use_count of {name} to be 1 or 2 with an AccumulateGrad node but got {uses} make sure you are not "
        "holding references to the tensor in other places.",
        reason,
        rule="swap.tensors",
    )


def _slots(t: Tensor) -> list[str]:
    """The names that the classes of a user have made slots of."""
    return sorted(
        name
        for c in type(t).__mro__
        if issubclass(c, Tensor) and c is not Tensor
        for name in vars(c).get("__slots__", ())
    )


def _contents(t: Tensor) -> tuple[type, dict[str, Any], dict[str, Any]]:
    """The class of a tensor, its attributes, and what is in its slots."""
    return type(t), dict(t._notes), {name: getattr(t, name, _UNSET) for name in (*_MEMBERS, *_slots(t))}


def _fill(t: Tensor, contents: tuple[type, dict[str, Any], dict[str, Any]]) -> None:
    t.__class__, notes, slots = contents
    t._notes.clear()
    t._notes.update(notes)
    for name, value in slots.items():
        if value is not _UNSET:
            setattr(t, name, value)
        elif hasattr(t, name):
            delattr(t, name)
