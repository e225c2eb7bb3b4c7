"""How to call somebody's functions and leave everything as it was: modules, buffers, streams of random numbers."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from ..sources import is_array
from .modules import is_module

VISITED = 5000
"""How many objects are looked at behind some functions."""


@contextmanager
def left_alone(library: Any, modules: Iterable[Any]) -> Iterator[None]:
    """Puts back what a call may change: attributes, the items of lists there, buffers, and random numbers.

    Buffers are written to as copies. Nothing is recorded.
    """
    each = list({id(module): module for module in modules}.values())
    held = [(module, dict(vars(module)), _contents(module)) for module in each]
    with streams_kept(library), getattr(library, "no_grad", nullcontext)():
        for module in each:
            module._buffers.update({name: b if b is None else b.clone() for name, b in module._buffers.items()})
        try:
            yield
        finally:
            for module, attributes, contents in held:
                vars(module).clear()
                vars(module).update(attributes)
                for container, items in contents:
                    container.clear()
                    (container.extend if isinstance(container, (list, deque)) else container.update)(items)


def _contents(module: Any) -> list[tuple[Any, Any]]:
    """The containers in a module's attributes, its parameters, buffers and layers among them, with their items."""
    found: list[tuple[Any, Any]] = []
    for value in vars(module).values():
        if isinstance(value, (list, deque, set)):
            found.append((value, list(value)))
        elif isinstance(value, dict):
            found.append((value, dict(value)))
    return found


@contextmanager
def streams_kept(library: Any) -> Iterator[None]:
    """With the streams of random numbers as they were afterwards: Python's, NumPy's, and the library's."""
    streams = random.getstate(), np.random.get_state()
    state = library.get_rng_state() if hasattr(library, "get_rng_state") else None
    gpus = getattr(library, "cuda", None)
    gpus = gpus if gpus is not None and getattr(gpus, "is_initialized", bool)() else None
    on_gpus = gpus.get_rng_state_all() if gpus is not None else None
    try:
        yield
    finally:
        random.setstate(streams[0])
        np.random.set_state(streams[1])
        if state is not None:
            library.set_rng_state(state)
        if gpus is not None:
            gpus.set_rng_state_all(on_gpus)


def modules_behind(functions: Sequence[Any]) -> list[Any]:
    """The modules that some functions may call: in their variables, arguments and objects, and by a global name.

    >>> from types import SimpleNamespace
    >>> layer = SimpleNamespace(_modules={}, _parameters={}, _buffers={})
    >>> modules_behind([partial(lambda x, there=[layer]: there, 3)]) == [layer]
    True
    """
    found: list[Any] = []
    seen: set[int] = set()
    left = list(functions)
    while left and len(seen) < VISITED:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if is_module(one):
            found.append(one)
            left += one._modules.values()
        else:
            left += _parts(one)
    return found


def _parts(one: Any) -> list[Any]:
    if isinstance(one, FunctionType):
        cells = [cell.cell_contents for cell in one.__closure__ or () if _is_filled(cell)]
        named = [one.__globals__.get(name) for name in one.__code__.co_names]
        defaults = (*(one.__defaults__ or ()), *(one.__kwdefaults__ or {}).values())
        return [*cells, *defaults, *[value for value in named if is_module(value)]]
    if isinstance(one, MethodType):
        return [one.__self__, one.__func__]
    if isinstance(one, partial):
        return [one.func, *one.args, *one.keywords.values()]
    if isinstance(one, dict):
        return list(one.values())
    if isinstance(one, (list, tuple)):
        return list(one)
    if is_array(one) or isinstance(one, (type, ModuleType)):
        return []
    return list(getattr(one, "__dict__", {}).values())


def _is_filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False
