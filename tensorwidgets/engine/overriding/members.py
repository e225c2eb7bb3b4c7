"""Members of `Tensor` that never take the long route, such as `shape` and `item`: a class of its own gets wrappers.

They are put into the class itself when it is made, so `Tensor` stays as it is. A wrapper asks the class when the user
calls it, and is the plain member when the engine does, or where no class is asked.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache, wraps
from types import FrameType
from typing import Any

from ..dispatch.asking import HANDLER, answer, asked_among, is_default, parts_of, refuse_all
from ..dispatch.called_as import makes_calls_inside
from ..ops.small.questions import QUESTIONS
from ..tensor.handing_on import DISABLED, asks_classes
from ..tensor.tensor import Tensor
from ..tensor.thread_state import state
from . import modes
from .called import Call, answered, of_function, of_member

FOR_ALL = frozenset("data new type backward pin_memory __array_wrap__".split())
"""Members that make tensors: their results become instances of each class."""

SHOWN = {
    "nelement": "numel", "__pos__": "positive", "ndimension": "dim", "__rand__": "bitwise_and",
    "__ror__": "bitwise_or", "__rxor__": "bitwise_xor", "__long__": "__int__", "__nonzero__": "__bool__",
}  # fmt: skip
"""Members that a class sees under another name, as in PyTorch."""

FORWARD = {
    "__rsub__": "sub", "__rtruediv__": "div", "__rfloordiv__": "__floordiv__", "__rpow__": "__pow__",
    "__rmod__": "remainder", "__rmatmul__": "matmul", "__rlshift__": "__lshift__", "__rrshift__": "__rshift__",
    "__rand__": "__and__", "__ror__": "__or__", "__rxor__": "__xor__",
}  # fmt: skip
"""Operators with the operands in the other order. Python prefers them where the class of the right operand is made from
that of the left; PyTorch's classes do not define them, so there the left operand is asked first."""

FOR_OWN = (
    FOR_ALL
    | FORWARD.keys()
    | frozenset(
        "H T mH mT real imag shape size dim ndim ndimension numel nelement dtype device layout itemsize nbytes "
        "element_size stride storage_offset is_contiguous data_ptr const_data_ptr is_complex is_floating_point "
        "is_signed is_conj is_neg is_inference is_nonzero is_pinned is_same_size is_set_to is_shared share_memory_ "
        "storage untyped_storage storage_type get_device dim_order module_load grad grad_dtype grad_fn is_leaf "
        "requires_grad requires_grad_ retains_grad retain_grad register_hook register_post_accumulate_grad_hook "
        "output_nr name where volatile _backward_hooks _is_view _post_accumulate_grad_hooks _version is_cpu is_cuda "
        "is_ipu is_maia is_meta is_mkldnn is_mps is_mtia is_nested is_quantized is_sparse is_sparse_csr is_vulkan "
        "is_xla is_xpu item tolist numpy record_stream __array__ __array_wrap__ __bool__ __complex__ __contains__ "
        "__deepcopy__ __dlpack__ __dlpack_device__ __float__ __format__ __index__ __int__ __invert__ __len__ __long__ "
        "__nonzero__ __pos__ __reduce_ex__ __repr__ __reversed__ __setstate__ __dir__".split()
    )
)
"""Members about which a class with a `__torch_function__` of its own is asked."""

WRITTEN = frozenset("data grad grad_dtype requires_grad volatile".split())
"""Properties about whose setting and deleting it is asked, too. Others cannot be set; ``x.real = y`` is not asked."""


def add_members(cls: type[Tensor]) -> None:
    """Put the wrappers that a class needs into it, except for what the user has defined."""
    if getattr(cls, HANDLER, DISABLED) is DISABLED or not cls._stays or hasattr(cls, "_refuse_call"):
        return
    for name in FOR_ALL if is_default(cls) else FOR_OWN:
        plain = getattr(Tensor, name, None)
        if plain is not None and getattr(cls, name) is plain:
            setattr(cls, name, _property(name) if isinstance(plain, property) else _method(name))


def _is_asked(self: Tensor, caller: FrameType) -> bool:
    if not asks_classes() or getattr(type(self), HANDLER) is DISABLED:
        return False
    return not makes_calls_inside(caller) or id(caller.f_code) in QUESTIONS


@cache
def _method(name: str) -> Callable:
    plain = getattr(Tensor, name)

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Any:
        caller = sys._getframe(1)
        if not _is_asked(self, caller):
            return getattr(Tensor, name)(self, *args, **kwargs)
        question = QUESTIONS.get(id(caller.f_code))
        if question is not None:
            return _told_by(of_function(question), (self,), {})
        if name in FORWARD and args and isinstance(args[0], Tensor):
            return _told(FORWARD[name], (args[0], self), kwargs, True)
        return _told(SHOWN.get(name, name), (self, *args), kwargs, name in FORWARD)

    return wraps(plain)(method)


def _told(name: str, args: tuple, kwargs: dict, is_operator: bool) -> Any:
    """What the classes of the arguments answer to the call of a method."""
    return _told_by(of_member(name, is_operator), args, kwargs)


def _told_by(call: Call, args: tuple, kwargs: dict) -> Any:
    if state.modes:
        return modes.ask(call, args, kwargs)
    return answered(call, asked_among(parts_of(args, kwargs)), args, kwargs)


@cache
def _property(name: str) -> property:
    """A property about whose reading, setting and deleting classes are asked, by the methods of the plain one."""

    def get(self: Tensor) -> Any:
        return _asked_about(name, "__get__", sys._getframe(1), self)

    def set_(self: Tensor, value: Any) -> None:
        _asked_about(name, "__set__", sys._getframe(1), self, value)

    def delete(self: Tensor) -> None:
        _asked_about(name, "__delete__", sys._getframe(1), self)

    plain = getattr(Tensor, name)
    if name not in WRITTEN:
        return property(get, plain.fset, plain.fdel, plain.__doc__)
    return property(get, set_, delete, plain.__doc__)


def _asked_about(name: str, way: str, caller: FrameType, *args: Any) -> Any:
    function = getattr(getattr(Tensor, name), way)
    if not _is_asked(args[0], caller):
        return function(*args)
    if state.modes:
        key = f"Tensor.{name}.{way}"
        return modes.ask(Call(function, key, f"torch.{key}", False, False), args, {})
    asked = asked_among(args)
    types = tuple(map(type, asked))
    result = answer(function, asked, types, args, None)
    if result is NotImplemented:
        refuse_all(f"torch.Tensor.{name}.{way}", types, False)
    return result
