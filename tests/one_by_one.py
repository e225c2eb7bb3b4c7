"""Large lists of frozen answers, one entry at a time."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def each_of(data: str | bytes) -> Iterator[Any]:
    """The values of a JSON list that was written without spaces.

    The engine asks the collector for all objects when a leaf changes, and would look through a whole list of 400
    programs each time.

    >>> list(each_of('[1,[2,{"a":3}],"]"]')), list(each_of("[]"))
    ([1, [2, {'a': 3}], ']'], [])
    """
    text = data if isinstance(data, str) else data.decode()
    read, at = json.JSONDecoder().raw_decode, 1
    while text[at - 1] != "]" and text[at] != "]":
        value, at = read(text, at)
        yield value
        if text[at] not in ",]":
            raise ValueError(f"no list without spaces: {text[at : at + 20]!r} in place {at}")
        at += 1
