"""Which answers of a class are more alike than chance makes them.

Two answers are compared as code: comments, layout and the student's own names do not matter. Most exercises have few
short answers, which many students find by themselves; an answer says nothing if it is the lesson's own solution, if it
is short, or if a good part of the class has it. What is left counts by how rare it is, in bits: an answer that two of
thirty share counts log2(30 / 2) = 3.9. A pair is named from `ENOUGH` bits, which two such answers make, or one that is
equal word for word.
"""

from __future__ import annotations

import ast
import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tensorwidgets.course.building import solutions
from tensorwidgets.course.marking.marks import Row

ENOUGH = 6.0
SHORT = 14
"""An answer of so few nodes of syntax, or fewer, can only look like many others."""
COMMON = 0.2
"""An answer that more than this share of a class has is no evidence."""
WORD_FOR_WORD = 2.5
"""What equal names, comments and layout add, in bits."""


@dataclass(frozen=True)
class Alike:
    """Two notebooks of one lesson whose answers need an explanation."""

    students: tuple[str, str]
    lesson: str
    bits: float
    answers: tuple[tuple[str, bool, str], ...]
    """By exercise: whether it is equal word for word, and the code of the first."""


def alike(rows: Sequence[Row]) -> list[Alike]:
    """The pairs that stand out, the most alike first."""
    found = []
    for lesson in sorted({row.lesson for row in rows if row.lesson}):
        found += _of_lesson(lesson, [row for row in rows if row.lesson == lesson])
    return sorted(found, key=lambda one: (-one.bits, one.students))


def _of_lesson(lesson: str, rows: Sequence[Row]) -> list[Alike]:
    shared: dict[tuple[int, int], list[tuple[str, bool, float]]] = defaultdict(list)
    for number, solution in solutions(lesson).items():
        forms = {k: form for k, row in enumerate(rows) if (form := telling(row.answers.get(number, ""), solution))}
        count = sum(bool(row.answers.get(number)) and row.marks[number].state != "not started" for row in rows)
        for who in _by_value(forms).values():
            if not 2 <= len(who) <= max(2, COMMON * count):
                continue
            for a, b in combinations(who, 2):
                same = _squeezed(rows[a].answers[number]) == _squeezed(rows[b].answers[number])
                shared[a, b].append((number, same, math.log2(max(count, 2) / len(who)) + WORD_FOR_WORD * same))
    pairs = []
    for (a, b), some in shared.items():
        bits = sum(weight for *_, weight in some)
        if bits >= ENOUGH and rows[a].student != rows[b].student:
            answers = tuple((number, same, rows[a].answers[number]) for number, same, _ in some)
            pairs.append(Alike((rows[a].student, rows[b].student), lesson, round(bits, 1), answers))
    return pairs


def _by_value(forms: Mapping[int, str]) -> dict[str, list[int]]:
    who: dict[str, list[int]] = defaultdict(list)
    for k, form in forms.items():
        who[form].append(k)
    return who


def telling(code: str, solution: str) -> str:
    """The form in which an answer is compared; empty where it can only be like others.

    >>> telling("side = x.t()", "side = x.t()"), telling("start = 11", "start = 10")
    ('', '')
    >>> one = "def place(x, i, j):\\n    s = x.stride()\\n    return x.storage_offset() + i * s[0] + j * s[1]"
    >>> other = one.replace("s =", "steps =").replace("s[", "steps[") + "  # by hand"
    >>> bool(telling(one, "...")) and telling(one, "...") == telling(other, "...")
    True
    """
    form, nodes = _form(code)
    return "" if nodes <= SHORT or form == _form(solution)[0] else form


def _form(code: str) -> tuple[str, int]:
    """Code without comments, docstrings and own names, and how many nodes of syntax it has."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        squeezed = _squeezed(code)
        return squeezed, len(squeezed) // 4
    own = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    own |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    order: dict[str, str] = {}
    count = 0
    for node in ast.walk(tree):
        count += not isinstance(node, (ast.expr_context, ast.operator, ast.Module))
        body = getattr(node, "body", None)
        if isinstance(body, list):
            node.body = [s for s in body if not _is_text(s)]  # type: ignore[attr-defined]
        if isinstance(node, ast.Name) and node.id in own:
            node.id = order.setdefault(node.id, f"v{len(order)}")
        elif isinstance(node, ast.arg):
            node.arg = order.setdefault(node.arg, f"v{len(order)}")
    return ast.dump(tree), count


def _is_text(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, (str, type(...)))


def _squeezed(code: str) -> str:
    return " ".join(code.split())
