"""A sparse tensor: the dense grid next to its indices and values. `show(x)`.

Each kept element has a number; its cell in the grid, its indices and its value carry the class of that number. What is
left out is dotted. Of a tensor by rows (or columns) the pointers carry the classes of the elements between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any

import numpy as np

from ..arrays.labels import atom
from ..arrays.special_kinds import BY_COLUMNS, is_meta, kept_by_name
from ..arrays.values import bytes_text, count, in_cell, index_text, shape_text, short
from ..arrays.window import edges, window_of
from ..drawing.inline import bold
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Cell, Gap, Heading, Note, Sentence, Sheet, Stack, Title, note
from ..drawing.tokens import place
from ..parts.grid import Framed, Grid
from ..parts.panel import panel
from ..parts.view_grid import with_gaps

WHOLE = 120
"""Cells of the grid that are drawn at most; of more, the edges."""
ENTRIES = 10
"""Kept elements that are drawn at most."""
SEARCHED = 1 << 20
"""Kept elements among which those of the window are looked for."""

LEFT_OUT = Cell("…", kind="gap")


def sparse_picture(arrays: Sequence[Any], labels: Sequence[str]) -> Picture:
    """The picture of `show` for one sparse tensor."""
    if len(arrays) != 1:
        raise TypeError("show draws one sparse tensor at a time: show(x)")
    if is_meta(arrays[0]):
        x, label = arrays[0], labels[0]
        facts = f"{str(x.dtype).rpartition('.')[2]}, {str(x.layout).rpartition('.')[2]}, meta"
        plan = Sentence(label, f"size {shape_text(tuple(x.shape))}", "A plan: it has a size, and keeps nothing.")
        return Picture([Title(f"{label}: {count(prod(x.shape), 'element')}, none of them there", facts), plan])
    parts = parts_of(arrays[0])
    return _Drawing(parts, labels[0]).picture()


# -- what is kept ------------------------------------------------------------------------------------------------


@dataclass
class Parts:
    """A sparse tensor of any library, as arrays; `at` has the sparse coordinates of each kept element (or block)."""

    layout: str
    size: tuple[int, ...]
    dtype: str
    at: np.ndarray
    values: np.ndarray
    block: tuple[int, ...] = ()
    rows: dict[str, np.ndarray] = field(default_factory=dict)
    """The index arrays as they are kept, by name; of pointers there is one more than lines."""
    sums: bool = False
    """Whether coordinates may repeat, and values add up."""

    @property
    def entries(self) -> int:
        return self.at.shape[1]

    @property
    def kind(self) -> tuple[str, str]:
        """What an entry is called, one and many."""
        return ("block", "blocks") if self.block else ("entry", "entries")


def parts_of(x: Any) -> Parts:
    """Read a sparse tensor of ours or of PyTorch's by the methods that both have."""
    layout = str(x.layout).rpartition(".")[2]
    size, dtype = tuple(x.shape), str(x.dtype).rpartition(".")[2]
    kept = {name: _array(part) for name, part in kept_by_name(x).items()}
    values = kept.pop("values")
    if layout == "sparse_coo":
        at = kept["indices"]
        rows = {f"dim {d}": row for d, row in enumerate(at)}
        return Parts(layout, size, dtype, at, values, (), rows, not x.is_coalesced())
    by_columns = layout in BY_COLUMNS
    outer, inner = kept.values()
    if outer.ndim > 1:
        raise TypeError("show draws one compressed matrix, and this is a batch of them: show(x[0])")
    lines = np.repeat(np.arange(len(outer) - 1), np.diff(outer))
    at = np.stack([inner, lines] if by_columns else [lines, inner])
    block = values.shape[1:3] if layout in ("sparse_bsr", "sparse_bsc") else ()
    return Parts(layout, size, dtype, at, values, block, kept)


def _array(x: Any) -> np.ndarray:
    x = x.detach()
    return np.asarray(x.float() if str(x.dtype).endswith("bfloat16") else x)


# -- what is drawn -----------------------------------------------------------------------------------------------


