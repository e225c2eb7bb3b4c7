"""`grad_fn._raw_saved_x`: a saved tensor before it is unpacked, which may get hooks of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types.dtypes import FROM_NUMPY
from ..nodes import Node
from ..saved import ABSENT, KeptResult, Packed, bare, pack, refuse_second_time, unpack
from .on_saved import check_functions

FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
    "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the "
    "graph a second time or if you need to access saved variables after calling backward."
)


class SavedTensor:
    """One tensor that a node saved.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> y = x * x
    >>> y.grad_fn._raw_saved_self.register_hooks(lambda t: t.tolist(), torch.tensor)
    >>> y.sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    __slots__ = ("_node", "_saved", "_at", "_name", "_part")

    def __init__(self, node: Node, saved: Any, at: int, name: str, part: int | None = None):
        self._node, self._saved, self._at, self._name, self._part = node, saved, at, name, part

    def register_hooks(self, pack_hook: Any = None, unpack_hook: Any = None) -> None:
        """Pack the tensor now, with the first function, and unpack it with the second one when it is needed."""
        check_functions("register_hooks", pack_hook, unpack_hook)
        if self._saved.values is None:
            refuse(RuntimeError, FREED, "nothing is left to pack", "retain_graph=True", rule="autograd.second_time")
        value = self._value()
        if isinstance(value, Packed):
            refuse(
                RuntimeError,
                "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of "
                "hooks is allowed at a time.",
                "the tensor is packed already",
                "one pair of functions that does both",
                rule="autograd.hooks",
            )
        if value is None or value is ABSENT:
            refuse(
                RuntimeError,
                "Calling register_hooks on a saved tensor with value None is forbidden",
                "nothing was saved",
                rule="autograd.hooks",
            )
        if isinstance(value, KeptResult):
            given = unpack(self._node, self._name, value, self._version())
            number = int(self._name[6:] or 0) if self._name[6:].isdigit() or self._name == "result" else 0
        else:
            given, number = value if isinstance(value, Tensor) else _of_number(value), -1
        self._put(pack(given, number, bare(given), pack_hook, unpack_hook))

    @property
    def data(self) -> Any:
        """What the node keeps: what `pack_hook` has returned, or else the tensor; a result without its place in the
        graph.
        """
        value = None if self._saved.values is None else self._value()
        if isinstance(value, Packed):
            return value.held
        return wrap(value.array, value.dtype) if isinstance(value, KeptResult) else None if value is ABSENT else value

    @property
    def unpack_hook(self) -> Any:
        """The function that makes a tensor of `data`; None without hooks."""
        value = None if self._saved.values is None else self._value()
        return value.unpack if isinstance(value, Packed) else None

    def unpack(self) -> Tensor | None:
        """The tensor."""
        if self._saved.values is None:
            if self._node.versions is None or self._node.versions[self._at] is None:
                return None  # nothing was saved
            refuse_second_time(self._node)
        value = self._value()
        return None if value is None or value is ABSENT else unpack(self._node, self._name, value, self._version())

    def _value(self) -> Any:
        value = self._saved.values[self._at]
        return value if self._part is None else value[self._part]

    def _version(self) -> Any:
        version = self._saved.versions[self._at]
        return version if self._part is None else version[self._part]

    def _put(self, packed: Packed) -> None:
        values = list(self._saved.values)
        if self._part is None:
            values[self._at] = packed
        else:
            inner = list(values[self._at])
            inner[self._part] = packed
            values[self._at] = tuple(inner)
        self._saved.values = tuple(values)


def raw(node: Node, saved: Any, at: int, name: str) -> Any:
    """What `_raw_saved_NAME` is: an object for a tensor, a tuple of objects for a list of tensors."""
    value = None if saved.values is None else saved.values[at]
    if type(value) is tuple and not isinstance(value, Packed):
        return tuple([SavedTensor(node, saved, at, name, part) for part in range(len(value))])
    return SavedTensor(node, saved, at, name)


def _of_number(value: complex) -> Tensor:
    """A number as PyTorch packs it: a tensor, of float64 if it is a float."""
    array = np.asarray(value)
    return wrap(array, FROM_NUMPY[array.dtype])


__all__ = ["SavedTensor", "raw"]
