"""Which ops there are, and which way a call takes.

An op is a row: a name, a category, words, a rule (arithmetic on metadata) and a kernel. A call on plain tensors goes
straight to the row's `plain` function. Anything special about an argument is a *key*, a bit of `Tensor._keys`, and
takes the long route below, which `route(…)` prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from inspect import signature
from typing import Any, NoReturn

from . import dtypes
from .kinds import KINDS, Kind
from .numpy_names import NUMPY_NAMES
from .passed import keys_left
from .reasons import refuse
from .spelling import in_method
from .tensor import KEY_CONJ, KEY_META, KEY_MOVED, KEY_NEG, KEY_PROMISE, Tensor

KEEP_PROMISES = frozenset(("view", "inplace view", "copy", "index", "creation"))
"""The kinds of op that know of numbers that are only promised; all others are given them computed."""

VIEWS = frozenset(("view", "inplace view"))
"""The kinds of op that compute no numbers at all."""

watching: set[object] = set()
"""The open recordings of all threads. Every wrapper asks whether it is empty; adding and removing are atomic."""

watcher: Callable[[Op, tuple, dict], Any] | None = None
"""The function that lists a call while `watching` is not empty; `modes.recording` puts it here."""


class Op:
    """One row of the catalogue."""

    __slots__ = (
        "name", "kind", "category", "words", "signature", "rule", "kernel", "plain", "function", "aliases",
        "forms", "kernels", "names_rule", "derivative", "shortcut", "typed", "fitting",
    )  # fmt: skip

    def __init__(
        self,
        name: str,
        kind: str,
        category: str,
        words: str,
        *,
        signature: Any = "",
        rule: Any = None,
        kernel: Any = None,
        aliases: tuple[str, ...] = (),
        forms: frozenset[str] = frozenset(("function", "method")),
        shortcut: Callable | None = None,
    ):
        self.name, self.kind, self.category, self.words = name, kind, category, words
        self.signature, self.rule, self.kernel = signature, rule, kernel
        self.aliases, self.forms, self.shortcut = aliases, forms, shortcut
        self.typed = False
        self.plain: Callable = _no_plain
        self.function: Callable = _no_plain
        self.kernels: dict[int, Callable] = {}
        self.fitting: dict[tuple, bool] = {}
        self.names_rule: Callable | None = None
        self.derivative: Callable | None = None

    def __repr__(self) -> str:
        return f"<op {self.name}: {self.kind}, {self.category}>"


def _no_plain(*args: Any, **kwargs: Any) -> Any:
    raise AssertionError("this row has not been bound")


OPS: dict[str, Op] = {}
"""Every op by its name; aliases stand in `Op.aliases`."""


def add_row(op: Op) -> Op:
    """Enter a row. A name can be taken once."""
    if op.name in OPS:
        raise AssertionError(f"two rows are called {op.name}")
    OPS[op.name] = op
    return op


def find(name: str | Callable) -> Op:
    """The row of an op, by its name, an alias, or the function itself."""
    wanted = name if isinstance(name, str) else getattr(name, "__name__", repr(name))
    if wanted in OPS:
        return OPS[wanted]
    for op in OPS.values():
        if wanted in op.aliases:
            return op
    refuse(
        NotImplementedError,
        f"there is no op called {wanted!r}",
        "the catalogue lists the ops by name",
        "catalogue()",
        rule="dispatch.unknown",
    )


def tensors_in(args: tuple, kwargs: dict) -> Iterator[Tensor]:
    """Every tensor among the arguments, in lists and tuples too."""
    for a in args:
        if isinstance(a, Tensor):
            yield a
        elif isinstance(a, (list, tuple)):
            yield from tensors_in(tuple(a), {})
    if kwargs:
        yield from tensors_in(tuple(kwargs.values()), {})


def keys_of(args: tuple, kwargs: dict) -> int:
    """Everything special about the arguments of a call."""
    keys = 0
    for t in tensors_in(args, kwargs):
        keys |= keys_left(t)
    return keys


def in_torch_words(op: Op, kwargs: dict) -> dict:
    """Keywords by PyTorch's names; left as they are where two say the same, so that the call is refused.

    >>> in_torch_words(find("sum"), {"axis": 0, "keepdims": True, "x": 3})
    {'dim': 0, 'keepdim': True, 'input': 3}
    """
    own = names_of(op)
    renamed = {name if name in own else NUMPY_NAMES.get(name, name): value for name, value in kwargs.items()}
    return renamed if len(renamed) == len(kwargs) else kwargs


@cache
def names_of(op: Op) -> frozenset[str]:
    """What an op or PyTorch calls its arguments."""
    from .calls import names_told

    return frozenset(signature(op.plain).parameters) | names_told(op)


def long_route(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of a call that is watched or has special arguments."""
    if kwargs and not kwargs.keys().isdisjoint(NUMPY_NAMES):
        kwargs = in_torch_words(op, kwargs)
    if kwargs and type(kwargs.get("dtype")) is type:
        kwargs = {**kwargs, "dtype": dtypes.of_type(kwargs["dtype"])}
    if watching and watcher is not None:
        return watcher(op, args, kwargs)
    return by_keys(op, args, kwargs)


