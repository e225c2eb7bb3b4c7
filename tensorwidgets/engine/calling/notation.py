"""How PyTorch reads the arguments of a call: its own notation, and what it does with it, to the letter.

Each function of PyTorch has one notation or several, such as ``sum(Tensor input, IntArrayRef[1]? dim, bool
keepdim=False)``. They are tried one after the other. If none fits, the refusal names what is wrong with the only one
that takes so many arguments, or lists them all. `torch_signatures.txt` has the notations.

>>> sums = Notations("sum", ("*, ScalarType? dtype=None", "IntArrayRef[1]? dim, bool keepdim=False"))
>>> sums.read((0, True), {})
{'dim': 0, 'keepdim': True}
>>> sums.read((0, 1), {})
Traceback (most recent call last):
TypeError: sum(): argument 'keepdim' (position 2) must be bool, not int
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from ..errors.reasons import refuse
from ..tensor.generator import Generator
from ..tensor.storage import TypedStorage, UntypedStorage
from ..tensor.tensor import Tensor
from ..tensor.type_names import described, type_name
from ..types import dtypes
from ..types.device import device
from ..types.dtypes import dtype
from ..types.formats import layout, memory_format
from .arguments import as_int, as_number, as_size, counts, has_type_name

SHOWN = {
    "Tensor": "Tensor", "Tensor or number": "Tensor", "Scalar": "Number", "int64_t": "int", "SymInt": "int",
    "double": "float", "TensorList": "tuple of Tensors", "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
    "IntArrayRef": "tuple of ints", "SymIntArrayRef": "tuple of ints", "ArrayRef<double>": "tuple of floats",
    "ScalarList": "tuple of Scalars", "bool": "bool", "Generator": "torch.Generator", "Storage": "torch.Storage",
    "PyObject*": "object", "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
    "DeviceIndex": "int", "MemoryFormat": "torch.memory_format", "c10::string_view": "str", "std::string_view": "str",
    "std::string": "str", "Stream": "Stream", "DispatchKeySet": "DispatchKeySet",
}  # fmt: skip
"""The kinds of argument in PyTorch's notation, and how its refusals call them."""

NUMPY_NAMES = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",)}
"""The names by which NumPy's users may give an argument, too."""

TAKE_NUMBERS = frozenset(
    "add add_ div div_ divide divide_ mul mul_ multiply multiply_ sub sub_ subtract subtract_ true_divide true_divide_ "
    "to copy_ floor_divide floor_divide_".split()
)
"""Functions that take a number wherever their notation says Tensor."""


class Parameter(NamedTuple):
    kind: str
    name: str
    least: int
    """How many a list must hold; where this is not 0, one number may stand for a list of it."""
    keyword_only: bool
    optional: bool
    takes_none: bool

    @property
    def shown(self) -> str:
        return SHOWN[self.kind]


class Notation(NamedTuple):
    """One way to call a function."""

    text: str
    """As refusals print it."""
    parameters: tuple[Parameter, ...]
    positions: int
    least: int
    spreads: bool
    """Whether the one position is a list of numbers, which may be given one by one."""
    hidden: bool
    """Whether refusals do not list it, for it is not to be used any more."""


def notation(text: str, name: str = "") -> Notation:
    """A notation, read; a few functions (`name`) take numbers for tensors.

    >>> notation("Tensor input, IntArrayRef[1] dim, bool? keepdim=None").text
    'Tensor input, tuple of ints dim, bool keepdim = None'
    """
    hidden = text.endswith("|deprecated")
    parameters, shown = [], []
    keyword_only = False
    for part in re.findall(r"(?:[^,{}]|\{[^}]*\})+", text.removesuffix("|deprecated")):
        if part.strip() == "*":
            keyword_only = True
            shown.append("*")
            continue
        declared, equals, default = part.strip().partition("=")
        kind, _, own_name = declared.rpartition(" ")
        base, _, count = kind.rstrip("?").rstrip("]").partition("[")
        base = "Tensor or number" if base == "Tensor" and name in TAKE_NUMBERS else base
        takes_none = kind.endswith("?") or default == "None"
        parameters.append(Parameter(base, own_name, int(count or 0), keyword_only, bool(equals), takes_none))
        shown.append(f"{SHOWN[base]} {own_name}" + f" = {default}" * bool(equals))
    placed = [p for p in parameters if not p.keyword_only]
    spreads = len(placed) == 1 and placed[0].shown == "tuple of ints"
    least = sum(not p.optional for p in parameters)
    return Notation(", ".join(shown), tuple(parameters), len(placed), least, spreads, hidden)


