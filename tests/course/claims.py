"""What the lessons say of PyTorch, sentence by sentence, and the table that pairs each with code (`claims.tsv`).

A line of the table names a lesson, a cell, words of it (several places are parted by ` … `) and code whose last part
is true on PyTorch. Beside the cells' ids stand `prediction 03.1`, whose code gives the answer, `statement 03.10`,
whose code is as true as the statement, `answer 03.2`, and `hint 03.2` for what is said to an answer. Where nothing is
claimed of PyTorch, the line says why.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

from tensorwidgets.course.building import student_copy
from tensorwidgets.course.shelf import NOTEBOOKS

TABLE = Path(__file__).with_name("claims.tsv")
NO_CLAIM = "no claim: "
STEP = re.compile(r"(\d+\. )?\*\*(Question|Predict|Modify|Make|Run|Minutes|On this page|Something to show a friend)\b")
OUR_TOOLS = re.compile(
    r"`%?(show|why|hint|check|predict|reveal|route|catalogue|explorer|given|progress|memory|load_ext|solution)\b[^`]*`"
)
ABOUT = re.compile(
    r"\bPyTorch|`|\b(cop(y|ies|ied)|views?|refuse[sd]?|strides?|bytes?|threads?|float\w*|default|storage|slow\w*|fast\w*)\b"
)


class Claim(NamedTuple):
    """One line of the table."""

    lesson: str
    cell: str
    words: str
    code: str

    @property
    def parts(self) -> list[str]:
        return self.words.split(" … ")

    @property
    def reason(self) -> str:
        """Why nothing is claimed; empty where something is."""
        return self.code.removeprefix(NO_CLAIM) if self.code.startswith(NO_CLAIM) else ""


def claims() -> list[Claim]:
    _, *lines = TABLE.read_text(encoding="utf-8").splitlines()
    return [Claim(*line.split("\t")) for line in lines]


def texts() -> dict[tuple[str, str], str]:
    """The text cells of all lessons and of the puzzles, by lesson and id."""
    return {
        (lesson.number, cell["id"]): "".join(cell["source"])
        for lesson in NOTEBOOKS
        if lesson.ready
        for cell in student_copy(lesson)["cells"]
        if cell["cell_type"] == "markdown" and "course-map" not in cell["metadata"].get("tags", [])
    }


def sentences(text: str) -> list[str]:
    """The sentences of a cell, and the rows of its tables; of questions and things to do only what names PyTorch.

    >>> sentences("**Recap.** It copies. Always.\\n\\n**Run.** Look. PyTorch copies.\\n\\n| a |\\n| --- |\\n| 1 |")
    ['**Recap.** It copies.', 'Always.', 'PyTorch copies.', '| 1 |']
    """
    told: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        lines = [line for line in paragraph.strip().splitlines() if not line.startswith(("<", "#"))]
        if not lines or lines[0].startswith(("```", "1. ")):
            continue
        if lines[0].startswith("|"):
            told += lines[2:]
            continue
        parts = re.split(r"(?<=[.:?!])\s+(?=[A-Z`*>(-])", plain(" ".join(lines)))
        if STEP.match(lines[0]):
            parts = [part for part in parts if "PyTorch" in part and not part.endswith(("?", ")"))]
        told += parts
    return told


def plain(text: Any) -> str:
    return " ".join(str(text).split())


def is_about_pytorch(sentence: str) -> bool:
    """Whether a sentence could be false on PyTorch: it names it, holds code, or speaks of copies, bytes and the like.

    >>> is_about_pytorch("A row is contiguous, so nothing is copied."), is_about_pytorch("Point at a cell.")
    (True, False)
    """
    return bool(ABOUT.search(OUR_TOOLS.sub("", sentence))) and not sentence.startswith(
        ("Stuck at", "Next comes", "The next lesson")
    )
