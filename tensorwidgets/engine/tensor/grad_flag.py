"""Setting `requires_grad` and `.grad`, with PyTorch's checks."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, NoReturn

from ..errors.reasons import refuse
from ..types.dtypes import COMPLEX, FLOAT, dtype
from ..types.formats import sparse_coo, strided
from .keys import KEY_AUTOGRAD, NOT_AUTOGRAD
from .thread_state import transforms

if TYPE_CHECKING:
    from .tensor import Tensor


def assign(t: Tensor, value: Any) -> None:
    """``t.requires_grad = value``."""
    if type(value) is not bool:
        refuse(RuntimeError, "requires_grad must be a bool", "the flag is True or False", rule="argument.type")
    if value and not _is_raw_leaf(t):
        refuse(
            RuntimeError,
            "you can only change requires_grad flags of leaf variables.",
            "this tensor was computed from others that require a gradient",
            rule="autograd.flag",
        )
    _set(t, value, "only Tensors of floating point and complex dtype can require gradients")


def change(t: Tensor, value: bool) -> Tensor:
    """``t.requires_grad_(value)``."""
    if type(value) is not bool:
        message = f"requires_grad_(): argument 'requires_grad' (position 1) must be bool, not {type_name(value)}"
        refuse(TypeError, message, "the flag is True or False", rule="argument.type")
    if transforms.under_way:
        refuse_transformed("requires_grad_", " (or perhaps using torch.autograd.functional.* APIs)")
    _set(t, value, _FLOATING)
    return t


_FLOATING = "only Tensors of floating point dtype can require gradients"


def start(t: Tensor) -> None:
    """What ``t.requires_grad_()`` does, in a function that `torch.func` transforms, too."""
    _set(t, True, _FLOATING)


def refuse_transformed(called: str, more: str = "") -> NoReturn:
    """Refuse a method of a tensor in a function that `torch.func` transforms."""
    refuse(
        RuntimeError,
        f"You are attempting to call Tensor.{called}(){more} inside of a function being transformed by a functorch "
        "transform. This is unsupported, please attempt to use the functorch transforms (e.g. grad, vjp, jacrev, "
        f"jacfwd, hessian) or call {called}() outside of a function being transformed instead.",
        "the transform chooses what gradients are computed for",
        rule="func.inside",
    )


def _set(t: Tensor, value: bool, refusal: str) -> None:
    if not _is_raw_leaf(t):
        if not value:
            refuse(
                RuntimeError,
                "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in "
                "a subgraph that doesn't require differentiation use var_no_grad = var.detach().",
                "this tensor was computed from others that require a gradient",
                "x.detach()",
                rule="autograd.flag",
            )
        return
    if value and t._dtype._kind < FLOAT:
        refuse(
            RuntimeError,
            refusal,
            f"{t._dtype} holds whole numbers only, and a gradient says what a small change would do",
            "x.float().requires_grad_()",
            rule="autograd.dtype",
        )
    if value and t.is_inference():
        check_inference()
    if t.requires_grad and t._origin is not None:  # a view that may require a gradient because its base does
        on_flag(t, value)
    elif value is not t.requires_grad:
        t._requires_grad = value
        on_flag(t, value)


def check_inference() -> None:
    """Refuse to let a tensor of inference mode require a gradient, outside of the mode."""
    from .grad_mode import inference_enabled

    if not inference_enabled():
        refuse(
            RuntimeError,
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed.",
            "a tensor that was made in inference mode is never part of a graph",
            "x.clone().requires_grad_()",
            rule="autograd.inference",
        )
    inference_leaves.exist = True


on_flag: Any = None
"""Called with a tensor without a node whose flag was set, and the flag; `autograd.rewriting` puts it here."""

on_grad_dtype: Any = None
"""Called when a leaf was given a dtype for its gradient; `autograd.leaf_sizes` puts it here."""

on_new_facts: Callable[[Tensor, dtype | None], Any] = lambda t, d: None  # noqa: E731
"""Called with a tensor in a graph that is about to have another size or dtype, and with that dtype, or None if it
leaves the graphs behind; `autograd.leaf_sizes` puts it here."""

many_changes: Callable[[], AbstractContextManager[None]] = nullcontext
"""Makes a block in which many tensors get another size or dtype; from the same place."""


def _is_raw_leaf(t: Tensor) -> bool:
    """Whether a tensor has no node, or had none when anybody last looked: nothing is renewed by this question."""
    from .wrapping import LeafOf

    origin: Any = t._origin if t.requires_grad else None
    return origin is None or type(origin) is LeafOf or getattr(origin, "node", origin) is None


def assign_grad(t: Tensor, value: Tensor | None) -> None:
    """``t.grad = value``."""
    if value is None:
        t._notes.pop("_grad", None)
        return
    from .tensor import Tensor

    if not isinstance(value, Tensor):
        refuse(
            TypeError,
            f"assigned grad expected to be a Tensor or None but got grad of type {type_name(value)}",
            "a gradient is a tensor of the same shape",
            rule="grad.type",
        )
    if value is t:
        refuse(RuntimeError, "can't assign Variable as its own grad", "", "x.grad = x.detach()", rule="grad.itself")
    wanted = dtype_of_gradient(t)
    if wanted is not None and value._dtype is not wanted:
        refuse(
            RuntimeError,
            f"attempting to assign a gradient with dtype '{_scalar_name(value)}' to a tensor with grad_dtype "
            f"'{wanted._type_name}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
            "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
            "Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream "
            "systems that assume they match.",
            f"the tensor is of {t._dtype}, the gradient of {value._dtype}",
            f"x.grad = g.to({wanted})",
            rule="grad.dtype",
        )
    if value.device != t.device:
        refuse(
            RuntimeError,
            f"attempting to assign a gradient with device type '{value.device.type}' to a tensor with device type "
            f"'{t.device.type}'. Please ensure that the gradient and the tensor are on the same device",
            "a gradient is where its tensor is",
            "x.grad = g.to(x.device)",
            rule="grad.device",
        )
    unusual = (value._keys | t._keys) & NOT_AUTOGRAD
    if unusual and not _may_have_layout(value.layout, t.layout):
        refuse(
            RuntimeError,
            "attempting to assign a gradient to a tensor that has data of a different type",
            f"the layout of the tensor is {t.layout}, that of the gradient {value.layout}",
            "x.grad = g.to_dense()",
            rule="grad.layout",
        )
    if tuple(value.shape) != tuple(t.shape):
        refuse(
            RuntimeError,
            f"attempting to assign a gradient of size '{list(value.shape)}' to a tensor of size '{list(t.shape)}'. "
            "Please ensure that the gradient and the tensor are the same size",
            f"a gradient has one number for each element of its tensor: {list(t.shape)}, not {list(value.shape)}",
            "x.grad = torch.zeros_like(x)",
            rule="grad.size",
        )
    t._notes["_grad"] = value


def _may_have_layout(found: Any, own: Any) -> bool:
    """Whether a gradient of this layout belongs to a tensor of that one; compressed layouts count as one."""
    uncompressed = (strided, sparse_coo)
    return found is sparse_coo or found is own or not (found in uncompressed or own in uncompressed)


def dtype_of_gradient(t: Tensor) -> dtype | None:
    """The dtype that the gradient of a leaf has: its own, unless the user has chosen another one; None for any."""
    return t._notes.get("_grad_dtype", t._dtype)  # type: ignore[no-any-return]


def read_grad_dtype(t: Tensor) -> dtype | None:
    """``t.grad_dtype``."""
    if not t.is_leaf:
        _refuse_grad_dtype("grad_dtype can only be accessed on leaf tensors.")
    return dtype_of_gradient(t)


def choose_grad_dtype(t: Tensor, value: dtype | None) -> None:
    """``t.grad_dtype = value``."""
    if value is not None and not isinstance(value, dtype):
        _refuse_grad_dtype(f"grad_dtype must be a torch.dtype or None, but got {type_name(value)}")
    if not t.is_leaf:
        _refuse_grad_dtype("grad_dtype can only be set on leaf tensors.")
    old = t._grad
    if old is not None and value is not None and old._dtype is not value:
        _refuse_grad_dtype(
            f"Cannot set grad_dtype to '{value._type_name}' because there is already a gradient with dtype "
            f"'{_scalar_name(old)}'. Please clear the gradient (.grad = None) before changing grad_dtype, or ensure "
            "the new grad_dtype matches the existing gradient's dtype."
        )
    t._notes["_grad_dtype"] = value
    wake_autograd()
    on_grad_dtype()


def _refuse_grad_dtype(message: str) -> NoReturn:
    refuse(
        RuntimeError,
        message,
        "the gradient of a leaf may have a dtype of its own, such as float32 for a leaf of 16 bits",
        "x.grad_dtype = torch.float32",
        rule="grad.dtype",
    )


def _scalar_name(t: Tensor) -> str:
    """The C++ name of a dtype, as one of PyTorch's messages has it."""
    names = {"Float": "float", "Double": "double", "Half": "c10::Half", "BFloat16": "c10::BFloat16", "Long": "long int",
             "Int": "int", "Short": "short int", "Byte": "unsigned char", "Char": "signed char", "Bool": "bool",
             "UInt16": "short unsigned int", "UInt32": "unsigned int", "UInt64": "long unsigned int",
             "ComplexFloat": "c10::complex<float>", "ComplexDouble": "c10::complex<double>"}  # fmt: skip
    return names.get(t._dtype._type_name, f"c10::{t._dtype._type_name}")


