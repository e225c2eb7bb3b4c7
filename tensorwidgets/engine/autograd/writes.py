"""Which line wrote to a tensor last? Recorded only once tensors are being saved, so that an error can name it."""

from __future__ import annotations

import linecache
import os
import sys
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..errors.package import PACKAGE
from ..tensor import versions
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.tensor import Tensor
from .nodes import next_number

KEPT = 8
"""How many writes of a tensor are remembered."""

USERS: set[str] = set()
"""The files of the user's code that were seen so far."""
_ours: set[str] = set()
"""The files of this package that were seen so far."""

last = -1
"""The number of the last write of any tensor, on the clock that numbers the nodes too: what a newer node has saved is
unchanged."""

_taken = 0
"""How many numbers of that clock no node got."""

_lock = threading.Lock()


def _in_a_child() -> None:
    """A thread of the parent that held the lock does not exist in a process that was forked."""
    global _lock
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_a_child)


def watch() -> None:
    """Record writes from now on."""
    if versions.on_write is None:
        versions.on_write = _written


def _written(*owners: Tensor) -> None:
    global last, _taken
    line = here()
    for owner in owners:
        state = owner._notes
        lines = state.get("_lines", ())
        state["_lines"] = (*(lines[1 - KEPT :] if len(lines) >= KEPT else lines), (state["_writes"], line))
        if owner._keys & KEY_AUTOGRAD:
            origin = getattr(owner, "_origin", None)  # an alias of a lazy conjugate has none
            if origin is not None:
                _tell_maker(owner, origin, state)
    with _lock:
        _taken += 1
        last = next_number()  # after the version was counted: a node with a larger number has read that version


def _tell_maker(owner: Tensor, origin: Any, state: dict[str, Any]) -> None:
    """Count a write where the node that made a tensor looks, which may have kept it as its result."""
    count = state.setdefault("_count_for_maker", [0])
    count[0] = state["_writes"]
    for value in _results_kept(owner, origin):
        value.count = count


def _results_kept(owner: Any, origin: Any) -> Iterator[Any]:
    """What the node that made a tensor has kept of it as its result."""
    maker = getattr(origin, "node", origin)
    saved = maker if hasattr(maker, "values") else getattr(maker, "_kept", None)  # the latter of a Function
    for value in getattr(saved, "values", None) or ():
        kept_of = getattr(value, "owner", None)  # of a kept result alone
        if kept_of is not None and kept_of() is owner:
            yield value


def _counted_apart(owner: Tensor, counter: versions.VersionCounter) -> None:
    """Let the node that made a tensor look at its new counter, which may outlive the tensor."""
    if "_lines" in owner._notes:
        counter._notes["_lines"] = owner._notes["_lines"]
    for value in _results_kept(owner, owner._origin):
        value.counter = counter


versions.on_counter_apart = _counted_apart


def noted() -> int:
    """Nodes up to now must look at what they have saved: it may have changed. Returns the number of this moment."""
    global last, _taken
    with _lock:
        _taken += 1
        last = next_number()
        return last


def nodes_so_far() -> int:
    """A number that grows with every node that is made, and with no write."""
    global _taken
    with _lock:
        _taken += 1
        return next_number() - _taken


def outside(frame: Any) -> Any:
    """The nearest frame of the user's code; the frame itself if there is none."""
    found, ours = frame, _ours
    try:
        while True:
            while (file := found.f_code.co_filename) in ours:
                found = found.f_back
            if file in USERS:
                return found
            if not file.startswith(PACKAGE):
                USERS.add(file)
                return found
            ours.add(file)
    except AttributeError:  # the outermost frame is ours
        return frame


def here() -> tuple[Any, int]:
    """The place in the user's code, as its code object and instruction: cheap to record, a line when it is needed."""
    frame = outside(sys._getframe(1))
    return frame.f_code, frame.f_lasti


def write_after(owner: Tensor, version: int) -> Any:
    """The place of the first write that made a tensor newer than a version; None if it was not recorded."""
    for number, where in owner._notes.get("_lines", ()):
        if number > version:
            return where
    return None


@lru_cache(256)
def line_of(where: Any) -> tuple[int, str, str] | None:
    """A place in the user's code as the number of its line, what the line says, and the name of the file.

    >>> line_of(None) is None
    True
    """
    if where is None:
        return None
    code, instruction = where
    line = code.co_firstlineno
    for number, (first, _, _, _) in enumerate(code.co_positions()):
        if number * 2 >= instruction:
            line = first or line
            break
    text = linecache.getline(code.co_filename, line).strip()
    file = Path(code.co_filename).name
    return line, text, "this cell" if file.startswith("<ipython") or "ipykernel" in code.co_filename else file


def words_of(where: Any) -> str:
    """A place in the user's code as text: file, line, and what the line says.

    >>> words_of(None)
    ''
    """
    found = line_of(where)
    if found is None:
        return ""
    line, text, name = found
    return f"line {line} of {name}" + (f": {text}" if text else "")


def lines_of(owner: Tensor) -> list[tuple[int, Any]]:
    """The last writes of a tensor's memory: the version that each made, and its place. Newest last."""
    return list(owner._notes.get("_lines", ()))
