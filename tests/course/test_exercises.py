"""Every usual mistake gets the hint meant for it, every right answer is taken, and nothing stops a notebook."""

from __future__ import annotations

import ast
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.course import asking, check, given, hint, predict, record, reveal, solution
from tensorwidgets.course.building import solutions
from tensorwidgets.course.checking.equations_asked import PYTHON
from tensorwidgets.course.checking.functions_asked import (
    ARGUMENTS,
    BY_HAND,
    FAILED,
    NO_RETURN,
    PRINTED,
    SAID,
    WROTE,
    FunctionExercise,
)
from tensorwidgets.course.checking.gpus import gpu_for
from tensorwidgets.course.checking.page import Page
from tensorwidgets.course.checking.plainly import as_text, as_typed, plainly
from tensorwidgets.course.checking.prediction import PlacePrediction, WordPrediction
from tensorwidgets.course.checking.tensors_asked import IN_A_LIST, TensorExercise
from tensorwidgets.course.checking.values_asked import COMMA, QUOTED, WHICH, StatementsExercise, ValueExercise, same
from tensorwidgets.course.puzzles import puzzle
from tensorwidgets.pictures import show
from tests.course.answers import ASKED, EXERCISES, PREDICTIONS, RIGHT, WRONG, handed_in, mistakes
from tests.parts import Part, in_parts, thorough_but
from tests.pictures.parsed import parse


def html(page: Page) -> str:
    bundle: Any = page._repr_mimebundle_()
    return str((bundle[0] if isinstance(bundle, tuple) else bundle)["text/html"])


def test_each_exercise_has_hints_a_solution_and_usual_mistakes() -> None:
    lessons = {number[:2] for number in ASKED}
    few = {lesson for lesson in lessons if sum(number.startswith(lesson) for number in EXERCISES) < 5}
    assert few == {"00"}  # it only shows what an exercise is
    for number, exercise in EXERCISES.items():
        assert len(exercise.hints) >= 2 and len(mistakes(exercise)) >= 4, number
        assert solutions(number[:2])[number]
        said = [m.hint for m in mistakes(exercise)]
        assert len(set(said)) == len(said), number


@pytest.mark.parametrize(("number", "k"), thorough_but(Part(4).of(WRONG, lambda pair: pair[0]), WRONG))
def test_a_usual_mistake_gets_the_hint_meant_for_it(number: str, k: int) -> None:
    exercise = EXERCISES[number]
    mistake = mistakes(exercise)[k]
    answer = handed_in(exercise, mistake.answer, torch)
    page = check(number, answer)
    assert not page.done
    if isinstance(exercise, StatementsExercise):
        asserts_that_no_statement_is_singled_out(exercise, answer, mistake.hint, page)
        return
    assert page.line.startswith(f"{number} not yet: ") and page.line.endswith(mistake.hint)
    assert repr(page) == page.line and "\n" not in page.line


def asserts_that_no_statement_is_singled_out(exercise: StatementsExercise, answer: Any, hint: str, page: Page) -> None:
    """A wrong list says how many, the teacher reads which, and a right list gives the reasons."""
    number, count = exercise.number, len(exercise.statements)
    assert page.line == f"{number} not yet: 1 of {count} answers is wrong"
    assert exercise.judge(answer, torch, "").known.endswith(hint)
    shown = parse(html(page)).text()
    assert WHICH in shown and not any(one.says in shown or one.hint in shown for one in exercise.statements)
    reasons = exercise.judge([one.true for one in exercise.statements], torch, "").facts
    assert any(fact.found.endswith(hint) for fact in reasons)


@pytest.mark.parametrize(("number", "k"), RIGHT)
def test_another_right_answer_is_taken(number: str, k: int) -> None:
    exercise = EXERCISES[number]
    page = check(number, handed_in(exercise, exercise.right[k], torch))
    assert page.done and page.line.startswith(f"{number} done: ")


@pytest.mark.parametrize("number", EXERCISES)
def test_dots_are_not_started(number: str) -> None:
    for dots in (..., lambda *given: ...):
        page = check(number, dots)
        if callable(dots) and not hasattr(EXERCISES[number], "cases"):
            continue
        assert page.line == f"{number} not started: put your answer in place of the dots"
        assert not page.done


