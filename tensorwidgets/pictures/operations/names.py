"""Named dimensions: names with their places, how they travel, unify, contract and clash. `show.names(img, bias)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...engine.dimension_names import Aligned, Names, align_to, checked, matmul, unify
from ...engine.errors.reasons import Reason
from ...engine.geometry import broadcast
from ..arrays.labels import atom
from ..arrays.values import count, shape_text
from ..drawing.inline import Line, bold, muted, words
from ..drawing.picture import Picture
from ..drawing.scene import Beside, Block, Gap, Heading, Note, Sentence, Stack, Title, note
from ..parts.chips import EMPTY, Chip, ChipTable, fitting, name_order
from ..parts.shapes import verdict_words
from .broadcast.clash import WayOut, refusal
from .operands import Operand, operands_of

OPS = ("+", "@")


def names_picture(
    things: Sequence[Any], labels: Sequence[str], names: Any = None, align: Sequence[str | None] | None = None,
    op: str | None = None,
) -> Picture:  # fmt: skip
    """The picture of `show.names`; names that cannot be, or do not go together, are drawn with the ways out."""
    if not things:
        raise TypeError("show.names() takes arrays or shapes: show.names(x, names=('batch', 'channel'))")
    if op is not None and op not in OPS:
        raise ValueError(f"op= is '+' or '@', not {op!r}")
    operands = operands_of(things, labels)
    given = _given(things, operands, names)
    known: list[Names] = []
    for operand, own in zip(operands, given, strict=True):
        result = checked(own, len(operand.size))
        if isinstance(result, Reason):
            return _no_names(operand, own, result)
        known.append(result)
    sides = [Side(o, n) for o, n in zip(operands, known, strict=True)]
    if len(sides) == 1:
        return _alone(sides[0], align)
    head = "Names in a matrix product" if op == "@" else "Names are matched, not positions"
    blocks: list[Block] = [Title(head, " and ".join(o.label for o in operands))]
    for side in sides if align is not None else ():
        blocks += _travel(side, align or ())
    blocks += _sections(sides, op)
    return Picture(blocks)


class Side:
    """An operand with its names."""

    def __init__(self, operand: Operand, names: Names):
        self.operand, self.names = operand, names
        self.label, self.size = operand.label, operand.size

    def chip(self, d: int, kind: str = "name", below: str = "") -> Chip:
        text = f"dim {d}, size {self.size[d]}"
        if self.operand.kind != "number":
            text += f", stride {self.operand.stride[d]}"
        return Chip(self.names[d], self.size[d], below, kind, note(f"{self.names[d]} of {self.label}", text))


def _given(things: Sequence[Any], operands: Sequence[Operand], names: Any) -> list[tuple[Any, ...]]:
    """The names of each operand: from the argument, else from the tensor's own `.names`, else none."""
    if names is not None and (isinstance(names, str) or not isinstance(names, Sequence)):
        raise TypeError(f"names= takes a name for each dimension, such as ('batch', 'channel'), not {names!r}")
    if names is not None and len(things) == 1 and all(n is None or isinstance(n, str) for n in names):
        names = (names,)
    if names is not None and len(names) != len(things):
        raise ValueError(f"names= takes the names of each of the {len(things)} arrays, and got {len(names)}")
    out: list[tuple[Any, ...]] = []
    for k, (thing, operand) in enumerate(zip(things, operands, strict=True)):
        own = names[k] if names is not None else None
        if own is None:
            mine = getattr(thing, "names", None)
            own = mine if isinstance(mine, (tuple, list)) else (None,) * len(operand.size)
        out.append(tuple(own))
    return out


