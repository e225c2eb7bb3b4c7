"""A backward pass that only fills `.grad` of leaves: by shortcuts on arrays, as far as there are any.

Gradients that shortcuts have computed wait as arrays, all others as tensors in a list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...backends.numpy.without_warnings import quietly
from ...backends.numpy.without_warnings import run as run_quietly
from ...declare.fast_calls import is_odd
from ...memory.references import references_to
from ...tensor.tensor import Tensor
from ...types.dtypes import complex64, complex128, float32, float64
from .. import leaf_sizes, writes
from ..accumulate import ALONE, add_array_to_leaf, add_to_leaf
from ..nodes import Node
from ..sums import add_array, add_part, adds_up, as_tensor, summed_to
from .backward_pass import Pass

if TYPE_CHECKING:
    from ...types.dtypes import dtype

_ndarray = np.ndarray


REAL = (float32, float64)

_DTYPES = frozenset((float32, float64, complex64, complex128))
"""The dtypes in which shortcuts compute."""


class PassOnArrays(Pass):
    """A pass without wanted edges, whose gradients have no graph, while nobody looks for anomalies."""

    def _run_nodes(self) -> None:
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
                if grad is not None and ((n := grad.size) < 2 or grad.ndim > 1):
                    if not n or 1 in grad.shape and is_odd(grad):
                        grad = None  # strides say more than NumPy keeps
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
            if releases and (versions := node.versions) is not None:
                known: Any = node  # what release() does
                if known.keeps_numbers and None in versions and known.values is not None:
                    known.numbers = [v for v, n in zip(known.values, versions) if n is None]  # noqa: B905
                known.values = None
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
                    first = entry[1] is None
                    if (
                        first
                        and entry[2] == 1  # all that the leaf will get
                        and edge._dtype is d
                        and (d is float32 or d is float64)
                        and type(result) is _ndarray
                        and not leaf_sizes.changed
                        and add_array_to_leaf(edge, result, d, node.writes)
                    ):
                        del leaves[id(edge)]
                        result = None
                    elif adds_up(entry, result, d):
                        result = None
                        if first:
                            entry[4] = node.writes
                        entry[2] -= 1
                        if not entry[2]:
                            self._leaf_is_done(entry, d)
                    else:
                        results[place], result = result, None
                        self._array_to_leaf(entry, node, place, results, d)
                elif type(edge) is tuple or edge.dtype is not d:
                    self._send(edge, as_tensor(np.asarray(result), d, 0), node, place)
                elif result.shape != edge.size:
                    less = summed_to(result, edge.size) if type(result) is _ndarray else None
                    results[place] = None
                    if less is None:
                        self._send(edge, as_tensor(np.asarray(result), d, 0), node, place)
                    elif edge.number in pending:
                        self._add_array(edge, less)
                    else:
                        result = None
                        pending[edge.number] = less
                        less = None
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
        if grad.shape != leaf._array.shape and not leaf_sizes.changed and leaf._dtype is d and type(grad) is _ndarray:
            less = summed_to(grad, leaf._array.shape)
            grad = grad if less is None else less
            less = None
        if (
            type(entry[1]) is Tensor
            or grad.shape != leaf._array.shape
            or leaf._dtype is not d
            or leaf_sizes.changed
            and not leaf_sizes.is_usual(leaf)
        ):
            whole = as_tensor(np.asarray(grad), d, node.writes)
            del grad
            self._to_leaf(entry, whole, node, place)
            return
        first = entry[1] is None
        written = add_array(entry, 1, grad)
        entry[4] = node.writes if first else entry[4] + 1 if written else 0
        grad = None  # what only the entry refers to may become `.grad`
        entry[2] -= 1
        if not entry[2]:
            self._leaf_is_done(entry, d)

    def _leaf_is_done(self, entry: list, d: dtype) -> None:
        """Add the sum for a leaf, an array, to its `.grad`."""
        leaf = entry[0]
        del self.leaves[id(leaf)]
        if d in REAL and add_array_to_leaf(leaf, entry[1], d, entry[4]):
            return
        fresh = references_to(entry[1]) == 2  # a view too, as that of x.t() is: the memory may be another's
        add_to_leaf(leaf, as_tensor(entry[1], leaf._dtype, entry[4]), fresh)


def _is_only_here(waiting: list) -> bool:
    """Whether nobody else has seen the gradient that waits for a node, or `backward` has made it."""
    t = waiting[0]
    if type(t) is not Tensor or t._keys or t._base is not None:
        return False
    return references_to(t) == ALONE if not t._notes else t._notes.keys() == _MADE_HERE


_MADE_HERE = {"_of_backward"}


def _is_in(result: Any, grad: Any) -> bool:
    """Whether a gradient is an array itself or lies in its memory."""
    return result is grad or result is not None and result.base is not None and np.may_share_memory(result, grad)


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
