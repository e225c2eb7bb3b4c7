"""The backward pass: from the newest node to the oldest, each with the sum of the gradients of its results.

Nodes are numbered as they are made, so an input is always older than what was made of it, and the order is a sort by
number. Nothing is recursive: a chain of 200,000 nodes needs no deeper stack than a chain of two.
"""

from __future__ import annotations

import heapq
import sys
import threading
from typing import Any

from ..dispatch.kinds import NonStridedArray
from ..errors.reasons import refuse
from ..tensor.grad_mode import enable_grad, grad_enabled, no_grad
from ..tensor.passed import hide_again, shown_again
from ..tensor.tensor import KEY_AUTOGRAD, Tensor
from ..types.dtypes import COMPLEX
from . import anomaly
from .accumulate import add_to_leaf, referred_to_elsewhere
from .hooks import replaced, run_on_tensor
from .nodes import Node, count_of, inputs_of, metadata_of
from .saved import bare

Edge = Any
"""A leaf, a node, or a pair of a node and the number of its result."""


def run(
    roots: list[tuple[Edge, Tensor]],
    retain: bool,
    create: bool,
    wanted: list[Edge] | None = None,
    accumulate: bool = True,
) -> list[Tensor | None]:
    """Send gradients back from the roots.

    With `wanted` edges, only what leads to these is computed, and their gradients are returned; `accumulate` adds
    them to `.grad` of the leaves instead.
    """
    this = _Pass(retain, create, wanted, accumulate)
    before, outer = shown_again(KEY_AUTOGRAD), under_way.passes
    under_way.passes = (*outer, this)
    try:
        with enable_grad() if create else no_grad():
            return this.run(roots)
    finally:
        under_way.passes = outer
        hide_again(before)


class _UnderWay(threading.local):
    """The backward passes of this thread, the innermost last: a backward function may start another one."""

    passes: tuple[_Pass, ...] = ()


under_way = _UnderWay()


