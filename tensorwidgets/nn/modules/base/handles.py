"""How is a hook registered so that it can be removed, also when it has options?"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ....engine.autograd.hooks.handles import RemovableHandle


def register(
    hooks: OrderedDict, hook: Callable[..., Any], *flags: tuple[OrderedDict, bool], prepend: bool = False
) -> RemovableHandle:
    """Add a hook to a table, first if `prepend`; each flag that is set is noted under the hook's number, too.

    >>> hooks = OrderedDict()
    >>> handle = register(hooks, print)
    >>> len(hooks), handle.remove(), len(hooks)
    (1, None, 0)
    """
    handle = RemovableHandle(hooks, extra_dict=[table for table, _ in flags])
    hooks[handle.id] = hook
    if prepend:
        hooks.move_to_end(handle.id, last=False)
    for table, chosen in flags:
        if chosen:
            table[handle.id] = True
    return handle
