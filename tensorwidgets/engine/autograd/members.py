"""What a tensor that requires a gradient answers: `grad_fn`, `is_leaf`, `backward`, hooks."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ..dispatch.kinds import KINDS
from ..tensor.grad_flag import assign_grad
from ..tensor.tensor import Tensor
from .backward import backward_of
from .hooks import on_gradients
from .nodes import more
from .origin import node_of, output_number


def _grad_fn(self: Tensor) -> Any:
    """The node that this tensor is a result of; None for a leaf."""
    return node_of(self)


def _is_leaf(self: Tensor) -> bool:
    """Whether this tensor was not computed by a recorded operation."""
    return node_of(self) is None


def _backward(
    self: Tensor,
    gradient: Tensor | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    inputs: Sequence[Tensor] | None = None,
) -> None:
    """Computes the gradient of this tensor with respect to the leaves of its graph."""
    backward_of(self, gradient, retain_graph, create_graph, inputs)


def _grad(self: Tensor) -> Any:
    """The gradient that `backward` has computed for this tensor; None before."""
    if self._grad is None and not on_gradients.retains(self) and _is_computed(self):
        warnings.warn(
            "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
            "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf "
            "Tensor, use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make "
            "sure you access the leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information.",
            stacklevel=3,
        )
    return self._grad


def _is_computed(t: Tensor) -> bool:
    try:
        return node_of(t) is not None
    except RuntimeError:  # a view that can no longer have a node
        return False


def _register_hook(self: Tensor, hook: Callable) -> Any:
    """Calls a function with the gradient of this tensor each time it is computed."""
    return on_gradients.register(self, hook)


def _register_after(self: Tensor, hook: Callable) -> Any:
    """Calls a function with this leaf after a gradient was added to its `.grad`."""
    return on_gradients.register_after(self, hook)


def _retain_grad(self: Tensor) -> None:
    """Keeps the gradient of this tensor in `.grad` although it is not a leaf."""
    on_gradients.retain(self)


def _hooks(self: Tensor) -> Any:
    found = self._notes.get("_hooks_of_view", self._notes.get("_hooks"))
    node = None if found is not None else node_of(self)
    return found if node is None else more(node).on_results.get(output_number(self))


def _hooks_after(self: Tensor) -> Any:
    return self._notes.get("_hooks_after")


def _delete_grad(self: Tensor) -> None:
    assign_grad(self, None)


_all_hooks: Any = vars(Tensor)["_backward_hooks"]

KINDS["autograd"].members(
    {
        "grad_fn": property(_grad_fn), "is_leaf": property(_is_leaf),
        "backward": _backward, "grad": property(_grad, assign_grad, _delete_grad),
        "register_hook": _register_hook, "register_post_accumulate_grad_hook": _register_after,
        "retain_grad": _retain_grad, "retains_grad": property(on_gradients.retains),
        "output_nr": property(output_number), "_backward_hooks": property(_hooks, _all_hooks.fset, _all_hooks.fdel),
        "_post_accumulate_grad_hooks": property(_hooks_after),
    }
)  # fmt: skip
