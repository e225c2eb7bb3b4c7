"""What keeps memory alive that no plain name leads to: hidden attributes, closures, generators, old outputs, cycles.

>>> import numpy as np
>>> def counter(kept=np.ones(3)):
...     return kept.sum()
>>> where = ("cpu", counter.__defaults__[0].ctypes.data)
>>> holders({where: 24}, {"counter": counter})
{('cpu', ...): 'a default of counter'}
"""

from __future__ import annotations

import gc
from bisect import bisect_right
from collections import deque
from collections.abc import Iterator, Mapping
from functools import partial
from types import CellType, FrameType, FunctionType, GeneratorType, MethodType, ModuleType
from typing import Any

import numpy as np

VISITED, HEAP = 50_000, 2_000_000
"""How many objects are visited from names, and how many there may be if all of them are searched."""
CYCLE = "only a cycle of objects"

Key = tuple[str, int]


class Wanted:
    """Blocks of memory that are looked for, by where they begin and how long they are."""

    def __init__(self, blocks: Mapping[Key, int]):
        self.blocks = blocks
        self._order = sorted(blocks)

    def holds(self, value: Any) -> Key | None:
        """The block that an array lies in, if it is one that is looked for."""
        where = place_of(value)
        if where is None:
            return None
        at = bisect_right(self._order, where) - 1
        if at < 0:
            return None
        key = self._order[at]
        # A large array of ours does not begin where its block does, but at a multiple of 64 bytes.
        return key if key[0] == where[0] and key[1] <= where[1] < key[1] + self.blocks[key] else None


def holders(wanted: Mapping[Key, int], names: Mapping[str, Any]) -> dict[Key, str]:
    """For each block of memory the code, or the words, that lead to an array there; without those not found."""
    found: dict[Key, str] = {}
    search = Wanted(wanted)
    seen: set[int] = set()
    queue = deque((name, value) for name, value in names.items() if name != "In")
    while queue and len(found) < len(wanted) and len(seen) < VISITED:
        path, value = queue.popleft()
        if id(value) in seen:
            continue
        seen.add(id(value))
        key = search.holds(value)
        if key is not None:
            found.setdefault(key, path)
        queue.extend(_parts(path, value))
    left = {key: nbytes for key, nbytes in wanted.items() if key not in found}
    if left and len(objects := gc.get_objects()) < HEAP:
        found |= _in_the_heap(Wanted(left), objects, {id(names), id(seen), id(queue), id(left)})
    return found


def place_of(value: Any) -> Key | None:
    """Where the memory of an array begins; None for any other object."""
    kind = type(value)
    if issubclass(kind, np.ndarray):
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        return "cpu", base.__array_interface__["data"][0]
    if hasattr(kind, "untyped_storage"):
        try:
            return str(value.device), value.untyped_storage().data_ptr()
        except (RuntimeError, NotImplementedError, TypeError, AttributeError, ValueError):
            return None  # without memory, as a lazy parameter is, or not yet finished
    return None


def _parts(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What an object leads to, each with the code that leads there, or words where there is no code."""
    kind = type(value)
    if kind in (int, float, str, bytes, bool, complex, type(None)) or isinstance(value, (ModuleType, np.ndarray)):
        return
    if isinstance(value, dict):
        for key, item in list(value.items()):
            yield f"{path}[{key!r}]" if isinstance(key, (str, int, tuple)) else f"an item of {path}", item
    elif isinstance(value, (list, tuple)):
        for k, item in enumerate(value):
            yield f"{path}[{k}]", item
    elif isinstance(value, (set, frozenset, deque)):
        for item in list(value):
            yield f"an item of {path}", item
    elif isinstance(value, FunctionType):
        for name, cell in zip(value.__code__.co_freevars, value.__closure__ or (), strict=False):
            try:
                yield f"the variable {name} of {path}", cell.cell_contents
            except ValueError:
                continue  # it is empty as yet
        for item in (*(value.__defaults__ or ()), *(value.__kwdefaults__ or {}).values()):
            yield f"a default of {path}", item
        yield from _attributes(path, vars(value))
    elif isinstance(value, MethodType):
        yield f"{path}.__self__", value.__self__
    elif isinstance(value, GeneratorType):
        frame = value.gi_frame
        for name, item in (frame.f_locals if frame is not None else {}).items():
            yield f"the variable {name} of {path}", item
    elif isinstance(value, partial):
        yield f"{path}.func", value.func
        yield f"{path}.args", value.args
        yield f"{path}.keywords", value.keywords
    elif isinstance(value, type):
        if value.__module__ == "__main__":
            yield from _attributes(path, vars(value))
    else:
        yield from _attributes(path, getattr(value, "__dict__", None))
        for name in {slot for cls in kind.__mro__ for slot in _slots(cls)}:
            if not name.startswith("__") and not hasattr(kind, "untyped_storage"):
                item = getattr(value, name, None)
                if item is not None:
                    yield f"{path}.{name}", item
        if kind.__module__ in ("builtins", "itertools"):
            for item in gc.get_referents(value):
                yield f"something in {path}", item


def _attributes(path: str, held: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(held, Mapping):
        for name, item in list(held.items()):
            yield f"{path}.{name}", item


def _slots(cls: type) -> tuple[str, ...]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


# -- what no name leads to ----------------------------------------------------------------------------------


def _in_the_heap(search: Wanted, objects: list[Any], mine: set[int]) -> dict[Key, str]:
    """The same for memory that no name leads to: a module's variable, or a cycle."""
    found: dict[Key, str] = {}
    arrays: dict[Key, list[Any]] = {}
    for one in objects:
        kind = type(one)
        if hasattr(kind, "untyped_storage"):
            _note(arrays, search, one)
        if kind is FrameType:
            continue
        for inner in gc.get_referents(one):
            if type(inner) is np.ndarray:
                _note(arrays, search, inner)
    mine |= {id(objects), id(arrays)}
    for key, there in arrays.items():
        found[key] = _above(there, mine | {id(there)})
    return found


def _note(arrays: dict[Key, list[Any]], search: Wanted, one: Any) -> None:
    key = search.holds(one)
    if key is not None and not any(one is known for known in arrays.get(key, ())):
        arrays.setdefault(key, []).append(one)


def _above(start: list[Any], mine: set[int]) -> str:
    """Goes up from some objects to those that refer to them, until a module is reached, or nothing new comes."""
    seen = {id(one) for one in start}
    level = list(start)
    for _ in range(12):
        asked = tuple(level)  # which Python 3.13 lists among those that refer to what is in it
        mine |= {id(level), id(seen), id(asked)}
        higher = []
        for one in gc.get_referrers(*asked):
            if id(one) in seen or id(one) in mine or isinstance(one, FrameType):
                continue
            if isinstance(one, ModuleType):
                return f"the module {one.__name__}"
            if isinstance(one, dict) and "__name__" in one and "__spec__" in one:
                return f"the module {one['__name__']}"
            if isinstance(one, (FunctionType, CellType, GeneratorType, type)) and len(seen) == len(start):
                return f"{type(one).__name__} {getattr(one, '__qualname__', '')}".strip()
            seen.add(id(one))
            higher.append(one)
        if not higher:
            return CYCLE if len(seen) > len(start) else ""
        level = higher
    return ""
