"""The graph that autograd recorded, as plain facts: from our nodes and from PyTorch's.

Nothing is imported for it, no hook is run, and no tensor of the graph is kept.
"""

from __future__ import annotations

import heapq
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from ..inside import arrays_in
from ..sources import is_array, library_of
from ..special_kinds import is_sparse, kept_by_name
from ..storages import letters

LEAVES_FIRST = 6
"""Up to this many leaves head the list; of more, each is listed above the node that first uses it."""


class Kept(NamedTuple):
    """A tensor that a node keeps for the backward pass."""

    name: str
    state: str = "kept"
    """kept | freed | changed (written to since) | hooked (a hook of the user's keeps it in another form) | gone (its
    storage was made empty)
    """
    size: tuple[int, ...] = ()
    dtype: str = ""
    nbytes: int = 0
    """Of its elements."""
    storage: int = -1
    """The number of its storage in `Tape.storages`; -1 if it has none that can be measured."""
    version: int = -1
    """The version of its memory that was saved, and the one that it has now; -1 if they are not known."""
    now: int = -1


class Place(NamedTuple):
    """A line of the user's code."""

    number: int
    code: str
    file: str


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
    place: Place | None = None
    """The line that made the node. PyTorch notes it in anomaly mode only."""

    @property
    def is_leaf(self) -> bool:
        return not self.name


def in_ctx(kept: Kept) -> bool:
    """Whether a Function keeps it in an attribute of its `ctx`: backward does not free that."""
    return kept.name.startswith("ctx.")


def short(name: str) -> str:
    """The name of a node without the end that all have.

    >>> short("MulBackward0"), short("torch::autograd::CopySlices")
    ('Mul', 'CopySlices')
    """
    name = name.rpartition("::")[2]
    stem, _, number = name.rpartition("Backward")
    return stem if stem and (not number or number.isdigit()) else name


def _name_of(node: Any) -> str:
    """The name of a node. A recurrent layer that is one node here has PyTorch's name of its last step, Stack, and is
    called by its layer.
    """
    op = getattr(getattr(node, "derivative", None), "op", "")
    if op.endswith("_layer") and node.name() == "StackBackward0":
        return "".join(map(str.capitalize, op.removeprefix("_nn.").split("_"))) + "Backward0"
    return str(node.name())


def short_name(step: Step) -> str:
    """The short name of a step's node."""
    return short(step.name)


class Tape(NamedTuple):
    """The steps from the oldest to the newest, and the storages that they keep."""

    steps: tuple[Step, ...]
    storages: tuple[int, ...]
    """Bytes of each storage, in the order in which the steps keep them."""
    of_leaves: tuple[int, ...] = ()
    """The numbers of the storages that belong to leaves."""
    names: tuple[tuple[str, ...], ...] = ()
    """For each storage, the names of the caller's that lead to it."""

    def letters(self) -> list[str]:
        """A letter for each storage, none of them a name in the picture."""
        names = [*(step.label for step in self.steps), *(name for group in self.names for name in group)]
        return list(islice(letters(names), len(self.storages)))


def tape_of(root: Any, label: str, names: Mapping[str, Any], of: str = "show.graph") -> Tape:
    """The graph of a tensor, or of a node; `names` are those of the caller, `of` is what asks."""
    return walked(root, label, names, of)[0]


def walked(root: Any, label: str, names: Mapping[str, Any], of: str = "show.graph") -> tuple[Tape, list[Any]]:
    """The graph of a tensor as facts, and its nodes in the same order."""
    node = _node_of(root, label, of)
    edges = _edges_from(node)
    order = _in_order(edges)
    place = {id(n): k for k, n in enumerate(order)}
    named = list(arrays_in(names))
    called = _called(edges, named)
    if is_array(root):
        called[id(node)] = label
    storages = _Storages()
    steps = []
    for n in order:
        leaf = leaf_of(n)
        if leaf is not None:
            name, results, kept = "", [(leaf.shape, leaf.dtype)], []
        else:
            name, results = _name_of(n), list(_readers(n).results(n))
            kept = [k for fact in kept_by(n) for k in storages.measured(*fact)]
        shapes = tuple([(tuple(map(int, size)), _plain(dtype)) for size, dtype in results])
        inputs = tuple([place[id(inner)] for inner in edges[id(n)][1]])
        steps.append(Step(name, called.get(id(n), ""), inputs, shapes, tuple(kept), place_of(n)))
    leaves = [leaf for leaf in map(leaf_of, order) if leaf is not None]
    of_leaves = tuple(storages.numbers_of(leaves))
    return Tape(tuple(steps), tuple(storages.sizes), of_leaves, storages.named(named)), order


