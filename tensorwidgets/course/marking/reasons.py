"""The reasons that students wrote beside their answers to a list of statements, read from the code of the answers.

Nothing is run for them, so they are there even where an answer failed, and in a notebook without any metadata.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from tensorwidgets.course import exercises
from tensorwidgets.course.checking.values_asked import StatementsExercise, with_reason

Reasons = dict[str, dict[int, tuple[bool, str]]]
"""By exercise and number of the statement: what was answered, and why."""
MOST_LETTERS = 500


def reasons_in(answers: Mapping[str, str]) -> Reasons:
    """The reasons in the answer cells of a notebook.

    >>> reasons_in({"03.10": 'answers = [(False, "the offset is 0"), True, False, (..., "?"), True]'})
    {'03.10': {1: (False, 'the offset is 0')}}
    """
    found = {}
    for number, code in answers.items():
        asked = exercises.find(number)
        if isinstance(asked, StatementsExercise) and (mine := _reasons(code, len(asked.statements))):
            found[number] = mine
    return found


def _reasons(code: str, count: int) -> dict[int, tuple[bool, str]]:
    """Those of the last list of so many things in the code."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    found: dict[int, tuple[bool, str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple)) and len(node.elts) == count:
            found = {}
            for k, one in enumerate(node.elts, 1):
                answer, reason = with_reason(_literal(one))
                if reason and isinstance(answer, bool):
                    found[k] = answer, reason[:MOST_LETTERS]
    return found


def _literal(node: ast.AST) -> object:
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return None
