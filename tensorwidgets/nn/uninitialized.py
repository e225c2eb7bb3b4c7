"""Which parameters have no size yet? Those of lazy modules, until the first input shows it."""

from __future__ import annotations

from typing import Any, ClassVar, NoReturn

from ..engine.derivatives.ops import torch
from ..engine.errors.reasons import refuse
from ..engine.tensor.classes import become, in_class
from ..engine.tensor.tensor import Tensor
from ..engine.tensor.wrapping import alias_of
from .parameter import Parameter

ALLOWED = frozenset("copy_ half float double char short int long cuda cpu to".split())
"""What may be called before the size is known."""


def _refuse(cls: type, name: str) -> NoReturn:
    refuse(
        ValueError,
        f"Attempted to use an uninitialized parameter in <method '{name}' of 'torch._C.TensorBase' objects>. This "
        "error happens when you are using a `LazyModule` or explicitly manipulating "
        f"`torch.nn.parameter.{cls.__name__}` objects. When using LazyModules Call `forward` with a dummy batch to "
        "initialize the parameters before calling torch functions",
        "its size follows from the first input, and none was given yet",
        "model(example)",
        rule="lazy.call",
    )


class UninitializedTensorMixin:
    """The part of a tensor without a size that refuses nearly all calls."""

    __slots__ = ()

    _is_lazy = True
    cls_to_become: ClassVar[type[Tensor]]

    def materialize(self, shape: Any, device: Any = None, dtype: Any = None) -> None:
        """Give it a size, and memory with whatever numbers are in it; it is an ordinary tensor from now on."""
        own: Any = self
        like = self.data
        own.data = torch.empty(shape, device=device or like.device, dtype=dtype or like.dtype)
        become(own, self.cls_to_become)

    @classmethod
    def _refuse_call(cls, name: str) -> None:
        """Called for every op on such a tensor."""
        if name not in ALLOWED:
            _refuse(cls, name)

    @property
    def shape(self) -> NoReturn:
        refuse(
            RuntimeError,
            "Can't access the shape of an uninitialized parameter or buffer. This error usually happens in "
            "`load_state_dict` when trying to load an uninitialized parameter into an initialized one. Call `forward` "
            "to initialize the parameters before accessing their attributes.",
            "its size follows from the first input, and none was given yet",
            "model(example)",
            rule="lazy.shape",
        )

    @property
    def data(self) -> Tensor:
        """The tensor of no elements that has its dtype and device."""
        own: Any = self
        return alias_of(own, share_version=True)

    @data.setter
    def data(self, value: Tensor) -> None:
        Tensor.data.fset(self, value)  # type: ignore[attr-defined]

    def share_memory_(self) -> NoReturn:
        refuse(
            RuntimeError,
            "Can't share memory on an uninitialized parameter or buffer. Call `forward` to initialize the parameters "
            "before calling `module.share_memory()`.",
            "it has no memory yet",
            "model(example)",
            rule="lazy.memory",
        )

    def __repr__(self) -> str:
        return f"<{type(self).__name__}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return type(self), (self.requires_grad,)  # type: ignore[attr-defined]

    def __deepcopy__(self: Any, memo: dict) -> Any:
        if id(self) not in memo:
            memo[id(self)] = type(self)(self.requires_grad, self.data.device, self.data.dtype)
        return memo[id(self)]


def _refusing(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> NoReturn:
        _refuse(type(self), name)

    method.__name__ = name
    return method


for _name in (
    "numel nelement dim ndimension stride is_contiguous element_size numpy tolist item requires_grad_ "
    "backward data_ptr storage untyped_storage __len__ __iter__ __bool__ __int__ __float__ __index__ __format__ "
    "__array__ __contains__"
).split():
    setattr(UninitializedTensorMixin, _name, _refusing(_name))


class UninitializedParameter(UninitializedTensorMixin, Parameter, stays=True):  # type: ignore[misc]
    """A parameter without a size.

    >>> weight = UninitializedParameter()
    >>> weight
    <UninitializedParameter>
    >>> weight.materialize((2, 3))
    >>> weight.shape, type(weight).__name__
    (torch.Size([2, 3]), 'Parameter')
    """

    __slots__ = ()
    cls_to_become = Parameter

    def __new__(cls, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> Any:
        made = in_class(torch.empty(0, device=device, dtype=dtype), cls)
        made._requires_grad = bool(requires_grad)
        return made

    def __init__(self, requires_grad: bool = True, device: Any = None, dtype: Any = None) -> None:
        pass


class UninitializedBuffer(UninitializedTensorMixin, Tensor):  # type: ignore[misc]
    """A buffer without a size."""

    __slots__ = ()
    cls_to_become = Tensor

    def __new__(
        cls, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> Any:  # fmt: skip
        made: Any = in_class(torch.empty(0, device=device, dtype=dtype), cls)
        made._requires_grad = bool(requires_grad)
        made._is_buffer, made.persistent = True, persistent
        return made

    def __init__(
        self, requires_grad: bool = False, device: Any = None, dtype: Any = None, persistent: bool = True
    ) -> None:  # fmt: skip
        pass


def _converting(name: str) -> Any:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        data = self.data
        converted = getattr(data, name)(*args, **kwargs)
        if converted is data:
            return self
        return type(self)(self.requires_grad, converted.device, converted.dtype, self.persistent)

    method.__name__ = name
    return method


for _name in ALLOWED - {"copy_"}:  # a module that is converted keeps buffers that have no size yet
    setattr(UninitializedBuffer, _name, _converting(_name))


def is_lazy(param: Any) -> bool:
    """Whether a parameter or buffer has no size yet."""
    return isinstance(param, UninitializedTensorMixin)
