"""Exercises whose answer is a tensor made from a given one: judged on what it holds and on whose memory it reads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from tensorwidgets.pictures.layout import Layout
from tensorwidgets.pictures.scene import Block
from tensorwidgets.pictures.storages import storages_of
from tensorwidgets.pictures.values import count, shape_text, short

from .drawn import yours_and_wanted
from .plainly import Table, plainly, told
from .verdict import Exercise, Fact, Make, Verdict, not_started


@cache
def handed_out(number: str) -> list[Any]:
    """The tensors that were given for an exercise. They are kept, so that sharing memory with one can be told."""
    return []


class Looks(NamedTuple):
    """All of an answer that is judged."""

    table: Table
    shares: bool


@dataclass(frozen=True, kw_only=True)
class TensorExercise(Exercise):
    """A view of a given tensor. How it was written is not looked at."""

    made: Make
    wanted: Callable[[list], list]
    """The slow loop that says what is wanted, from nested lists to nested lists."""

    def given(self, library: Any) -> Any:
        made = self.made(library)
        handed_out(self.number).append(made)
        return made

    def answer_of(self, spelled: Any, given: Any) -> Any:
        return spelled(given)

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ...:
            return not_started()
        table = plainly(answer)
        if not isinstance(table, Table):
            return Verdict("not yet", "your answer", f"is {told(table)}: wanted is a tensor with numbers in it")
        fresh = self.made(library)
        wanted = _table(self.wanted(fresh.tolist()))
        lent = next((g for g in handed_out(self.number) if _share(answer, g)), None)
        mine = Looks(table, lent is not None)
        facts = (_size(table, wanted), _values(table, wanted), _copy(answer, lent))
        subject, reason, legend = called or "your answer", "lies in a storage of its own", ""
        seen: tuple[Block, ...] = ()
        if all(fact.right for fact in facts):
            return Verdict("done", subject, "has the values asked for, and no copy was made", facts=facts)
        hint = next((m.hint for m in self.mistakes if self._looks(m.answer, library) == mine), "")
        if table != wanted:
            subject, reason = _first(table, wanted)
            model = Layout.of(self.right[0](fresh))
            legend = "Underlined numbers agree." if table.size == wanted.size else ""
            seen = yours_and_wanted(table, wanted, Layout.of(answer), model, called, fresh.reshape(-1).tolist())
        return Verdict("not yet", subject, reason, hint, facts, seen, legend)

    def _looks(self, make: Make, library: Any) -> Looks:
        fresh = self.made(library)
        made = make(fresh)
        return Looks(plainly(made), _share(made, fresh))


def _share(one: Any, other: Any) -> bool:
    return len(storages_of([Layout.of(one), Layout.of(other)])) == 1


def _table(rows: list) -> Table:
    """Two levels of lists as a table."""
    return Table((len(rows), len(rows[0])), tuple(v for row in rows for v in row))


def _first(table: Table, wanted: Table) -> tuple[str, str]:
    """Where two tables differ first, in words."""
    if table.size != wanted.size:
        return "size", f"yours is {shape_text(table.size)}, wanted {shape_text(wanted.size)}"
    place, (mine, want) = next(
        (index, (a, b)) for (index, a), b in zip(table.items(), wanted.values, strict=True) if a != b
    )
    return f"[{', '.join(map(str, place))}]", f"yours {short(mine)}, wanted {short(want)}"


def _size(table: Table, wanted: Table) -> Fact:
    same = table.size == wanted.size
    return Fact(same, f"size {shape_text(wanted.size)}", "the same" if same else f"yours {shape_text(table.size)}")


def _values(table: Table, wanted: Table) -> Fact:
    if table == wanted:
        return Fact(True, "values", f"all {len(wanted.values)} agree")
    if table.size != wanted.size:
        return Fact(False, "values", "of another size")
    agree = sum(a == b for a, b in zip(table.values, wanted.values, strict=True))
    return Fact(False, "values", f"{agree} of {len(wanted.values)} agree; first at {_first(table, wanted)[0]}")


def _copy(answer: Any, lent: Any) -> Fact:
    if lent is not None:
        return Fact(True, "no copy made", "one storage, two tensors")
    return Fact(False, "no copy made", f"a storage of its own, {count(Layout.of(answer).owner.nbytes, 'byte')}")
