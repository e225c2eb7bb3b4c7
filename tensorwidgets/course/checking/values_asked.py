"""Exercises whose answer is a number, a word, a few of them, or a list of True and False."""

from __future__ import annotations

import re
from ast import literal_eval
from dataclasses import dataclass
from typing import Any

from .plainly import Other, Raised, Table, as_text, as_typed, plainly, word
from .verdict import Exercise, Fact, Make, Mistake, Verdict, not_started


@dataclass(frozen=True, kw_only=True)
class ValueExercise(Exercise):
    """A number, a word, a dtype, or a tuple of them. The page never shows the right one, only that an answer is wrong.

    `right` begins with the right answer.
    """

    asked: str
    """What the answer is: "the byte at which m[2, 1] begins"."""
    parts: str = ""
    """What each number of an answer is for, "line", where the first that is wrong is named."""
    any_order: bool = False
    """Whether the parts of a tuple may come in any order."""
    made: Make = lambda library: None
    """The tensor that it is asked about, where one is handed out."""

    def given(self, library: Any) -> Any:
        return self.made(library)

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        plain = word(plainly(tuple(answer) if self.any_order and isinstance(answer, (set, frozenset)) else answer))
        if self.any_order and isinstance(plain, tuple) and all(isinstance(part, str) for part in plain):
            plain = tuple(sorted(plain))
        if answer is ... or isinstance(plain, tuple) and plain and all(p == Other("ellipsis") for p in plain):
            return not_started()
        if same(plain, self.right[0]):
            return Verdict("done", as_typed(plain), f"is {self.asked}")
        hint = next((m.hint for m in self.mistakes if same(plain, m.answer)), "")
        if not hint and is_quoted(answer, self.right[0]):
            hint = QUOTED
        if not hint and has_a_comma(plain, self.right[0]):
            hint = COMMA
        hint = hint or of_another_kind(plain, self.right[0])
        if self.parts and isinstance(plain, tuple) and len(plain) == len(self.right[0]):
            first = [same(*pair) for pair in zip(plain, self.right[0], strict=True)].index(False) + 1
            hint = hint or f"Look at {self.parts} {first} first."
        return Verdict("not yet", as_typed(plain), f"is not {self.asked}", hint)


QUOTED = "Leave out the quotation marks."


COMMA = "In Python, 1,000 is a pair of numbers. Write 1000 or 1_000."


def has_a_comma(plain: Any, right: Any) -> bool:
    """Whether an answer may be a large number with a comma in it, where a number is asked for. After a comma there are
    three digits, so a shape is none.

    >>> has_a_comma((12, 0), 7), has_a_comma((12, 0), (7, 0)), has_a_comma(12, 7), has_a_comma((16, 3, 32), 7)
    (True, False, False, False)
    """
    if not isinstance(right, (int, float)) or isinstance(right, bool) or not isinstance(plain, tuple) or len(plain) < 2:
        return False
    return all(type(part) is int for part in plain) and all(part == 0 or 100 <= part < 1000 for part in plain[1:])


def of_another_kind(plain: Any, right: Any) -> str:
    """What is asked for, where an answer is nothing of the sort: a function, a picture, None.

    >>> of_another_kind(Other("function"), 7), of_another_kind(None, "view"), of_another_kind(8, 7)
    ('A number is asked for.', 'A word in quotation marks is asked for.', '')
    """
    if plain is not None and not isinstance(plain, Other):
        return ""
    if isinstance(right, (int, float)):
        return "True or False is asked for." if isinstance(right, bool) else "A number is asked for."
    return "A word in quotation marks is asked for." if isinstance(right, str) else "A tuple is asked for."


def is_quoted(answer: Any, right: Any) -> bool:
    """Whether an answer is text that spells a number or a tuple, where such a thing is asked for.

    >>> is_quoted("(2, 3)", (4,)), is_quoted("7", 8), is_quoted("view", 8), is_quoted("7", "view")
    (True, True, False, False)
    """
    if not isinstance(answer, str) or isinstance(right, str) or len(answer) > 200:
        return False
    try:
        return isinstance(literal_eval(answer.strip()), (int, float, tuple))
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return False


SECOND_NAMES = {
    "half": "float16", "float": "float32", "double": "float64", "short": "int16", "int": "int32", "long": "int64"
}  # fmt: skip
"""PyTorch's other names of its dtypes, as they are written as words."""


def letters(text: str) -> str:
    """Letters that were written one by one, written together; any other text as it is.

    >>> letters("E, C, D"), letters("e c"), letters("not one"), letters("ECD")
    ('ECD', 'ec', 'not one', 'ECD')
    """
    return "".join(re.findall(r"\w", text)) if re.fullmatch(r"\w([\s,;]+\w)+", text.strip()) else text