def refuses(*given: Any) -> Any:
    raise ValueError("<img src=x onerror=alert(1)>\nsecond line")


class Strange:
    """Compares with nothing."""

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("no")

    def __repr__(self) -> str:
        raise RuntimeError("no")


ODD: list[Callable[[], Any]] = [
    lambda: None, lambda: True, lambda: float("nan"), lambda: "22", lambda: b"x", lambda: [], lambda: {},
    lambda: object, lambda: Strange(), lambda: refuses, lambda: print, lambda: (lambda: 1),
    lambda: (lambda *a: Strange()), lambda: (lambda *a: a), lambda: torch.zeros(0), lambda: torch.tensor(3),
    lambda: torch.zeros(2, 2, 2), lambda: torch.zeros(200, 200), lambda: torch.empty(4, 3, device="meta"),
    lambda: np.arange(12).reshape(4, 3), lambda: np.array(["a", "b"]), lambda: np.float32(2),
    lambda: [torch.zeros(2)] * 5, lambda: [1, 2, 3, 4, 5], lambda: [Strange()] * 5,
]  # fmt: skip


def revealed(number: str, guess: Any) -> Page:
    """What is said to a guess once the cells in between were run."""
    assert predict(number, guess).line.startswith(f"{number} kept: your guess is ")
    return reveal(number)


def is_right(number: str, odd: Any) -> bool:
    """Of a question whose answer is a number or a word, even an odd thing may be the answer."""
    asked = ASKED[number]
    if isinstance(asked, ValueExercise):
        return same(plainly(odd), asked.right[0])
    return isinstance(asked, WordPrediction) and same(plainly(odd), asked.says())


@in_parts(4)
@pytest.mark.parametrize(("at", "number"), list(enumerate(ASKED)))
def test_no_answer_stops_a_notebook(at: int, number: str, part: Part) -> None:
    """And none of them is taken for right; what the page holds from outside is text.

    Each question gets another quarter of the odd answers first.
    """
    start = at % 4
    for odd in part.of(ODD[start:] + ODD[:start]):
        if is_right(number, odd()):
            continue
        page = check(number, odd()) if number in EXERCISES else predict(number, odd())
        if page.line.startswith(f"{number} kept: "):
            page = reveal(number)
        refused = rf"{number} not answered yet: (an? .*|''|\(\)) is no guess: write a number"
        assert re.match(rf"{number} not (yet|right): |{refused}", page.line), page.line
        drawn = html(page).partition("<script>")[0]
        assert "<img" not in drawn and "0x" not in drawn
        assert parse(drawn).text()


def test_a_call_without_an_answer_is_one_with_dots() -> None:
    assert check("03.4").line == check("03.4", ...).line and predict("03.1").line == predict("03.1", ...).line
    assert puzzle(1).line == puzzle(1, ...).line


@pytest.mark.parametrize("number", ["3.4", " 03.4", 3.4])
def test_a_number_may_lack_its_zero(number: Any) -> None:
    assert check(number, 7).line == check("03.4", 7).line and hint(number).line == hint("03.4").line
    assert given("3.8").tolist() == given("03.8").tolist() and predict("3.1").line == predict("03.1").line


def test_a_check_that_is_stopped_says_so_in_one_line() -> None:
    def to_unit(x: Any) -> Any:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt, match="Stopped: to_unit was still running. Is there a loop") as stopped:
        check("01.7", to_unit)
    assert stopped.value._render_traceback_() == [str(stopped.value)]  # type: ignore[attr-defined]


@pytest.mark.parametrize("number, kind", [("01.2", "A number"), ("02.9", "A tuple")])
def test_an_answer_of_another_kind_is_told_which_is_asked_for(number: str, kind: str) -> None:
    for answer in (show(np.ones(2)), print, None):
        assert check(number, answer).line.endswith(f"{kind} is asked for.")


