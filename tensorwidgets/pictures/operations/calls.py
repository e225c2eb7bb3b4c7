"""The calls of a cell: what was asked, whether it made a view or a copy, what it allocated. `%%calls`."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from typing import Any

from ..arrays.graphs.tape import kept_by
from ..arrays.storages import letter
from ..arrays.values import count
from ..drawing.inline import Ink, Line, chip, muted
from ..drawing.picture import Picture
from ..drawing.scene import Block, Note, Sentence, Sheet, Title

MOST = 60
"""How many calls are listed; more are counted in words."""
COPIES = {
    "clone", "contiguous", "reshape", "flatten", "ravel", "to", "type", "float", "double", "half", "int", "long",
    "bool", "repeat", "tile", "index_select", "take", "__getitem__", "cpu", "cuda", "numpy", "gather", "roll", "flip",
}  # fmt: skip
"""Calls of PyTorch whose results hold the same values as what they were given."""


@dataclass(frozen=True)
class Called:
    """One recorded call."""

    op: str
    asked: str
    outcome: str
    """view | copy | new | in place | itself | value | gradients | refused"""
    answered: str
    allocated: int = 0
    keeps: str = ""
    """What it saves for the backward pass, in words."""


def calls(log: Sequence[Called]) -> Picture:
    """The list of calls as a picture.

    >>> calls([Called("t", "A float32 [2, 3]", "view", "A, size [3, 2], stride (1, 3)")])
    One call (nothing allocated)
    call  asked             outcome  gave
    t     A float32 [2, 3]  view     A, size [3, 2], stride (1, 3)
    """
    total = sum(call.allocated for call in log)
    aside = f"{count(total, 'byte')} allocated" if total else "nothing allocated"
    head = "No calls" if not log else "One call" if len(log) == 1 else f"{len(log):,} calls"
    blocks: list[Block] = [Title(head, aside)]
    if not log:
        blocks.append(Sentence("nothing", "no function of a tensor library was called"))
        return Picture(blocks)
    hues = {
        "view": "green",
        "itself": "green",
        "copy": "purple",
        "new": "purple",
        "in place": "orange",
        "value": "blue",
        "gradients": "blue",
    }
    rows: list[tuple[Line, ...]] = []
    for call in log[:MOST]:
        pattern = "double" if call.outcome in ("copy", "new") else "solid"
        verdict: Ink = chip(call.outcome, hues.get(call.outcome, "clash"), pattern)
        cost = f", {count(call.allocated, 'byte')}" if call.allocated else ""
        keeps = (muted(f"; {call.keeps}"),) if call.keeps else ()
        rows.append((call.op, muted(call.asked), verdict, (f"{call.answered}{cost}", *keeps)))
    blocks.append(Sheet(("call", "asked", "outcome", "gave"), tuple(rows), (110, 270, 80, 368)))
    if len(log) > MOST:
        blocks.append(Note(f"{count(len(log) - MOST, 'more call')} are not listed."))
    return Picture(blocks)


class TorchLog:
    """Watches PyTorch's functions where PyTorch is in use; otherwise it watches nothing."""

    def __init__(self) -> None:
        self.calls: list[Called] = []
        self._letters: dict[int, tuple[weakref.ref[Any], str]] = {}
        self._next = 0

    def watch(self) -> AbstractContextManager[Any]:
        """A context in which every call is kept."""
        torch = sys.modules.get("torch")
        if torch is None or not hasattr(torch, "overrides"):
            return nullcontext()
        log = self

        class Watch(torch.overrides.TorchFunctionMode):  # type: ignore[name-defined, misc]
            def __torch_function__(self, function: Any, types: Any, args: tuple = (), kwargs: Any = None) -> Any:
                name = getattr(function, "__name__", str(function))
                if name in ("__get__", "__set__") or not args and name.startswith("_"):
                    return function(*args, **(kwargs or {}))
                given = log.tensors([*args, *(kwargs or {}).values()])
                before = {log.key(t) for t in given}
                asked = log.values_text([*args, *(f"{k}={log.values_text([v])}" for k, v in (kwargs or {}).items())])
                try:
                    result = function(*args, **(kwargs or {}))
                except Exception as error:
                    log.calls.append(Called(name, asked, "refused", str(error).splitlines()[0]))
                    raise
                log.add(name, asked, given, before, result)
                return result

        return Watch()

    def tensors(self, values: Any) -> list[Any]:
        """The tensors among some values and the lists in them."""
        flat: list[Any] = []
        for value in values if isinstance(values, (list, tuple)) else [values]:
            flat += self.tensors(value) if isinstance(value, (list, tuple)) else [value]
        return [v for v in flat if hasattr(v, "untyped_storage")]

    def key(self, tensor: Any) -> int:
        try:
            return int(tensor.untyped_storage()._cdata)
        except (RuntimeError, NotImplementedError, ValueError):
            return id(tensor)

    def letter(self, tensor: Any) -> str:
        """The letter of a tensor's storage: A for the first."""
        try:
            storage = tensor.untyped_storage()
        except (RuntimeError, NotImplementedError, ValueError):
            return "?"
        known = self._letters.get(storage._cdata)
        if known is not None and known[0]() is not None:
            return known[1]
        made = letter(self._next)
        self._next += 1
        self._letters[storage._cdata] = (weakref.ref(storage), made)
        return made

    def values_text(self, values: Sequence[Any]) -> str:
        """Arguments as text: tensors by letter, type and size."""
        parts = []
        for value in values:
            if hasattr(value, "untyped_storage"):
                parts.append(f"{self.letter(value)} {str(value.dtype).rpartition('.')[2]} {list(value.size())}")
            elif isinstance(value, (list, tuple)) and self.tensors(value):
                parts.append(f"[{self.values_text(value)}]")
            else:
                text = value if isinstance(value, str) and "=" in value else repr(value)
                parts.append(text if len(text) <= 40 else text[:37] + "...")
        return ", ".join(parts)

    def add(self, name: str, asked: str, given: list[Any], before: set[int], result: Any) -> None:
        """Keep a call that succeeded."""
        results = self.tensors([result])
        first = results[0] if results else None
        allocated = 0
        if first is None:
            outcome = "in place" if name == "__setitem__" else "value"
            writes = name == "__setitem__" and given
            text = f"written into {self.letter(given[0])}" if writes else self.values_text([result])
        else:
            if any(first is t for t in given):
                outcome = "in place" if name.endswith("_") and not name.endswith("__") else "itself"
            elif self.key(first) in before:
                outcome = "view"
            else:
                outcome = "copy" if name in COPIES else "new"
                fresh = {self.key(t): t for t in results if self.key(t) not in before}
                allocated = sum(t.untyped_storage().nbytes() for t in fresh.values())
            text = f"{self.letter(first)}, size {list(first.size())}, stride {tuple(first.stride())}"
            text += f" and {len(results) - 1} more" if len(results) > 1 else ""
        if name == "backward" and outcome == "value":
            outcome, text = "gradients", "added to .grad of the leaves"
        self.calls.append(Called(name, asked, outcome, text, allocated, self.saved(first)))

    def saved(self, result: Any) -> str:
        """What the node of a result keeps, in words."""
        node = getattr(result, "grad_fn", None)
        if node is None:
            return ""
        kept = [("its result" if k[0].startswith("result") else k[0], k[2]) for k in kept_by(node) if k[2] is not None]
        return f"saves {', '.join(f'{name} {self.letter(t)}' for name, t in kept)}" if kept else ""
