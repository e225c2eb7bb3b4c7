"""torch.torch_version: a version that is compared by its numbers, although it is a text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

__all__ = ["TorchVersion"]

_PARTS = re.compile(
    r"""\s* v? (?:(?P<epoch>\d+)!)? (?P<release>\d+(?:\.\d+)*)
    (?: [-_.]? (?P<draft>alpha|a|beta|b|preview|pre|c|rc) [-_.]? (?P<draft_number>\d*) )?
    (?P<post> -(?P<post_only>\d+) | [-_.]? (?:post|rev|r) [-_.]? (?P<post_number>\d*) )?
    (?P<dev> [-_.]? dev [-_.]? (?P<dev_number>\d*) )?
    (?: \+ (?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*) )? \s*""",
    re.VERBOSE | re.IGNORECASE | re.ASCII,
)
"""How a version of a Python package is written, which PEP 440 says."""
_DRAFTS = {"alpha": "a", "beta": "b", "c": "rc", "pre": "rc", "preview": "rc"}


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
    """What orders a version: drafts are before it, and what was published or built after it. None for another text."""
    found = _PARTS.fullmatch(version) if isinstance(version, str) else None
    if found is None:
        return None
    numbers = [int(number) for number in found["release"].split(".")]
    while numbers and not numbers[-1]:
        numbers.pop()
    name, post = (found["draft"] or "").lower(), -1
    if found["post"]:
        post = int(found["post_only"] or found["post_number"] or 0)
    draft: tuple = (2,)
    if name:
        draft = 1, _DRAFTS.get(name, name), int(found["draft_number"] or 0)
    elif found["dev"] and post < 0:
        draft = (0,)
    dev = (0, int(found["dev_number"] or 0)) if found["dev"] else (1, 0)
    parts = re.split("[-_.]", found["local"].lower()) if found["local"] else []
    local = [(1, int(part), "") if part.isdigit() else (0, 0, part) for part in parts]
    return int(found["epoch"] or 0), numbers, draft, post, dev, local