def _no_names(operand: Operand, given: tuple[Any, ...], reason: Reason) -> Picture:
    """Names that a tensor cannot have."""
    wrong = reason.facts.get("name")
    listed = tuple(n if isinstance(n, str) else None for n in given)
    chips = []
    for d in range(max(len(listed), len(operand.size))):
        bad = d >= len(listed) or d >= len(operand.size) or (wrong is not None and listed[d] == wrong)
        name = listed[d] if d < len(listed) else None
        size = operand.size[d] if d < len(operand.size) else 0
        there = d < len(operand.size)
        said = f"dim {d}, size {size}" if there else f"there is no dim {d}"
        kind = "clash" if bad else "name"
        chips.append(Chip(name, size, "" if there else "no dimension", kind, note(f"{name} of {operand.label}", said)))
    table = ChipTable(((bold(operand.label), tuple(chips)),), name_order([listed]), width=fitting(len(chips)))
    blocks: list[Block] = [Title(f"{operand.label} cannot have these names", shape_text(operand.size)), table]
    return Picture([*blocks, refusal(reason, str(wrong) if wrong is not None else "names"), *_in_words(reason)])


def _in_words(reason: Reason) -> list[Block]:
    return [Note("Instead: " + "; or ".join(reason.instead) + ".", top=12)] if reason.instead else []


# -- one tensor ------------------------------------------------------------------------------------


def _alone(side: Side, align: Sequence[str | None] | None) -> Picture:
    if align is None:
        blocks: list[Block] = [Title(f"The names of {side.label}", shape_text(side.size)), _places(side)]
        named = [n for n in side.names if n is not None]
        after = "A name says which dimension is meant, whatever its position."
        if not named:
            return Picture([*blocks, Sentence(side.label, "no dimension has a name", after)])
        d = side.names.index(named[-1])
        text = f"'{named[-1]}' is dim {d}, or {d - len(side.names)} from the right: size {side.size[d]}"
        return Picture([*blocks, Sentence(side.label, text, after)])
    title = Title("Names travel, bytes stay", "align_to moves names, sizes and strides together")
    return Picture([title, *_travel(side, align)])


def _places(side: Side) -> ChipTable:
    chips = tuple(side.chip(d, below=f"stride {side.operand.stride[d]}") for d in range(len(side.size)))
    heads = tuple(f"position {k}" for k in range(len(chips)))
    return ChipTable(((bold(side.label), chips or (EMPTY,)),), name_order([side.names]), heads, fitting(len(chips)))


def _travel(side: Side, wanted: Sequence[str | None]) -> list[Block]:
    """align_to, with a line for each name from its old place to its new one."""
    aligned = align_to(side.names, tuple(wanted))
    code = f"{atom(side.label)}.align_to({', '.join(repr(n) for n in wanted)})"
    if isinstance(aligned, Reason):
        lost = aligned.facts.get("name")
        chips = tuple(
            side.chip(d, "clash" if lost is not None and name == lost else "name") for d, name in enumerate(side.names)
        )
        table = ChipTable(((bold(side.label), chips),), name_order([side.names]), (), fitting(len(chips)))
        return [table, refusal(aligned, code), *_in_words(aligned)]
    old, stride = side.operand.size, side.operand.stride
    before = tuple(side.chip(d, below=f"stride {stride[d]}") for d in range(len(old)))
    after = tuple(_moved(side, aligned, k) for k in range(len(aligned.names)))
    wide = max(len(before), len(after))
    table = ChipTable(
        ((bold(side.label), before), (bold(".align_to(…)"), after)), name_order([side.names, aligned.names]),
        tuple(f"position {k}" for k in range(wide)), fitting(wide),
        routes=tuple(aligned.order.index(d) if d in aligned.order else None for d in range(len(old))),
    )  # fmt: skip
    new = sum(d is None for d in aligned.order)
    fewest = min((s for n, s in zip(old, stride, strict=True) if n > 1), default=0)
    named = next((str(n) for n, s, k in zip(side.names, stride, old, strict=True) if s == fewest and k > 1), "")
    text = f"Same storage, {count(side.operand.numel, 'element')}, no copy"
    text += f": stride {fewest} is still with {named}. " if named else ". "
    text += "Only the order of the names has changed."
    if new:
        text += f" {count(new, 'new dimension')} of size 1 {'takes' if new == 1 else 'take'} no memory."
    return [table, Sentence(code, f"positions ({', '.join(str(d) for d in aligned.order)})", text)]


