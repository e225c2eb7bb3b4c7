"""Reading the arguments of a call by the notations of its function, as PyTorch does.

The notations are tried one after the other. If none fits, the error message names what is wrong with the only one that
takes so many arguments, or lists them all.

>>> sums = Notations("sum", ("*, ScalarType? dtype=None", "IntArrayRef[1]? dim, bool keepdim=False"))
>>> sums.check((0, True), {})
>>> sums.read((0, True), {})
{'dim': 0, 'keepdim': True}
>>> sums.read((0, 1), {})
Traceback (most recent call last):
TypeError: sum(): argument 'keepdim' (position 2) must be bool, not int
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable
from functools import cached_property, partial
from types import NoneType
from typing import Any

from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from ..types import device as devices
from ..types.dtypes import bool_, dtype
from .arguments import ACCEPTS, as_int, as_number, as_size, counts, is_python_int
from .notation import ONE_ARGUMENT, Notation, Parameter, notation, texts_of_op, torch_signatures
from .numpy_names import OTHER_NAMES
from .refusals import kinds_of, refusal_of_all, too_few, too_many, unexpected, ways_to_call, wrong_kind


class Notations:
    """All ways to call one function, parsed when they are first needed.

    Without texts they are PyTorch's ways to call the op of this name, as a function or as a `method`.
    """

    def __init__(self, name: str, texts: tuple[str, ...] = (), method: bool = False):
        self.name, self._texts, self._method = name, texts, method
        self._plans: dict[tuple, Plan | None] = {}

    @cached_property
    def all(self) -> tuple[Notation, ...]:
        """The ways, in the order in which they are tried."""
        texts = self._texts or texts_of_op(self.name, self._method)
        return tuple([notation(text, self.name) for text in texts])

    def read(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """The arguments by name, or PyTorch's refusal."""
        values = (*args, *kwargs.values()) if kwargs else args
        parts = types_of(values, _TENSORS)
        if parts is None or SINGLE in parts:
            return self._read(args, kwargs)[1]
        key = (*parts, len(args), *kwargs) if kwargs else tuple(parts)
        plan = self._plans.get(key)
        if plan is None:
            given = self._read(args, kwargs)[1]
            if key not in self._plans:
                self._plans[key] = plan_of(given, args, kwargs)
            return given
        return by_plan(plan, values)

    def check(self, args: tuple, kwargs: dict) -> None:
        """Refuse a call as PyTorch does if an argument does not fit, or is a number out of range."""
        way, given = self._read(args, kwargs)
        for p in way.parameters:
            value = given.get(p.name)
            if value is not None:
                unpack = UNPACK.get(p.kind)
                if unpack is not None:
                    unpack(self.name, value, p)

    def _read(self, args: tuple, kwargs: dict) -> tuple[Notation, dict[str, Any]]:
        result: Any = None
        for each in self.all:
            result = fit(each, args, kwargs)
            if type(result) is dict:
                return each, result
        if len(self.all) == 1:
            self._refuse_one(result, args, kwargs)
        count = len(args) + len(kwargs)
        plausible = [each for each in self.all if each.least <= count <= len(each.parameters) and not each.hidden]
        if len(plausible) == 1:
            self._refuse_one(fit(plausible[0], args, kwargs), args, kwargs)
        refuse(
            TypeError,
            refusal_of_all(self.name, [each for each in self.all if not each.hidden], args, kwargs),
            f"{self.name}() is not called with {kinds_of(args, kwargs)}: none of the forms listed takes them",
            *ways_to_call(self.name, args),
            rule="argument.combination",
        )

    def chosen(self, args: tuple, kwargs: dict) -> tuple[Notation, dict[str, Any]] | None:
        """The first way that a call fits and its arguments by name, deprecated ways last; None if it fits none."""
        for each in sorted(self.all, key=lambda way: way.hidden):
            given = fit(each, args, kwargs)
            if type(given) is dict:
                return each, given
        return None

    def _refuse_one(self, what: Any, args: tuple, kwargs: dict) -> Any:
        if torch_signatures().get(self.name) == (ONE_ARGUMENT,):
            counted(self.name, self._method, True)(args, kwargs)
        refuse(TypeError, f"{self.name.replace('.', '_')}{what()}", rule="argument")


def counted(name: str, method: bool, one: bool) -> Callable[[tuple, dict], None]:
    """What takes no arguments, or one. The words are C's, and name the class below Tensor, or that of functions."""
    owner = "TensorBase." if method else "torch._VariableFunctionsClass." if name == "from_numpy" else "torch."

    def read(args: tuple, kwargs: dict) -> None:
        if kwargs:
            message = "no keyword arguments"
        elif len(args) == one:
            return
        else:
            message = f"{'exactly one argument' if one else 'no arguments'} ({len(args)} given)"
        refuse(TypeError, f"{owner}{name}() takes {message}", rule="argument")

    return read


# -- calls whose types were seen before --------------------------------------------------------------------------

Plan = tuple[tuple[str, Any], ...]
"""For calls by their types: each name, and which of the values it has, or which several; after the last comes None."""

