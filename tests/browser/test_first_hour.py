"""Lesson 03 as a student works it through, to its last check: by keyboard and mouse, a usual mistake first.

What is drawn about a wrong guess and a wrong answer is looked at, too. Errors on the console and requests to other
machines fail it as well: the page fixture sees to that.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Locator, Page, expect

from tensorwidgets.course import record
from tensorwidgets.course.handing_out import hand_out
from tests.browser.lab import Notebook, evaluate

PATIENCE = 20_000


class Step(NamedTuple):
    """What is written in place of the dots of one cell: the mistake, the words that answer it, the right answer."""

    number: str
    cell: str
    """Words that only this cell holds."""
    mistake: str
    said: str
    right: str
    praise: str = ""


ANSWERS = [
    Step("03.1", 'predict("03.1"', "9", "You said 9", "8"),
    Step("03.2", "start = ", "11", "Each element of m takes 2 bytes", "22"),
    Step("03.3", 'predict("03.3"', "6", "You said 6", "11"),
    Step(
        "03.4",
        "def place(x, i, j)",
        "i * x.stride(0) + j * x.stride(1)",
        "The offset is left out",
        "x.storage_offset() + i * x.stride(0) + j * x.stride(1)",
    ),
    Step("03.5", 'predict("03.5"', "18", "then += would have had to copy", "118"),
    Step("03.6", "def clear_column", "x[:, j].clone().zero_()", "you wrote into a copy", "x[:, j].zero_()"),
    Step("03.7", 'predict("03.7"', "8", "You said 8", "7"),
    Step(
        "03.8",
        "side = ",
        "x.reshape(4, 3)",
        "turning reads every fourth element",
        "x.t()",
        "has the values asked for, and no copy was made",
    ),
    Step("03.9", 'predict("03.9"', "0", "temps[1] begins", "16"),
    Step(
        "03.10",
        "answers = [",
        "[False, True, True, False, True]",
        "1 of 5 answers is wrong",
        "[False, True, False, False, True]",
    ),
]
PHOTOGRAPH = [
    Step("03.12", "upright = ", "sent.reshape(64, 48, 3)", "These are rows of 48 pixels", "sent.view(48, 64, 3)"),
    Step(
        "03.13",
        "stamp = ",
        "small[::2, ::2]",
        "and still upright",
        "small.as_strided((32, 24, 3), (6, 384, 1))",
    ),
]
EXERCISES = [
    *(step.number for step in ANSWERS if not step.cell.startswith("predict")),
    "03.11",
    *(step.number for step in PHOTOGRAPH),
]
NOTHING_BUSY = """prompts => new Promise(done => {
  const busy = () => [...document.querySelectorAll(prompts)].some(p => p.textContent.includes('[*]'));
  if (!busy()) return done();
  const watch = new MutationObserver(() => { if (!busy()) { watch.disconnect(); done(); } });
  watch.observe(document.querySelector(prompts).closest('.jp-Notebook'),
    { childList: true, subtree: true, characterData: true });
})"""
"""Told by the page when it changes: to ask it at every frame makes it draw every frame."""
CORNERS = "(explorer.size, explorer.stride, explorer.offset)"


class Student:
    """Hands on an open lesson, and eyes: nothing here reaches past the page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        notebook = ".jp-NotebookPanel:not(.lm-mod-hidden) .jp-Notebook"
        self.cells = page.locator(f"{notebook} .jp-Cell")
        self.active = page.locator(f"{notebook} .jp-Cell.jp-mod-active")
        self.prompts = f"{notebook} .jp-InputPrompt"

    def code(self, words: str) -> Locator:
        """The code cell in which these words stand."""
        return self.cells.filter(has=self.page.locator(".jp-CodeMirrorEditor .cm-content", has_text=words))

    def run(self) -> None:
        """Shift + Enter, and wait until nothing is busy."""
        self.page.keyboard.press("Shift+Enter")
        evaluate(self.page, NOTHING_BUSY, self.prompts)

    def run_to(self, words: str) -> None:
        """Shift + Enter from cell to cell, up to the one with these words."""
        for _ in range(60):
            if words in self.active.locator(".cm-content").first.inner_text():
                return
            self.run()
        raise AssertionError(f"no cell with {words}")

    def write(self, cell: Locator, old: str, new: str) -> None:
        """Click on the line that holds `old`, select what is on it by keys, and type it anew, or paste a long one."""
        line = cell.locator(".cm-line", has_text=old).last
        before, _, after = line.inner_text().strip().rpartition(old)
        line.click()
        for key in ("End", "Shift+Home"):
            self.page.keyboard.press(key)
        text = before + new + after
        put = self.page.keyboard.type if len(text) < 30 else self.page.keyboard.insert_text
        put(text)

    def output(self, cell: Locator) -> Locator:
        return cell.locator(".jp-OutputArea-output").first

    def answer(self, step: Step) -> None:
        """A mistake and what is said to it, then the right answer. A guess is judged further below."""
        cell = self.code(step.cell)
        guess = step.cell.startswith("predict")
        judge = f'{"reveal" if guess else "check"}("{step.number}"'
        dots = "[..., ..., ..., ..., ...]" if step.number == "03.10" else "..."
        for old, new, said in ((dots, step.mistake, step.said), (step.mistake, step.right, "")):
            self.write(cell, old, new)
            self.run()
            if guess:
                expect(self.output(cell)).to_contain_text(f"Your guess is {new}. It is kept.", timeout=PATIENCE)
                expect(self.output(cell)).not_to_contain_text(step.said)
                self.run_to(judge)
            self.run()
            judged = self.output(self.code(judge))
            expect(judged).to_contain_text(said or step.praise or ("right" if guess else "done"), timeout=PATIENCE)
            if said and step.number in PICTURES:
                PICTURES[step.number](judged.locator(".tw"))

    def unfold(self, summary: str, text: str) -> None:
        """The explanation below the active cell is hidden until its line is clicked."""
        folded = self.page.locator(".jp-RenderedMarkdown details", has_text=text)
        hidden = folded.get_by_text(text)
        expect(hidden).to_be_hidden()
        folded.locator("summary", has_text=summary).click()
        expect(hidden).to_be_visible()

    def slide(self, name: str, value: int) -> None:
        """A slider of the live picture, by the arrow keys; each step of the knob is waited for."""
        knob = self.page.locator(f'.twl [data-name="{name}"] input').last
        knob.focus()
        for now in range(int(knob.input_value()), value, 1 if int(knob.input_value()) < value else -1):
            self.page.keyboard.press("ArrowRight" if now < value else "ArrowLeft")
            expect(knob).not_to_have_value(str(now), timeout=PATIENCE)

    def sees(self, *words: str) -> None:
        """Python draws the live picture. Once it shows these words, cells know of them too; a knob runs ahead."""
        for some in words:
            expect(self.page.locator(".twl .twl-stage").last).to_contain_text(some, timeout=PATIENCE)


