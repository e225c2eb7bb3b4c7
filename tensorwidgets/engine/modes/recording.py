"""Which ops did a block of code call? `recording()` lists each call: view or copy, bytes allocated, route.

>>> import tensorwidgets as torch
>>> x = torch.ones(2, 3)
>>> with torch.recording() as calls:
...     y = x.t().reshape(6) + 1
>>> calls
t        A float32 [2, 3]    -> view of A, size [3, 2], stride (1, 3)
reshape  A float32 [3, 2], 6 -> copy B, size [6], stride (1,), 24 bytes
add      B float32 [6], 1    -> new C, size [6], stride (1,), 24 bytes
"""

from __future__ import annotations

import contextvars
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from ..dispatch import stations
from ..dispatch.kinds import NonStridedArray, plain_parts
from ..dispatch.registry import Op, tensors_in, watching
from ..dispatch.route import stations as stations_of
from ..dispatch.stations import by_keys
from ..tensor.lookups import size_and_stride, storage_of
from ..tensor.storages.untyped import UntypedStorage
from ..tensor.tensor import Tensor
from .recorded_gradients import Pass, Saved, mark, saved_since

_active: contextvars.ContextVar[tuple[weakref.ref[recording], ...]] = contextvars.ContextVar("recordings", default=())
_inside: contextvars.ContextVar[bool] = contextvars.ContextVar("inside a recorded call", default=False)


@dataclass(frozen=True)
class TensorFacts:
    """The facts of a tensor in a recording, with a letter for its storage."""

    storage: str
    dtype: str
    size: tuple[int, ...]
    stride: tuple[int, ...]
    offset: int
    layout: str = ""
    """Of a tensor without strides: how its elements are kept."""

    def __str__(self) -> str:
        return f"{self.storage} {self.dtype} {list(self.size)}"


@dataclass(frozen=True)
class Call:
    """One call, as a recording keeps it."""

    op: str
    inputs: tuple[Any, ...]
    """`TensorFacts` for tensors, the text of anything else."""
    outputs: tuple[Any, ...]
    outcome: str
    """view | copy | new | in place | itself | value | gradients | refused"""
    allocated: int
    """Bytes of the storages that this call allocated."""
    shared: tuple[str, ...]
    """Letters of the storages that inputs and outputs share; of a backward pass, those that the gradients are of."""
    route: tuple[tuple[str, str], ...]
    error: str = ""
    saved: tuple[Saved, ...] = ()
    """What the nodes of this call keep for the backward pass."""
    freed: str = ""
    """Of a backward pass: what it freed."""

    def asked(self) -> str:
        """The inputs as text."""
        return ", ".join(str(i) for i in self.inputs)

    def answered(self) -> str:
        """The outcome as text, with what is saved for the backward pass."""
        return self.gave() + (f"; {kept}" if (kept := self.keeps()) else "")

    def keeps(self) -> str:
        """What the call saves, or a backward pass frees, as text."""
        return self.freed or (f"saves {', '.join(map(str, self.saved))}" if self.saved else "")

    def gave(self) -> str:
        """The outcome as text."""
        if self.outcome == "refused":
            return f"refused: {self.error}"
        if self.outcome == "gradients":
            grads = ", ".join(f"{o} of {of}" for o, of in zip(self.outputs, self.shared, strict=True))
            return f"gradients {grads}" + (f", {self.allocated} bytes" if self.allocated else "")
        first = next((o for o in self.outputs if isinstance(o, TensorFacts)), None)
        if first is None and self.outcome == "in place":
            return f"written into {self.inputs[0]}"
        if first is None:
            return f"value {', '.join(map(str, self.outputs))}"
        if self.outcome == "itself":
            return f"{first.storage} itself"
        shape = f"size {list(first.size)}, {first.layout or f'stride {first.stride}'}"
        several = f" and {len(self.outputs) - 1} more" if len(self.outputs) > 1 else ""
        where = {"view": "view of ", "in place": "written into "}.get(self.outcome, self.outcome + " ")
        cost = f", {self.allocated} bytes" if self.allocated else ""
        return f"{where}{first.storage}, {shape}{several}{cost}"


