"""Which way a call takes.

A call on plain tensors goes straight to the row's `plain` function. Anything special about an argument is a *key*, a
bit of `Tensor._keys`, and takes the long route: the stations below, in one order, which `route(…)` prints.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext, suppress
from functools import cache, partial
from inspect import signature
from typing import Any, NoReturn

from ..calling.numpy_names import NUMPY_NAMES
from ..calling.readers import is_in_python
from ..errors.reasons import refuse
from ..tensor.grad_mode import inference_enabled
from ..tensor.keys import KEY_CLASS, KEY_CONJ, KEY_META, KEY_NEG, KEY_PROMISE
from ..tensor.moving.resizing import all_or_nothing
from ..tensor.results import copy_to, outs
from ..tensor.tensor import Tensor
from ..types import dtypes
from . import meta, other_classes
from .apart import APART, check_apart
from .call_errors import beyond_64_bits, check_call, refuse_call, respelled, torch_argument_names
from .called_as import in_method, place_of_row, short_name
from .foreign_errors import refuse_in_our_words
from .kinds import KINDS, TensorKind
from .missing_kernels import checked
from .promises import with_numbers
from .registry import Op, keys_of, tensors_in, watching
from .writes_to_out import WRITES, counted

KEEP_PROMISES = frozenset(("view", "inplace view", "copy", "index", "creation"))
"""The families of ops that accept lazy conjugates and negatives; for all others they are computed first."""

MADE_OF_NUMBERS = frozenset(
    "complex polar quantize_per_tensor quantize_per_tensor_dynamic quantize_per_channel quantization_report "
    "fake_quantize_per_tensor_affine fake_quantize_per_channel_affine".split()
)
"""The ops of these families that compute a new tensor from the numbers of another."""

VIEWS = frozenset(("view", "inplace view"))
"""The families of ops that compute no numbers at all."""

watcher: Callable[[Op, tuple, dict], Any] | None = None
"""The function that lists a call while `watching` is not empty; `modes.recording` puts it here."""
pass_watcher: Callable[..., Any] | None = None
"""The function that lists a backward pass; from the same place."""
open_recordings: Callable[[], list[Any]] = list
"""The recordings that list the calls of this thread; from the same place."""
has_torch_function: Callable[..., bool] | None = None
"""Whether a function written in Python is handed on to a mode or a class; `overriding.functions` puts it here."""
handle_torch_function: Callable[..., Any] | None = None
"""The answer of the mode or class to it; from the same place."""
before_write: Callable[[Any], None] | None = None
"""Called with each tensor that a call is about to write to, while `watching` is not empty;
`autograd.hooks.on_writes` puts it here."""


def with_torch_names(op: Op, kwargs: dict) -> dict:
    """Keywords by PyTorch's names; unchanged if two mean the same argument, so that the call is refused, and for
    functions that PyTorch has written in Python, which take no others.

    >>> from .registry import find
    >>> with_torch_names(find("sum"), {"axis": 0, "keepdims": True, "x": 3})
    {'dim': 0, 'keepdim': True, 'input': 3}
    """
    if is_in_python(op.name):
        return kwargs
    own = names_of(op)
    renamed = {name if name in own else NUMPY_NAMES.get(name, name): value for name, value in kwargs.items()}
    return renamed if len(renamed) == len(kwargs) else kwargs


def in_our_words(op: Op, kwargs: dict) -> dict:
    """Keywords by PyTorch's names, and a dtype where a type of Python's is given."""
    kwargs = with_torch_names(op, kwargs)
    return {**kwargs, "dtype": dtypes.of_type(kwargs["dtype"])} if type(kwargs.get("dtype")) is type else kwargs


@cache
def names_of(op: Op) -> frozenset[str]:
    """The names of an op's arguments, ours and PyTorch's.

    >>> from .registry import find
    >>> "a" in names_of(find("signal.windows.general_cosine"))
    True
    """
    names = set(signature(op.plain).parameters) | torch_argument_names(op)
    names.update(p.name for way in op.notations.all for p in way.parameters)
    return frozenset(names)


def long_route(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of a call that is watched or has special arguments."""
    if watching:
        answered = ask_mode(op, args, kwargs)
        if answered is None and by_autocast is not None:
            answered = by_autocast(op, args, kwargs)
        if answered is not None:
            return answered[0]
    elif op.quick is not None:
        result = op.quick(*args, **kwargs)
        if result is not None:
            return result
    given = kwargs
    if kwargs and not kwargs.keys().isdisjoint(NUMPY_NAMES) and not keys_of(args, kwargs) & KEY_CLASS:
        kwargs = with_torch_names(op, kwargs)
    if kwargs and type(kwargs.get("dtype")) is type and not keys_of(args, kwargs) & KEY_CLASS:
        kwargs = {**kwargs, "dtype": dtypes.of_type(kwargs["dtype"])}
    if watching and before_write is not None:
        for t in _written_by(op, args, kwargs):
            before_write(t)
    try:
        if watching and watcher is not None:
            return watcher(op, args, kwargs)
        result = record_usual(op, args, kwargs)
        return by_keys(op, args, kwargs) if result is None else result
    except Exception as error:
        answered = other_classes.answer(op, args, kwargs)
        if answered is not None:
            return answered[0]
        if given.keys() != kwargs.keys() and type(error) is TypeError:
            refuse_call(op.name, args, given)  # by the names that were written
        raise


