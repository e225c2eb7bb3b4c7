"""What a user has given a tensor: its `__dict__` without what the engine keeps there."""

from __future__ import annotations

from typing import Any

OWN = frozenset(
    (
        "_storage", "_counter", "_writes", "_empty_offset", "_lent", "_grad", "_hooks", "_hooks_after", "_accumulator",
        "_retains", "_lines", "_made", "_made_at", "_no_counter", "_hooks_of_view", "_grad_dtype", "_counts",
        "_no_view", "_counted", "_of_backward", "_views_made", "_stands_for", "_left_at", "_counts_for_others",
        "_count_for_maker",
    )
)  # fmt: skip
"""What the engine keeps in the attributes of one tensor. All else travels with its copies."""

HIDDEN = OWN | {"_names", "_quantizer"}
"""What is not the user's."""

_ABSENT = object()


class Attributes(dict[str, Any]):
    """The attributes that are the user's; what is changed here changes the tensor.

    >>> whole = {"_writes": 3, "label": "cat"}
    >>> given = Attributes(whole)
    >>> given
    {'label': 'cat'}
    >>> given["weight"] = 2
    >>> whole
    {'_writes': 3, 'label': 'cat', 'weight': 2}
    """

    def __init__(self, whole: dict[str, Any]):
        super().__init__({name: value for name, value in whole.items() if name not in HIDDEN})
        self._whole = whole

    def __setitem__(self, name: str, value: Any) -> None:
        super().__setitem__(name, value)
        self._whole[name] = value

    def __delitem__(self, name: str) -> None:
        super().__delitem__(name)
        self._whole.pop(name, None)

    def pop(self, name: str, default: Any = _ABSENT) -> Any:
        if name not in self and default is not _ABSENT:
            return default
        value = self[name]
        del self[name]
        return value

    def popitem(self) -> tuple[str, Any]:
        name, value = super().popitem()
        self._whole.pop(name, None)
        return name, value

    def clear(self) -> None:
        for name in list(self):
            del self[name]

    def update(self, *others: Any, **more: Any) -> None:
        for name, value in dict(*others, **more).items():
            self[name] = value

    def setdefault(self, name: str, default: Any = None) -> Any:
        if name not in self:
            self[name] = default
        return self[name]

    def __ior__(self, other: Any) -> Attributes:  # type: ignore[override, misc]
        self.update(other)
        return self

    def __reduce__(self) -> tuple:
        return dict, (dict(self),)


class UsersAttributes:
    """The `__dict__` of tensors: itself where all of it is the user's, and otherwise the part that is.

    The engine reads and writes the whole, which it finds under the name `_notes`.
    """

    def __get__(self, owner: Any, cls: Any = None) -> Any:
        if owner is None:
            return self
        whole: dict[str, Any] = owner._notes
        return whole if HIDDEN.isdisjoint(whole) else Attributes(whole)

    def __set__(self, owner: Any, given: Any) -> None:
        if not isinstance(given, dict):
            raise TypeError(f"__dict__ must be set to a dictionary, not a '{type(given).__name__}'")
        whole = owner._notes
        kept = {name: value for name, value in whole.items() if name in HIDDEN}
        given = dict(given)
        whole.clear()
        whole.update(given | kept)

    def __delete__(self, owner: Any) -> None:
        self.__set__(owner, {})