class Station:
    """A place on the way of a call: whom it stops, what it does there, and what `route` prints."""

    __slots__ = ("name", "key", "stops", "take", "describe")

    def __init__(
        self,
        name: str,
        key: int,
        stops: Callable[[Op, int], bool],
        take: Callable[[Op, tuple, dict], Any],
        describe: Callable[[Op, tuple, dict], tuple[str, bool]],
    ):
        self.name, self.key, self.stops, self.take, self.describe = name, key, stops, take, describe


def _always(op: Op, keys: int) -> bool:
    return True


def way() -> tuple[Station, ...]:
    """The stations in the order in which a call passes them.

    What wraps a call comes first: a class of the user's own, then names. Then promised numbers are computed, so that
    every kernel after that is given numbers. Then one kind of tensor takes the call, or the `meta` device, or the
    kernel of plain tensors, which is no station.
    """
    global _way, _way_of
    entered = tuple(KINDS.values())
    if entered != _way_of:
        modes = [_station_of(kind) for kind in entered if kind.wraps]
        others = [_station_of(kind) for kind in entered if not kind.wraps]
        _way, _way_of = (*modes, _PROMISES, *others, _META), entered
    return _way


_way: tuple[Station, ...] = ()
_way_of: tuple[Kind, ...] = ()


