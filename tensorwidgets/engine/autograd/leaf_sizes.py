"""Which size and dtype does a gradient have whose leaf was given other numbers since a graph was recorded?

In PyTorch the node that adds gradients to a leaf notes both when the first call is recorded, and exists as long as a
graph leads to it. Ours is the leaf itself. So when a leaf gets another size or dtype, the nodes that lead to it are
found, and lead to a stand-in from then on: a tensor with the size and dtype of before, and no numbers. As long as it
exists, new calls of the leaf lead to it too, unless the dtype has changed or `set_` was called: then they lead to the
leaf itself.
"""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from ..memory.places import place_at
from ..tensor import grad_flag
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.lookups import size_and_stride
from ..tensor.tensor import Tensor
from ..tensor.wrapping import LeafOf, wrap_any
from ..types.dtypes import dtype
from .nodes import AccumulateGrad, Node, NodeType
from .writes import nodes_so_far

changed = False
"""Whether any leaf was ever given another size, or a dtype for its gradient. Until then nothing here is asked."""


def is_usual(leaf: Tensor) -> bool:
    """Whether a gradient has to be of the dtype of its leaf."""
    return grad_flag.dtype_of_gradient(leaf) is leaf._dtype


def dtype_on_arrival(leaf: Tensor, grad: Tensor, by: Node | None) -> Any:
    """The dtype that a gradient has to have when it arrives at a leaf. A leaf for any takes what a Function returns."""
    chosen = grad_flag.dtype_of_gradient(leaf)
    return chosen or (grad._dtype if by is None or not by.casts else leaf._dtype)


def leaf_behind(edge: Tensor) -> Tensor:
    """The leaf that a stand-in is for; any other leaf is itself."""
    result: Tensor = edge._notes.get("_stands_for", edge)
    return result


def note_change(leaf: Tensor, d: dtype | None) -> None:
    """Keep the size and dtype that a leaf is about to lose for the graphs that lead to it.

    `d` is its dtype to be, and None if new calls must not lead to the node of before.
    """
    global changed
    origin: Any = leaf._origin
    known = type(origin) is LeafOf
    if origin is not None and (not known or origin.leaf is not leaf):
        return  # no leaf of its own
    node = None if not known or origin.accumulator is None else origin.accumulator()
    if node is None:
        kept = leaf._notes.get("_accumulator")
        node = kept() if type(kept) is weakref.ref else kept
        leading = _leading_to(leaf)
        if node is None and not leading:
            return
        changed = True
        if node is None:
            node = AccumulateGrad(leaf)
        node.facts = tuple(leaf._array.shape), leaf._dtype, leaf.device
        stand_in = stand_in_for(node)
        for each in leading:
            each.edges = tuple([stand_in if edge is leaf else edge for edge in each.edges])
    if d is leaf._dtype:
        leaf._origin = LeafOf(leaf, weakref.ref(node))
        leaf._notes.setdefault("_accumulator", weakref.ref(node))
    else:
        leaf._origin = None
        leaf._notes.pop("_accumulator", None)


def come_back(leaf: Tensor) -> None:
    """Let calls of a leaf that had left the graph lead to its stand-in, as long as that exists."""
    kept = leaf._notes.get("_accumulator")
    node = kept() if type(kept) is weakref.ref else kept
    if node is not None and node.facts is not None:
        leaf._origin = LeafOf(leaf, weakref.ref(node))


def _leading_to(leaf: Tensor) -> list[Node]:
    """The nodes that send gradients to a leaf."""
    known = _search.found
    if known is None:
        return [node for node in _nodes() if any([edge is leaf for edge in node.edges])]
    if not known:
        known[0] = []  # marks the search as done, even if it finds nothing
        for node in _nodes():
            for edge in node.edges:
                if isinstance(edge, Tensor):
                    known.setdefault(id(edge), []).append(node)
    return known.get(id(leaf), [])


def _nodes() -> list[Node]:
    """All nodes that there are: asking every object for its class is faster than asking who refers to a leaf.

    It takes as long as an interpreter has objects, so where no node was made since, those that were found are enough.
    """
    global _last_search
    number = nodes_so_far()
    before, found = _last_search
    if number != before:
        found = [weakref.ref(o) for o in gc.get_objects() if type(type(o)) is NodeType]
    _last_search = number, found
    return [node for node in [kept() for kept in found] if node is not None]


_last_search: tuple[int, list[weakref.ref[Node]]] = -1, []
"""What `nodes_so_far` was at the last search, and the nodes that it found. It is -1 until a node is made."""


class _Search(threading.local):
    found: dict[int, list[Node]] | None = None
    """The nodes that lead to each leaf, by the leaf's identity, while many leaves change; None if they do not."""


_search = _Search()


@contextmanager
def many_changes() -> Iterator[None]:
    """While many leaves get other numbers, all nodes are looked at once."""
    if _search.found is not None:
        yield
        return
    _search.found = {}
    try:
        yield
    finally:
        _search.found = None


def stand_in_for(node: AccumulateGrad) -> Tensor:
    """What has the size and dtype that a leaf had, and takes no memory."""
    (size, d, where), leaf = node.facts, node.variable
    place = place_at(where)
    stand_in = wrap_any(place.view(place.zeros((), d._in_numpy), size, (0,) * len(size), d._in_numpy), d)
    stand_in._keys |= KEY_AUTOGRAD
    stand_in._notes.update(_stands_for=leaf, _accumulator=node)
    if "_grad_dtype" in leaf._notes:
        stand_in._notes["_grad_dtype"] = leaf._notes["_grad_dtype"]
    node.stand_in = weakref.ref(stand_in)
    return stand_in


def laid_out_alike(grad: Tensor, leaf: Tensor) -> bool:
    """Whether PyTorch takes a gradient of another size than its leaf as it is.

    It compares strides dimension by dimension, as many as the gradient has. Beyond the dimensions of the leaf it reads
    what nobody wrote, except that a tensor without dimensions has a first stride of 1.
    """
    size, stride = size_and_stride(grad)
    wanted: list[Any] = [*size_and_stride(leaf)[1]] or [1]
    wanted += [None] * (len(size) - len(wanted))
    return all(a == b or n == 1 and a for n, a, b in zip(size, stride, wanted, strict=False))


def _note_dtype() -> None:
    global changed
    changed = True


grad_flag.on_new_facts, grad_flag.many_changes = note_change, many_changes
grad_flag.on_grad_dtype = _note_dtype
