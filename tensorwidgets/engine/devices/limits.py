"""What does CuPy lack? The simulated GPU refuses the same, so that what passes on it has a chance on a real one.

`cupy_names.json` lists CuPy's names and keywords; `tests/devices/freeze_cupy.py` wrote it.
"""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

from ..errors.reasons import Reason


class NotOnDevice(TypeError, AttributeError):
    """NumPy code asked for something that CuPy does not have. The call is then computed through the host."""

    def __init__(self, missing: str):
        super().__init__(missing)
        self.reason = Reason("device.missing", TypeError, missing, "CuPy does not have it")


@cache
def _known() -> dict[str, Any]:
    with files(__package__).joinpath("cupy_names.json").open(encoding="utf-8") as file:
        known: dict[str, Any] = json.load(file)
    for name in ("ufuncs", "reduce", "accumulate"):
        known[name] = frozenset(known[name])
    return known


def check_ufunc(name: str, method: str, kwargs: dict[str, Any]) -> None:
    """Refuse a ufunc, one of its methods, or a keyword that CuPy does not have.

    >>> check_ufunc("add", "reduce", {})
    >>> check_ufunc("maximum", "reduce", {})
    Traceback (most recent call last):
    tensorwidgets.engine.devices.limits.NotOnDevice: maximum.reduce
    """
    known = _known()
    if name not in known["ufuncs"]:
        raise NotOnDevice(name)
    if method != "__call__" and (method not in ("reduce", "accumulate") or name not in known[method]):
        raise NotOnDevice(f"{name}.{method}")
    allowed = ("out", "dtype", "casting") if method == "__call__" else ("axis", "dtype", "out", "keepdims")
    for keyword in kwargs:
        if keyword not in allowed:
            raise NotOnDevice(f"{name}.{method}({keyword}=)")


def check_function(function: Any, args: tuple, kwargs: dict[str, Any]) -> None:
    """Refuse a function of NumPy, or a keyword, that CuPy does not have."""
    name = f"{function.__module__}.{function.__name__}"
    known = _known()["functions"]
    if name not in known:
        raise NotOnDevice(name)
    _check_parameters(name, known[name], args, kwargs)


def check_method(name: str, args: tuple, kwargs: dict[str, Any]) -> None:
    """Refuse a method of an array, or a keyword, that CuPy does not have."""
    known = _known()["members"]
    if name not in known:
        raise NotOnDevice(f"ndarray.{name}")
    if name not in _ANY_NUMBER:
        _check_parameters(f"ndarray.{name}", known[name], args, kwargs)


_ANY_NUMBER = frozenset(("reshape", "transpose"))
"""Methods that take a size or an order as several arguments."""


def _check_parameters(name: str, parameters: list[str] | None, args: tuple, kwargs: dict[str, Any]) -> None:
    if parameters is None:
        return
    if len(args) > len(parameters):
        raise NotOnDevice(f"{name} with {len(args)} arguments")
    for keyword in kwargs:
        if keyword not in parameters:
            raise NotOnDevice(f"{name}({keyword}=)")
