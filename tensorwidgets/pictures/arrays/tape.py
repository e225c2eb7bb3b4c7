"""The graph that autograd recorded, as plain facts: from our nodes and from PyTorch's.

Nothing is imported for it, no hook is run, and no tensor of the graph is kept.
"""

from __future__ import annotations

import heapq
from collections.abc import Mapping
from typing import Any, NamedTuple

from .inside import arrays_in
from .sources import is_array, library_of
from .special_kinds import is_sparse, kept_by_name

LEAVES_FIRST = 6
"""Up to so many leaves head the list; of more, each is listed above the node that first uses it."""


class Kept(NamedTuple):
    """A tensor that a node keeps for the backward pass."""

    name: str
    state: str = "kept"
    """kept | freed | changed (written to since) | hooked (a hook of the user's keeps it in another form)"""
    size: tuple[int, ...] = ()
    dtype: str = ""
    nbytes: int = 0
    """Of its elements."""
    storage: int = -1
    """The number of its storage in `Tape.storages`; -1 if it has none that can be measured."""


class Step(NamedTuple):
    """A leaf, or a node with what it was computed from."""

    name: str
    """The full name; empty for a leaf."""
    label: str
    """What the caller calls the tensor; empty if it has no name there."""
    inputs: tuple[int, ...] = ()
    """The steps that gradients go to, one for each edge; edges to nothing are left out."""
    results: tuple[tuple[tuple[int, ...], str], ...] = ()
    """The size and dtype of each result."""
    kept: tuple[Kept, ...] = ()

    @property
    def is_leaf(self) -> bool:
        return not self.name


class Tape(NamedTuple):
    """The steps from the oldest to the newest, and the storages that they keep."""

    steps: tuple[Step, ...]
    storages: tuple[int, ...]
    """Bytes of each storage, in the order in which the steps keep them."""
    of_leaves: tuple[int, ...] = ()
    """The numbers of the storages that belong to leaves."""


def tape_of(root: Any, label: str, names: Mapping[str, Any]) -> Tape:
    """The graph of a tensor, or of a node; `names` are those of the caller."""
    node = _node_of(root, label)
    edges = _edges_from(node)
    order = _in_order(node, edges)
    place = {id(n): k for k, n in enumerate(order)}
    called = _called(edges, names)
    if is_array(root):
        called[id(node)] = label
    storages = _Storages()
    steps = []
    for n in order:
        leaf = _leaf_of(n)
        if leaf is not None:
            name, results, kept = "", [(leaf.shape, leaf.dtype)], []
        else:
            name, results = n.name(), _results_of(n)
            kept = [k for fact in _kept_by(n) for k in storages.measured(*fact)]
        shapes = tuple([(tuple(map(int, size)), _plain(dtype)) for size, dtype in results])
        inputs = tuple([place[id(inner)] for inner in edges[id(n)][1]])
        steps.append(Step(name, called.get(id(n), ""), inputs, shapes, tuple(kept)))
    leaves = [leaf for leaf in map(_leaf_of, order) if leaf is not None]
    return Tape(tuple(steps), tuple(storages.sizes), tuple(storages.numbers_of(leaves)))


# -- walking -------------------------------------------------------------------------------------------------------

Edges = dict[int, tuple[Any, list[Any]]]
"""Each node by its id, with the nodes that it sends gradients to."""


def _node_of(root: Any, label: str) -> Any:
    if hasattr(type(root), "next_functions"):
        return root
    if not is_array(root) or not hasattr(root, "grad_fn"):
        raise TypeError(
            f"show.graph draws what autograd recorded of a tensor of tensorwidgets or PyTorch, not {_kind(root)}"
        )
    node = root.grad_fn
    if node is None and root.requires_grad:
        raise ValueError(
            f"{label} is a leaf: it was not computed by a recorded operation, so there is no graph. Draw a result "
            f"that was computed from it: show.graph(({label} * 2).sum())"
        )
    if node is None:
        raise ValueError(
            f"{label} has no graph: nothing that it was computed from requires a gradient, or it was computed under "
            "no_grad or detached. Call requires_grad_() on a leaf, compute the result again, then show.graph(result)"
        )
    return node


def _kind(thing: Any) -> str:
    library = library_of(thing) if is_array(thing) else ""
    return f"an array of {library}" if library else f"{type(thing).__name__!r}"


def _leaf_of(node: Any) -> Any:
    """The tensor that a node of a leaf adds gradients to; None for other nodes."""
    return node.variable if type(node).__name__ == "AccumulateGrad" else None


def _edges_from(node: Any) -> Edges:
    found: Edges = {}
    left = [node]
    while left:
        n = left.pop()
        if id(n) not in found:
            inner = [to for to, _ in n.next_functions if to is not None]
            found[id(n)] = (n, inner)
            left += inner
    return found