# -- walking -------------------------------------------------------------------------------------------------------

MOST_OF_PYTORCH = 20_000
TOO_LONG = (
    f"this graph has more than {MOST_OF_PYTORCH:,} nodes. PyTorch frees nodes that were looked at from Python by calls "
    "inside calls, and so long a chain of them ends the process. Draw the graph of one step, or detach() between steps"
)

Edges = dict[int, tuple[Any, list[Any]]]
"""Each node by its id, with the nodes that it sends gradients to."""


def _node_of(root: Any, label: str, of: str) -> Any:
    if hasattr(type(root), "next_functions"):
        return root
    if not is_array(root) or not hasattr(root, "grad_fn"):
        raise TypeError(f"{of} draws what autograd recorded of a tensor of tensorwidgets or PyTorch, not {_kind(root)}")
    node = root.grad_fn
    if node is None and root.requires_grad:
        raise ValueError(
            f"{label} is a leaf: it was not computed by a recorded operation, so there is no graph. Draw a result "
            f"that was computed from it: {of}(({label} * 2).sum())"
        )
    if node is None:
        raise ValueError(
            f"{label} has no graph: nothing that it was computed from requires a gradient, or it was computed under "
            f"no_grad or detached. Call requires_grad_() on a leaf, compute the result again, then {of}(result)"
        )
    return node


def _kind(thing: Any) -> str:
    library = library_of(thing) if is_array(thing) else ""
    return f"an array of {library}" if library else f"{type(thing).__name__!r}"


def leaf_of(node: Any) -> Any:
    """The tensor that a node of a leaf adds gradients to; None for other nodes."""
    return node.variable if type(node).__name__ == "AccumulateGrad" else None


def _edges_from(node: Any) -> Edges:
    return {id(n): (n, [to for to, _ in n.next_functions if to is not None]) for n in nodes_behind([node])}


def nodes_behind(roots: Iterable[Any], most: int = sys.maxsize) -> list[Any]:
    """Some nodes, and all that they send gradients to; about `most` of them."""
    found: dict[int, Any] = {}
    left = list(roots)
    while left and len(found) <= most:
        n = left.pop()
        if len(found) >= MOST_OF_PYTORCH and not type(n).__module__.startswith("tensorwidgets"):
            raise ValueError(TOO_LONG)
        if id(n) not in found:
            found[id(n)] = n
            left += [to for to, _ in n.next_functions if to is not None]
    return list(found.values())


def _in_order(edges: Edges) -> list[Any]:
    """The nodes by age, each behind those that it was computed from; leaves first or above their first use."""
    users: dict[int, list[Any]] = {key: [] for key in edges}
    missing = {}
    ready: list[tuple[int, int, int]] = []
    for turn, (key, (n, inner)) in enumerate(edges.items()):
        nodes = [to for to in inner if leaf_of(to) is None]
        missing[key] = len(nodes)
        for to in nodes:
            users[id(to)].append(n)
        if not nodes and leaf_of(n) is None:
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
            if leaf_of(to) is not None and id(to) not in leaves:
                leaves[id(to)] = to
                mixed.append(to)
        mixed.append(n)
    return [*leaves.values(), *nodes_by_age] if len(leaves) <= LEAVES_FIRST else mixed


# -- names, results, bytes -----------------------------------------------------------------------------------------


def _called(edges: Edges, named: Iterable[tuple[str, Any]]) -> dict[int, str]:
    """What the caller calls the leaves and results, by the id of the node."""
    by_leaf = {id(leaf): key for key, (n, _) in edges.items() if (leaf := leaf_of(n)) is not None}
    found: dict[int, str] = {}
    for name, array in named:
        key = by_leaf.get(id(array))
        if key is None and getattr(array, "requires_grad", False) and not array._is_view():
            node = array.grad_fn  # of a view this could make a new node
            key = id(node) if node is not None and id(node) in edges else None
        if key is not None:
            found.setdefault(key, name)
    return found


