"""What checks the arguments of each function and method of PyTorch: by its notation, or as Python or C would.

>>> reader("exp")((0,), {})
Traceback (most recent call last):
TypeError: exp(): argument 'input' (position 1) must be Tensor, not int
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from .handed_on import HANDED_ON
from .handed_on_by_layers import handed_on_by_layer
from .notation import IN_PYTHON, NO_ARGUMENTS, ONE_ARGUMENT, torch_signatures
from .reading import Notations, counted

Reader = Callable[[tuple, dict], Any]

ANYTHING = f"{IN_PYTHON}(*args, **kwargs)"
"""What Python says of a function that hands all its arguments on."""


@cache
def reader(name: str) -> Reader | None:
    """What reads the arguments of a function or method, the tensor before the dot left out."""
    ways = torch_signatures().get(name)
    if ways is None:
        return None
    if ways[0] == ANYTHING:  # one of two functions, which a flag chooses
        ways = torch_signatures()[f"{name}_with_indices"]
    method, own_name = name.startswith("Tensor."), shown_name(name)
    if ways[0] in (NO_ARGUMENTS, ONE_ARGUMENT):
        return counted(own_name, method, ways[0] == ONE_ARGUMENT)
    if ways[0].startswith(IN_PYTHON):
        return _python_reader(name, ways[0].removeprefix(IN_PYTHON))
    return Notations(own_name, ways).check


def shown_name(name: str) -> str:
    """What PyTorch's refusals call a function or method.

    >>> shown_name("Tensor.add"), shown_name("linalg.norm"), shown_name("sparse.mm"), shown_name("sparse.spdiags")
    ('add', 'linalg_norm', '_sparse_mm', '_spdiags')
    """
    name = name.removeprefix("Tensor.").removeprefix("nn.functional.").removeprefix("_nn.")
    if name.startswith("sparse."):
        name = "_" + (name.removeprefix("sparse.") if name == "sparse.spdiags" else name)
    return name.replace(".", "_")


def _python_reader(name: str, text: str) -> Reader:
    """What PyTorch has written in Python: the words are Python's own, until the arguments are handed on."""
    function = _function_without_defaults(text)
    function.__qualname__ = function.__name__ = name.removeprefix("nn.functional.").removeprefix("signal.windows.")
    method, hand_on = name.startswith("Tensor."), HANDED_ON.get(name) or handed_on_by_layer(name, text)

    def handed(args: tuple, kwargs: dict) -> tuple[Notations, tuple, dict] | None:
        if name in _BY_FLAGS:
            function.__qualname__ = function.__name__ = _called_by_flags(name, args, kwargs)
        try:
            result = function(*(A_TENSOR,) * method, *args, **kwargs)
        except TypeError as error:
            refuse(TypeError, str(error), rule="argument")
        found = hand_on and hand_on(**{k: v for k, v in result.items() if v is not _MISSING})
        return found and (_native(found[0]), *found[1:])

    return HandsOn(handed, may_stop=hand_on is not None)


_BY_FLAGS = {"unique": (2, 3, ""), "unique_consecutive": (2, 1, "_consecutive")}
"""Functions that PyTorch chooses among several by two flags: the places where it looks for them, which are not always
theirs, and how the names begin.
"""


def _called_by_flags(name: str, args: tuple, kwargs: dict) -> str:
    """The name of the function that is called, which refusals show.

    >>> _called_by_flags("unique", (), {"return_counts": True})
    '_return_counts'
    """
    *places, start = _BY_FLAGS[name]
    flags = zip(("return_inverse", "return_counts"), places, strict=True)
    inverse, counts = [args[i] if args[i:] else kwargs.get(flag, False) for flag, i in flags]
    return f"{start}_return_{'_and_'.join(['inverse'] * bool(inverse) + ['counts'] * bool(counts)) or 'output'}"


class HandsOn:
    """Reads the arguments of a function that is written in Python, and of the function that they are handed on to."""

    def __init__(self, handed: Callable[[tuple, dict], tuple[Notations, tuple, dict] | None], *, may_stop: bool):
        self.handed = handed
        self.may_stop = may_stop
        """Whether what Python compares first may end the call before anything is handed on."""

    def __call__(self, args: tuple, kwargs: dict) -> bool:
        """Refuse what does not fit. Says whether all was read: then any arguments of these types fit."""
        handed = self.handed(args, kwargs)
        if handed is None:
            return not self.may_stop
        notations, given, named = handed
        notations.check(given, named)
        return True


@cache
def is_in_python(name: str) -> bool:
    """Whether PyTorch has written a function in Python: it takes no names of NumPy's.

    >>> is_in_python("nn.functional.softmax"), is_in_python("softmax")
    (True, False)
    """
    return isinstance(reader(name) or reader(f"Tensor.{name}"), HandsOn)


def _native(name: str) -> Notations:
    """How a function in C++ that Python calls is called."""
    table = torch_signatures()
    ways = table.get(f">{name}") or table.get(name.replace("linalg_", "linalg.")) or table[f"nn.functional.{name}"]
    return Notations(name.removeprefix("Tensor."), ways)


def _function_without_defaults(text: str) -> Any:
    """A function with these parameters that returns what it was given."""
    module = ast.parse(f"def f{text}: return locals()")  # a line of our own file
    (written,) = module.body
    assert isinstance(written, ast.FunctionDef)
    missing = ast.copy_location(ast.Name("missing", ast.Load()), written)
    written.args.defaults = [missing for _ in written.args.defaults]
    written.args.kw_defaults = [missing if default else None for default in written.args.kw_defaults]
    namespace: dict[str, Any] = {"missing": _MISSING}
    exec(compile(ast.fix_missing_locations(module), __file__, "exec"), namespace)
    return namespace["f"]


_MISSING = object()
A_TENSOR = object.__new__(Tensor)
"""Any tensor, for calls of which only the types matter."""