def _in_order(root: Any, edges: Edges) -> list[Any]:
    """The nodes by age, each behind those that it was computed from; leaves first or above their first use."""
    users: dict[int, list[Any]] = {key: [] for key in edges}
    missing = {}
    ready: list[tuple[int, int, int]] = []
    for turn, (key, (n, inner)) in enumerate(edges.items()):
        nodes = [to for to in inner if _leaf_of(to) is None]
        missing[key] = len(nodes)
        for to in nodes:
            users[id(to)].append(n)
        if not nodes and _leaf_of(n) is None:
            heapq.heappush(ready, (n._sequence_nr(), -turn, key))
    nodes_by_age = []
    while ready:
        _, turn, key = heapq.heappop(ready)
        nodes_by_age.append(edges[key][0])
        for user in users[key]:
            missing[id(user)] -= 1
            if not missing[id(user)]:
                heapq.heappush(ready, (user._sequence_nr(), turn, id(user)))
    leaves: dict[int, Any] = {}
    mixed = []
    for n in nodes_by_age:
        for to in edges[id(n)][1]:
            if _leaf_of(to) is not None and id(to) not in leaves:
                leaves[id(to)] = to
                mixed.append(to)
        mixed.append(n)
    return [*leaves.values(), *nodes_by_age] if len(leaves) <= LEAVES_FIRST else mixed


# -- names, results, bytes -----------------------------------------------------------------------------------------


def _called(edges: Edges, names: Mapping[str, Any]) -> dict[int, str]:
    """What the caller calls the leaves and results, by the id of the node."""
    by_leaf = {id(leaf): key for key, (n, _) in edges.items() if (leaf := _leaf_of(n)) is not None}
    found: dict[int, str] = {}
    for name, array in arrays_in(names):
        key = by_leaf.get(id(array))
        if key is None and getattr(array, "requires_grad", False) and not array._is_view():
            node = array.grad_fn  # of a view this could make a new node
            key = id(node) if node is not None and id(node) in edges else None
        if key is not None:
            found.setdefault(key, name)
    return found


def _plain(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


def _results_of(node: Any) -> list[tuple[Any, Any]]:
    if library_of(node) == "tensorwidgets":
        from ...engine.autograd.facts import results_of

        return results_of(node)
    return [(m.shape, m.dtype) for m in getattr(node, "_input_metadata", ())]


def _kept_by(node: Any) -> list[tuple[str, str, Any]]:
    """Name, state and tensor of what a node keeps, sorted by name."""
    if library_of(node) == "tensorwidgets":
        from ...engine.autograd.facts import kept_by

        return [(kept.name, kept.state, kept.tensor) for kept in kept_by(node)]
    found: list[tuple[str, str, Any]] = []
    for raw_name in sorted(name for name in dir(node) if name.startswith("_raw_saved_")):
        of_function = raw_name == "_raw_saved_tensors" and hasattr(type(node), "saved_tensors")
        name = "saved_tensors" if of_function else raw_name.removeprefix("_raw_saved_")
        try:
            raw = getattr(node, raw_name)
            several = isinstance(raw, (tuple, list))
            one_by_one = list(raw) if several else [raw]
            state = "kept"
            if all(one.unpack_hook is None for one in one_by_one):  # a user's hook is not run
                state = _state_of(node, name if of_function else f"_saved_{name}")
        except RuntimeError:  # PyTorch refuses the name itself
            state, one_by_one = "freed", []
        if state == "freed":
            return [("", "freed", None)]
        for k, one in enumerate(one_by_one):
            label = f"{name}[{k}]" if several else name
            if is_array(one.data):
                found.append((label, state, one.data))
            elif one.unpack_hook is not None:
                found.append((label, "hooked", None))
    return found


def _state_of(node: Any, name: str) -> str:
    """Whether what PyTorch saved can be used: `_saved_NAME` is refused if it was freed or written to."""
    try:
        getattr(node, name)
    except RuntimeError as refused:
        return "freed" if "second time" in str(refused) else "changed"
    return "kept"


class _Storages:
    """Numbers storages as they appear."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, int], int] = {}
        self.sizes: list[int] = []

    def measured(self, name: str, state: str, tensor: Any) -> list[Kept]:
        """A kept tensor as facts; of a sparse one those of its parts."""
        if tensor is None:
            return [Kept(name, state)]
        if is_sparse(tensor):
            return [k for part, t in kept_by_name(tensor).items() for k in self.measured(f"{name}.{part}", state, t)]
        size, dtype = tuple(map(int, tensor.shape)), _plain(tensor.dtype)
        nbytes = tensor.numel() * tensor.element_size()
        key, whole = _storage_of(tensor)
        if not whole:
            return [Kept(name, state, size, dtype, nbytes)]
        if key not in self.numbers:
            self.numbers[key] = len(self.sizes)
            self.sizes.append(whole)
        return [Kept(name, state, size, dtype, nbytes, self.numbers[key])]

    def numbers_of(self, tensors: list[Any]) -> list[int]:
        """Which storages belong to these tensors."""
        found = set()
        for tensor in tensors:
            for t in kept_by_name(tensor).values() if is_sparse(tensor) else [tensor]:
                found.add(self.numbers.get(_storage_of(t)[0], -1))
        return sorted(found - {-1})


def _storage_of(tensor: Any) -> tuple[tuple[str, int], int]:
    """What tells a storage from others, and its bytes; 0 bytes if the tensor has no storage."""
    try:
        storage = tensor.untyped_storage()
    except (RuntimeError, NotImplementedError):
        return ("", 0), 0
    address = storage.data_ptr() or getattr(storage, "_cdata", None) or id(storage)
    return (str(tensor.device), address), storage.nbytes()
