"""One submission, marked: its answers run in a box, what they came to is judged here.

The whole notebook runs first, from top to bottom. An answer that crashes or does not end is left out, and the rest runs
again. What is not done then runs once more without the other answers, so that none pays for what another did.

An endless loop would use up its time twice, with the others and without them. So an answer has only a part of it with
the others; one that needs more runs without them next, and what does not end there either is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal, NamedTuple

import tensorwidgets
from tensorwidgets.course import exercises
from tensorwidgets.course.checking.gpus import gpu_for
from tensorwidgets.course.checking.tensors_asked import handed_out
from tensorwidgets.course.checking.verdict import Exercise
from tensorwidgets.course.shelf import Lesson

from . import walls
from .box import Limits, Stopped
from .cells import alone, cells_to_run, changed, makes, without
from .late import imported_late
from .reasons import Reasons, reasons_in
from .runs import Bench, GivenUp, Run, first_line, lacked
from .submissions import Submission

State = Literal["done", "not yet", "not started", "not judged"]


@dataclass(frozen=True)
class Mark:
    """The state of one exercise, and the sentence that a student would read."""

    state: State
    line: str = ""
    hint: str = ""
    """The mistake, by which a class is counted: the hint for a known one, or the error that stopped the answer."""
    share: float = 0.0
    """How much of an answer that is not done is right, from 0 to 1."""


@dataclass
class Row:
    """A student's notebook with a mark for each exercise of its lesson."""

    student: str
    file: str
    lesson: str
    marks: dict[str, Mark] = field(default_factory=dict)
    problem: str = ""
    guesses: dict[str, Any] = field(default_factory=dict)
    """The first guess of each prediction."""
    answers: dict[str, str] = field(default_factory=dict)
    """The code of each answer."""
    tries: dict[str, int] = field(default_factory=dict)
    """How often each exercise was checked, up to the right answer."""
    handed_in: float = 0.0
    """When its file was last written, in seconds since 1970; 0 where nobody knows."""
    reasons: Reasons = field(default_factory=dict)
    """What was written beside the answers to lists of statements."""

    @property
    def done(self) -> int:
        return sum(mark.state == "done" for mark in self.marks.values())


def asked_of(lesson: Lesson) -> dict[str, Exercise]:
    """The exercises of a lesson, without its predictions."""
    return {n: one for n, one in exercises.of_lesson(lesson.number).items() if isinstance(one, Exercise)}


def seconds_in_all(lesson: Lesson | None, limits: Limits) -> float:
    """How long one notebook may take by the clock, whatever is in it."""
    return 60 + 4 * limits.seconds * (len(asked_of(lesson)) + 2) if lesson else 0.0


def no_marks_yet(submission: Submission) -> Row:
    """The row of a submission before anything of it is judged."""
    lesson = submission.lesson
    marks = {number: Mark("not judged") for number in asked_of(lesson)} if lesson else {}
    number = lesson.number if lesson else ""
    one = submission
    return Row(
        one.student,
        one.file.name,
        number,
        marks,
        one.problem,
        one.guesses,
        one.answers,
        one.tries,
        one.handed_in,
        reasons_in(one.answers),
    )


def nothing(row: Row) -> None:
    """The default callback, which does nothing."""


def marked(
    submission: Submission,
    limits: Limits,
    way: walls.Way | None,
    hidden: Path | None = None,
    tell: Callable[[Row], None] = nothing,
) -> Row:
    """The row of one submission, whatever is wrong with it; `way` says which walls its answers run in, if any.

    `hidden` is a folder that it does not see; `tell` gets the row after every mark, so that what is judged already
    survives this process.
    """
    lesson, row = submission.lesson, no_marks_yet(submission)
    if lesson is None:
        return row
    bench = Bench(limits, way, hidden, seconds_in_all(lesson, limits), imported_late(cells_to_run(lesson, {})))
    marking = Marking(row, lesson, submission.answers, bench)
    try:
        for number in row.marks:
            row.marks[number] = marking.together(number)
            tell(row)
        for number in row.marks:
            row.marks[number] = marking.by_itself(number)
            tell(row)
    except GivenUp as stopped:
        marking.problems.append(str(stopped))
    finally:
        bench.close()
    row.problem = "; ".join(marking.problems)
    return row


class Trial(NamedTuple):
    """What came of an answer without the others."""

    mark: Mark
    stopped: str = ""
    endless: bool = False
    """Whether it was stopped because its own cell took too long."""