class Recording:
    """The calls made inside a ``with recording()``, in their order."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._letters: weakref.WeakKeyDictionary[UntypedStorage, str] = weakref.WeakKeyDictionary()
        self._next = 0
        self._kept: dict[int, str] = {}
        """Letters of storages that a graph keeps, by address: their tensors may be gone."""

    def __len__(self) -> int:
        return len(self.calls)

    def __iter__(self) -> Iterator[Call]:
        return iter(self.calls)

    def __getitem__(self, index: int) -> Any:
        return self.calls[index]

    @property
    def allocated(self) -> int:
        """Bytes of all storages that the calls allocated."""
        return sum(c.allocated for c in self.calls)

    def __repr__(self) -> str:
        if not self.calls:
            return "no calls"
        ops = max(len(c.op) for c in self.calls)
        asked = max(len(c.asked()) for c in self.calls)
        return "\n".join(f"{c.op:<{ops}}  {c.asked():<{asked}} -> {c.answered()}" for c in self.calls)

    def letter(self, t: Tensor) -> str:
        """The letter of a tensor's storage: A for the first that was seen."""
        storage = storage_of(t)
        result = self._letters.get(storage)
        if result is None:
            result = self._letters[storage] = letters(self._next)
            self._next += 1
            self._kept.pop(storage.data_ptr(), None)  # memory that is used again
        return result

    def letter_of_kept(self, t: Tensor) -> str:
        """The letter of a storage that a node keeps."""
        if isinstance(t._array, NonStridedArray):
            return "+".join(self.letter(part) for part in plain_parts(t))
        address = storage_of(t).data_ptr()
        known = self._kept.get(address)
        if known is None:
            alive = [name for storage, name in self._letters.items() if storage.data_ptr() == address]
            known = self._kept[address] = alive[-1] if alive else self.letter(t)
            self._kept[address] = known
        return known

    def facts(self, value: Tensor | int) -> Any:
        """What is kept of an argument or a result."""
        if isinstance(value, Tensor):
            if isinstance(value._array, NonStridedArray):
                held = "+".join(self.letter(part) for part in plain_parts(value))
                return TensorFacts(held, value._dtype._name, value._array.shape, (), 0, str(value.layout)[6:])
            size, stride = size_and_stride(value)
            return TensorFacts(self.letter(value), value._dtype._name, size, stride, value.storage_offset())
        if isinstance(value, (list, tuple)) and any(isinstance(v, Tensor) for v in value):
            return "[" + ", ".join(str(self.facts(v)) for v in value) + "]"
        text = repr(value)
        return text if len(text) <= 40 else text[:37] + "..."

    def add(self, op: Op, args: tuple, kwargs: dict, before: set[int], since: int | None, result: Tensor) -> None:
        """Keep a call that succeeded."""
        inputs = tuple(self.facts(a) for a in args) + tuple(f"{k}={self.facts(v)}" for k, v in kwargs.items())
        given = list(tensors_in(args, kwargs))
        results = [r for r in _flat(result) if isinstance(r, Tensor)]
        outputs = tuple(self.facts(r) for r in _flat(result))
        storages = _storages(given)
        made = [part for r in results for part in plain_parts(r)]
        fresh = {id(storage_of(r)): storage_of(r).nbytes() for r in made if id(storage_of(r)) not in before | storages}
        shared = tuple(sorted({self.letter(r) for r in made if id(storage_of(r)) in storages}))
        self.calls.append(
            Call(
                op.name,
                inputs,
                outputs,
                _outcome(op, given, results),
                sum(fresh.values()),
                shared,
                tuple(stations_of(op.name, args, kwargs)),
                saved=() if since is None else saved_since(results, since, self.letter_of_kept),
            )
        )

    def add_pass(self, name: str, outputs: Iterable[Any], this: Pass, result: Sequence[Tensor] | None) -> None:
        """Keep a backward pass."""
        pairs, allocated, freed = this.done(result, self.letter)
        grads = tuple(
            self.letter(g) if not isinstance(g._array, NonStridedArray) else str(g.layout)[6:] for _, g in pairs
        )
        inputs = tuple(self.facts(t) for t in outputs)
        route = (("autograd", f"{len(this.nodes)} nodes, the newest first"),)
        of = tuple(letter for letter, _ in pairs)
        self.calls.append(Call(name, inputs, grads, "gradients", allocated, of, route, freed=freed))

    def add_refusal(self, op: Op, args: tuple, kwargs: dict, error: Exception) -> None:
        """Keep a call that was refused."""
        inputs = tuple(self.facts(a) for a in args) + tuple(f"{k}={self.facts(v)}" for k, v in kwargs.items())
        self.calls.append(
            Call(
                op.name,
                inputs,
                (),
                "refused",
                0,
                (),
                tuple(stations_of(op.name, args, kwargs)),
                str(error).split("\n")[0],
            )
        )


