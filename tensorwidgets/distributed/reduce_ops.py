"""`ReduceOp`: how numbers of several ranks become one."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np

from ..engine.tensor.tensor import Tensor
from .stores.arguments import refuse_to_make, refuse_type


class RedOpType(IntEnum):
    """The operations, numbered as PyTorch does."""

    SUM = 0
    AVG = 1
    PRODUCT = 2
    MIN = 3
    MAX = 4
    BAND = 5
    BOR = 6
    BXOR = 7

    def __str__(self) -> str:
        return f"RedOpType.{self.name}"


class _AlsoItsTypes(type):
    """`isinstance(ReduceOp.SUM, ReduceOp)` is true."""

    def __instancecheck__(cls, instance: object) -> bool:
        return type(instance) in (RedOpType, ReduceOp)


class ReduceOp(metaclass=_AlsoItsTypes):
    """How numbers of several ranks become one.

    >>> ReduceOp.SUM
    <RedOpType.SUM: 0>
    """

    RedOpType = RedOpType
    SUM, AVG, PRODUCT, MIN = RedOpType.SUM, RedOpType.AVG, RedOpType.PRODUCT, RedOpType.MIN
    MAX, BAND, BOR, BXOR = RedOpType.MAX, RedOpType.BAND, RedOpType.BOR, RedOpType.BXOR

    def __init__(self, op: Any = None):
        if not isinstance(op, ReduceOp):
            refuse_to_make("ReduceOp(op: ReduceOp), such as ReduceOp.SUM")
        self.op: Any = op.op if type(op) is ReduceOp else op

    def __repr__(self) -> str:
        return repr(self.op)

    def __eq__(self, other: object) -> bool:
        return self.op == (other.op if type(other) is ReduceOp else other)

    def __hash__(self) -> int:
        return hash(self.op)


BITS = (RedOpType.BAND, RedOpType.BOR, RedOpType.BXOR)


def checked(op: Any, tensor: Tensor, call: str) -> RedOpType:
    """The operation, if it can be applied to these numbers; PyTorch's refusals otherwise."""
    op = op.op if type(op) is ReduceOp else op
    if not isinstance(op, RedOpType):
        refuse_type("", f"{call}(): op is a torch.distributed.ReduceOp such as ReduceOp.SUM, not {type(op).__name__}")
    dtype = tensor.dtype
    if dtype.is_complex and op not in (RedOpType.SUM, RedOpType.AVG):
        kind = ValueError if call == "all_reduce" else RuntimeError
        raise kind(f"{call} does not support {op} on complex tensors")
    if op in BITS and dtype.is_floating_point:
        raise RuntimeError(f"Cannot use ReduceOp.{op.name} with non-integral dtype")
    if op is RedOpType.AVG and not (dtype.is_floating_point or dtype.is_complex):
        raise RuntimeError(f"result type Float can't be cast to the desired output type {_name(dtype)}")
    return op


def _name(dtype: Any) -> str:
    return str(dtype._type_name)


_OF_BOOLS = {"SUM": "MAX", "PRODUCT": "MIN", "BOR": "MAX", "BAND": "MIN", "BXOR": "BXOR", "MIN": "MIN", "MAX": "MAX"}
"""What an operation on truth values is on the bytes 0 and 1."""


def as_numbers(values: np.ndarray, op: RedOpType) -> tuple[np.ndarray, str]:
    """Numbers that MPI can reduce, and its operation: truth values as bytes, 16-bit numbers as float32."""
    name = "SUM" if op is RedOpType.AVG else op.name
    if values.dtype == np.bool_:
        return values.view(np.uint8), _OF_BOOLS[name]
    if values.dtype == np.float16 or values.dtype.kind == "V":
        return values.astype(np.float32), name
    return values, name


def from_numbers(numbers: np.ndarray, values: np.ndarray, op: RedOpType, count: int) -> None:
    """Put reduced numbers back: rounded once, divided for an average."""
    if op is RedOpType.AVG:
        np.divide(numbers, count, out=numbers)
    if numbers.dtype == np.float32 and values.dtype != np.float32:
        with np.errstate(all="ignore"):
            values[...] = numbers.astype(values.dtype)
