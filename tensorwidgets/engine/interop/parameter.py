"""Parameter: a tensor that a model learns. Here it is a tensor that says so, in print and in files."""

from __future__ import annotations

from typing import Any

from ..declare.creation import check_requires_grad
from ..declare.fast_calls import PLAIN
from ..dispatch.kinds import NonStridedArray
from ..errors.reasons import refuse
from ..tensor.grad_flag import check_inference
from ..tensor.keys import KEY_INFERENCE
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..tensor.wrapping import alias_of, empty_array, share_origin, wrap
from ..types.dtypes import float32


def make_subclass(cls: type[Tensor], data: Tensor, require_grad: bool = False) -> Tensor:
    """A leaf of a class on the memory of a tensor: what classes of parameters make in their `__new__`.

    >>> from tensorwidgets import Tensor, ones
    >>> class Weight(Tensor): ...
    >>> Tensor._make_subclass(Weight, ones(2), True)
    Weight([1., 1.], requires_grad=True)
    """
    from ..tensor.classes import check_class, in_class

    if not isinstance(cls, type):
        message = f"cls must be a type (got {type_name(cls)})"
        refuse(TypeError, message, "a class inherits from Tensor", rule="argument.type")
    check_class(cls)
    if not isinstance(data, Tensor):
        message = f"_make_subclass(): argument 'data' (position 2) must be Tensor, not {type_name(data)}"
        refuse(TypeError, message, "the memory is that of a tensor", "torch.tensor(…)", rule="argument.type")
    if type(require_grad) is not bool:
        refuse(
            TypeError,
            f"_make_subclass(): argument 'require_grad' (position 3) must be bool, not {type_name(require_grad)}",
            "the flag is True or False",
            rule="argument.type",
        )
    check_requires_grad(require_grad, data._dtype)
    if require_grad and data._keys & KEY_INFERENCE:
        check_inference()
    made = in_class(_same_data(data), cls)
    made._requires_grad = require_grad
    return made


METHODS: dict[str, Any] = {"_make_subclass": staticmethod(make_subclass)}


class Parameter(Tensor, stays=False):
    """A tensor that is part of a model and requires a gradient by default.

    >>> from tensorwidgets import ones
    >>> Parameter(ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        source: Any = wrap(empty_array((0,), (1,), float32), float32) if data is None else data
        if not isinstance(source, Tensor):
            source.detach  # noqa: B018  # which refuses, as PyTorch does
        made: Any = make_subclass(cls, source, requires_grad)
        return made

    def __deepcopy__(self, memo: dict) -> Any:
        """A parameter with the same numbers. As in PyTorch its gradient, its hooks and attributes stay behind."""
        known = memo.get(id(self))
        if known is None:
            known = memo[id(self)] = type(self)(self.data.clone(), self._requires_grad)
        return known

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        if type(self) is not Parameter:
            return f"Parameter containing:\n{Tensor.__repr__(self)}"
        plain = _same_data(self)
        if self.grad_fn is None:
            plain._requires_grad = self._requires_grad
        else:  # it was frozen, and written to with something that was not
            share_origin(plain, self)
        return f"Parameter containing:\n{plain!r}"


def _same_data(t: Tensor) -> Tensor:
    """A plain leaf on the same memory. A tensor of more than numbers, and what is not a tensor, answers for itself."""
    if isinstance(t, Tensor) and not (isinstance(t._array, NonStridedArray) or t._dtype._is_quantized):
        return alias_of(t, share_version=True)
    return t.detach()


PLAIN.add(Parameter)
