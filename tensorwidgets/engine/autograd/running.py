"""The backward pass: from the newest node to the oldest, each with the sum of the gradients of its results.

Nodes are numbered as they are made, so an input is always older than what was made of it, and the order is a sort by
number. Nothing is recursive: a chain of 200,000 nodes needs no deeper stack than a chain of two.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from threading import get_ident
from typing import TYPE_CHECKING, Any

import numpy as np

from ..backends.numpy.without_warnings import quietly
from ..backends.numpy.without_warnings import run as run_quietly
from ..declare.fast_calls import is_odd
from ..errors.reasons import refuse
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.passed import hide_again, shown_again
from ..tensor.tensor import Tensor
from ..tensor.thread_state import not_recording, state
from ..types.dtypes import complex64, complex128, float32, float64
from . import anomaly, leaf_sizes, writes
from .accumulate import ALONE, add_array_to_leaf, add_to_leaf, referred_to_elsewhere
from .formulas import FormulaNode
from .hooks.on_gradients import replaced, run_on_tensor
from .nodes import Node, NodeType, count_of, inputs_of, metadata_of
from .saved import values_of
from .sums import add_array, add_part, adds_up, as_tensor, check_layout, fitted

if TYPE_CHECKING:
    from ..types.dtypes import dtype


_ndarray = np.ndarray

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
    outer = under_way.passes
    under_way.passes = (*outer, this)
    unusual = state.__dict__
    hidden, enabled = None, True
    if unusual or create:
        hidden, enabled = shown_again(KEY_AUTOGRAD), state.enabled
        state.put("enabled", create)
    else:  # what `put` would do
        unusual["enabled"] = False
        not_recording.add(get_ident())
    try:
        results = this.run(roots)
        for callback in this.callbacks:  # which may add others
            callback()
        return results
    finally:
        under_way.passes = outer
        if hidden is None:
            unusual.pop("enabled", None)
            not_recording.discard(get_ident())
        else:
            state.put("enabled", enabled)
            hide_again(hidden)


class _UnderWay(threading.local):
    """The backward passes of this thread, the innermost last: a backward function may start another one."""

    passes: tuple[_Pass, ...] = ()


under_way = _UnderWay()


class Engine:
    """What PyTorch calls the engine: `queue_callback` names a function that is called at the end of this pass."""

    @staticmethod
    def queue_callback(callback: Callable[[], Any]) -> None:
        """Call a function at the end of the backward pass that is under way."""
        if not under_way.passes:
            refuse(
                RuntimeError,
                "Final callbacks can only be installed during backward pass.",
                "no backward pass is under way in this thread",
                "a hook or a backward function that calls this",
                rule="autograd.callback",
            )
        under_way.passes[-1].callbacks.append(callback)


class _Pass:
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

    def run(self, roots: list[tuple[Edge, Tensor]]) -> list[Tensor | None]:
        self._look_ahead(roots)
        self.only_root = roots[0][0] if len(roots) == 1 else None
        for edge, grad in roots:
            if len(roots) == 1 and self.wanted is None and _goes_as_it_is(grad, edge):
                self.pending[edge.number] = [grad]
            elif len(roots) == 1 and not self._leads_on(edge):
                self._greet(edge, grad)
            else:
                self._send(edge, grad, None, 0)
        if self.wanted is None and not self.create and not anomaly.is_anomaly_enabled():
            self._run_quickly()
        else:
            for number in sorted(self.seen, reverse=True):
                grads = self.pending.pop(number, None)
                if grads is not None:
                    self._step(self.seen[number], grads)
        captured = [self.captured.get(_key(edge)) for edge in self.wanted or ()]
        if not self.create:
            for found in captured:
                if found is not None and found._base is not None and not found._keys & KEY_AUTOGRAD:
                    if "_of_backward" in found._base.__dict__:  # nobody else has a view of it
                        found._base.__dict__["_views_made"] = "no_grad"
                    else:
                        found._made = "no_grad"
        return captured

    def _run_quickly(self) -> None:
        """All steps where only `.grad` of the leaves is wanted, by shortcuts on arrays as far as there are any.

        Gradients that shortcuts have computed wait as arrays, all others as tensors in a list.
        """
        pending, seen, leaves, releases = self.pending, self.seen, self.leaves, not self.retain
        for number in sorted(seen, reverse=True):
            waiting = pending.pop(number, None)
            if waiting is None:
                continue
            node = seen[number]
            results = result = None
            d = node.dtype
            if type(d) is tuple:
                d = d[0]
            shortcut = node.shortcut
            if shortcut is not None and node.extra is None:
                grad = waiting if type(waiting) is _ndarray else _as_array(node, waiting)
                if grad is not None and _needs_rules(grad):
                    grad = None
                if grad is not None and (node.values is not None if number > writes.last else node.unchanged()):
                    try:
                        results = run_quietly(shortcut, node, grad)
                    except RuntimeError:  # another thread computes at this moment
                        results = quietly(shortcut, node, grad)
                    except ValueError:  # a leaf was given data of another size: the formulas say so
                        results = None
                    if type(waiting) is list and results is not None and any([_is_in(r, grad) for r in results]):
                        if not _is_only_here(waiting):
                            results = None  # the tensor itself is passed on, or a view that has its version
            if results is None:
                grads = waiting if type(waiting) is list else [as_tensor(waiting, d, 0)]
                waiting = grad = None  # a gradient to which nothing else refers may be added to
                self._step(node, grads)
                continue
            if releases and node.versions is not None:
                node.values = None  # type: ignore[attr-defined]  # what release() does
            waiting = grad = None  # what only `results` refers to may be added to
            place = -1
            for edge in node.edges:
                place += 1
                if edge is None:
                    continue
                result = results[place]
                if result is None:
                    self._send(edge, None, node, place)
                    continue
                entry = leaves.get(id(edge))
                if entry is not None:
                    results[place] = None  # what only the entry refers to may be added to, and become `.grad`
                    if adds_up(entry, result, d):
                        result = None
                        entry[2] -= 1
                        if not entry[2]:
                            self._leaf_is_done(entry, d)
                    else:
                        results[place], result = result, None
                        self._array_to_leaf(entry, node, place, results, d)
                elif type(edge) is tuple or edge.dtype is not d or result.shape != edge.size:
                    self._send(edge, as_tensor(np.asarray(result), d, 0), node, place)
                elif edge.number in pending:
                    self._add_array(edge, result)
                else:
                    results[place] = None  # alone, it may be added to
                    pending[edge.number] = result if type(result) is _ndarray else np.asarray(result)

    def _add_array(self, node: Node, grad: Any) -> None:
        """Add an array to what waits for a node."""
        waiting = self.pending.pop(node.number)
        if type(waiting) is list:
            sums = waiting
            add_part(sums, 0, as_tensor(np.asarray(grad), node.dtype, 0))
        else:
            sums = [waiting]
            del waiting
            writes = add_array(sums, 0, grad)
            sums[0] = as_tensor(sums[0], node.dtype, writes)
        self.pending[node.number] = sums

    def _array_to_leaf(self, entry: list, node: Node, place: int, results: list, d: dtype) -> None:
        """Add an array to the sum for a leaf, which is not the usual one of `adds_up`."""
        leaf, grad = entry[0], results[place]
        results[place] = None
        if (
            type(entry[1]) is Tensor
            or grad.shape != leaf._array.shape
            or leaf._dtype is not d
            or leaf_sizes.changed
            and not leaf_sizes.is_usual(leaf)
        ):
            whole = as_tensor(np.asarray(grad), d, 0)
            del grad
            self._to_leaf(entry, whole, node, place)
            return
        entry[4] += add_array(entry, 1, grad)
        entry[2] -= 1
        if not entry[2]:
            self._leaf_is_done(entry, d)

    def _leaf_is_done(self, entry: list, d: dtype) -> None:
        """Add the sum for a leaf, an array, to its `.grad`."""
        leaf = entry[0]
        del self.leaves[id(leaf)]
        if d in REAL and add_array_to_leaf(leaf, entry[1], d, entry[4]):
            return
        fresh = sys.getrefcount(entry[1]) == 2  # a view too, as that of x.t() is: the memory may be another's
        add_to_leaf(leaf, as_tensor(entry[1], leaf._dtype, entry[4]), fresh)

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
        if self.only_root is not None and _end_of(edge) is _end_of(self.only_root):
            return False
        if isinstance(edge, Tensor):
            if self.wanted is None:
                return any(edge is e for node in self.seen.values() for e in node.edges)
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
        return number in self.seen if self.needed is None else number in self.needed or number in self.wanted_nodes

    # -- on the way ------------------------------------------------------------------------------------------------

    def _leads_on(self, edge: Edge) -> bool:
        """Whether the gradient of a root is used for anything."""
        if self.needed is None:
            return True
        if isinstance(edge, Tensor):
            return id(edge) in self.wanted_leaves
        number = (edge[0] if type(edge) is tuple else edge).number
        return number in self.needed or number in self.wanted_nodes

    def _greet(self, edge: Edge, grad: Tensor) -> None:
        """Run the hooks of a root that nothing wanted depends on: PyTorch does so if it is the only root."""
        if isinstance(edge, Tensor):
            hooks = edge.__dict__.get("_hooks")
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
                size, d = leaf_sizes.size_of_gradient(leaf), leaf_sizes.dtype_on_arrival(leaf, grad, by)
            if grad._array.shape != size or grad._dtype is not d:
                whole = fitted(grad, size, d, by, number_by)
            if whole._keys:
                check_layout(whole, leaf, by, number_by)
            alone = by is not None and not referred_to_elsewhere(grad, 6)
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
            if hooks:
                result = run_on_tensor(hooks, result)
            if self.accumulate:
                add_to_leaf_without_hooks(leaf, result, entry[3] or result is not entry[1])
            else:
                self.captured[id(leaf), 0] = result
            return
        add_to_leaf(leaf, entry[1], entry[3])

    def _step(self, node: Node, grads: list) -> None:
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
        if all(g is None for g in grads) and not node.takes_undefined:
            results: Any = (None,) * len(node.edges)
            if isinstance(node, FormulaNode) and node.versions is not None:
                values_of(node)  # PyTorch reads what is saved before it sees that there is nothing to compute
        else:
            results = self._applied(node, tuple(grads))
        edges = node.edges
        if len(results) != len(edges):
            _refuse_count(node, len(edges), len(results))
        results = list(results)
        hooked = extra is not None and extra.after
        if len(edges) > 1 or hooked or self.wanted is not None:
            _fit(results, node)  # before any is sent: of two that are the same tensor, one may be summed
        if hooked:
            if self.needed is not None and isinstance(node, FormulaNode):  # PyTorch computes what is wanted alone
                results = [
                    r if e is not None and self._leads_on(e) else None for r, e in zip(results, edges, strict=True)
                ]
            for after in list(extra.after.values()):
                new = after(tuple(results), tuple(grads))
                if new is not None:
                    results = replaced(after, tuple(results), new)
                new = None
        del grads[:]
        if not self.retain:
            node.release()
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

    def _applied(self, node: Node, grads: tuple) -> Any:
        if not anomaly.is_anomaly_enabled():
            return node.apply(grads)
        try:
            results = node.apply(grads)
        except Exception:
            anomaly.show_trace(node)
            raise
        if anomaly.is_anomaly_check_nan_enabled():
            anomaly.check_nan(node, results)
        return results


def _goes_as_it_is(grad: Tensor, edge: Edge) -> bool:
    """Whether the gradient of a root is a plain tensor just as the node needs it."""
    return (
        type(type(edge)) is NodeType
        and type(grad) is Tensor
        and not grad._keys
        and grad._dtype is edge.dtype
        and grad._array.shape == edge.size
        and not grad.__dict__.get("_writes")
    )


def _needs_rules(grad: np.ndarray) -> bool:
    """Whether strides say more than NumPy keeps: without elements, and of dimensions of one element."""
    return not grad.size or len(grad.shape) > 1 and 1 in grad.shape and is_odd(grad)


def _is_only_here(waiting: list) -> bool:
    """Whether nobody else has seen the gradient that waits for a node, or `backward` has made it."""
    t = waiting[0]
    if type(t) is not Tensor or t._keys or t._base is not None:
        return False
    return sys.getrefcount(t) == ALONE if not t.__dict__ else t.__dict__.keys() == _MADE_HERE


_MADE_HERE = {"_of_backward"}


def _is_in(result: Any, grad: Any) -> bool:
    """Whether a gradient is an array itself or lies in its memory."""
    return result is grad or result is not None and result.base is not None and np.may_share_memory(result, grad)


def _fit(results: list, node: Node) -> None:
    """Give the gradients that a node has computed the sizes and dtypes that they are for."""
    for place, edge in enumerate(node.edges):
        grad = results[place]
        if edge is None or not isinstance(grad, Tensor):
            continue
        if isinstance(edge, Tensor):
            size, dtype = edge._array.shape, edge._dtype
            if leaf_sizes.changed:
                size, dtype = leaf_sizes.size_of_gradient(edge), leaf_sizes.dtype_on_arrival(edge, grad, node)
        else:
            size, dtype = metadata_of(*edge) if type(edge) is tuple else metadata_of(edge, 0)
        if grad._array.shape != size or grad._dtype is not dtype:
            results[place] = fitted(grad, size, dtype, node, place)


def _as_array(node: Node, waiting: list) -> Any:
    """The array of the one gradient that waits for a node, unless anything about it is unusual."""
    grad, size, dtype = waiting[0], node.size, node.dtype
    if type(dtype) is tuple:
        size, dtype = size[0], dtype[0]
        if any(other is not None for other in waiting[1:]):
            return None
    if type(grad) is Tensor and not grad._keys and grad._dtype is dtype and grad._dtype in _DTYPES:
        if grad._array.shape == size and type(grad._array) is _ndarray:
            return grad._array
    return None


REAL = (float32, float64)

_DTYPES = frozenset((float32, float64, complex64, complex128))
"""The dtypes in which shortcuts compute."""


def add_to_leaf_without_hooks(leaf: Tensor, grad: Tensor | None, fresh: bool) -> None:
    """Add a gradient whose hooks have run."""
    hooks = leaf.__dict__.pop("_hooks", None)
    try:
        add_to_leaf(leaf, grad, fresh)
    finally:
        if hooks is not None:
            leaf.__dict__["_hooks"] = hooks


def _retain(t: Tensor, grad: Tensor) -> None:
    """Add to the `.grad` of a tensor that is no leaf."""
    old = t.__dict__.get("_grad")
    t.__dict__["_grad"] = grad.clone() if old is None else old + grad


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


def apply_alone(node: Node, grads: tuple) -> Any:
    """``node(grad)``: the gradients of the inputs, without going further."""
    if len(grads) != count_of(node):
        refuse(
            TypeError,
            f"expected {count_of(node)} arguments, got {len(grads)} instead",
            "a node is called with one gradient for each of its results",
            rule="autograd.count",
        )
    for place, grad in enumerate(grads):
        if grad is not None and not isinstance(grad, Tensor):
            refuse(TypeError, f"argument {place} is not a Variable", "a gradient is a tensor", rule="autograd.type")
    if all(grad is None for grad in grads) and not node.takes_undefined:
        return (None,) * len(node.edges) if len(node.edges) > 1 else None
    before = shown_again(KEY_AUTOGRAD)
    try:
        results = tuple([None if e is None else r for e, r in zip(node.edges, node.apply(grads), strict=True)])
    finally:
        hide_again(before)
    return results[0] if len(results) == 1 else results
