"""The rule of every pointwise op: dtype, size and stride of its result, by arithmetic, without touching a number.

The call itself, `out=`, in-place forms and meta tensors all go by `plan`. `pointwise_runs` computes the numbers, and
`pointwise_calls` has the wrappers by which users call these ops.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .. import geometry
from ..errors.reasons import Reason, refuse
from ..memory import MAIN_MEMORY, Place
from ..tensor.lookups import size_and_stride
from ..tensor.tensor import Tensor
from ..tensor.wrapping import place_of
from ..tensor.write_checks import check_cast, check_same_size
from ..types import dtypes
from ..types.dtype_refusals import refuse_dtype
from ..types.dtypes import COMPLEX, FLOAT, dtype
from ..types.promotion import combine, dtype_of_number, promote_types


class Pointwise(NamedTuple):
    """What a pointwise op says about its arithmetic."""

    ufunc: Callable
    promotion: str = "same"
    """same | float (integers become the default float) | bool | real (of complex) | float to real | long (of bool)"""
    fast: frozenset[dtype] = frozenset()
    """Dtypes whose NumPy loop gives PyTorch's dtype and numbers directly."""
    stub: str = ""
    domain: frozenset[dtype] | None = None
    """The dtypes that the op computes in (None: all), and the name under which PyTorch refuses the others."""
    check: Callable | None = None
    """A check of the op's own, called with its name and its operands."""
    numbers: str = "both"
    """Which operands may be Python numbers: both | other | none"""
    via_float32: bool = True
    """Whether 16-bit floats are computed in float32 and rounded once at the end, as PyTorch does."""
    exact_scalar: bool = False
    """Whether 16-bit floats meet a single number as it is, not rounded to their dtype."""
    late_check: Callable | None = None
    """A check that runs last, called with the dtype that is computed in."""
    out_domain: frozenset[dtype] | None = None
    """The dtypes that `out=` may be of (None: all)."""
    same_out: bool | str = False
    """Whether `out=` must have the dtype of the result; or the refusal, with places for {Got} and {Wanted}."""
    numbers_have_strides: bool = True
    """Whether a number operand takes part in the choice of strides, as a 0-dim tensor does."""
    preserves: frozenset[dtype] = frozenset()
    """The dtypes for which PyTorch makes the result by `empty_like`: strides of dimensions of size 1 are kept, too."""
    row_major: bool = False
    """Whether the result is row-major, whatever the strides of the operands."""
    bool_out: str = ""
    """The name of an op that refuses every `out=` but one of bool."""


class Plan(NamedTuple):
    compute: dtype
    result: dtype
    size: tuple[int, ...]
    stride: tuple[int, ...]
    place: Place


def common_dtype(operands: tuple) -> dtype:
    """The dtype in which tensors and numbers meet."""
    dimensioned: dtype | None = None
    zero_dim: dtype | None = None
    number: dtype | None = None
    for o in operands:
        if isinstance(o, Tensor):
            d = o._dtype
            if o._array.ndim:
                dimensioned = d if dimensioned is None or dimensioned is d else promote_types(dimensioned, d)
            else:
                zero_dim = d if zero_dim is None or zero_dim is d else promote_types(zero_dim, d)
        else:
            own = dtype_of_number(o)
            assert own is not None
            number = own if number is None or number is own else promote_types(number, own)
    return combine(dimensioned, zero_dim, number)


def _refuse_dtype(rule: Pointwise, d: dtype) -> None:
    refuse_dtype(rule.stub, d, "", "x.long()" if d is dtypes.bool_ else "x.float()")


def _converted(operands: tuple, layouts: list, compute: dtype) -> list:
    """The layouts of operands after they have been cast: strides that leave gaps or repeat are then dense."""
    if all(not isinstance(o, Tensor) or o._dtype is compute for o in operands):
        return layouts
    tensors = [o for o in operands if isinstance(o, Tensor) or len(layouts) == len(operands)]
    return [
        (layout[0], geometry.preserve_stride(*layout)) if isinstance(o, Tensor) and o._dtype is not compute else layout
        for o, layout in zip(tensors, layouts, strict=True)
    ]


