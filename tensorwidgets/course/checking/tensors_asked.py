"""Exercises whose answer is a tensor: judged on what it holds, of which dtype, and on whose memory it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from tensorwidgets.pictures.arrays.layout import Layout
from tensorwidgets.pictures.arrays.sources import is_array
from tensorwidgets.pictures.arrays.storages import storages_of
from tensorwidgets.pictures.arrays.values import count, shape_text, short
from tensorwidgets.pictures.drawing.scene import Block

from .drawn import yours_and_wanted
from .plainly import Other, Table, as_text, plainly, stacked, table_of
from .references import once
from .verdict import Exercise, Fact, Make, Verdict, not_started

IN_A_LIST = (
    "The numbers are right, and they are in a list. torch.stack makes one tensor of a list of tensors, torch.tensor of "
    "a list of numbers."
)
OF_AN_ARRAY = "torch.from_numpy makes a tensor that reads the memory of an array, torch.tensor makes a copy."
_lent: dict[str, list[Any]] = {}


def handed_out(number: str) -> list[Any]:
    """The tensors that were given for an exercise. They are kept, so that sharing memory with one can be detected."""
    return _lent.setdefault(number, [])


def _lent_for_another(answer: Any, number: str) -> str:
    """The exercise whose given tensor an answer reads, where that is another one: mostly a name that was used again."""
    return next((n for n, lent in _lent.items() if n != number and any(share(answer, g) for g in lent)), "")


def read_by_name(answer: Any, number: str, names: dict[str, Any]) -> str:
    """The name of an array that an answer reads, where it is none that was given: mostly `x`, which was made anew."""
    if not is_array(answer) or not handed_out(number) or any(share(answer, g) for g in handed_out(number)):
        return ""
    for name, value in names.items():
        if value is answer:  # what has a name since then was made from the answer
            break
        if name[:1] != "_" and is_array(value) and share(answer, value):
            return name
    return ""


class Looks(NamedTuple):
    """All of an answer that is judged."""

    table: Table
    shares: bool | None
    dtype: str | None


@dataclass(frozen=True, kw_only=True)
class TensorExercise(Exercise):
    """A tensor, mostly made from a given one. How it was written is not looked at.

    Mistakes and right answers are functions of what is given, and of the library where nothing is.
    """

    wanted: Callable[[Any], list]
    """The slow loop that computes the right answer, from nested lists (None without a given tensor) to nested lists."""
    made: Make = lambda library: None
    """The tensor that is given, where one is."""
    shares: bool | None = True
    """Whether it has to read the given memory (True), has to have its own (False), or may do either (None)."""
    dtype: str | None = None
    """The name of its dtype, where that is asked for as well."""

    def given(self, library: Any) -> Any:
        made = self.made(library)
        if made is not None:
            handed_out(self.number).append(made)
        return made

    def answer_of(self, spelled: Any, library: Any) -> Any:
        given = self.given(library)
        return spelled(library if given is None else given)

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ...:
            return not_started()
        table = plainly(answer)
        if is_array(answer) and not isinstance(table, (Table, Other)):
            table = Table((), (table,))
        fresh = self.made(library)
        wanted = table_of(self.wanted(None if fresh is None else fresh.tolist()))
        if isinstance(fresh, np.ndarray) and isinstance(answer, np.ndarray):  # to make a tensor of it is what is asked
            return Verdict("not yet", "your answer", "is a NumPy array; it should be a tensor", OF_AN_ARRAY)
        if not isinstance(table, Table):
            what = f"a {type(answer).__name__}" if isinstance(answer, (list, tuple)) else as_text(table)
            hint = IN_A_LIST if stacked(table) == wanted else ""
            if isinstance(answer, tuple) and hasattr(answer, "values"):  # what sort, median, max and the like return
                what, hint = "a tuple of values and indices", "Take its values: .values, or [0]."
            return Verdict("not yet", "your answer", f"is {what}; it should be a tensor with numbers in it", hint)
        lent = next((g for g in handed_out(self.number) if share(answer, g)), None)
        layout = Layout.of(answer)
        mine = self._looked(table, lent is not None, layout)
        facts = [_size(table, wanted), _values(table, wanted)]
        if self.dtype is not None:
            facts.append(Fact(layout.dtype == self.dtype, f"dtype {self.dtype}", _yours(layout.dtype, self.dtype)))
        if self.shares is not None:
            facts.append(_memory(layout, lent is not None, self.shares))
        subject, reason, legend = called or "your answer", "", ""
        seen: tuple[Block, ...] = ()
        if all(fact.right for fact in facts):
            return Verdict("done", subject, _praised(self.shares), facts=tuple(facts))
        known = once(self, library, "mistakes", lambda: [self._looks(m.answer, library) for m in self.mistakes])
        hint = next((m.hint for m, looks in zip(self.mistakes, known, strict=True) if looks == mine), "")
        if self.dtype not in (None, layout.dtype) and (table == wanted or _print_alike(table, wanted)):
            reason = f"is {layout.dtype}, wanted {self.dtype}"
            if table != wanted:
                reason += ": its digits look the same, and its numbers are not"
        elif table != wanted:
            subject, reason = first_difference(table, wanted)
            model = Layout.of(self.right[0](library if fresh is None else fresh))
            legend = "Underlined numbers agree." if table.size == wanted.size else ""
            order = wanted.values if fresh is None else fresh.reshape(-1).tolist()
            seen = yours_and_wanted(table, wanted, layout, model, called, order)
        else:
            reason = "lies in a storage of its own" if self.shares else "reads the storage that was given"
        told = lent is not None or fresh is None or hint
        if not told and (other := _lent_for_another(answer, self.number)):
            hint = (
                f'It reads the tensor of {other}. Run the cell with given("{self.number}") again, and then your answer.'
            )
        return Verdict("not yet", subject, reason, hint, tuple(facts), seen, legend)

    def _looks(self, make: Make, library: Any) -> Looks:
        fresh = self.made(library)
        made = make(library if fresh is None else fresh)
        table = plainly(made)
        if not isinstance(table, Table):
            table = Table((), (table,))
        return self._looked(table, fresh is not None and share(made, fresh), Layout.of(made, values=False))

    def _looked(self, table: Table, shares: bool, layout: Layout) -> Looks:
        return Looks(table, None if self.shares is None else shares, layout.dtype if self.dtype else None)


def share(one: Any, other: Any) -> bool:
    """Whether two arrays lie in one run of memory."""
    return len(storages_of([Layout.of(x, values=False) for x in (one, other)])) == 1


def _print_alike(one: Table, other: Table) -> bool:
    """Whether two tables look the same on the page.

    >>> _print_alike(Table((1,), (0.2,)), Table((1,), (0.20000000298023224,)))
    True
    """
    return one.size == other.size and [*map(short, one.values)] == [*map(short, other.values)]


def _praised(shares: bool | None) -> str:
    if shares is None:
        return "has the values asked for"
    return f"has the values asked for, and {'no copy was made' if shares else 'a memory of its own'}"


def first_difference(table: Table, wanted: Table) -> tuple[str, str]:
    """Where two tables differ first, in words."""
    if table.size != wanted.size:
        return "size", f"yours is {shape_text(table.size)}, wanted {shape_text(wanted.size)}"
    place, (mine, want) = next(
        (index, (a, b)) for (index, a), b in zip(table.items(), wanted.values, strict=True) if a != b
    )
    return f"[{', '.join(map(str, place))}]", f"yours {short(mine)}, wanted {short(want)}"


def _yours(mine: str, wanted: str) -> str:
    return "the same" if mine == wanted else f"yours {mine}"


def _size(table: Table, wanted: Table) -> Fact:
    same = table.size == wanted.size
    return Fact(same, f"size {shape_text(wanted.size)}", "the same" if same else f"yours {shape_text(table.size)}")


def _values(table: Table, wanted: Table) -> Fact:
    if table == wanted:
        return Fact(True, "values", f"all {len(wanted.values)} agree")
    if table.size != wanted.size:
        return Fact(False, "values", "of another size")
    agree = sum(a == b for a, b in zip(table.values, wanted.values, strict=True))
    return Fact(
        False, "values", f"{agree} of {len(wanted.values)} agree; first at {first_difference(table, wanted)[0]}"
    )


def _memory(layout: Layout, shared: bool, wanted: bool) -> Fact:
    own = f"a storage of its own, {count(layout.owner.nbytes, 'byte')}"
    if wanted:
        return Fact(shared, "no copy made", "one storage, two tensors" if shared else own)
    return Fact(not shared, "a copy made", "reads the storage that was given" if shared else own)
