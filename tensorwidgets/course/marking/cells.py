"""The cells that are run for a notebook: our copy of the lesson with a student's answers in place."""

from __future__ import annotations

import ast
from collections.abc import Collection, Mapping, Sequence
from typing import Literal, NamedTuple

from tensorwidgets.course.building import student_copy
from tensorwidgets.course.shelf import Lesson

from .runner import CAPTURE


class Cell(NamedTuple):
    """One cell: the lesson's own, an answer, or what hands an answer over in the place of its check."""

    kind: Literal["lesson", "answer", "check"]
    number: str
    """The exercise; nothing for a cell of the lesson's own."""
    source: str


def cells_to_run(lesson: Lesson, answers: Mapping[str, str]) -> list[Cell]:
    """The lesson with answers in place. One that is not among them stays as it was handed out."""
    cells = []
    for cell in student_copy(lesson)["cells"]:
        if cell["cell_type"] != "code":
            continue
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        number = grade_id.removeprefix("check-").replace("-", ".")
        source = "".join(cell["source"])
        if grade_id.startswith("check-"):
            cells.append(Cell("check", number, _handing_in(source)))
        elif number:
            cells.append(Cell("answer", number, answers.get(number, source)))
        else:
            cells.append(Cell("lesson", "", source))
    return cells


def without(cells: Sequence[Cell], places: Collection[int]) -> list[Cell]:
    """The cells with nothing in some places, so that every other cell keeps its place."""
    return [cell._replace(source="") if k in places else cell for k, cell in enumerate(cells)]


def alone(lesson: Lesson, answers: Mapping[str, str], number: str) -> list[Cell]:
    """The lesson up to the check of one exercise, with this one answer in it."""
    cells = cells_to_run(lesson, {number: answers[number]} if number in answers else {})
    last = max(k for k, cell in enumerate(cells) if cell.kind == "check" and cell.number == number)
    return cells[: last + 1]


def changed(lesson: Lesson, answers: Mapping[str, str]) -> set[str]:
    """The exercises of which a student changed what was handed out."""
    handed_out = {cell.number: cell.source for cell in cells_to_run(lesson, {}) if cell.kind == "answer"}
    return {number for number, source in answers.items() if source.strip() != handed_out.get(number, "").strip()}


def makes(source: str, name: str) -> bool:
    """Whether a cell binds a name at its top level.

    >>> makes("total = x.sum()", "total"), makes("def place(x): total = 1", "total"), makes("total = = 1", "total")
    (True, False, True)
    """
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return name in source
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        if isinstance(node, inner) and node.name == name:
            return True
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            return True
        if isinstance(node, ast.alias) and (node.asname or node.name.partition(".")[0]) == name:
            return True
        if not isinstance(node, (*inner, ast.Lambda)):
            waiting += ast.iter_child_nodes(node)
    return False


def _handing_in(check: str) -> str:
    """The cell of a check, with what hands the answer over in the check's place.

    >>> print(_handing_in('check("03.8", side)'))
    __handed_in__("03.8", side)
    """
    (statement,) = ast.parse(check).body
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
        raise AssertionError(f"no call of check: {check}")
    number, answer = (ast.get_source_segment(check, argument) for argument in statement.value.args)
    return f"{CAPTURE}({number}, {answer})"