def _moved(side: Side, aligned: Aligned, k: int) -> Chip:
    d = aligned.order[k]
    if d is None:
        return Chip(
            aligned.names[k],
            1,
            "new, stride 0",
            "name",
            note(f"{aligned.names[k]} of the aligned", "a new dimension of size 1"),
        )
    was = f", was {d}" if d != k else ""
    step = side.operand.stride[d]
    text = f"dim {k}{was}, size {side.size[d]}, stride {step}"
    said = note(f"{side.names[d]} of the aligned", text)
    return Chip(side.names[d], side.size[d], f"stride {step}{was}", note=said)


# -- several tensors -------------------------------------------------------------------------------


def _sections(sides: Sequence[Side], op: str | None) -> list[Block]:
    """The sum, the product, or what the sizes allow of both."""
    adds = not isinstance(broadcast(*(side.size for side in sides)), Reason)
    multiplies = len(sides) == 2 and all(side.size for side in sides) and _inner_sizes_agree(*sides)
    if op == "@" or (op is None and multiplies and not adds):
        return _multiplying(sides)
    blocks = _adding(sides)
    if op is None and multiplies:
        # One picture has one sentence that answers, and it is the last; a refusal keeps its own.
        blocks = [
            Note(block.reason) if isinstance(block, Sentence) and block.bar == "ink" else block for block in blocks
        ]
        blocks += [Gap(8), *_multiplying(sides)]
    return blocks


def _inner_sizes_agree(one: Side, other: Side) -> bool:
    return one.size[-1] == other.size[-2 if len(other.size) > 1 else -1]


def _adding(sides: Sequence[Side]) -> list[Block]:
    """Names lined up from the right, as the sizes are."""
    result: Names | Reason = sides[0].names
    for side in sides[1:]:
        if not isinstance(result, Reason):
            result = unify(result, side.names)
    size = broadcast(*(side.size for side in sides))
    code = " + ".join(side.label for side in sides)
    if not isinstance(result, Reason):
        head = Heading("Adding: the names agree", 4)
        table = _lined_up(sides, [(side.label, side.size, side.names) for side in sides], "")
        if isinstance(size, Reason):
            return [Heading("Adding: the names agree, the sizes do not", 4), table, refusal(size, code)]
        named = ", ".join(str(n) for n in result)
        return [head, table, Sentence(code, f"names ({named}), size {shape_text(size)}", "A name wins over no name.")]
    rows = [(side.label, side.size, side.names) for side in sides]
    blocks: list[Block] = [Heading(_what_clashes(result, size), 4), _lined_up(sides, rows, result)]
    return [*blocks, refusal(result, code), *_ways_out(sides, result)]


def _what_clashes(reason: Reason, size: tuple[int, ...] | Reason) -> str:
    if reason.rule == "names.misaligned":
        return "Adding: the same name in two places"
    return "Adding: a clash of names" + ("" if isinstance(size, Reason) else ", though the sizes agree")


Row = tuple[Line, tuple[int, ...], Names]


def _lined_up(sides: Sequence[Side], rows: Sequence[Row], wrong: Reason | str) -> ChipTable:
    """One column for each dimension, counted from the right, and what comes of it."""
    wide = max(len(size) for _, size, _ in rows)
    bad = wrong.facts["names"] if isinstance(wrong, Reason) else ()
    axis = wrong.facts["from_end"] if isinstance(wrong, Reason) else 0
    out: list[tuple[Line, tuple[Chip, ...]]] = []
    for label, size, names in rows:
        chips = [EMPTY] * (wide - len(size))
        for d, (name, n) in enumerate(zip(names, size, strict=True)):
            misplaced = isinstance(wrong, Reason) and wrong.rule == "names.misaligned" and name in bad
            clash = misplaced or (bool(bad) and name in bad and d - len(size) == axis)
            new = name is None and n == 1 and len(size) == wide and isinstance(label, tuple)
            kind = "clash" if clash else "ghost" if new else "name"
            chips.append(Chip(name, n, "", kind, note(f"{name} of {words(label)}", f"size {n}")))
        out.append((label if not isinstance(label, str) else bold(label), tuple(chips)))
    verdicts = tuple(_verdict(rows, axis_, wrong) for axis_ in range(-wide, 0))
    out.append((muted("so"), verdicts))
    order = name_order([side.names for side in sides])
    return ChipTable(tuple(out), order, (), fitting(wide))


