"""A call of a function that `torch.func` transforms: with tensors of its own, which stand for the arguments."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from ...calling.for_users import call_users
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.grad_flag import start
from ...tensor.grad_mode import enable_grad, grad_enabled, inference_enabled, inference_mode
from ...tensor.keys import KEY_CLASS, KEY_INFERENCE
from ...tensor.tensor import Tensor
from ...tensor.thread_state import transforms
from ..nodes import Node, inputs_of, next_number
from ..origin import edge_of, node_of, tracked
from .trees import leaves, mapped, refilled

_past: weakref.WeakKeyDictionary[Node, Any] = weakref.WeakKeyDictionary()
"""The nodes of tensors that stood for others in calls that are over, and the edges of these."""


@contextmanager
def always_recorded() -> Iterator[None]:
    """Record calls, in inference mode too."""
    with inference_mode(False) if inference_enabled() else enable_grad():
        yield


@contextmanager
def _transforming() -> Iterator[None]:
    before = transforms.under_way
    transforms.under_way = True
    try:
        yield
    finally:
        transforms.under_way = before


class TransformedCall:
    """A function called with tensors of our own in the place of some arguments; `single` if one was asked for alone."""

    def __init__(self, func: Callable, args: tuple, kwargs: dict, chosen: tuple[int, ...], single: bool = False):
        self.single = single
        self.recorded = grad_enabled()
        self.began = next_number()
        with always_recorded(), _transforming():
            given = [without_classes(saveable(value)) for value in args]
            self.fresh: set[int] = set()
            self.aliases: dict[int, Any] = {}
            """The nodes of our tensors that stand for tensors in a graph, by number, and the edges of these."""
            self.past: dict[Node, Any] = {}
            inputs: list[Tensor] = []
            for number in chosen:
                given[number] = mapped(self._input, given[number])
                inputs += leaves(given[number])
            self.inputs = tuple(inputs)
            self.primals = tuple([args[number] for number in chosen])
            self.output = call_users(func, *given, **saveable(kwargs))

    def _input(self, t: Tensor | float) -> Tensor:
        if not isinstance(t, Tensor):
            refuse(
                ValueError,
                f"Thing passed to transform API must be Tensor, got {type(t)}",
                "a derivative is taken with respect to a tensor",
                f"torch.tensor({t!r})" if isinstance(t, (int, float)) else "",
                rule="func.type",
            )
        if tracked(t):
            inner: Tensor = t.view_as(t)
            node: Any = node_of(inner)
            self.aliases[node.number] = self.past[node] = edge_of(t)
            return inner
        own = t.detach()
        own._keys &= ~KEY_INFERENCE  # what stands for a tensor is none of inference mode
        start(own)
        self.fresh.add(id(own))
        return own

    def tidy(self, results: Iterable[Any], since: int) -> None:
        """Let the nodes made `since` lead to the arguments themselves, and nowhere where that is to our own tensors."""
        if since == self.began:
            _past.update(self.past)
        whole: dict[int, bool] = {}
        stack = [node_of(t) for t in results if isinstance(t, Tensor) and tracked(t)]
        while stack:
            node = stack.pop()
            if node is None or node.number <= since or whole.get(node.number):
                continue
            if node.number not in whole:
                whole[node.number] = False
                stack += [node, *inputs_of(node)]
                continue
            whole[node.number] = True
            node.edges = tuple([self._edge(edge, since) for edge in node.edges])

    def _edge(self, edge: Any, since: int) -> Any:
        if edge is None or isinstance(edge, Tensor):
            return None if id(edge) in self.fresh else edge
        node = edge[0] if type(edge) is tuple else edge
        past = self.aliases.get(node.number, _past.get(node, edge))
        if past is not edge:
            return self._edge(past, since)
        if node.number > since:
            return edge if any(inner is not None for inner in node.edges) else None
        return edge if node.number <= self.began or self._reaches_others_from(edge) else None

    def in_form(self, found: tuple) -> Any:
        """Gradients in the form of the arguments, zeros for None."""
        whole = [torch.zeros_like(t) if g is None else self.kept(g) for g, t in zip(found, self.inputs, strict=True)]
        result = refilled(self.primals, whole)
        return result[0] if self.single else result

    def kept(self, t: Tensor) -> Any:
        """A tensor with its graph if it depends on more than our own tensors, and without it otherwise."""
        if not isinstance(t, Tensor) or not tracked(t):
            return t
        if self.recorded and self._reaches_others(t):
            return t
        base = None if t._base is None else t._base.detach()  # older than its view
        result = t.detach()
        if base is not None:
            result._base = base  # a view is one without a graph too
        return result

    def _reaches_others(self, t: Tensor) -> bool:
        """Whether the graph of a tensor has a leaf that is not one of ours."""
        return self._reaches_others_from(edge_of(t))

    def _reaches_others_from(self, edge: Any) -> bool:
        seen: set[int] = set()
        stack = [edge]
        while stack:
            edge = stack.pop()
            if isinstance(edge, Tensor):
                if id(edge) not in self.fresh:
                    return True
                continue
            node: Node = edge[0] if type(edge) is tuple else edge
            if node is not None and node.number not in seen:
                seen.add(node.number)
                stack += node.edges
        return False


def saveable(value: Any) -> Any:
    """Arguments with copies of those tensors that were made in inference mode, so that the call can save them."""
    return mapped(lambda t: t.clone() if isinstance(t, Tensor) and t.is_inference() else t, value)


def without_classes(value: Any) -> Any:
    """Arguments with plain tensors in the place of those of a user's class: a transform knows no classes."""
    return mapped(lambda t: t.as_subclass(Tensor) if isinstance(t, Tensor) and t._keys & KEY_CLASS else t, value)
