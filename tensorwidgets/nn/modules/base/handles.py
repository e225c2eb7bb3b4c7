"""How is a hook registered so that it can be removed, also when it has options?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from itertools import count
from typing import Any

from ....engine.autograd.hooks.on_gradients import RemovableHandle

_ids = count()


class ModuleHandle(RemovableHandle):
    """What registering a hook of a module returns: `remove()` removes the hook, and so does the end of a `with` block.

    >>> hooks = OrderedDict()
    >>> handle = register(hooks, print)
    >>> len(hooks), handle.remove(), len(hooks)
    (1, None, 0)
    """

    def __init__(self, hooks: dict, options: tuple[dict, ...] = ()):
        self.id = next(_ids)
        self._tables = (hooks, *options)

    def remove(self) -> None:
        """Remove the hook, and what was noted about it."""
        for table in self._tables:
            table.pop(self.id, None)


def register(
    hooks: OrderedDict, hook: Callable[..., Any], *flags: tuple[dict, bool], prepend: bool = False
) -> RemovableHandle:
    """Add a hook to a table, first if `prepend`; each flag that is set is noted under the hook's number, too."""
    handle = ModuleHandle(hooks, tuple(table for table, _ in flags))
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    for table, chosen in flags:
        if chosen:
            table[handle.id] = True
    return handle
