"""What a line of a cell did, in words."""

from __future__ import annotations

from ...arrays.storages import Storage
from ...arrays.values import bytes_text, count
from ..census import Census, Place
from .trace import Did


def did_words(one: Did, letters: dict[Place, Storage], now: Census) -> str:
    """`allocated A (4.0 MB) for x; wrote 3 places of B`, of the last time that the line did anything."""
    parts = []
    for where, nbytes, names in one.made:
        s = letters.get(where)
        called = f"{s.letter} ({bytes_text(nbytes)})" if s is not None else bytes_text(nbytes)
        parts.append(f"allocated {called} for {names}")
    for where, written in one.wrote:
        s = letters.get(where)
        what = count(written.count, "place" if written.exact else "block")
        parts.append(f"wrote {what} of {s.letter if s is not None else 'what is gone now'}")
    for where in dict.fromkeys(where for _, where in one.bound):
        new_names = [name for name, p in one.bound if p == where]
        s = letters.get(where)
        lead = "leads" if len(new_names) == 1 else "lead"
        there = s.letter if s is not None else "what is gone now"
        parts.append(f"{' and '.join(new_names)} {lead} to {there}: nothing is copied")
    bound = {name for name, _ in one.bound}
    for name, where in one.lost:
        s = letters.get(where)
        if s is None and name not in bound:
            parts.append(f"{name} leads no more to what is gone now")
        if s is not None and name not in bound:
            rest = [other.name for other in now.of(s)]
            keeps = "keeps" if len(rest) == 1 else "keep"
            parts.append(
                f"{name} leads to {s.letter} no more; {', '.join(rest)} {keeps} its {bytes_text(s.nbytes)} alive"
            )
    for names, nbytes, whose_graph in one.left_to:
        parts.append(f"{names} leads nowhere now, and {whose_graph} keeps its {bytes_text(nbytes)} alive")
    more = one.graph[0] - sum(nbytes for _, nbytes, _ in one.left_to)
    if more > 0:
        parts.append(f"its graph keeps {bytes_text(more)} that no name leads to")
    if one.graph[1]:
        parts.append(f"the graph let go of {bytes_text(one.graph[1])}")
    for names, nbytes in one.hidden:
        parts.append(f"{names} leads nowhere now, and its {bytes_text(nbytes)} are alive all the same")
    for names, nbytes in one.freed:
        parts.append(f"freed {bytes_text(nbytes)} that were {names}")
    times = f"{one.times:,} times; the last time: " if one.times > 1 else ""
    return times + "; ".join(parts)
