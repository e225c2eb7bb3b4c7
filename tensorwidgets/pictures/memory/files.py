"""The anatomy of a file: its bytes to scale, its tensors, what it asks for that it may not have, and what a partial
read touches.

The names in it come from an untrusted file, so all of them are escaped by one function.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..arrays.storages import letter
from ..arrays.values import bytes_text, count
from ..drawing.html import div, escape, framed, row, table, td, whole_or_none
from ..drawing.inline import Line, clash, muted
from ..drawing.picture import Picture
from ..drawing.scene import Block, Heading, Note, Sentence, Sheet, Title
from ..drawing.tokens import EDGE, INK, LINE, MID, MONO, MUTED, SANS, TINT, WASH, hue
from ..parts.grid import captioned

WIDE = 780
"""Pixels of the strip."""
PARTS, ROWS, LONG = 48, 24, 60
"""How many parts of the strip are drawn, how many lines of a list, how many letters of a name."""


@dataclass(frozen=True)
class Part:
    """A run of bytes as the strip shows it: a record, several small ones, or what lies between records."""

    name: str
    start: int
    end: int
    kind: str
    mark: str = ""
    """The letter of its storage."""
    touched: bool = False


def file_picture(anatomy: Any) -> FilePicture:
    """The picture of a file that has been laid open."""
    parts = parts_of(anatomy)
    letters = {part.name: part.mark for part in parts if part.mark}
    aside = f"{anatomy.form}, {bytes_text(anatomy.nbytes)}"
    blocks: list[Block] = [Title(short(anatomy.name), aside)]
    if parts:
        blocks.append(Strip(parts, anatomy.nbytes))
    if anatomy.tensors:
        heading = count(len(anatomy.tensors), "dataset" if anatomy.form == "HDF5" else "tensor")
        blocks += [Heading(heading), _tensors(anatomy.tensors, letters)]
        blocks += _more(len(anatomy.tensors))
    if anatomy.refused:
        blocks += [Heading("Asked for, and refused"), _red("✗", anatomy.refused)]
        blocks += _more(len(anatomy.refused))
        blocks.append(Note("Nothing of this was called or looked up, and no option of load would change that."))
    if anatomy.problems:
        blocks += [Heading("Wrong"), _red("✗", anatomy.problems)]
        blocks += _more(len(anatomy.problems))
    blocks.append(_sentence(anatomy))
    return FilePicture(blocks, anatomy)


class FilePicture(Picture):
    """A picture of a file, and the facts that it was drawn from as `.anatomy`."""

    __slots__ = ("anatomy",)

    def __init__(self, blocks: Sequence[Block], anatomy: Any):
        super().__init__(blocks)
        self.anatomy = anatomy


def parts_of(anatomy: Any) -> list[Part]:
    """The records in the order of their bytes, with the gaps between them; small neighbours drawn as one."""
    results: list[Part] = []
    at = lettered = 0
    for record in sorted(anatomy.records, key=lambda r: (r.start, r.nbytes)):
        if record.start > at:
            results.append(Part("between records", at, record.start, "gap"))
        end = record.start + record.nbytes
        mark = ""
        if record.kind in ("storage", "chunk") and record.nbytes:
            mark, lettered = letter(lettered), lettered + 1
        touched = any(record.start < last and first < end for first, last in anatomy.touched)
        if record.nbytes:
            results.append(Part(record.name, record.start, end, record.kind, mark, touched))
        at = max(at, end)
    if results and at < anatomy.nbytes:
        results.append(Part("list of records", at, anatomy.nbytes, "gap"))
    return _merged(results)


def _merged(parts: list[Part]) -> list[Part]:
    """So few parts that each can be seen: neighbours that nothing distinguishes become one."""
    while len(parts) > PARTS:
        sizes = [b.end - a.start for a, b in zip(parts, parts[1:], strict=False)]
        same = [k for k in range(len(sizes)) if parts[k].touched == parts[k + 1].touched] or [*range(len(sizes))]
        k = min(same, key=sizes.__getitem__)
        a, b = parts[k], parts[k + 1]
        kind = a.kind if a.kind == b.kind else "several"
        parts = [*parts[:k], Part(f"{a.name} … {b.name}", a.start, b.end, kind, "", a.touched), *parts[k + 2 :]]
    return parts


@dataclass(frozen=True)
class Strip:
    """All bytes of the file in a row, as wide as they are many; what would be thinner than a line is a line."""

    parts: Sequence[Part]
    nbytes: int

    def html(self) -> str:
        widths = self._widths()
        cells = "".join(self._cell(part, width) for part, width in zip(self.parts, widths, strict=True))
        ends = row(
            td(escape("byte 0"), _ruler("left"), span=max(1, len(widths) // 2))
            + td(escape(f"{self.nbytes:,}"), _ruler("right"), span=len(widths) - max(1, len(widths) // 2))
        )
        rows = [row(cells), ends if len(widths) > 1 else ""]
        text = captioned((muted("Its bytes from first to last"),))
        return framed(table(rows, widths, cls="tw-file", caption=text, least=480), below=4) + div(
            escape(self._legend()), f"font:400 11px/16px {SANS};color:{MUTED}"
        )

    def _legend(self) -> str:
        kinds = {part.kind for part in self.parts}
        words = ["chunks have letters" if "chunk" in kinds else "storages have letters"]
        words += ["▤ is the pickle"] if "pickle" in kinds else []
        words += ["■ is what the read touches"] if any(part.touched for part in self.parts) else []
        return ", ".join(words)

    def _widths(self) -> list[int]:
        least = [26 if part.touched else 6 for part in self.parts]
        room = max(0, WIDE - sum(least))
        shares = [(part.end - part.start) / max(self.nbytes, 1) for part in self.parts]
        return [width + round(room * share) for width, share in zip(least, shares, strict=True)]

    def _cell(self, part: Part, width: int) -> str:
        fill, ink, sign = WASH, MUTED, ""
        if part.kind in ("storage", "chunk"):
            colour = hue(ord(part.mark[-1]) - 65 if part.mark else 0)
            fill, ink, sign = TINT[colour], LINE[colour], part.mark
            if part.touched:
                fill, ink, sign = MID[colour], INK, f"■{part.mark}"
        elif part.kind == "pickle":
            sign = "▤"
        look = f"height:34px;background:{fill};color:{ink};border-left:1px solid {EDGE};overflow:hidden"
        look += f";font:600 11px/34px {MONO};white-space:nowrap"
        words = f"{short(part.name)}: bytes {part.start:,} to {part.end - 1:,}"
        return td(whole_or_none(sign if width >= 9 * len(sign) else "", 34), look, title=words)

    def text(self) -> str:
        lines = []
        for part in self.parts:
            if part.kind != "gap":
                sign = "■" if part.touched else " "
                name = f"{part.mark:>2} {short(part.name)}"
                lines.append(f"{sign} {part.start:>14,} {part.end - part.start:>14,} bytes  {name}")
        return "\n".join(lines)


def _ruler(side: str) -> str:
    return f"text-align:{side};font:400 11px/16px {MONO};color:{MUTED};padding-top:2px"


def _tensors(tensors: Sequence[Any], letters: dict[str, str]) -> Sheet:
    rows = []
    for t in tensors[:ROWS]:
        where = f"{_letters(t.storage, letters)} {t.storage}".strip() or "no bytes"
        how = "" if t.stride is None else f"stride {list(t.stride)}"
        if t.offset:
            how += f", offset {t.offset:,}"
        rows.append(
            (short(t.place) or "the object", f"{t.kind} {t.dtype}", short(str(list(t.size))), short(how), short(where),
             f"{t.nbytes:,}")
        )  # fmt: skip
    return Sheet(("where", "what", "size", "how it looks", "bytes in", "up to"), tuple(rows),
                 (180, 150, 110, 170, 100, 90))  # fmt: skip


def _letters(storage: str, letters: dict[str, str]) -> str:
    """The letter of a record, or those of the first and the last chunk of a dataset."""
    if storage in letters:
        return letters[storage]
    chunks = [mark for name, mark in letters.items() if name.startswith(f"{storage} [")]
    return "" if not chunks else chunks[0] if len(chunks) == 1 else f"{chunks[0]} … {chunks[-1]}"


def _red(sign: str, lines: Sequence[str]) -> Block:
    return Lines(tuple((clash(f"{sign} "), short(line, 200)) for line in lines[:ROWS]))


@dataclass(frozen=True)
class Lines:
    """Remarks one below the other, broken where they are long."""

    lines: tuple[Line, ...]

    def html(self) -> str:
        return "".join(Note(line, top=2).html() for line in self.lines)

    def text(self) -> str:
        return "\n".join(Note(line).text() for line in self.lines)


def _more(listed: int) -> list[Block]:
    return [Note((muted(f"… and {listed - ROWS:,} more"),))] if listed > ROWS else []


def _sentence(anatomy: Any) -> Sentence:
    if anatomy.touched:
        touched = sum(end - start for start, end in anatomy.touched)
        share = f"{touched:,} of {anatomy.nbytes:,} bytes"
        runs = count(len(anatomy.touched), "run")
        return Sentence("touched", f"{share}, in {runs}", "The rest of the file stays on the disk.")
    if anatomy.form == "HDF5":
        if anatomy.loadable:
            return Sentence("load_hdf5", "reads each by its name, and parts of it by an index",
                            "Nothing of it has been read to draw this.")  # fmt: skip
        return Sentence("load_hdf5", "refuses it because of what is listed in red", bar="clash")
    if anatomy.loadable:
        return Sentence("loads", "all that it asks for is on the list", "Nothing of it has been loaded to draw this.")
    return Sentence("does not load", "load refuses it because of what is listed in red", bar="clash")


def short(text: str, most: int = LONG) -> str:
    """A name that the file made up, cut where it becomes endless."""
    return text if len(text) <= most else text[: most - 1] + "…"
