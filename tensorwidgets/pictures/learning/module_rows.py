"""Which rows the tree of a model has: repeated blocks are folded, and so is what is too much."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import NamedTuple

from ..arrays.models.modules import Model
from ..arrays.models.sizes_through import Passed
from ..parts.rails import Rail

MOST = 60
"""How many rows are drawn."""
ALIKE = 3
"""How many neighbours that are alike are drawn one by one; of more, the first stands for all."""


class Row(NamedTuple):
    """A layer, or several that are alike."""

    rail: list[Rail]
    layers: tuple[int, ...]
    """The number of the layer; of a fold, those that it stands for."""
    depth: int

    @property
    def is_fold(self) -> bool:
        return self.rail[-1].dot == "⋮"


def rows_of(model: Model, passed: Mapping[int, Passed]) -> tuple[list[Row], int]:
    """The rows of a tree, and how many layers are left out below the last."""
    layers = model.layers
    children: list[list[int]] = [[] for _ in layers]
    for k, layer in enumerate(layers):
        if layer.parents:
            children[layer.parents[-1]].append(k)
    looks: list[Hashable] = [()] * len(layers)
    for k in reversed(range(len(layers))):
        layer = layers[k]
        kept = tuple([(one.name, one.size, one.dtype, one.kind, bool(one.same_as)) for one in layer.kept])
        looks[k] = (layer.kind, layer.facts, kept, layer.same_as, passed.get(k), tuple([looks[c] for c in children[k]]))
    rows: list[Row] = []

    def visit(k: int, lines: list[Rail]) -> None:
        inside = groups(children[k])
        dot = "●" if layers[k].kept else "○"
        rail = [*lines, Rail(False, bool(inside), bool(lines), False, dot)]
        rows.append(Row(rail, (k,), len(lines)))
        # The lines of the layers above go on where those have more children.
        above = [rail._replace(left=False, right=False, up=rail.down) for rail in lines]
        for at, group in enumerate(inside):
            more = at + 1 < len(inside)
            branch = [*above, Rail(True, more, False, True)]
            if len(group) > 1:
                fold = [*above, Rail(True, more, False, False, "⋮")]
                rows.append(Row(fold, tuple(group), len(lines) + 1))
            else:
                visit(group[0], branch)

    def groups(members: list[int]) -> list[list[int]]:
        """Neighbors, one by one, and what is folded of those that are alike."""
        runs: list[list[int]] = []
        for one in members:
            if runs and looks[runs[-1][0]] == looks[one]:
                runs[-1].append(one)
            else:
                runs.append([one])
        out = []
        for run in runs:
            out += [[one] for one in run] if len(run) <= ALIKE else [[run[0]], run[1:]]
        return out

    visit(0, [])
    hidden = sum(len(row.layers) for row in rows[MOST:])
    return rows[:MOST], hidden
