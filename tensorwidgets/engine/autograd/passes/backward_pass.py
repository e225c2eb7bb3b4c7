"""One backward pass: the nodes behind the roots, newest first, each with the sum of the gradients of its results.

Nodes are numbered as they are made, so an input is always older than what was made of it, and the order is a sort by
number. Nothing is recursive: a chain of 200,000 nodes needs no deeper stack than a chain of two.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...dispatch.kinds import NonStridedArray
from ...errors.reasons import refuse
from ...tensor.keys import KEY_AUTOGRAD
from ...tensor.tensor import Tensor
from ...tensor.thread_state import state
from ...types import formats
from ...types.device import CPU
from .. import anomaly, leaf_sizes
from ..accumulate import add_to_leaf, referred_to_elsewhere
from ..formulas import FormulaNode
from ..hooks.on_gradients import replaced, run_on_tensor
from ..leaf_sizes import leaf_behind
from ..nodes import Node, NodeType, accumulator_of, count_of, device_of, inputs_of, metadata_of, more
from ..saved import values_of
from ..sums import add_part, as_tensor, check_layout, checked_place, fitted

_ndarray = np.ndarray

Edge = Any
"""A leaf, a node, or a pair of a node and the number of its result."""


_NOT_RECORDING = {"enabled": False}
"""What is set for a thread in the usual backward pass."""


class Pass:
    """One backward pass."""

    def __init__(self, retain: bool, create: bool, wanted: list[Edge] | None, accumulate: bool):
        self.retain, self.create, self.accumulate = retain, create, accumulate
        self.wanted = wanted
        self.pending: dict[int, Any] = {}
        """The gradients that have arrived at nodes, by number: a list with one for each result, or an array."""
        self.leaves: dict[int, list] = {}
        """For each leaf: the leaf, the sum so far (a tensor or an array), how many parts are still to come, whether the
        sum is fresh, and how often its memory was written to."""
        self.seen: dict[int, Node] = {}
        """All nodes behind the roots, by number."""
        self.needed: set[int] | None = None
        self.captured: dict[tuple[int, int], Tensor | None] = {}
        self.callbacks: list[Callable[[], Any]] = []
        """What is called at the end of the pass."""
        self.settings: dict[str, Any] = _NOT_RECORDING
        """What is set for this thread while nodes compute. What a hook or a backward function sets ends with it."""

    def run(self, roots: list[tuple[Edge, Tensor]]) -> list[Tensor | None]:
        self._look_ahead(roots)
        self.roots = [edge for edge, _ in roots]
        for edge, grad in roots:
            if len(roots) == 1 and self.wanted is None and _goes_as_it_is(grad, edge):
                self.pending[edge.number] = [grad]
            elif len(roots) == 1 and not self._leads_on(edge):
                self._greet(edge, grad)
            else:
                self._send(edge, grad, None, 0)
        self._run_nodes()
        captured = [self.captured.get(_key(edge)) for edge in self.wanted or ()]
        if not self.create:
            for found in captured:
                if found is not None and found._base is not None and not found._keys & KEY_AUTOGRAD:
                    if "_of_backward" in found._base._notes:  # nobody else has a view of it
                        found._base._notes["_views_made"] = "no_grad"
                    else:
                        found._made = "no_grad"
        return captured

    def _run_nodes(self) -> None:
        step = self._watched_step if anomaly.is_anomaly_enabled() else self._step
        for number in sorted(self.seen, reverse=True):
            grads = self.pending.pop(number, None)
            if grads is not None:
                step(self.seen[number], grads)

    def _watched_step(self, node: Node, grads: list) -> None:
        with anomaly.watching(node):
            self._step(node, grads)

    # -- before ---------------------------------------------------------------------------------------------------

    def _look_ahead(self, roots: list[tuple[Edge, Tensor]]) -> None:
        """Count the parts that each leaf will get, and find the nodes that lead to what is wanted."""
        seen = self.seen
        stack: list[Node] = []
        leaves = self.leaves
        for edge, _ in roots:
            if isinstance(edge, Tensor):
                leaves.setdefault(id(edge), [edge, None, 0, False, 0])[2] += 1
            else:
                stack.append(edge[0] if type(edge) is tuple else edge)
        while stack:
            node = stack.pop()
            number = node.number
            if number in seen:
                continue
            seen[number] = node
            for edge in node.edges:
                if edge is None:
                    continue
                kind = type(edge)
                if kind is tuple:
                    stack.append(edge[0])
                elif type(kind) is NodeType or not isinstance(edge, Tensor):
                    stack.append(edge)
                elif (entry := leaves.get(id(edge))) is not None:
                    entry[2] += 1
                else:
                    leaves[id(edge)] = [edge, None, 1, False, 0]
        if self.wanted is not None:
            self._find_needed(seen)

    def _find_needed(self, seen: dict[int, Node]) -> None:
        wanted = self.wanted or []
        leaves = {id(edge) for edge in wanted if isinstance(edge, Tensor)}
        others = [e for e in wanted if e is not None and not isinstance(e, Tensor)]
        nodes = {(e[0] if type(e) is tuple else e).number for e in others}
        self.wanted_leaves = leaves
        needed: set[int] = set()
        if self.accumulate:  # as PyTorch does it: a node that is wanted is run, though what it sends goes nowhere
            needed, nodes = nodes, set()
        self.wanted_nodes = nodes
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
        """Whether a gradient arrives at an edge in this pass. PyTorch does not count the place where it begins, if that
        is one place."""
        if len(self.roots) == 1 and _end_of(edge) is _end_of(self.roots[0]):
            return False
        if isinstance(edge, Tensor):
            begins = any(edge is e for e in self.roots)
            if not begins and not any(edge is e for node in self.seen.values() for e in node.edges):
                return False
            if self.wanted is None:
                return True
            if not self.accumulate and id(edge) in self.wanted_leaves:
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
        if number not in self.seen:
            return False
        return self.needed is None or number in self.needed or number in self.wanted_nodes

    # -- on the way ------------------------------------------------------------------------------------------------

    def _leads_on(self, edge: Edge) -> bool:
        """Whether the gradient of a root is used for anything."""
        if self.needed is None:
            return True
        if isinstance(edge, Tensor):
            return id(edge) in self.wanted_leaves
        number = (edge[0] if type(edge) is tuple else edge).number
        return number in self.needed or number in self.wanted_nodes

    def _leads_nowhere(self, node: Node) -> bool:
        """Whether a node is run though none of its formulas is needed, not even one that is not implemented."""
        formulas: Any = getattr(node, "inner", node)  # a write through a view has them inside
        leads = isinstance(formulas, FormulaNode) and any(e is not None and self._leads_on(e) for e in node.edges)
        return isinstance(formulas, FormulaNode) and not leads

    def _greet(self, edge: Edge, grad: Tensor) -> None:
        """Run the hooks of a root that nothing wanted depends on: PyTorch does so if it is the only root."""
        if isinstance(edge, Tensor):
            hooks = leaf_behind(edge)._notes.get("_hooks")
            if hooks:
                run_on_tensor(hooks, grad)
            return
        node, number = edge if type(edge) is tuple else (edge, 0)
        grads: list = [None] * count_of(node)
        grads[number] = grad
        self._run_hooks_of_results(node, grads)

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
            waiting = self.pending[node.number] = [None] * count_of(node)
        elif type(waiting) is not list:
            waiting = self.pending[node.number] = [as_tensor(waiting, node.dtype, 0)]
        if grad is None:
            return
        grad = fitted(grad, *metadata_of(node, number), by, number_by)
        if grad._keys or node.extra is not None:
            grad = checked_place(grad, device_of(node, number), by, number_by)
        add_part(waiting, number, grad)

    def _to_leaf(self, entry: list, grad: Tensor | None, by: Node | None, number_by: int) -> None:
        """Give a gradient to a leaf."""
        leaf, parts, fresh = entry[0], entry[2], entry[3]  # and no name for the sum, which add_part wants alone
        if type(entry[1]) is _ndarray:
            entry[1] = as_tensor(entry[1], leaf._dtype, entry[4])
        if grad is not None:
            whole = grad
            size, d = leaf._array.shape, leaf._dtype
            if leaf_sizes.changed:
                d = leaf_sizes.dtype_on_arrival(leaf, grad, by)
            if grad._array.shape != size or grad._dtype is not d:
                whole = fitted(grad, size, d, by, number_by)
            if whole._keys or leaf._keys != KEY_AUTOGRAD:
                whole = checked_place(whole, leaf.device, by, number_by)
                check_layout(whole, leaf, by, number_by)
            alone = by is not None and not referred_to_elsewhere(grad, 6)
            fresh = entry[1] is not None or by is not None and whole is not grad or alone
            add_part(entry, 1, whole)
            entry[3] = fresh
        entry[2] = parts - 1
        if entry[2]:
            return
        del self.leaves[id(leaf)]
        if not anomaly.is_anomaly_enabled():
            self._at_leaf(leaf, entry)
            return
        with anomaly.watching(self._accumulator(leaf)):
            self._at_leaf(leaf, entry)

    def _accumulator(self, leaf: Tensor) -> Node:
        """What an error at a leaf names: PyTorch makes it with the first node that leads to the leaf."""
        found = accumulator_of(leaf)
        leading = [n for n, node in self.seen.items() if any([edge is leaf for edge in node.edges])]
        trace = anomaly.trace_of(self.seen[min(leading)]) if leading else None
        if trace is not None:
            more(found).metadata.setdefault("traceback_", trace)
        return found

    def _at_leaf(self, leaf: Tensor, entry: list) -> None:
        """Add the whole gradient of a leaf to `.grad`, or keep it for who asked for it."""
        if self.wanted is not None:
            result = entry[1]
            hooks = leaf_behind(leaf)._notes.get("_hooks")
            if hooks:
                result = run_on_tensor(hooks, result)
            if self.accumulate:
                add_to_leaf_without_hooks(leaf, result, entry[3] or result is not entry[1])
            else:
                self.captured[id(leaf), 0] = result
            return
        add_to_leaf(leaf, entry[1], entry[3])

    def _step(self, node: Node, grads: list) -> None:
        if state.__dict__ != self.settings:
            state.put_back(self.settings)
        extra = node.extra
        if self.wanted is not None and node.number in self.wanted_nodes:
            assert self.needed is not None
            goes_on = node.number in self.needed
            if not goes_on:
                self._run_hooks_of_results(node, grads)
            for number, grad in enumerate(grads):
                self.captured[id(node), number] = grad  # before the hooks if it goes on, as in PyTorch
            if not goes_on:
                return
        self._run_hooks_of_results(node, grads)
        if extra is not None:
            for before in list(extra.before.values()):
                new = before(tuple(grads))
                if new is not None:
                    grads = replaced(before, tuple(grads), new)
                new = None  # what only `grads` refers to may be added to
        nothing = all(g is None for g in grads) and not node.takes_undefined
        if nothing or self.needed is not None and self._leads_nowhere(node):
            results: Any = (None,) * len(node.edges)
            formulas = getattr(node, "inner", node)
            if isinstance(formulas, FormulaNode) and formulas.versions is not None:
                values_of(formulas)  # PyTorch reads what is saved before it sees that there is nothing to compute
        else:
            results = node.apply(tuple(grads))
        edges = node.edges
        if len(results) != len(edges):
            _refuse_count(node, len(edges), len(results))
        results = list(results)
        hooked = extra is not None and extra.after
        if self.needed is not None and isinstance(node, FormulaNode):  # PyTorch computes what is wanted alone
            results = [r if e is not None and self._leads_on(e) else None for r, e in zip(results, edges, strict=True)]
        if len(edges) > 1 or hooked or self.wanted is not None:
            _fit(results, node)  # before any is sent: of two that are the same tensor, one may be summed
        if hooked:
            for after in list(extra.after.values()):
                new = after(tuple(results), tuple(grads))
                if new is not None:
                    results = replaced(after, tuple(results), new)
                new = None
        if anomaly.is_anomaly_enabled() and anomaly.is_anomaly_check_nan_enabled():
            anomaly.check_nan(node, results)
        del grads[:]
        if not self.retain:
            node.release()
        if state.__dict__ != self.settings:
            state.put_back(self.settings)
        for place in range(len(edges)):
            edge = edges[place]
            if edge is not None:
                grad = results[place]
                results[place] = None
                self._send(edge, grad, node, place)

    def _run_hooks_of_results(self, node: Node, grads: list) -> None:
        """Call the hooks of the tensors that a node made, and keep their gradients where that was asked for."""
        extra = node.extra
        if extra is None:
            return
        for number, hooks in extra.on_results.items():
            grads[number] = run_on_tensor(hooks, grads[number])
        for number, reference in extra.retained.items():
            t = reference()
            if t is not None and grads[number] is not None:
                _retain(t, grads[number])


def _goes_as_it_is(grad: Tensor, edge: Edge) -> bool:
    """Whether the gradient of a root is a plain tensor just as the node needs it."""
    return (
        type(type(edge)) is NodeType
        and type(grad) is Tensor
        and not grad._keys
        and grad._dtype is edge.dtype
        and grad._array.shape == edge.size
        and not grad._notes.get("_writes")
        and (edge.extra is None or edge.extra.device is CPU)
    )


def _fit(results: list, node: Node) -> None:
    """Give the gradients that a node has computed the sizes and dtypes that they are for."""
    for place, edge in enumerate(node.edges):
        grad = results[place]
        if edge is None or not isinstance(grad, Tensor):
            continue
        if isinstance(edge, Tensor):
            size, dtype = edge._array.shape, edge._dtype
            if leaf_sizes.changed:
                dtype = leaf_sizes.dtype_on_arrival(edge, grad, node)
        else:
            size, dtype = metadata_of(*edge) if type(edge) is tuple else metadata_of(edge, 0)
        if grad._array.shape != size or grad._dtype is not dtype:
            results[place] = fitted(grad, size, dtype, node, place)


def add_to_leaf_without_hooks(leaf: Tensor, grad: Tensor | None, fresh: bool) -> None:
    """Add a gradient whose hooks have run."""
    kept = leaf_behind(leaf)._notes
    hooks = kept.pop("_hooks", None)
    try:
        add_to_leaf(leaf, grad, fresh)
    finally:
        if hooks is not None:
            kept["_hooks"] = hooks


def _retain(t: Tensor, grad: Tensor) -> None:
    """Add to the `.grad` of a tensor that is not a leaf."""
    old = t._notes.get("_grad")
    if old is not None:
        t._notes["_grad"] = old + grad
    elif isinstance(grad._array, NonStridedArray):
        t._notes["_grad"] = grad.clone()
    else:
        t._notes["_grad"] = grad.clone(memory_format=formats.contiguous_format)


def _end_of(edge: Edge) -> Any:
    """The leaf or the node that an edge leads to."""
    return edge[0] if type(edge) is tuple else edge


def _key(edge: Edge) -> tuple[int, int]:
    if isinstance(edge, Tensor):
        return id(edge), 0
    return (id(edge[0]), edge[1]) if type(edge) is tuple else (id(edge), 0)


def _refuse_count(node: Node, expected: int, got: int) -> None:
    refuse(
        RuntimeError,
        f"Function {node.name()} returned an incorrect number of gradients (expected {expected}, got {got})",
        "there is one gradient for each input",
        rule="autograd.count",
    )