class Notations:
    """All ways to call one function."""

    __slots__ = ("name", "all")

    def __init__(self, name: str, texts: tuple[str, ...]):
        self.name = name
        self.all = tuple([notation(text, name) for text in texts])

    def read(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The arguments by name, or PyTorch's refusal."""
        if len(self.all) == 1:
            given = fit(self.all[0], args, kwargs)
            return self._unpacked(self.all[0], given) if type(given) is dict else self._refuse_one(given)
        for each in self.all:
            given = fit(each, args, kwargs)
            if type(given) is dict:
                return self._unpacked(each, given)
        count = len(args) + len(kwargs)
        plausible = [each for each in self.all if each.least <= count <= len(each.parameters) and not each.hidden]
        if len(plausible) == 1:
            self._refuse_one(fit(plausible[0], args, kwargs))
        refuse(
            TypeError,
            refusal_of_all(self.name, [each for each in self.all if not each.hidden], args, kwargs),
            f"{self.name} is not called with these arguments",
            rule="argument.combination",
        )

    def chosen(self, args: tuple, kwargs: dict) -> tuple[Notation, dict[str, Any]] | None:
        """The first way that a call fits, and its arguments by name, the old ways last; None if it fits none."""
        for each in sorted(self.all, key=lambda way: way.hidden):
            given = fit(each, args, kwargs)
            if type(given) is dict:
                return each, given
        return None

    def _refuse_one(self, what: Any) -> Any:
        refuse(TypeError, f"{self.name}{what()}", rule="argument")

    def _unpacked(self, way: Notation, given: dict[str, Any]) -> dict[str, Any]:
        """The arguments, each of which can be converted to what its kind is in C++."""
        for p in way.parameters:
            value = given.get(p.name)
            if value is not None:
                convert = UNPACK.get(p.kind)
                if convert is not None:
                    convert(self.name, value, p)
        return given


# -- one notation ------------------------------------------------------------------------------------------------


def fit(way: Notation, args: tuple, kwargs: dict) -> dict[str, Any] | Callable[[], str]:
    """The arguments of a call by name; or a function that tells what is wrong, as it follows on the function's name."""
    count = len(args)
    if count > way.positions and not way.spreads:
        return partial(_too_many, way, count)
    given: dict[str, Any] = {}
    unused = len(kwargs)
    position = 0
    for index, p in enumerate(way.parameters):
        by_name = position >= count
        if not by_name and p.keyword_only:
            return partial(_too_many, way, count)
        value = _by_name(p, kwargs) if by_name else args[position]
        if value is _ABSENT or value is None and p.takes_none:
            if value is _ABSENT and not p.optional:
                return partial(_too_few, way, index)
        elif CHECKS[p.kind](value, p.least, index):
            given[p.name] = value
        elif way.spreads and position == 0 and not by_name and counts(value):
            given[p.name] = args
            position = count
            continue
        else:
            return partial(_wrong_kind, p, value, 0 if by_name else position + 1)
        if not by_name:
            position += 1
        elif value is not _ABSENT:
            unused -= 1
    if unused > 0:
        return partial(_unexpected, way, kwargs, count)
    return given


_ABSENT = object()


def _by_name(p: Parameter, kwargs: dict) -> Any:
    if not kwargs:
        return _ABSENT
    for name in (p.name, *NUMPY_NAMES.get(p.name, ())):
        if name in kwargs:
            return kwargs[name]
    return _ABSENT


def _too_many(way: Notation, count: int) -> str:
    if way.least != way.positions:  # PyTorch counts keywords, too, and so may say "from 3 to 2"
        return f"() takes from {way.least} to {way.positions} positional arguments but {count} were given"
    plural = "" if way.positions == 1 else "s"
    were = "was" if count == 1 else "were"
    return f"() takes {way.positions} positional argument{plural} but {count} {were} given"


def _too_few(way: Notation, first: int) -> str:
    names = [f'"{p.name}"' for p in way.parameters[first:] if not p.optional]
    # The plural is on the wrong one of the two, there as here.
    plural = "s" if len(names) == 1 else ""
    return f"() missing {len(names)} required positional argument{plural}: {', '.join(names)}"


def _wrong_kind(p: Parameter, value: Any, position: int) -> str:
    where = f" (position {position})" if position else ""
    message = f"(): argument '{p.name}'{where} must be {p.shown}"
    if position and p.shown in ("tuple of ints", "tuple of floats") and isinstance(value, (tuple, list)):
        return f"{message}, but found element of type {type_name(value[0])} at pos 0"
    return f"{message}, not {type_name(value)}"


def _unexpected(way: Notation, kwargs: dict, count: int) -> str:
    names = [p.name for p in way.parameters]
    for name in kwargs:
        if name not in names:
            return f"() got an unexpected keyword argument '{name}'"
        if names.index(name) < count:
            return f"() got multiple values for argument '{name}'"
    return "() got multiple values for an argument"


# -- kinds of argument -------------------------------------------------------------------------------------------

_REALS = (int, float, np.number, np.bool_)


def _is_number(x: Any) -> bool:
    return isinstance(x, (*_REALS, complex)) or _is_single(x)


def _is_real(x: Any) -> bool:
    return isinstance(x, _REALS) or _is_single(x)


def _is_single(x: Any) -> bool:
    """A tensor that stands for a number: it has no dimension and needs no gradient."""
    return isinstance(x, Tensor) and x._array.ndim == 0 and not x._requires_grad


def is_whole(x: Any) -> bool:
    """A whole number of Python's or NumPy's; True and False are none."""
    return type(x) is int or isinstance(x, (int, np.integer)) and not isinstance(x, bool)


def _is_int(x: Any) -> bool:
    return is_whole(x) or _is_single(x) and x._dtype._kind == dtypes.INTEGER


def _are_counts(x: Any, count: int, index: int) -> bool:
    if isinstance(x, (tuple, list)):
        return not x or counts(x[0])
    return count > 0 and counts(x)


def _are_tensors(x: Any, count: int, index: int) -> bool:
    if not isinstance(x, (tuple, list)):
        return False
    for place, each in enumerate(x):
        if not isinstance(each, Tensor):
            refuse(
                TypeError,
                f"expected Tensor as element {place} in argument {index}, but got {type_name(each)}",
                "every element of this list must be a tensor",
                rule="argument.tensors",
            )
    return True


CHECKS: dict[str, Callable[[Any, int, int], bool]] = {
    "Tensor": lambda x, count, index: isinstance(x, Tensor),
    "Tensor or number": lambda x, count, index: isinstance(x, (Tensor, *_REALS, complex)),
    "Scalar": lambda x, count, index: _is_number(x),
    "int64_t": lambda x, count, index: _is_int(x),
    "SymInt": lambda x, count, index: counts(x),
    "double": lambda x, count, index: _is_real(x),
    "TensorList": _are_tensors,
    "c10::List<::std::optional<Tensor>>": _are_tensors,
    "IntArrayRef": _are_counts,
    "SymIntArrayRef": _are_counts,
    "ArrayRef<double>": lambda x, count, index: isinstance(x, (tuple, list)) and all(map(_is_number, x[:1])),
    "ScalarList": lambda x, count, index: isinstance(x, (tuple, list)) and all(map(_is_number, x)),
    "bool": lambda x, count, index: isinstance(x, bool),
    "Generator": lambda x, count, index: isinstance(x, Generator),
    "Storage": lambda x, count, index: isinstance(x, (TypedStorage, UntypedStorage)),
    "PyObject*": lambda x, count, index: True,
    "ScalarType": lambda x, count, index: isinstance(x, dtype) or isinstance(x, type) and x in dtypes.NUMBER_TYPES,
    "Layout": lambda x, count, index: isinstance(x, layout),
    "MemoryFormat": lambda x, count, index: isinstance(x, memory_format),
    "Device": lambda x, count, index: isinstance(x, (str, device)) or is_whole(x),
    "DeviceIndex": lambda x, count, index: _is_int(x),
    **dict.fromkeys(
        ("c10::string_view", "std::string_view", "std::string"), lambda x, count, index: isinstance(x, str)
    ),
    **dict.fromkeys(("Stream", "DispatchKeySet"), lambda x, count, index: False),
}
"""Whether a value is of a kind; asked with how many a list must hold, and with the number of the parameter."""


# -- values out of range -----------------------------------------------------------------------------------------


def _unpack_int(name: str, value: Any, p: Parameter) -> None:
    if not isinstance(value, Tensor):
        as_int(value)


def _unpack_device(name: str, value: Any, p: Parameter) -> None:
    if is_whole(value):
        as_int(value)


def _unpack_ints(name: str, value: Any, p: Parameter) -> None:
    if isinstance(value, (tuple, list)):
        as_size(name, value, p.name)
    else:
        _unpack_int(name, value, p)


def _unpack_number(name: str, value: Any, p: Parameter) -> None:
    if isinstance(value, int):
        as_number(value)


def _unpack_float(name: str, value: Any, p: Parameter) -> None:
    if isinstance(value, int):
        float(value)


def _unpack_tensors(name: str, value: Any, p: Parameter) -> None:
    if p.least and len(value) != p.least:
        refuse(
            TypeError,
            f"expected tuple of {p.least} elements but got {len(value)}",
            f"{name} has {p.least} results",
            rule="argument.count",
        )


UNPACK: dict[str, Callable[[str, Any, Parameter], None]] = {
    "int64_t": _unpack_int, "SymInt": _unpack_int, "IntArrayRef": _unpack_ints, "SymIntArrayRef": _unpack_ints,
    "Device": _unpack_device, "Scalar": _unpack_number, "Tensor or number": _unpack_number, "double": _unpack_float,
    "TensorList": _unpack_tensors,
}  # fmt: skip


# -- words -------------------------------------------------------------------------------------------------------


def refusal_of_all(name: str, ways: list[Notation], args: tuple, kwargs: dict) -> str:
    """What was given, each notation, and below those of the same length what did not match."""
    start = f"{name}() received an invalid combination of arguments - "
    if len(ways) == 1:
        return start + _refusal_of_one(ways[0], args, kwargs)
    lines = [f"{start}got {_got(args, kwargs)}, but expected one of:"]
    for way in ways:
        lines.append(f" * ({way.text})")
        lines += _mismatch(way, args, kwargs)
    return "\n".join(lines) + "\n"


def _refusal_of_one(way: Notation, args: tuple, kwargs: dict) -> str:
    """Where one notation is shown of several."""
    strange = _strange(way, kwargs)
    if strange:
        return f"got unrecognized keyword arguments: {', '.join(strange)}"
    described_ = _described(way, args, kwargs)
    return f"got {described_ or _got(args, kwargs)}, but expected ({way.text})"


def _got(args: tuple, kwargs: dict) -> str:
    shown = [type_name(a) for a in args]
    # PyTorch lists keywords from the last to the first, for want of an order.
    named = [f"{key}={type_name(kwargs[key])}" for key in reversed(kwargs)]
    return "(" + ", ".join(shown + named) + (", " if named and not args else "") + ")"


def _mismatch(way: Notation, args: tuple, kwargs: dict) -> list[str]:
    words = _described(way, args, kwargs)
    if not words:
        return []
    strange = _strange(way, kwargs)
    if strange:
        return [f"      didn't match because some of the keywords were incorrect: {', '.join(strange)}"]
    return [f"      didn't match because some of the arguments have invalid types: {words}"]


def _strange(way: Notation, kwargs: dict) -> list[str]:
    names = {p.name for p in way.parameters}
    return [key for key in kwargs if key not in names]


def _described(way: Notation, args: tuple, kwargs: dict) -> str:
    """The arguments beside what the notation wants, where there are as many; those that do not fit are marked."""
    named = {p.name: p for p in way.parameters if p.name != "out" or "out" in kwargs}
    # The star counts as a parameter, that nothing fits.
    places: list[Parameter | None] = [p for p in way.parameters if not p.keyword_only]
    places += [None] * ("*" in way.text.split(", "))
    places += [p for p in named.values() if p.keyword_only]
    places = places or [None]  # the text of a notation without parameters counts as one
    if len(args) + len(kwargs) != len(places):
        return ""
    words = []
    for p, value in zip(places, args, strict=False):
        words.append(described(value) if p is not None and has_type_name(p.shown, value) else f"!{described(value)}!")
    for key in reversed(kwargs):
        said = f"{key}={described(kwargs[key])}"
        fits = key in named and has_type_name(named[key].shown, kwargs[key])
        words.append(said if fits else f"!{said}!")
    return f"({', '.join(words)})"


@cache
def written_down() -> dict[str, tuple[str, ...]]:
    """How PyTorch's functions and methods are called, in its notation."""
    lines = Path(__file__).with_name("torch_signatures.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return {name: tuple(ways) for name, *ways in rows}