class _Drawing:
    def __init__(self, parts: Parts, label: str):
        self.parts, self.label = parts, label
        self.window = window_of(parts.size, WHOLE)
        n = parts.entries
        self.shown = tuple(range(n)) if n <= ENTRIES else edges(n, ENTRIES)
        self.grid, self.owners = self._dense()

    def picture(self) -> Picture:
        parts = self.parts
        stored = parts.entries * prod(parts.values.shape[1:])
        facts = f"size {shape_text(parts.size)}, {parts.dtype}, {parts.layout}"
        head = f"{self.label}: {count(stored, 'value is', 'values are')} kept for {count(prod(parts.size), 'element')}"
        blocks: list[Block] = [Title(head, facts), Beside([self._panel(), self._rows()], gap=36, below=8)]
        blocks += [Heading("Bytes"), self._bytes(), self._sentence()]
        left = parts.entries - len(self.shown)
        if left:
            verb = "is" if left == 1 else "are"
            blocks.append(Note(f"Of the list of {count(parts.entries, *parts.kind)} {left:,} {verb} not drawn."))
        if parts.sums and self._repeated():
            blocks.append(Note("Coordinates repeat: values that share one are added. coalesce() does it for good."))
        return Picture(blocks)

    def _dense(self) -> tuple[dict[tuple[int, ...], Any], dict[tuple[int, ...], list[int]]]:
        """The drawn elements that are kept: their values, and the numbers of the entries that they come from."""
        parts = self.parts
        collected: dict[tuple[int, ...], Any] = {}
        owners: dict[tuple[int, ...], list[int]] = {}
        sparse = len(parts.at)
        inside = np.ones(min(parts.entries, SEARCHED), bool)
        step = parts.block or (1,) * sparse
        for d in range(sparse):
            drawn = np.unique(np.array(self.window.kept[d], np.int64) // step[d]) if self.window.kept else ()
            inside &= np.isin(parts.at[d, :SEARCHED], drawn)
        kept = [set(k) for k in self.window.kept]
        for n in np.flatnonzero(inside).tolist():
            corner = [int(i) * s for i, s in zip(parts.at[:, n], step, strict=True)]
            value = np.asarray(parts.values[n])
            for place_ in np.ndindex(value.shape):
                within, rest = (place_[: len(step)], place_[len(step) :]) if parts.block else ((0,) * sparse, place_)
                index = (*[c + w for c, w in zip(corner, within, strict=True)], *rest)
                if all(i in k for i, k in zip(index, kept, strict=True)):
                    collected[index] = value[place_] + collected[index] if index in collected else value[place_]
                    owners.setdefault(index, []).append(n)
        return collected, owners

    def _fill(self, n: int) -> str:
        return place(n, max(self.parts.entries, 2))

    def _panel(self) -> Block:
        cells: dict[tuple[int, ...], Cell] = {}
        nothing = "False" if self.parts.dtype == "bool" else "0"
        for index in self.window.indices():
            name = atom(self.label) + index_text(index)
            if index in self.grid:
                numbers = self.owners[index]
                keys = " ".join(f"k-A{n}" for n in numbers)
                mark = "linked" if self._example() == index else ""
                cells[index] = Cell(
                    in_cell(_plain(self.grid[index])),
                    keys,
                    note(name, self._reason(index)),
                    self._fill(numbers[0]),
                    "solid",
                    mark,
                )
            else:
                cells[index] = Cell(nothing, "", note(name, f"left out, so it is {nothing}"), "", "ghost")
        axes = tuple(range(len(self.window.size)))
        caption = ((bold(self.label), f" {shape_text(self.parts.size)}"),)
        return panel(caption, self.window, cells, axes, small=len(self.window.size) > 0)

    def _rows(self) -> Block:
        """The arrays that are kept, one below the other."""
        parts = self.parts
        across = with_gaps(self.shown)
        heads = [_gap(parts.entries - len(self.shown)) if n is None else str(n) for n in across]
        lines: list[list[Cell]] = []
        names: list[str] = []
        grids: list[Block] = []
        for name, row in parts.rows.items():
            if name not in ("crow_indices", "ccol_indices"):
                names.append(name)
                lines.append(
                    [
                        LEFT_OUT
                        if n is None
                        else self._cell(n, str(int(row[n])), f"{name}[{n}]", f"entry {n} is at {self._at(n)}")
                        for n in across
                    ]
                )
            else:
                grids.append(self._pointers(name, row))
        if grids:
            grids.append(Gap(16))
        names.append("values")
        lines.append(
            [
                LEFT_OUT if n is None else self._cell(n, self._value(n), f"values[{n}]", f"entry {n}, at {self._at(n)}")
                for n in across
            ]
        )
        wide = max(len(cell.text) for line in lines for cell in line) if self.shown else 1
        grids.append(
            Framed(
                Grid(
                    lines, names, heads, (0, 1), (4, 0), min(60, max(30, 8 * wide + 8)), 28, gutter=96,
                    caption=((bold("kept"), f" {count(parts.entries, *parts.kind)}"),),
                )
            )
        )  # fmt: skip
        return Stack(grids)

    def _cell(self, n: int, text: str, subject: str, reason: str) -> Cell:
        example = self._example()
        mark = "linked" if example is not None and n in self.owners[example] else ""
        return Cell(text, f"k-A{n}", note(subject, reason), self._fill(n), "solid", mark)

    def _pointers(self, name: str, row: np.ndarray) -> Block:
        """Where each row (or column) begins among the entries."""
        line_word = "column" if name[:2] == "cc" else "row"
        shown = with_gaps(tuple(range(len(row))) if len(row) <= ENTRIES + 1 else edges(len(row), ENTRIES))
        heads = [_gap(len(row) - ENTRIES) if k is None else str(k) for k in shown]
        cells = []
        for k in shown:
            if k is None:
                cells.append(LEFT_OUT)
                continue
            last = k == len(row) - 1
            begin, end = int(row[k]), int(row[k]) if last else int(row[k + 1])
            keys = " ".join(f"k-A{n}" for n in range(begin, min(end, begin + 64)))
            text = (
                f"{line_word} {k} has the entries {begin} to {end - 1}" if end > begin else f"{line_word} {k} has none"
            )
            cells.append(Cell(str(begin), keys, note(f"{name}[{k}]", "where the last one ends" if last else text)))
        caption = ((bold(name), f" where each {line_word} begins"),)
        width = max(30, 8 * max(len(cell.text) for cell in cells) + 6)
        return Framed(Grid([cells], (), heads, (0, 0), (4, 0), width, 28, caption=caption))

    def _value(self, n: int) -> str:
        value = self.parts.values[n]
        if np.ndim(value) == 0:
            return short(_plain(value))
        flat = np.asarray(value).reshape(-1)
        inner = " ".join(short(_plain(v)) for v in flat[:3])
        return f"[{inner}{' …' if len(flat) > 3 else ''}]"

    def _at(self, n: int) -> str:
        kind = "block " if self.parts.block else ""
        return kind + shape_text(tuple(int(i) for i in self.parts.at[:, n]))

    # -- words ---------------------------------------------------------------------------------------------------

    def _repeated(self) -> bool:
        return any(len(numbers) > 1 for numbers in self.owners.values())

    def _example(self) -> tuple[int, ...] | None:
        """The element in hand: one that is a sum if there is any, else the last that is kept."""
        drawn = [i for i, numbers in self.owners.items() if set(numbers) & set(self.shown)]
        sums = [i for i in drawn if len(self.owners[i]) > 1]
        if not drawn:
            return None
        return sums[0] if sums else drawn[-1]

    def _reason(self, index: tuple[int, ...]) -> str:
        numbers = self.owners[index]
        parts = self.parts
        values = " + ".join(f"values[{n}]" for n in numbers)
        if len(numbers) > 1 and parts.values.ndim == 1:
            return f"{values} = {' + '.join(self._value(n) for n in numbers)} = {short(_plain(self.grid[index]))}"
        if len(numbers) == 1 and parts.values.ndim > 1:
            values += self._within(index, numbers[0])
        return f"{values} = {short(_plain(self.grid[index]))}, at {self._at(numbers[0])}"

    def _within(self, index: tuple[int, ...], n: int) -> str:
        """The position of an element in its block or dense part."""
        step = self.parts.block
        inside = tuple([i - int(c) * s for i, c, s in zip(index, self.parts.at[:, n], step, strict=False)])
        return index_text((*inside, *index[len(self.parts.at) :]))

    def _sentence(self) -> Sentence:
        index = self._example()
        after = "A dotted element is not stored; it counts as zero."
        if index is None:
            return Sentence(self.label, "nothing is kept, so every element is 0", after)
        return Sentence(atom(self.label) + index_text(index), self._reason(index), after)

    def _bytes(self) -> Sheet:
        """What each part takes, compared with a dense tensor of the same size."""
        parts = self.parts
        item = int(parts.values.dtype.itemsize)
        if parts.dtype == "bfloat16":
            item = 2
        indices = sum(int(row.nbytes) for row in parts.rows.values())
        values = parts.values.size * item
        dense = prod(parts.size) * item
        rows = [("indices", bytes_text(indices)), ("values", bytes_text(values))]
        rows += [("together", bytes_text(indices + values)), ("as a dense tensor", bytes_text(dense))]
        return Sheet(("part", "takes"), tuple(rows), (160, 160))


def _gap(left: int) -> str:
    """How many are left out, above an ellipsis as wide as a number."""
    return f"…{left:,}" if left < 1000 else "…"


def _plain(value: Any) -> Any:
    return value.item() if hasattr(value, "item") else value
