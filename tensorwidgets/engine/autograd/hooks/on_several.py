"""`register_multi_grad_hook`: one hook on the gradients of several tensors."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Sequence

from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types.class_paths import ShownByPath
from ..nodes import accumulator_of, edge_to
from ..origin import edge_of
from ..passes.running import under_way


class _MultiHandle(ShownByPath):
    """Removes the hooks of several tensors."""

    def __init__(self, handles: tuple):
        self.handles = handles

    def remove(self) -> None:
        """Take the hook away."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _MultiHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable, *, mode: str = "all") -> _MultiHandle:
    """Calls a function once in a backward pass, with the gradients of several tensors.

    With ``mode="all"`` it is called when the last of these gradients is there, with a list that has None for tensors
    that get none. With ``mode="any"`` it is called with the first of them.

    >>> import tensorwidgets as torch
    >>> a = torch.tensor(2.0, requires_grad=True)
    >>> b = torch.tensor(3.0, requires_grad=True)
    >>> handle = register_multi_grad_hook((a, b), print)
    >>> (a * b).backward()
    [tensor(3.), tensor(2.)]
    """
    if mode not in ("all", "any"):
        refuse(
            ValueError,
            f"Expects mode to be one of ('all', 'any') but got {mode}",
            "the hook is called with all gradients, or with any one of them",
            rule="autograd.hook",
        )
    if mode == "any":
        once: weakref.WeakSet = weakref.WeakSet()

        def first(grad: Tensor) -> None:
            if under_way.passes[-1] not in once:
                once.add(under_way.passes[-1])
                fn(grad)

        return _MultiHandle(tuple([t.register_hook(first) for t in tensors if t.requires_grad]))
    if not all(t.requires_grad for t in tensors):
        refuse(
            AssertionError,
            "Expected gradient function to be set",
            "a tensor that requires no gradient gets none",
            "x.requires_grad_()",
            rule="autograd.hook",
        )
    edges = [edge_of(t) for t in tensors]
    if None in edges:
        refuse(
            AssertionError,
            "Expected gradient function to be set",
            "a view that was made in inference mode has no place in the graph",
            rule="autograd.none",
        )
    kept = [accumulator_of(edge) if isinstance(edge, Tensor) else edge for edge in edges]
    waiting: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()

    def hook_of(number: int) -> Callable:
        def arrived(grad: Tensor) -> None:
            now = under_way.passes[-1]
            if now not in waiting:
                waiting[now] = [sum(now.computes(edge_to(node)) for node in kept), [None] * len(kept)]
            state = waiting[now]
            state[0] -= 1
            state[1][number] = grad
            if state[0] == 0:
                del waiting[now]
                fn(state[1])

        return arrived

    return _MultiHandle(tuple([t.register_hook(hook_of(number)) for number, t in enumerate(tensors)]))


__all__ = ["register_multi_grad_hook"]
