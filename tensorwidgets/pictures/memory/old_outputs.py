"""What do the outputs that a notebook remembers keep in memory, besides what names lead to? For the map of memory."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..arrays.inside import arrays_in
from ..arrays.layout import Layout
from ..arrays.storages import storages_of
from ..arrays.values import bytes_text

SHOWN = 4
"""How many outputs are named at most."""


def kept_by_outputs(names: Mapping[str, Any]) -> str:
    """A sentence about `Out`, in which IPython remembers the value of each cell; empty if it keeps nothing alone.

    >>> import numpy as np
    >>> x = np.ones(4)
    >>> old = {1: x[:2], 2: np.ones(3), 5: [np.ones(1)]}
    >>> kept_by_outputs({"x": x, "Out": old, "_oh": old})
    'Out[2] and Out[5] keep 32 bytes more that no name leads to: %reset -f out frees them.'
    """
    old = names.get("_oh")
    if not isinstance(old, dict) or "Out" not in names or old is not names["Out"]:
        return ""  # no notebook, or a variable of the user's own
    known = [layout for _, array in arrays_in(names) if (layout := _layout(array)) is not None]
    found: dict[int, tuple[str, Layout]] = {}
    for number, value in list(old.items()):
        for _, array in arrays_in({"output": value}):
            if (layout := _layout(array)) is not None:
                found[id(layout)] = f"Out[{number}]", layout
    named = {id(layout) for layout in known}
    storages = storages_of([*known, *(layout for _, layout in found.values())])
    alone = [s for s in storages if s.nbytes and not named & {id(layout) for layout in s.layouts}]
    if not alone:
        return ""
    outputs = dict.fromkeys(found[id(layout)][0] for s in alone for layout in s.layouts)
    order = [name for name in dict.fromkeys(name for name, _ in found.values()) if name in outputs]
    keep = "keeps" if len(order) == 1 else "keep"
    it = "it" if len(order) == 1 and len(alone) == 1 else "them"
    return (
        f"{_listed(order)} {keep} {bytes_text(sum(s.nbytes for s in alone))} more that no name leads to: "
        f"%reset -f out frees {it}."
    )


def _layout(array: Any) -> Layout | None:
    try:
        return Layout.of(array, values=False)
    except (TypeError, RuntimeError, NotImplementedError):
        return None  # an array that nobody can draw


def _listed(outputs: list[str]) -> str:
    """`Out[2]`, `Out[2] and Out[5]`, `Out[1], Out[2] and 7 more`."""
    if len(outputs) > SHOWN:
        outputs = [*outputs[: SHOWN - 1], f"{len(outputs) - SHOWN + 1} more"]
    return outputs[0] if len(outputs) == 1 else f"{', '.join(outputs[:-1])} and {outputs[-1]}"
