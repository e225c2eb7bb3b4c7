"""Which other views does a tensor have, when it joins a graph by a write through one of them, or moves elsewhere?

Views refer to their base, and no list leads back: it would cost something at every view. The garbage collector could
tell, but it looks through every object that there is. So the references to the memory are counted first. Each view has
an array, which refers to the array that owns the memory. Where the base and the view that was written to explain all
references, there is no other view; otherwise the newest objects are looked through until the known views explain them,
or until the base is among them: its views were made after it, and no object is in an older generation than another that
was made before it.
"""

from __future__ import annotations

import gc
from sys import getrefcount
from typing import Any

import numpy as np

from ...memory.places import owner_of, place_of
from ..tensor import Tensor


def views_beside(base: Tensor, view: Tensor, everywhere: bool = True) -> list[Tensor]:
    """The views of a tensor besides one of them; if not `everywhere`, those that are new.

    >>> import tensorwidgets as torch
    >>> x = torch.zeros(4)
    >>> first, second = x[:2], x[2:]
    >>> [v is second for v in views_beside(x, first)]
    [True]
    """
    known = [base] if view is base else [base, view]
    if owner_of(base._array) is None:  # no reference can be explained
        return [o for o in gc.get_referrers(base) if _is_view(o, base) and o is not view] if everywhere else []
    first = len(known)
    for generation in (0, 1):
        if explained(known):
            break
        young = gc.get_objects(generation=generation)
        known += [o for o in young if _is_view(o, base) and o is not view]
        if any(o is base for o in young):
            everywhere = False
            break
    if everywhere and not explained(known):
        return [o for o in gc.get_referrers(base) if _is_view(o, base) and o is not view]
    return known[first:]


def _is_view(thing: Any, base: Tensor) -> bool:
    """Whether an object is a view of a tensor. One that is not built yet, or was given up half-built, has no base."""
    return isinstance(thing, Tensor) and getattr(thing, "_base", None) is base


def explained(known: list[Tensor]) -> bool:
    """Whether no tensor that is not known can have an array on the memory of these, of which the first is the base.

    The tensor that counts the base's writes is known too: a parameter keeps the tensor that it was made from. Nothing
    explains the memory of a sparse tensor, or of one on a real GPU: who refers to it is not known.
    """
    storage, counter = known[0]._storage, known[0]._counter
    if counter is not None and counter._storage is storage:
        known = [*known, counter]
    holders: dict[int, int] = {}
    arrays: list[Any] = []
    for t in known:
        number = id(t._array)
        if number not in holders:
            arrays.append(t._array)
        holders[number] = holders.get(number, 0) + 1
    roots = [owner_of(arrays[0])]
    if roots[0] is None:
        return False
    owner = _base if type(roots[0]) is np.ndarray else place_of(arrays[0]).owner
    owners = () if storage is None else (storage._bytes, owner(storage._bytes))
    expected = sum(one is roots[0] for one in owners)
    del owners
    for place, count in enumerate(holders.values()):
        if arrays[place] is roots[0]:
            expected += count + 1
        elif owner(arrays[place]) is not roots[0] or _references(arrays, place) != count:
            return False
        else:
            expected += 1
    return _references(roots, 0) == expected


def _base(array: Any) -> Any:
    return getattr(array, "base", None)  # an array on a GPU, which views had before, has none


def _references(arrays: list[Any], place: int) -> int:
    """The references to an array besides that of a list."""
    return getrefcount(arrays[place]) - _BY_ASKING


_BY_ASKING = 0
_BY_ASKING = _references([np.empty(0)], 0)
