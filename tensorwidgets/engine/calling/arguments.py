"""How an op may be called: signatures in PyTorch's notation, and PyTorch's error for a call that fits none.

A signature is written as PyTorch's own errors print it, and is read once. `read` returns the given arguments
by name.

>>> eye = Signatures("eye", "int n, *, torch.dtype dtype = None", "int n, int m, *, torch.dtype dtype = None")
>>> eye.read((2, 3), {})
{'n': 2, 'm': 3}
>>> eye.read((2.5,), {})
Traceback (most recent call last):
TypeError: eye(): argument 'n' (position 1) must be int, not float
"""

from __future__ import annotations

import inspect
from ast import literal_eval
from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..errors.reasons import refuse
from ..tensor.storage import TypedStorage, UntypedStorage
from ..tensor.tensor import Tensor
from ..tensor.type_names import described, type_name
from ..types import dtypes
from ..types.device import device
from ..types.dtypes import dtype
from ..types.formats import layout, memory_format
from .numpy_names import OTHER_NAMES


class Parameter(NamedTuple):
    kind: str
    name: str
    keyword_only: bool
    optional: bool
    takes_none: bool
    default: str


class Signature(NamedTuple):
    text: str
    parameters: tuple[Parameter, ...]
    positions: int
    """How many arguments may be given by position."""
    least: int
    """How many must be given."""
    spreads: bool
    """Whether the one position is a size, whose numbers may be given one by one."""


def signature(text: str) -> Signature:
    """A signature from its text. A question mark after a kind says that None is as good as nothing.

    >>> signature("tuple of ints size, *, Tensor out = None").spreads
    True
    """
    parameters = []
    keyword_only = False
    for part in text.split(", ") if text else ():
        if part == "*":
            keyword_only = True
            continue
        declared, _, default = part.partition(" = ")
        kind, _, name = declared.rpartition(" ")
        takes_none = default == "None" or kind.endswith("?")
        parameters.append(Parameter(kind.rstrip("?"), name, keyword_only, bool(default), takes_none, default))
    placed = [p for p in parameters if not p.keyword_only]
    positions = len(placed)
    spreads = [p.kind for p in placed if p.name != "self"] == ["tuple of ints"]
    return Signature(
        text.replace("?", ""), tuple(parameters), positions, sum(not p.optional for p in parameters), spreads
    )


def python_signature(s: Signature) -> inspect.Signature:
    """A signature as Python's help shows it.

    >>> python_signature(signature("tuple of ints size, *, torch.dtype dtype = None"))
    <Signature (*size, dtype=None)>
    """
    kinds = inspect.Parameter
    results = []
    for p in s.parameters:
        kind: Any = kinds.KEYWORD_ONLY if p.keyword_only else kinds.POSITIONAL_OR_KEYWORD
        if s.spreads and p.kind == "tuple of ints":
            kind = kinds.VAR_POSITIONAL
        results.append(kinds(p.name, kind, default=literal_eval(p.default) if p.optional else kinds.empty))
    return inspect.Signature(results)


