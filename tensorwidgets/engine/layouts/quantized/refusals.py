"""Ops that the values of a quantized tensor cannot answer, refused in PyTorch's words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...dispatch.called_as import is_operator
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes
from .tensors import KIND, is_quantized, kernel, refuse_backend

_OF_WHOLE_NUMBERS = {
    "bitwise_and": "bitwise_and.Tensor_out", "bitwise_or": "bitwise_or.Tensor_out", "gcd": "gcd.out", "lcm": "lcm.out",
    "bitwise_xor": "bitwise_xor.Tensor_out", "bitwise_left_shift": "bitwise_left_shift.Tensor_out",
    "bitwise_right_shift": "bitwise_right_shift.Tensor_out",
}  # fmt: skip
"""Ops of bits and divisors, and the kernels that PyTorch lacks."""
_SHIFTS = {"bitwise_left_shift": "__lshift__", "bitwise_right_shift": "__rshift__"}
_BECAUSE = "the values are fractions, and the whole numbers mean nothing without their scale"


def _refused(name: str, called: str) -> Callable:
    base = name.removesuffix("_")

    def run(input: Any, other: Any, *, out: Tensor | None = None) -> NoReturn:
        if base in _SHIFTS and isinstance(input, Tensor) and is_operator(_SHIFTS[base]):
            kind = "Tensor" if isinstance(other, Tensor) else "Scalar"
            refuse_backend(f"{_SHIFTS[base]}.{kind}", KIND.backend, _BECAUSE, "x.int_repr()")
        if is_quantized(input) and is_quantized(other) and input._dtype is other._dtype:
            refuse_backend(called, KIND.backend, _BECAUSE, "x.int_repr()")
        _refuse_mixed(input, other)

    return run


def _refuse_mixed(*operands: Any) -> NoReturn:
    """Refuse a quantized tensor beside one of another dtype, or beside a number."""
    plain = next((o for o in operands if not is_quantized(o)), None)
    number = plain is not None and (not isinstance(plain, Tensor) or not plain._array.ndim)
    # Tensors of a size come before those of one number, and these before numbers.
    found = [_dtype(o) for o in sorted(operands, key=lambda o: 2 - bool(o._array.ndim) if isinstance(o, Tensor) else 3)]
    if number and not any(d.is_floating_point or d.is_complex for d in found if not d._is_quantized):
        message = (
            "empty_strided not supported on quantized tensors yet see https://github.com/pytorch/pytorch/issues/74540"
        )
    else:
        types = " ".join(d._type_name for d in found)
        message = (
            "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, "
            f"offending types: {types}"
        )
    refuse(RuntimeError, message, _BECAUSE, "x.int_repr()", rule="quantized.whole")


def _dtype(operand: Any) -> dtypes.dtype:
    if isinstance(operand, Tensor):
        return operand._dtype
    return dtypes.get_default_dtype() if isinstance(operand, float) else dtypes.of_type(type(operand))


for _name, _called in _OF_WHOLE_NUMBERS.items():
    for _form in (_name, _name + "_"):
        if _form in OPS:
            kernel(_form)(_refused(_form, _called))


@kernel("bitwise_not", "bitwise_not_")
def bitwise_not(input: Tensor, *, out: Tensor | None = None) -> NoReturn:
    refuse_backend("bitwise_not.out", KIND.backend, _BECAUSE, "~x.int_repr()")


@kernel("bincount")
def bincount(input: Tensor, *args: Any, **named: Any) -> NoReturn:
    refuse_backend("bincount", KIND.backend, _BECAUSE, "x.int_repr().bincount()")


@kernel("new_tensor")
def new_tensor(input: Tensor, *args: Any, **named: Any) -> NoReturn:
    message = "store_scalar: invalid type"
    because = "numbers need a scale and a zero point to be stored"
    refuse(RuntimeError, message, because, "torch.tensor(data)", rule="quantized.new")


def refuse_new(self: Tensor, *args: Any, **kwargs: Any) -> NoReturn:
    """Raises: a new tensor would have no scale."""
    refuse(
        RuntimeError,
        "new(): expected key in DispatchKeySet(CPU, CUDA, HIP, XLA, MPS, IPU, XPU, HPU, Lazy, PrivateUse1, Meta) but "
        "got: QuantizedCPU",
        "a new tensor would have no scale and no zero point",
        "torch.zeros_like(x)",
        rule="quantized.new",
    )


KIND.members({"new": refuse_new})