def test_strict_raises_for_whoever_marks() -> None:
    with pytest.raises(AssertionError, match="03.8 not started"):
        check("03.8", ..., strict=True)
    with pytest.raises(AssertionError, match="reshape keeps the order"):
        check("03.8", given("03.8").reshape(4, 3), strict=True)
    with pytest.raises(AssertionError, match="is not an exercise"):
        check("03.99", 1, strict=True)
    assert check("03.8", given("03.8").t(), strict=True).done


def test_numbers_that_there_are_not() -> None:
    assert (
        check("03.1", 8).line
        == "03.1 is not an exercise: lesson 03 has 03.2, 03.4, 03.6, 03.8, 03.10, 03.11, 03.12, 03.13"
    )
    for page in (predict("03.2", 8), reveal("03.2")):
        assert page.line == "03.2 is not a prediction: lesson 03 has 03.1, 03.3, 03.5, 03.7, 03.9"
    assert hint("99.1").line == "99.1 is not an exercise: lesson 99 has none"
    assert solution("x").line.startswith("x is not an exercise")
    with pytest.raises(LookupError, match="exercise 03.4 hands out no tensor"):
        given("03.4")
    with pytest.raises(LookupError, match="03.1 is not an exercise: lesson 03 has 03.2"):
        given("03.1")


def test_what_is_said_depends_on_the_call_alone() -> None:
    def all_said() -> list[tuple[str, str]]:
        x = given("03.8")
        pages: list[Page] = [check("03.8", x.reshape(4, 3)), check("03.4", EXERCISES["03.4"].mistakes[0].answer)]
        pages += [predict("03.7", 8), predict("03.7", ...), check("03.2", ...), hint("03.2"), hint("03.2", 1)]
        return [(repr(page), html(page)) for page in pages]

    first = all_said()
    given("03.8").zero_()
    predict("03.7", 7)
    assert check("03.8", given("03.8").t()).done
    assert all_said() == first


# -- a value -----------------------------------------------------------------------------------------


def test_what_is_given_is_fresh_and_in_the_callers_library() -> None:
    one, two = given("03.8"), given("03.8")
    one.zero_()
    assert two.tolist() == [[10, 11, 12, 13], [14, 15, 16, 17], [18, 19, 20, 21]]
    assert type(one) is torch.Tensor


def test_sharing_is_told_for_arrays_of_another_library_and_for_any_tensor_given() -> None:
    first = given("03.8").numpy().T
    given("03.8")
    assert check("03.8", first).done
    assert "a storage of its own, 96 bytes" in html(check("03.8", first.copy()))
    assert not check("03.8", torch.arange(10, 22).reshape(3, 4).t()).done


def test_a_write_into_what_was_given_shows_in_the_values() -> None:
    x = given("03.8")
    x[0, 0] = 99
    page = check("03.8", x.t())
    assert page.line == "03.8 not yet: [0, 0] yours 99, wanted 10"


def test_the_page_of_a_tensor_marks_the_first_cell_that_differs_and_links_both() -> None:
    page = check("03.8", given("03.8").reshape(4, 3))
    drawn = html(page)
    assert re.findall(r'title="yours\[0, 1\] \| 11, the first that differs"', drawn)
    assert len(re.findall(r'class="i-q0 i-s1"', drawn)) == 2
    assert drawn.count("text-decoration:underline") == 4
    assert "2 of 12 agree; first at [0, 1]" in drawn and drawn.count("<details") == 3
    assert "reshape(4, 3)" in drawn


# -- a function ---------------------------------------------------------------------------------------


def loops_over_the_storage(x: Any, j: int) -> None:
    for i in range(len(x)):
        x[i, j].fill_(0)


def forgets_the_last(x: Any, j: int) -> None:
    if x.size(0) < 8:
        x[:, j] = 0


def test_manner_counts_where_a_tensor_is_to_be_written() -> None:
    clear = "03.6"
    assert "loops in Python" in check(clear, loops_over_the_storage).line
    assert "5 of 6 cases as wanted" in html(check(clear, forgets_the_last))
    page = check(clear, lambda x, j: x[:, j].mul_(0))
    assert page.done and html(page).count("✓") == 4