def _plain(dtype: Any) -> str:
    return str(dtype).rpartition(".")[2]


class Readers(NamedTuple):
    """How the nodes of one library are asked."""

    results: Callable[[Any], Iterable[tuple[Any, Any]]]
    kept: Callable[[Any], Iterable[tuple[Any, ...]]]
    line: Callable[[Any], tuple[int, str, str] | None]
    unpackers: Callable[[Any], list[Any]]


@cache
def _ours() -> Readers:
    from ....engine.autograd.facts import kept_by, line_of, results_of, unpackers_of

    return Readers(results_of, kept_by, line_of, unpackers_of)


@cache
def _pytorchs() -> Readers:
    from ....engine.autograd.foreign import kept_by, line_of, unpackers_of

    def results_of(n: Any) -> list[tuple[Any, Any]]:
        return [(m.shape, m.dtype) for m in getattr(n, "_input_metadata", ())]

    return Readers(results_of, kept_by, line_of, unpackers_of)


def _readers(node: Any) -> Readers:
    return _ours() if library_of(node) == "tensorwidgets" else _pytorchs()


def kept_by(node: Any) -> Iterable[tuple[Any, ...]]:
    """Name, state, tensor and versions of what a node keeps, sorted by name."""
    return _readers(node).kept(node)


def unpackers_of(node: Any) -> list[Any]:
    """The functions of the user's that give back what a node keeps in another form."""
    return _readers(node).unpackers(node)


def place_of(node: Any) -> Place | None:
    """The line that made a node."""
    found = _readers(node).line(node)
    return None if found is None else Place(*found)


class _Storages:
    """Numbers storages as they appear."""

    def __init__(self) -> None:
        self.numbers: dict[tuple[str, int], int] = {}
        self.sizes: list[int] = []

    def measured(self, name: str, state: str, tensor: Any, version: int = -1, now: int = -1) -> list[Kept]:
        """A kept tensor as facts; of a sparse one those of its parts."""
        if tensor is None:
            return [Kept(name, state)]
        if is_sparse(tensor):
            parts = kept_by_name(tensor).items()
            return [k for part, t in parts for k in self.measured(f"{name}.{part}", state, t, version, now)]
        size, dtype = tuple(map(int, tensor.shape)), _plain(tensor.dtype)
        nbytes = tensor.numel() * tensor.element_size()
        key, whole = storage_of(tensor)
        if nbytes and not whole and key[1]:
            state = "gone"
        number = -1
        if whole:
            number = self.numbers.setdefault(key, len(self.sizes))
            self.sizes += [whole] if number == len(self.sizes) else []
        return [Kept(name, state, size, dtype, nbytes, number, version, now)]

    def numbers_of(self, tensors: list[Any]) -> list[int]:
        """Which storages belong to these tensors."""
        found = set()
        for tensor in tensors:
            for t in kept_by_name(tensor).values() if is_sparse(tensor) else [tensor]:
                found.add(self.numbers.get(storage_of(t)[0], -1))
        return sorted(found - {-1})

    def named(self, arrays: Iterable[tuple[str, Any]]) -> tuple[tuple[str, ...], ...]:
        """The names that lead to each storage."""
        found: list[list[str]] = [[] for _ in self.sizes]
        for name, array in arrays if self.sizes else ():
            if hasattr(array, "untyped_storage"):
                number = self.numbers.get(storage_of(array)[0], -1)
                if number >= 0:
                    found[number].append(name)
        return tuple(map(tuple, found))


def storage_of(tensor: Any) -> tuple[tuple[str, int], int]:
    """What tells a storage from others, and its bytes; 0 bytes if the tensor has no storage."""
    try:
        storage = tensor.untyped_storage()
        address = storage.data_ptr() or getattr(storage, "_cdata", None) or id(storage)
    except (RuntimeError, NotImplementedError, ValueError):
        return ("", 0), 0
    return (str(tensor.device), address), storage.nbytes()
