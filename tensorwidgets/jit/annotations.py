"""The types that a compiler's annotations name: those of Python, and lists that one number may fill."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035 - these are the names that programs import

__all__ = [
    "Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "List", "Optional", "Tuple", "Union",
]  # fmt: skip


class BroadcastingListCls:
    """In an annotation: a list of so many numbers, or one number for all of them. Only a compiler reads it."""

    def __getitem__(self, types: Any) -> None:
        """An annotation: `BroadcastingList2[int]`."""


BroadcastingList1 = BroadcastingList2 = BroadcastingList3 = BroadcastingListCls()