def test_a_function_that_raises_is_told_as_its_first_case() -> None:
    line = check("03.4", lambda x, i, j: x.place(i, j)).line
    assert line.startswith("03.4 not yet: place(w, 1, 2) for w of size (2, 3) raised AttributeError: ")
    line = check("03.4", refuses).line
    assert line.startswith("03.4 not yet: place(w, 1, 2) for w of size (2, 3) raised ValueError: ")
    assert line.endswith("<img src=x onerror=alert(1)>")


@pytest.mark.parametrize("number", [n for n, one in EXERCISES.items() if isinstance(one, FunctionExercise)])
def test_cases_say_what_is_run_and_end_large_so_that_a_loop_shows(number: str) -> None:
    exercise = EXERCISES[number]
    assert isinstance(exercise, FunctionExercise)
    with gpu_for(exercise, torch):
        say_what_is_run(exercise)


def say_what_is_run(exercise: FunctionExercise) -> None:
    cases = exercise.cases(torch)
    if exercise.writes or exercise.views or exercise.at_once:
        assert all(b - a >= 4 for a, b in zip(cases[0].x.size(), cases[-1].x.size(), strict=True))
    for case in cases:
        call = ast.parse(case.text, mode="eval").body
        assert isinstance(call, ast.Call) and ast.unparse(call.func) == exercise.function
        names = {"torch": torch, "w": case.x if case.whole is None else case.whole}
        said = [eval(ast.unparse(argument), names) for argument in call.args]
        assert plainly(said) == plainly([case.x, *case.rest]), case.text
        w = names["w"]
        assert case.said == (
            f"{case.text} for w of size {tuple(w.size())}" if re.search(r"\bw\b", case.text) else case.text
        )


@pytest.mark.parametrize("number", [n for n, one in EXERCISES.items() if isinstance(one, FunctionExercise)])
def test_a_function_that_hands_nothing_back_is_told_to(number: str) -> None:
    exercise = EXERCISES[number]
    assert isinstance(exercise, FunctionExercise)
    known = tuple(mistake.hint for mistake in exercise.mistakes)
    assert exercise.writes or check(number, lambda *given: None).line.endswith((NO_RETURN, *known))
    assert exercise.writes or check(number, lambda *given: print(end="")).line.endswith((PRINTED, *known))


def test_a_meter_that_turns_gradients_on_for_its_caller_is_told_so() -> None:
    exercise = EXERCISES["17.11"]
    assert isinstance(exercise, FunctionExercise) and exercise.turned
    tidy, turned = [check("17.11", meter) for meter in exercise.right]
    assert tidy.done and turned.done
    assert exercise.turned in parse(html(turned)).text() and exercise.turned not in parse(html(tidy)).text()


def test_numbers_that_print_alike_are_told_by_their_dtype() -> None:
    page = check("01.7", lambda x: (x.double() / 255) * 1.0)
    assert page.line.startswith("01.7 not yet: to_unit gives float64, wanted float32")
    assert "4 of 4 cases as wanted" in html(page)


def test_an_answer_that_fails_is_told_what_to_look_at() -> None:
    def place(w: Any, i: int) -> Any:
        return w[i]

    def unfinished(*given: Any) -> Any:
        raise NotImplementedError

    def misspelled(*given: Any) -> Any:
        return storrage  # type: ignore[name-defined]  # noqa: F821

    def ended(x: Any, i: int, j: int) -> Any:
        sys.exit("place")

    assert check("03.4", ended).line.endswith(FAILED["SystemExit"])
    assert check("03.4", place).line.endswith(ARGUMENTS)
    assert check("03.4", unfinished).line.endswith(FAILED["NotImplementedError"])
    assert check("03.4", misspelled).line.endswith(FAILED["NameError"])


def test_a_list_for_a_tensor_is_recognised_by_the_numbers_in_it() -> None:
    def gradients(hours: Any, litres: Any, fresh: bool) -> Any:
        w, kept = torch.tensor(2.0, requires_grad=True), []
        for x, t in zip(hours, litres, strict=True):
            w.grad = None if fresh else w.grad
            ((w * x - t) ** 2).backward()
            kept.append(w.grad)
        return kept

    mistake = next(m for m in EXERCISES["16.4"].mistakes if "the same tensor" in m.hint)
    assert check("16.4", lambda x, t: gradients(x, t, False)).line.endswith(mistake.hint)
    assert check("16.4", lambda x, t: gradients(x, t, True)).line.endswith(IN_A_LIST)
    assert check("00.2", [[0, 1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11]]).line.endswith(IN_A_LIST)
    assert check("00.2", [1, 2]).line.endswith("your answer is a list; it should be a tensor with numbers in it")


