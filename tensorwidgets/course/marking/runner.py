"""The process in which answers run: `python -m tensorwidgets.course.marking.runner`.

It is told the cells of a lesson with a student's answers in place, runs them from top to bottom, and hands over what
each check was asked about. Then it calls the student's functions with what it is sent, until its input ends. It
makes no verdict and knows of none.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any, TextIO

from .wire import Receiver, Sender

CAPTURE = "__handed_in__"


def hand_over(channel: TextIO, told: dict[str, Any]) -> None:
    channel.write(json.dumps(told) + "\n")
    channel.flush()


def main() -> None:
    asked, channel = _private_channels()
    answers = run(json.loads(asked.readline())["cells"])
    sender = Sender()
    hand_over(channel, in_json(answers, sender))
    for line in asked:
        hand_over(channel, call(json.loads(line), sender.functions))


def _private_channels() -> tuple[TextIO, TextIO]:
    """Input and output of our own: what an answer reads and prints goes to nobody."""
    asked, channel = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for number in range(3):
        os.dup2(nowhere, number)
    return asked, channel


def run(cells: list[str]) -> dict[str, Any]:
    """Run a lesson's cells; what was handed in, by exercise. A cell that fails costs what it would have made."""
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    answers: dict[str, Any] = {}
    shell.user_ns[CAPTURE] = answers.__setitem__
    for cell in cells:
        shell.run_cell(cell, store_history=False, silent=True)
    return answers


def in_json(answers: dict[str, Any], sender: Sender) -> dict[str, Any]:
    """The answers, and the tensors that were given out for them: whether memory is shared is told by both."""
    from tensorwidgets.course.checking.tensors_asked import handed_out

    told = {number: _told(answer, sender) for number, answer in answers.items()}
    given = {number: [sender.value(tensor) for tensor in handed_out(number)[-20:]] for number in answers}
    return {"answers": told, "given": given, "storages": sender.storages()}


def _told(answer: Any, sender: Sender) -> Any:
    """What stands for an answer; one that cannot even be looked at costs itself alone."""
    try:
        return sender.value(answer)
    except Exception:
        return {"other": type(answer).__name__[:80]}


def call(told: dict[str, Any], functions: dict[str, Any]) -> dict[str, Any]:
    """Call one of the student's functions, watched; the memory that it was sent goes back as it is afterwards."""
    import tensorwidgets
    from tensorwidgets.course.checking.watching import watched

    receiver, sender = Receiver(told["storages"]), Sender()
    for key, buffer in receiver.buffers.items():
        sender.know(buffer.data_ptr(), buffer.numel(), buffer, key)
    given = [receiver.value(v) for v in told["given"]]
    try:
        gave, manner = watched(tensorwidgets, functions[told["function"]], *given)
    except Exception as refused:
        first = (str(refused).splitlines() or [""])[0]
        return {"raised": [type(refused).__name__, first[:500]]}
    result = sender.value(gave)
    return {
        "gave": result,
        "given": [sender.value(v) for v in given],
        "storages": sender.storages(),
        "calls": manner.calls,
        "allocated": manner.allocated,
    }


if __name__ == "__main__":
    sys.setrecursionlimit(2000)
    main()
