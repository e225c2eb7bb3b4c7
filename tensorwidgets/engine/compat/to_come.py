"""Parts of PyTorch that are for later, as far as libraries import them: each name is there, and refuses when called.

A library that has one class of distributions, or one graph of calls, is not kept from its other code by that. What is
capitalized is a class: it can be inherited from and asked for with `isinstance`, and has no objects.

>>> import tensorwidgets as torch
>>> isinstance(torch.ones(2), torch.distributions.Distribution)
False
>>> torch.distributions.Normal(0.0, 1.0)
Traceback (most recent call last):
NotImplementedError: torch.distributions.Normal is for later
probability distributions: this package is about tensors, and has no code for these yet
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable
from enum import Enum
from functools import cached_property
from importlib import import_module
from types import ModuleType
from typing import Any, NamedTuple, NoReturn

from ..errors.missing_names import missing, reason_of_absence
from ..errors.reasons import Reason
from .names_to_come import DESCRIPTIONS, ELSEWHERE, LAYERS, MODULES


class ToCome:
    """The base of classes that have no objects yet. It is an ordinary class, one base among others."""

    _of = ""
    _called = ""

    def __new__(cls, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse(cls._of, cls._called)

    def __class_getitem__(cls, parameters: Any) -> type[ToCome]:
        """With parameters, as annotations have it: `Future[Tensor]`."""
        return cls


class DescriptionToCome:
    """The base of classes whose objects only say how something is done. Libraries make them when they are loaded."""

    def __init__(self, *args: Any, **kwargs: Any):
        self.said = args, kwargs


class ConstraintToCome:
    """Stands for the values that a parameter may have. Bodies of classes make these, also of others: no refusal."""

    def __init__(self, name: str):
        self.name = name

    def __call__(self, *args: Any, **kwargs: Any) -> ConstraintToCome:
        return self

    def __repr__(self) -> str:
        return f"<torch.distributions.constraints.{self.name}, for later>"


def to_come(module: str, name: str) -> Any:
    """What stands in for a name of a module of ours that is to come."""
    full_name = f"{module}.{name}"
    if (place := ELSEWHERE.get(module.partition(".")[2])) is not None:
        return getattr(import_module(f"{module.partition('.')[0]}.{place}"), name)
    if name in _ANSWERS:
        return _ANSWERS[name]
    if module.endswith(".constraints") and name[0].islower():
        return ConstraintToCome(name)
    if name[0].isupper():
        members = {"_of": module, "_called": name, "__module__": module, "__doc__": f"For later: {full_name}."}
        return type(name, _bases(name), members)
    return _function(module, name)


def _bases(name: str) -> tuple[type, ...]:
    """What a class to come inherits from: some are layers, which code that lists layers asks for."""
    if name not in LAYERS:
        return (DescriptionToCome if name in DESCRIPTIONS else ToCome,)
    layer = import_module(f"{__name__.partition('.')[0]}.nn").Module
    return (ToCome, layer)


def _function(module: str, name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        _refuse(module, name)

    call.__name__ = call.__qualname__ = name
    call.__module__ = module
    return call


def _refuse(module: str, name: str) -> NoReturn:
    own, _, path = module.partition(".")
    parts = [*path.split("."), name]
    about = next(filter(None, (reason_of_absence(own, part) for part in parts)), None)
    because = about.because if about is not None else "this package is about tensors, and has no code for these yet"
    scope = about is not None and about.rule == "name.scope"
    message = f"torch.{path + '.' if path else ''}{name} is {'out of scope here' if scope else 'for later'}"
    rule = "name.scope" if scope else "name.later"
    instead = about.instead if about is not None else ()
    raise Reason(rule, NotImplementedError, message, because, instead, {"name": name}).exception()


class RecordFunction(contextlib.ContextDecorator):
    """Labels what a block or a function does, for a profiler. None is ever on here: the label changes nothing."""

    def __init__(self, name: str, args: str | None = None):
        self.name, self.args = name, args

    def __enter__(self) -> RecordFunction:
        return self

    def __exit__(self, *error: object) -> None:
        """There is nothing to end."""


RecordFunction.__name__ = RecordFunction.__qualname__ = "record_function"


class UnpackedDualTensor(NamedTuple):
    """A tensor, and its derivative by what a forward pass is about: None, because no such pass is ever on here."""

    primal: Any
    tangent: Any


def _home() -> str:
    """The folder that programs keep downloaded files in."""
    cache = os.getenv("XDG_CACHE_HOME", "~/.cache")
    return os.path.expanduser(os.getenv("TORCH_HOME", os.path.join(cache, "torch")))


def _progress(*args: Any, **kwargs: Any) -> Any:
    """A bar that shows how far a loop is, which PyTorch hands on from the package of that name."""
    from tqdm.auto import tqdm

    return tqdm(*args, **kwargs)


def _unmarked(*args: Any, **kwargs: Any) -> Any:
    """A decorator that leaves a function as it is."""
    return lambda marked: marked


class ProfilerActivity(Enum):
    """What a profiler looks at: programs name it before they ask for a profiler."""

    CPU = 0
    XPU = 1
    CUDA = 2
    HPU = 3
    MTIA = 4
    PrivateUse1 = 5


_ANSWERS: dict[str, Any] = {
    "_DEFAULT_SPARSE_BLOCK_SIZE": 128,
    "CUDA_HOME": None,
    "ProfilerActivity": ProfilerActivity,
    "_get_torch_home": _home,
    "get_proxy_mode": lambda: None,
    "has_side_effect": lambda marked: marked,
    "is_compile_supported": lambda kind: False,
    "is_fake": lambda tensor: False,
    "is_fx_tracing": lambda: False,
    "is_in_onnx_export": lambda: False,
    "is_traceable_wrapper_subclass": lambda tensor: False,
    "kineto_available": lambda: False,
    "lazy_property": cached_property,
    "parse_args": _unmarked,
    "quantized_args": _unmarked,
    "register_custom_op_symbolic": lambda name, symbolic, opset: None,
    "record_function": RecordFunction,
    "register_kl": lambda first, second: lambda marked: marked,
    "tqdm": _progress,
    "unpack_dual": lambda tensor, *, level=None: UnpackedDualTensor(tensor, None),
    "wrap": lambda marked: marked,
}
"""What is not refused: decorators, whose functions stay as they are, and questions whose answer is known."""


def module_to_come(full_name: str) -> ModuleType:
    """A module whose names are to come; it is made for the finder, which imports it."""
    path = full_name.partition(".")[2]
    known = MODULES[path].split()
    module = ModuleType(full_name, f"torch.{path}: for later. Its names can be imported; calls are refused.")

    def lookup(name: str) -> Any:
        if name in known:
            value = to_come(full_name, name)
            setattr(module, name, value)
            return value
        if f"{path}.{name}" in MODULES and not name.startswith("_"):
            return import_module(f"{full_name}.{name}")
        missing(full_name, name, known)

    module.__getattr__ = lookup  # type: ignore[method-assign]
    module.__dict__["__all__"] = known
    module.__path__ = []  # it has modules inside
    return module
