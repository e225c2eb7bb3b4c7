"""What does autograd do while calls are listed? What the node of a call keeps, and each backward pass as one entry."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from ..dispatch.kinds import NonStridedArray
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.tensor import Tensor


class Saved(NamedTuple):
    """A tensor that the node of a call keeps for the backward pass."""

    name: str
    storage: str
    """The letter of its storage."""
    nbytes: int
    """Of its elements."""

    def __str__(self) -> str:
        return f"{self.name} {self.storage}"


def mark(tensors: Iterable[Tensor]) -> int | None:
    """A number below those of the nodes that a call is going to make; None if it can make none."""
    if not any(t._keys & KEY_AUTOGRAD for t in tensors):
        return None
    from ..autograd.nodes import next_number

    return next_number()


def saved_since(results: Iterable[Tensor], since: int, letter: Callable[[Tensor], str]) -> tuple[Saved, ...]:
    """What the nodes keep that a call made, the first node first."""
    from ..autograd.facts import behind, kept_by
    from ..autograd.origin import LeafOf

    roots = []
    for t in results:
        origin = t._origin if t._keys & KEY_AUTOGRAD else None
        node = None if type(origin) is LeafOf else getattr(origin, "node", origin)
        if node is not None:
            roots.append(node)
    found = []
    for node in sorted(behind(roots, since)[0], key=lambda n: n.number):
        for kept in kept_by(node):
            if kept.tensor is not None and kept.state == "kept":
                name = "its result" if kept.name.startswith("result") else kept.name
                found.append(Saved(name, letter(kept.tensor), _bytes(kept.tensor)))
            elif kept.state == "hooked":
                found.append(Saved(kept.name, "by a hook", 0))
    return tuple(dict.fromkeys(found))


def _bytes(t: Tensor) -> int:
    return int(t.numel()) * t.itemsize


class Pass:
    """A backward pass: what is there before it, and what it has done."""

    def __init__(self, outputs: Iterable[Any], into: Iterable[Any] | None, letter: Callable[[Tensor], str]):
        from ..autograd.facts import behind, kept_by
        from ..autograd.origin import edge_of

        tensors = [t for t in outputs if isinstance(t, Tensor) and t._keys & KEY_AUTOGRAD]
        edges = [edge_of(t) for t in tensors]
        self.nodes, leaves = behind([e[0] if type(e) is tuple else e for e in edges if e is not None])
        self.into = [t for t in into if isinstance(t, Tensor)] if into is not None else leaves
        self.keeping = [node for node in self.nodes if any(k.tensor is not None for k in kept_by(node))]
        self.letters = [letter(k.tensor) for n in self.keeping for k in kept_by(n) if k.tensor is not None]
        self.before = {_address(t._notes.get("_grad")) for t in leaves}

    def done(
        self, result: Sequence[Tensor] | None, letter: Callable[[Tensor], str]
    ) -> tuple[list[tuple[str, Tensor]], int, str]:
        """The gradients, each with the letter of its tensor; how many bytes are new; and what was freed, as text."""
        from ..autograd.facts import kept_by

        grads = list(result) if isinstance(result, tuple) else [t._notes.get("_grad") for t in self.into]
        pairs = [(letter(t), g) for t, g in zip(self.into, grads, strict=False) if isinstance(g, Tensor)]
        fresh = {_address(g): g.untyped_storage().nbytes() for _, g in pairs if _plain(g)}
        new = sum(nbytes for address, nbytes in fresh.items() if address not in self.before)
        freed = [n for n in self.keeping if any(k.state == "freed" for k in kept_by(n))]
        if not freed:
            return pairs, new, ""
        kept = ", ".join(dict.fromkeys(self.letters)) if len(freed) == len(self.keeping) else ""
        nodes = f"{len(freed)} nodes" if len(freed) > 1 else "one node"
        return pairs, new, f"frees what {nodes} saved" + (f": {kept}" if kept else "")


def _plain(t: Tensor | None) -> bool:
    return isinstance(t, Tensor) and not isinstance(t._array, NonStridedArray)


def _address(t: Any) -> int:
    return t.untyped_storage().data_ptr() if _plain(t) else 0
