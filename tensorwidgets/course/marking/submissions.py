"""What was handed in: the notebooks of a folder, and of each the answer cells and nothing else."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from typing import Any

from tensorwidgets.course.building import solutions
from tensorwidgets.course.shelf import LESSONS, PUZZLES, Lesson

from .carried import guesses_in, tries_in

NO_ANSWER = "no answer cell of any lesson in it"
LINKED = "it is a link to somewhere else, which is not followed"
MOST_BYTES = 20_000_000
"""A larger file is no notebook of a lesson."""


@dataclass(frozen=True)
class Submission:
    """One notebook: whose, of which lesson, the answers by exercise, or what is wrong with the file."""

    student: str
    file: Path
    lesson: Lesson | None = None
    answers: dict[str, str] = field(default_factory=dict)
    problem: str = ""
    guesses: dict[str, Any] = field(default_factory=dict)
    """The first guess of each prediction that was compared."""
    tries: dict[str, int] = field(default_factory=dict)
    """How often each exercise was checked, as its page says."""
    handed_in: float = 0.0
    """When the file was last written, in seconds since 1970."""


def submissions(folder: Path) -> Iterator[Submission]:
    """Every notebook below a folder, in the order of their names. Left out are checkpoints, hidden folders,
    environments of Python, which hold notebooks of packages, and the puzzles, which nobody marks."""
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith(".") and not _is_environment(place, name))
        for name in folders:
            if (Path(place) / name).is_symlink():
                file = Path(place) / name
                yield Submission(student_of(file.relative_to(folder) / name), file, problem=LINKED)
        for name in sorted(files):
            if name.endswith(".ipynb") and not name.startswith("."):
                one = read(Path(place) / name, folder)
                if not (one.problem == NO_ANSWER and name.startswith(PUZZLES.number)):
                    yield one


def without_notebooks(folder: Path, found: Iterable[Submission]) -> list[str]:
    """The folders in a folder that none of these lie in: what was handed in there is no notebook."""
    used = {one.file.relative_to(folder).parts[0] for one in found}
    names = sorted(inner.name for inner in folder.iterdir() if inner.is_dir())
    return [n for n in names if n not in used and not n.startswith((".", "__")) and not _is_environment(str(folder), n)]


def _is_environment(place: str, name: str) -> bool:
    return any(os.path.exists(os.path.join(place, name, mark)) for mark in ("pyvenv.cfg", "conda-meta"))


def read(file: Path, folder: Path) -> Submission:
    """One of them. Whatever is wrong with it becomes its `problem`."""
    student = student_of(file.relative_to(folder))
    try:
        cells = _cells(file)
        answers = _answers(cells) or _beside_their_checks(cells)
    except (OSError, ValueError, RecursionError) as wrong:
        first = (str(wrong).splitlines() or [""])[0]
        return Submission(student, file, problem=f"no notebook: {first}")
    lesson = _lesson_of(answers)
    if lesson is None:
        return Submission(student, file, problem=NO_ANSWER)
    mine = {number: code for number, code in answers.items() if number in solutions(lesson.number)}
    return Submission(student, file, lesson, mine, "", guesses_in(cells), tries_in(cells), file.stat().st_mtime)


def student_of(place: Path) -> str:
    """Whose it is: the folder that it lies in, or what is special about its name.

    >>> student_of(Path("anna/03_storage.ipynb")), student_of(Path("ben/03/03_storage.ipynb"))
    ('anna', 'ben')
    >>> student_of(Path("03_storage_chloe.ipynb")), student_of(Path("dan-03_storage.ipynb"))
    ('chloe', 'dan')
    """
    folders = [part for part in place.parts[:-1] if not re.fullmatch(r"\d\d(_\w+)?", part)]
    if folders:
        return "/".join(folders)
    stem = place.stem
    for lesson in LESSONS:
        stem = stem.replace(lesson.file.removesuffix(".ipynb"), "")
    return stem.strip(" -_.") or place.stem


def _cells(file: Path) -> list[Any]:
    if file.is_symlink() or not file.is_file():
        raise ValueError(LINKED)
    if file.stat().st_size > MOST_BYTES:
        raise ValueError(f"it takes {file.stat().st_size:,} bytes")
    try:
        text = file.read_text(encoding="utf-8-sig")
        if not text.strip():
            raise ValueError("the file is empty")
        result: Any = json.loads(text)
    except UnicodeDecodeError:
        raise ValueError("the file is not text") from None
    except json.JSONDecodeError as wrong:
        raise ValueError(f"the file is damaged or cut off in line {wrong.lineno}") from None
    cells = result.get("cells") if isinstance(result, dict) else None
    if not isinstance(cells, list):
        raise ValueError("it holds no list of cells")
    return cells


def _answers(cells: list[Any]) -> dict[str, str]:
    """The code of the answer cells by exercise. Of two with one number the first counts, as it does in the lesson."""
    answers: dict[str, str] = {}
    for cell in cells:
        number = _number_of(cell)
        if number is not None:
            answers.setdefault(number, _source(cell))
    return answers


def _beside_their_checks(cells: list[Any]) -> dict[str, str]:
    """The answers of a notebook that lost the metadata of its cells: each is the code before its check.

    >>> cells = [{"cell_type": "code", "source": code} for code in ("side = x.t()", 'check("03.8", side)')]
    >>> _beside_their_checks(cells)
    {'03.8': 'side = x.t()'}
    """
    sources = [_source(cell) for cell in cells if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    answers: dict[str, str] = {}
    for before, source in pairwise(sources):
        asked = re.match(r"check\(['\"](\d\d\.\d{1,3})['\"]", source)
        if asked:
            answers.setdefault(asked[1], before)
    return answers


def _source(cell: dict[str, Any]) -> str:
    source = cell.get("source", "")
    lines = source if isinstance(source, list) else [source]
    return "".join(line for line in lines if isinstance(line, str))


def _number_of(cell: Any) -> str | None:
    """The exercise that a cell answers, from its metadata."""
    if not isinstance(cell, dict) or cell.get("cell_type") != "code":
        return None
    metadata = cell.get("metadata")
    marked = metadata.get("nbgrader") if isinstance(metadata, dict) else None
    grade_id = marked.get("grade_id") if isinstance(marked, dict) else None
    known = isinstance(grade_id, str) and re.fullmatch(r"(\d\d)-(\d{1,3})", grade_id)
    return grade_id.replace("-", ".") if known and isinstance(grade_id, str) else None


def _lesson_of(answers: dict[str, str]) -> Lesson | None:
    """The lesson that most of the answers are of."""
    counted = {x: sum(n.startswith(x.number) for n in answers) for x in LESSONS if x.ready}
    best = max(counted, key=counted.__getitem__)
    return best if counted[best] else None
