"""Something that comes between any two steps of a program: an interrupt, a signal handler, a fork.

`before_step(n, do, files)` calls `do` before the n-th instruction that a function executes in certain files.
"""

from __future__ import annotations

import opcode
import sys
from collections.abc import Callable, Container
from types import FrameType
from typing import Any


class Stop(BaseException):
    """What the tests raise where Ctrl-C would."""


def raise_stop() -> None:
    raise Stop


_NEVER = {opcode.opmap[name] for name in ("PUSH_EXC_INFO", "POP_EXCEPT") if name in opcode.opmap}
"""Instructions before which the interpreter looks at no signal: an exception there would upset its own bookkeeping."""


def before_step(number: int, do: Callable[[], None], files: Container[str], function: Callable[[], Any]) -> bool:
    """Call a function, and `do` before its instruction of that number. False if it has not so many."""
    left = number

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal left
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if event == "opcode" and left >= 0 and frame.f_code.co_code[frame.f_lasti] not in _NEVER:
            left -= 1
            if left < 0:
                sys.settrace(None)
                do()
        return trace

    before = sys.gettrace()
    sys._getframe().f_trace_opcodes = True  # from Python 3.12 on asked when tracing begins
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return left < 0
