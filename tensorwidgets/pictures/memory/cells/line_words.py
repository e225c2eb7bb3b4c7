"""What a line of a cell did, in words."""

from __future__ import annotations

from ...arrays.storages import Storage
from ...arrays.values import bytes_text, count
from ..census import Census, Place, size_text
from .trace import Did

MOST = 3
"""How many storages of each sort are told one by one."""


def did_words(one: Did, letters: dict[Place, Storage], now: Census) -> str:
    """`allocated A (4.0 MB) for x; wrote 3 places of B`, of the last time that the line did anything."""
    made = [f"allocated {_called(letters.get(where), n)} for {names}" for where, n, names in one.made]
    wrote = [
        f"wrote {count(written.count, 'place' if written.exact else 'block')} of {_letter(letters.get(where))}"
        for where, written in one.wrote
    ]
    wrote += [f"wrote to {_letter(letters.get(where))} the values it already had" for where in one.rewrote]
    freed = [f"freed {bytes_text(n)} that were {names}" for names, n in one.freed]
    parts = _few(made, sum(n for _, n, _ in one.made), "in all") + _few(wrote)
    parts += _few(_bound(one, letters)) + _few(_lost(one, letters, now))
    for names, nbytes, whose_graph in one.left_to:
        keeps = "keep" if whose_graph.startswith("the graphs") else "keeps"
        parts.append(f"{names} leads nowhere now, and {whose_graph} {keeps} its {bytes_text(nbytes)} alive")
    more = one.graph[0] - sum(nbytes for _, nbytes, _ in one.left_to)
    if more > 0:
        parts.append(f"its graph keeps {bytes_text(more)} that no name leads to")
    if one.graph[1]:
        parts.append(f"the graph let go of {bytes_text(one.graph[1])}")
    hidden = [f"{names} leads nowhere now, and its {bytes_text(n)} are alive all the same" for names, n in one.hidden]
    parts += _few(hidden) + _few(freed, sum(n for _, n in one.freed), "in all")
    # A run that changed nothing is not among them.
    times = f"had an effect {one.times:,} times; the last time: " if one.times > 1 else ""
    return times + "; ".join(parts)


def _few(parts: list[str], nbytes: int = 0, after: str = "") -> list[str]:
    """The first of them, and how many more there are."""
    if len(parts) <= MOST:
        return parts
    whole = f", {bytes_text(nbytes)} {after}" if nbytes else ""
    return [*parts[:MOST], f"and {len(parts) - MOST} more{whole}"]


def _letter(s: Storage | None) -> str:
    return s.letter if s is not None else "what is gone now"


def _called(s: Storage | None, nbytes: int) -> str:
    return f"{s.letter} ({size_text(s)})" if s is not None else bytes_text(nbytes)


def _bound(one: Did, letters: dict[Place, Storage]) -> list[str]:
    """Names that lead to memory that was there."""
    parts = []
    for where in dict.fromkeys(where for _, where in one.bound):
        names = [name for name, p in one.bound if p == where]
        lead = "leads" if len(names) == 1 else "lead"
        parts.append(f"{' and '.join(names)} {lead} to {_letter(letters.get(where))}: nothing is copied")
    return parts


def _lost(one: Did, letters: dict[Place, Storage], now: Census) -> list[str]:
    """Names that lead no more to memory that was there still."""
    parts = []
    bound = {name for name, _ in one.bound}
    for name, where in one.lost:
        s = letters.get(where)
        if name in bound:
            continue
        if s is None:
            parts.append(f"{name} no longer leads to what is gone now")
            continue
        rest = [other.name for other in now.of(s)]
        keeps = "keeps" if len(rest) == 1 else "keep"
        shown = ", ".join(rest[:MOST]) + (f" and {len(rest) - MOST} more" if len(rest) > MOST else "")
        parts.append(f"{name} no longer leads to {s.letter}; {shown} {keeps} its {bytes_text(s.nbytes)} alive")
    return parts