class Signatures:
    """All ways to call one op."""

    __slots__ = ("name", "all")

    def __init__(self, name: str, *texts: str):
        self.name = name
        self.all = tuple(signature(text) for text in texts)

    def read(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The arguments by name, or PyTorch's refusal."""
        if len(self.all) == 1:
            result = fit(self.all[0], args, kwargs)
            return result if type(result) is dict else self._refuse_one(result)
        for each in self.all:
            result = fit(each, args, kwargs)
            if type(result) is dict:
                return result
        given = len(args) + len(kwargs)
        plausible = [each for each in self.all if each.least <= given <= len(each.parameters)]
        if len(plausible) == 1:
            self._refuse_one(fit(plausible[0], args, kwargs))
        refuse(
            TypeError,
            refusal_of_all(self.name, self.all, args, kwargs),
            f"{self.name} can be called in {len(self.all)} ways, and this is none of them",
            rule="argument.combination",
        )

    def _refuse_one(self, what: Any) -> Any:
        refuse(TypeError, f"{self.name}{what()}", rule="argument")


# -- one signature -----------------------------------------------------------------------------------------------


def fit(s: Signature, args: tuple, kwargs: dict) -> dict[str, Any] | Callable[[], str]:
    """The arguments of a call by name; or a function that returns the error message after the op's name."""
    given = len(args)
    if given > s.positions and not s.spreads:
        return partial(too_many, s, given)
    collected: dict[str, Any] = {}
    unused = len(kwargs)
    position = 0
    for p in s.parameters:
        by_name = position >= given
        if not by_name:
            if p.keyword_only:
                return partial(too_many, s, given)
            value = args[position]
        elif unused and p.name in kwargs:
            value = kwargs[p.name]
            unused -= 1
        elif unused and (name := numpy_name_in(p.name, kwargs)):
            value = kwargs[name]
            unused -= 1
        elif not p.optional:
            return partial(too_few, s, collected)
        elif not unused:
            break  # what must be given stands before what may be
        else:
            continue
        position += 1
        if value is None and p.takes_none:
            continue
        if KINDS[p.kind](value):
            collected[p.name] = value
        elif s.spreads and position == 1 and not by_name and starts_with_int(args):
            collected[p.name] = args
            position = given
        else:
            return partial(_wrong_kind, p, value, 0 if by_name else position)
    if unused:
        return partial(_unexpected, s, kwargs, given)
    return collected


def numpy_name_in(name: str, kwargs: dict) -> str:
    """NumPy's keyword for an argument, if the call uses it; else an empty string.

    >>> numpy_name_in("dim", {"axis": 0})
    'axis'
    """
    return next((other for other in OTHER_NAMES.get(name, ()) if other in kwargs), "")


def too_many(s: Signature, given: int) -> str:
    if s.least != s.positions:
        return f"() takes from {s.least} to {s.positions} positional arguments but {given} were given"
    plural, were = ("", "was") if s.positions == 1 else ("s", "were")
    were = "was" if given == 1 else "were"
    return f"() takes {s.positions} positional argument{plural} but {given} {were} given"


def too_few(s: Signature, value: dict) -> str:
    names = [f'"{p.name}"' for p in s.parameters if not p.optional and p.name not in value]
    # The plural is on the wrong one of the two, there as here.
    plural = "s" if len(names) == 1 else ""
    return f"() missing {len(names)} required positional argument{plural}: {', '.join(names)}"


def _wrong_kind(p: Parameter, value: Any, position: int) -> str:
    where = f" (position {position})" if position else ""
    if p.kind == "tuple of ints" and isinstance(value, (tuple, list)):
        return (
            f"(): argument '{p.name}'{where} must be {p.kind}, but found element of type {type_name(value[0])} at pos 0"
        )
    return f"(): argument '{p.name}'{where} must be {p.kind}, not {type_name(value)}"


def _unexpected(s: Signature, kwargs: dict, given: int) -> str:
    names = [p.name for p in s.parameters]
    for name in kwargs:
        if name not in names:
            return f"() got an unexpected keyword argument '{name}'"
        if names.index(name) < given:
            return f"() got multiple values for argument '{name}'"
    return "() got multiple values for an argument"


# -- kinds of argument -------------------------------------------------------------------------------------------


def is_int(x: Any) -> bool:
    """Whether this is an integer; True and False are not."""
    if type(x) is int:
        return True
    if isinstance(x, Tensor):
        return x._dtype._kind == dtypes.INTEGER and not x._requires_grad and x._array.ndim == 0
    return isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def is_number(x: Any) -> bool:
    """A Python or NumPy number, or a tensor without dimensions that needs no gradient."""
    if isinstance(x, (int, float, complex, np.number, np.bool_)):
        return True
    return isinstance(x, Tensor) and x._array.ndim == 0 and not x._requires_grad


def is_real(x: Any) -> bool:
    return is_number(x) and not isinstance(x, (complex, np.complexfloating, np.bool_))


def counts(x: Any) -> bool:
    """Whether a value is valid in a size: it converts to an index, and is neither True nor False."""
    if type(x) is int:
        return True
    if isinstance(x, (bool, float, str)):
        return False
    if isinstance(x, Tensor):
        return x._array.size == 1 and x._dtype._kind <= dtypes.INTEGER
    try:
        x.__index__()
    except (AttributeError, TypeError):
        return False
    return True


def starts_with_int(x: Any) -> bool:
    return len(x) == 0 or counts(x[0])


def is_size(x: Any) -> bool:
    return isinstance(x, (tuple, list)) and starts_with_int(x)


KINDS = {
    "Tensor": lambda x: isinstance(x, Tensor),
    "Number": is_number,
    "int": is_int,
    "float": is_real,
    "bool": lambda x: type(x) is bool,
    "tuple of ints": is_size,
    "tuple of Tensors": lambda x: isinstance(x, (tuple, list)),
    "torch.dtype": lambda x: isinstance(x, dtype) or isinstance(x, type) and x in dtypes.NUMBER_TYPES,
    "torch.layout": lambda x: isinstance(x, layout),
    "torch.memory_format": lambda x: isinstance(x, memory_format),
    "torch.device": lambda x: isinstance(x, (str, device)) or type(x) is int,
    "torch.Generator": lambda x: type(x).__name__ == "Generator",
    "tuple of floats": lambda x: isinstance(x, (tuple, list)) and all(map(is_real, x)),
    "tuple of Scalars": lambda x: isinstance(x, (tuple, list)) and all(map(is_number, x)),
    "torch.Storage": lambda x: isinstance(x, (TypedStorage, UntypedStorage)),
    "object": lambda x: True,
    "str": lambda x: isinstance(x, str),
}


def as_dtype(d: Any) -> dtype:
    """A dtype argument; Python types are converted."""
    if not isinstance(d, dtype):
        return dtypes.NUMBER_TYPES[d]
    if d._is_quantized:
        dtypes.refuse_quantized(d)
    return d


def as_size(op_name: str, size: Any, name: str = "size") -> tuple[int, ...]:
    """The numbers of a size; the first is known to be one.

    >>> as_size("zeros", [2, True])
    (2, 1)
    """
    for n in size:
        if type(n) is not int or not -(1 << 63) <= n < 1 << 63:
            return tuple([_as_count(op_name, n, i, name) for i, n in enumerate(size)])
    return tuple(size)


def _as_count(op_name: str, n: Any, place: int, name: str) -> int:
    if isinstance(n, Tensor) and n._dtype is dtypes.bool_ and n._array.size == 1:
        refuse(
            RuntimeError,
            "Expected scalar.isIntegral( false) to be true, but got false.  (Could this error message be improved?  "
            "If so, "
            "please report an enhancement request to PyTorch.)",
            "a tensor of True or False is no count",
            rule="argument.int",
        )
    if not (counts(n) or isinstance(n, bool)):
        _no_count(op_name, name, place, f'type must be tuple of ints,but got {type_name(n)}"', n)
    n = n.__index__()
    if not -(1 << 63) <= n < 1 << 63:
        _no_count(op_name, name, place, "Overflow when unpacking long long", n)
    return n


def _no_count(op_name: str, name: str, place: int, why: str, n: Any) -> None:
    refuse(
        TypeError,
        f"{op_name}(): argument '{name}' failed to unpack the object at pos {place + 1} with error \"{why}",
        f"a size is counted in whole numbers, and {n!r} is none" if "type" in why else f"{n} does not fit into 64 bits",
        rule="argument.int",
    )


def as_int(value: Any) -> int:
    """A whole-number argument as an int of 64 bits."""
    n = value.__index__()
    if not -(1 << 63) <= n < 1 << 63:
        refuse(
            ValueError,
            "Overflow when unpacking long long",
            f"{n} does not fit into 64 bits",
            rule="argument.int",
        )
    return n


def as_number(value: Any) -> Any:
    """A number argument as Python's int, float, complex or bool; whole numbers have 64 bits."""
    if isinstance(value, Tensor):
        value = value.item()
    elif isinstance(value, np.generic):
        if isinstance(value, np.complexfloating):
            _drop_imaginary()
        value = int(value) if isinstance(value, np.integer) else float(value.real)
    if isinstance(value, int) and not -(1 << 63) <= value < 1 << 64:
        refuse(
            OverflowError,
            "int too big to convert" if value > 0 else "can't convert negative int to unsigned",
            f"{value} does not fit into 64 bits",
            "a float",
            rule="number.overflow",
        )
    return value


def _drop_imaginary() -> None:
    from ..errors.warnings import warn_of_lost_part

    warn_of_lost_part()


# -- words -------------------------------------------------------------------------------------------------------


def refusal_of_all(name: str, all_: tuple[Signature, ...], args: tuple, kwargs: dict) -> str:
    """What was given, each signature, and below those of the same length what did not match."""
    shown = [type_name(a) for a in args]
    # PyTorch lists keywords from the last to the first, for want of an order.
    named = [f"{key}={type_name(kwargs[key])}" for key in reversed(kwargs)]
    got = ", ".join(shown + named) + (", " if named and not args else "")
    lines = [f"{name}() received an invalid combination of arguments - got ({got}), but expected one of:"]
    for s in all_:
        lines.append(f" * ({s.text})")
        lines += _mismatch(s, args, kwargs)
    return "\n".join(lines) + "\n"


def _mismatch(s: Signature, args: tuple, kwargs: dict) -> list[str]:
    named = {p.name: p for p in s.parameters if p.name != "out" or "out" in kwargs}
    # The star counts as a parameter, that nothing fits.
    places = [p for p in s.parameters if not p.keyword_only] + [None] * ("*" in s.text.split(", "))
    places += [p for p in named.values() if p.keyword_only]
    places = places or [None]  # the text of a signature without parameters counts as one
    if len(args) + len(kwargs) != len(places):
        return []
    strange = [key for key in kwargs if key not in named]
    if strange:
        return [f"      didn't match because some of the keywords were incorrect: {', '.join(strange)}"]
    words = []
    for p, value in zip(places, args, strict=False):
        words.append(described(value) if p is not None and has_type_name(p.kind, value) else f"!{described(value)}!")
    for key in reversed(kwargs):
        said = f"{key}={described(kwargs[key])}"
        words.append(said if has_type_name(named[key].kind, kwargs[key]) else f"!{said}!")
    return [f"      didn't match because some of the arguments have invalid types: ({', '.join(words)})"]


def has_type_name(kind: str, value: Any) -> bool:
    """Whether a value fits by the name of its type: PyTorch says no more about it here."""
    return type_name(value) in ("float", "int") if kind == "float" else type_name(value) == kind