def letters(n: int) -> str:
    """A, B … Z, AA, AB …

    >>> letters(0), letters(25), letters(26)
    ('A', 'Z', 'AA')
    """
    return letters(n // 26 - 1) + chr(65 + n % 26) if n > 25 else chr(65 + n)


def _flat(result: Any) -> list[Any]:
    return list(result) if isinstance(result, (tuple, list)) else [result]


def _storages(tensors: Iterable[Tensor]) -> set[int]:
    """Which storages some tensors read."""
    return {id(storage_of(part)) for t in tensors for part in plain_parts(t)}


def _outcome(op: Op, given: list[Tensor], results: list[Tensor]) -> str:
    if not results:
        return "in place" if op.name == "setitem" else "value"
    first = results[0]
    if any(first is t for t in given):
        return "in place" if op.name.endswith("_") or op.family.startswith("inplace") else "itself"
    if _storages([first]) & _storages(given):
        return "view"
    return "copy" if op.family in ("view", "copy", "index") else "new"


def _open_recordings() -> list[Recording]:
    """The recordings that list the calls of this thread; none inside a call that is being recorded."""
    opened = [] if _inside.get() else [reference() for reference in _active.get()]
    return [one._recording for one in opened if one is not None]


def _watch(op: Op, args: tuple, kwargs: dict) -> Any:
    recordings = _open_recordings()
    if not recordings:
        return by_keys(op, args, kwargs)
    return contextvars.copy_context().run(_recorded, recordings, op, args, kwargs)


def _recorded(recordings: list[Recording], op: Op, args: tuple, kwargs: dict) -> Any:
    """Make a call and keep it. The calls that it makes in turn are not kept.

    That they are inside is noted in a context of this call's own, so that an interrupt leaves nothing to take back.
    """
    _inside.set(True)
    given = list(tensors_in(args, kwargs))
    before, since = _storages(given), mark(given)
    try:
        result = by_keys(op, args, kwargs)
    except Exception as error:
        for recording in recordings:
            recording.add_refusal(op, args, kwargs, error)
        raise
    for recording in recordings:
        recording.add(op, args, kwargs, before, since, result)
    return result


def _watch_pass(name: str, outputs: tuple, into: Sequence[Tensor] | None, compute: Callable[[], Any]) -> Any:
    recordings = _open_recordings()
    if not recordings:
        return compute()
    return contextvars.copy_context().run(_recorded_pass, recordings, name, outputs, into, compute)


def _recorded_pass(
    recordings: list[Recording], name: str, outputs: tuple, into: Sequence[Tensor] | None, compute: Callable[[], Any]
) -> Any:
    """Run a backward pass and keep it as one entry, without the calls that it makes."""
    _inside.set(True)
    passes = [Pass(outputs, into, recording.letter_of_kept) for recording in recordings]
    try:
        result = compute()
    except Exception as error:
        for recording in recordings:
            inputs = tuple(recording.facts(t) for t in outputs)
            recording.calls.append(Call(name, inputs, (), "refused", 0, (), (), str(error).split("\n")[0]))
        raise
    for recording, this in zip(recordings, passes, strict=True):
        recording.add_pass(name, outputs, this, result if name == "grad" else None)
    return result


class _Open(weakref.ref):
    """A weak reference that a set can drop at any time: by identity, since one to what is gone may have no hash."""

    __slots__ = ()
    __hash__ = object.__hash__  # type: ignore[assignment]
    __eq__ = object.__eq__  # type: ignore[assignment]


class recording:
    """``with recording() as calls:`` lists each call that is made inside."""

    def __enter__(self) -> Recording:
        self._recording = Recording()
        # The `with` statement holds this object, and these refer to it weakly. So a recording ends with its `with` even
        # if an interrupt comes before `__exit__` has done anything.
        self._opened = _Open(self, watching.discard)
        watching.add(self._opened)
        still_open = [one for one in _active.get() if one() is not None]
        self._token = _active.set((*still_open, self._opened))
        return self._recording

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        watching.discard(self._opened)
        _active.reset(self._token)


stations.watcher = _watch
stations.pass_watcher = _watch_pass
stations.open_recordings = _open_recordings
