"""What the page of puzzles calls: `puzzle` draws one and judges an answer, `board` shows the score."""

from __future__ import annotations

import ast
import linecache
import sys
from dataclasses import replace
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
NO_SOURCE = "the source of this call cannot be read here: put the whole lambda between quotation marks"


def puzzle(number: int, answer: Any = ...) -> Puzzled:
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
    source = _source(frame, answer)
    if source is None:
        return page(asked, replace(judge(asked, "...", library), state="not yet", reason=NO_SOURCE))
    verdict = judge(asked, source, library)
    if verdict.state != "open":
        record.keep_puzzle(str(number), verdict.length if verdict.state == "solved" else None)
    return page(asked, verdict)


def board() -> Picture:
    """Which puzzles are solved, in how many characters: from the file beside the notebooks."""
    kept = record.read()["puzzles"]
    best = {int(n): one["best"] for n, one in kept.items() if n.isdigit() and isinstance(one.get("best"), int)}
    return drawn(best)


def _source(frame: FrameType, answer: Any) -> str | None:
    """The source of the answer in the call that `frame` is making; None where it cannot be had."""
    if isinstance(answer, str):
        return answer
    if answer is ...:
        return "..."
    place = [*frame.f_code.co_positions()][frame.f_lasti // 2]
    try:
        tree = ast.parse("".join(linecache.getlines(frame.f_code.co_filename, frame.f_globals)))
    except (SyntaxError, ValueError):  # a file that has changed since, or is none
        return None
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and len(node.args) == 2:
            if place == (node.lineno, node.end_lineno, node.col_offset, node.end_col_offset):
                return ast.unparse(node.args[1])
    return None