ask_mode: Callable[[Op, tuple, dict], tuple[Any] | None] = lambda op, args, kwargs: None  # noqa: E731
"""What the innermost mode answers to a call, in a tuple, while `watching` is not empty; `overriding.modes` puts it
here."""

by_autocast: Callable[[Op, tuple, dict], tuple[Any] | None] | None = None
"""What a call in a block of `autocast` returns, in a tuple, while `watching` is not empty; None where the block changes
nothing. `modes.autocast` puts it here."""
words_of_autocast: Callable[[Op, tuple, dict], str | None] = lambda op, args, kwargs: None  # noqa: E731
"""What such a block would do with a call, in words; from the same place."""


def below_classes(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of a call whose tensors' classes have been asked."""
    if watching and by_autocast is not None:
        answered = by_autocast(op, args, kwargs)
        if answered is not None:
            return answered[0]
    return by_keys(op, args, kwargs)


def is_recorded() -> bool:
    """Whether a recording lists the calls of this thread. `watching` alone does not say so: others use it as well."""
    return bool(watching and open_recordings())


def _written_by(op: Op, args: tuple, kwargs: dict) -> Iterator[Tensor]:
    """The tensors that a call writes to: its first argument, or those of ``out=``."""
    out = kwargs.get("out")
    yield from (t for t in (out if isinstance(out, (tuple, list)) else (out,)) if isinstance(t, Tensor))
    if (op.name.endswith("_") or op.name == "setitem") and args and isinstance(args[0], Tensor):
        yield args[0]


record_usual: Callable[[Op, tuple, dict], Any] = lambda op, args, kwargs: None  # noqa: E731
"""Makes and records a call with nothing unusual but tensors that require a gradient; None for all others.
`autograd.shortcuts` puts it here."""


class Station:
    """A station of a call: which calls it takes, what it does with them, and what `route` prints."""

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

    Wrappers come first: a class of the user's own, then names. Then lazy conjugates and negatives are computed, so that
    every later kernel gets plain numbers. Then one kind of tensor takes the call, or the `meta` device, or the
    kernel of plain tensors, which is not a station.
    """
    global _way, _way_of
    entered = tuple(KINDS.values())
    if entered != _way_of:
        modes = [_station_of(kind) for kind in entered if kind.wraps]
        others = [_station_of(kind) for kind in entered if not kind.wraps]
        _way, _way_of = (*modes, _PROMISES, *others, _META), entered
    return _way


_way: tuple[Station, ...] = ()
_way_of: tuple[TensorKind, ...] = ()


def by_keys(op: Op, args: tuple, kwargs: dict) -> Any:
    """The way of a call from the first station that stops it, or straight to the kernel of plain tensors."""
    if inference_enabled():
        return mark_results(op, args, kwargs, _by_keys(op, args, kwargs))
    return _by_keys(op, args, kwargs)


mark_results: Callable[[Op, tuple, dict, Any], Any] = lambda op, args, kwargs, result: result  # noqa: E731
"""Marks what a call in inference mode returns; `dispatch.inference` puts it here."""


def _by_keys(op: Op, args: tuple, kwargs: dict) -> Any:
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
        refuse_misfit(error, op, args, kwargs)
        raise


# -- the stations ------------------------------------------------------------------------------------------------


def _station_of(kind: TensorKind) -> Station:
    """A kind of tensor as a station: its kernel for the op, its way for all ops, or a refusal."""

    def computed(op: Op, args: tuple, kwargs: dict) -> Any:
        kernel = op.kernels.get(kind.key)
        if kernel is not None:
            return kernel(*args, **kwargs)
        assert kind.fallback is not None
        return kind.fallback(op, args, kwargs)

    def take(op: Op, args: tuple, kwargs: dict) -> Any:
        if kind.key not in op.kernels and kind.fallback is None:
            refuse_call(op.name, args, kwargs)
            if kind.refusal is not None:
                return kind.refusal(op, args, kwargs)
            no_kernel(op, kind)
        if kind.wraps:  # its arguments are not yet as PyTorch takes them
            try:
                return computed(op, args, kwargs)
            except TypeError:
                if kind.key in op.kernels:
                    refuse_call(op.name, args, kwargs)
                raise
        args, kwargs = read_first(op, args, kwargs)
        try:
            return computed(op, args, kwargs)
        except Exception as error:
            refuse_misfit(error, op, args, kwargs)
            not_bound = type(error) is TypeError and _NOT_BOUND.search(str(error))
            others = respelled_arguments(error, op, args, kwargs) if not_bound else None
            if others is None:
                raise
        return computed(op, *others)

    def describe(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
        if kind.describe_station is not None and kind.key not in op.kernels:
            return kind.describe_station(op, args, kwargs)
        return _choice(op, kind), False

    return Station(kind.name, kind.key, _always, take, describe)


def _choice(op: Op, kind: TensorKind) -> str:
    if kind.key in op.kernels:
        return f"{kind.words}: its own kernel"
    if kind.fallback is not None:
        return f"{kind.words}: no kernel, but a way for all ops"
    return f"{kind.words}: no kernel, and the call is refused"


def _promise_is_due(op: Op, keys: int) -> bool:
    """Views pass a promise on, and plain copies keep it themselves, also on a device, where the row itself runs; the
    kernels of other kinds know nothing of promises.
    """
    if op.family not in KEEP_PROMISES or op.name in MADE_OF_NUMBERS:
        return True
    others = [kind.key for kind in KINDS.values() if not kind.wraps and kind.name != "device"]
    return op.family not in VIEWS and any(keys & key for key in others)


def _keep_promises(op: Op, args: tuple, kwargs: dict) -> Any:
    return with_numbers(op, args, kwargs, by_keys)


def _say_promise(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    keys = keys_of(args, kwargs)
    promised = " and ".join(name for name, key in (("conjugate", KEY_CONJ), ("negative", KEY_NEG)) if keys & key)
    if _promise_is_due(op, keys):
        return f"the {promised} that was only promised is computed first", True
    return "a view passes the promise on, a copy keeps it", True


_PROMISES = Station("promises", KEY_PROMISE, _promise_is_due, _keep_promises, _say_promise)


def _on_meta(op: Op, args: tuple, kwargs: dict) -> Any:
    try:
        meta.check(op, args, kwargs)
    except Exception as error:
        refuse_misfit(error, op, args, kwargs)
        raise
    return to_kernel(op, args, kwargs)


def _say_meta(op: Op, args: tuple, kwargs: dict) -> tuple[str, bool]:
    if op.decided_by == "values":
        return "the result depends on the numbers, which a meta tensor does not have: the call is refused", False
    return "the rule gives size, stride and dtype; no numbers are touched", False


_META = Station("meta", KEY_META, _always, _on_meta, _say_meta)


# -- the kernel --------------------------------------------------------------------------------------------------


def to_plain(op: Op, args: tuple, kwargs: dict) -> Any:
    """Check the arguments and call the op's own function; retry with respelled arguments if Python cannot bind them."""
    args, kwargs = read_first(op, args, kwargs)
    if kwargs and kwargs.get("out") is not None:
        if op.name in APART:
            check_apart(op.name, args, kwargs)
        if op.name in WRITES:
            return counted(op.name, partial(_computed, op, args, kwargs), args, kwargs)
    return _computed(op, args, kwargs)


def _computed(op: Op, args: tuple, kwargs: dict) -> Any:
    try:
        return _all_or_nothing(op, args, kwargs)
    except Exception as error:
        if "unexpected keyword argument 'out'" in str(error) and "out" in (torch_argument_names(op) or ("out",)):
            return _into_out(op, args, kwargs)
        other = respelled_arguments(error, op, args, kwargs)
        if other is not None:
            return _all_or_nothing(op, *other)
        raise


def _into_out(op: Op, args: tuple, kwargs: dict) -> Any:
    """Copy the result into `out=` for a function that has no `out` parameter of its own."""
    out, named = kwargs["out"], {name: value for name, value in kwargs.items() if name != "out"}
    result = op.plain(*args, **named)
    words = _OUT_OF_ONE_DTYPE.get(op.name, "")
    if isinstance(result, Tensor):
        return copy_to(out, result, words)
    return tuple([copy_to(*pair, words) for pair in zip(outs(out, len(result)), result, strict=True)])


_OUT_OF_ONE_DTYPE = {
    "nn.functional.avg_pool2d": "same",
    "nn.functional.avg_pool3d": "same",
    "nn.functional.linear": "same",
    "slice_scatter": "same",
    "narrow_copy": "Expected self.dtype() == output.dtype() to be true, but got false.  (Could this error message be "
    "improved?  If so, please report an enhancement request to PyTorch.)",
    "native_batch_norm": "expected scalar type {Wanted} but found {Got}",
}
"""The functions without an `out` parameter of their own whose `out=` is not converted, and what PyTorch then says."""


def respelled_arguments(error: Exception, op: Op, args: tuple, kwargs: dict) -> tuple[tuple, dict] | None:
    """The arguments of a failed call by our own names and positions, if these were the cause."""
    unbound = type(error) in (TypeError, AttributeError, AssertionError) and not hasattr(error, "reason")
    if unbound and op.family.startswith("inplace"):  # an op that writes is retried only if it has not begun
        unbound = _NOT_BOUND.search(str(error)) is not None
    return respelled(op, args, kwargs, unbound)


_NOT_BOUND = re.compile(r"\(\) (takes \d|takes from|missing \d|got an unexpected|got multiple|got some positional)")
"""Python's messages for arguments that a function cannot bind."""


def _all_or_nothing(op: Op, args: tuple, kwargs: dict) -> Any:
    if kwargs and isinstance(kwargs.get("out"), (tuple, list)):
        return all_or_nothing(op.plain, args, kwargs)
    return op.plain(*args, **kwargs)


def read_first(op: Op, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Refuse arguments of the wrong type before the call; types that fit are remembered. Returns what to call with."""
    types = (*map(type, args), *kwargs, *map(type, kwargs.values())) if kwargs else tuple(map(type, args))
    if "out" in kwargs:  # which functions take, and methods do not
        types = (*types, in_method())
    if not op.fitting.get(types) or beyond_64_bits(args, kwargs):
        # PyTorch reads types before anything else, and unpacks a creation's numbers after its device.
        with suppress(OverflowError) if op.family == "creation" else nullcontext():
            return check_call(op, types, args, kwargs)
    return args, kwargs


def refuse_misfit(error: Exception, op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse arguments of wrong types as PyTorch does; return if they fit, so that the original error is raised.

    PyTorch checks all arguments first, so an argument of the wrong type comes before all other errors.
    """
    try:
        refuse_call(op.name, args, kwargs)
    except OverflowError:
        if not isinstance(error, AssertionError):  # a device that is absent is refused before a number is unpacked
            raise
    if not hasattr(error, "reason"):
        refuse_in_our_words(error, op.name, tensors_in(args, kwargs))


def no_kernel(op: Op, kind: TensorKind, called: str = "") -> NoReturn:
    """Refuse a call that a kind of tensor has no kernel for; `called` is PyTorch's name of what is missing."""
    called = called or short_name(op.name.removeprefix("_nn."))
    refuse(
        NotImplementedError,
        f"Could not run 'aten::{called}' with arguments from the '{kind.backend}' backend.",
        f"there is no kernel of {op.name} for tensors of the kind {kind.name!r} ({kind.words})",
        *kind.way_out,
        f"torch.register_kernel({op.name!r}, {kind.name!r}, function)",
        rule="dispatch.no_kernel",
        op=op.name,
        kind=kind.name,
    )


def bind(op: Op, plain: Callable) -> Callable:
    """The public function of a row that has no faster way in: ask for keys, then call."""
    plain = checked(op.name, plain)

    def call(*args: Any, **kwargs: Any) -> Any:
        if watching or kwargs:
            return long_route(op, args, kwargs)
        for a in args:
            if isinstance(a, Tensor):
                if a._keys:
                    return long_route(op, args, kwargs)
                continue
            kind = type(a)
            if kind is int:
                if not -0x8000000000000000 <= a <= 0x7FFFFFFFFFFFFFFF:  # PyTorch's whole numbers hold no other
                    return long_route(op, args, kwargs)
            elif kind is list or kind is tuple:
                for part in a:
                    if type(part) is not int or not -0x8000000000000000 <= part <= 0x7FFFFFFFFFFFFFFF:
                        return long_route(op, args, kwargs)
        if op.quick_plain is not None:
            result = op.quick_plain(*args)
            if result is not None:
                return result
        try:
            if not fitting.get(tuple(map(type, args))):
                args, kwargs = read_first(op, args, kwargs)
            return plain(*args)
        except Exception as error:
            answered = other_classes.answer(op, args, kwargs)
            if answered is not None:
                return answered[0]
            other = respelled_arguments(error, op, args, kwargs)
            if other is not None:
                return by_keys(op, *other)
            refuse_misfit(error, op, args, kwargs)
            raise

    fitting = op.fitting
    return publish(op, call, plain)


def publish(op: Op, call: Callable, plain: Callable) -> Callable:
    """Name and document the wrapper of a row."""
    call.__name__, (call.__module__, call.__qualname__) = short_name(op.name), place_of_row(op.name)
    call.__doc__ = op.words
    call.__wrapped__ = plain  # type: ignore[attr-defined]
    if "<locals>" in plain.__qualname__:
        plain.__qualname__ = op.name.rpartition(".")[2]  # Python names it when arguments do not fit
    op.plain, op.function = plain, call
    return call