class _Pass:
    """One backward pass."""

    def __init__(self, retain: bool, create: bool, wanted: list[Edge] | None, accumulate: bool):
        self.retain, self.create, self.accumulate = retain, create, accumulate
        self.wanted = wanted
        self.pending: dict[int, tuple[Node, list]] = {}
        self.heap: list[int] = []
        self.leaves: dict[int, list] = {}
        """For each leaf: the leaf, the sum so far, how many parts are still to come, whether the sum is fresh."""
        self.seen: dict[int, Node] = {}
        """All nodes behind the roots, by number."""
        self.needed: set[int] | None = None
        self.captured: dict[tuple[int, int], Tensor | None] = {}

    def run(self, roots: list[tuple[Edge, Tensor]]) -> list[Tensor | None]:
        self._look_ahead([edge for edge, _ in roots])
        for edge, grad in roots:
            self._send(edge, grad, None, 0)
        pending, heap = self.pending, self.heap
        plain = self.wanted is None and not self.create and not anomaly.enabled()
        while heap:
            node, grads = pending.pop(-heapq.heappop(heap))
            if plain and node.extra is None and grads[0] is not None and type(node.dtype) is not tuple:
                self._simple_step(node, grads)
            else:
                self._step(node, grads)
        return [self.captured.get(_key(edge)) for edge in self.wanted or ()]

    # -- before ---------------------------------------------------------------------------------------------------

    def _look_ahead(self, roots: list[Edge]) -> None:
        """Count the parts that each leaf will get, and find the nodes that lead to what is wanted."""
        seen = self.seen
        stack: list[Node] = []
        leaves = self.leaves
        for edge in roots:
            if isinstance(edge, Tensor):
                leaves.setdefault(id(edge), [edge, None, 0, False])[2] += 1
            else:
                stack.append(edge[0] if type(edge) is tuple else edge)
        while stack:
            node = stack.pop()
            if node.number in seen:
                continue
            seen[node.number] = node
            for edge in node.edges:
                if edge is None:
                    continue
                if isinstance(edge, Tensor):
                    entry = leaves.get(id(edge))
                    if entry is None:
                        entry = leaves[id(edge)] = [edge, None, 0, False]
                    entry[2] += 1
                else:
                    stack.append(edge[0] if type(edge) is tuple else edge)
        if self.wanted is not None:
            self._find_needed(seen)

    def _find_needed(self, seen: dict[int, Node]) -> None:
        wanted = self.wanted or []
        leaves = {id(edge) for edge in wanted if isinstance(edge, Tensor)}
        others = [e for e in wanted if e is not None and not isinstance(e, Tensor)]
        nodes = {(e[0] if type(e) is tuple else e).number for e in others}
        self.wanted_nodes = nodes
        self.wanted_leaves = leaves
        needed: set[int] = set()
        for number in sorted(seen):
            node = seen[number]
            if any(id(e) in leaves for e in node.edges if isinstance(e, Tensor)) or any(
                n.number in needed or n.number in nodes for n in inputs_of(node)
            ):
                needed.add(number)
        self.needed = needed
        for key in list(self.leaves):
            if key not in leaves:
                del self.leaves[key]

    def computes(self, edge: Edge) -> bool:
        """Whether a gradient arrives at an edge in this pass."""
        if isinstance(edge, Tensor):
            if self.wanted is None:
                return any(edge is e for node in self.seen.values() for e in node.edges)
            if not self.accumulate:
                refuse(
                    RuntimeError,
                    "A leaf node was passed to _will_engine_execute_node but we are currently running autograd.grad(). "
                    "This is currently not supported.",
                    "autograd.grad returns gradients and adds nothing to a leaf",
                    "loss.backward(inputs=...)",
                    rule="autograd.hook",
                )
            return id(edge) in self.wanted_leaves
        number = (edge[0] if type(edge) is tuple else edge).number
        return number in self.seen if self.needed is None else number in self.needed or number in self.wanted_nodes

    # -- on the way ------------------------------------------------------------------------------------------------

    def _send(self, edge: Edge, grad: Tensor | None, by: Node | None, number_by: int) -> None:
        """Give a gradient to what it is for."""
        if isinstance(edge, Tensor):
            entry = self.leaves.get(id(edge))
            if entry is not None:
                self._to_leaf(entry, grad, by, number_by)
            return
        node, number = edge if type(edge) is tuple else (edge, 0)
        if self.needed is not None and node.number not in self.needed and node.number not in self.wanted_nodes:
            return
        waiting = self.pending.get(node.number)
        if waiting is None:
            waiting = self.pending[node.number] = (node, [None] * count_of(node))
            heapq.heappush(self.heap, -node.number)
        if grad is None:
            return
        grad = fitted(grad, *metadata_of(node, number), by, number_by)
        add_part(waiting[1], number, grad)

    def _simple_step(self, node: Node, grads: list) -> None:
        """A step without hooks, of a node with one result; what needs to be fitted goes the general way."""
        results = list(node.apply(tuple(grads)))
        del grads[:]
        if not self.retain:
            node.release()
        edges = node.edges
        if len(results) != len(edges):
            _refuse_count(node, len(edges), len(results))
        pending, leaves = self.pending, self.leaves
        for place, edge in enumerate(edges):
            if edge is None:
                continue
            grad = results[place]
            results[place] = None
            if grad is None or type(edge) is tuple:
                self._send(edge, grad, node, place)
            elif isinstance(edge, Node):
                if grad._array.shape != edge.size or grad._dtype is not edge.dtype:
                    self._send(edge, grad, node, place)
                    continue
                number = edge.number
                entry = pending.get(number)
                if entry is None:
                    pending[number] = (edge, [grad])
                    heapq.heappush(self.heap, -number)
                else:
                    add_part(entry[1], 0, grad)
            else:
                self._to_leaf(leaves[id(edge)], grad, node, place, 5)

    def _to_leaf(self, entry: list, grad: Tensor | None, by: Node | None, number_by: int, known: int = 6) -> None:
        """Give a gradient to a leaf. `known` references to it are those of the calls on the way here."""
        leaf, parts, fresh = entry[0], entry[2], entry[3]  # and no name for the sum, which add_part wants alone
        if grad is not None:
            whole = grad
            if grad._array.shape != leaf._array.shape or grad._dtype is not leaf._dtype:
                whole = fitted(grad, leaf._array.shape, leaf._dtype, by, number_by)
            if whole._keys:
                check_layout(whole, leaf, by, number_by)
            alone = by is not None and not referred_to_elsewhere(grad, known)
            fresh = entry[1] is not None or whole is not grad or alone
            add_part(entry, 1, whole)
            entry[3] = fresh
        entry[2] = parts - 1
        if entry[2]:
            return
        del self.leaves[id(leaf)]
        if self.wanted is not None:
            result = entry[1]
            hooks = leaf.__dict__.get("_hooks")
            if result is not None and hooks:
                result = run_on_tensor(hooks, result)
            if self.accumulate:
                add_to_leaf_without_hooks(leaf, result, entry[3])
            else:
                self.captured[id(leaf), 0] = result
            return
        add_to_leaf(leaf, entry[1], entry[3])

    def _step(self, node: Node, grads: list) -> None:
        extra = node.extra
        if extra is not None:
            for number, hooks in extra.on_results.items():
                grads[number] = run_on_tensor(hooks, grads[number])
            for number, reference in extra.retained.items():
                t = reference()
                if t is not None and grads[number] is not None:
                    _retain(t, grads[number])
        if self.wanted is not None and node.number in self.wanted_nodes:
            for number, grad in enumerate(grads):
                self.captured[id(node), number] = grad
            assert self.needed is not None
            if node.number not in self.needed:
                return
        if extra is not None:
            for before in list(extra.before.values()):
                new = before(tuple(grads))
                if new is not None:
                    grads = replaced(before, tuple(grads), new)
        if all(g is None for g in grads) and not node.takes_undefined:
            results: Any = (None,) * len(node.edges)
        else:
            results = self._applied(node, tuple(grads))
        if extra is not None:
            for after in list(extra.after.values()):
                new = after(tuple(results), tuple(grads))
                if new is not None:
                    results = replaced(after, tuple(results), new)
        if not self.retain:
            node.release()
        edges = node.edges
        if len(results) != len(edges):
            _refuse_count(node, len(edges), len(results))
        results = list(results)
        for place in range(len(edges)):
            edge = edges[place]
            if edge is not None:
                grad = results[place]
                results[place] = None
                self._send(edge, grad, node, place)

    def _applied(self, node: Node, grads: tuple) -> Any:
        if not anomaly.enabled():
            return node.apply(grads)
        try:
            results = node.apply(grads)
        except Exception:
            anomaly.show_trace(node)
            raise
        if anomaly.checks_nan():
            anomaly.check_nan(node, results)
        return results


