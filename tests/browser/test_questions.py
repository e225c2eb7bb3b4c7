"""A question to click, and the titles of pictures: what is read first is above what is read after it."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from playwright.sync_api import Page

from tensorwidgets.pictures import show
from tensorwidgets.pictures.drawing.picture import Picture
from tensorwidgets.pictures.drawing.scene import Title
from tests.browser.lab import Notebook

TOPS = """() => ['.tw-title', '.twl-controls'].map((one) => {
  const { top, bottom, left, right } = document.querySelector(`.twl ${one}`).getBoundingClientRect();
  return { top, bottom, left, right };
})"""
PARTS = """() => {
  const plain = ({ top, bottom, left, right }) => ({ top, bottom, left, right });
  const [title, facts] = document.querySelector('.tw-title').children;
  return [[...title.getClientRects()].map(plain), plain(facts.getBoundingClientRect()),
    document.querySelector('.tw-title').getBoundingClientRect().bottom];
}"""
LONG = "Predict: A network that has learned nothing chooses among ten classes. What is its cross entropy?"


def test_answers_are_below_their_question(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(["from tensorwidgets.course import predict\npredict('01.3', ...)"])
    notebook.run_all()
    page = notebook.page
    page.wait_for_selector(".twl[data-twl=ready]")
    question, answers = notebook.evaluate(TOPS)
    assert question["bottom"] < answers["top"]
    # By keyboard, too: the page of the question comes before its first button.
    assert notebook.evaluate("() => [...document.querySelector('.twl').children].at(-2).className") == "twl-controls"
    page.get_by_role("button", name="'int64'", exact=True).click()
    page.wait_for_selector("text=Your guess is kept.")
    assert page.locator(".twl-controls button[aria-pressed=true]").inner_text() == "'int64'"


def test_a_guess_is_typed_and_sent_by_enter(open_notebook: Callable[..., Notebook]) -> None:
    """By keys alone, as a person does it: an input that is filled by Playwright says by itself that it changed."""
    notebook = open_notebook(["from tensorwidgets.course import predict\npredict('01.1', ...)"])
    notebook.run_all()
    page = notebook.page
    page.locator(".twl[data-twl=ready] input").click()
    page.keyboard.type("4")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your guess is kept: 4.")
    page.keyboard.press("Backspace")
    page.keyboard.type("3")
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Your guess is kept: 3.")


@pytest.mark.parametrize("width", [1000, 480, 320])
def test_a_title_comes_before_its_facts_and_touches_none(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 600})
    x = np.arange(12.0)
    for picture in (show(x, labels=["x"]), Picture([Title(LONG, "19.1, not answered yet")])):
        page.set_content(picture.page())
        lines, facts, bottom = page.evaluate(PARTS)
        for line in lines:
            assert line["right"] + 8 <= facts["left"] or line["bottom"] <= facts["top"] + 4
        assert lines[0]["top"] <= facts["top"] + 4 and facts["bottom"] <= bottom + 1