def refuse_backward(t: Tensor, gradient: Any = None, inputs: Any = None) -> NoReturn:
    """Refuse `backward` of a tensor without a graph. PyTorch looks at what it is given first."""
    if inputs is not None and not hasattr(inputs, "__iter__"):
        raise TypeError(f"'{type_name(inputs)}' object is not iterable")
    if isinstance(inputs, (tuple, list)) and not inputs:
        refuse(RuntimeError, "`inputs` argument to `backward()` cannot be empty.", "", rule="autograd.inputs")
    if gradient is not None and not hasattr(gradient, "shape") and not isinstance(gradient, (tuple, list)):
        raise TypeError(f"'{type_name(gradient)}' object is not iterable")
    shape = getattr(gradient, "shape", t.shape)
    if shape != t.shape:
        refuse(
            RuntimeError,
            f"Mismatch in shape: grad_output[0] has a shape of {shape} and output[0] has a shape of {t.shape}.",
            "a gradient has the shape of its tensor",
            rule="autograd.size",
        )
    given = getattr(gradient, "dtype", t._dtype)
    if isinstance(given, dtype) and given.is_complex is not t._dtype.is_complex:
        refuse(
            RuntimeError,
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[0] has a dtype of {given} and output[0] has a dtype of {t._dtype}.",
            "",
            rule="autograd.dtype",
        )
    refuse(
        RuntimeError,
        "element 0 of tensors does not require grad and does not have a grad_fn",
        "nothing was recorded for this tensor: none of the tensors that it was computed from requires a gradient, or "
        "it was computed under no_grad",
        "x.requires_grad_() before the computation",
        rule="autograd.none",
    )


