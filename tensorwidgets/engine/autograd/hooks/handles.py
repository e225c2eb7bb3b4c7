"""How is a hook removed again, and how does it say that it is not saved with its tensor?"""

from __future__ import annotations

import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, TypeVar

from ...types.class_paths import ShownByPath

F = TypeVar("F", bound=Callable[..., Any])


class RemovableHandle(ShownByPath):
    """What registering a hook returns: `remove()` removes the hook, and so does the end of a `with` block.

    It does not keep the tables alive from which it removes the hook.

    >>> hooks = OrderedDict()
    >>> handle = RemovableHandle(hooks)
    >>> hooks[handle.id] = print
    >>> len(hooks), handle.remove(), len(hooks)
    (1, None, 0)
    """

    id: int
    next_id: int = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None):
        extras = [extra_dict] if isinstance(extra_dict, dict) else extra_dict or ()
        self._begin(hooks_dict, RemovableHandle.next_id, extras)

    def _begin(self, hooks: Any, number: int, extras: Any) -> None:
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        self.id = number
        self.extra_dict_ref = tuple([weakref.ref(extra) for extra in extras if extra is not None])
        RemovableHandle.next_id = max(RemovableHandle.next_id, number + 1)

    def remove(self) -> None:
        """Remove the hook, and what was noted about it."""
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            table = reference()
            if table is not None:
                table.pop(self.id, None)

    def __getstate__(self) -> tuple:
        return self.hooks_dict_ref(), self.id, tuple([reference() for reference in self.extra_dict_ref])

    def __setstate__(self, state: tuple) -> None:
        self._begin(state[0], state[1], state[2] if len(state) > 2 and state[2] is not None else ())

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


def unserializable_hook(f: F) -> F:
    """Mark a hook that is not saved with its tensor, so that nobody is warned of it.

    >>> unserializable_hook(lambda grad: grad).__torch_unserializable__
    True
    """
    f.__torch_unserializable__ = True  # type: ignore[attr-defined]
    return f
