"""The engine: storages, tensors and ops, with PyTorch's spelling and semantics, on NumPy.

`FACE` is what the package shows of it under PyTorch's names.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np

from . import methods
from .backends.numpy import threads
from .calling.arguments import as_number
from .compat import accelerators, cuda, old_constructors, old_names, removed, streams, switches
from .compat.amp import autocast_state
from .declare.pointwise import common_dtype
from .dispatch.call_errors import check_methods, checked, refuse_named
from .dispatch.called_as import under_name
from .dispatch.kinds import add_kind, forget_kind
from .dispatch.registry import FACE, OPS, Op
from .dispatch.route import forget_kernel, register_kernel, route
from .errors import warnings
from .help.lazy_help import document
from .interop import numpy_and_buffers
from .ops.small import questions
from .ops.views import reshaping
from .tensor import generator, grad_mode
from .tensor.members import close_properties
from .tensor.storages.typed import TypedStorage, storage_class
from .tensor.storages.untyped import UntypedStorage
from .tensor.tensor import Tensor
from .types import device as devices
from .types import dtypes, formats, promotion
from .types.limits import finfo, iinfo
from .types.promotion import can_cast, promote_types
from .types.size import Size


def result_type(tensor1: Tensor, tensor2: Tensor | complex) -> dtypes.dtype:
    """The dtype in which two operands meet.

    >>> import tensorwidgets as torch
    >>> torch.result_type(torch.tensor([1, 2]), 1.0)
    torch.float32
    """
    return common_dtype(tuple([as_number(x) if isinstance(x, np.generic) else x for x in (tensor1, tensor2)]))


ALSO_FUNCTIONS = (
    "abs_ acos_ acosh_ addmv_ arccos_ arccosh_ arcsin_ arcsinh_ arctan_ arctanh_ asin_ asinh_ atan_ atanh_"
    " ceil_ clamp_ clamp_max_ clamp_min_ clip_ conj_physical_ cos_ cosh_ deg2rad_ erf_ erfc_ exp2_ exp_ expm1_"
    " fill_ fix_ floor_ frac_ gcd_ i0_ index_put_ lcm_ ldexp_ log10_ log1p_ log2_ log_ logit_ nan_to_num_ neg_"
    " negative_ rad2deg_ reciprocal_ relu_ resize_as_sparse_ round_ rsqrt_ sigmoid_ sin_ sinc_ sinh_ sqrt_"
    " square_ tan_ tanh_ trunc_ xlogy_ zero_"
).split()
"""Methods that write to their tensor and that PyTorch has as functions, too."""


def _face() -> dict[str, Any]:
    face: dict[str, Any] = {d._name: d for d in dtypes.ALL + dtypes.QUANTIZED} | dtypes.ALIASES
    face |= {
        "dtype": dtypes.dtype, "device": devices.device, "Size": Size, "Tensor": Tensor, "finfo": finfo, "iinfo": iinfo,
        "layout": formats.layout, "memory_format": formats.memory_format, "qscheme": formats.qscheme,
        "UntypedStorage": UntypedStorage, "TypedStorage": TypedStorage, "cuda": cuda, "pi": math.pi, "e": math.e,
        "inf": math.inf, "nan": math.nan, "newaxis": None,
        "get_default_dtype": dtypes.get_default_dtype, "set_default_dtype": dtypes.set_default_dtype,
        "get_default_device": devices.get_default_device, "set_default_device": devices.set_default_device,
        "result_type": result_type,
        "can_cast": can_cast, "promote_types": promote_types,
        "broadcast_shapes": reshaping.broadcast_shapes, "no_grad": grad_mode.no_grad,
        "enable_grad": grad_mode.enable_grad,
        "set_grad_enabled": grad_mode.set_grad_enabled, "is_grad_enabled": grad_mode.grad_enabled,
        "inference_mode": grad_mode.inference_mode, "is_inference_mode_enabled": grad_mode.inference_enabled,
        "route": route,
        "register_kernel": register_kernel, "add_kind": add_kind, "forget_kind": forget_kind,
        "forget_kernel": forget_kernel,
        "Generator": generator.Generator,
        "default_generator": generator.default_generator, "manual_seed": generator.manual_seed, "seed": generator.seed,
        "initial_seed": generator.initial_seed, "get_rng_state": generator.get_rng_state,
        "set_rng_state": generator.set_rng_state, "get_num_threads": threads.get_num_threads,
        "set_num_threads": threads.set_num_threads, "get_num_interop_threads": threads.get_num_interop_threads,
        "set_num_interop_threads": threads.set_num_interop_threads,
        "is_warn_always_enabled": warnings.is_warn_always_enabled,
    }  # fmt: skip
    own = ("route", "register_kernel", "forget_kernel", "add_kind", "forget_kind")
    face = {name: _public(name, f) if _is_function(f) and name not in own else f for name, f in face.items()}
    for value in vars(formats).values():
        if isinstance(value, (formats.layout, formats.memory_format, formats.qscheme)):
            face[value.name] = value
    for op in OPS.values():
        if "function" in op.forms:
            face |= {name: op.function for name in (op.name,) if "." not in name}
            face |= {name: under_name(op.function, name) for name in op.aliases if "." not in name}
    face |= {name: under_name(getattr(Tensor, name), name) for name in ALSO_FUNCTIONS}
    face |= {name: with_a_list(OPS[name]) for name in ("broadcast_to", "flip", "permute", "reshape", "tile")}
    face |= {name: with_a_list(OPS[name], or_a_number=True) for name in ("squeeze", "count_nonzero")}
    rooms = (
        old_constructors, old_names, removed, switches, questions, streams, accelerators, autocast_state,
        numpy_and_buffers,
    )  # fmt: skip
    for room in rooms:
        face |= {name: _public(name, f) if _is_function(f) else f for name, f in getattr(room, "FACE", {}).items()}
    return face


def with_a_list(op: Op, or_a_number: bool = False) -> Callable:
    """The function of an op whose method takes numbers one by one: the function takes one list of them."""
    plain = op.function

    @wraps(plain)
    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > 2 or len(args) == 2 and not (or_a_number or isinstance(args[1], (tuple, list))):
            refuse_named(op.name, False, args, kwargs)
        return plain(*args, **kwargs)

    return call


def _public(name: str, function: Callable) -> Callable:
    """A function that refuses arguments as PyTorch's does, and that pickle finds where the user does."""
    public = checked(name, function)
    public.__module__, public.__qualname__ = __name__.partition(".")[0], name
    return public


def _is_function(member: Any) -> bool:
    return callable(member) and hasattr(member, "__qualname__") and not isinstance(member, type)


close_properties(Tensor)
document()
check_methods()
FACE.update(_face())

__all__ = ["FACE", "OPS", "Tensor", "methods", "promotion", "storage_class"]
