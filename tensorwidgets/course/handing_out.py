"""Lessons into a folder: handed out once, never over a student's file; reset on request, keeping what was there."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile

from tensorwidgets.course.building import as_text, student_copy
from tensorwidgets.course.shelf import LESSONS, NOTEBOOKS, Lesson


def hand_out(folder: Path) -> list[tuple[str, bool]]:
    """Copy every lesson into the folder, never over a file; says for each whether it was copied."""
    folder.mkdir(parents=True, exist_ok=True)
    given = []
    for lesson in NOTEBOOKS:
        if lesson.ready:
            try:
                _write(lesson, folder / lesson.file)
                given.append((lesson.file, True))
            except FileExistsError:
                given.append((lesson.file, False))
    return given


def reset(lesson: Lesson, folder: Path) -> Path | None:
    """A fresh copy of a lesson. What the student had is kept beside it, under the name that is given back."""
    mine, kept = folder / lesson.file, None
    if mine.exists():
        kept = next(p for n in count(1) if not (p := mine.with_suffix(f".kept-{n}.ipynb")).exists())
        mine.rename(kept)
    try:
        _write(lesson, mine)
    except BaseException:
        if kept is not None:
            kept.rename(mine)
        raise
    return kept


def _write(lesson: Lesson, file: Path) -> None:
    """Write a new file, whole or not at all: half a lesson on a full disk would be taken for the student's own."""
    text = as_text(student_copy(lesson))
    copy = file.open("x", encoding="utf-8", newline="\n")
    with _removed_after_an_error(file), copy:
        copy.write(text)


@contextmanager
def _removed_after_an_error(*files: Path) -> Iterator[None]:
    try:
        yield
    except BaseException:
        for file in files:
            file.unlink(missing_ok=True)
        raise


def release_for_students(place: Path, lessons: Sequence[Lesson] = tuple(NOTEBOOKS)) -> list[Path]:
    """The lessons to hand out, with nothing run in them: in a folder, or in one file if `place` ends with .zip. What is
    there already is refused."""
    ready = [lesson for lesson in lessons if lesson.ready]
    if place.suffix.lower() != ".zip":
        _must_be_new(place)
        place.mkdir(parents=True, exist_ok=True)
        written = [place / lesson.file for lesson in ready]
        with _removed_after_an_error(*written):
            for lesson, file in zip(ready, written, strict=True):
                _write(lesson, file)
        return written
    if place.exists():
        raise FileExistsError(f"{place} exists already: name a new file")
    place.parent.mkdir(parents=True, exist_ok=True)
    archive = ZipFile(place, "x", ZIP_DEFLATED)
    with _removed_after_an_error(place), archive as packed:
        for lesson in ready:
            packed.writestr(f"{place.stem}/{lesson.file}", as_text(student_copy(lesson)))
    return [place]


NBGRADER_CONFIG = """c = get_config()
c.CourseDirectory.course_id = "tensorwidgets"
# The lessons already contain the ellipsis that students replace, so nbgrader inserts nothing.
c.ClearSolutions.code_stub = {"python": ""}
"""


def release_for_nbgrader(folder: Path) -> list[Path]:
    """A course folder of nbgrader's: every lesson with exercises is an assignment, its source with the solutions."""
    _must_be_new(folder)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "nbgrader_config.py").write_text(NBGRADER_CONFIG, encoding="utf-8")
    written = []
    for lesson in LESSONS:
        if lesson.ready and _has_marks(lesson):
            file = folder / "source" / lesson.number / lesson.file
            file.parent.mkdir(parents=True)
            file.write_text(lesson.source.read_text(encoding="utf-8"), encoding="utf-8", newline="\n")
            written.append(file)
    return written


def _has_marks(lesson: Lesson) -> bool:
    cells = json.loads(lesson.source.read_text(encoding="utf-8"))["cells"]
    return any("nbgrader" in cell["metadata"] for cell in cells)


def _must_be_new(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise FileExistsError(f"{folder} is a file that exists already: name a new folder")
    if folder.exists() and any(folder.iterdir()):
        raise FileExistsError(f"{folder} exists already and is not empty: name a new folder")
