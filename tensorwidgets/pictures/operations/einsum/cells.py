"""Which cells meet in an einsum: each has its letters, and names the elements that depend on it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import prod
from typing import Any

import numpy as np

from ....engine.types.einsum_equation import Plan
from ...arrays.storages import letter as storage_letter
from ...arrays.values import in_cell, index_text, short
from ...arrays.window import Window, edges
from ...drawing.scene import Cell, note
from ...drawing.tokens import place
from ...parts.letters import Alphabet, key, spelled
from ..broadcast.meetings import Scale
from ..meeting import Meeting, meeting_type, numpy_type
from ..operands import Index, Keys, Operand, keys_of, operand_of, reading

ROOM = 200
"""The largest number of cells to draw; of larger operands, only corners are drawn."""
WHOLE = 4096
"""The largest operand, in elements, that is read whole to compute the sums."""
WORK = 500_000
"""The largest number of products to compute for a picture."""
FEW = 32
"""A sum of more terms is abbreviated to its first terms and its last."""
FIRST = 4
"""How many terms of a long sum are written before the last."""
RESULT = "result"


class Fibres:
    """An equation that fits, with what is known of its operands."""

    def __init__(self, plan: Plan, operands: Sequence[Operand], things: Sequence[Any]):
        self.plan = plan
        self.alphabet = Alphabet(tuple(plan.size_of), plan.summed)
        self.kept = _kept(plan)
        self.known = self._known()
        self.operands = [self._read(k, o, thing) for k, (o, thing) in enumerate(zip(operands, things, strict=True))]
        self.keys = self._keys()
        self.meeting = meeting_type(self.operands)
        self.values = self._values(things)
        self.scale = Scale([v for o in self.operands for v in (o.values or {}).values()])
        self.result_scale = Scale(list(self.values.values()))
        self.hand = self._example()

    def _read(self, k: int, operand: Operand, thing: Any) -> Operand:
        sizes = zip(self.plan.inputs[k], operand.size, strict=True)
        known = [self.known[letter] if n == self.plan.size_of[letter] else (0,) for letter, n in sizes]
        return reading(operand, thing, known)

    def _known(self) -> dict[str, tuple[int, ...]]:
        """The values of each letter at which elements are read: those that are drawn, and those of the terms."""
        known = {letter: set(kept) for letter, kept in self.kept.items()}
        for number in self.numbers():
            for letter, i in self.place(number).items():
                known[letter].add(i)
        return {letter: tuple(sorted(values)) for letter, values in known.items()}

    def kept_of(self, letter: str, n: int) -> tuple[int, ...]:
        """The drawn indices of a dimension; a size of 1 that is stretched has one."""
        return self.kept[letter] if n == self.plan.size_of[letter] else (0,)

    def _keys(self) -> list[Keys]:
        """Storage classes; operands that share memory go without, for there only the letters say what meets."""
        keys = keys_of(self.operands)
        results = [k.letter for k in keys]
        return [replace(k, letter="") if results.count(k.letter) > 1 else k for k in keys]

    def _values(self, things: Sequence[Any]) -> dict[Index, Any]:
        """The drawn elements of the result, where the operands are small enough to be read whole."""
        small = all(o.numel <= WHOLE for o in self.operands) and self.plan.products <= WORK
        if not isinstance(self.meeting, Meeting) or not small:
            return {}
        try:
            arrays = [whole_of(o, thing, self.meeting.numpy) for o, thing in zip(self.operands, things, strict=True)]
            with np.errstate(all="ignore"):
                result = np.asarray(np.einsum(_spelled_out(self.plan), *arrays))
        except (TypeError, ValueError, OverflowError):
            return {}
        return {index: result[index].item() for index in self.window(self.plan.output).indices()}

    def window(self, names: Sequence[str], size: Sequence[int] = ()) -> Window:
        shape = tuple(size) or tuple(self.plan.size_of[letter] for letter in names)
        return Window(shape, tuple(self.kept_of(letter, n) for letter, n in zip(names, shape, strict=True)))

    def _example(self) -> dict[str, int] | None:
        """An index for each letter of the result."""
        window = self.window(self.plan.output)
        if not window.count:
            return None
        last = len(window.kept) - 1
        return {
            letter: k[min(2 if d == last else 1, len(k) - 1)]
            for d, (letter, k) in enumerate(zip(self.plan.output, window.kept, strict=True))
        }

    # -- cells -------------------------------------------------------------------------------------

    def hand_index(self) -> Index:
        """The example's index in the result."""
        return tuple((self.hand or {})[letter] for letter in self.plan.output)

    def letters_of(self, k: int, index: Index) -> dict[str, tuple[int, ...]] | None:
        """The values of the letters that an element takes part in; None off a diagonal, where none does."""
        collected: dict[str, tuple[int, ...]] = {}
        for letter, i, n in zip(self.plan.inputs[k], index, self.plan.sizes[k], strict=True):
            mine = (i,) if n == self.plan.size_of[letter] else self.kept[letter]
            if letter in collected and collected[letter] != mine:
                return None
            collected[letter] = mine
        return collected

    def operand_cell(self, k: int, index: Index) -> Cell:
        operand = self.operands[k]
        subject, text = operand.at(index), operand.text(index)
        known = operand.values is not None and index in operand.values
        storage = self.keys[k].of(index)
        letters = self.letters_of(k, index)
        if letters is None:
            twice = next(c for c in self.plan.inputs[k] if self.plan.inputs[k].count(c) > 1)
            said = f"never read: {spelled(twice)} is one number at a time"
            return Cell("", storage, note(subject, f"= {text}, {said}" if known else said), kind="hatch")
        keys = self._keyed(storage, letters)
        said = f"= {text}, " if known else ""
        hand = self.hand or {}
        lit = (
            self.hand is not None
            and bool(letters)
            and self.plan.products > 0
            and all(hand.get(c, n[0]) in n for c, n in letters.items())
        )
        fill = self.scale.fill((operand.values or {}).get(index))
        if operand.kind == "shape":
            fill = place(operand.offset(index), operand.numel)
        return Cell(text, keys, note(subject, said + self._goes_into(letters)), fill, mark="linked" if lit else "")

    def _keyed(self, storage: str, letters: Mapping[str, tuple[int, ...]]) -> str:
        """The classes of a cell; where a letter has size 0 nothing meets, and no letter links."""
        linked = [key(letter, i) for letter, many in letters.items() for i in many] if self.plan.products else []
        return " ".join([storage, *linked]).strip()

    def _goes_into(self, letters: Mapping[str, tuple[int, ...]]) -> str:
        """Which elements of the result an element goes into."""
        first, last = [], []
        for letter in self.plan.output:
            n = self.plan.size_of[letter]
            one = letters.get(letter, ())
            first.append(one[0] if len(one) == 1 else 0)
            last.append(one[0] if len(one) == 1 else n - 1)
        if not self.plan.products:
            return "goes into nothing: a letter has size 0"
        tail = f" .. {RESULT}{index_text(tuple(last))}" if first != last else ""
        return f"goes into {RESULT}{index_text(tuple(first))}{tail}"

    def result_cell(self, index: Index) -> Cell:
        at = dict(zip(self.plan.output, index, strict=True))
        own = f"k-{self._own_letter()}{_flat(index, self.plan.result)}"
        # An operand that shares no letter with the result goes into all of it, whatever its own letters are.
        apart = [c for names in self.plan.inputs if not set(names) & set(self.plan.output) for c in names]
        keys = self._keyed(own, {c: (i,) for c, i in at.items()} | {c: self.kept[c] for c in apart})
        value = self.values.get(index)
        text = in_cell(value) if index in self.values else "·"
        fill = (
            self.result_scale.fill(value)
            if self.values
            else place(_flat(index, self.plan.result), prod(self.plan.result))
        )
        return Cell(
            text,
            keys,
            note(RESULT + index_text(index), self.reason(index)),
            fill,
            mark="hand" if at == self.hand else "",
        )

    def _own_letter(self) -> str:
        used = {k.letter for k in self.keys}
        return next(c for c in map(storage_letter, range(len(used) + 1)) if c not in used)

    @property
    def added(self) -> int:
        """How many products are summed into each element of the result."""
        return prod(self.plan.size_of[letter] for letter in self.plan.summed)

    def numbers(self) -> list[int]:
        """Which terms of a sum are written: all of a few, otherwise the first few and the last."""
        return list(range(self.added)) if self.added <= FEW else [*range(FIRST), self.added - 1]

    def place(self, number: int) -> dict[str, int]:
        """The values of the summed letters in one term: the last letter runs fastest."""
        collected = {}
        for letter in reversed(self.plan.summed):
            number, collected[letter] = divmod(number, self.plan.size_of[letter])
        return {letter: collected[letter] for letter in self.plan.summed}

    def terms(self, index: Index) -> tuple[list[dict[str, int]], int]:
        """The values of all letters for the written terms of an element, and the number of terms."""
        at = dict(zip(self.plan.output, index, strict=True))
        return [at | self.place(number) for number in self.numbers()], self.added

    def number_text(self, value: Any) -> str:
        """A number in a sentence, where there is more room than in a cell."""
        if isinstance(value, (float, complex)):
            return f"{value:.6g}"
        return str(value) if isinstance(value, int) else short(value)

    def product(self, at: Mapping[str, int]) -> Any:
        """What is multiplied for one value of each letter."""
        out: Any = 1
        into = self.meeting.numpy if isinstance(self.meeting, Meeting) else None
        for names, operand in zip(self.plan.inputs, self.operands, strict=True):
            index = tuple(0 if n == 1 else at[letter] for letter, n in zip(names, operand.size, strict=True))
            out = wrapped(out * (operand.values or {})[index], into)
        return out

    def factors(self, at: Mapping[str, int]) -> list[tuple[str, str]]:
        """What is multiplied for one value of each letter: the element of each operand by name, and its text."""
        out = []
        for names, operand in zip(self.plan.inputs, self.operands, strict=True):
            index = tuple(0 if n == 1 else at[letter] for letter, n in zip(names, operand.size, strict=True))
            known = operand.values is not None and index in operand.values
            text = self.number_text((operand.values or {})[index]) if known else operand.text(index)
            out.append((operand.at(index), _signed(text)))
        return out

    def reason(self, index: Index, most: int = 5) -> str:
        """`= 4·2 + 5·0 + 6·1 = 14`, with dots where there are more terms than fit."""
        places, total = self.terms(index)
        if not total:
            return "= 0, a sum of nothing"
        typed = all(o.values is not None for o in self.operands)
        parts = ["·".join(text if typed else name for name, text in self.factors(at)) for at in places]
        if total > most:
            parts = [*parts[: most - 2], "…", parts[-1]]
        end = self.number_text(self.values[index]) if index in self.values else ""
        return f"= {' + '.join(parts)}" + (f" = {end}" if end and parts != [end] else "")


