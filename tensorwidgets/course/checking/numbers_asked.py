"""Exercises whose answer is a number or a list of True and False."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .plainly import plainly, told
from .verdict import Exercise, Fact, Make, Mistake, Verdict, not_started


@dataclass(frozen=True, kw_only=True)
class NumberExercise(Exercise):
    """One number about a given tensor. The right one is never told, only that another is not it."""

    made: Make
    wanted: Make
    asked: str
    """What the number is of."""

    def given(self, library: Any) -> Any:
        return self.made(library)

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        if answer is ...:
            return not_started()
        plain = plainly(answer)
        wanted = self.wanted(self.given(library))
        if isinstance(plain, (int, float)) and not isinstance(plain, bool) and plain == wanted:
            return Verdict("done", told(plain), f"is {self.asked}")
        hint = next((m.hint for m in self.mistakes if m.answer == plain), "")
        return Verdict("not yet", told(plain), f"is not {self.asked}", hint)


@dataclass(frozen=True)
class Statement:
    """A sentence that is true or false, and what to say to whoever takes it for the other."""

    says: str
    true: bool
    hint: str


@dataclass(frozen=True, kw_only=True)
class StatementsExercise(Exercise):
    """True or false, a whole list at once. Its mistakes follow from the statements."""

    statements: tuple[Statement, ...]

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        count = len(self.statements)
        listed = isinstance(answer, (list, tuple)) and len(answer) == count
        if answer is ... or listed and all(a is ... for a in answer):
            return not_started()
        if not listed:
            wanted = f"wanted is a list of {count} times True or False"
            return Verdict("not yet", "your answer", f"is {told(plainly(answer))}; {wanted}")
        facts, first = [], None
        for k, (a, statement) in enumerate(zip(answer, self.statements, strict=True), 1):
            right = a is statement.true
            found = "not answered" if a is ... else told(plainly(a))
            facts.append(Fact(right, f"{k}. {statement.says}", found))
            if not right and first is None:
                first = k, found, statement
        if first is None:
            return Verdict("done", f"all {count}", "are as they should be", facts=tuple(facts))
        k, found, statement = first
        said = "is not answered" if found == "not answered" else f"is not {found}"
        return Verdict(
            "not yet", f"statement {k}", said, statement.hint if found in ("True", "False") else "", tuple(facts)
        )

    def wrong_answers(self) -> list[Mistake]:
        """Each statement taken for the other, alone."""
        true = [s.true for s in self.statements]
        return [
            Mistake([not t if n == k else t for n, t in enumerate(true)], s.hint) for k, s in enumerate(self.statements)
        ]