def _verdict(rows: Sequence[Row], axis: int, wrong: Reason | str) -> Chip:
    there = [(names[axis], size[axis]) for _, size, names in rows if len(size) >= -axis]
    names = list(dict.fromkeys(name for name, _ in there if name is not None))
    sizes = [n for _, n in there]
    wide = list(dict.fromkeys(n for n in sizes if n != 1))
    if len(names) > 1:
        return Chip(below=" ≠ ".join(names), kind="wrong")
    if isinstance(wrong, Reason) and wrong.rule == "names.misaligned" and wrong.facts["name"] in names:
        return Chip(below=f"{names[0]} is elsewhere", kind="wrong")
    if len(wide) > 1:
        return Chip(below=" ≠ ".join(map(str, wide)), kind="wrong")
    kind = "missing" if len(there) < len(rows) else "equal" if len(set(sizes)) == 1 else "stretch"
    said = verdict_words(kind, sizes)
    if kind == "equal" and len(names) == 1:
        return Chip(
            below=f"the same name, {said}" if all(n for n, _ in there) else f"{names[0]} wins over none", kind="words"
        )
    return Chip(below=said, kind="words")


def _ways_out(sides: Sequence[Side], reason: Reason) -> list[Block]:
    """align_as where one tensor's names are all among the other's; rename; both into one order."""
    if len(sides) != 2:
        return []
    blocks: list[Block] = []
    for one, other in ((sides[1], sides[0]), (sides[0], sides[1])):
        aligned = align_to(one.names, other.names) if None not in other.names else None
        if isinstance(aligned, Aligned):
            size = tuple(1 if d is None else one.size[d] for d in aligned.order)
            names = tuple(n if d is not None else None for n, d in zip(aligned.names, aligned.order, strict=True))
            if not isinstance(broadcast(size, other.size), Reason):
                label: Line = (bold(one.label), muted(f".align_as({other.label})"))
                rows: list[Row] = [(other.label, other.size, other.names), (label, size, names)]
                blocks += [Heading("A way out: names are matched, not positions", 16), _lined_up(sides, rows, "")]
                break
    parts = _renamed(sides, reason)
    return (
        [*blocks, Gap(14), Beside(parts, 32) if sum(p.width for p in parts) <= 790 else Stack(parts)]
        if parts
        else blocks
    )


def _renamed(sides: Sequence[Side], reason: Reason) -> list[WayOut]:
    one, other = sides
    a, b = reason.facts["names"]
    out = []
    if a != b and a is not None and b is not None and a not in other.names and b in other.names:
        d, e = one.names.index(a), other.names.index(b)
        if one.size[d] == other.size[e] or 1 in (one.size[d], other.size[e]):
            code = f"{one.label} + {atom(other.label)}.rename({b}='{a}')"
            out.append(WayOut(code, f"if {a} and {b} are the same thing.", ()))
    union = name_order([one.names, other.names])
    if None not in (*one.names, *other.names) and len(union) > 0:
        listed = ", ".join(repr(n) for n in union)
        size = broadcast(*(_sizes_in(side, union) for side in sides))
        if not isinstance(size, Reason) and (a != b):
            code = f"both .align_to({listed})"
            out.append(WayOut(code, f"if they are not: the result is {shape_text(size)}.", ()))
    return out


