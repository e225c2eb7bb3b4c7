"""Runs of a notebook's cells in a box, and what came back from them: data, each message read with suspicion."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import tensorwidgets
from tensorwidgets.course.checking.watching import Elsewhere, Manner

from . import walls
from .box import PATIENCE, Box, Limits, Stopped, TooSlow
from .cells import Cell
from .wire import Receiver, Sender, parsed

BRIEFLY = 0.2
"""The part of its time that an answer has in a run where it is only looked whether it needs more."""


class GivenUp(BaseException):
    """A notebook used up all of its time, or got no box. No Exception, for the reason that `Stopped` is none."""


class Bench:
    """Where the cells of one notebook are run, again and again if need be. A box that breaks is replaced."""

    def __init__(
        self,
        limits: Limits,
        way: walls.Way | None,
        hidden: Path | None,
        seconds: float,
        modules: Sequence[str] = (),
    ):
        self.limits, self.way, self.hidden, self.seconds, self.modules = limits, way, hidden, seconds, modules
        self.until = time.monotonic() + seconds
        self._box: Box | None = None

    def box(self) -> Box:
        """A box with a fresh process in it."""
        if time.monotonic() > self.until:
            raise GivenUp(f"took longer than {self.seconds:g} seconds in all")
        if self._box is not None:
            try:
                self._box.start()
                return self._box
            except Stopped:
                self.close()
        try:
            self._box = Box(self.limits, self.way, self.hidden, self.modules)
            self._box.start()
        except Stopped as stopped:
            raise GivenUp(f"no process could be started for it: {stopped}") from stopped
        return self._box

    def close(self) -> None:
        """End what runs."""
        if self._box is not None:
            self._box.close()
            self._box = None


class Run:
    """What came of running some cells, and the process that still holds the student's functions.

    `stopped` says why the cells did not run to their end, and `place` at which of them that was; `slow` says whether
    the time was over. The answers to the exercises named in `brief` have `BRIEFLY` of it.
    """

    def __init__(self, bench: Bench, cells: Sequence[Cell], brief: Collection[str] = ()):
        self.cells, self.brief = cells, brief
        self.place = 0
        self.handed: dict[str, dict[str, Any]] = {}
        self.failed: dict[int, tuple[str, str]] = {}
        self.stopped, self.slow = "", False
        self.lacked = ""
        """The name that a function called last did not find."""
        try:
            self.box = bench.box()
            self.box.send(json.dumps({"cells": [cell.source for cell in cells]}).encode())
            while self._heard(self.box.line()):
                pass
        except Stopped as stopped:
            self.stopped, self.slow = str(stopped), isinstance(stopped, TooSlow)

    def _heard(self, line: bytes) -> bool:
        """Take one message; whether there will be more. The answers' process can write any, so any may be wrong."""
        try:
            data = parsed(line)
        except (ValueError, RecursionError, MemoryError) as wrong:
            raise Stopped(f"what came back could not be read: {first_line(wrong)}") from wrong
        match data:
            case {"finished": True}:
                return False
            case {"cell": int() as place} if type(place) is int and self.place <= place < len(self.cells):
                cell = self.cells[place]
                if place > self.place and (not cell.number or cell.number != self.cells[self.place].number):
                    self.box.begin(PATIENCE if not cell.number else BRIEFLY if cell.number in self.brief else 1)
                self.place = place
            case {"failed": int() as place, "raised": [str() as kind, str() as said]} if place == self.place:
                self.failed[place] = kind, said
            case {"number": str() as number, "answer": _, "given": list(), "storages": dict()} if (
                number == self.cells[self.place].number and number not in self.handed
            ):
                self.handed[number] = data
            case _:
                raise Stopped("what came back could not be read: a message of an unknown form")
        return True

    def answer(self, number: str) -> tuple[Any, list[Any]]:
        """The answer that was handed in for an exercise, and the tensors that it was given."""
        data = self.handed[number]
        receiver = Receiver(data["storages"], self._function)
        return receiver.value(data["answer"]), [receiver.value(v) for v in data["given"]]

    def _function(self, key: str, called: str) -> RemoteFunction:
        return RemoteFunction(self, key, called)

    def raised(self, number: str) -> tuple[str, str]:
        """What was raised where an exercise was answered or handed in; nothing and nothing if nothing was."""
        mine = (wrong for place, wrong in self.failed.items() if self.cells[place].number == number)
        return next(mine, ("", ""))


class RemoteFunction(Elsewhere):
    """A student's function: each call goes into the box and back."""

    def __init__(self, run: Run, key: str, name: str, recorded: bool = True):
        self.run, self.key, self.__name__, self.recorded = run, key, name, recorded

    def __call__(self, *given: Any) -> Any:
        return self.watched(given)[0]

    def unrecorded(self) -> RemoteFunction:
        return RemoteFunction(self.run, self.key, self.__name__, recorded=False)

    def watched(self, given: tuple[Any, ...]) -> tuple[Any, Manner]:
        sender = Sender()
        given_as = [sender.value(v) for v in given]
        data = {
            "function": self.key, "given": given_as, "storages": sender.storages(), "recorded": self.recorded,
        }  # fmt: skip
        answer = parsed(self.run.box.ask(json.dumps(data).encode()))
        if "raised" in answer:
            kind, message = map(str, answer["raised"])
            self.run.lacked = lacked(kind, message)
            raise type(kind[:80] if kind.isidentifier() else "Exception", (Exception,), {})(message[:500])
        receiver = Receiver(answer["storages"], self.run._function)
        _bring_back(sender, given, receiver, answer["given"])
        calls, allocated, crossed = answer["calls"], answer["allocated"], answer["crossed"]
        if type(calls) is not int or type(allocated) is not int or type(crossed) not in (int, type(None)):
            raise ValueError("a call of an unknown form")
        return receiver.value(answer["gave"]), Manner(calls, allocated, crossed)


def lacked(kind: str, message: str) -> str:
    """The name that was not there, where that is what an exception says.

    >>> lacked("NameError", "name 'total' is not defined"), lacked("ValueError", "no")
    ('total', '')
    """
    known = re.match(r"name '(\w{1,80})' is not defined", message) if kind == "NameError" else None
    return known[1] if known else ""


def _bring_back(sender: Sender, given: tuple[Any, ...], receiver: Receiver, after: Any) -> None:
    """Let our tensors hold what the function left in its own; one that was moved lies elsewhere here too.

    What the function gives is then read from our memory where it lies in what it was sent: a view is a view here.
    """
    for (start, nbytes, key), keeper in zip(sender.runs, sender.kept, strict=True):
        storage = keeper.untyped_storage()
        left = receiver.buffers.get(key)
        if left is None or left.numel() != nbytes or storage.data_ptr() != start:
            raise ValueError("memory that does not come back as it was sent")
        receiver.buffers[key] = tensorwidgets.empty(0, dtype=tensorwidgets.uint8).set_(storage).copy_(left)
    for mine, data, sent in zip(given, after, map(sender.value, given), strict=True):
        if isinstance(mine, tensorwidgets.Tensor) and data != sent:
            mine.set_(receiver.value(data))


def first_line(wrong: BaseException) -> str:
    """What an exception says, in one line that is not long."""
    return (str(wrong).splitlines() or [""])[0][:200]
