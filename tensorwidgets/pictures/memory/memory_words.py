"""What the map of memory says in words: who shares, what is kept alive, and what each line of a cell did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..arrays.coverage import coverage
from ..arrays.storages import Storage
from ..arrays.values import bytes_text, count, index_text
from ..drawing.scene import Sentence
from .cells.trace import Did
from .census import Alive, Census, Change, Place, place, size_text
from .kept_by_graphs import whose

MUCH = 1 << 20
"""The number of kept but unread bytes from which they are always mentioned."""


class Hold(NamedTuple):
    """A storage of which its names read only a part, and keep all of it."""

    storage: Storage
    names: tuple[str, ...]
    reads: int
    """Bytes that the names read together."""
    own: int
    """Bytes that copies of all of them would take."""
    copy: str
    """The method that copies."""

    @property
    def worth_telling(self) -> bool:
        rest = self.storage.nbytes - self.reads
        return rest >= MUCH or 2 * rest >= self.storage.nbytes

    def words(self) -> tuple[str, str]:
        """The subject and the reason: `row`, `reads 4 bytes and keeps 48 alive; row.clone() frees 44 bytes`."""
        names, nbytes = self.names, self.storage.nbytes
        one = len(names) == 1
        subject = names[0] if one else f"{', '.join(names[:-1])} and {names[-1]}"
        verb, keeps = ("reads", "keeps") if one else ("together read", "keep")
        said = f"{verb} {count(self.reads, 'byte')} and {keeps} {nbytes:,} alive"
        if self.own < nbytes and self.copy:
            way = f"{names[0]} = {names[0]}.{self.copy}()" if one else f"copying each with {self.copy}()"
            said += f"; {way} frees {count(nbytes - self.own, 'byte')}"
        return subject, said


def held(now: Census) -> list[Hold]:
    """Storages that are kept for a part of them, the largest rest first."""
    results = []
    for s in now.storages:
        names = now.of(s)
        if not s.nbytes or s.layouts[0].device == "meta" or any(layout.owner.mapped for layout in s.layouts):
            continue
        read = coverage(s, [one.layout for one in names])
        each = [coverage(s, [one.layout]) for one in names]
        if read is None or read.nbytes == s.nbytes or not all(each):
            continue
        own = sum(one.nbytes for one in each if one is not None)
        results.append(Hold(s, tuple(one.name for one in names), read.nbytes, own, _copying(names)))
    return sorted(results, key=lambda hold: hold.reads - hold.storage.nbytes)


def _copying(names: Sequence[Alive]) -> str:
    """The method that copies an array of these, where each is called by a name of its own and has that method."""
    libraries = {one.layout.library for one in names}
    if any("." in one.name and one.name.endswith(("indices", "values")) for one in names):
        return ""
    if libraries <= {"NumPy", "CuPy"}:
        return "copy"
    return "clone" if libraries <= {"PyTorch", "tensorwidgets"} else ""


def at_rest(now: Census) -> Sentence:
    """What there is to say of names when nothing has happened."""
    holds = [hold for hold in held(now) if hold.worth_telling]
    shared = max(now.storages, key=lambda s: len(now.of(s)))
    names = [one.name for one in now.of(shared)]
    sharing = ""
    if len(names) > 1:
        more = f" and {count(len(names) - 8, 'more name')}" if len(names) > 8 else ""
        others = (
            f"{', '.join(names[1:8])}{more} {'reads' if len(names) == 2 else 'read'} the same storage {shared.letter}"
        )
        sharing = _sharing(now, shared)
        if not holds:
            return Sentence(names[0], others, sharing)
        sharing = f"{names[0]}: {others}. {sharing}"
    if holds:
        more = " ".join(f"{subject} {said}." for subject, said in (hold.words() for hold in holds[1:3]))
        return Sentence(*holds[0].words(), f"{more} {sharing}".strip())
    if shared.planned:
        return Sentence(names[0], "is a plan: it takes no memory", "No two names share a byte.")
    return Sentence(names[0], f"reads all of storage {shared.letter} alone", "No two names share a byte.")


def _sharing(now: Census, shared: Storage) -> str:
    """Whether names of one storage read the same bytes of it."""
    names = now.of(shared)
    if not shared.nbytes:
        return "It has no bytes."
    together = coverage(shared, [one.layout for one in names])
    each = [coverage(shared, [one.layout]) for one in names]
    if together is None or any(one is None for one in each):
        return "Writing through one of them can change what the others read."
    if sum(one.nbytes for one in each if one is not None) > together.nbytes:
        return "Writing through one of them changes what the others read there."
    return "They read different bytes of it: none sees what is written through another, and each keeps all of it alive."


# -- what a cell did --------------------------------------------------------------------------------------


def cut(text: str, most: int = 60) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def happened(now: Census, changed: Change, did: Sequence[Did], cell: str) -> Sentence:
    """What the cell did: first of all what it wrote, else what it allocated, else what it left alive."""
    touched = {where for d in did for where in _touched(d)}
    holds = [hold for hold in held(now) if hold.worth_telling and (not did or place(hold.storage) in touched)]
    after = _aftermath(now, changed, holds)
    if changed.written:
        letter = next(iter(changed.written))
        storage = next(s for s in now.storages if s.letter == letter)
        line = next((d.line.source for d in did if any(w == place(storage) for w, _ in d.wrote)), _only_line(cell))
        return Sentence(_head(line), written_words(now, changed, storage), after)
    if changed.new:
        first = {where: names for d in did for where, _, names in d.made}
        made = [f"{s.letter} ({size_text(s)}) for {first.get(place(s)) or _names(now, s)}" for s in changed.new[:4]]
        lines = list(dict.fromkeys(d.line.source for d in did if d.made))
        subject = lines[0] if len(lines) == 1 else _only_line(cell)
        more = f" and {count(len(changed.new) - 4, 'more storage')}" if len(changed.new) > 4 else ""
        return Sentence(_head(subject), f"allocated {'; '.join(made)}{more}", after)
    letters = [s.letter for s in now.storages if any(place(s) in d.rewrote for d in did)]
    wrote = f"wrote to {' and '.join(letters)} the values that were already there" if letters else ""
    return Sentence(_head(_only_line(cell)), wrote or "allocated nothing and wrote to nothing that is alive", after)


def _head(line: str) -> str:
    """A line as the subject of a sentence."""
    return cut(line).removesuffix(":")


def _touched(did: Did) -> list[Place]:
    """The storages that a line made, wrote to, or whose names it changed."""
    named = [where for _, where in (*did.bound, *did.lost)]
    return [*named, *did.rewrote, *(where for where, _, _ in did.made), *(where for where, _ in did.wrote)]


def _names(now: Census, s: Storage) -> str:
    return " and ".join(one.name for one in now.of(s))


def _only_line(cell: str) -> str:
    """The line of a cell that has one; else the cell."""
    lines = [text for text in cell.strip().splitlines() if text.strip() and not text.strip().startswith(("#", "%"))]
    return lines[0].strip() if len(lines) == 1 else "this cell"


def written_words(now: Census, changed: Change, storage: Storage) -> str:
    """`wrote A[4] -> bytes 16..19, seen by x[1, 0]`."""
    written, letter = changed.written[storage.letter], storage.letter
    if not written.exact:
        most = written.count * max(written.step // storage.unit, 1)
        blocks = f"{count(written.count, 'block')} of {written.step:,} bytes"
        verb = "differs" if written.count == 1 else "differ"
        return f"wrote to {letter}: {blocks} {verb}, which is {written.count:,} to {most:,} places"
    unit = written.first // storage.unit
    seen = []
    for one in now.of(storage):
        _, index = storage.reads(one.layout, unit)
        if index is not None:
            seen.append(one.name + index_text(index))
    if written.count > 1:
        reason = f"wrote {count(written.count, 'place')} of {letter}, the first {letter}[{unit}]"
    else:
        first, last = unit * storage.unit, min((unit + 1) * storage.unit, storage.nbytes) - 1
        reason = f"wrote {letter}[{unit}] -> " + (f"bytes {first}..{last}" if last > first else f"byte {first}")
    return reason + (f", seen by {', '.join(seen)}" if seen else "")


def _aftermath(now: Census, changed: Change, holds: Sequence[Hold]) -> str:
    parts = []
    for hold in holds[:2]:
        subject, said = hold.words()
        parts.append(f"{subject} {said}.")
    if changed.written and changed.new:
        made = ", ".join(f"{s.letter} ({size_text(s)})" for s in changed.new[:4])
        parts.append(f"It also allocated {made}.")
    others = list(changed.written)[1:]
    if others:
        parts.append(f"It also wrote to {', '.join(others)}.")
    kept_more, let_go = changed.graph
    keep = "keeps" if len(now.graphs.names) == 1 else "keep"
    if kept_more:
        parts.append(f"{_upper(whose(now.graphs))} {keep} {bytes_text(kept_more)} more that no name leads to.")
    if let_go:
        parts.append(f"{bytes_text(let_go)} that only a graph kept are free again.")
    for names, nbytes in changed.freed[:3]:
        parts.append(f"{bytes_text(nbytes)} that were {names} are free again.")
    untouched = [
        one.name
        for s in now.storages
        if s.letter not in changed.written and s not in changed.new and s not in changed.unseen
        for one in now.of(s)[:3]
    ]
    if changed.written and untouched:
        verb = "lies elsewhere and keeps its values" if len(untouched) == 1 else "lie elsewhere and keep their values"
        more = f" and {count(len(untouched) - 8, 'more name')}" if len(untouched) > 8 else ""
        parts.append(f"{', '.join(untouched[:8])}{more} {verb}.")
    return " ".join(parts)


def _upper(text: str) -> str:
    return text[:1].upper() + text[1:]


def remarks(changed: Change, unwatched: Sequence[str] = ()) -> str:
    """What the reader has to know about the map of a cell."""
    parts = []
    if changed.written:
        parts.append("Δ marks what the cell changed; a place that was written the value that it had is not seen.")
    if any(not written.exact for written in changed.written.values()):
        parts.append(
            "A storage that is too large to be copied before the cell is compared by check sums of its blocks."
        )
    if changed.unseen:
        letters = ", ".join(s.letter for s in changed.unseen)
        parts.append(f"Whether {letters} was written to is not known: too large, or not in this machine's memory.")
    return " ".join([*parts, *unwatched])
