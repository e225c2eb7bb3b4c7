"""`once_differentiable`: a backward without a derivative of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ...errors.reasons import refuse
from ...tensor.grad_flag import can_require
from ...tensor.grad_mode import grad_enabled, no_grad
from ...tensor.tensor import Tensor
from ..nodes import Node, note_devices
from ..origin import Output, set_origin, tracked


def once_differentiable(backward: Callable) -> Callable:
    """Marks a `backward` whose own derivative does not exist: a second order is refused."""

    @wraps(backward)
    def call(ctx: Any, *grads: Any) -> Any:
        given_grads = grads[0] if len(grads) == 1 and type(grads[0]) is list else grads
        needed = grad_enabled() and any([isinstance(g, Tensor) and tracked(g) for g in given_grads])
        with no_grad():
            results = backward(ctx, *grads)
        if not needed:
            return results
        given = results if isinstance(results, tuple) else (results,)
        final = _refusing(given)
        return final if isinstance(results, tuple) else final[0]

    return call


class OnceNode(Node):
    """Refuses a second derivative."""

    __slots__ = ()

    def apply(self, grads: tuple) -> Any:
        refuse(
            RuntimeError,
            "trying to differentiate twice a function that was marked with @once_differentiable",
            "this backward was written in operations that are not recorded",
            rule="function.once",
        )


OnceNode.__name__ = OnceNode.__qualname__ = "Error"


def _refusing(gradients: tuple) -> tuple:
    """Gradients as results of one node that goes no further than to leaves of their own."""
    leaves = [g.detach() if isinstance(g, Tensor) else None for g in gradients]
    edges = tuple([None if t is None or not can_require(t) else t for t in leaves])
    for leaf in edges:
        if leaf is not None:
            leaf.requires_grad = True
    sizes: Any = tuple([None if t is None else t._array.shape for t in leaves])
    dtypes: Any = tuple([None if t is None else t._dtype for t in leaves])
    node = OnceNode(edges, sizes, dtypes)
    note_devices(node, edges)
    results: list[Any] = list(gradients)
    for number, t in enumerate(edges):
        if t is not None:
            results[number] = t.detach()
            set_origin(results[number], Output(node, number) if number else node)
    return tuple(results)
