"""Whether a call is one that PyTorch takes, and PyTorch's refusal where it is not.

PyTorch reads all arguments before anything else. Here a call is read by PyTorch's notation when arguments of these
types are first given, and again when something goes wrong; that they fit once is remembered. So a call with an argument
of the wrong kind is refused before anything is changed, and a call that fits costs one look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce, wraps
from operator import index, or_
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calling.arguments import plain
from ..calling.notation import Notation, torch_signatures
from ..calling.numpy_names import OTHER_NAMES
from ..calling.readers import HandsOn, reader
from ..calling.reading import Notations
from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..tensor.keys import KEY_NAMES
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from .called_as import MODULES_OF_ROWS, spelled_by_user
from .kinds import KINDS
from .other_classes import answer_of

if TYPE_CHECKING:
    from .registry import Op


def check_call(op: Op, types: tuple, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """Read a call with arguments of types that the op has not been seen with, and remember whether they fit.

    Returns the arguments that the op is called with: what stands for a number or a text there, such as a tensor without
    dimensions, is one afterwards. Whether it fits depends on more than its type, so that is not remembered.
    """
    if beyond_64_bits(args, kwargs):
        refuse_call(op.name, args, kwargs)
        return args, kwargs
    fits = op.fitting.get(types)
    if fits is None and "out" not in kwargs:
        fits, by_types, args, kwargs = _fits(op.name, args, kwargs)
        if by_types:
            op.fitting[types] = fits
    if not fits:
        refuse_call(op.name, args, kwargs)
        _, by_types, args, kwargs = _fits(op.name, args, kwargs)
        if by_types and "out" in kwargs:
            op.fitting[types] = True
    return args, kwargs


def beyond_64_bits(args: tuple, kwargs: dict) -> bool:
    """Whether a whole number of a call may be one that PyTorch's do not hold."""
    for value in (*args, *kwargs.values()) if kwargs else args:
        kind = type(value)
        if kind is int:
            if not -(1 << 63) <= value < 1 << 63:
                return True
        elif kind is tuple or kind is list:
            for part in value:
                if type(part) is int and not -(1 << 63) <= part < 1 << 63:
                    return True
    return False


def _fits(op_name: str, args: tuple, kwargs: dict) -> tuple[bool, bool, tuple, dict]:
    """Whether a call fits the function or the method, whether any other call with these types does, and the arguments
    with plain numbers and texts.
    """
    readers = (reader(op_name), args), (reader(f"Tensor.{op_name}"), args[1:])
    unread = True
    for read, given in readers:
        if read is not None:
            unread = False
            try:
                of_types = read(given, kwargs) is not False
            except Exception:
                continue
            odd = _way_of_odd(read, given, kwargs)
            if odd is None:
                return True, of_types, args, kwargs
            by_place, named = _plainly(*odd, given, kwargs)
            return True, False, (*args[: len(args) - len(given)], *by_place), named
    return unread, True, args, kwargs


_USUAL = frozenset((int, float, bool, str, complex, type(None), tuple, list))


def _way_of_odd(read: Any, args: tuple, kwargs: dict) -> tuple[Notation | None, dict[int, Any]] | None:
    """The way of a call in which something stands for a number or a text, and what each of these is; None where
    nothing does. There is no way where PyTorch's Python hands the arguments on, in places that are not the call's.
    """
    if all([type(value) in _USUAL for value in (*args, *kwargs.values())]):
        return None
    notations = getattr(read, "__self__", None)
    if isinstance(read, HandsOn):
        notations, args, kwargs = read.handed(args, kwargs) or (None, args, kwargs)
    chosen = notations.chosen(args, kwargs) if isinstance(notations, Notations) else None
    if chosen is None:
        return None
    way, given = chosen
    odd = {id(value): number for p in way.parameters if (number := plain(p, value := given.get(p.name))) is not value}
    if not odd:
        return None
    return (None if isinstance(read, HandsOn) else way), odd


