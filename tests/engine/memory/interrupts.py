"""Something that comes between any two steps of a program: an interrupt, a signal handler, a fork.

`before_step(n, do, files)` calls `do` before the n-th instruction that a function executes in certain files.
"""

from __future__ import annotations

import opcode
import sys
import threading
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType
from typing import Any


class Stop(BaseException):
    """What the tests raise where Ctrl-C would."""


def raise_stop() -> None:
    raise Stop


_NEVER = {opcode.opmap[name] for name in ("PUSH_EXC_INFO", "POP_EXCEPT") if name in opcode.opmap}
"""Instructions before which the interpreter looks at no signal: an exception there would upset its own bookkeeping."""


def before_step(number: int, do: Callable[[], None], files: Container[str], function: Callable[[], Any]) -> bool:
    """Call a function, and `do` before its instruction of that number. False if it has fewer instructions."""
    left = number
    watching = _monitored if sys.version_info >= (3, 12) else _traced

    def step(code: CodeType, offset: int) -> bool:
        """Whether to go on watching."""
        nonlocal left
        if code.co_code[offset] not in _NEVER and left >= 0:
            left -= 1
        return left >= 0

    with watching(step, do, files):
        function()
    return left < 0


@contextmanager
def _traced(step: Callable[[CodeType, int], bool], do: Callable[[], None], files: Container[str]) -> Iterator[None]:
    def trace(frame: FrameType, event: str, _: Any) -> Any:
        if frame.f_code.co_filename not in files:
            return None
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        if event == "opcode" and not step(frame.f_code, frame.f_lasti):
            sys.settrace(None)
            do()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)


@contextmanager
def _monitored(step: Callable[[CodeType, int], bool], do: Callable[[], None], files: Container[str]) -> Iterator[None]:
    """From Python 3.12 on, where tracing misses instructions."""
    monitoring: Any = sys.monitoring  # type: ignore[attr-defined, unused-ignore]
    tool, instruction, thread = 4, monitoring.events.INSTRUCTION, threading.get_ident()

    def at(code: CodeType, offset: int) -> Any:
        if code.co_filename not in files:
            return monitoring.DISABLE
        if threading.get_ident() == thread and not step(code, offset):
            monitoring.set_events(tool, 0)
            do()
        return None

    monitoring.use_tool_id(tool, "interrupts")
    monitoring.register_callback(tool, instruction, at)
    monitoring.restart_events()
    monitoring.set_events(tool, instruction)
    try:
        yield
    finally:
        monitoring.set_events(tool, 0)
        monitoring.free_tool_id(tool)