def test_an_answer_that_fails_in_other_words_than_a_mistake_is_not_told_that_it_is_that_mistake() -> None:
    def once(seen: Any, steps: int) -> Any:
        guess = torch.zeros(seen.shape[0], seen.shape[1] + 7, requires_grad=True)
        loss = (guess * guess).sum()
        loss.backward()
        loss.backward()

    def no_knob(seen: Any, steps: int) -> Any:
        seen.sum().backward()

    for answer, words in (once, "backward through the graph a second time"), (no_knob, "does not require grad"):
        line = check("16.12", answer).line
        assert words in line and line.endswith(next(hint for said, hint in SAID.items() if words in said))


def test_gradients_by_hand_are_not_those_of_backward() -> None:
    def slope(w: Any, x: Any, t: Any) -> Any:
        w = w.clone().requires_grad_()
        ((w * x - t) ** 2).sum().backward()
        return w.grad

    def give_back(grad: Any) -> Any:
        x = torch.zeros(len(grad) + 1, requires_grad=True)
        return torch.autograd.grad(x[1:] - x[:-1], x, grad)[0]

    for number, answer in ("16.2", slope), ("16.8", give_back):
        assert check(number, answer).line.endswith(f"lets backward() work out the gradient. {BY_HAND}")


def test_a_right_function_that_writes_into_what_it_was_given_is_told_so() -> None:
    page = check("16.2", lambda w, x, t: (2 * (w * x - t) * x.mul_(2)).sum() / 2)
    assert page.done and WROTE in page.line
    exercise = EXERCISES["16.2"]
    assert not any(WROTE in check("16.2", answer).line for answer in exercise.right)


def test_the_sentence_about_this_answer_comes_first_and_the_hints_are_closed() -> None:
    page = check("03.8", given("03.8").reshape(4, 3))
    shown = html(page)
    assert shown.index("reshape keeps the order") < shown.index("[0, 1]") < shown.index("Hint 1 of 3")
    assert "<details open" not in shown and "x.t()" not in shown


def test_the_solution_comes_after_three_different_tries_or_when_asked_twice() -> None:
    def page(answer: Any) -> str:
        return html(check("03.8", answer))

    x = given("03.8")
    wrong = [x, x, x.reshape(4, 3), x.t().clone()]
    assert ["side = x.t()" in page(answer) for answer in wrong] == [False, False, False, True]
    assert solution("03.8").line == "Solution of 03.8: side = x.t()"
    assert [solution("03.4").line.endswith("once more to see it") for _ in range(2)] == [True, False]


def test_a_solution_of_several_lines_is_shown_line_by_line() -> None:
    """Also folded, below the hints."""
    x = given("04.13")
    pages = [html(check("04.13", answer)) for answer in (x, x.flip(1), x[:1], x[:2])]
    lines = solutions("04")["04.13"].split("\n")
    assert len(lines) == 2
    for page in (pages[-1], html(hint("04.13"))):
        assert "x0a" not in page
        assert all(f'white-space:pre">{line}</div>' in page for line in lines)


def test_an_answer_between_quotation_marks_is_told_to_leave_them_out() -> None:
    for said in ("(5, 3, 4)", "(5, 3)", " 60 "):
        assert check("07.2", said).line.endswith(QUOTED)
    assert QUOTED not in check("07.2", "refused").line and QUOTED not in check("07.2", "often").line


def test_a_shape_is_no_number_with_a_comma() -> None:
    assert check("02.2", (36, 864)).line.endswith(COMMA)
    assert check("02.2", (16, 3, 32, 24)).line.endswith("This is the shape. Multiply its numbers.")


def test_a_dtype_may_have_its_second_name() -> None:
    assert check("06.4", "short").done and check("06.9", ("short", "half", "float", "torch.float32")).done
    assert not check("06.4", int).done and not check("06.9", ("int16", "float16", float, "float")).done


