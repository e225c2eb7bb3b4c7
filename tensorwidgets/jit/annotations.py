"""The types that a compiler's annotations name: those of Python, and lists that one number may stand for."""

from typing import Any, Dict, List, Optional, Tuple, Union  # noqa: UP035 - these are the names that programs import

__all__ = [
    "Any", "BroadcastingList1", "BroadcastingList2", "BroadcastingList3", "Dict", "List", "Optional", "Tuple", "Union",
]  # fmt: skip


class BroadcastingListCls:
    """In an annotation: a list of so many numbers, or one number that is all of them.

    >>> def size(kernel: BroadcastingList2[int]):
    ...     return kernel
    >>> size.__annotations__
    {'kernel': None}
    """

    def __getitem__(self, types: Any) -> None:
        """Only a compiler would read the type."""


BroadcastingList1 = BroadcastingListCls()
BroadcastingList2 = BroadcastingListCls()
BroadcastingList3 = BroadcastingListCls()
