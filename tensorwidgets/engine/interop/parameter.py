"""Parameter: a tensor that a model learns. Here it is a tensor that says so, in print and in files."""

from __future__ import annotations

from typing import Any

from ..declare.creation import check_requires_grad
from ..declare.fast_calls import PLAIN
from ..dispatch.asking import is_asked, told
from ..dispatch.kinds import NonStridedArray
from ..errors.reasons import refuse
from ..tensor.grad_flag import check_inference
from ..tensor.handing_on import DISABLED, asks_classes
from ..tensor.keys import KEY_INFERENCE
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..tensor.wrapping import alias_of, empty_array, share_origin, wrap
from ..types.built_in import ShownAsPyTorchs
from ..types.dtypes import float32
from ..types.formats import preserve_format


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
    made = in_class(same_data(data), cls)
    made._requires_grad = require_grad
    return made


def make_wrapper_subclass(cls: type[Tensor], size: Any, *args: Any, **options: Any) -> Tensor:
    """A tensor of a class that answers all ops itself: not here."""
    refuse(
        NotImplementedError,
        "Tensor._make_wrapper_subclass is for later",
        "__torch_dispatch__ is not called here, so a tensor without memory could answer no op",
        "__torch_function__, which sees every call, of a class with memory: torch.Tensor._make_subclass(cls, data)",
        rule="subclass.wrapper",
    )


METHODS: dict[str, Any] = {
    "_make_subclass": staticmethod(make_subclass),
    "_make_wrapper_subclass": staticmethod(make_wrapper_subclass),
}


class ParameterType(ShownAsPyTorchs):
    """Lets `isinstance(x, Parameter)` see the parameters of other classes, too."""

    __module__ = ShownAsPyTorchs.__dict__["__module__"]

    def __instancecheck__(cls, instance: Any) -> bool:
        if issubclass(type(instance), cls):
            return True
        return cls is Parameter and isinstance(instance, Tensor) and instance._notes.get("_is_param") is True


class Parameter(Tensor, metaclass=ParameterType):
    """A tensor that is part of a model and requires a gradient by default.

    >>> from tensorwidgets import ones
    >>> Parameter(ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()
    __torch_function__: Any = DISABLED  # type: ignore[assignment]

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True) -> Parameter:
        source: Any = wrap(empty_array((0,), (1,), float32), float32) if data is None else data
        if not isinstance(source, Tensor):
            source.detach  # noqa: B018  # which refuses, as PyTorch does
        made: Any = (
            _marked(source, requires_grad) if _stays_itself(source) else make_subclass(cls, source, requires_grad)
        )
        return made

    def __deepcopy__(self, memo: dict) -> Any:
        """A parameter with the same numbers. As in PyTorch its gradient, its hooks and attributes stay behind."""
        known = memo.get(id(self))
        if known is None:
            known = memo[id(self)] = type(self)(self.data.clone(memory_format=preserve_format), self._requires_grad)
        return known

    def __repr__(self, *, tensor_contents: str | None = None) -> str:
        if type(self) is not Parameter:
            if is_asked(type(self)) and asks_classes():
                text = told(Tensor.__repr__, self, in_python=True, tensor_contents=None)
            else:
                text = Tensor.__repr__(self)
            return f"Parameter containing:\n{text}"
        plain = same_data(self)
        if self.grad_fn is None:
            plain._requires_grad = self._requires_grad
        else:  # it was frozen, and written to with something that was not
            share_origin(plain, self)
        return f"Parameter containing:\n{plain!r}"


def _stays_itself(t: Tensor) -> bool:
    """Whether a parameter of this tensor is of the tensor's own class: a class of the user's may compute otherwise."""
    return type(t) is not Tensor and type(t) is not Parameter


def _marked(t: Tensor, requires_grad: bool) -> Tensor:
    """A leaf of the tensor's own class that counts as a parameter."""
    if is_asked(type(t)) and asks_classes():
        leaf = told(Tensor.requires_grad_, told(Tensor.detach, t), requires_grad)
    else:
        leaf = t.detach().requires_grad_(requires_grad)
    if type(leaf) is not type(t):
        refuse(
            RuntimeError,
            f"Creating a Parameter from an instance of type {type(t).__name__} requires that detach() returns an "
            f"instance of the same type, but return type {type(leaf).__name__} was found instead. To use the type as a "
            "Parameter, please correct the detach() semantics defined by its __torch_dispatch__() implementation.",
            "a parameter keeps its class, and its data are found by detach()",
            "x.as_subclass(torch.Tensor)",
            rule="parameter.class",
        )
    leaf._is_param = True  # type: ignore[attr-defined]
    return leaf


def same_data(t: Tensor) -> Tensor:
    """A plain leaf on the same memory. A tensor of more than numbers, and what is not a tensor, answers for itself."""
    if isinstance(t, Tensor) and not (isinstance(t._array, NonStridedArray) or t._dtype._is_quantized):
        return alias_of(t, share_version=True)
    return t.detach()


PLAIN.add(Parameter)