def refuse_retain() -> NoReturn:
    """Refuse `retain_grad` of a tensor that requires no gradient."""
    refuse(
        RuntimeError,
        "can't retain_grad on Tensor that has requires_grad=False",
        "nothing is recorded for this tensor",
        "x.requires_grad_()",
        rule="autograd.none",
    )


def refuse_hook(what: str = "") -> NoReturn:
    """Refuse a hook on a tensor that requires no gradient."""
    refuse(
        RuntimeError,
        "cannot register a hook on a tensor that doesn't require gradient",
        "no gradient is computed for this tensor, so the hook would never be called",
        "x.requires_grad_()",
        rule="autograd.none",
    )


def refuse_version() -> NoReturn:
    """Refuse the version of a tensor that was made in inference mode."""
    refuse(
        RuntimeError,
        "Inference tensors do not track version counter.",
        "writes to a tensor that was made in inference mode are not counted",
        "x.clone()",
        rule="autograd.inference",
    )


def can_require(t: Tensor) -> bool:
    """Whether gradients exist for a dtype."""
    return t._dtype._kind in (FLOAT, COMPLEX)


def type_name(value: Any) -> str:
    """What PyTorch calls the type of a value."""
    from .type_names import type_name as named

    return named(value)


class _InferenceLeaves:
    """Whether any leaf that requires a gradient has numbers that were made in inference mode."""

    exist = False


inference_leaves = _InferenceLeaves()

wake_autograd: Callable[[], Any] = lambda: None  # noqa: E731
"""Loads the rooms that compute gradients, at the first tensor that requires one; `dispatch.kinds` puts it here."""


def set_requires_grad(t: Tensor, value: bool) -> None:
    """Make a tensor a leaf that requires a gradient, or one that does not, without any check."""
    if value:
        wake_autograd()
        t._keys |= KEY_AUTOGRAD
        t._origin = None
    else:
        t._keys &= NOT_AUTOGRAD
