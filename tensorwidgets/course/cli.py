"""The command line: `tensorwidgets lab` hands out the lessons and opens them; `--help` names the rest."""

from __future__ import annotations

import argparse
import errno
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from tensorwidgets import __version__
from tensorwidgets.course.handing_out import hand_out, release_for_nbgrader, release_for_students, reset
from tensorwidgets.course.quick_start import grammars_later, jupyterlab
from tensorwidgets.course.shelf import LESSONS, NOTEBOOKS, Lesson

FOLDER = "tensorwidgets-course"
NO_JUPYTERLAB = (
    "JupyterLab is not installed in this environment. From the project's folder, this line brings it:\n"
    '    pip install ".[lab]"'
)
NOT_WRITABLE = (
    "The lessons cannot be written to {folder}: {why}. Name another folder:\n"
    "    tensorwidgets lab --dir ~/tensorwidgets-course"
)


def lab(folder: Path, browser: bool, for_jupyterlab: Sequence[str]) -> int:
    """Hand out the lessons and run JupyterLab on them until it is stopped."""
    from tensorwidgets.course.lab import a_home, run_jupyterlab

    with a_home() as home:
        grammars_later()
        try:
            jupyterlab()
        except ImportError:
            return _refused(NO_JUPYTERLAB)
        try:
            given = hand_out(folder)
            if not os.access(folder, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        except OSError as refused:
            return _refused(NOT_WRITABLE.format(folder=folder.resolve(), why=refused.strerror or refused))
        copied = sum(fresh for _, fresh in given)
        kept = f"; {len(given) - copied} are yours and stay as they are" if copied < len(given) else ""
        print(f"{copied} lessons copied to {folder}{kept}.", flush=True)
        return run_jupyterlab(folder, browser, for_jupyterlab, home)


def list_lessons() -> int:
    """Print the shelf."""
    width = max(len(lesson.title) for lesson in LESSONS)
    rows = [
        (x.number if x.number.isdigit() else "  ", f"{x.title:{width}}", "" if x.ready else "(coming)", x.teaches)
        for x in NOTEBOOKS
    ]
    print("\n".join("  ".join(filter(None, row)) for row in rows))
    return 0


def reset_lesson(number: str, folder: Path) -> int:
    """A fresh copy of one lesson."""
    lesson = _lesson(number)
    if lesson is None:
        ready = ", ".join(x.number for x in NOTEBOOKS if x.ready)
        return _refused(f"there is no lesson {number}: the lessons are {ready}")
    if not folder.is_dir():
        return _refused(f"there is no folder {folder}: tensorwidgets lab makes it, or name yours with --dir")
    try:
        kept = reset(lesson, folder)
    except OSError as refused:
        return _refused(f"{folder / lesson.file} cannot be written: {refused.strerror or refused}")
    print(f"{folder / lesson.file}: fresh" + (f"; yours is kept as {kept.name}" if kept else ""))
    return 0


def _lesson(named: str) -> Lesson | None:
    """A lesson by its number, or by its file, whose name a shell completes."""
    stem = Path(named.strip()).name.removesuffix(".ipynb")
    name = stem.zfill(2) if stem.isdigit() else stem
    return next((x for x in NOTEBOOKS if x.ready and name in (x.number, Path(x.file).stem)), None)


def _lessons(named: str) -> tuple[list[Lesson], list[str]]:
    """The lessons of a list such as `03,04` or `01-04`, in the order of the course, and what in it names none."""
    chosen: list[Lesson] = []
    unknown: list[str] = []
    for part in filter(None, map(str.strip, named.split(","))):
        first, dash, last = part.partition("-")
        ends = [x.number for x in map(_lesson, (first, last)) if x and x.number.isdigit()] if dash else []
        between = [x for x in LESSONS if x.ready and ends[0] <= x.number <= ends[1]] if len(ends) == 2 else []
        found = between or [x for x in [_lesson(part)] if x]
        chosen += found
        unknown += [] if found else [part]
    return [x for x in NOTEBOOKS if x in chosen], unknown or ([] if chosen else [named])


def show_progress(folder: Path) -> int:
    """What a student has done, from the file beside the notebooks."""
    from tensorwidgets.course import record

    os.environ[record.VARIABLE] = str(folder / record.FILE)
    if not record.where().is_file():
        if not folder.is_dir():
            return _refused(f"there is no folder {folder}: tensorwidgets lab makes it")
        return _refused(f"there is no progress in {folder} yet: it begins with your first guess or check in a lesson")
    from tensorwidgets.course.asking import progress

    print(progress())
    return 0


def release(reader: str, folder: Path, numbers: str = "") -> int:
    """The lessons for a class, all or those with these numbers."""
    lessons, unknown = _lessons(numbers) if numbers else ([x for x in NOTEBOOKS if x.ready], [])
    if unknown:
        return _refused(f"there is no lesson {', '.join(unknown)}: tensorwidgets list shows them all")
    if numbers and reader == "nbgrader":
        return _refused("--lessons is for students: in nbgrader, release the assignments that you choose")
    try:
        written = release_for_students(folder, lessons) if reader == "students" else release_for_nbgrader(folder)
    except OSError as refused:
        return _refused(str(refused))
    print("\n".join(map(str, written)))
    return 0


def doctor(folder: Path) -> int:
    from tensorwidgets.course.doctor import report

    lines, well = report(folder)
    print(lines)
    return 0 if well else 1


def _refused(why: str) -> int:
    print(why, file=sys.stderr)
    return 1


def _positive(text: str) -> float:
    """A number above 0, of an option."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0")
    return number


def _whole(text: str) -> int:
    return max(1, round(_positive(text)))


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(
        prog="tensorwidgets", description="A course on tensors in JupyterLab. Begin with: tensorwidgets lab"
    )
    top.add_argument("--version", action="version", version=f"tensorwidgets {__version__}")
    commands = top.add_subparsers(dest="command")

    def command(name: str, says: str, more: str = "") -> argparse.ArgumentParser:
        return commands.add_parser(name, help=says, description=more or f"{says[0].upper()}{says[1:]}.")

    def in_folder(one: argparse.ArgumentParser) -> None:
        default = Path(".") if Path(LESSONS[0].file).is_file() else Path(FOLDER)
        one.add_argument(
            "--dir", type=Path, default=default, help=f"the folder (default: {FOLDER}, or here if it is one)"
        )

    lab_command = command(
        "lab",
        "copy the lessons here and open JupyterLab on the first",
        "Copies the lessons into your own folder, without overwriting your files, and opens "
        "JupyterLab on the first. Options not named here go to JupyterLab: --port=9000, --ip=0.0.0.0.",
    )
    in_folder(lab_command)
    lab_command.add_argument("--no-browser", action="store_true", help="print the address without opening a browser")
    command("list", "name the lessons")
    reset_command = command("reset", "restart a lesson; your copy is kept under another name")
    reset_command.add_argument("lesson", help="its number or its file, such as 03, or puzzles")
    in_folder(reset_command)
    in_folder(command("progress", "show what you have done so far"))
    in_folder(command("doctor", "check versions, browser, GPU and write access, and say how to fix them"))
    release_command = command("release", "for teachers: write the lessons for a class into a new folder")
    release_command.add_argument(
        "--for", dest="reader", choices=("students", "nbgrader"), required=True, help="who opens them"
    )
    release_command.add_argument(
        "--lessons", default="", metavar="03,04", help="only these, or a range such as 01-04 (default: all)"
    )
    release_command.add_argument("folder", type=Path, metavar="DIR", help="a new folder, or for students a .zip")
    check_command = command(
        "check",
        "for teachers: mark the notebooks of a folder",
        "Takes the answer cells of every notebook below FOLDER, runs them in our own copy of the lesson, each "
        "notebook in a sandbox without network, and writes a table (CSV) and a page (HTML) beside it. An "
        "answer that crashes or never ends is left out, and the others of its notebook are judged without it.",
    )
    check_command.add_argument("folder", type=Path, metavar="FOLDER")
    check_command.add_argument("--to", type=Path, default=Path("marks.csv"), help="the table (default: marks.csv)")
    check_command.add_argument("--seconds", type=_positive, default=5.0, help="for each answer (default: 5)")
    check_command.add_argument("--megabytes", type=_whole, default=2048, help="for each notebook (default: 2048)")
    check_command.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="how many at a time")
    check_command.add_argument("--rules", type=Path, metavar="FILE", help="points, weights, deadlines (TOML)")
    check_command.add_argument(
        "--roster", type=Path, metavar="FILE", help="the members, as a platform exports them (CSV)"
    )
    for platform in ("Canvas", "Moodle"):
        check_command.add_argument(
            f"--{platform.lower()}", type=Path, metavar="FILE", help=f"write the points for {platform} to import (CSV)"
        )
    check_command.add_argument("--anonymous", action="store_true", help="no names in the table and on the page")
    check_command.add_argument("--uncontained", action="store_true", help="run the answers even without a sandbox")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; its exit status."""
    try:
        status = _run(arguments)
        sys.stdout.flush()
        return status
    except KeyboardInterrupt:
        print("\nStopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader of the output, such as `head`, has enough of it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141


def _run(arguments: Sequence[str] | None) -> int:
    asked, rest = parser().parse_known_args(arguments)
    if asked.command is None:
        parser().print_help()
        return 0
    if asked.command == "lab":
        return lab(asked.dir, not asked.no_browser, rest)
    if rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    match asked.command:
        case "list":
            return list_lessons()
        case "reset":
            return reset_lesson(asked.lesson, asked.dir)
        case "progress":
            return show_progress(asked.dir)
        case "release":
            return release(asked.reader, asked.folder, asked.lessons)
        case "doctor":
            return doctor(asked.dir)
    from tensorwidgets.course.grading.command import check_folder

    return check_folder(asked)


if __name__ == "__main__":
    sys.exit(main())