def by_keys(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of a call from the first station that stops it, or straight to the kernel of plain tensors."""
    keys = keys_of(args, kwargs)
    if keys:
        for station in way():
            if keys & station.key and station.stops(op, keys):
                return station.take(op, args, kwargs)
    return to_kernel(op, args, kwargs)


def to_kernel(op: Op, args: tuple, kwargs: dict) -> Any:
    """The end of the way: the op's own function on plain tensors."""
    try:
        return to_plain(op, args, kwargs)
    except Exception as error:
        misfit(error, op, args, kwargs)
        raise


# -- the stations ------------------------------------------------------------------------------------------------


def _station_of(kind: Kind) -> Station:
    """A kind of tensor as a station: its kernel for the op, its way for all ops, or a refusal."""

    def take(op: Op, args: tuple, kwargs: dict) -> Any:
        kernel = op.kernels.get(kind.key)
        if kernel is not None:
            return kernel(*args, **kwargs)
        if kind.fallback is not None:
            return kind.fallback(op, args, kwargs)
        if kind.refusal is not None:
            kind.refusal(op, args, kwargs)
        no_kernel(op, kind)

    def describe(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
        if kind.passes is not None and kind.key not in op.kernels:
            return kind.passes(op, args, kwargs)
        return _choice(op, kind), False

    return Station(kind.name, kind.key, _always, take, describe)


def _promise_is_due(op: Op, keys: int) -> bool:
    """Views pass a promise on, and plain copies keep it themselves; a kind's kernels know nothing of promises."""
    if op.kind not in KEEP_PROMISES:
        return True
    return op.kind not in VIEWS and any(keys & kind.key for kind in KINDS.values() if not kind.wraps)


def _keep_promises(op: Op, args: tuple, kwargs: dict) -> Any:
    from .conjugate import with_numbers

    return with_numbers(op, args, kwargs)


def _say_promise(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    keys = keys_of(args, kwargs)
    promised = " and ".join(name for name, key in (("conjugate", KEY_CONJ), ("negative", KEY_NEG)) if keys & key)
    if _promise_is_due(op, keys):
        return f"the {promised} that was only promised is computed first", True
    return "a view passes the promise on, a copy keeps it", True


_PROMISES = Station("promises", KEY_PROMISE, _promise_is_due, _keep_promises, _say_promise)


def _on_meta(op: Op, args: tuple, kwargs: dict) -> Any:
    from .meta import check

    try:
        check(op, args, kwargs)
    except Exception as error:
        misfit(error, op, args, kwargs)
        raise
    return to_kernel(op, args, kwargs)


def _say_meta(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    return "the rule gives size, stride and dtype; no numbers are touched", False


_META = Station("meta", KEY_META, _always, _on_meta, _say_meta)


def to_plain(op: Op, args: tuple, kwargs: dict) -> Any:
    """The op's own function, once its arguments have been read; in other words where it knows PyTorch's only so."""
    read_first(op, args, kwargs)
    try:
        return _all_or_nothing(op, args, kwargs)
    except Exception as error:
        other = in_other_words(error, op, args, kwargs)
        if other is not None:
            return _all_or_nothing(op, *other)
        if "unexpected keyword argument 'out'" in str(error):
            return _into_out(op, args, kwargs)
        raise


def _into_out(op: Op, args: tuple, kwargs: dict) -> Any:
    """A function that PyTorch gives an `out=` and that has none here: its result is copied there."""
    named = {name: value for name, value in kwargs.items() if name != "out"}
    found = op.plain(*args, **named)
    if not isinstance(found, Tensor):
        return found
    from .numbers import assign
    from .reduce import finish

    meta = bool(found._keys & KEY_META)
    return finish(found._array.shape, found._dtype, kwargs["out"], lambda a: assign(a, found._array), meta)


def in_other_words(error: Exception, op: Op, args: tuple, kwargs: dict) -> tuple[tuple, dict] | None:
    """The arguments of a call that failed as our function knows them, if it failed of their names or places."""
    from .calls import respelled

    unbound = type(error) is TypeError and not hasattr(error, "reason")
    if unbound and op.kind.startswith("inplace"):  # of what writes, only what has not begun is called again
        unbound = _NOT_BOUND.search(str(error)) is not None
    return respelled(op, args, kwargs, unbound)


_NOT_BOUND = re.compile(r"\(\) (takes \d|takes from|missing \d|got an unexpected|got multiple|got some positional)")
"""How Python says that a function cannot be called with these arguments."""


def _all_or_nothing(op: Op, args: tuple, kwargs: dict) -> Any:
    if kwargs and isinstance(kwargs.get("out"), (tuple, list)):
        from .resizing import all_or_nothing

        return all_or_nothing(op.plain, args, kwargs)
    return op.plain(*args, **kwargs)


def read_first(op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse arguments of the wrong kind before anything is done with them; types that fit once are remembered."""
    types = (*map(type, args), *kwargs, *map(type, kwargs.values())) if kwargs else tuple(map(type, args))
    if "out" in kwargs:  # which functions take, and methods do not
        types = (*types, in_method())
    if not op.fitting.get(types):
        from .calls import check_call

        check_call(op, types, args, kwargs)


def misfit(error: Exception, op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse arguments that do not fit as PyTorch does; return if they do, so that what was raised is told.

    PyTorch reads all arguments before anything else, so an argument of the wrong kind is named before all other faults.
    """
    from .calls import refuse_call

    refuse_call(op.name, args, kwargs)
    if not hasattr(error, "reason"):
        from .leaks import refuse_in_our_words

        refuse_in_our_words(error, op.name, tensors_in(args, kwargs))


def no_kernel(op: Op, kind: Kind, called: str = "") -> NoReturn:
    """Refuse a call that a kind of tensor has no kernel for; `called` is PyTorch's name of what is missing."""
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{called or op.name}' with arguments from the '{kind.backend}' backend.",
        f"there is no kernel of {op.name} for tensors of the kind {kind.name!r} ({kind.words})",
        *kind.way_out,
        f"torch.register_kernel({op.name!r}, {kind.name!r}, function)",
        rule="dispatch.no_kernel",
        op=op.name,
        kind=kind.name,
    )


def bind(op: Op, plain: Callable) -> Callable:
    """The public function of a row that has no faster way in: ask for keys, then call."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if watching or kwargs:
            return long_route(op, args, kwargs)
        for a in args:
            if isinstance(a, Tensor):
                if a._keys:
                    return long_route(op, args, kwargs)
            elif type(a) is list or type(a) is tuple:
                return long_route(op, args, kwargs)
        try:
            if not fitting.get(tuple(map(type, args))):
                read_first(op, args, kwargs)
            return plain(*args)
        except Exception as error:
            other = in_other_words(error, op, args, kwargs)
            if other is not None:
                return by_keys(op, *other)
            misfit(error, op, args, kwargs)
            raise

    fitting = op.fitting
    return publish(op, call, plain)


def publish(op: Op, call: Callable, plain: Callable) -> Callable:
    """Name and document the wrapper of a row."""
    call.__name__ = call.__qualname__ = op.name
    call.__module__ = "tensorwidgets"
    call.__doc__ = op.words
    call.__wrapped__ = plain  # type: ignore[attr-defined]
    if "<locals>" in plain.__qualname__:
        plain.__qualname__ = op.name.rpartition(".")[2]  # Python names it when arguments do not fit
    op.plain, op.function = plain, call
    return call


def stations(name: str | Callable, args: tuple, kwargs: dict) -> list[tuple[str, str]]:
    """The stations of a call, as (place, what happens there)."""
    op = find(name)
    keys = keys_of(args, kwargs)
    kinds = dict.fromkeys((op.kind, op.category))  # where both have one name, once is enough
    listed = [("call", f"{op.name}: {', '.join(kinds)}")]
    if watching:
        listed.append(("recording", "this call is being listed"))
    for station in way():
        if keys & station.key:
            words, goes_on = station.describe(op, args, kwargs)
            listed.append((station.name, words))
            if not goes_on:
                own = _own_kernel(op, station)
                return listed if own is None else [*listed, ("kernel", f"{own.__name__} of {own.__module__}")]
            keys &= ~station.key
    if keys & KEY_MOVED:
        listed.append(("moved", "this view was set to look at another storage than its base"))
    elif not keys and not watching:
        listed.append(("keys", "none: plain strided tensors on the CPU go straight on"))
    words = _kernel_words(op.kernel)
    if op.kind == "view":
        words = "none: a view is new numbers for size, stride and offset over the same storage"
    return [*listed, ("kernel", words)]


def _own_kernel(op: Op, station: Station) -> Callable | None:
    """The function that a kind computes with, if the call ends at its station and is not refused there."""
    kind = KINDS.get(station.name)
    if kind is None or kind.passes is not None and kind.key not in op.kernels:
        return None
    return op.kernels.get(kind.key) or kind.fallback


def _choice(op: Op, kind: Kind) -> str:
    if kind.key in op.kernels:
        return f"{kind.words}: its own kernel"
    if kind.fallback is not None:
        return f"{kind.words}: no kernel, but a way for all ops"
    return f"{kind.words}: no kernel, and the call is refused"


def _kernel_words(kernel: Any) -> str:
    module = getattr(kernel, "__module__", None) or type(kernel).__module__
    name = getattr(kernel, "__name__", None)
    if kernel is None or name is None or module.startswith("tensorwidgets"):
        return "made of other ops, written in Python"
    return f"{module}.{name}"


class Route:
    """The way of one call, one station a line."""

    def __init__(self, found: list[tuple[str, str]]):
        self.stations = found

    def __repr__(self) -> str:
        width = max(len(place) for place, _ in self.stations)
        return "\n".join(f"{place:<{width}}  {what}" for place, what in self.stations)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        # The floor above: this one may not import it, and need not know more of it than its name.
        drawn = import_module("tensorwidgets.pictures.route").route_picture(self.stations)
        return {**drawn._repr_mimebundle_(), "text/plain": repr(self)}


def route(name: str | Callable, *args: Any, **kwargs: Any) -> Route:
    """Which way a call would take, without making it.

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
    kind, op = _kind_called(key), find(name)
    if kernel is None:
        return lambda function: register_kernel(name, key, function)
    op.kernels[kind.key] = kernel
    return kernel


def forget_kernel(name: str | Callable, key: str) -> None:
    """Take a kernel out again; the op then does for this kind of tensor what it does without."""
    find(name).kernels.pop(_kind_called(key).key, None)


def _kind_called(key: str) -> Kind:
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
