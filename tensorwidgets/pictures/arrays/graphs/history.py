"""What happened to the memory of one tensor: which nodes saved it at which version, and which lines wrote to it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from ..inside import arrays_in
from ..sources import is_array, library_of, must_have_a_size
from .tape import Place, kept_by, nodes_behind, place_of, short, storage_of


class Save(NamedTuple):
    """A node that keeps the memory for its backward pass."""

    node: str
    kept: tuple[str, ...]
    """The names under which it does."""
    version: int
    """The version that it saved, which it expects to find again."""
    place: Place | None = None


class Write(NamedTuple):
    """A write, by the version that it made."""

    version: int
    place: Place | None = None


class History(NamedTuple):
    """The saves and writes of one memory, the oldest first."""

    size: tuple[int, ...]
    dtype: str
    now: int
    """The version."""
    saves: tuple[Save, ...]
    writes: tuple[Write, ...]
    names: tuple[str, ...] = ()
    """Other names that lead to the memory, and count the same writes as far as the version shows."""
    apart: tuple[str, ...] = ()
    """Names that lead to the memory, and count other writes: what `.data` returns counts its own."""
    library: str = ""


def history_of(tensor: Any, label: str, names: Mapping[str, Any], results: Sequence[Any] = ()) -> History:
    """The history of a tensor's memory, as far as it is known.

    Saves are those of the graphs that `results` and the names lead to. Writes of PyTorch have no lines.
    """
    must_have_a_size(tensor)
    now = _version_of(tensor, label)
    key, _ = storage_of(tensor)
    named = list(arrays_in(names))
    found = []
    for node in nodes_behind([*_nodes_of(results), *_nodes_of(a for _, a in named if _may_be_asked(a))]):
        # What was saved at a later version than this tensor's counts other writes than it does.
        kept = [k for k in kept_by(node) if k[2] is not None and 0 <= k[3] <= now and storage_of(k[2])[0] == key]
        for version in sorted({k[3] for k in kept}):
            ways = tuple(k[0] for k in kept if k[3] == version)
            found.append((version, node._sequence_nr(), Save(short(node.name()), ways, version, place_of(node))))
    saves = tuple([save for _, _, save in sorted(found, key=lambda f: f[:2])])
    others = [(n, a) for n, a in named if n != label and hasattr(a, "untyped_storage") and storage_of(a)[0] == key]
    apart = tuple([n for n, a in others if _counted(a) != now])
    size, dtype = tuple(map(int, tensor.shape)), str(tensor.dtype).rpartition(".")[2]
    alike = tuple([n for n, _ in others if n not in apart])
    return History(size, dtype, now, saves, _writes(tensor, now), alike, apart, library_of(tensor))


def _counted(tensor: Any) -> int:
    """How many writes a tensor counted; -1 if it counts none."""
    try:
        return int(tensor._version)
    except (RuntimeError, AttributeError):  # made in inference mode, or no tensor
        return -1


def _version_of(tensor: Any, label: str) -> int:
    if not is_array(tensor) or not hasattr(type(tensor), "_version"):
        kind = f"an array of {library_of(tensor)}" if is_array(tensor) else f"{type(tensor).__name__!r}"
        raise TypeError(f"show.versions draws the history of a tensor of tensorwidgets or PyTorch, not of {kind}")
    try:
        return int(tensor._version)
    except RuntimeError:
        raise ValueError(
            f"{label} was made in inference mode, where writes are not counted. Take {label}.clone()"
        ) from None


def _nodes_of(tensors: Iterable[Any]) -> list[Any]:
    return [n for n in (t if hasattr(t, "next_functions") else t.grad_fn for t in tensors) if n is not None]


def _may_be_asked(array: Any) -> bool:
    """Whether to ask for its node: of a view this could make a new one."""
    return bool(getattr(array, "requires_grad", False)) and not array._is_view()


def _writes(tensor: Any, now: int) -> tuple[Write, ...]:
    known: dict[int, Place] = {}
    if library_of(tensor) == "tensorwidgets" and now:
        from ....engine.autograd.facts import writes_of

        known = {version: Place(*line) for version, line in writes_of(tensor) if line is not None}
    return tuple([Write(version, known.get(version)) for version in range(1, now + 1)])