def test_a_number_is_repeated_with_all_its_digits() -> None:
    assert "1.0009765625 is the next float16" in check("06.11", 1.0009765625).line
    assert check("01.2", 32000.0).line.startswith("01.2 done: 32000 is")


def test_a_list_of_another_length_is_counted() -> None:
    assert "your answer is a list of 2; it should be a list of 6" in check("01.10", [True, False]).line


def test_dots_among_names_are_shown_as_dots() -> None:
    assert "('time', ..., 'stations') is not" in check("09.2", ("time", ..., "stations")).line


def test_an_array_is_no_tensor_where_a_tensor_is_to_be_made_of_it() -> None:
    a = given("11.2")
    assert check("11.2", a).line.startswith("11.2 not yet: your answer is a NumPy array; it should be a tensor.")
    assert check("11.2", torch.from_numpy(a)).done


def test_a_row_of_numbers_may_be_a_tensor() -> None:
    assert check("11.6", torch.tensor([10, 2, 7])).done and not check("11.6", torch.tensor([[10, 2, 7]])).done


def test_letters_may_be_written_together_or_one_by_one() -> None:
    for said in ("ECDAB", "E, C, D, A, B", "e c d a b", ("E", "C", "D", "A", "B"), ["E", "C", "D", "A", "B"]):
        assert check("22.13", said).done
    assert check("11.11", "b, d, e").done and check("11.11", "bde").done
    assert not check("11.11", "b, d").done and not check("22.13", ("A", "B", "C", "D", "E")).done


def test_a_tuple_of_values_and_indices_is_told_as_one() -> None:
    line = check("10.14", given("10.14").sort(0)).line
    assert "your answer is a tuple of values and indices; it should be a tensor" in line


def test_right_numbers_of_another_dtype_are_told_as_a_dtype_where_one_is_minus_0() -> None:
    assert "is float32, wanted int64" in check("06.7", given("06.7").round()).line


def test_the_real_part_of_a_spectrum_does_not_say_how_strong_a_tone_is() -> None:
    assert not check("10.10", lambda x: torch.fft.rfft(x)[1:].real.argmax() + 1).done


def test_python_is_no_equation() -> None:
    for said in ("x.t()", "torch.einsum('ij->ji', x)"):
        assert check("08.2", said).line == f'08.2 not yet: "{said}" is Python. {PYTHON}'


def test_a_wrong_dtype_with_equal_digits_is_told_as_a_dtype() -> None:
    asked = TensorExercise(
        number="99.1", task="", hints=(), dtype="float32", shares=None,
        wanted=lambda _: [float(np.float32(0.2))], right=(lambda library: library.tensor([0.2]),),
    )  # fmt: skip
    assert asked.judge(torch.tensor([0.2]), torch, "").state == "done"
    verdict = asked.judge(torch.tensor([0.2], dtype=torch.float64), torch, "x")
    assert verdict.reason.startswith("is float64, wanted float32: its digits look the same")


def test_a_comparison_of_storages_by_id_is_no_test_of_sharing() -> None:
    """It happens to work here, where storage() gives one object; in PyTorch it says True of a copy."""
    page = check("04.10", lambda a, b: id(a.storage()) == id(b.storage()))
    assert not page.done and "This compares objects, not memory" in page.line
    assert not check("04.10", lambda a, b: a.untyped_storage() is b.untyped_storage()).done
    assert check("04.10", lambda a, b: a.untyped_storage().data_ptr() == b.untyped_storage().data_ptr()).done


def test_an_answer_made_from_the_tensor_of_another_exercise_is_told_so() -> None:
    """A lesson uses a name again, and an older answer is run once more."""
    x = given("04.6")
    assert check("04.6", x.expand(3, 4)).done
    x = given("04.8")
    page = check("04.6", x.expand(3, 4))
    assert not page.done
    assert page.line.endswith(
        'It reads the tensor of 04.8. Run the cell with given("04.6") again, and then your answer.'
    )


