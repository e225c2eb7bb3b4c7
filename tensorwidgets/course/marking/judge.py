"""One notebook judged in a process of its own: it comes by standard input, and its row leaves by standard output.

A process judges one notebook at a time, because whatever an answer leaves behind becomes a child of that process.
`judged` starts such a process from anywhere, also from a thread of a cluster's worker, which may have no children by
`multiprocessing`.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import tempfile
from pathlib import Path

from . import walls
from .box import Limits
from .marks import Row, marked, no_marks_yet, seconds_in_all
from .submissions import Submission

CHECKOUT = str(Path(__file__).resolve().parents[3])
ENDED = "an answer ended what judges it"


def judged(one: Submission, limits: Limits, hidden: Path) -> Row:
    """The row of one notebook, inside the walls."""
    paths = os.pathsep.join(filter(None, [CHECKOUT, os.environ.get("PYTHONPATH", "")]))
    try:
        process = subprocess.run(
            [sys.executable, "-m", __name__],
            input=pickle.dumps((one, limits, hidden)),
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": paths},
            timeout=2 * seconds_in_all(one.lesson, limits) + 60,
            check=True,
        )
        row: Row = pickle.loads(process.stdout)
    except (subprocess.SubprocessError, EOFError, pickle.UnpicklingError):
        row = no_marks_yet(one)
        row.problem = ENDED
    return row


def main() -> None:
    one, limits, hidden = pickle.load(sys.stdin.buffer)
    with (
        os.fdopen(os.dup(1), "wb") as out,
        tempfile.TemporaryDirectory(prefix="tensorwidgets-", ignore_cleanup_errors=True) as work,
    ):
        os.dup2(2, 1)  # nothing but the row goes out
        tempfile.tempdir = work
        pickle.dump(marked(one, limits, walls.way(), hidden), out)


if __name__ == "__main__":
    main()
