"""`tensorwidgets check FOLDER`: every notebook marked, each at its own risk, and the table written."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from . import box
from .marks import Row, marked
from .submissions import Submission, submissions
from .table import as_csv, as_page

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
    for row in mark_all(found, limits, contained, max(1, asked.jobs)):
        rows.append(row)
        print(_line(row), flush=True)
    page = asked.to.with_suffix(".html")
    _replace(asked.to, as_csv(rows))
    _replace(page, as_page(rows, "The class at a glance"))
    print(f"{len(rows)} notebooks: {asked.to}, {page}")
    return 0


def mark_all(found: Sequence[Submission], limits: box.Limits, contained: bool, jobs: int) -> Iterator[Row]:
    """A row for each, in their order. Each is judged in a process that knows of no other."""
    hidden = [one.file.resolve() for one in found if not one.file.is_symlink()][:500]
    with ProcessPoolExecutor(jobs, get_context("spawn"), max_tasks_per_child=20) as pool:
        running = [pool.submit(marked, one, limits, contained, hidden) for one in found]
        for one, result in zip(found, running, strict=True):
            try:
                yield result.result()
            except Exception as broken:
                yield Row(one.student, one.file.name, one.lesson.number if one.lesson else "", problem=str(broken))


def _line(row: Row) -> str:
    told = f"{row.done} of {len(row.marks)} done" if row.lesson else "not marked"
    lesson = f"lesson {row.lesson}: " if row.lesson else ""
    return f"{row.student}: {lesson}{told}" + (f" ({row.problem})" if row.problem else "")


def _replace(file: Path, text: str) -> None:
    """Written whole beside the old one, which it then replaces."""
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f".{file.name}.{os.getpid()}")
    fresh.write_text(text, encoding="utf-8")
    os.replace(fresh, file)
