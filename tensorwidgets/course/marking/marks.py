"""One submission, marked: its answers run in a box, what they came to is judged here."""

from __future__ import annotations

import ast
import json
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

import tensorwidgets
from tensorwidgets.course import exercises
from tensorwidgets.course.building import student_copy
from tensorwidgets.course.checking.tensors_asked import handed_out
from tensorwidgets.course.checking.verdict import Exercise
from tensorwidgets.course.checking.watching import Elsewhere, Manner
from tensorwidgets.course.shelf import Lesson

from .box import Box, Limits, Stopped
from .runner import CAPTURE
from .submissions import Submission
from .wire import Receiver, Sender

State = Literal["done", "not yet", "not started", "not judged"]


@dataclass(frozen=True)
class Mark:
    """How one exercise stands, and the sentence that a student would read."""

    state: State
    line: str = ""
    hint: str = ""


@dataclass
class Row:
    """A student's notebook with a mark for each exercise of its lesson."""

    student: str
    file: str
    lesson: str
    marks: dict[str, Mark] = field(default_factory=dict)
    problem: str = ""

    @property
    def done(self) -> int:
        return sum(mark.state == "done" for mark in self.marks.values())


def asked_of(lesson: Lesson) -> dict[str, Exercise]:
    """The exercises of a lesson, without its predictions."""
    return {n: one for n, one in exercises.of_lesson(lesson.number).items() if isinstance(one, Exercise)}


def marked(submission: Submission, limits: Limits, contained: bool, hidden: Path | None = None) -> Row:
    """The row of one submission, whatever is wrong with it. `hidden` is a folder that it does not see."""
    lesson = submission.lesson
    row = Row(submission.student, submission.file.name, lesson.number if lesson else "", problem=submission.problem)
    if lesson is None:
        return row
    row.marks = {number: Mark("not judged") for number in asked_of(lesson)}
    with tempfile.TemporaryDirectory(prefix="tensorwidgets-", ignore_cleanup_errors=True) as work:
        box = Box("tensorwidgets.course.marking.runner", Path(work).resolve(), limits, contained, hidden)
        try:
            _mark(row, lesson, submission, box)
        except Stopped as stopped:
            row.problem = str(stopped)
        except Exception as wrong:
            row.problem = f"what came back could not be read: {(str(wrong).splitlines() or [''])[0]}"
        finally:
            box.close()
    return row


def _mark(row: Row, lesson: Lesson, submission: Submission, box: Box) -> None:
    told = json.loads(box.ask(json.dumps({"cells": cells_to_run(lesson, submission.answers)}).encode()))
    if not isinstance(told, dict) or not all(isinstance(told.get(part), dict) for part in ("answers", "given")):
        raise ValueError("a message of an unknown form")
    receiver = Receiver(told["storages"], lambda key, called: RemoteFunction(box, key, called))
    for number, exercise in asked_of(lesson).items():
        if number not in told["answers"]:
            row.marks[number] = Mark("not yet", "the cell that makes the answer did not run to its end")
            continue
        answer = receiver.value(told["answers"][number])
        handed_out(number)[:] = [receiver.value(v) for v in told["given"].get(number, [])]
        verdict = exercise.judge(answer, tensorwidgets, "")
        row.marks[number] = Mark(verdict.state, f"{verdict.subject} {verdict.reason}".strip(), verdict.hint)


def cells_to_run(lesson: Lesson, answers: dict[str, str]) -> list[str]:
    """Our copy of the lesson with a student's answers in place; a check hands over what it is asked about."""
    cells = []
    for cell in student_copy(lesson)["cells"]:
        if cell["cell_type"] != "code":
            continue
        grade_id = cell["metadata"].get("nbgrader", {}).get("grade_id", "")
        source = "".join(cell["source"])
        if grade_id.startswith("check-"):
            source = _handing_in(source)
        cells.append(answers.get(grade_id.replace("-", "."), source))
    return cells


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


class RemoteFunction(Elsewhere):
    """A student's function: each call goes into the box and back."""

    def __init__(self, box: Box, key: str, name: str):
        self.box, self.key, self.__name__ = box, key, name

    def __call__(self, *given: Any) -> Any:
        return self.watched(given)[0]

    def watched(self, given: tuple[Any, ...]) -> tuple[Any, Manner]:
        sender = Sender()
        told = {"function": self.key, "given": [sender.value(v) for v in given], "storages": sender.storages()}
        answer = json.loads(self.box.ask(json.dumps(told).encode()))
        if "raised" in answer:
            kind, message = map(str, answer["raised"])
            raise type(kind[:80] if kind.isidentifier() else "Exception", (Exception,), {})(message[:500])
        receiver = Receiver(answer["storages"], lambda key, called: RemoteFunction(self.box, key, called))
        _bring_back(sender, given, receiver, answer["given"])
        calls, allocated = answer["calls"], answer["allocated"]
        if type(calls) is not int or type(allocated) is not int:
            raise ValueError("a call of an unknown form")
        return receiver.value(answer["gave"]), Manner(calls, allocated)


def _bring_back(sender: Sender, given: tuple[Any, ...], receiver: Receiver, after: Any) -> None:
    """Let our tensors hold what the function left in its own; one that was moved lies elsewhere here too.

    What the function gives is then read from our memory where it lies in what it was sent: a view is a view here.
    """
    for (start, nbytes, key), keeper in zip(sender.runs, sender.kept, strict=True):
        storage = keeper.untyped_storage()
        left = receiver.buffers.get(key)
        if left is None or left.numel() != nbytes or storage.data_ptr() != start:
            raise ValueError("memory that does not come back as it was sent")
        receiver.buffers[key] = tensorwidgets.empty(0, dtype=tensorwidgets.uint8).set_(storage).copy_(left)
    for mine, told, sent in zip(given, after, map(sender.value, given), strict=True):
        if isinstance(mine, tensorwidgets.Tensor) and told != sent:
            mine.set_(receiver.value(told))
