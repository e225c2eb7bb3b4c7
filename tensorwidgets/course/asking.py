"""What a lesson asks with: `predict` and `reveal`, `given` and `check`, `hint`, `solution`, `progress`.

What they print depends on the call alone, but for what the student did before: `reveal` and `progress` read it, and the
solution comes after three different tries, or when it is asked for twice.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from dataclasses import replace
from math import isfinite
from typing import Any

from tensorwidgets.pictures.arrays.labels import source_of_argument
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Block, Code, Note, Sentence, Sheet, Title

from . import exercises, record
from .building import solutions
from .checking.gpus import gpu_for
from .checking.page import Checked, Page, asked_page, checked, folded, headed
from .checking.plainly import Other, as_text, plainly
from .checking.prediction import Prediction
from .checking.tensors_asked import TensorExercise, read_by_name
from .checking.values_asked import StatementsExercise
from .checking.verdict import Exercise, Verdict
from .checking.watching import library_of

FIRST_GUESS = "First make your guess: go back to predict, choose or type it there, and run this cell again."
_guesses: dict[str, Any] = {}
"""The guess of each prediction cell that was run in this session; dots where it has none yet."""
_wrong: dict[str, set[str]] = {}
"""What was said to the wrong answers of this session, by exercise."""
_asked_for: set[str] = set()
"""The exercises whose solution was asked for in this session."""
TWICE = "Run this cell again to see the solution. After three different tries it appears at once."
ENOUGH = 3
"""After so many different wrong answers nobody has to ask twice for the solution."""


def check(number: str, answer: Any = ..., strict: bool = False) -> Checked:
    """Is this what exercise `number` asks for? Says so on a page, and in one line of text.

    It never raises, so that a notebook runs to its end; with `strict` it raises AssertionError where not all is as
    wanted, for marking a class.

    >>> check("03.2", ...)
    03.2 not started: put your answer in place of the dots
    >>> check("03.1", 7)
    03.1 is not an exercise: lesson 03 has 03.2, 03.4, 03.6, 03.8, 03.10, 03.11, 03.12, 03.13
    """
    frame = sys._getframe(1)
    number = _spelled(number)
    exercise = exercises.find(number)
    if not isinstance(exercise, Exercise):
        page = Checked(*_unknown(number, "an exercise", Exercise), False)
    else:
        called = source_of_argument(frame, 1) or ""
        verdict = _judged(exercise, answer, frame, called if len(called) <= 40 else "")
        if verdict.state != "not started":
            said = "" if verdict.state == "done" else f"{verdict.subject} {verdict.reason}. {verdict.hint}".strip()
            record.keep_check(number, verdict.state == "done", said)
            if said:
                _wrong.setdefault(number, set()).add(said)
            if isinstance(exercise, StatementsExercise) and (reasons := exercise.reasons(answer)):
                record.keep_reasons(number, reasons)
        page = checked(exercise, verdict, solutions(number[:2])[number], len(_wrong_so_far(number)) >= ENOUGH)
        if tries := record.tries(number):
            page.carried = {record.TRIES: {"number": number, "tries": tries}}
    if strict and not page.done:
        raise AssertionError(page.line)
    return page


ENDLESS = "Is there a loop in it that never ends? Change it, and run both cells again."


class Stopped(KeyboardInterrupt):
    """A check that was interrupted. It stops the notebook as any interrupt does, and a notebook shows its one line: the
    way through the course's own code would tell a student nothing.
    """

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def _spelled(number: object) -> str:
    """The number of a question as the lessons have it, also where the 0 in front is missing.

    >>> _spelled("4.2"), _spelled(" 04.2 "), _spelled(4.2), _spelled("flower")
    ('04.2', '04.2', '04.2', 'flower')
    """
    text = str(number).strip()
    return f"0{text}" if re.fullmatch(r"\d\.\d+", text) else text


def _wrong_so_far(number: str) -> set[str]:
    """What was said to different wrong answers, in this session and before it."""
    return {*_wrong.get(number, ()), *record.wrong_tries(record.read()["exercises"].get(number, {}))}


def _judged(exercise: Exercise, answer: Any, frame: Any, called: str) -> Verdict:
    try:
        library = library_of(frame)
        with gpu_for(exercise, library):
            verdict = exercise.judge(answer, library, called)
        if verdict.state == "not yet" and isinstance(exercise, TensorExercise) and exercise.shares:
            if name := read_by_name(answer, exercise.number, frame.f_globals):
                again = f'Run the cell with given("{exercise.number}") again, and then your answer.'
                return replace(verdict, hint=f"It reads {name}, which is not the tensor that was given. {again}")
        return verdict
    except KeyboardInterrupt:
        raise Stopped(f"Stopped: {called or 'your answer'} was still running. {ENDLESS}") from None
    except Exception as refused:  # an answer can be any object at all
        said = (str(refused).splitlines() or [""])[0]
        return Verdict("not yet", "your answer", f"could not be judged, {type(refused).__name__}: {said}")


def given(number: str) -> Any:
    """The tensor that an exercise hands out, fresh at each call, in the library that the caller names `torch`.

    >>> import tensorwidgets as torch
    >>> given("03.8")
    tensor([[10, 11, 12, 13],
            [14, 15, 16, 17],
            [18, 19, 20, 21]])
    """
    number = _spelled(number)
    exercise = exercises.find(number)
    if not isinstance(exercise, Exercise):
        raise LookupError(_unknown(number, "an exercise", Exercise)[0])
    made = exercise.given(library_of(sys._getframe(1)))
    if made is None:
        raise LookupError(f"exercise {number} hands out no tensor")
    return made


def hint(number: str, step: int | None = None) -> Page:
    """All hints of an exercise, folded, or one of them in words. The last is the solution.

    >>> hint("03.8")
    Hints for 03.8, turn x on its side without a copy: 3 steps. hint("03.8", 1) shows the first
    >>> hint("03.8", 2)
    Hint 2 of 3: Size (3, 4) and stride (4, 1) become size (4, 3) and stride (1, 4). One method does both.
    """
    number = _spelled(number)
    exercise = exercises.find(number)
    if not isinstance(exercise, Exercise):
        return Page(*_unknown(number, "an exercise", Exercise))
    code = solutions(number[:2])[number]
    count = len(exercise.hints) + 1
    title = Title((f"Hints for {number}",), exercise.task)
    if step is None:
        line = f'Hints for {number}, {exercise.task}: {count} steps. hint("{number}", 1) shows the first'
        return Page(line, [title, *folded(exercise, "" if len(_wrong_so_far(number)) < ENOUGH else code)])
    if step == count:
        return solution(number)
    if step not in range(1, count):
        line = f"Hints for {number}: there are {count}, and {as_text(step)} is not one of them"
        return Page(line, [title, Note(line, top=0)])
    line = f"Hint {step} of {count}: {exercise.hints[step - 1]}"
    return Page(line, [title, Sentence(f"hint {step} of {count}", "", exercise.hints[step - 1])])


def solution(number: str) -> Page:
    """A solution of an exercise: there may be others. It comes when the exercise is done, after three different tries,
    or when it is asked for a second time.

    >>> solution("03.8")
    Solution of 03.8: try it first, hint("03.8") helps. Run this once more to see it
    >>> solution("03.8")
    Solution of 03.8: side = x.t()
    """
    number = _spelled(number)
    exercise = exercises.find(number)
    if not isinstance(exercise, Exercise):
        return Page(*_unknown(number, "an exercise", Exercise))
    title = Title((f"A solution of {number}",), exercise.task)
    earned = record.read()["exercises"].get(number, {}).get("done") or len(_wrong_so_far(number)) >= ENOUGH
    if not earned and number not in _asked_for:
        _asked_for.add(number)
        line = f'Solution of {number}: try it first, hint("{number}") helps. Run this once more to see it'
        return Page(line, [title, Note(f'Try it first: hint("{number}") helps. {TWICE}', top=0)])
    code = solutions(number[:2])[number]
    line = f"Solution of {number}: {'; '.join(part.strip() for part in code.splitlines())}"
    return Page(line, [title, Code(tuple(code.split("\n")))])


def predict(number: str, guess: Any = ...) -> Page:
    """Stores a guess without judging it: the cells below show the answer, and `reveal` compares.

    >>> predict("03.1", ...)
    03.1 not answered yet: w has 2 rows of 6. At which place is w[1, 2]?
    """
    number = _spelled(number)
    asked = exercises.find(number)
    if not isinstance(asked, Prediction):
        return Page(*_unknown(number, "a prediction", Prediction))
    plain = ... if guess is ... else plainly(guess)
    if isinstance(plain, Other) or plain in ("", ()):
        return asked_page(asked, refused=f"{as_text(plain) or 'nothing'} is no guess")
    _guesses[number] = plain
    if plain is ...:
        return Asked(asked)
    _keep(number, plain)
    return asked_page(asked, plain)


def _keep(number: str, plain: Any) -> None:
    """For this session, and in the file."""
    _guesses[number] = plain
    record.keep_guess(number, _jsonable(plain))


class Asked(Page):
    """A prediction without a guess. A live kernel draws it to be clicked; elsewhere it says how to type one."""

    __slots__ = ("asked", "widget")

    def __init__(self, asked: Prediction):
        unanswered = asked_page(asked)
        super().__init__(unanswered.line, unanswered.blocks)
        self.asked = asked
        self.widget: Any = None

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        try:
            from tensorwidgets.live.hosts import answers

            from .clicking import Guessing
        except ImportError:  # without anywidget
            return super()._repr_mimebundle_(include, exclude)
        if not answers():
            return super()._repr_mimebundle_(include, exclude)
        number = self.asked.number
        if _guesses.get(number, ...) is ...:
            _guesses[number] = record.latest_guess(number)  # what was clicked before a restart
        self.widget = Guessing(self.asked, lambda guess: _keep(number, guess), _guesses[number])
        return self.widget._repr_mimebundle_()


def reveal(number: str) -> Page:
    """Compare the guess with the answer, after the cells in between have shown it.

    The guess is the one of this session, or the latest in the progress file: after a restart the page is the same.
    Without a guess the answer stays hidden.

    >>> guess = predict("03.1", ...)
    >>> reveal("03.1")
    03.1 no guess yet: answer predict("03.1", ...) first
    """
    number = _spelled(number)
    asked = exercises.find(number)
    if not isinstance(asked, Prediction):
        return Page(*_unknown(number, "a prediction", Prediction))
    title = f"Predict: {asked.question}"
    plain = _guesses[number] if number in _guesses else record.latest_guess(number)
    if plain is ...:
        return Page(
            f'{number} no guess yet: answer predict("{number}", ...) first',
            [Title(title, f"{number}, no guess yet"), Note(FIRST_GUESS, top=0)],
        )
    result = asked.reveal(plain)
    state = "right" if result.right else "not right"
    line = f"{number} {state}: {result.subject}: {result.reason}. {result.words}"
    bar = "green" if result.right else "clash"
    after = result.words or f"You said {as_text(plain)}, and you are right."
    sentence = Sentence(result.subject, result.reason, after, bar=bar)
    return Revealed(line, [Title(title, f"{number}, {state}"), *result.seen, sentence], number, _jsonable(plain))


def _jsonable(plain: Any) -> Any:
    odd = isinstance(plain, float) and not isfinite(plain)  # JSON has no inf and no nan
    return plain if isinstance(plain, (int, float, str)) and not odd else as_text(plain)


class Revealed(Page):
    """A compared guess. Its output carries the first guess along with the notebook, for the teacher."""

    __slots__ = ("carried",)

    def __init__(self, line: str, blocks: Sequence[Block], number: str, guess: Any):
        super().__init__(line, blocks)
        self.carried = {record.GUESS: {"number": number, "first": record.first_guess(number, guess)}}

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        return super()._repr_mimebundle_(include, exclude), self.carried


def progress() -> Picture:
    """What has been done so far, lesson by lesson, from the file beside the notebooks."""
    kept = record.read()
    blocks: list[Block] = [Title("Progress", "kept in " + record.where().name)]
    for lesson, asked in exercises.everything().items():
        rows = []
        for number, one in asked.items():
            if isinstance(one, Exercise):
                rows.append((number, one.task, _exercise_state(kept["exercises"].get(number, {}))))
            else:
                rows.append((number, one.question, _guess_state(kept["predictions"].get(number), one)))
        done = sum(bool(kept["exercises"].get(n, {}).get("done")) for n in asked)
        count = sum(isinstance(one, Exercise) for one in asked.values())
        begun = any(n in kept["exercises"] or n in kept["predictions"] for n in asked)
        if not begun:
            rows = []  # a line says it all
        head = (f"lesson {lesson}", f"{done} of {count} exercises done" if begun else "not begun", "")
        blocks.append(Sheet(head, tuple(rows), (72, 476, 280)))
    if solved := sum("best" in one for one in kept["puzzles"].values()):
        blocks.append(
            Sheet(("puzzles", f"{solved} solved: board() in puzzles.ipynb shows them", ""), (), (72, 476, 280))
        )
    return Picture(blocks)


def _exercise_state(kept: dict[str, Any]) -> str:
    tries = kept.get("tries", 0)
    if not tries:
        return "not started"
    count = len(record.reasons(kept))
    reasons = f", {count} {'reason' if count == 1 else 'reasons'}" if count else ""
    return f"{'done' if kept.get('done') else 'not yet'}, {tries} {'try' if tries == 1 else 'tries'}{reasons}"


def _guess_state(kept: dict[str, Any] | None, asked: Prediction) -> str:
    if not kept:
        return "no guess yet"
    guess = record.as_guessed(kept.get("first"))
    first, latest = as_text(guess), as_text(record.as_guessed(kept.get("latest")))
    right = "right" if asked.reveal(guess).right else "not right"
    return f"{first} ({right})" if first == latest else f"first {first} ({right}), then {latest}"


def _those(number: object, kind: type) -> str:
    lesson = str(number).partition(".")[0]
    some = [n for n, one in exercises.of_lesson(lesson).items() if isinstance(one, kind)]
    return f"lesson {lesson} has {', '.join(some)}" if some else f"lesson {lesson} has none"


def _unknown(number: object, what: str, kind: type) -> tuple[str, Sequence[Block]]:
    """The line and the blocks of a page for an unknown number."""
    those = _those(number, kind)
    return f"{number} is not {what}: {those}", [headed(str(number), f"is not {what}", ""), Note(those, top=0)]
