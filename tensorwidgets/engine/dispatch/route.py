"""Which way a call would take, printed; and kernels that a user adds or takes out again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

from ..errors.reasons import refuse
from ..tensor.keys import KEY_MOVED
from ..tensor.tensor import Tensor
from . import stations as way_of_calls
from .computed_by import kernel_words
from .kinds import KINDS, TensorKind
from .registry import Op, find, keys_of
from .stations import Station, is_recorded, way


def stations(name: str | Callable, args: tuple, kwargs: dict) -> list[tuple[str, str]]:
    """The stations of a call, as (name, what happens there)."""
    op = find(name)
    if op.family not in _TAKE_ANY_ARRAY:
        for given in (*args, *kwargs.values()):
            _refuse_strangers(op, given)
    keys = keys_of(args, kwargs)
    groups = dict.fromkeys((op.family, op.category))  # once where both have the same name
    listed = [("call", f"{op.name}: {', '.join(groups)}")]
    recorded = is_recorded()
    if recorded:
        listed.append(("recording", "this call is being listed"))
    cast = way_of_calls.words_of_autocast(op, args, kwargs)
    if cast is not None:
        listed.append(("autocast", cast))
    for station in way():
        if keys & station.key:
            words, goes_on = station.describe(op, args, kwargs)
            listed.append((station.name, words))
            if not goes_on:
                kernel = _own_kernel(op, station)
                if kernel is None:
                    return listed
                own = kernel is not op.plain  # which some rows of the kind itself are
                words = f"{kernel.__name__} of {kernel.__module__}" if own else kernel_words(op)
                return [*listed, ("kernel", words)]
            keys &= ~station.key
    if keys & KEY_MOVED:
        listed.append(("moved", "this view was set to look at another storage than its base"))
    elif not keys and not recorded:
        listed.append(("keys", "none: plain strided tensors on the CPU go straight on"))
    return [*listed, ("kernel", kernel_words(op))]


_TAKE_ANY_ARRAY = frozenset(("creation", "index"))
"""The families that make tensors of arrays, or take places from them."""


def _refuse_strangers(op: Op, given: Any) -> None:
    """Refuse an array of another library, alone or in a list: no call with it takes a way through here."""
    if isinstance(given, (list, tuple)):
        for part in given:
            _refuse_strangers(op, part)
    elif hasattr(type(given), "__dlpack__") and not isinstance(given, Tensor):
        library = type(given).__module__.partition(".")[0]
        refuse(
            TypeError,
            f"route shows the path of a call through tensorwidgets, and {op.name} does not take an array of {library}",
            f"the argument is a {library}.{type(given).__name__}",
            "torch.from_dlpack(x), for a tensor of the same elements",
            rule="argument.type",
        )


def _own_kernel(op: Op, station: Station) -> Callable | None:
    """The function that a kind computes with, if the call ends at its station and is not refused there."""
    kind = KINDS.get(station.name)
    if kind is None or kind.describe_station is not None and kind.key not in op.kernels:
        return None
    return op.kernels.get(kind.key) or kind.fallback


class Route:
    """The way of one call, one station a line."""

    draw: ClassVar[Any] = None
    """Draws the picture that a notebook shows; the package sets it, because pictures are a floor above."""

    def __init__(self, stations: list[tuple[str, str]]):
        self.stations = stations

    def __repr__(self) -> str:
        width = max(len(name) for name, _ in self.stations)
        return "\n".join(f"{name:<{width}}  {what}" for name, what in self.stations)

    def _repr_mimebundle_(self, include: object | None = None, exclude: object | None = None) -> dict[str, str]:
        if self.draw is None:
            return {"text/plain": repr(self)}
        return {**self.draw(self.stations)._repr_mimebundle_(), "text/plain": repr(self)}


def route(name: str | Callable, *args: Any, **kwargs: Any) -> Route:
    """Which path a call would take, without making it.

    >>> import tensorwidgets as torch
    >>> torch.route(torch.add, torch.ones(3), 1)
    call    add: pointwise
    keys    none: plain strided tensors on the CPU go straight on
    kernel  numpy.add
    """
    return Route(stations(name, args, kwargs))


def register_kernel(name: str | Callable, key: str, kernel: Callable | None = None) -> Callable:
    """Give an op a kernel of your own for a kind of tensor; it is called with the arguments of the op.

    >>> import tensorwidgets as torch
    >>> colour = torch.add_kind("colour", "for this example")
    >>> @torch.register_kernel("neg", "colour")
    ... def colour_neg(input):
    ...     return f"the negative of {input.size()}"
    >>> -colour.wrap(torch.ones(3).numpy(), torch.float32)
    'the negative of torch.Size([3])'
    >>> torch.forget_kernel("neg", "colour")
    >>> torch.forget_kind("colour")
    """
    kind, op = _kind_named(key), find(name)
    if kernel is None:
        return lambda function: register_kernel(name, key, function)
    op.kernels[kind.key] = kernel
    return kernel


def forget_kernel(name: str | Callable, key: str) -> None:
    """Remove a kernel that `register_kernel` added."""
    find(name).kernels.pop(_kind_named(key).key, None)


def _kind_named(key: str) -> TensorKind:
    """A kind by its name, with all that it brings."""
    if key not in KINDS:
        refuse(
            ValueError,
            f"there is no kind of tensor called {key!r}",
            f"the kinds are {', '.join(KINDS)}",
            "torch.add_kind(…)",
            rule="dispatch.key",
        )
    return KINDS[key].wake()
