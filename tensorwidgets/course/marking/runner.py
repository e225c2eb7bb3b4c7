"""The process in which answers run; `walls.inside` is the command that starts it.

It imports everything, and then forks a process for each list of cells that it is sent a way to. That process runs
them from top to bottom, hands over what each check was asked about at that moment, and then calls the student's
functions with what it is sent, until its input ends. It makes no verdict and knows of none.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import json
import os
import re
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterable
from typing import Any, TextIO

CAPTURE = "__handed_in__"
NOBODY = 65534
_CAPABILITIES = 0x20080522
"""The version of the layout in which capset(2) takes sets of capabilities."""
HandOver = Callable[[dict[str, Any]], None]


def main(options: list[str]) -> None:
    if "--drop-root" in options:
        drop_root()
    from . import system_calls
    from .homes import Home
    from .wire import Sender  # noqa: F401  (imported once, before anything forks)

    shell = quiet_shell()
    import_all(options)
    gc.freeze()  # a process that is forked does not search these objects, and so need not copy them
    gc.enable()
    if "--try" not in options:
        system_calls.refuse()
        sys.setrecursionlimit(2000)
        serve(socket.socket(fileno=os.dup(0)), shell, Home(".").tidy)


def import_all(names: Iterable[str]) -> None:
    """Import the modules among the options: what the lesson's cells would import in each process that is forked."""
    for name in names:
        if not name.startswith("-"):
            with contextlib.suppress(Exception):  # a cell that needs it will say so
                importlib.import_module(name)


def drop_root() -> None:
    """Become the user nobody for good, without root's files and without capabilities."""
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    none = ctypes.CDLL(None).capset(struct.pack("Ii", _CAPABILITIES, 0), bytes(24))
    if none or 0 in (*os.getresuid(), *os.getresgid()):
        raise SystemExit("still root")


def quiet_shell() -> Any:
    """What runs the cells of a notebook, with their magics; it displays nothing and keeps nothing."""
    import numpy.linalg  # noqa: F401
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    import tensorwidgets.course  # noqa: F401

    shell = InteractiveShell.instance(config=Config({"HistoryManager": {"enabled": False}}))
    shell.ast_node_interactivity = "none"
    for shown in ("showtraceback", "showsyntaxerror"):
        setattr(shell, shown, lambda *given, **named: None)
    return shell


# -- the process that stays: it forks, and says how what it forked has ended --------------------------------------


def serve(control: socket.socket, shell: Any, tidy: Callable[[], None]) -> None:
    """Fork for every `+` that comes with a way to talk; end what was forked for every `x`; say how each ends."""
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    child = 0
    control.send(_note(b"r", 0))
    while True:
        # A signal may be lost among others, so the children are looked after from time to time as well.
        ready, _, _ = select.select([control, woken], [], [], 0.25)
        if woken in ready:
            woken.recv(100)
        child = reap(control, child)
        if control in ready:
            asked, numbers, _, _ = socket.recv_fds(control, 1, 1)
            if not asked:
                return
            if child:
                with contextlib.suppress(ProcessLookupError):
                    os.killpg(child, signal.SIGKILL)
            if asked == b"+" and numbers:
                tidy()
                child = fork([control, woken, wakes], numbers[0], shell)


def _note(what: bytes, code: int) -> bytes:
    return what + code.to_bytes(3, "big", signed=True)


def reap(control: socket.socket, child: int) -> int:
    """Say that the child ended, if it did; the child that still runs."""
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if not pid:
                break
            if pid == child:
                control.send(_note(b"-", os.waitstatus_to_exitcode(status)))
                child = 0
    return child


def fork(of_the_parent: list[socket.socket], number: int, shell: Any) -> int:
    """A process that runs the cells which come over the socket with this number."""
    child = os.fork()
    if child:
        with contextlib.suppress(OSError):
            os.setpgid(child, child)
        os.close(number)
        return child
    try:
        with contextlib.suppress(OSError):
            os.setpgid(0, 0)
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for end in of_the_parent:
            end.close()
        talk(os.fdopen(number, "rb"), os.fdopen(os.dup(number), "w", encoding="utf-8"), shell)
        os._exit(0)
    finally:
        os._exit(1)