def wrong_guess(drawn: Locator) -> None:
    """The element that was guessed has a dashed edge, the one that it is a solid one."""
    for cell, edge in ((".k-A7", "solid"), (".k-A8", "dashed")):
        assert drawn.locator(f".tw-storage {cell}").evaluate("e => getComputedStyle(e).borderTopStyle") == edge


def wrong_answer(drawn: Locator) -> None:
    """What is wrong is marked and answers the mouse; a hint is hidden until its line is clicked."""
    assert "03.8\u2002not yet" in drawn.locator(".tw-title").inner_text()
    wrong = drawn.locator(".tw-view").first.locator(".i-q0.i-s1")
    assert wrong.evaluate("e => getComputedStyle(e).borderTopStyle") == "dashed"
    wrong.hover()
    assert drawn.locator(".tw-hot").count() == 2
    assert "yours[0, 1]" in drawn.locator(".tw-say").inner_text()
    second = drawn.locator("details").nth(1)
    assert not second.get_by_text("One method does both").is_visible()
    second.locator("summary").click()
    assert second.get_by_text("One method does both").is_visible()


PICTURES = {"03.7": wrong_guess, "03.8": wrong_answer}
"""What else is looked at below a mistake."""


@pytest.mark.thorough
def test_lesson_03_is_worked_through(open_notebook: Callable[..., Notebook], tmp_path: Path) -> None:
    hand_out(tmp_path)
    notebook = open_notebook(tmp_path / "03_storage.ipynb")
    student = Student(notebook.page)
    student.code("temps = torch.tensor").locator(".cm-content").click()
    for step in ANSWERS:
        student.run_to(step.cell)
        student.answer(step)
        if step.number == "03.1":
            student.unfold("Explain.", "Row after row: first all of row 0")
    student.run_to("corners = ")
    notebook.page.wait_for_selector("[data-twl=ready] [data-tw=ready]")
    for name, value in (("size 0", 2), ("size 1", 2), ("stride 0", 12), ("stride 1", 3)):
        student.slide(name, value)
    student.sees("dim 0: 2 in steps of 12", "dim 1: 2 in steps of 3")
    student.write(student.code("corners = "), "...", CORNERS)
    student.run()
    student.run()
    expect(student.output(student.code('check("03.11"'))).to_contain_text("done", timeout=PATIENCE)
    for step in PHOTOGRAPH:
        student.run_to(step.cell)
        student.answer(step)
    kept = json.loads((notebook.path.parent / record.FILE).read_text(encoding="utf-8"))
    assert {n: one["done"] for n, one in kept["exercises"].items()} == dict.fromkeys(EXERCISES, True)
    assert {n: one["tries"] for n, one in kept["exercises"].items()} == {
        number: 1 if number == "03.11" else 2 for number in EXERCISES
    }
    (wrong,) = kept["exercises"]["03.8"].pop("wrong")
    assert "turning reads every fourth element" in wrong
    assert kept["exercises"]["03.8"] == {"tries": 2, "done": True}
    assert kept["predictions"]["03.7"] == {"first": 8, "latest": 7}
    assert kept["predictions"]["03.9"] == {"first": 0, "latest": 16}
