"""The order in which PyTorch's refusals list keywords: that of a hash table of C++, which groups names by their hashes.

A new name comes first, or, where names with its remainder are there already, before these.
"""

from __future__ import annotations

from collections.abc import Iterable

_FACTOR, _SEED, _WORD = 0xC6A4A7935BD1E995, 0xC70F6907, (1 << 64) - 1
_PLACES = 13
"""The size of such a table from its first name to its thirteenth."""


def listed(names: Iterable[str]) -> list[str]:
    """The names of keywords in the order in which PyTorch lists them.

    >>> listed(["dim", "index", "value"])
    ['index', 'value', 'dim']
    """
    found: list[tuple[int, str]] = []
    for name in names:
        place = _hashed(name.encode()) % _PLACES
        beside = next((i for i, (other, _) in enumerate(found) if other == place), 0)
        found.insert(beside, (place, name))
    return [name for _, name in found]


def _hashed(text: bytes) -> int:
    """The hash of a text as the GNU library computes it, in words of 8 bytes: MurmurHash64A.

    >>> hex(_hashed(b"dim"))
    '0xde1180639c6f8b85'
    """
    value = _SEED ^ len(text) * _FACTOR & _WORD
    rest = len(text) % 8
    for at in range(0, len(text) - rest, 8):
        word = _mixed(int.from_bytes(text[at : at + 8], "little") * _FACTOR & _WORD) * _FACTOR & _WORD
        value = (value ^ word) * _FACTOR & _WORD
    if rest:
        value = (value ^ int.from_bytes(text[-rest:], "little")) * _FACTOR & _WORD
    return _mixed(_mixed(value) * _FACTOR & _WORD)


def _mixed(value: int) -> int:
    return value ^ value >> 47
