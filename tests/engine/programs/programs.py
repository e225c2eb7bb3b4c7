"""Programs of views, indexing and in-place writes: run on either engine, looked at after every step.

A program is a list of lines of Python over ``torch`` and ``np``; its tensors are its variables. `run` executes one on
an engine and writes down, after each line, everything about every variable that could differ: what it is made of, what
it shares, its numbers, its printed form. Two engines agree when they write down the same.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

Program = list[str]
Observation = dict[str, Any]

VARIABLES = frozenset("abcdefgh")
FORMATS = ("contiguous_format", "channels_last", "channels_last_3d")
_FRAMES = re.compile(r"\nException raised from.*", re.DOTALL)
_PLACE = re.compile(r" \(Triggered internally at [^)]*\)")


class Observer:
    """What can be told about the variables of one run; objects are known by the order in which they were first seen."""

    def __init__(self, engine: Any):
        self.engine = engine
        self.seen: dict[int, int] = {}
        self.storages: dict[int, int] = {}
        self.alive: list[Any] = []
        self.texts: dict[int, tuple[Any, str]] = {}

    def number(self, thing: Any, known: dict[int, int]) -> int:
        """A number for an object; the object is kept, so that no other takes its place."""
        if id(thing) not in known:
            known[id(thing)] = len(known)
            self.alive.append(thing)
        return known[id(thing)]

    def value(self, value: Any) -> Any:
        """Anything that a line may leave behind, as plain data."""
        if isinstance(value, self.engine.Tensor):
            return self.tensor(value)
        if isinstance(value, (tuple, list)):
            kind = type(value).__name__
            return [kind if kind in ("tuple", "list", "Size") else "named", *[self.value(v) for v in value]]
        return f"{type(value).__name__} {value!r}"

    def tensor(self, t: Any) -> Observation:
        """One tensor: everything that two engines could disagree on."""
        storage = t.untyped_storage()
        count = t.numel()
        base = t._base
        values = repr(t.tolist())
        made_of = (str(t.dtype), list(t.shape), list(t.stride()), t.storage_offset())
        return {
            "id": self.number(t, self.seen),
            "storage": self.number(storage, self.storages),
            "bytes": storage.nbytes(),
            "dtype": made_of[0],
            "size": made_of[1],
            "stride": made_of[2],
            "offset": made_of[3],
            "address": t.data_ptr() - storage.data_ptr() if count else t.data_ptr(),
            "contiguous": [f for f in FORMATS if t.is_contiguous(memory_format=getattr(self.engine, f))],
            "version": t._version,
            "is_view": t._is_view(),
            "base": None if base is None else self.number(base, self.seen),
            "promises": [p for p in ("is_conj", "is_neg") if getattr(t, p)()],
            "values": values,
            "text": self.text(t, (values, made_of)),
        }

    def text(self, t: Any, key: Any) -> str:
        """The printed form; taken anew when anything that it could depend on has changed."""
        kept = self.texts.get(id(t))
        if kept is None or kept[0] != key:
            kept = self.texts[id(t)] = key, repr(t)
        return kept[1]


def run(program: Program, engine: Any, observe: str = "each") -> list[Observation]:
    """Execute a program and observe it: after each line, or (`observe="last"`) after the last alone.

    Only the first way sees where a difference begins; only the second leaves the engine to itself between the lines.
    """
    scope: dict[str, Any] = {"torch": engine, "np": np, "grow": grow}
    observer = Observer(engine)
    found = []
    for at, line in enumerate(program):
        seen = execute(line, scope, observer)
        if observe == "each" or at == len(program) - 1:
            seen["tensors"] = {name: observer.value(scope[name]) for name in sorted(scope) if name in VARIABLES}
        found.append(seen)
    return found


def perform(line: str, scope: dict[str, Any]) -> None:
    """Run one line; what an expression gives is kept as ``_``."""
    try:
        code = compile(line, "<line>", "eval")
    except SyntaxError:
        exec(line, scope)
    else:
        scope["_"] = eval(code, scope)


def execute(line: str, scope: dict[str, Any], observer: Observer) -> Observation:
    """One line: what it gave, or how it was refused, and what was warned of."""
    seen: Observation = {}
    scope.pop("_", None)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            perform(line, scope)
        except Exception as error:
            seen["error"] = [type(error).__name__, _FRAMES.sub("", str(error))]
    if "_" in scope:
        seen["gives"] = observer.value(scope["_"])
    if caught:
        told = [f"{w.category.__name__}: {_PLACE.sub('', str(w.message))}" for w in caught]
        told = [w for w in told if "ComplexHalf" not in w]  # of intermediate results, which we do not have
        seen["warns"] = list(dict.fromkeys(told))  # PyTorch says some things twice
    return seen


def grow(x: Any, *size: int) -> Any:
    """`resize_`, with zeros where the storage had to grow: fresh memory holds anything."""
    before = x.untyped_storage().nbytes()
    x.resize_(*size)
    storage = x.untyped_storage()
    for place in range(before, storage.nbytes()):
        storage[place] = 0
    return x


# -- comparing ---------------------------------------------------------------------------------------------------

WORDS = ("message", "warns")
"""What is compared apart: the words of refusals and warnings."""


def differences(ours: Observation, theirs: Observation) -> Iterator[str]:
    """Where two observations of one step differ, as paths."""
    error, wanted = ours.get("error"), theirs.get("error")
    if (error and error[0]) != (wanted and wanted[0]):
        yield f"error: {error} != {wanted}"
    elif error != wanted:
        yield f"message: {error} != {wanted}"
    told, expected = ours.get("warns", []), theirs.get("warns", [])
    if error and wanted:  # PyTorch may have resized an output before it refuses the rest
        expected = [w for w in expected if "was resized since" not in w]
    if told != expected:
        yield f"warns: {told} != {expected}"
    yield from _unlike("gives", ours.get("gives"), theirs.get("gives"))
    yield from _unlike("", ours.get("tensors"), theirs.get("tensors"))


def _unlike(path: str, a: Any, b: Any) -> Iterator[str]:
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted(set(a) | set(b)):
            yield from _unlike(f"{path}.{name}" if path else name, a.get(name), b.get(name))
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and any(isinstance(x, dict) for x in a):
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _unlike(f"{path}[{at - 1}]", x, y)
    elif a != b:
        yield f"{path}: {a} != {b}"


def wanted(difference: str, words: bool) -> bool:
    """Whether a difference counts: all do, or all but the words."""
    return words or not difference.startswith(WORDS)


def first_difference(
    ours: list[Observation], theirs: list[Observation], words: bool = True
) -> tuple[int, list[str]] | None:
    """The first step after which two runs differ, and how.

    PyTorch may have written half of what it refuses then; we never do, and there is no comparing what comes after.
    """
    half_done = steps_half_done(theirs)
    for at, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        if at in half_done:
            found = [d for d in differences({"error": a.get("error")}, {"error": b["error"]}) if wanted(d, words)]
            return (at, found) if found else None
        found = [d for d in differences(a, b) if wanted(d, words)]
        if found:
            return at, found
    return None


def steps_half_done(observed: list[Observation]) -> list[int]:
    """The steps that were refused and changed something nevertheless."""
    return [
        at
        for at, (before, after) in enumerate(zip([{"tensors": {}}, *observed], observed, strict=False))
        if "error" in after and after.get("tensors") != before.get("tensors", after.get("tensors"))
    ]