def test_an_answer_made_from_a_tensor_of_ones_own_is_told_so() -> None:
    """A student types anew what was given: the answer is no copy of it, and a write into it would show."""
    typed = """
        x = given("04.6")
        right = check("04.6", x.expand(3, 4))
        x = torch.tensor([14, 11, 8, 17])
        table = x.expand(3, 4)
        top = table[0]
        told = check("04.6", table)
        copied = check("04.6", given("04.6").repeat(3, 1))
    """
    names: dict[str, Any] = {"torch": torch, "given": given, "check": check}
    exec(textwrap.dedent(typed), names)
    again = 'Run the cell with given("04.6") again, and then your answer.'
    assert names["right"].done and not names["told"].done
    assert names["told"].line.endswith(f"It reads x, which is not the tensor that was given. {again}")
    assert "It reads" not in names["copied"].line


def test_the_hint_for_a_place_that_is_named_twice_can_be_reached() -> None:
    def table_of(rows: Any, columns: Any, values: Any) -> Any:
        table = torch.zeros(4, 4)
        table[rows, columns] = values
        return table

    assert check("14.4", table_of).line.endswith("yours keeps the last value. Add them up.")


# -- predictions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", PREDICTIONS)
def test_the_right_guess_is_right_and_tells_no_more(number: str) -> None:
    asked = PREDICTIONS[number]
    page = revealed(number, asked.says())
    assert page.line.startswith(f"{number} right: ") and "You said" not in page.line


def test_places_are_where_the_storage_says() -> None:
    for asked in PREDICTIONS.values():
        if isinstance(asked, PlacePrediction):
            view = asked.made(torch)
            assert view.storage()[asked.says()] == view[asked.index].item()


@pytest.mark.parametrize("number", PREDICTIONS)
def test_each_usual_wrong_guess_is_told_what_it_would_have_needed(number: str) -> None:
    guesses = [*PREDICTIONS[number].wrong_guesses()]
    assert guesses
    for guess, words in guesses:
        page = revealed(number, guess)
        assert page.line.startswith(f"{number} not right: ")
        assert page.line.endswith(f"You said {as_typed(guess)}: {words}.")


@pytest.mark.parametrize(
    ("number", "guess", "said"),
    [
        ("03.1", 5, "1*1 + 2*2 = 5 takes column-major strides"),
        ("03.1", 108, "that is the value, 108"),
        ("03.1", 64, "that is the byte"),
        ("03.1", 9, "places are counted from 0"),
        ("03.3", 8, "5 + 1*2 + 1*1 = 8 takes the strides of a contiguous (2, 2)"),
        ("03.3", 6, "1*4 + 1*2 = 6 leaves out the offset, 5"),
        ("03.5", 18, "+= writes there"),
        ("03.5", 218, "week does not read that one"),
        ("03.7", 8, "1 + 2*3 + 1*1 = 8 takes the strides of a contiguous (3, 3)"),
        ("03.7", 10, "the strides the wrong way round"),
        ("03.9", 0, "data_ptr() is the address of the first element"),
        ("03.7", "often", "You said 'often'."),
    ],
)
def test_wrong_ways_to_a_place_are_told(number: str, guess: Any, said: str) -> None:
    page = revealed(number, guess)
    assert page.line.startswith(f"{number} not right: ")
    assert said in page.line and f"You said {guess!r}" in page.line


@pytest.mark.parametrize(
    ("number", "guess"),
    [
        ("01.1", "three"), ("01.1", [3]), ("01.4", "tensor(2)"), ("01.3", np.dtype("int64")), ("01.6", "30 000"),
        ("01.6", "100 * 100 * 3"), ("01.6", "100 x 100 x 3"), ("01.11", np.array([44], np.uint8)),
        ("01.11", "tensor([44], dtype=torch.uint8)"), ("04.3", "RuntimeError"), ("04.3", "an error"),
    ],
)  # fmt: skip
def test_a_right_guess_may_be_written_in_other_ways(number: str, guess: Any) -> None:
    assert revealed(number, guess).line.startswith(f"{number} right: ")


