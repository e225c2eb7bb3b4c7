"""Help for the functions and methods of rows, computed when it is first read.

A wrapper accepts any arguments, so Python cannot read its signature. Each function gets a few small objects when the
engine is imported; they build the signature and the help page on demand.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from ..dispatch.called_as import method_code
from ..dispatch.registry import OPS, Op
from ..tensor.tensor import Tensor


class Later(inspect.Signature):
    """A signature that is computed when it is first read."""

    __slots__ = ("_op", "_method")

    def __init__(self, op: Op, method: bool):
        self._op, self._method = op, method

    def _read(self) -> inspect.Signature:
        from .signatures import shown

        return shown(self._op, self._method)

    @property
    def parameters(self) -> Mapping[str, inspect.Parameter]:  # type: ignore[override]
        return self._read().parameters

    @property
    def return_annotation(self) -> Any:  # type: ignore[override]
        return self._read().return_annotation

    def replace(self, **changes: Any) -> inspect.Signature:  # type: ignore[override]
        return self._read().replace(**changes)

    def __reduce__(self) -> Any:
        return self._read().__reduce__()


class Doc(str):
    """The one-line description of an op. Printing it, or cleaning it up as `help` does, returns the whole page."""

    __slots__ = ("op",)
    op: Op

    def __str__(self) -> str:
        from .pages import page

        return page(self.op)

    def expandtabs(self, tabsize: Any = 8) -> str:
        return str(self).expandtabs(tabsize)


def public_names() -> Iterator[tuple[str, Op]]:
    """Yield every public name of a row, with the row. ``fft.rfft`` is the function rfft of the module fft."""
    for op in OPS.values():
        if not op.forms or op.name.startswith("_nn."):  # `_nn` is PyTorch's hidden module
            continue
        yield op.name, op
        for alias in op.aliases:
            yield alias, op
            inplace = OPS.get(op.name + "_")
            if inplace is not None and not inplace.aliases and "." not in alias:
                yield alias + "_", inplace


def method_names() -> Iterator[tuple[str, Op]]:
    """Yield every name under which a row is a method of Tensor, with the row."""
    for name, op in public_names():
        if "method" in op.forms and "." not in name:
            yield name, op


def document() -> None:
    """Attach a signature and a docstring to the functions and methods of all rows. Runs once, after all rows exist."""
    for op in OPS.values():
        if "function" in op.forms:
            _attach(op.function, op, False)
    for name, op in method_names():
        function = Tensor.__dict__.get(name)
        if type(function) is FunctionType:
            setattr(Tensor, name, _attach(_as_method(function, name), op, True))


def _as_method(f: FunctionType, name: str) -> FunctionType:
    """Copy a function, because the help of a method has its own signature, with `self` first."""
    method = FunctionType(method_code(f.__code__, name), f.__globals__, name, f.__defaults__, f.__closure__)
    method.__kwdefaults__ = f.__kwdefaults__
    method.__qualname__ = f"Tensor.{name}"
    method.__module__ = f.__module__
    return method


def _attach(function: Any, op: Op, method: bool) -> Any:
    doc = Doc(op.words)
    doc.op = op
    function.__doc__ = doc
    function.__signature__ = Later(op, method)
    # `??` in IPython shows the source of the row, not of the wrapper.
    function.__wrapped__ = op.rule if type(op.rule) is FunctionType else op.plain
    return function