_NUMBER: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())


def plan(rule: Pointwise, operands: tuple, target: Tensor | None = None, fixed_size: bool = False) -> Plan:
    """Size, stride and dtype of the result: the rule of every pointwise op.

    A `target` is what the result is written to; its own size counts only if it is fixed (in-place forms). The
    order of the checks is PyTorch's, so that of several errors the same one is reported.
    """
    layouts = []
    sizes = []
    place: Place = MAIN_MEMORY
    for o in operands:
        if isinstance(o, Tensor):
            layouts.append(size_and_stride(o))
            sizes.append(o._array.shape)
            if place is MAIN_MEMORY:
                place = place_of(o)
        elif rule.numbers_have_strides:
            layouts.append(_NUMBER)  # a number counts as a tensor without dimensions
    if len(sizes) == 1:
        size = sizes[0]
    elif sizes:
        outcome = geometry.broadcast(*sizes)
        if isinstance(outcome, Reason):
            outcome.refuse()
        size = outcome
    else:
        size = ()
    if target is not None and fixed_size:
        check_same_size(target._array.shape, size)
    compute, result = result_dtypes(rule, operands)
    if target is not None:
        if rule.bool_out and target._dtype is not dtypes.bool_:
            refuse(
                RuntimeError,
                f"{rule.bool_out} does not support non-boolean outputs.",
                "the answers are True and False",
                "out=torch.empty(0, dtype=torch.bool)",
                rule="out.dtype",
            )
        wanted = compute if target._dtype._kind == COMPLEX else result
        if rule.same_out and target._dtype is not wanted and (compute is result or wanted is compute):
            _refuse_other_dtype(wanted, target._dtype, rule.same_out)
        check_cast(result, target._dtype)
    if rule.late_check is not None:
        rule.late_check(compute)
    if rule.domain is not None and compute not in rule.domain:
        _refuse_dtype(rule, compute)
    if target is not None and rule.out_domain is not None and target._dtype not in rule.out_domain:
        _refuse_dtype(rule, target._dtype)
    if len(operands) > 1 or rule.promotion != "bool":
        layouts = _converted(operands, layouts, compute)
    if rule.promotion == "real" and compute is not result:
        stride = geometry.preserve_stride(*layouts[0])  # a magnitude is stored as a copy of its number would be
    elif rule.promotion == "float to real" and compute._kind == COMPLEX:
        stride = geometry.contiguous_stride(size)  # and an angle in a fresh tensor
    elif not rule.numbers_have_strides and operands and not isinstance(operands[0], Tensor):
        stride = geometry.contiguous_stride(size)  # of the powers of a number PyTorch makes the tensor itself
    elif rule.row_major:
        stride = geometry.contiguous_stride(size)
    elif compute in rule.preserves:
        stride = geometry.preserve_stride(*layouts[0])
    else:
        stride = geometry.pointwise_stride(size, layouts)
    return Plan(compute, result, size, stride, place)


def _refuse_other_dtype(result: dtype, value: dtype, words: bool | str) -> None:
    words = words if isinstance(words, str) else "Found dtype {Got} but expected {Wanted}"
    refuse(
        RuntimeError,
        words.format(Got=value._type_name, Wanted=result._type_name),
        f"this op does not convert its result to the dtype of out=: the result is of {result}",
        f"out=torch.empty(0, dtype={result})",
        rule="out.dtype",
        result=result,
        target=value,
    )


def result_dtypes(rule: Pointwise, operands: tuple) -> tuple[dtype, dtype]:
    """The dtype that is computed in, and that of the result."""
    compute = common_dtype(operands)
    if rule.promotion in ("float", "float to real") and compute._kind < FLOAT:
        compute = dtypes.get_default_dtype()
    elif rule.promotion == "long" and compute is dtypes.bool_:
        compute = dtypes.int64
    elif rule.promotion == "bool":
        return compute, dtypes.bool_
    elif rule.promotion in ("real", "float to real") and compute._kind == COMPLEX:
        return compute, compute.to_real()
    return compute, compute


__all__ = ["Plan", "Pointwise", "common_dtype", "plan", "result_dtypes"]