# -- the process that runs answers ---------------------------------------------------------------------------------


def talk(asked: Any, channel: TextIO, shell: Any) -> None:
    """Run the cells of the first message, then call functions until the connection closes."""

    def hand_over(data: dict[str, Any]) -> None:
        channel.write(json.dumps(data) + "\n")
        channel.flush()

    functions: dict[str, Callable] = {}
    run(json.loads(asked.readline())["cells"], shell, functions, hand_over)
    hand_over({"finished": True})
    for line in asked:
        hand_over(call(json.loads(line), functions))


def run(cells: list[str], shell: Any, functions: dict[str, Callable], hand_over: HandOver) -> None:
    """Run a lesson's cells. After a cell that fails, the next ones still run."""

    def handed_in(number: str, answer: Any) -> None:
        hand_over(in_json(number, answer, functions))

    for place, cell in enumerate(cells):
        hand_over({"cell": place})
        shell.user_ns[CAPTURE] = handed_in
        done = shell.run_cell(cell, store_history=False, silent=True)
        wrong = done.error_before_exec or done.error_in_exec
        if wrong is not None:
            hand_over({"failed": place, "raised": _raised(wrong)})


def in_json(number: str, answer: Any, functions: dict[str, Callable]) -> dict[str, Any]:
    """An answer as it is now, and the tensors that were given out for it: both say whether memory is shared."""
    from tensorwidgets.course.checking.tensors_asked import handed_out

    from .wire import Sender

    sender = Sender(functions)
    data = _encoded(answer, sender)
    given = [sender.value(tensor) for tensor in handed_out(number)[-20:]]
    return {"number": number, "answer": data, "given": given, "storages": sender.storages()}


def _encoded(answer: Any, sender: Any) -> Any:
    """An answer as data; one that raises when it is read becomes the name of its class."""
    try:
        return sender.value(answer)
    except Exception:
        return {"other": type(answer).__name__[:80]}


def _raised(refused: BaseException) -> list[str]:
    """The kind of an exception and the first line of its message, whatever it does when it is asked for it."""
    kind = type(refused)
    if kind.__name__ == "_IncompleteInputError":  # from Python 3.13 on, where text ends too early
        kind = SyntaxError
    try:
        first = (str(refused).splitlines() or [""])[0][:500]
        if isinstance(refused, SyntaxError):  # the name that a cell has for Python differs from run to run
            first = re.sub(r"\(<[^>]*>, (line \d+)\)$", r"(\1)", first)
    except BaseException:
        first = ""
    return [kind.__name__[:80], first]


def call(data: dict[str, Any], functions: dict[str, Callable]) -> dict[str, Any]:
    """Call one of the student's functions, watched; the memory that it was sent goes back as it is afterwards."""
    import tensorwidgets
    from tensorwidgets.course.checking.watching import unrecorded, watched

    from .wire import Receiver, Sender

    receiver, sender = Receiver(data["storages"]), Sender(functions)
    for key, buffer in receiver.buffers.items():
        sender.know(buffer.data_ptr(), buffer.numel(), buffer, key)
    given = [receiver.value(v) for v in data["given"]]
    function = functions[data["function"]]
    function = function if data["recorded"] else unrecorded(tensorwidgets, function)
    try:
        gave, manner = watched(tensorwidgets, function, *given)
    except (Exception, SystemExit, KeyboardInterrupt) as refused:
        return {"raised": _raised(refused)}
    result = sender.value(gave)
    return {
        "gave": result,
        "given": [sender.value(v) for v in given],
        "storages": sender.storages(),
        "crossed": manner.crossed,
        "calls": manner.calls,
        "allocated": manner.allocated,
    }
