"""The tensors that a Function, or a checkpoint, saves."""

from __future__ import annotations

from typing import Any

from ...tensor.thread_state import state
from ...tensor.versions import version_owner
from .. import writes
from ..nodes import Node
from ..saved import kept_result, packed, refuse_second_time, unpack


class SavedTensors:
    """The tensors that a Function saves."""

    __slots__ = ("values", "versions", "_numbers")

    def __init__(self, tensors: tuple, numbers: list[int], node: Node | None = None):
        values: list[Any] = []
        versions: list[int] = []
        for t, number in zip(tensors, numbers, strict=True):
            versions.append(version_owner(t)._writes if t is not None else 0)
            if t is None:
                values.append(None)
            elif state.hooks:
                values.append(packed(t, number, node))
            else:
                values.append(kept_result(t) if number >= 0 else t)
        self.values: Any = values
        self.versions = versions
        self._numbers = numbers
        writes.watch()

    def release(self) -> None:
        """Free the tensors."""
        self.values = None

    def raw(self, node: Node) -> tuple:
        """The tensors before they are unpacked."""
        from ..hooks.raw import SavedTensor

        if self.values is None:
            refuse_second_time(node)
        names = [f"result{n}" if n > 0 else "result" if n == 0 else "saved tensor" for n in self._numbers]
        return tuple([SavedTensor(node, self, at, name) for at, name in enumerate(names)])

    def unpacked(self, node: Node) -> tuple:
        """The tensors, unless they were freed or written to."""
        if self.values is None:
            refuse_second_time(node)
        results: list[Any] = []
        for value, version, number in zip(self.values, self.versions, self._numbers, strict=True):  # type: ignore[arg-type]
            name = f"result{number}" if number > 0 else "result" if number == 0 else "saved tensor"
            results.append(None if value is None else unpack(node, name, value, version, whole=True))
        return tuple(results)
