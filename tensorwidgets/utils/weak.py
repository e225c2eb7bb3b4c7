"""torch.utils.weak: what is noted about tensors for as long as they are used elsewhere, by identity.

Tensors compare element by element, so a `WeakKeyDictionary` of Python cannot find them.

>>> import tensorwidgets as torch
>>> x, y = torch.ones(2), torch.ones(2)
>>> notes = WeakTensorKeyDictionary({x: "first", y: "second"})
>>> notes[y], len(notes)
('second', 2)
>>> del x
>>> list(notes.items())
[(tensor([1., 1.]), 'second')]
"""

from __future__ import annotations

import copy
import weakref
from collections.abc import Iterator, Mapping, MutableMapping
from typing import Any

from ..engine.errors.missing_names import missing
from ..engine.tensor.tensor import Tensor

__all__ = ["TensorWeakRef", "WeakIdKeyDictionary", "WeakIdRef", "WeakTensorKeyDictionary"]


class WeakIdRef(weakref.ref):
    """A weak reference that equals another one if both are to the same object, also after its end."""

    __slots__ = ("_id",)

    _id: int

    def __new__(cls, key: Any, callback: Any = None) -> WeakIdRef:
        made = super().__new__(cls, key, callback)
        made._id = id(key)
        return made

    def __hash__(self) -> int:
        return self._id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WeakIdRef):
            return NotImplemented
        one, two = self(), other()
        return self is other if one is None or two is None else one is two


class WeakIdKeyDictionary(MutableMapping):
    """A dictionary whose keys are found by identity, and are left out when nothing else refers to them."""

    def __init__(self, dict: Any = None, ref_type: type[weakref.ref] = WeakIdRef):
        self.data: Any = {}
        self.ref_type = ref_type

        itself = weakref.ref(self)

        def remove(gone: Any) -> None:
            owner = itself()
            if owner is not None:
                owner.data.pop(gone, None)

        self._remove = remove
        if dict is not None:
            self.update(dict)

    def __getitem__(self, key: Any) -> Any:
        return self.data[self.ref_type(key)]

    def __setitem__(self, key: Any, value: Any) -> None:
        self.data[self.ref_type(key, self._remove)] = value

    def __delitem__(self, key: Any) -> None:
        del self.data[self.ref_type(key)]

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator[Any]:
        for each in list(self.data):
            key = each()
            if key is not None:
                yield key

    def __contains__(self, key: object) -> bool:
        try:
            return self.ref_type(key) in self.data
        except TypeError:  # there are no weak references to it
            return False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping):
            return NotImplemented
        return {id(key): value for key, value in self.items()} == {id(key): value for key, value in other.items()}

    __hash__ = None  # type: ignore[assignment]

    def __or__(self, other: Any) -> WeakIdKeyDictionary:
        if not isinstance(other, Mapping):
            return NotImplemented
        joined = self.copy()
        joined.update(other)
        return joined

    def __repr__(self) -> str:
        return f"<{type(self).__name__} at {id(self):#x}>"

    def keyrefs(self) -> list[Any]:
        """The weak references to the keys; to some of them there may be nothing any more."""
        return list(self.data)

    def copy(self) -> WeakIdKeyDictionary:
        """Another dictionary of the same keys and values."""
        return type(self)(self, self.ref_type)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> WeakIdKeyDictionary:
        made = type(self)(None, self.ref_type)
        for key, value in self.items():
            made[key] = copy.deepcopy(value, memo)
        return made


WeakTensorKeyDictionary = WeakIdKeyDictionary


class TensorWeakRef:
    """A weak reference to a tensor.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(1)
    >>> there = TensorWeakRef(x)
    >>> there() is x
    True
    """

    def __init__(self, tensor: Tensor):
        if not isinstance(tensor, Tensor):
            raise AssertionError(f"expected torch.Tensor, got {type(tensor)}.")
        self.ref = weakref.ref(tensor)

    def __call__(self) -> Tensor | None:
        return self.ref()


def __getattr__(name: str) -> Any:
    missing(__name__, name, __all__)