def same(plain: Any, other: Any) -> bool:
    """Equal, where True is no 1, a dtype may have its second name, a row of numbers may be a tensor, and letters may
    be written together or one by one.

    >>> same(1, True), same("Half", "float16"), same(("long", 2.0), ("int64", 2)), same(Table((2,), (3, 4)), (3, 4))
    (False, True, True, True)
    >>> same("b, d", ("b", "d")), same(("E", "C"), "EC"), same("E C", "EC"), same("EC", ("C", "E"))
    (True, True, True, False)
    """
    if isinstance(other, (tuple, list)):
        parts = plain.values if isinstance(plain, Table) and len(plain.size) == 1 else plain
        if isinstance(plain, str) and all(isinstance(one, str) and len(one) == 1 for one in other):
            parts = tuple(letters(plain))
        return type(parts) is tuple and len(parts) == len(other) and all(map(same, parts, other))
    if isinstance(plain, (Table, Raised, Other)):
        return False
    if isinstance(other, str) and isinstance(plain, tuple) and all(isinstance(one, str) for one in plain):
        plain = ",".join(plain)
    mine, wanted = word(plain), word(other)
    if isinstance(mine, str) and isinstance(wanted, str):
        return wanted in (mine, SECOND_NAMES.get(mine), letters(mine))
    return bool(mine == wanted) and isinstance(plain, bool) == isinstance(other, bool)


WHICH = "Which? Find a reason for each, or try it in a cell. The list is done when all of it is right."


NO_REASON = 'You wrote down no reasons. To keep one, put (True, "because ...") in place of True. It changes no points.'


def with_reason(answer: Any) -> tuple[Any, str]:
    """An answer and the reason that was written beside it, if there is one.

    >>> with_reason((False, "it copies")), with_reason(True), with_reason((True, 3))
    ((False, 'it copies'), (True, ''), ((True, 3), ''))
    """
    if isinstance(answer, (tuple, list)) and len(answer) == 2 and isinstance(answer[1], str):
        return answer[0], " ".join(answer[1].split())
    return answer, ""


@dataclass(frozen=True)
class Statement:
    """A sentence that is true or false, and the hint for a wrong answer."""

    says: str
    true: bool
    hint: str


@dataclass(frozen=True, kw_only=True)
class StatementsExercise(Exercise):
    """True or false, a whole list at once. Its mistakes follow from the statements.

    The page says how many are wrong and never which: to flip the one that is marked teaches nothing. A reason can be
    written beside each answer, for the teacher: it is kept, and nothing depends on it.
    """

    statements: tuple[Statement, ...]

    def reasons(self, answer: Any) -> dict[int, str]:
        """The reasons that were written down, by the number of the statement."""
        if not isinstance(answer, (list, tuple)) or len(answer) != len(self.statements):
            return {}
        return {k: reason for k, one in enumerate(answer, 1) if (reason := with_reason(one)[1])}

    def judge(self, answer: Any, library: Any, called: str) -> Verdict:
        count, reasons = len(self.statements), self.reasons(answer)
        listed = isinstance(answer, (list, tuple)) and len(answer) == count
        if listed:
            answer = [with_reason(one)[0] for one in answer]
        if answer is ... or listed and all(a is ... for a in answer):
            return not_started()
        if not listed:
            one = isinstance(answer, (list, tuple))
            mine = f"a list of {len(answer)}" if one else as_text(plainly(answer))
            wanted = f"it should be a list of {count} answers, each True or False"
            return Verdict("not yet", "your answer", f"is {mine}; {wanted}")
        verdicts = [a is statement.true for a, statement in zip(answer, self.statements, strict=True)]
        if all(verdicts):
            facts = tuple(
                Fact(True, f"{k}. {one.says}", f"{one.true}. {one.hint}") for k, one in enumerate(self.statements, 1)
            )
            return Verdict("done", f"all {count}", "are as they should be", facts=facts, after=_told(reasons, count))
        if open_ := sum(a is ... for a in answer):
            return Verdict("not yet", f"{open_} of {count} answers", "are still dots" if open_ > 1 else "is still dots")
        if odd := [k for k, a in enumerate(answer, 1) if not isinstance(a, bool)]:
            said = as_text(plainly(answer[odd[0] - 1]))
            return Verdict("not yet", f"answer {odd[0]}", f"is {said}; it should be True or False")
        wrong = [k for k, right in enumerate(verdicts) if not right]
        known = f"statement {wrong[0] + 1}: {self.statements[wrong[0]].hint}" if len(wrong) == 1 else ""
        are = "is" if len(wrong) == 1 else "are"
        return Verdict("not yet", f"{len(wrong)} of {count} answers", f"{are} wrong", legend=WHICH, known=known)

    def wrong_answers(self) -> list[Mistake]:
        """Each statement taken for the other, alone."""
        true = [s.true for s in self.statements]
        return [
            Mistake([not t if n == k else t for n, t in enumerate(true)], s.hint) for k, s in enumerate(self.statements)
        ]


def _told(reasons: dict[int, str], count: int) -> str:
    """One sentence about the reasons.

    >>> _told({1: "it copies", 3: "I tried it"}, 3)
    'You wrote down 2 of 3 reasons, and they are kept. They change no points.'
    """
    if not reasons:
        return NO_REASON
    many = f"a reason for each of the {count}" if len(reasons) == count else f"{len(reasons)} of {count} reasons"
    kept = "it is kept. It changes" if len(reasons) == 1 else "they are kept. They change"
    return f"You wrote down {many}, and {kept} no points."
