"""The `ctx` of a Function: its node, as the user's `forward` and `backward` see it."""

from __future__ import annotations

from typing import Any, NoReturn

from ...errors.reasons import refuse

_METHODS = frozenset(
    "save_for_forward mark_dirty mark_non_differentiable set_materialize_grads mark_shared_storage "
    "maybe_clear_saved_tensors name register_hook register_prehook _sequence_nr".split()
)
"""What a context can do: so can its node."""


def check_flag(name: str, value: Any) -> None:
    """Refuse what is not True or False."""
    if type(value) is not bool:
        refuse(
            TypeError,
            f"{name} received an invalid combination of arguments - got (), but expected (bool)",
            "pass True or False",
            rule="argument.type",
        )


class _OfNode:
    """An attribute of a context that is one of its node."""

    def __init__(self, name: str, writable: bool = True):
        self.name, self.writable = name, writable

    def __get__(self, context: Context | None, owner: type) -> Any:
        if context is None:
            return self
        node = context._node
        try:
            return getattr(node, self.name)
        except AttributeError as error:
            node.__dict__["_lost"] = error
            raise

    def __set__(self, context: Context, value: Any) -> None:
        if not self.writable:
            raise AttributeError(f"attribute '{self.name}' of 'torch._C._FunctionBase' objects is not writable")
        setattr(context._node, self.name, value)


class Context:
    """The `ctx` that `forward` and `backward` get: the node of the call, as its user sees it.

    It takes attributes of any name. The engine has names of its own in the node, such as `size`, which these must not
    meet. So they are in a dictionary of their own, which each context of the node shares.
    """

    __slots__ = ("_node", "__dict__", "__weakref__")

    def __init__(self, node: Any):
        self._node = node
        self.__dict__ = node.own

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self._node).__name__}' object")

    needs_input_grad, to_save = _OfNode("needs_input_grad"), _OfNode("to_save")
    _is_pure_view = _OfNode("_is_pure_view")
    dirty_tensors, non_differentiable = _OfNode("dirty_tensors"), _OfNode("non_differentiable")
    saved_variables = _OfNode("saved_variables", False)
    requires_grad, metadata = _OfNode("requires_grad", False), _OfNode("metadata", False)
    next_functions, _input_metadata = _OfNode("next_functions", False), _OfNode("_input_metadata", False)
    _raw_saved_tensors = _OfNode("_raw_saved_tensors", False)
    saved_for_forward = _OfNode("saved_for_forward")

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for the backward pass, with a check that nobody changes them."""
        self._node.to_save = tensors

    @property
    def saved_tensors(self) -> Any:
        """The tensors of `save_for_backward`."""
        return self._node.kept_tensors()

    @saved_tensors.setter
    def saved_tensors(self, value: Any) -> None:
        raise AttributeError("attribute 'saved_tensors' of 'torch._C._FunctionBase' objects is not writable")

    @property
    def materialize_grads(self) -> bool:
        """Another way to call `set_materialize_grads`; it cannot be read."""
        raise AttributeError

    @materialize_grads.setter
    def materialize_grads(self, value: bool) -> None:
        self._node.set_materialize_grads(value)

    @property
    def _materialize_non_diff_grads(self) -> bool:
        return self._node._materialize_non_diff_grads

    @_materialize_non_diff_grads.setter
    def _materialize_non_diff_grads(self, value: bool) -> None:
        check_flag("set_materialize_non_diff_grads", value)
        self._node._materialize_non_diff_grads = value

    def __getattr__(self, name: str) -> Any:
        node = self._node
        lost = node.__dict__.pop("_lost", None)
        if lost is not None:
            raise lost
        if name in _METHODS:
            return getattr(node, name)
        if name == "materialize_grads":
            raise AttributeError(f"attribute '{name}' of 'torch._C._FunctionBase' objects is not readable")
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")

    def __dir__(self) -> list[str]:
        return sorted({*self.__dict__, *dir(type(self)), *_METHODS})

    @property  # type: ignore[misc]
    def __class__(self) -> Any:
        return type(self._node)

    def __eq__(self, other: object) -> bool:
        return (other._node if type(other) is Context else other) is self._node

    def __hash__(self) -> int:
        return hash(self._node)

    def __repr__(self) -> str:
        return repr(self._node)