def add_to_leaf_without_hooks(leaf: Tensor, grad: Tensor | None, fresh: bool) -> None:
    """Add a gradient whose hooks have run."""
    hooks = leaf.__dict__.pop("_hooks", None)
    try:
        add_to_leaf(leaf, grad, fresh)
    finally:
        if hooks is not None:
            leaf.__dict__["_hooks"] = hooks


def add_part(place: list, number: int, grad: Tensor) -> None:
    """Add a gradient to the sum in one place of a list: in its own memory if nobody else refers to the sum."""
    old = place[number]
    if old is None:
        if grad.__dict__.get("_writes") and grad._base is None and not grad._keys and "_counted" not in grad.__dict__:
            grad = bare(grad)  # what the formula wrote into it does not count
        place[number] = grad
        return
    if (
        sys.getrefcount(old) == ALONE
        and sys.getrefcount(old._array) == 2
        and old._base is None
        and not old._keys | grad._keys
        and not grad_enabled()
        and old._dtype is grad._dtype
        and old._array.flags.forc
    ):
        old.add_(grad)
        return
    place[number] = grad + old if old._keys and old.is_sparse else old + grad


ALONE = 3
"""The references to a sum in `add_part` if only its list refers to it: the list, the local name, the question."""


def _retain(t: Tensor, grad: Tensor) -> None:
    """Add to the `.grad` of a tensor that is no leaf."""
    old = t.__dict__.get("_grad")
    t.__dict__["_grad"] = grad.clone() if old is None else old + grad


