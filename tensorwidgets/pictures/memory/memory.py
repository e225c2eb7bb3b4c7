"""What is alive, and who shares: names, views, storages, devices. `show.memory()`, and `%%memory` after each cell."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ..arrays.inside import INSIDE
from ..arrays.storages import Storage
from ..arrays.values import bytes_text, count, shape_text
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Sheet, Title
from .cells.growth import Looks
from .cells.leaks import leak_rows
from .cells.line_rows import cell_blocks
from .cells.trace import Trace
from .census import Census, Change, census
from .kept_by_graphs import MOST, Row
from .memory_map import NAMES, Map
from .memory_words import at_rest, cut, happened, remarks
from .roles import hue_of, shares_of

ROWS, LISTED = 16, 20
"""How many names are drawn, and how many more storages are listed in words."""


def memory(
    names: Mapping[str, Any] | Census, changed: Change | None = None, sources: Mapping[str, str] | None = None,
    cell: str = "", trace: Trace | None = None, looks: Looks | None = None,
) -> Picture:  # fmt: skip
    """The map of a namespace, or of a census with what a cell changed in it, and the trace of its lines.

    `looks` remembers what was there at the last look of a notebook.
    """
    trace = trace or Trace()
    now = names if isinstance(names, Census) else census(names, contents=False)
    total = sum(s.nbytes for s in now.storages)
    aside = f"{count(len(now.names), 'name')}, {count(len(now.storages), 'storage')}, {bytes_text(total)}"
    aside += f", and {bytes_text(now.graphs.nbytes)} in graphs" if now.graphs.alone else ""
    blocks: list[Block] = [Title("What is alive, and who shares", aside)]
    lines: list[Block] = [*cell_blocks(trace, now), *leak_rows(trace.leaks, trace.lines)]
    growth = looks.since(now) if looks is not None else None
    if growth is not None:
        lines.append(growth)
    if not now.names:
        blocks.append(Sentence("nothing", "no name leads to an array here"))
        return Picture([*blocks, *lines])
    change = changed or Change()
    roles = {s.letter: [one.role for one in now.of(s)] for s in now.storages}
    shares = shares_of(roles, now.storages, change.new, now.graphs.nbytes, now.graphs.nodes)
    hues = {}
    if shares is not None:
        blocks += [shares, Gap(16)]
        hues = {letter: hue_of(found) for letter, found in roles.items()}
    order = sorted(now.storages, key=lambda s: s.layouts[0].device != "cpu")
    drawn: list[Storage] = []
    rows = 0
    for s in sorted(order, key=lambda s: (_weight(s, change), -s.nbytes)):
        rows += min(len(now.of(s)), NAMES)
        if rows <= ROWS or not drawn:
            drawn.append(s)
    rest = sorted([s for s in order if s not in drawn], key=lambda s: -s.nbytes)
    drawn = [s for s in order if s in drawn]
    blocks.append(Map(now, tuple(drawn), change, sources or {}, hues))
    if rest:
        blocks += [Gap(12), _listed(now, rest)]
    if now.graphs.alone:
        blocks.append(Row(now.graphs))
    blocks += lines
    blocks.append(at_rest(now) if changed is None else happened(now, changed, trace.did, cell))
    unwatched: Sequence[str] = trace.remarks
    if now.more:
        unwatched = [*unwatched, f"Of a list or a dictionary the first {INSIDE} items are looked at."]
    if now.graphs.more:
        unwatched = [*unwatched, f"Of graphs the first {MOST:,} nodes are looked at."]
    blocks.append(Note(remarks(change, unwatched)))
    return Picture(blocks)


def _weight(s: Storage, changed: Change) -> int:
    """Which storages are drawn first where there are too many: what the cell touched, then what is shared."""
    return 0 if s.letter in changed.written else 1 if s in changed.new else 2 if len(s.layouts) > 1 else 3


def _listed(now: Census, rest: Sequence[Storage]) -> Block:
    rows = []
    for s in rest[:LISTED]:
        layout = s.layouts[0]
        rows.append(
            (
                cut(", ".join(one.name for one in now.of(s)), 44),
                f"{shape_text(layout.size)} {layout.dtype}",
                f"{s.letter} {bytes_text(s.nbytes)}",
                layout.device,
            )  # fmt: skip
        )
    if len(rest) > LISTED:
        others = rest[LISTED:]
        nbytes = bytes_text(sum(s.nbytes for s in others))
        rows.append((f"and {count(len(others), 'more storage')}", "", nbytes, ""))
    return Sheet(("also alive", "view", "storage", "device"), tuple(rows), (0, 0, 130, 60))


def assignments(cells: Sequence[str]) -> dict[str, str]:
    """What each name was last set to, as the source of the cells has it.

    >>> assignments(["x = 1", "y = x + 1; x = f(y)"])
    {'x': 'f(y)', 'y': 'x + 1'}
    """
    collected: dict[str, str] = {}
    for source in cells:
        try:
            tree = ast.parse(source)
        except SyntaxError:
            continue
        for node in tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                collected[node.targets[0].id] = ast.unparse(node.value)
    return collected
