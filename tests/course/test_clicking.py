"""A prediction that is clicked: it keeps what was chosen, tells nothing, and is typed where there is no kernel."""

from __future__ import annotations

from typing import Any

import pytest

from tensorwidgets.course import asking, predict, record, reveal
from tensorwidgets.course.checking.plainly import as_text
from tensorwidgets.course.checking.prediction import PlacePrediction
from tensorwidgets.course.clicking import KEPT, Guessing
from tensorwidgets.live.saving import TWIN, VIEW
from tests.course.answers import PREDICTIONS
from tests.live.walking import ODD, press
from tests.pictures.parsed import parse


def answered(number: str, guess: Any) -> Guessing:
    """A question that was answered as a browser does it."""
    question = Guessing(PREDICTIONS[number], lambda plain: asking._keep(number, plain))
    if isinstance(PREDICTIONS[number], PlacePrediction):
        press(question, "cell", f"A[{guess}]")
    elif PREDICTIONS[number].choices():
        press(question, f"choice {PREDICTIONS[number].choices().index(guess)}")
    else:
        press(question, "typed", str(guess))
    return question


@pytest.mark.parametrize("number", PREDICTIONS)
def test_every_question_can_be_answered_rightly_and_says_only_that_it_is_kept(number: str) -> None:
    asked = PREDICTIONS[number]
    pages = set()
    for guess in (asked.says(), *(wrong for wrong, _ in asked.wrong_guesses())):
        places = asked.places() if isinstance(asked, PlacePrediction) else 0
        if places and guess not in range(places):
            continue
        question = answered(number, guess)
        assert question.guess == guess or str(question.guess) == str(guess).strip("' ")
        text = parse(question.html).text()
        assert KEPT in text and "kept" in question.status
        pages.add(text.replace("you", "").replace("▾", "").split("element")[0])
        question.close()
    assert len(pages) == 1
    answered(number, asked.says()).close()
    assert reveal(number).line.startswith(f"{number} right: ")


def test_a_question_with_places_shows_no_value_to_look_up() -> None:
    question = Guessing(PREDICTIONS["03.1"], lambda plain: None)
    assert question.html.count(">?<") >= 12 and "place 8" in question.html and "lies here" not in question.html
    question.close()


def test_choices_are_in_an_order_that_says_nothing() -> None:
    offered = [one for asked in PREDICTIONS.values() if (one := asked.choices()) and one != (True, False)]
    assert offered and all([*map(as_text, some)] == sorted(map(as_text, some)) for some in offered)


def test_odd_requests_keep_nothing() -> None:
    kept: list[Any] = []
    for number in ("03.1", "01.3", "06.6"):
        question = Guessing(PREDICTIONS[number], kept.append)
        for odd in ODD:
            press(question, "cell", odd)
            press(question, "choice 99", odd)
        press(question, "typed", "  ")
        question.close()
    assert kept == []


def test_the_widget_is_drawn_where_somebody_can_click_and_the_page_elsewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    page = predict("03.1", ...)
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "0")
    assert set(page._repr_mimebundle_()) == {"text/plain", "text/html"}
    record.keep_guess("03.1", 6)
    monkeypatch.setenv("TENSORWIDGETS_LIVE", "1")
    data, metadata = predict("03.1", ...)._repr_mimebundle_()  # type: ignore[misc]
    assert VIEW in data and "6" in metadata[TWIN]
    assert reveal("03.1").line.startswith("03.1 not right: ")
