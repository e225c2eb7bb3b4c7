"""PyTorch's notation: how a function or method is called, as a text and as parameters.

`torch_signatures.txt` has the notation of every function and method of PyTorch, such as ``sum(Tensor input,
IntArrayRef[1]? dim, bool keepdim=False)``. A row that PyTorch does not have declares its own in the same syntax.

>>> [notation(text).text for text in texts_of_op("bitwise_and", method=True)]
['Tensor other', 'Number other']
"""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import NamedTuple

SHOWN = {
    "Tensor": "Tensor", "Tensor or number": "Tensor", "Scalar": "Number", "int64_t": "int", "SymInt": "int",
    "double": "float", "TensorList": "tuple of Tensors", "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
    "IntArrayRef": "tuple of ints", "SymIntArrayRef": "tuple of ints", "ArrayRef<double>": "tuple of floats",
    "ScalarList": "tuple of Scalars", "DimnameList": "tuple of names", "bool": "bool", "Generator": "torch.Generator",
    "Storage": "torch.Storage", "PyObject*": "object", "ScalarType": "torch.dtype", "Layout": "torch.layout",
    "Device": "torch.device", "DeviceIndex": "int", "MemoryFormat": "torch.memory_format", "c10::string_view": "str",
    "std::string_view": "str", "std::string": "str", "Stream": "Stream", "DispatchKeySet": "DispatchKeySet",
}  # fmt: skip
"""The types of arguments in PyTorch's notation, and what PyTorch's error messages call them."""

TAKE_NUMBERS = frozenset(
    "add add_ div div_ divide divide_ mul mul_ multiply multiply_ sub sub_ subtract subtract_ true_divide true_divide_ "
    "to copy_ floor_divide floor_divide_".split()
)
"""Functions that take a number wherever their notation says Tensor."""

NO_ARGUMENTS, ONE_ARGUMENT, IN_PYTHON = "-", "-1", "def "
"""In the table: a function that takes nothing but its tensor, one that takes one argument, one written in Python."""


class Parameter(NamedTuple):
    kind: str
    name: str
    least: int
    """The length that a list must have. If it is not 0, one number may be given in place of a list."""
    keyword_only: bool
    optional: bool
    takes_none: bool
    default: str
    """As the notation writes it."""

    @property
    def shown(self) -> str:
        return SHOWN[self.kind]


class Notation(NamedTuple):
    """One way to call a function."""

    text: str
    """As error messages print it."""
    parameters: tuple[Parameter, ...]
    positions: int
    """How many arguments may be given by position."""
    least: int
    """How many must be given."""
    spreads: bool
    """Whether the one position is a list of numbers, which may be given one by one."""
    hidden: bool
    """Whether the way is deprecated: error messages do not list it."""


def notation(text: str, name: str = "") -> Notation:
    """Read one notation; a few functions (`name`) take numbers for tensors.

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
        kind, _, argument = declared.rpartition(" ")
        base, _, count = kind.rstrip("?").rstrip("]").partition("[")
        base = "Tensor or number" if base == "Tensor" and name in TAKE_NUMBERS else base
        takes_none = kind.endswith("?") or default == "None"
        parameters.append(Parameter(base, argument, int(count or 0), keyword_only, bool(equals), takes_none, default))
        shown.append(f"{SHOWN[base]} {argument}" + f" = {default}" * bool(equals))
    by_position = [p for p in parameters if not p.keyword_only]
    spreads = len(by_position) == 1 and by_position[0].shown == "tuple of ints"
    least = sum(not p.optional for p in parameters)
    return Notation(", ".join(shown), tuple(parameters), len(by_position), least, spreads, hidden)


@cache
def torch_signatures() -> dict[str, tuple[str, ...]]:
    """The notations of PyTorch's functions and methods, by name. Methods are called ``Tensor.sum``."""
    lines = files(__package__).joinpath("torch_signatures.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return {name: tuple(ways) for name, *ways in rows}


def texts_of_op(name: str, method: bool = False) -> tuple[str, ...]:
    """The notations of an op as a function or as a method, deprecated ways left out.

    If PyTorch has only the method, the function's begin with its tensor. The result is empty for an op that PyTorch
    does not have, or has written in Python.

    >>> texts_of_op("tril_"), texts_of_op("tril_", method=True)
    (('Tensor input, SymInt diagonal=0',), ('SymInt diagonal=0',))
    """
    table = torch_signatures()
    ways = table.get(f"Tensor.{name}" if method else name)
    if ways is None and not method and f"Tensor.{name}" in table:
        of_method = texts_of_op(name, True)
        ways = tuple([f"Tensor input, {way}" if way else "Tensor input" for way in of_method])
    if not ways or ways[0].startswith(IN_PYTHON) or ways[0] == ONE_ARGUMENT:
        return ()
    if ways[0] == NO_ARGUMENTS:
        return ("",)
    return tuple([way for way in ways if not way.endswith("|deprecated")])
