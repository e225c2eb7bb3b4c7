"""How an answer was computed: the number of calls while it runs, what they allocated, and what crossed to a GPU.

On our engine by `recording()`, on PyTorch by its own function mode; the answer itself knows of neither.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from types import FrameType, ModuleType
from typing import Any, NamedTuple

NAME = "torch"
"""What a lesson calls the library that it runs on."""


class Manner(NamedTuple):
    """What a run cost."""

    calls: int
    allocated: int
    """Bytes of the storages that came into being."""
    crossed: int | None = None
    """Bytes that were copied between main memory and a GPU. Only a simulated GPU counts them: elsewhere it is None."""


def library_of(frame: FrameType | None) -> Any:
    """The library that the code of a frame calls `torch`: ours, or PyTorch where the first import was swapped."""
    named = frame.f_globals.get(NAME) if frame is not None else None
    if isinstance(named, ModuleType) and hasattr(named, "UntypedStorage"):
        return named
    import tensorwidgets

    return tensorwidgets


def library_that_made(tensor: Any) -> ModuleType:
    """The library that a tensor is from."""
    return import_module(type(tensor).__module__.partition(".")[0])


class Elsewhere:
    """A function that runs in another process, and says itself how it went there."""

    def watched(self, given: tuple[Any, ...]) -> tuple[Any, Manner]:
        raise NotImplementedError

    def unrecorded(self) -> Callable[..., Any]:
        """The same function where nothing is recorded for backward()."""
        raise NotImplementedError


def unrecorded(library: Any, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function as it runs where nothing is recorded for backward().

    >>> import tensorwidgets as torch
    >>> unrecorded(torch, lambda x: (x * x).requires_grad)(torch.ones(2, requires_grad=True))
    False
    """
    if isinstance(function, Elsewhere):
        return function.unrecorded()

    def quietly(*given: Any) -> Any:
        with library.inference_mode():
            return function(*given)

    return quietly


def watched(library: Any, function: Callable[..., Any], *given: Any) -> tuple[Any, Manner]:
    """What a call gives, and what it cost; an exception that it raises passes through.

    >>> import tensorwidgets as torch
    >>> x = torch.arange(6).reshape(2, 3)
    >>> watched(torch, lambda: x.t().contiguous().stride())
    ((2, 1), Manner(calls=2, allocated=48, crossed=None))
    """
    if isinstance(function, Elsewhere):
        return function.watched(given)
    if hasattr(library, "recording"):
        gpus = _simulated()
        before = gpus.crossed() if gpus else 0
        with library.recording() as calls:
            result = function(*given)
        same = gpus is _simulated()  # an answer may start a simulation of its own
        return result, Manner(len(calls), calls.allocated, gpus.crossed() - before if gpus and same else None)
    mode = _function_mode(library)
    with mode:
        result = function(*given)
    return result, Manner(mode.calls, mode.allocated)


def _simulated() -> Any:
    """Our simulated GPUs, which count what is copied to and from them; None if there are none."""
    from tensorwidgets.engine.devices import gpus

    return gpus.simulated()


def _function_mode(library: Any) -> Any:
    """PyTorch's function mode, counting: made at run time, since nothing here imports PyTorch."""

    def begin(self: Any) -> None:
        library.overrides.TorchFunctionMode.__init__(self)
        self.calls = self.allocated = 0
        self.kept = []

    def count(self: Any, function: Any, types: Any, given: tuple = (), named: dict | None = None) -> Any:
        named = named or {}
        before = {address for address, _ in _storages(library, (*given, *named.values()))}
        result = function(*given, **named)
        self.calls += 1
        self.kept.append(result)  # so that no address is given out twice
        fresh = dict(_storages(library, (result,)))
        self.allocated += sum(nbytes for address, nbytes in fresh.items() if address not in before)
        return result

    made = type("Counting", (library.overrides.TorchFunctionMode,), {"__init__": begin, "__torch_function__": count})
    return made()


def _storages(library: Any, values: Any) -> list[tuple[int, int]]:
    """Address and bytes of the storages among some values."""
    results = []
    for value in values:
        if isinstance(value, library.Tensor):
            storage = value.untyped_storage()
            results.append((storage.data_ptr(), storage.nbytes()))
        elif isinstance(value, (list, tuple)):
            results += _storages(library, value)
    return results