def _sizes_in(side: Side, order: Sequence[str]) -> tuple[int, ...]:
    return tuple(side.size[side.names.index(name)] if name in side.names else 1 for name in order)


# -- the matrix product ----------------------------------------------------------------------------


def _multiplying(sides: Sequence[Side]) -> list[Block]:
    """Which names stay, and which two are summed away."""
    if len(sides) != 2:
        raise ValueError("@ takes two tensors")
    one, other = sides
    code = f"{one.label} @ {other.label}"
    if not one.size or not other.size:
        return [Note(f"{code}: a matrix product needs at least one dimension on each side.")]
    result = matmul(one.names, other.names)
    batches = max(len(one.size), len(other.size), 2) - 2
    inner = -2 if len(other.size) > 1 else -1
    agree = _inner_sizes_agree(one, other)
    bad = result.facts["names"] if isinstance(result, Reason) else ()
    left = _product_row(one, batches, rows=len(one.size) > 1, inner=-1, columns=False, bad=bad, agree=agree)
    right = _product_row(other, batches, rows=False, inner=inner, columns=len(other.size) > 1, bad=bad, agree=agree)
    lines: list[tuple[Line, tuple[Chip, ...]]] = [(bold(one.label), left), (bold(other.label), right)]
    if not isinstance(result, Reason) and agree:
        lines.append((bold(code), _product(one, other, result, batches)))
    wide = batches + 3
    table = ChipTable(tuple(lines), name_order([one.names, other.names]), (), min(120, fitting(wide)), 100)
    blocks: list[Block] = [
        Heading("Multiplying: the last of one and the last but one of the other are summed away", 16),
        table,
    ]
    if isinstance(result, Reason):
        return [*blocks, refusal(result, code), *_in_words(result)]
    text = f"names ({', '.join(map(str, result))})"
    a, b = one.names[-1], other.names[inner]
    if not agree:
        return [
            *blocks,
            Sentence(code, f"sizes {one.size[-1]} ≠ {other.size[inner]}: nothing to sum along", "", "clash"),
        ]
    after = (
        f"{a} is summed away."
        if a == b
        else f"{a} is summed with {b}: a matrix product compares their sizes, not their names."
    )
    return [*blocks, Sentence(code, text, after)]


def _product_row(
    side: Side, batches: int, rows: bool, inner: int, columns: bool, bad: Sequence[str | None], agree: bool
) -> tuple[Chip, ...]:
    """An operand of a product: batches, rows, what is summed, columns; empty where it has none."""
    own = len(side.size) - (1 if len(side.size) == 1 else 2)
    chips = [EMPTY] * (batches - own)
    chips += [side.chip(d, "clash" if bad and side.names[d] in bad else "name") for d in range(own)]
    chips.append(side.chip(len(side.size) - 2, "clash" if bad and side.names[-2] in bad else "name") if rows else EMPTY)
    chips.append(side.chip(len(side.size) + inner, "summed" if agree else "clash"))
    chips.append(
        side.chip(len(side.size) - 1, "clash" if bad and side.names[-1] in bad else "name") if columns else EMPTY
    )
    return tuple(chips)


def _product(one: Side, other: Side, names: Names, batches: int) -> tuple[Chip, ...]:
    lead = broadcast(one.size[:-2], other.size[:-2])
    sizes = [0] * batches if isinstance(lead, Reason) else list(lead)
    rest = list(names[batches:])

    def chip(name: str | None, size: int) -> Chip:
        return Chip(name, size, note=note(f"{name} of {one.label} @ {other.label}", f"size {size}"))

    chips = [chip(name, n) for name, n in zip(names, sizes, strict=False)]
    chips.append(chip(rest.pop(0), one.size[-2]) if len(one.size) > 1 else EMPTY)
    chips.append(Chip(below="Σ", kind="sum"))
    chips.append(chip(rest.pop(0), other.size[-1]) if len(other.size) > 1 else EMPTY)
    return tuple(chips)