def _plainly(way: Notation | None, odd: dict[int, Any], args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments of a call, with numbers and texts where others stand for them."""
    for value in (*args, *kwargs.values()):
        if isinstance(value, (np.complex64, np.clongdouble)):
            float(value)  # for NumPy's warning that the imaginary part is lost
    if way is None:
        values = (*args, *kwargs.values())
        if len({*map(id, values)}) < len(values):  # one of them may be a tensor as well
            return args, kwargs
        return tuple([odd.get(id(a), a) for a in args]), {name: odd.get(id(a), a) for name, a in kwargs.items()}
    if way.spreads or not way.parameters:
        return args, kwargs
    named = {name: p for p in way.parameters for name in (p.name, *OTHER_NAMES.get(p.name, ()))}
    by_place = tuple([plain(p, value) for p, value in zip(way.parameters, args, strict=False)])
    return by_place, {name: plain(named[name], value) for name, value in kwargs.items()}


def refuse_call(op_name: str, args: tuple, kwargs: dict) -> None:
    """Refuse the user's call of an op as PyTorch does, if it fits none of its ways; return if it does.

    Calls that the engine makes itself are let through: the user's own call is read where it came in.
    """
    name, method = spelled_by_user(op_name)
    if name is not None:
        refuse_named(name, method, args, kwargs)


def respelled(op: Op, args: tuple, kwargs: dict, not_bound: bool) -> tuple[tuple, dict] | None:
    """The user's call with its arguments by position as far as that goes, and the rest by PyTorch's names.

    That is for calls that PyTorch takes and our function cannot be called with (`not_bound`), because its parameters
    have other names, and for the forms that PyTorch keeps from its early days. None where there is nothing to respell.
    """
    name, method = spelled_by_user(op.name)
    read = None if name is None else reader(f"Tensor.{name}" if method else name)
    return _respelled(read, method, args, kwargs, not_bound)


def _warn_of_overload(notations: Notations, way: Notation) -> None:
    """PyTorch's warning about the first call in a form from its early days."""
    name = notations.name.removeprefix("Tensor.")
    others = [f"\t{name}({each.text})" for each in notations.all if not each.hidden]
    warn(
        f"This overload of {name} is deprecated:\n\t{name}({way.text})\n"
        "Consider using one of the following signatures instead:\n" + "\n".join(others),
        once="This overload is deprecated",
    )


def _respelled(read: Any, method: bool, args: tuple, kwargs: dict, not_bound: bool) -> tuple[tuple, dict] | None:
    notations = getattr(read, "__self__", None)
    if not isinstance(notations, Notations):
        return None
    chosen = notations.chosen(args[method:], kwargs)
    if chosen is None or not (not_bound or chosen[0].hidden):
        return None
    way, given = chosen
    if way.hidden:
        _warn_of_overload(notations, way)
    if "out_dtype" in given:
        keys = reduce(or_, [a._keys for a in args if isinstance(a, Tensor)], 0)
        backend = next((k.backend for k in KINDS.values() if k.key & keys and k.backend.endswith("CPU")), "CPU")
        message = f"Could not run 'aten::{notations.name}.dtype' with arguments from the '{backend}' backend."
        refuse(
            NotImplementedError,
            message,
            "only on a GPU can a product have another dtype than its operands",
            rule="dispatch.no_kernel",
        )
    _as_plain_numbers(way, given)
    for p in way.parameters:  # one number stands for a list of it
        if p.least and p.shown == "tuple of ints" and isinstance(given.get(p.name), (int, Tensor)):
            given[p.name] = (given[p.name],) * p.least
    shown = next(each for each in notations.all if not each.hidden) if way.hidden else way
    places = [p.name for p in shown.parameters if not p.keyword_only]
    first = next((i for i, place in enumerate(places) if place not in given), len(places))
    if way.spreads:
        return None
    by_place = (*args[:method], *[given.pop(place) for place in places[:first]])
    if len(by_place) != len(args) or given.keys() != kwargs.keys():
        return by_place, given
    if any(a is not b for a, b in zip(by_place, args, strict=True)):
        return by_place, given
    # A number that PyTorch takes by place, as in x.subtract(1, 2), may be one that we take by name.
    return (
        (args[:1], dict(zip(places[not method :], args[1:], strict=False)) | given)
        if not_bound and len(args) > 1
        else None
    )


def _as_plain_numbers(way: Any, given: dict[str, Any]) -> None:
    """Tensors of one element and NumPy's numbers become Python's where numbers are asked for."""
    for p in way.parameters:
        value = given.get(p.name)
        if p.kind in ("int64_t", "SymInt", "IntArrayRef", "SymIntArrayRef"):
            if isinstance(value, (Tensor, np.integer)):
                given[p.name] = index(value)
        elif p.kind in ("Scalar", "double") and isinstance(value, (Tensor, np.number)):
            given[p.name] = value.item()


def refuse_named(name: str, method: bool, args: tuple, kwargs: dict) -> None:
    """Refuse a call as PyTorch does, given the name it was called by and whether it was a method."""
    read = reader(f"Tensor.{name}" if method else name)
    if read is None or _speaks_of_names(name, args, kwargs):
        return
    if method:
        _check_self(name, args)
    read(args[method:], kwargs)


def _speaks_of_names(name: str, args: tuple, kwargs: dict) -> bool:
    """Whether a call is about names of dimensions: PyTorch 2.13 no longer knows them, and has no notation for them."""
    if "names" in kwargs and name.startswith(("rand", "zeros", "ones", "full", "empty", "tensor")):
        return True
    if name == "flatten":  # the one function that takes names where others take numbers, and a new one besides
        given = [*args[1:3], *kwargs.values()]
        if len(args) > 3 or "dims" in kwargs or any(map(_has_words, given)):
            return True
    return any(isinstance(a, Tensor) and a._keys & KEY_NAMES for a in args)


def _has_words(value: Any) -> bool:
    """Whether a value is a text, or a list with one."""
    return isinstance(value, str) or isinstance(value, (list, tuple)) and any(isinstance(v, str) for v in value)


def _check_self(name: str, args: tuple) -> None:
    if not args:
        refuse(TypeError, f"unbound method TensorBase.{name}() needs an argument", rule="argument.self")
    if not isinstance(args[0], Tensor):
        result = f"doesn't apply to a '{type_name(args[0])}' object"
        message = f"descriptor '{name}' for 'torch._C.TensorBase' objects {result}"
        refuse(TypeError, message, "the method belongs to tensors", "torch.tensor(…)", rule="argument.self")


def checked(name: str, function: Callable, method: bool = False) -> Callable:
    """A function that is not a row, whose refusals of arguments of the wrong kind are PyTorch's.

    >>> checked("is_grad_enabled", lambda: True)(1)
    Traceback (most recent call last):
    TypeError: torch.is_grad_enabled() takes no arguments (1 given)
    """

    first = name in READ_FIRST

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            if first:
                refuse_named(name, method, args, kwargs)
            return function(*args, **kwargs)
        except Exception as error:
            answered = answer_of(name, method, args, kwargs)
            if answered is not None:
                return answered[0]
            refuse_named(name, method, args, kwargs)
            if type(error) is not TypeError or hasattr(error, "reason"):
                raise
            other = _respelled(reader(f"Tensor.{name}" if method else name), method, args, kwargs, True)
            if other is None:
                raise
            return function(*other[0], **other[1])

    return run


READ_FIRST = frozenset(("can_cast", "promote_types", "result_type"))
"""Functions that would answer to what is not a dtype, too."""

UNCHECKED = frozenset(
    "size stride dim ndimension numel nelement item is_contiguous storage_offset element_size is_complex "
    "is_floating_point data_ptr const_data_ptr untyped_storage".split()
)
"""Methods that are asked so often that nothing may come before them; Python itself refuses arguments too many."""


READS_ITSELF = frozenset(("new",))
"""Methods that read their arguments by rules of their own, with refusals of their own."""


def check_methods() -> None:
    """Let the methods that are not rows refuse as PyTorch's do. Runs once, when all are there."""
    for name, method in list(vars(Tensor).items()):
        own = isinstance(method, FunctionType) and method.__module__ not in MODULES_OF_ROWS
        if own and not name.startswith("_") and name not in UNCHECKED | READS_ITSELF:
            setattr(Tensor, name, checked(name, method, True))


def torch_argument_names(op: Op) -> frozenset[str]:
    """What PyTorch calls the arguments of an op, in all of its ways."""
    ways = [way for name in (op.name, *op.aliases) for way in torch_signatures().get(name, ())]
    return frozenset([part.partition("=")[0].split()[-1] for way in ways for part in way.split(", ") if part.strip()])


def checked_call(op_name: str, kernel: Callable) -> Callable:
    """A kernel whose refusals of arguments of the wrong kind are PyTorch's."""

    @wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return kernel(*args, **kwargs)
        except TypeError:
            refuse_call(op_name, args, kwargs)
            raise

    return run