def _key(edge: Edge) -> tuple[int, int]:
    if isinstance(edge, Tensor):
        return id(edge), 0
    return (id(edge[0]), edge[1]) if type(edge) is tuple else (id(edge), 0)


def fitted(grad: Any, size: tuple[int, ...], dtype: Any, by: Node | None, number: int) -> Any:
    """A gradient as what it is for needs it: summed over what was broadcast, and of the same dtype."""
    if not isinstance(grad, Tensor):
        return grad
    if grad._array.shape != size:
        from ..errors.reasons import Reason
        from ..geometry import broadcast

        outcome = broadcast(tuple(grad._array.shape), tuple(size))
        if isinstance(outcome, Reason) or tuple(outcome) != tuple(grad._array.shape):
            _refuse_size(grad, size, by, number)
        grad = grad.sum() if grad.is_sparse and not size else grad.sum_to_size(tuple(size))
    if grad._dtype is not dtype:
        if grad._dtype._kind == COMPLEX and dtype._kind != COMPLEX:
            from ..derivatives.ops import torch

            grad = torch.real(grad)
        if grad._dtype is not dtype:
            grad = grad.to(dtype)
    return grad


def check_layout(grad: Tensor, leaf: Tensor, by: Node | None, number: int) -> None:
    """Refuse a compressed gradient of a leaf that has another layout. By coordinates it may always be."""
    if not isinstance(grad._array, NonStridedArray) or grad.is_sparse or grad.layout is leaf.layout:
        return
    expected, got = (
        "".join(part.capitalize() for part in t.layout.name.split("_")).removesuffix("Coo") for t in (leaf, grad)
    )
    refuse(
        RuntimeError,
        f"Function {by.name() if by is not None else 'Function'} returned an invalid gradient at index {number} - "
        f"expected layout {expected} but got {got}",
        "a compressed gradient cannot be added to a tensor of another layout",
        "x.to_sparse_csr()",
        rule="autograd.layout",
    )


def _refuse_size(grad: Tensor, size: tuple[int, ...], by: Node | None, number: int) -> None:
    name = by.name() if by is not None else "Function"
    refuse(
        RuntimeError,
        f"Function {name} returned an invalid gradient at index {number} - got {list(grad._array.shape)} but expected "
        f"shape compatible with {list(size)}",
        "a gradient has the size of its tensor, or one that was broadcast from it",
        rule="autograd.size",
    )


def _refuse_count(node: Node, expected: int, got: int) -> None:
    refuse(
        RuntimeError,
        f"Function {node.name()} returned an incorrect number of gradients (expected {expected}, got {got})",
        "there is one gradient for each input",
        rule="autograd.count",
    )


def apply_alone(node: Node, grads: tuple) -> Any:
    """``node(grad)``: the gradients of the inputs, without going further."""
    before = shown_again(KEY_AUTOGRAD)
    try:
        results = tuple([None if e is None else r for e, r in zip(node.edges, node.apply(grads), strict=True)])
    finally:
        hide_again(before)
    return results[0] if len(results) == 1 else results


__all__ = ["apply_alone", "fitted", "grad_enabled", "run"]
