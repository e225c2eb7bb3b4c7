"""How is a hook removed again? By the handle that registering it returned."""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Sequence
from typing import Any


class RemovableHandle:
    """What registering a hook returns: `remove()` removes the hook, and so does the end of a `with` block.

    The handle keeps no table alive. Tables with options of the hook lose its number, too.

    >>> hooks = OrderedDict()
    >>> handle = RemovableHandle(hooks)
    >>> hooks[handle.id] = print
    >>> len(hooks), handle.remove(), len(hooks)
    (1, None, 0)
    """

    next_id: int = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        tables = () if extra_dict is None else (extra_dict,) if isinstance(extra_dict, dict) else extra_dict
        self.extra_dict_ref = tuple(weakref.ref(table) for table in tables)

    def remove(self) -> None:
        """Remove the hook, and what was noted about it."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            table = reference()
            if table is not None:
                table.pop(self.id, None)

    def __getstate__(self) -> tuple[Any, int, tuple[Any, ...]]:
        return self.hooks_dict_ref(), self.id, tuple(reference() for reference in self.extra_dict_ref)

    def __setstate__(self, state: Sequence[Any]) -> None:
        hooks = OrderedDict() if state[0] is None else state[0]
        self.hooks_dict_ref, self.id = weakref.ref(hooks), state[1]
        self.extra_dict_ref = tuple(weakref.ref(table) for table in state[2])
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()
