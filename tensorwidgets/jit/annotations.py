"""The types that a compiler's annotations name: those of Python, and a number that stands for a list of them."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035 - these are the names that programs import

__all__ = [
    "Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "List", "Optional", "Tuple", "Union",
]  # fmt: skip


class BroadcastingListCls:
    """Says that a number stands for a list of so many. Python reads nothing into it."""

    def __getitem__(self, types: Any) -> None:
        """An annotation: `BroadcastingList2[int]`."""


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = BroadcastingListCls()
