"""Functions that answer a question about a tensor: is_tensor, is_complex, numel and others; set_flush_denormal."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ...calling.reading import Notations
from ...errors.reasons import refuse
from ...tensor.storages.typed import TypedStorage
from ...tensor.storages.untyped import UntypedStorage
from ...tensor.tensor import Tensor
from ...tensor.type_names import type_name
from ...types.class_paths import path_of
from ...types.print_options import get_printoptions, set_printoptions


def is_tensor(obj: object) -> bool:
    """Returns whether an object is a tensor."""
    return isinstance(obj, Tensor)


def is_storage(obj: object) -> bool:
    """Returns whether an object is a storage."""
    return isinstance(obj, (TypedStorage, UntypedStorage))


QUESTIONS: dict[int, str] = {}
"""These functions by the identity of their code, by which a class of the user's own recognises who asks."""


def question(function: Callable[[Tensor], Any]) -> Callable[..., Any]:
    """Decorate a function of one tensor so that it refuses anything else as PyTorch does."""
    notations = Notations(function.__name__)
    QUESTIONS[id(function.__code__)] = function.__name__

    @wraps(function)
    def answer(*args: Any, **kwargs: Any) -> Any:
        return function(notations.read(args, kwargs)["input"])

    return answer


@question
def is_complex(input: Tensor) -> bool:
    """Returns whether the elements are complex numbers."""
    return input.is_complex()


@question
def is_floating_point(input: Tensor) -> bool:
    """Returns whether the elements are floating-point numbers."""
    return input.is_floating_point()


@question
def is_signed(input: Tensor) -> bool:
    """Returns whether the dtype can hold negative numbers."""
    return input.is_signed()


@question
def is_conj(input: Tensor) -> bool:
    """Returns whether the tensor is a lazily conjugated view: its elements are conjugates of the numbers in memory."""
    return input.is_conj()


@question
def is_neg(input: Tensor) -> bool:
    """Returns whether the tensor is a lazily negated view: its elements are negatives of the numbers in memory."""
    return input.is_neg()


@question
def is_nonzero(input: Tensor) -> bool:
    """Returns whether the only element is not zero."""
    return bool(input)


@question
def numel(input: Tensor) -> int:
    """Returns the number of elements."""
    return input.numel()


def typename(obj: object) -> str:
    """Returns the name of an object's type; for a tensor, the legacy type name of its dtype.

    >>> typename(3)
    'int'
    """
    if isinstance(obj, Tensor):
        return obj.type()
    kind: Any = obj if hasattr(obj, "__qualname__") else type(obj)
    if isinstance(obj, (TypedStorage, UntypedStorage)):
        return type_name(obj)
    return path_of(kind)


@question
def is_inference(input: Tensor) -> bool:
    """Returns whether the tensor was made in inference mode."""
    return input.is_inference()


@question
def get_device(input: Tensor) -> int:
    """Returns the number of the tensor's device, and -1 for the CPU."""
    return input.get_device()


_SAME_SIZE = Notations("is_same_size", ("Tensor input, Tensor other",))


def is_same_size(*args: Any, **kwargs: Any) -> bool:
    """Returns whether two tensors have the same size.

    >>> from tensorwidgets import ones
    >>> is_same_size(ones(2), ones(2)), is_same_size(ones(2), ones(2, 1))
    (True, False)
    """
    named = _SAME_SIZE.read(args, kwargs)
    same: bool = named["input"].shape == named["other"].shape
    return same


def set_flush_denormal(*args: Any) -> bool:
    """Returns whether subnormal numbers can be flushed to zero. Python cannot switch that: always False."""
    if len(args) != 1:
        refuse(
            TypeError,
            f"torch.set_flush_denormal() takes exactly one argument ({len(args)} given)",
            "pass True or False",
            rule="argument.count",
        )
    if not isinstance(args[0], bool):
        refuse(
            RuntimeError,
            f"flush_denormal expects a bool, but got {type_name(args[0])}",
            "pass True or False",
            rule="argument.type",
        )
    return False


FACE: dict[str, Any] = {
    "is_tensor": is_tensor, "is_storage": is_storage, "is_complex": is_complex, "is_floating_point": is_floating_point,
    "is_signed": is_signed, "is_conj": is_conj, "is_neg": is_neg, "is_nonzero": is_nonzero, "numel": numel,
    "typename": typename, "is_inference": is_inference, "get_device": get_device, "is_same_size": is_same_size,
    "set_printoptions": set_printoptions, "set_flush_denormal": set_flush_denormal,
}  # fmt: skip

__all__ = ["FACE", "get_printoptions", "is_complex", "is_floating_point", "is_storage", "is_tensor", "numel"]
