"""`tensorwidgets check FOLDER`: every notebook marked, each at its own risk, and the table written."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from . import box
from .marks import Row, marked
from .submissions import Submission, submissions
from .table import as_csv, as_page, plain

NOT_CONTAINED = (
    f"Not contained here: {box.NOT_CONTAINED}. bubblewrap (the command bwrap) with user namespaces would do it; so "
    "does the container of docs/marking.md. To run the answers all the same: --uncontained"
)


def check_folder(asked: argparse.Namespace) -> int:
    """The command, from what was asked for to its exit status."""
    if not asked.folder.is_dir():
        print(f"there is no folder {asked.folder}", file=sys.stderr)
        return 1
    found = list(submissions(asked.folder))
    if not found:
        print(f"there is no notebook below {asked.folder}", file=sys.stderr)
        return 1
    contained = box.can_contain()
    if not contained and not asked.uncontained:
        print(NOT_CONTAINED, file=sys.stderr)
        return 2
    if not contained:
        print(f"Running uncontained, as asked: {box.NOT_CONTAINED} are open to the answers.", flush=True)
    limits = box.Limits(asked.seconds, asked.megabytes)
    rows = []
    for row in mark_all(found, limits, contained, max(1, asked.jobs), asked.folder):
        rows.append(row)
        print(_line(row), flush=True)
    page = asked.to.with_suffix(".html")
    _replace(asked.to, as_csv(rows))
    _replace(page, as_page(rows, "The class at a glance"))
    print(f"{len(rows)} notebooks: {asked.to}, {page}")
    return 0


def mark_all(
    found: Sequence[Submission], limits: box.Limits, contained: bool, jobs: int, folder: Path | None = None
) -> Iterator[Row]:
    """A row for each, in their order. Each is judged in a process of its own, so that whoever ends that one
    ends the judge of nobody else. `folder` is what no answer is to see: the notebooks of the others."""
    hidden = folder.resolve() if folder is not None and box.can_hide(folder) else None
    box.adopt_orphans()
    with ThreadPoolExecutor(jobs) as threads:
        yield from threads.map(lambda one: _judged(one, limits, contained, hidden), found)
    box.end_orphans()


@cache
def _processes() -> Any:
    """Where processes come from: on Linux forked from one that has imported all and runs nothing."""
    if sys.platform != "linux":
        return get_context("spawn")
    context = get_context("forkserver")
    context.set_forkserver_preload([f"{__package__}.marks"])
    return context


def _judged(one: Submission, limits: box.Limits, contained: bool, hidden: Path | None) -> Row:
    """One row, from a process that is waited for no longer than its notebook may take."""
    process = _processes()
    here, there = process.Pipe(duplex=False)
    judge = process.Process(target=_judge, args=(there, one, limits, contained, hidden))
    judge.start()
    there.close()
    try:
        row = here.recv() if here.poll(2 * limits.seconds + 60) else None
    except (EOFError, OSError):
        row = None
    judge.kill() if row is None else judge.join(10)
    judge.join()
    here.close()
    return row or Row(
        one.student, one.file.name, one.lesson.number if one.lesson else "", problem="an answer ended what judges it"
    )


def _judge(there: Connection, one: Submission, limits: box.Limits, contained: bool, hidden: Path | None) -> None:
    there.send(marked(one, limits, contained, hidden))


def _line(row: Row) -> str:
    told = f"{row.done} of {len(row.marks)} done" if row.lesson else "not marked"
    lesson = f"lesson {row.lesson}: " if row.lesson else ""
    line = f"{plain(row.student)}: {lesson}{told}" + (f" ({plain(row.problem)})" if row.problem else "")
    coding = sys.stdout.encoding or "utf-8"
    return line.encode(coding, "backslashreplace").decode(coding)


def _replace(file: Path, text: str) -> None:
    """Written whole beside the old one, which it then replaces."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, file)
