"""What may be put into a dictionary of modules or parameters?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def pairs_of(given: Any, whose: str, kinds: tuple[type, ...], called: str = "") -> Iterator[tuple[str, Any]]:
    """Pairs of key and value, from a mapping or from pairs; one message may call the dictionary by another name."""
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{called or whose}.update should be called with an iterable of key/value pairs, but got "
            f"{type(given).__name__}"
        )
    if isinstance(given, (Mapping, *kinds)):
        yield from given.items()  # type: ignore[attr-defined]
        return
    for position, pair in enumerate(given):
        if not isinstance(pair, Iterable):
            raise TypeError(f"{whose} update sequence element #{position} should be Iterable; is{type(pair).__name__}")
        if len(pair) != 2:  # type: ignore[arg-type]
            raise ValueError(
                f"{whose} update sequence element #{position} has length {len(pair)}; 2 is required"  # type: ignore[arg-type]
            )
        key, value = pair
        yield key, value