SINGLE = object()
"""Stands for the type of a tensor without dimensions, which may stand for a number."""

_TENSORS = frozenset((Tensor,))
_BY_TYPE = frozenset((NoneType, bool, int, float, complex, str, dtype))
"""Arguments whose type alone says which parameters they fit."""


def types_of(values: Iterable[Any], plain: Container[type]) -> list[Any] | None:
    """The types of arguments, which decide what they are called; None if more does. `plain` has the classes of tensors.

    >>> types_of((2, (0, 1), None), ())
    [<class 'int'>, <class 'tuple'>, True, <class 'NoneType'>]
    """
    parts: list[Any] = []
    for value in values:
        kind = type(value)
        if kind in plain:
            parts.append(Tensor if value._array.ndim else SINGLE)
        elif kind in _BY_TYPE:
            parts.append(kind)
        elif (kind is tuple or kind is list) and value:
            if all([type(v) is int for v in value]):
                parts += (kind, len(value) > 1)
            elif all([type(v) in plain and v._array.ndim for v in value]):
                parts += (kind, Tensor)
            else:
                return None
        else:
            return None
    return parts


def plan_of(given: dict[str, Any], args: tuple, kwargs: dict) -> Plan | None:
    """Which value each name has. Names have values by position in their order; None unless each value has a name."""
    plan: list[tuple[str, Any]] = []
    position = named = 0
    for name, value in given.items():
        while position < len(args) and args[position] is None:
            position += 1
        rest = args[position:]
        if value is None:
            plan.append((name, -1))
        elif name in kwargs and kwargs[name] is value:
            plan.append((name, len(args) + [*kwargs].index(name)))
            named += 1
        elif rest and rest[0] is value:
            plan.append((name, position))
            position += 1
        elif rest and type(value) is tuple and [*map(id, value)] == [*map(id, rest)]:  # x.flip(0, 1)
            plan.append((name, slice(position, len(args))))
            position = len(args)
        else:
            return None
    if any([value is not None for value in args[position:]]):
        return None
    return tuple(plan) if named == sum([value is not None for value in kwargs.values()]) else None


def by_plan(plan: Plan, values: tuple) -> dict[str, Any]:
    """The arguments by name."""
    values = (*values, None)
    return {name: values[place] for name, place in plan}


# -- one notation ------------------------------------------------------------------------------------------------


def fit(way: Notation, args: tuple, kwargs: dict) -> dict[str, Any] | Callable[[], str]:
    """The arguments of a call by name; or a function that returns the error message after the function's name."""
    count = len(args)
    if count > way.positions and not (way.spreads and counts(args[0])):
        return partial(too_many, way, count)
    given: dict[str, Any] = {}
    unused = len(kwargs)
    position = 0
    for index, p in enumerate(way.parameters):
        by_name = position >= count
        if not by_name and p.keyword_only:
            return partial(too_many, way, count)
        if not by_name:
            value = args[position]
        elif kwargs:
            value = _by_name(p, kwargs)
        elif p.optional:
            continue
        else:
            value = _ABSENT
        if value is _ABSENT or value is None and p.takes_none:
            if value is _ABSENT and not p.optional:
                return partial(too_few, way, index)
        elif ACCEPTS[p.kind](value, p.least, index):
            given[p.name] = value
        elif way.spreads and position == 0 and not by_name and counts(value):
            given[p.name] = args
            position = count
            continue
        else:
            return partial(wrong_kind, p, value, 0 if by_name else position + 1)
        if not by_name:
            position += 1
        elif value is not _ABSENT:
            unused -= 1
    if unused > 0:
        return partial(unexpected, way, kwargs, count)
    return given


_ABSENT = object()


def _by_name(p: Parameter, kwargs: dict) -> Any:
    for name in (p.name, *OTHER_NAMES.get(p.name, ())):
        if name in kwargs:
            return kwargs[name]
    return _ABSENT


# -- values out of range -----------------------------------------------------------------------------------------


def _unpack_int(name: str, value: Any, p: Parameter) -> None:
    if not isinstance(value, Tensor):
        as_int(value)


def _unpack_device(name: str, value: Any, p: Parameter) -> None:
    if is_python_int(value):
        as_int(value)


def _unpack_ints(name: str, value: Any, p: Parameter) -> None:
    if isinstance(value, (tuple, list)):
        if p.kind == "IntArrayRef":  # dimensions, of which True and False count as 1 and 0
            value = [int(n._array.item()) if _is_choice(n) else n for n in value]
        as_size(name, value, p.name)
    else:
        _unpack_int(name, value, p)


def _is_choice(n: Any) -> bool:
    return isinstance(n, Tensor) and n._dtype is bool_ and n._array.size == 1


def _unpack_number(name: str, value: Any, p: Parameter) -> None:
    if isinstance(value, int):
        as_number(value)


def _unpack_float(name: str, value: float, p: Parameter) -> None:
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


def _read_device(args: tuple, kwargs: dict) -> dict[str, Any]:
    ways = Notations("device", ("Device device", "std::string type, int64_t index=-1"))
    ways.check(args, kwargs)
    return ways.read(args, kwargs)


devices.read_device = _read_device
