"""What is alive, and who shares: names, views, storages, devices. `show.memory()`, and `%%memory` after each cell."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import Any

from ..arrays.inside import INSIDE, LOOKED_AT
from ..arrays.values import bytes_text, count
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Title
from .cells.growth import Looks
from .cells.leaks import leak_rows
from .cells.line_rows import cell_blocks
from .cells.trace import Trace
from .census import Census, Change, census, taken
from .chosen import chosen, listed
from .kept_by_graphs import MOST, Row
from .memory_map import Map
from .memory_words import at_rest, happened, remarks
from .old_outputs import kept_by_outputs
from .roles import hue_of, shares_of


def memory(
    names: Mapping[str, Any] | Census, changed: Change | None = None, sources: Mapping[str, str] | None = None,
    cell: str = "", trace: Trace | None = None, looks: Looks | None = None,
) -> Picture:  # fmt: skip
    """The map of a namespace, or of a census with what a cell changed in it, and the trace of its lines.

    `looks` remembers what was there at the last look of a notebook.
    """
    trace = trace or Trace()
    now = names if isinstance(names, Census) else census(names, contents=False)
    aside = f"{count(len(now.names), 'name')}, {count(len(now.storages), 'storage')}, {bytes_text(taken(now.storages))}"
    planned = sum(s.nbytes for s in now.storages if s.planned)
    aside += f", and {bytes_text(planned)} planned on meta" if planned else ""
    aside += f", and {bytes_text(now.graphs.nbytes)} in graphs" if now.graphs.alone else ""
    blocks: list[Block] = [Title("What is alive, and who shares", aside)]
    lines: list[Block] = [*cell_blocks(trace, now), *leak_rows(trace.leaks, trace.lines)]
    growth = looks.since(now) if looks is not None else None
    if growth is not None:
        lines.append(growth)
    blocks += lines
    if lines:
        blocks.append(Gap(24))
    outputs = "" if isinstance(names, Census) else kept_by_outputs(names)
    if not now.names:
        nothing = Sentence("nothing", "no name leads to an array here", outputs)
        return Picture([*blocks, nothing])
    change = changed or Change()
    roles = {s.letter: [one.role for one in now.of(s)] for s in now.storages}
    real = [s for s in now.storages if not s.planned]
    shares = shares_of(roles, real, change.new, now.graphs.nbytes, now.graphs.nodes)
    hues = {}
    if shares is not None:
        blocks += [shares, Gap(16)]
        hues = {letter: hue_of(found) for letter, found in roles.items()}
    drawn, rest = chosen(now, change)
    blocks.append(Map(now, tuple(drawn), change, sources or {}, hues))
    if rest:
        blocks += [Gap(12), listed(now, rest)]
    if now.graphs.alone:
        blocks.append(Row(now.graphs))
    if outputs:
        blocks.append(Note(outputs))
    blocks.append(at_rest(now) if changed is None else happened(now, changed, trace.did, cell))
    unwatched: Sequence[str] = trace.remarks
    if now.more:
        unwatched = [*unwatched, f"Of a list or a dictionary the first {INSIDE} items are looked at."]
    if now.cut:
        unwatched = [*unwatched, f"Names lead to more than {LOOKED_AT:,} things; the rest is not looked at."]
    if now.graphs.more:
        unwatched = [*unwatched, f"Of graphs the first {MOST:,} nodes are looked at."]
    blocks.append(Note(remarks(change, unwatched)))
    return Picture(blocks)


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
