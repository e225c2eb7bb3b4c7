"""A lesson can be heard as well as seen: headings in order, links that say where they lead, words for every picture."""

from __future__ import annotations

import json
import re

import pytest

from tensorwidgets.course.shelf import NOTEBOOKS, Lesson
from tests.pictures.parsed import parse
from tests.project.running import ROOT

READY = [lesson for lesson in NOTEBOOKS if lesson.ready]
each_lesson = pytest.mark.parametrize("lesson", READY, ids=lambda lesson: lesson.number)

SAYS_NOTHING = {"here", "this", "link", "click here", "more", "read more", "this page", "there", "it"}
PRAISE = r"\b(simply|just|easy|easily|obviously|of course|trivial|great|awesome|amazing|powerful|beautiful|nice)\b"
LONGEST = 40
"""Words in a sentence."""


def markdown(lesson: Lesson) -> str:
    cells = json.loads((ROOT / "notebooks" / lesson.file).read_text(encoding="utf-8"))["cells"]
    return "\n\n".join("".join(c["source"]) for c in cells if c["cell_type"] == "markdown")


def pictures(lesson: Lesson) -> list[tuple[str, str]]:
    """The words and the HTML of each output that has both."""
    cells = json.loads((ROOT / "notebooks" / lesson.file).read_text(encoding="utf-8"))["cells"]
    outputs = [o["data"] for c in cells for o in c.get("outputs", []) if "text/html" in o.get("data", {})]
    return [("".join(data["text/plain"]), "".join(data["text/html"])) for data in outputs]


@each_lesson
def test_headings_are_in_order_and_begin_no_cell_late(lesson: Lesson) -> None:
    levels = [len(marks) for marks in re.findall(r"^(#+) ", markdown(lesson), re.MULTILINE)]
    assert levels[0] == 1 and levels.count(1) == 1
    assert all(after <= before + 1 for before, after in zip(levels, levels[1:], strict=False))


@each_lesson
def test_links_say_where_they_lead(lesson: Lesson) -> None:
    links = re.findall(r"(?<!!)\[([^\]]+)\]\([^)]+\)", markdown(lesson))
    assert links
    for words in links:
        assert words.strip().lower() not in SAYS_NOTHING and "://" not in words and len(words) > 2, words
    assert not re.search(r"(?<![(\"<])https?://", markdown(lesson))


@each_lesson
def test_pictures_in_the_text_have_words(lesson: Lesson) -> None:
    images = re.findall(r"!\[([^\]]*)\]|<img([^>]*)>", markdown(lesson))
    for words, tag in images:
        assert words.strip() or re.search(r'alt="[^"]+"', tag)


@each_lesson
def test_drawn_pictures_say_the_same_in_words(lesson: Lesson) -> None:
    drawn = pictures(lesson)
    assert drawn
    for words, html in drawn:
        root = parse(html.partition("<script>")[0])
        assert words.strip() and "<" not in words
        for head in root.all("th"):
            assert head.attributes.get("scope") in ("row", "col")
        for table in root.all("table"):
            line = len(table.all("tr")) == 1  # a line that is set as a table is read as a line
            assert line or table.all("th") or table.all("caption") or "tw-view" in table.classes
        for image in root.all("img"):
            ornament = "width:10px" in image.attributes["style"]  # the dot on a curve, which the curve's words name
            assert image.attributes["alt"] if not ornament else image.attributes["alt"] == ""
        for cell in root.all("td"):
            if any(name.startswith(("k-", "i-")) for name in cell.classes):
                assert " | " in cell.attributes["title"]


@each_lesson
def test_sentences_can_be_read_aloud(lesson: Lesson) -> None:
    """No sentence that loses its listener, and nothing told to be easy to somebody for whom it is not."""
    text = re.sub(r"```.*?```", "", markdown(lesson), flags=re.DOTALL)
    prose = [line for line in re.split(r"\n\s*\n", text) if not line.lstrip().startswith(("|", "#"))]
    for paragraph in prose:
        plain = re.sub(r"\[([^\]]*)\]\([^)]*\)|`[^`]*`|[*_>]", r"\1", paragraph)
        for sentence in re.split(r"(?<=[.?!:;])\s+|\n\d+\. ", plain):
            assert len(sentence.split()) <= LONGEST, sentence
    assert not re.findall(PRAISE, text, re.IGNORECASE)


LIST = re.compile(r"\s*(\d+[.)]|[-+*])\s")


@each_lesson
def test_no_line_of_a_sentence_begins_like_a_list(lesson: Lesson) -> None:
    """Markdown makes a list of a line that begins with `1. `, also where a sentence only ends with that number."""
    text = re.sub(r"```.*?```", "", markdown(lesson), flags=re.DOTALL)
    lines = text.split("\n")
    for before, line in zip(lines, lines[1:], strict=False):
        if LIST.match(line) and before.strip():
            assert LIST.match(before) or before.startswith("  ") or before.rstrip().endswith(":"), line
