"""`tensorwidgets check FOLDER`: every notebook marked, each at its own risk, and the table written."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from errno import EISDIR
from functools import partial
from pathlib import Path
from typing import Any

from tensorwidgets.course.marking import box, judge, walls
from tensorwidgets.course.marking.marks import Row
from tensorwidgets.course.marking.submissions import Submission, submissions, without_notebooks
from tensorwidgets.pictures.arrays.values import count

from .anonymous import who_is_who, without_names
from .marks_csv import as_csv
from .page import as_page
from .points import graded
from .roster import BadRoster, roster_of, unknown
from .rules import BadRules, Rules, rules_of
from .tables import PLATFORMS, nameless
from .text import plain

OPEN = "network access, reading and writing your files, and ending your programs"
NOT_CONTAINED = (
    f"Nothing here keeps answers from {OPEN}. bubblewrap (the command bwrap) with user namespaces would; so does the "
    "container of docs/marking.md. To run the answers all the same: --uncontained"
)
NOT_ON_WINDOWS = "Answers are marked on Linux and macOS. On Windows, use WSL or the container of docs/marking.md."


def check_folder(asked: argparse.Namespace) -> int:
    """The command, from what was asked for to its exit status."""
    try:
        rules = rules_of(asked.rules) if asked.rules else Rules()
        roster = roster_of(asked.roster) if asked.roster else None
    except (BadRules, BadRoster) as wrong:
        print(wrong, file=sys.stderr)
        return 1
    if not asked.folder.is_dir():
        is_file = "is a file: check takes the folder that it is in, and a .zip has to be unpacked first"
        said = f"{asked.folder} {is_file}" if asked.folder.exists() else f"there is no folder {asked.folder}"
        print(said, file=sys.stderr)
        return 1
    result = list(submissions(asked.folder))
    if not result:
        print(f"there is no notebook below {asked.folder}", file=sys.stderr)
        return 1
    if os.name == "nt":
        print(NOT_ON_WINDOWS, file=sys.stderr)
        return 2
    contained = walls.can_contain()
    if not contained and not asked.uncontained:
        print(NOT_CONTAINED, file=sys.stderr)
        return 2
    if not contained:
        print(f"Uncontained, as asked: {OPEN} are open to the answers.", flush=True)
    platforms = {name: getattr(asked, name) for name in PLATFORMS if getattr(asked, name)}
    for option, file in {"to": asked.to, **platforms}.items():
        try:
            if file.is_dir():
                raise IsADirectoryError(EISDIR, "it is a folder")
            file.parent.mkdir(parents=True, exist_ok=True)
            tempfile.TemporaryFile(dir=file.parent).close()
        except OSError as refused:
            print(
                f"{file} cannot be written: {refused.strerror or refused}. Name another: --{option} FILE",
                file=sys.stderr,
            )
            return 1
    limits = box.Limits(asked.seconds, asked.megabytes)
    rows = []
    with _progress(len(result)) as progress:
        for row in mark_all(result, limits, contained, max(1, asked.jobs), asked.folder):
            rows.append(row)
            progress.write(_line(row))
            progress.update()
    if empty := without_notebooks(asked.folder, result):
        print(f"No notebook of a lesson in: {', '.join(map(plain, empty))}", file=sys.stderr)
    grades = graded(rows, rules)
    for name, file in platforms.items():
        _replace(file, PLATFORMS[name](grades, roster))
    if asked.moodle and (left := nameless(grades, roster)):
        print(f"Left out for Moodle, which would not find them: {', '.join(map(plain, left))}", file=sys.stderr)
    if missing := unknown([row.student for row in rows], roster):
        print(f"Not in {asked.roster}, or there twice: {', '.join(map(plain, missing))}", file=sys.stderr)
    written = [asked.to, asked.to.with_suffix(".html"), *platforms.values()]
    if asked.anonymous:
        rows, names = without_names(rows)
        key = asked.to.with_name(f"{asked.to.stem}-names.csv")
        _replace(key, who_is_who(names))
        written.append(key)
    _write(rows, asked.to, rules)
    print(f"{count(len(rows), 'notebook')}: {', '.join(map(str, written))}")
    return 0


def mark_folder(
    folder: str | Path, to: str | Path = "marks.csv", *, executor: Executor | None = None, seconds: float = 5.0,
    megabytes: int = 2048, jobs: int | None = None, rules: str | Path | None = None,
) -> list[Row]:  # fmt: skip
    """Mark every notebook below a folder and write the table, as `tensorwidgets check` does.

    With an `executor` of `concurrent.futures`, or one that behaves like it, its workers mark the notebooks: those of a
    cluster, for a course of thousands. Each worker needs this package and bubblewrap. `rules` is a file that says how
    many points each exercise counts.
    """
    told = rules_of(Path(rules)) if rules is not None else Rules()
    found = list(submissions(Path(folder)))
    limits, hidden = box.Limits(seconds, megabytes), Path(folder)
    if executor is not None:
        try:
            rows = list(executor.map(partial(_judged_by_a_worker, limits=limits, hidden=hidden.resolve()), found))
        finally:
            judge.end()  # where the workers are threads of this process
    elif not walls.can_contain():
        raise RuntimeError(NOT_CONTAINED.partition(" To run")[0])
    else:
        rows = list(mark_all(found, limits, True, jobs or os.cpu_count() or 1, hidden))
    _write(rows, Path(to), told)
    return rows


def _judged_by_a_worker(one: Submission, limits: box.Limits, hidden: Path) -> Row:
    """One row, on a machine that may do other things too: so only inside the walls."""
    if not walls.can_contain():
        raise RuntimeError(f"this worker cannot contain answers. {NOT_CONTAINED.partition(' To run')[0]}")
    return judge.judged(one, limits, walls.way(), hidden)


def _write(rows: list[Row], to: Path, rules: Rules) -> None:
    """The table as CSV, and beside it the page."""
    _replace(to, as_csv(rows, graded(rows, rules)))
    _replace(to.with_suffix(".html"), as_page(rows, "The class at a glance", rules))


class _Lines:
    """What is written where nobody watches a bar: one line for each notebook."""

    def __enter__(self) -> _Lines:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def write(self, line: str) -> None:
        print(line, flush=True)

    def update(self) -> None:
        pass


def _progress(count: int) -> Any:
    """A bar below the lines in a terminal, if tqdm is there; the lines alone elsewhere."""
    if not sys.stderr.isatty():
        return _Lines()
    try:
        from tqdm import tqdm
    except ImportError:
        return _Lines()
    return tqdm(total=count, unit="notebook", leave=False)


def mark_all(
    value: Sequence[Submission], limits: box.Limits, contained: bool, jobs: int, folder: Path | None = None
) -> Iterator[Row]:
    """A row for each, in their order. Each is judged in a process of its own, so that an answer that ends its judge
    ends no other. `folder` is what no answer is to see: the notebooks of the others."""
    hidden = folder.resolve() if folder is not None else None
    way = walls.way() if contained else None  # tried once, not by each judge
    try:
        with ThreadPoolExecutor(jobs) as threads:
            yield from threads.map(lambda one: judge.judged(one, limits, way, hidden), value)
    finally:
        judge.end()


def _line(row: Row) -> str:
    progress = f"{row.done} of {len(row.marks)} done" if row.lesson else "not marked"
    lesson = f"lesson {row.lesson}: " if row.lesson else f"{plain(row.file)}: "
    line = f"{plain(row.student)}: {lesson}{progress}" + (f" ({plain(row.problem)})" if row.problem else "")
    coding = sys.stdout.encoding or "utf-8"
    return line.encode(coding, "backslashreplace").decode(coding)


def _replace(file: Path, text: str) -> None:
    """Written whole beside the old one, which it then replaces."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, file)