def test_what_nobody_can_mean_is_no_guess() -> None:
    predict("01.1", 4)
    for guess, called in ((print, "a function"), (show(np.ones(2)), "a Picture"), ({}, "a dict"), ("", "''")):
        assert predict("01.1", guess).line.startswith(f"01.1 not answered yet: {called} is no guess: write a number")
    assert "You said 4" in reveal("01.1").line


@pytest.mark.parametrize("truth", [True, False])
def test_true_in_quotation_marks_is_true(truth: bool) -> None:
    """Of such questions none is left in the lessons, since half of all guesses are right; a teacher may ask one."""
    asked = WordPrediction(
        number="99.1", question="?", subject="it", answer=truth, reason="so it is", otherwise={not truth: "not at all"}
    )
    assert all(asked.reveal(guess).right for guess in (truth, str(truth), str(truth).lower()))
    assert asked.reveal(str(not truth)).words == f"You said {not truth}: not at all."


@pytest.mark.parametrize(
    ("number", "guess"),
    [("03.1", "8"), ("02.1", "(2, 1, 3)"), ("02.1", "torch.Size([2, 1, 3])"), ("02.1", torch.Size([2, 1, 3])),
     ("01.3", torch.int64), ("01.3", np.int64), ("01.3", " torch.int64 "), ("01.3", "long"), ("11.7", "double")],
)  # fmt: skip
def test_a_guess_is_understood_however_it_is_spelled(number: str, guess: Any) -> None:
    assert revealed(number, guess).line.startswith(f"{number} right: ")


def test_dots_are_no_guess() -> None:
    for number, asked in PREDICTIONS.items():
        page = predict(number, ...)
        assert page.line == f"{number} not answered yet: {asked.question}"
        assert str(asked.says()) not in html(page).partition("<script>")[0].replace(asked.question, "").split(">")


@pytest.mark.parametrize("number", PREDICTIONS)
def test_a_kept_guess_gives_nothing_away(number: str) -> None:
    """Right or wrong, the page is the same but for the guess; and so is the one that waits for a guess."""
    asked = PREDICTIONS[number]
    pages = set()
    for guess in (asked.says(), *(wrong for wrong, _ in asked.wrong_guesses())):
        page = predict(number, guess)
        assert page.line == f"{number} kept: your guess is {as_text(plainly(guess))}. Now run the cells below"
        text = parse(html(page)).text().replace(page.line, "")
        pages.add(text.replace(f"Your guess is {as_text(plainly(guess))}.", ""))
    assert len(pages) == 1
    predict(number, ...)
    assert reveal(number).line == f'{number} no guess yet: answer predict("{number}", ...) first'
    assert parse(html(reveal(number))).text().count(asking.FIRST_GUESS) == 1


def test_a_guess_outlives_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a restart the file is asked; but a cell that was run with dots in this session has no guess."""
    for number, guess in (("02.1", (2, 1, 3)), ("03.1", 8), ("04.3", "view"), ("03.7", [1, 2])):
        said = repr(revealed(number, guess))
        monkeypatch.setattr(asking, "_guesses", {})
        assert repr(reveal(number)) == said
        predict(number, ...)
        assert "no guess yet" in reveal(number).line


def test_without_a_file_the_session_remembers(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv(record.VARIABLE, str(tmp_path / "no" / "folder" / "kept.json"))
    assert revealed("03.1", 8).line.startswith("03.1 right")


# -- hints ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", EXERCISES)
def test_hints_lead_step_by_step_to_the_solution(number: str) -> None:
    exercise = EXERCISES[number]
    count = len(exercise.hints) + 1
    folded = hint(number)
    assert folded.line.endswith(f'{count} steps. hint("{number}", 1) shows the first')
    assert html(folded).count("<details") == count and "<details open" not in html(folded)
    for k, said in enumerate(exercise.hints, 1):
        assert hint(number, k).line == f"Hint {k} of {count}: {said}"
    asking._asked_for.clear()
    assert solution(number).line.endswith("Run this once more to see it")
    assert repr(hint(number, count)) == repr(solution(number))
    assert repr(solution(number)).startswith(f"Solution of {number}: ") and "once more" not in repr(solution(number))
    assert hint(number, 99).line == f"Hints for {number}: there are {count}, and 99 is not one of them"
