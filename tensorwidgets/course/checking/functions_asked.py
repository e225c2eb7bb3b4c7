"""Exercises whose answer is a function: run over fixed cases beside a slow one that says what is wanted.

Besides what it gives, its manner is looked at: did it allocate, does the number of its calls grow with the tensor?
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tensorwidgets.pictures.layout import Layout
from tensorwidgets.pictures.scene import Block
from tensorwidgets.pictures.values import count

from .plainly import Raised, Table, plainly, told
from .verdict import Exercise, Fact, Verdict, not_started
from .watching import Manner, watched


class Case(NamedTuple):
    """One call: how it is written, the tensor and the other arguments, and the tensor whose view it is."""

    text: str
    x: Any
    rest: tuple[Any, ...]
    whole: Any


class Outcome(NamedTuple):
    """What one run of a function came to."""

    value: Any
    """What it gave; where it is to write, what the whole storage holds afterwards."""
    gave: Any
    manner: Manner
    unmoved: bool
    """Whether the tensor still lies where it lay."""


class Looks(NamedTuple):
    """All of a function that is judged."""

    values: tuple[Any, ...]
    copied: bool = False
    looped: bool = False


@dataclass(frozen=True, kw_only=True)
class FunctionExercise(Exercise):
    """The cases begin with a small tensor and end with a large one, so that a loop shows."""

    function: str
    """What it is called."""
    cases: Callable[[Any], Sequence[Case]]
    """Fresh at each call, in the library given."""
    wanted: Callable[..., Any]
    """The slow way."""
    writes: bool = False
    """Whether it is to write into its tensor: then copies and loops count as well."""
    drawn: Callable[[Case, Any, Any], tuple[Block, ...]] = lambda case, yours, wanted: ()
    """Yours and wanted of the first case that differs."""

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ...:
            return not_started()
        if not callable(answer):
            return Verdict("not yet", "your answer", f"is {told(plainly(answer))}, no function")
        cases = list(self.cases(library))
        mine = [self._run(answer, case, library) for case in cases]
        if all(o.gave is ... for o in mine) and not (self.writes and any(o.manner.calls for o in mine)):
            return not_started()
        wanted = [self._run(self.wanted, case, library) for case in self.cases(library)]
        looks = self._looks(mine, cases)
        values = tuple(o.value for o in wanted)
        facts = self._facts(mine, looks, values)
        if all(fact.right for fact in facts):
            return Verdict("done", f"all {len(cases)} cases", "as wanted", facts=facts)
        known = [(m, self._looks([self._run(m.answer, c, library) for c in self.cases(library)], cases))
                 for m in self.mistakes]  # fmt: skip
        hint = next((m.hint for m, as_here in known if as_here == looks), "")
        if not hint and looks.values != values:
            hint = next((m.hint for m, as_here in known if as_here.values == looks.values), "")
        for case, yours, want in zip(self.cases(library), looks.values, values, strict=True):
            if yours != want:
                seen = self._draw(case, yours, want)
                return Verdict("not yet", case.text, self._differs(yours, want), hint, facts, seen)
        return Verdict("not yet", self.function, self._manner(mine, looks), hint, facts)

    def _run(self, function: Any, case: Case, library: Any) -> Outcome:
        before = Layout.of(case.x)
        try:
            gave, manner = watched(library, function, case.x, *case.rest)
        except Exception as refused:
            first = (str(refused).splitlines() or [""])[0]
            return Outcome(Raised(type(refused).__name__, first), None, Manner(1, 0), True)
        value = plainly(case.whole) if self.writes else plainly(gave)
        after = Layout.of(case.x)
        still = (before.owner, before.byte_offset, before.size) == (after.owner, after.byte_offset, after.size)
        return Outcome(value, gave, manner, still)

    def _looks(self, outcomes: Sequence[Outcome], cases: Sequence[Case]) -> Looks:
        values = tuple(o.value for o in outcomes)
        if not self.writes:
            return Looks(values)
        small, large = cases[0].x.size(), cases[-1].x.size()
        grown = outcomes[-1].manner.calls - outcomes[0].manner.calls
        looped = grown >= min(b - a for a, b in zip(small, large, strict=True))
        return Looks(values, any(o.manner.allocated for o in outcomes), looped)

    def _facts(self, mine: Sequence[Outcome], looks: Looks, wanted: tuple[Any, ...]) -> tuple[Fact, ...]:
        agree = sum(a == b for a, b in zip(looks.values, wanted, strict=True))
        all_agree = agree == len(wanted)
        facts = [Fact(all_agree, "result", f"{agree} of {len(wanted)} cases as wanted")]
        if self.writes:
            most = max(o.manner.allocated for o in mine)
            copied = f"{count(most, 'byte')} allocated" if most else "nothing allocated"
            still = all(o.unmoved for o in mine)
            facts += [
                Fact(still, "storage", "the one that x had" if still else "not the one that x had"),
                Fact(not looks.copied, "no copy made", copied),
                Fact(not looks.looped, "no Python loop", "calls grow with the size of x" if looks.looped else "none"),
            ]
        return tuple(facts)

    def _manner(self, mine: Sequence[Outcome], looks: Looks) -> str:
        """What is wrong with a function whose results are right."""
        if not all(o.unmoved for o in mine):
            return "left x in another storage than the one it had"
        if looks.copied:
            return f"made a copy: {count(max(o.manner.allocated for o in mine), 'byte')} were allocated"
        return "loops in Python: the number of its calls grows with the size of x"

    def _differs(self, yours: Any, wanted: Any) -> str:
        if isinstance(yours, Raised):
            return f"raised {yours}"
        if isinstance(yours, Table) and isinstance(wanted, Table) and yours.size == wanted.size:
            (index, a), b = next((one, b) for one, b in zip(yours.items(), wanted.values, strict=True) if one[1] != b)
            return f"leaves {told(a)} at w[{', '.join(map(str, index))}], wanted {told(b)}"
        return f"gave {told(yours)}, wanted {told(wanted)}"

    def _draw(self, case: Case, yours: Any, wanted: Any) -> tuple[Block, ...]:
        return () if isinstance(yours, Raised) else self.drawn(case, yours, wanted)
