"""torch.torch_version: a version that is compared by its numbers, although it is a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

__all__ = ["TorchVersion"]

_PARTS = re.compile(r"v?(\d+(?:\.\d+)*)((?:a|b|rc|\.dev)\d*)?(\+\w[\w.]*)?")


class TorchVersion(str):
    """A version of PyTorch.

    >>> version = TorchVersion("2.13.0")
    >>> version > "2.4", version >= (2, 13), version == "2.13.0"
    (True, True, True)
    """

    def __gt__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a > b, super().__gt__)

    def __ge__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a >= b, super().__ge__)

    def __lt__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a < b, super().__lt__)

    def __le__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a <= b, super().__le__)

    def __eq__(self, other: Any) -> bool:
        return self._compared(other, lambda a, b: a == b, super().__eq__)

    __hash__ = str.__hash__

    def _compared(self, other: Any, by_numbers: Any, as_text: Any) -> Any:
        given = _key(".".join(map(str, other)) if isinstance(other, Iterable) and not isinstance(other, str) else other)
        own = _key(self)
        return as_text(other) if given is None or own is None else by_numbers(own, given)


def _key(version: Any) -> tuple | None:
    """What orders a version: its numbers, whether it is a draft, and what was added to it. None for another text."""
    found = _PARTS.fullmatch(version) if isinstance(version, str) else None
    if found is None:
        return None
    numbers = [int(number) for number in found[1].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    return tuple(numbers), found[2] is None, found[2] or "", found[3] or ""
