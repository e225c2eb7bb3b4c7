"""Which ops there are, and which way a call takes.

An op is a row: a name, a category, words, a rule (arithmetic on metadata) and a kernel. A call on plain tensors goes
straight to the row's `plain` function. Anything special about an argument is a *key*, a bit of `Tensor._keys`, and
takes the long route below, which `route(…)` prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any, NoReturn

from . import dtypes, kinds
from .kinds import KINDS, Kind
from .reasons import refuse
from .tensor import KEY_CONJ, KEY_META, KEY_MOVED, KEY_NEG, KEY_PROMISE, Tensor

KEEP_PROMISES = frozenset(("view", "inplace view", "copy", "index", "creation"))
"""The kinds of op that know of numbers that are only promised; all others are given them computed."""

watching = False
"""Whether somebody records calls. Every wrapper asks this one flag."""

watcher: Callable[[Op, tuple, dict], Any] | None = None
"""The recording that is told of each call while `watching` is set."""


class Op:
    """One row of the catalogue."""

    __slots__ = (
        "name", "kind", "category", "words", "signature", "rule", "kernel", "plain", "function", "aliases",
        "forms", "kernels", "names_rule", "derivative", "shortcut", "typed",
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
        keys |= t._keys
    return keys


NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}
"""How NumPy calls what PyTorch calls otherwise; calls are understood in both."""


def in_torch_words(kwargs: dict) -> dict:
    """Keywords by PyTorch's names; left as they are where both names are given, so that the call is refused.

    >>> in_torch_words({"axis": 0, "keepdims": True})
    {'dim': 0, 'keepdim': True}
    """
    renamed = {NUMPY_NAMES.get(name, name): value for name, value in kwargs.items()}
    return renamed if len(renamed) == len(kwargs) else kwargs


def long_route(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of a call that is watched or has special arguments."""
    if kwargs and not kwargs.keys().isdisjoint(NUMPY_NAMES):
        kwargs = in_torch_words(kwargs)
    if kwargs and type(kwargs.get("dtype")) is type:
        kwargs = {**kwargs, "dtype": dtypes.of_type(kwargs["dtype"])}
    if watching and watcher is not None:
        return watcher(op, args, kwargs)
    return by_keys(op, args, kwargs)


def by_keys(op: Op, args: tuple, kwargs: dict) -> Any:
    """Choose the kernel by the arguments' keys and nothing else."""
    keys = keys_of(args, kwargs)
    kind = kinds.kind_of(keys)
    if kind is not None:
        kernel = op.kernels.get(kind.key)
        if kernel is not None:
            return kernel(*args, **kwargs)
        if kind.fallback is not None:
            return kind.fallback(op, args, kwargs)
        if kind.refusal is not None:
            kind.refusal(op, args, kwargs)
        no_kernel(op, kind)
    if keys & KEY_PROMISE and op.kind not in KEEP_PROMISES:
        from .conjugate import with_numbers

        return with_numbers(op, args, kwargs)
    try:
        if keys & KEY_META:
            from .meta import without_numbers

            return without_numbers(op, args, kwargs)
        return op.plain(*args, **kwargs)
    except Exception as error:
        misfit(error, op, args, kwargs)
        raise


def misfit(error: Exception, op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse arguments that do not fit as PyTorch does; return if they do, so that what was raised is told.

    PyTorch reads all arguments before anything else. Here that is made up for when something else is wrong, unless a
    rule of ours has said no with its reason.
    """
    if not isinstance(error, TypeError) and hasattr(error, "reason"):
        return
    from .calls import refuse_call

    refuse_call(op.name, args, kwargs)


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
            return plain(*args)
        except Exception as error:
            misfit(error, op, args, kwargs)
            raise

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


ON_THE_WAY = {
    "meta": (KEY_META, "the rule gives size, stride and dtype; no numbers are touched"),
    "conjugate": (KEY_CONJ, ""),
    "negative": (KEY_NEG, ""),
    "moved": (KEY_MOVED, "this view was set to look at another storage than its base"),
}
"""Keys that a call passes by and that need no kernel of their own, with what happens there."""


def stations(name: str | Callable, args: tuple, kwargs: dict) -> list[tuple[str, str]]:
    """The stations of a call, as (place, what happens there)."""
    op = find(name)
    keys = keys_of(args, kwargs)
    found = [("call", f"{op.name}: {op.kind}, {op.category}")]
    if watching:
        found.append(("recording", "this call is being listed"))
    for kind in KINDS.values():
        if keys & kind.key:
            if kind.passes is not None and kind.key not in op.kernels:
                what, goes_on = kind.passes(op, args, kwargs)
                found.append((kind.name, what))
                keys &= ~kind.key
                if goes_on:
                    continue
                return found
            found.append((kind.name, _choice(op, kind)))
            own = op.kernels.get(kind.key) or kind.fallback
            return found if own is None else [*found, ("kernel", f"{own.__name__} of {own.__module__}")]
    for key_name, (key, what) in ON_THE_WAY.items():
        if keys & key:
            found.append((key_name, what or _promise(op, key_name)))
    if not keys and not watching:
        found.append(("keys", "none: plain strided tensors on the CPU go straight on"))
    if not keys & KEY_META:
        words = _kernel_words(op.kernel)
        if op.kind == "view":
            words = "none: a view is new numbers for size, stride and offset over the same storage"
        found.append(("kernel", words))
    return found


def _choice(op: Op, kind: Kind) -> str:
    if kind.key in op.kernels:
        return f"{kind.words}: its own kernel"
    if kind.fallback is not None:
        return f"{kind.words}: no kernel, but a way for all ops"
    return f"{kind.words}: no kernel, and the call is refused"


def _promise(op: Op, key_name: str) -> str:
    if op.kind in KEEP_PROMISES:
        return "a view passes the promise on, a copy keeps it"
    return f"the {key_name} that was only promised is computed first"


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
    call    add: pointwise, pointwise
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