class Marking:
    """How the answers of one notebook are tried: all together, and then one by one where that may help."""

    def __init__(self, row: Row, lesson: Lesson, answers: dict[str, str], bench: Bench):
        self.row, self.lesson, self.answers, self.bench = row, lesson, answers, bench
        self.asked = asked_of(lesson)
        self.cells = cells_to_run(lesson, answers)
        self.changed = changed(lesson, answers)
        self.left_out: set[int] = set()
        self.stopped: dict[str, str] = {}
        """Why an answer was left out."""
        self.in_a_call: set[str] = set()
        """The functions that ended their process when they were called."""
        self.trials: dict[str, Trial] = {}
        self.patient = False
        """Whether every answer has all of its time also with the others: some answer ends that needs it."""
        self.run: Run | None = None
        self.problems: list[str] = []

    def together(self, number: str) -> Mark:
        """The mark of an answer in its notebook, after those before it."""
        run = self._whole_run()
        if number in self.stopped:
            return Mark("not yet", self.stopped[number])
        try:
            mark = judged(run, number, self.asked[number])
        except Stopped as stopped:
            self.stopped[number] = run.stopped = str(stopped)
            self.in_a_call.add(number)
            return Mark("not yet", str(stopped))
        return mark if mark.state == "done" else self._needs(run, number) or mark

    def _whole_run(self) -> Run:
        """The notebook, run to its end: without what crashed it or did not end."""
        while self.run is None or self.run.stopped:
            brief = [] if self.patient else [n for n in self.asked if n in self.changed and self._changed_before(n)]
            self.run = Run(self.bench, without(self.cells, self.left_out), brief)
            if self.run.stopped:
                self._leave_out(self.run)
        return self.run

    def _leave_out(self, run: Run) -> None:
        """Do without the cell that stopped a run; with an answer goes its check, which would ask about an old one."""
        number = run.cells[run.place].number
        why = run.stopped
        if run.slow and number in run.brief:
            trial = self._trial(number)
            if not trial.endless:
                self.patient = True
                return
            why = trial.stopped
        if number:
            self.stopped[number] = why
            self.left_out |= {k for k, cell in enumerate(self.cells) if cell.number == number}
        else:
            before = [cell.number for cell in self.cells[: run.place] if cell.number]
            where = f"after {before[-1]}" if before else "before any answer"
            self.problems.append(f"a cell of the lesson, {where}: {why}")
            self.left_out.add(run.place)

    def by_itself(self, number: str) -> Mark:
        """The mark of an answer, tried without the others where they may be what is wrong with it."""
        mark = self.row.marks[number]
        if mark.state in ("not yet", "not judged") and self._others_matter(number):
            trial = self._trial(number)
            if trial.stopped:
                self.stopped[number] = trial.stopped
            elif why := self.stopped.pop(number, ""):
                self.problems.append(f"{number}, after the others: {why}")
                mark = trial.mark
            elif trial.mark.state == "done":
                mark = trial.mark
        if number in self.stopped:
            self.problems.append(f"{number}: {self.stopped[number]}")
        elif mark.state == "not judged":
            self.problems.append(f"{number}: {mark.line}")
        return mark

    def _trial(self, number: str) -> Trial:
        """What comes of an answer without the others; it is tried once."""
        if number not in self.trials:
            run = Run(self.bench, alone(self.lesson, self.answers, number))
            own = run.cells[run.place].number == number
            try:
                if run.stopped:
                    raise Stopped(run.stopped)
                self.trials[number] = Trial(judged(run, number, self.asked[number]))
            except Stopped as stopped:
                self.trials[number] = Trial(Mark("not yet", str(stopped)), str(stopped), run.slow and own)
        return self.trials[number]

    def _changed_before(self, number: str) -> set[str]:
        """The answers before one that may have had a part in what it does."""
        order = list(self.asked)
        return self.changed & set(order[: order.index(number)])

    def _others_matter(self, number: str) -> bool:
        """Whether another answer may have had a part in it; of one that stopped its own cell, only one before it."""
        of_its_own = number in self.stopped and number not in self.in_a_call
        others = self._changed_before(number) if of_its_own else self.changed - {number}
        return number in self.changed and bool(others)

    def _needs(self, run: Run, number: str) -> Mark | None:
        """What is said of an answer that lacks a name which another answer failed to make."""
        name = run.lacked or lacked(*run.raised(number))
        for other in self.asked:
            failed = other in self.stopped or run.raised(other)[0]
            if name and other != number and failed and makes(self.answers.get(other, ""), name):
                return Mark("not judged", f"needs {name}, which the answer to {other} would have made")
        return None


def judged(run: Run, number: str, exercise: Exercise) -> Mark:
    """The mark for what a run handed in."""
    why = ": ".join(filter(None, run.raised(number)))
    line = "the cell that makes the answer did not run to its end" + (f": {why}" if why else "")
    unfinished = Mark("not yet", line, f"The cell of the answer raised {why}" if why else "")
    if number not in run.handed:
        return unfinished
    try:
        answer, handed_out(number)[:] = run.answer(number)
    except Exception as wrong:
        return Mark("not judged", f"what came back could not be read: {first_line(wrong)}")
    run.lacked = ""
    run.box.begin()
    try:
        with gpu_for(exercise, tensorwidgets):
            verdict = exercise.judge(answer, tensorwidgets, "")
    except Exception as wrong:  # an answer can be any object at all
        return Mark("not yet", f"your answer could not be judged: {type(wrong).__name__}: {first_line(wrong)}")
    if verdict.state == "not started" and why:
        return unfinished
    said = f"{verdict.subject} {verdict.reason}".strip()
    failed = f"The answer {verdict.reason}" if verdict.reason.startswith("raised ") else ""
    return Mark(verdict.state, said, verdict.known or verdict.hint or failed, verdict.share)
