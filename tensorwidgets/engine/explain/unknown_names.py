"""Which name was meant, where a tensor, a module or a call has no such name?

Python keeps the object and the name with an AttributeError, so the names near it are found without running anything.
"""

from __future__ import annotations

import ast
import difflib
import inspect
import re
import sys
from collections.abc import Iterable, Mapping
from types import ModuleType
from typing import Any

from ..calling.notation import notation, texts_of_op
from ..errors.reasons import Reason
from ..interop.foreign_arrays import NUMPY, OURS, TORCH, is_array, library_of
from ..tensor.tensor import Tensor
from .frames import Place

Told = tuple[str, tuple[str, ...]]
"""The explanation, and what to write instead; empty where nothing is known."""
NOTHING: Told = ("", ())
MOST_LISTED = 8
NEAR = 0.75


def reason_of_name(
    error: BaseException, callee: str = "", place: Place | None = None, numpy: bool = False
) -> Reason | None:
    """The `Reason` for an error that says that a name is not there; None of any other error, or if nothing is near.

    >>> import numpy as np
    >>> try:
    ...     np.ones(3).unsqueeze(0)
    ... except AttributeError as error:
    ...     print(*reason_of_name(error).instead)
    torch.from_numpy(a).unsqueeze(...)
    """
    because, ways = NOTHING
    kind: type[Exception] = TypeError
    if isinstance(error, AttributeError):
        kind = type(error)
        because, ways = _attribute(getattr(error, "obj", None), getattr(error, "name", None))
    elif isinstance(error, TypeError) and (known := _KEYWORD.search(str(error))):
        takes = () if numpy else _parameters(callee, place)
        numpy = numpy or known["call"].startswith("_")  # NumPy's methods call functions such as _sum
        because, ways = _keyword(known["call"], known["given"], takes, numpy)
    return Reason("name.unknown", kind, str(error), because, ways) if because else None


# Since Python 3.13 the message may end with a guess: "Did you mean 'bias'?"
_KEYWORD = re.compile(r"^(?P<call>[\w.]+)\(\) got an unexpected keyword argument '(?P<given>\w+)'(?:\. Did .*)?$")


def _attribute(owner: Any, name: str | None) -> Told:
    """A name that was asked of a tensor, an array or a module."""
    if not isinstance(name, str) or not (isinstance(owner, ModuleType) or is_array(owner)):
        return NOTHING
    if isinstance(owner, ModuleType):
        near = _near(name, dir(owner))
        module = owner.__name__.replace("tensorwidgets", "torch", 1)
        return (f"There is no {module}.{name}.", tuple(f"{module}.{one}" for one in near)) if near else NOTHING
    if library_of(owner) == NUMPY and name == "numpy":
        return "This is a NumPy array already.", ("a",)
    if library_of(owner) == NUMPY:
        if callable(getattr(Tensor, name, None)) and not name.startswith("_"):
            because = f"{name}() is a method of tensors, and this is a NumPy array."
            return because, (f"torch.from_numpy(a).{name}(...)",)
    elif call := _call_of_function(library_of(owner), name):
        return f"Tensors have no method {name}: it is a function.", (call,)
    near = _near(name, dir(type(owner)))
    return (f"There is no method {name}.", tuple(f"x.{one}" for one in near)) if near else NOTHING


def _call_of_function(library: str | None, name: str) -> str:
    """How a function of a tensor's library is called, in `torch` or `torch.nn.functional`; empty if it has none.

    >>> _call_of_function(OURS, "softplus"), _call_of_function(OURS, "stack"), _call_of_function(OURS, "zeros")
    ('torch.nn.functional.softplus(x)', 'torch.stack([x, y])', 'torch.zeros(...)')
    """
    root = sys.modules.get({OURS: "tensorwidgets", TORCH: "torch"}.get(library or "", ""))
    if root is None or name.startswith("_"):
        return ""
    for path in ("", ".nn.functional"):
        home: Any = root
        for part in filter(None, path.split(".")):
            home = getattr(home, part, None)
        found = getattr(home, name, None)
        if callable(found) and not isinstance(found, type):
            return f"torch{path}.{name}({_taking_a_tensor(name, found)})"
    return ""


def _taking_a_tensor(name: str, function: Any) -> str:
    """The arguments of a function that are written down for a tensor x, as far as its first one says."""
    for text in texts_of_op(name):
        kinds = [(p.kind, p.name, p.default == "" and not p.optional) for p in notation(text, name).parameters]
        break
    else:
        try:
            parameters = inspect.signature(function).parameters.values()
        except (TypeError, ValueError):
            return "..."
        if any(p.kind is p.VAR_POSITIONAL and p.name == "tensors" for p in parameters):
            return "x, y"
        kinds = [("", p.name, p.default is p.empty) for p in parameters]
    if not kinds:
        return ""
    kind, first, _ = kinds[0]
    if kind == "TensorList" or first == "tensors":
        return "[x, y]"
    if kind == "Tensor" or not kind and first == "input":
        return "x" if sum(needed for *_, needed in kinds) < 2 else "x, ..."
    return "..."


def _keyword(call: str, given: str, known: tuple[str, ...], numpy: bool) -> Told:
    """An argument that a call does not take; `known` are those that it takes."""
    if numpy and given in _OF_NUMPY:
        own = _OF_NUMPY[given]
        return f"This is a NumPy array, and NumPy calls this argument {own}.", (f"{own}=... in place of {given}=...",)
    if not known or given in known:
        return NOTHING
    near = _near(given, known)
    some = ", ".join(known[:MOST_LISTED]) + ", ..." * (len(known) > MOST_LISTED)
    ways = tuple(f"{one}=... in place of {given}=..." for one in near) or (f"one of {some}",)
    return f"No argument of {call.removesuffix('.__init__').removesuffix('.forward')}() is called {given}.", ways


_OF_NUMPY = {"dim": "axis", "keepdim": "keepdims"}


def _parameters(callee: str, place: Place | None) -> tuple[str, ...]:
    """The names of the arguments that the function of a failed call takes, as far as they can be known."""
    function = _called(place.node.func, place.names) if place and isinstance(place.node, ast.Call) else None
    name = callee or getattr(function, "__name__", "")
    of_op = [p.name for text in texts_of_op(name) for p in notation(text, name).parameters]
    if of_op and not str(getattr(function, "__module__", "")).startswith("numpy"):
        return tuple(dict.fromkeys(of_op))
    forward = getattr(function, "forward", None)  # calling a module calls its forward
    try:
        parameters = inspect.signature(forward if inspect.ismethod(forward) else function).parameters  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return ()
    return tuple(n for n, p in parameters.items() if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD))


def _called(node: ast.expr, names: Mapping[str, Any]) -> Any:
    """The function or class that a name or a chain of modules and classes leads to; None if code would have to run."""
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = _called(node.value, names)
        return getattr(owner, node.attr, None) if isinstance(owner, (ModuleType, type)) else None
    return None


def _near(name: str, known: Iterable[str]) -> list[str]:
    """The names that may have been meant: two at most, private ones never.

    >>> _near("sofmax", ["softmax", "argmax", "_softmax"])
    ['softmax']
    """
    return difflib.get_close_matches(name, [one for one in known if not one.startswith("_")], 2, NEAR)
