"""The command line: `tensorwidgets lab` hands out the lessons and opens them, `list` names them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from tensorwidgets.course.building import as_text, student_copy
from tensorwidgets.course.shelf import LESSONS

FOLDER = "tensorwidgets-course"
NO_JUPYTERLAB = (
    "JupyterLab is not installed in this environment. From the project's folder, this line brings it:\n"
    '    pip install ".[lab]"'
)


def hand_out(folder: Path) -> list[tuple[str, bool]]:
    """Copy every lesson into the folder, never over a file; says for each whether it was copied."""
    folder.mkdir(parents=True, exist_ok=True)
    given = []
    for lesson in LESSONS:
        if lesson.ready:
            try:
                with (folder / lesson.file).open("x", encoding="utf-8", newline="\n") as copy:
                    copy.write(as_text(student_copy(lesson)))
                given.append((lesson.file, True))
            except FileExistsError:
                given.append((lesson.file, False))
    return given


def lab(folder: Path, browser: bool, for_jupyterlab: Sequence[str]) -> int:
    """Hand out the lessons and run JupyterLab on them until it is stopped."""
    try:
        from jupyterlab.labapp import LabApp
    except ImportError:
        print(NO_JUPYTERLAB, file=sys.stderr)
        return 1
    for file, copied in hand_out(folder):
        print(f"{folder / file}: {'copied' if copied else 'yours, kept as it is'}", flush=True)
    options = [
        f"--ServerApp.root_dir={folder.resolve()}",
        f"--LabApp.default_url=/lab/tree/{LESSONS[0].file}",
    ]
    if not browser:
        options.append("--no-browser")
    LabApp.launch_instance([*options, *for_jupyterlab])
    return 0


def list_lessons() -> int:
    """Print the shelf."""
    width = max(len(lesson.title) for lesson in LESSONS)
    rows = [(x.number, f"{x.title:{width}}", "" if x.ready else "(coming)", x.teaches) for x in LESSONS]
    print("\n".join("  ".join(filter(None, row)) for row in rows))
    return 0


def parser() -> argparse.ArgumentParser:
    top = argparse.ArgumentParser(prog="tensorwidgets", description="The course on tensors.")
    commands = top.add_subparsers(dest="command", required=True)
    lab_command = commands.add_parser(
        "lab",
        help="copy the lessons here and open JupyterLab on the first",
        description="Copies the lessons into a folder of your own, never over a file of yours, and opens "
        "JupyterLab on the first. Options not named here go to JupyterLab: --port=9000, --allow-root.",
    )
    lab_command.add_argument("--dir", type=Path, default=Path(FOLDER), help=f"the folder (default: {FOLDER})")
    lab_command.add_argument("--no-browser", action="store_true", help="print the address and open nothing")
    commands.add_parser("list", help="name the lessons")
    return top


def main(arguments: Sequence[str] | None = None) -> int:
    asked, rest = parser().parse_known_args(arguments)
    if asked.command == "lab":
        return lab(asked.dir, not asked.no_browser, rest)
    if rest:
        parser().error(f"unrecognized arguments: {' '.join(rest)}")
    return list_lessons()


if __name__ == "__main__":
    sys.exit(main())
