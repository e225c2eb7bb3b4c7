"""What do the graphs of named results keep alive that no name leads to? For the map of memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..arrays.graphs.tape import kept_by, leaf_of, nodes_behind, storage_of
from ..arrays.special_kinds import is_sparse, kept_by_name
from ..arrays.values import bytes_text, count
from ..drawing.html import div
from ..drawing.inline import Line, bold, markup, muted, words
from ..drawing.tokens import LINE, MONO, TINT

MOST = 4000
"""How many nodes are looked at in all."""
NAMES = 4

Key = tuple[str, int]


@dataclass(frozen=True)
class Graphs:
    """What the graphs of some results keep."""

    names: tuple[str, ...] = ()
    """The results."""
    nodes: int = 0
    alone: Mapping[Key, int] = field(default_factory=dict)
    """Bytes of the storages that no name and no leaf leads to, by device and address."""
    shared: int = 0
    """Bytes that the graphs keep and a name or a leaf keeps, too."""
    more: bool = False
    """Whether there are more nodes than were looked at."""

    @property
    def nbytes(self) -> int:
        return sum(self.alone.values())


def graphs_of(arrays: Iterable[tuple[str, Any]]) -> Graphs:
    """What the graphs of those arrays keep that have one."""
    arrays = list(arrays)
    roots = {}
    for name, array in arrays:
        if getattr(array, "requires_grad", False) and not getattr(array, "is_leaf", True) and not array._is_view():
            roots[name] = array.grad_fn
    if not roots:
        return Graphs()
    nodes = nodes_behind(roots.values(), MOST)
    leaves = [leaf for leaf in map(leaf_of, nodes) if leaf is not None]
    known = {
        key for t in (*[a for _, a in arrays], *leaves) if hasattr(t, "untyped_storage") for key, _ in _storages(t)
    }
    alone: dict[Key, int] = {}
    shared: dict[Key, int] = {}
    for node in nodes:
        for kept in kept_by(node) if leaf_of(node) is None else ():
            for key, nbytes in _storages(kept[2]) if kept[2] is not None else ():
                (shared if key in known else alone)[key] = nbytes
    return Graphs(tuple(roots), len(nodes) - len(leaves), alone, sum(shared.values()), len(nodes) > MOST)


def _storages(t: Any) -> list[tuple[Key, int]]:
    parts = kept_by_name(t).values() if is_sparse(t) else [t]
    return [(key, nbytes) for key, nbytes in map(storage_of, parts) if nbytes]


def changed(before: Graphs, now: Graphs) -> tuple[int, int]:
    """Bytes that graphs keep alone now and did not before, and the other way around."""
    more = sum(n for key, n in now.alone.items() if key not in before.alone)
    return more, sum(n for key, n in before.alone.items() if key not in now.alone)


def whose(graphs: Graphs) -> str:
    """`the graph of y`, `the graphs of y, loss and 2 more`."""
    names = graphs.names
    more = f" and {len(names) - NAMES} more" if len(names) > NAMES else ""
    return f"the graph{'s' if len(names) > 1 else ''} of {', '.join(names[:NAMES])}{more}"


@dataclass(frozen=True)
class Row:
    """What graphs keep, below the map of what names lead to."""

    graphs: Graphs

    def html(self) -> str:
        edge = f"4px dotted {LINE['sky']}"
        look = f"border-left:{edge};background:{TINT['sky']};padding:6px 10px;margin:12px 0 0;font:400 12px/18px {MONO}"
        return div(markup(self._line()), look)

    def _line(self) -> Line:
        g = self.graphs
        keeps = "keeps" if len(g.names) == 1 else "keep"
        one = whose(g)
        said: Line = (
            bold(one[0].upper() + one[1:]),
            f" {keeps} {count(len(g.alone), 'storage')} that no name leads to: ",
        )
        return (*said, bold(bytes_text(g.nbytes)), muted(f"; {_way(g)}"))

    def text(self) -> str:
        return words(self._line())


def _way(graphs: Graphs) -> str:
    storages = "it" if len(graphs.alone) == 1 else "them"
    return (
        f"show.saved({graphs.names[0]}) lists {storages}" if len(graphs.names) == 1 else f"show.saved lists {storages}"
    )
