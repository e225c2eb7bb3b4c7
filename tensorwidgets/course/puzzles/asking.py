"""What the page of puzzles calls: `puzzle` draws one and judges an answer, `board` shows the score."""

from __future__ import annotations

import ast
import sys
from types import FrameType
from typing import Any

from tensorwidgets.course import record
from tensorwidgets.course.checking.watching import library_of
from tensorwidgets.pictures.drawing.picture import Picture

from .asked import ALL
from .board import drawn
from .judging import judge
from .page import Puzzled, page, unknown

NO_NAMES = "PyTorch 2.13 has no named tensors, so this puzzle is drawn here, and solved with tensorwidgets."
NO_SOURCE = '"the source cannot be read here: write the answer as text"'


def puzzle(number: int, answer: Any) -> Puzzled:
    """The picture of a puzzle and, where an answer is in place of the dots, whether it is right.

    The answer is one lambda, written in the call itself; or its source as text. It is read, and runs only if it
    keeps to the rules.

    >>> import tensorwidgets as torch
    >>> puzzle(13, "lambda r: (r[:, None] + r + 1) % 2").line
    '13 not yet: [0, 0]: yours 1, wanted 0. A chessboard in the other colours: the first square is 0.'
    """
    frame = sys._getframe(1)
    asked = ALL.get(number) if isinstance(number, int) else None
    if asked is None:
        return unknown(number, len(ALL))
    library = library_of(frame)
    if asked.names and not hasattr(library.Tensor, "align_as"):
        import tensorwidgets

        return page(asked, judge(asked, "...", tensorwidgets), NO_NAMES)
    verdict = judge(asked, _source(frame, answer), library)
    if verdict.state != "open":
        record.keep_puzzle(str(number), verdict.length if verdict.state == "solved" else None)
    return page(asked, verdict)


def board() -> Picture:
    """Which puzzles are solved, in how many characters: from the file beside the notebooks."""
    kept = record.read()["puzzles"]
    best = {int(n): one["best"] for n, one in kept.items() if n.isdigit() and isinstance(one.get("best"), int)}
    return drawn(best)


def _source(frame: FrameType, answer: Any) -> str:
    """The source of the answer in the call that `frame` is making."""
    if isinstance(answer, str):
        return answer
    if answer is ...:
        return "..."
    try:
        from executing import Source

        node = Source.executing(frame).node
        if isinstance(node, ast.Call) and len(node.args) == 2:
            return ast.unparse(node.args[1])
    except Exception:  # a host may have no sources, or strange ones
        pass
    return NO_SOURCE
