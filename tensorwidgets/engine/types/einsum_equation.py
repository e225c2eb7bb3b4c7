"""What an einsum equation says: which letter names which dimension of which operand, and which letters are summed.

Text and sizes in, a frozen plan or a `Reason` out; no arrays anywhere. `...` stands for whatever dimensions the letters
leave over: inside a plan they get names of their own, `...0`, `...1`, counted from the left of their common shape.

>>> plan = fit(parse("ij,jk"), [(2, 3), (3, 4)])
>>> plan.output, plan.result, plan.summed, plan.products
(('i', 'k'), (2, 4), ('j',), 24)
>>> fit(parse("ij,jk"), [(2, 3), (5, 4)]).because
'the letter j names 3 in operand 0 and 5 in operand 1: one letter has one size, and only a 1 stretches.'
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations
from math import prod
from typing import NamedTuple

from ..errors.reasons import Reason

REST = "..."
"""The token for the dimensions that no letter names."""

Letters = tuple[str, ...]
Ints = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Equation:
    """An equation as it is written: the letters of each operand and of the output, `...` as one token."""

    inputs: tuple[Letters, ...]
    output: Letters
    implicit: bool = False
    """Whether the output was not written and follows from the inputs."""

    def __str__(self) -> str:
        return ",".join(map("".join, self.inputs)) + "->" + "".join(self.output)


@dataclass(frozen=True, slots=True)
class Plan:
    """An equation together with the sizes of its operands: every dimension has a name, every name a size."""

    equation: Equation
    sizes: tuple[Ints, ...]
    inputs: tuple[Letters, ...]
    output: Letters
    size_of: Mapping[str, int]
    """In the order in which the letters appear."""

    @property
    def result(self) -> Ints:
        return tuple(self.size_of[letter] for letter in self.output)

    @property
    def summed(self) -> Letters:
        return tuple(letter for letter in self.size_of if letter not in self.output)

    @property
    def rest(self) -> Letters:
        """The names of what `...` stands for."""
        return tuple(sorted(letter for letter in self.size_of if letter.startswith(REST)))

    @property
    def products(self) -> int:
        """How many times the loops meet: one product of one element of each operand."""
        return prod(self.size_of.values())


def parse(text: str, dims: Sequence[int] | None = None) -> Equation | Reason:
    """The equation, checked for its spelling, and against the dimensions of each operand where these are known.

    >>> parse("...ij , ...jk")
    Equation(inputs=(('...', 'i', 'j'), ('...', 'j', 'k')), output=('...', 'i', 'k'), implicit=True)
    >>> parse("i.j").message
    "einsum(): found '.' for operand 0 that is not part of any ellipsis"
    """
    cut = text.find("->")
    left = text if cut < 0 else text[:cut]
    inputs: list[list[str]] = [[]]
    at = 0
    while at < len(left):
        mark = left[at]
        now = inputs[-1]
        if mark == ",":
            inputs.append([])
            if dims is not None and len(inputs) > len(dims):
                return _too_few_operands(left, len(dims))
        elif mark == ".":
            if REST in now:
                return _second_rest(text, at, f"for operand {len(inputs) - 1} for which an ellipsis was already found")
            if left[at : at + 3] != REST:
                return _lone_dot(text, at, f"for operand {len(inputs) - 1} that is not part of any ellipsis")
            now.append(REST)
            at += 2
        elif mark != " ":
            if not _is_letter(mark):
                return _no_letter(text, at)
            now.append(mark)
        at += 1
    known = tuple(tuple(letters) for letters in inputs)
    wrong = None if dims is None else _wrong_dims(known, dims)
    if wrong is not None:
        return wrong
    if cut < 0:
        return Equation(known, _implied(known), True)
    output = _read_output(text, cut + 2, known)
    return output if isinstance(output, Reason) else Equation(known, output)


def _read_output(text: str, at: int, inputs: tuple[Letters, ...]) -> Letters | Reason:
    output: list[str] = []
    while at < len(text):
        mark = text[at]
        if mark == ".":
            if REST in output:
                return _second_rest(text, at, "for output but an ellipsis (...) was already found")
            if text[at : at + 3] != REST:
                return _lone_dot(text, at, "for output that is not part of any ellipsis (...)")
            output.append(REST)
            at += 2
        elif mark != " ":
            if not _is_letter(mark):
                return _no_letter(text, at)
            if mark in output:
                return _twice_in_output(mark)
            if not any(mark in letters for letters in inputs):
                return _unknown_in_output(mark, inputs)
            output.append(mark)
        at += 1
    return tuple(output)


def _wrong_dims(inputs: tuple[Letters, ...], dims: Sequence[int]) -> Reason | None:
    if len(inputs) < len(dims):
        return _too_many_operands(len(inputs), len(dims))
    for k, (letters, ndim) in enumerate(zip(inputs, dims, strict=True)):
        named = len(letters) - (REST in letters)
        if named > ndim or (named < ndim and REST not in letters):
            return _wrong_count(letters, named, ndim, k)
    return None


def _is_letter(mark: str) -> bool:
    return mark.isascii() and mark.isalpha()


def _implied(inputs: tuple[Letters, ...]) -> Letters:
    """The output that nobody wrote: `...` first, then each letter that appears once, capitals first."""
    times = Counter(letter for letters in inputs for letter in letters)
    once = sorted(letter for letter, n in times.items() if n == 1 and letter != REST)
    return ((REST,) if REST in times else ()) + tuple(once)


def fit(equation: Equation | Reason, sizes: Sequence[Sequence[int]]) -> Plan | Reason:
    """Every letter with its size, if the sizes of the operands agree to that. A refusal to parse is passed on.

    >>> fit(parse("...i,i"), [(2, 5, 3), (1,)]).size_of
    {'...0': 2, '...1': 5, 'i': 3}
    """
    if isinstance(equation, Reason):
        return equation
    shapes = tuple(tuple(size) for size in sizes)
    wrong = _wrong_dims(equation.inputs, [len(size) for size in shapes])
    if wrong is not None:
        return wrong
    covered = [
        len(size) + (REST in letters) - len(letters) for letters, size in zip(equation.inputs, shapes, strict=True)
    ]
    width = max(covered, default=0)
    inputs = tuple(_spread(letters, n, width) for letters, n in zip(equation.inputs, covered, strict=True))
    size_of, conflict = _name_sizes(inputs, shapes)
    if conflict is not None:
        if conflict.repeated:
            return _repeated(conflict, shapes[conflict.operand], inputs[conflict.operand])
        return _clash(conflict, equation, shapes, inputs)
    output = _spread(equation.output, width if REST in equation.output else 0, width)
    return Plan(equation, shapes, inputs, output, size_of)


def _spread(letters: Letters, covered: int, width: int) -> Letters:
    """The letters with `...` written out as the names of what it covers, counted from the right."""
    if REST not in letters:
        return letters
    at = letters.index(REST)
    names = tuple(f"{REST}{k}" for k in range(width - covered, width))
    return letters[:at] + names + letters[at + 1 :]


class _Conflict(NamedTuple):
    """A letter that has one size already and is given another."""

    letter: str
    operand: int
    dim: int
    sizes: tuple[int, int]
    repeated: bool


def _name_sizes(inputs: tuple[Letters, ...], shapes: tuple[Ints, ...]) -> tuple[dict[str, int], _Conflict | None]:
    size_of: dict[str, int] = {}
    for k, (letters, size) in enumerate(zip(inputs, shapes, strict=True)):
        own: dict[str, int] = {}
        for dim, (letter, n) in enumerate(zip(letters, size, strict=True)):
            if own.setdefault(letter, n) != n:
                return size_of, _Conflict(letter, k, dim, (own[letter], n), True)
            seen = size_of.get(letter, 1)
            if seen != n and seen != 1 and n != 1:
                return size_of, _Conflict(letter, k, dim, (seen, n), False)
            if seen == 1:
                size_of[letter] = n
    return size_of, None


# -- refusals --------------------------------------------------------------------------------------


def _reason(rule: str, message: str, because: str, *instead: str, **facts: object) -> Reason:
    return Reason(f"einsum.{rule}", RuntimeError, f"einsum(): {message}", because, instead, facts)


def _too_few_operands(left: str, given: int) -> Reason:
    wanted = left.count(",") + 1
    return _reason(
        "operands", "fewer operands were provided than specified in the equation",
        f"Commas separate the operands: the equation names {wanted}, and {given} came.",
        "one operand for each part between the commas", wanted=wanted, given=given,
    )  # fmt: skip


def _too_many_operands(wanted: int, given: int) -> Reason:
    return _reason(
        "operands", "more operands were provided than specified in the equation",
        f"Commas separate the operands: the equation names {wanted}, and {given} came.",
        "letters for each operand, with commas between them", wanted=wanted, given=given,
    )  # fmt: skip


def _second_rest(text: str, at: int, where: str) -> Reason:
    return _reason(
        "ellipsis", f"found '.' {where}",
        f"A second ... at position {at} of '{text}': one ... stands for all dimensions that no letter names.",
        "one ... for each operand", at=at,
    )  # fmt: skip


def _lone_dot(text: str, at: int, where: str) -> Reason:
    return _reason(
        "ellipsis", f"found '.' {where}",
        f"The dot at position {at} of '{text}' is not one of three.",
        "... with three dots and nothing between them", at=at,
    )  # fmt: skip


def _no_letter(text: str, at: int) -> Reason:
    return _reason(
        "letter",
        f"invalid subscript given at index {at} in the equation string, subscripts must be in [a-zA-Z]",
        f"'{text[at]}' at position {at} names no dimension: letters of a to z and A to Z do.",
        "one letter for each dimension", at=at,
    )  # fmt: skip


def _twice_in_output(letter: str) -> Reason:
    return _reason(
        "output.twice", f"output subscript {letter} appears more than once in the output",
        f"{letter} appears twice after the arrow, and an output has each letter once.",
        "torch.diag_embed of the result, for a diagonal", letter=letter,
    )  # fmt: skip


def _unknown_in_output(letter: str, inputs: tuple[Letters, ...]) -> Reason:
    known = sorted({one for letters in inputs for one in letters} - {REST})
    return _reason(
        "output.unknown", f"output subscript {letter} does not appear in the equation for any input operand",
        f"The letter {letter} appears only after the arrow, so nothing says its size.",
        f"letters of the operands: {', '.join(known)}" if known else "a letter for each dimension of the operands",
        letter=letter,
    )  # fmt: skip


def _wrong_count(letters: Letters, named: int, ndim: int, k: int) -> Reason:
    spelled, facts = "".join(letters), {"operand": k, "letters": named, "dims": ndim}
    plural = "letter" if named == 1 else "letters"
    because = f"Operand {k} has {ndim} dimensions, and '{spelled}' has {named} {plural}."
    if REST in letters:
        return _reason(
            "dims", f"the number of subscripts in the equation ({named}) is more than the number of dimensions "
            f"({ndim}) for operand {k}",
            because, "fewer letters, or an operand with more dimensions (unsqueeze)", **facts,
        )  # fmt: skip
    instead = (
        (f"...{spelled} lets ... stand for what leads",) if named < ndim
        else ("fewer letters, or an operand with more dimensions (unsqueeze)",)
    )  # fmt: skip
    return _reason(
        "dims", f"the number of subscripts in the equation ({named}) does not match the number of dimensions "
        f"({ndim}) for operand {k} and no ellipsis was given",
        because, *instead, **facts,
    )  # fmt: skip


def _repeated(conflict: _Conflict, size: Ints, letters: Letters) -> Reason:
    letter, k, (first, n) = conflict.letter, conflict.operand, conflict.sizes
    return _reason(
        "repeated", f"subscript {letter} is repeated for operand {k} but the sizes don't match, {n} != {first}",
        f"{letter} appears twice in operand {k}, which asks for its diagonal, and {list(size)} has none along "
        f"sizes {first} and {n}.",
        f"two letters for the two dimensions of operand {k}",
        letter=letter, operand=k, sizes=(first, n), dims=tuple(d for d, one in enumerate(letters) if one == letter),
    )  # fmt: skip


def _clash(conflict: _Conflict, equation: Equation, sizes: tuple[Ints, ...], inputs: tuple[Letters, ...]) -> Reason:
    letter, k, (seen, n) = conflict.letter, conflict.operand, conflict.sizes
    holder = next(j for j in range(k) if any(pair == (letter, seen) for pair in zip(inputs[j], sizes[j], strict=True)))
    facts = {
        "letter": letter, "operands": (holder, k), "sizes": (seen, n),
        "dims": (inputs[holder].index(letter), conflict.dim),
    }  # fmt: skip
    if letter.startswith(REST):
        # PyTorch has taken the diagonals by now, so a letter counts once.
        which = len(set(inputs[k][: conflict.dim]))
        return _reason(
            "size", f"dimension {which} covered by ellipsis in operand {k}has size {n} which does not broadcast with "
            f"previously seen ellipsis with size {seen} for the respective dimension",
            f"Under ... operand {holder} has {seen} and operand {k} has {n} in the same place, counted from the "
            f"right: only equal sizes or a 1 go together.",
            "make the sizes equal, or one of them 1", **facts,
        )  # fmt: skip
    return _reason(
        "size", f"subscript {letter} has size {n} for operand {k} which does not broadcast with previously seen "
        f"size {seen}",
        f"the letter {letter} names {seen} in operand {holder} and {n} in operand {k}: one letter has one size, and "
        f"only a 1 stretches.",
        *_other_spellings(equation, sizes, k, holder), **facts,
    )  # fmt: skip


def _other_spellings(equation: Equation, sizes: tuple[Ints, ...], *operands: int) -> tuple[str, ...]:
    """The equation with the letters of one operand in another order, where that fits; else a word of advice.

    >>> fit(parse("ij,jk->ik"), [(2, 3), (4, 3)]).instead
    ("einsum('ij,kj->ik', ...)",)
    """
    for k in operands:
        letters = equation.inputs[k]
        if len(letters) > 4:
            continue
        for order in permutations(letters):
            inputs = equation.inputs[:k] + (order,) + equation.inputs[k + 1 :]
            named = tuple(_spread(one, len(size) + 1 - len(one), 8) for one, size in zip(inputs, sizes, strict=True))
            if order != letters and _name_sizes(named, sizes)[1] is None:
                return (f"einsum('{Equation(inputs, equation.output)}', ...)",)
    return ("another letter for one of the two, if they are not the same dimension",)