def _kept(plan: Plan) -> dict[str, tuple[int, ...]]:
    """Which values of each letter are drawn: all, or edges that are cut until the picture has room.

    >>> from tensorwidgets.engine.types.einsum_equation import fit, parse
    >>> _kept(fit(parse("ij,j->i"), [(2, 99), (99,)]))
    {'i': (0, 1), 'j': (0, 1, 2, 3, 4, 5, 93, 94, 95, 96, 97, 98)}
    """
    tensors = [*zip(plan.inputs, plan.sizes, strict=True), (plan.output, plan.result)]
    most = 0
    for most in (max(plan.size_of.values(), default=0), 12, 6, 4, 3, 2):
        cells = sum(prod(min(n, most) for n in size) for _, size in tensors)
        wide = any(len(size) > 1 and min(size[-1], most) > 16 for _, size in tensors)
        if cells <= ROOM and not wide:
            break
    return {letter: edges(n, min(n, most)) for letter, n in plan.size_of.items()}


def whole_of(operand: Operand, thing: Any, into: np.dtype) -> np.ndarray:
    """All elements of an operand, in the type of the result where that can count, else in one that can."""
    if operand.kind == "number":
        return np.asarray(thing).astype(into)
    if operand.layout is not None and not operand.layout.window.whole:
        operand = operand_of(thing, operand.label, WHOLE)
    values = operand.layout.values if operand.layout is not None else None
    if values is None:
        raise ValueError("no values")
    array = np.array(values, numpy_type(operand)).reshape(operand.size)
    return array.astype(np.float64 if into.kind in "fV" else into)


def wrapped(number: Any, into: np.dtype | None) -> Any:
    """A whole number as its type holds it: overflow wraps.

    >>> wrapped(40000, np.dtype("uint8")), wrapped(2.5, np.dtype("float32"))
    (64, 2.5)
    """
    if into is None or into.kind not in "iu" or not isinstance(number, int):
        return number
    low = number % (1 << (8 * into.itemsize))
    return low - (1 << (8 * into.itemsize)) if into.kind == "i" and low >> (8 * into.itemsize - 1) else low


def _spelled_out(plan: Plan) -> str:
    """The equation with letters for the dimensions of `...`."""
    free = [c for c in "zyxwvutsrqponmlkjihgfedcbaZYXWVUTSRQPONMLKJIHGFEDCBA" if c not in plan.size_of]
    names = {name: name if len(name) == 1 else free.pop() for name in plan.size_of}
    return (
        ",".join("".join(names[c] for c in one) for one in plan.inputs) + "->" + "".join(names[c] for c in plan.output)
    )


def _flat(index: Index, size: Sequence[int]) -> int:
    at = 0
    for i, n in zip(index, size, strict=True):
        at = at * n + i
    return at


def _signed(text: str) -> str:
    return f"({text})" if text.startswith("-") else text
