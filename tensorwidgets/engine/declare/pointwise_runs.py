"""How the numbers of a pointwise op are computed: into a new array, into `out=`, or over the first operand.

Large arrays are computed piece by piece on several threads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from .. import geometry
from ..backends.numpy import chunks, transpose_tiles
from ..backends.numpy.casts import assign, cast, number_array
from ..backends.numpy.chunks import FROM
from ..backends.numpy.without_warnings import quietly
from ..dispatch.registry import Op
from ..errors.warnings import warn_of_lost_part
from ..memory import MAIN_MEMORY
from ..memory.places import as_array, number_of
from ..tensor.tensor import Tensor
from ..tensor.versions import bump_version
from ..tensor.wrapping import empty_array, wrap, wrap_any
from ..tensor.write_checks import check_reads, check_writable
from ..types import dtypes
from ..types.dtypes import COMPLEX, FLOAT, HALVES, INTEGER, dtype
from .pointwise import Plan, Pointwise, plan


def arrays_for(operands: tuple, compute: dtype, widened: bool, exact: bool = False) -> list:
    """The operands as arrays of the dtype that is computed in; `widened` 16-bit floats as float32."""
    # NumPy has no complex32; what only looks at such numbers can do so in complex64.
    d = dtypes.complex64 if compute is dtypes.complex32 else compute
    results = []
    for i, o in enumerate(operands):
        own = dtypes.float32 if exact and i else d
        array = cast(o._array, own) if isinstance(o, Tensor) else number_array(o, own)
        results.append(cast(array, dtypes.float32) if widened else array)
    return results


def execute(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray | None = None) -> np.ndarray:
    """Fill an array (a fresh one where none is given) with the result of a plan."""
    if out is None:
        out = empty_array(p.size, p.stride, p.result, p.place)
    if out.size >= FROM and p.place is MAIN_MEMORY and not _may_refuse(rule, p):
        _in_pieces(rule, p, operands, out)
        return out
    return _fill(rule, p, operands, out)


def _may_refuse(rule: Pointwise, p: Plan) -> bool:
    """Whether the kernel may raise midway: it then runs in one piece, so that a failed write changes nothing."""
    return p.compute._kind == INTEGER and getattr(rule.ufunc, "may_refuse", False)


def _in_pieces(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray) -> None:
    """The numbers piece by piece, on several threads; what is made on the way stays in the cache."""
    whole = [_stretched(o, p.size) for o in operands]
    ufunc = _one_pass(rule, p, operands, out)
    across = [None if o is None else transpose_tiles.axes(out.strides, o) for o in whole]
    axes = next(filter(None, across), None)
    if axes:
        keys = transpose_tiles.strips(p.size, *axes)
    else:
        keys = chunks.cuts(p.size, out.strides, chunks.elements_per_piece(out.size, ufunc) if ufunc else chunks.PIECE)

    def parts(key: tuple[slice, ...]) -> list:
        return [
            None if array is None else transpose_tiles.in_scratch(array[key]) if turned else array[key]
            for array, turned in zip(whole, across, strict=True)
        ]

    if ufunc is not None:
        numbers = arrays_for(operands, p.compute, False)

        def piece(key: tuple[slice, ...]) -> None:
            arrays = [n if a is None else a for a, n in zip(parts(key), numbers, strict=True)]
            quietly(ufunc, *arrays, out=out[key])
    else:

        def piece(key: tuple[slice, ...]) -> None:
            own = [o if a is None else wrap(a, o._dtype) for a, o in zip(parts(key), operands, strict=True)]
            _fill(rule, p, tuple(own), out[key])

    chunks.run_parallel(piece, keys)


def _one_pass(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray) -> Callable | None:
    """NumPy's function, or one that only calls it, if it does all the work: no conversion, no intermediate array."""
    ufunc = rule.ufunc if p.compute._kind == COMPLEX else getattr(rule.ufunc, "on_reals", rule.ufunc)
    kept = np.dtype(bool) if rule.promotion == "bool" else p.compute._in_numpy
    passes_once = isinstance(ufunc, np.ufunc) or getattr(ufunc, "one_pass", False)
    if not passes_once or out.dtype != kept or kept.isbuiltin != 1:
        return None
    if p.compute in HALVES and (rule.via_float32 or rule.exact_scalar):
        return None
    return None if any(isinstance(o, Tensor) and o._dtype is not p.compute for o in operands) else ufunc


def _stretched(operand: Tensor | float, size: tuple[int, ...]) -> np.ndarray | None:
    """The array of an operand that is cut as the result is; None for a single number, which stays whole."""
    if not isinstance(operand, Tensor) or operand._array.size == 1:
        return None
    return operand._array if operand._array.shape == size else np.broadcast_to(operand._array, size)


def _single(operand: float) -> Any:
    """A single number without dimensions, which fits into each row."""
    return operand if not isinstance(operand, Tensor) else wrap(operand._array.reshape(()), operand._dtype)


def _fill(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray) -> np.ndarray:
    """The numbers of a block, or of the whole."""
    small = p.compute in HALVES
    ufunc = rule.ufunc
    if len(operands) == 2 and not isinstance(operands[1], Tensor):
        ufunc = getattr(ufunc, "by_number", ufunc)
        # What is rounded after each step is bfloat16 on its way.
        small &= ufunc is rule.ufunc or p.compute is not dtypes.bfloat16
    exact = small and rule.exact_scalar and _is_single(operands[1])
    widened = exact or small and rule.via_float32
    arrays = arrays_for(operands, p.compute, widened, exact)
    if p.place is not MAIN_MEMORY:
        arrays = [number_of(a) for a in arrays]
    kept = np.dtype(np.float32) if widened else p.result._in_numpy
    loop_dtype = np.dtype(bool) if rule.promotion == "bool" else kept
    # 16-bit floats are rounded to their own dtype before they go into a wider one.
    rounded_first = widened and loop_dtype is kept and out.dtype != p.compute._in_numpy
    if not rounded_first and (out.dtype == loop_dtype or _numpy_may_cast(loop_dtype, out.dtype)):
        quietly(ufunc, *arrays, out=out)
        return out
    result = as_array(quietly(ufunc, *arrays))
    if widened and out.dtype != p.compute._in_numpy:
        result = cast(result, p.compute)
    assign(out, result)
    return out


def _is_single(operand: Tensor | float) -> bool:
    return not isinstance(operand, Tensor) or operand._array.size == 1


def _numpy_may_cast(from_: np.dtype, to: np.dtype) -> bool:
    """Whether a ufunc may cast its result to this dtype itself, with PyTorch's result."""
    return from_.isbuiltin == 1 and to.isbuiltin == 1 and from_.kind == to.kind == "f"


def run_plain(op: Op, operands: tuple, out: Tensor | None = None, rule: Pointwise | None = None) -> Tensor:
    """Run a pointwise call without shortcuts."""
    rule = rule or op.rule
    assert rule is not None
    if rule.check is not None:
        rule.check(op.name, operands)
    if out is not None:
        return _into(rule, operands, out)
    p = _planned(rule, operands) if rule is op.rule else plan(rule, operands)
    if not p.place.has_numbers:
        return wrap_any(empty_array(p.size, p.stride, p.result, p.place), p.result)
    return wrap(execute(rule, p, operands), p.result)


def _planned(rule: Pointwise, operands: tuple, inplace: bool = False) -> Plan:
    """The plan of a call, which is the same for all operands of the same sizes, strides and dtypes in main memory."""
    target = operands[0] if inplace else None
    key: list[Any] = [id(rule), inplace, dtypes.get_default_dtype()]
    for o in operands:
        kind = type(o)
        if kind is float or kind is bool or kind is int and -FAR < o < FAR:
            key.append(kind)
        elif isinstance(o, Tensor) and type(array := o._array) is np.ndarray:
            key += (array.shape, array.strides, o._dtype)
        else:
            return plan(rule, operands, target, inplace)
    known = _PLANS.get(tuple(key))
    if known is not None and known[0] is rule:
        return known[1]
    found = plan(rule, operands, target, inplace)
    if len(_PLANS) >= MOST_PLANS:
        _PLANS.clear()
    _PLANS[tuple(key)] = rule, found
    return found


_PLANS: dict[tuple, tuple[Pointwise, Plan]] = {}
MOST_PLANS = 1024
FAR = 1 << 62
"""Larger whole numbers may have another dtype."""


def _into(rule: Pointwise, operands: tuple, out: Tensor) -> Tensor:
    """A pointwise result written into `out=`, which is resized when it is of another size."""
    check_writable(out)
    check_reads(out, operands)
    p = plan(rule, operands, out, fixed_size=any(o is out for o in operands))
    if out._array.shape != p.size:
        from ..tensor.moving.resizing import resize_output

        # Computed before anything changes: a kernel may still refuse, and what is resized may lie on what is read.
        values = execute(rule, p, operands) if p.place.has_numbers else None
        resize_output(out, p.size, p.stride)
        if values is not None:
            assign(out._array, values)
    elif p.place.has_numbers:
        execute(rule, p, operands, out._array)
    _warn_of_casts(rule, p, operands, out)
    bump_version(out)
    return out


def _warn_of_casts(rule: Pointwise, p: Plan, operands: tuple, target: Tensor) -> None:
    """The result of two numbers has the dtype of the computation before it is written, as in PyTorch."""
    if rule.promotion == "bool" and p.compute._kind == COMPLEX and len(operands) > 1:
        if target._dtype._kind in (INTEGER, FLOAT) and 0 not in p.size:
            warn_of_lost_part()


def run_inplace(op: Op, operands: tuple, rule: Pointwise | None = None) -> Tensor:
    """A pointwise result written over its first operand."""
    rule = rule or op.rule
    assert rule is not None
    target = operands[0]
    if rule.check is not None:
        rule.check(op.name + "_", operands)
    check_writable(target)
    in_order = check_reads(target, operands[1:])
    p = _planned(rule, operands, True) if rule is op.rule else plan(rule, operands, target, fixed_size=True)
    if p.place.has_numbers:
        array = target._array
        if in_order and p.place is MAIN_MEMORY:
            fill_in_order(array, operands, lambda own, out: _fill(rule, p, own, out))
        elif array.flags.forc or not geometry.rows_share(array.shape, array.strides):
            execute(rule, p, operands, array)
        else:
            _row_by_row(rule, p, operands, array)
    _warn_of_casts(rule, p, operands, target)
    bump_version(target)
    return target


def _row_by_row(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray) -> None:
    """Overlapping rows are computed one after the other: each reads what the earlier ones wrote, as in PyTorch."""
    whole = [_stretched(o, p.size) for o in operands]
    for at in _rows(out, whole):
        own = [_single(o) if a is None else wrap(a[at], o._dtype) for a, o in zip(whole, operands, strict=True)]
        _fill(rule, p, tuple(own), out[at])


def _rows(out: np.ndarray, operands: list) -> Iterator[tuple]:
    """The rows of an array, in the order in which memory is walked."""
    outer = geometry.walk(out.shape, out.strides, *[a.strides for a in operands if a is not None])[:-1]
    for places in np.ndindex(*[out.shape[d] for d in outer]):
        key: list[Any] = [slice(None)] * out.ndim
        for d, place in zip(outer, places, strict=True):
            key[d] = place
        yield tuple(key)


def fill_in_order(out: np.ndarray, operands: tuple, fill: Callable[[tuple, np.ndarray], Any]) -> None:
    """Fill an array that operands read too, in the order in which PyTorch does: what was written already is read.

    >>> x = np.array([[1, 2, 3]])
    >>> fill_in_order(x, (wrap(x[:, :1], dtypes.int64),), lambda own, out: np.add(out, own[0]._array, out))
    >>> x.tolist()
    [[2, 4, 5]]
    """
    whole = [np.broadcast_to(o._array, out.shape) if isinstance(o, Tensor) else None for o in operands]
    if _apart(out, whole):
        fill(operands, out)
        return
    for at in _rows(out, whole):
        row = out[at]
        own = [None if a is None else a[at] for a in whole]
        for s in _independent(row, own):
            parts = [o if a is None else wrap(a[s], o._dtype) for a, o in zip(own, operands, strict=True)]
            fill(tuple(parts), row[s])


def fill_rows(out: np.ndarray, values: np.ndarray) -> None:
    """Fill an array with numbers that lie elsewhere. Rows that lie on top of each other are filled in PyTorch's order.

    >>> x = np.zeros(4)
    >>> fill_rows(np.lib.stride_tricks.as_strided(x, (2, 3), (8, 8)), np.array([1, 2, 3]))
    >>> x.tolist()
    [1.0, 2.0, 3.0, 3.0]
    """
    size, step = out.shape, out.strides
    usual = len(size) == 2 and step[0] >= size[1] * step[1]  # rows of a matrix, one after the other
    if usual or not geometry.rows_share(size, step):
        assign(out, values)
        return
    whole = np.broadcast_to(values, out.shape)
    for at in _rows(out, [whole]):
        assign(out[at], whole[at])


STEPS: Any = 10_000
"""How many steps may be spent on finding out whether two views share an element."""


def _apart(out: np.ndarray, operands: list) -> bool:
    """Whether it is certain that no element is read at another place than it is written, as of two ends of a tensor."""
    try:
        return not any(np.shares_memory(a, out, STEPS) for a in operands if a is not None and not _same_place(a, out))
    except np.exceptions.TooHardError:
        return False


def _independent(row: np.ndarray, own: list) -> list[Any]:
    """A row cut into parts, none of which reads what it has written itself.

    PyTorch takes 64 bytes at once where a row lies together and the other operand is one number, which it reads first.
    """
    if not row.ndim:
        return [()]
    others = [a for a in own if a is not None and not _same_place(a, row) and np.shares_memory(a, row)]
    if not others:
        return [slice(None)]
    n, step, size = len(row), row.strides[0], row.itemsize
    if len(others) > 1 or others[0].strides[0]:
        return [slice(i, i + 1) for i in range(n)]
    at_once = n - n % (64 // size) if step == size else 0
    read = (_address(others[0]) - _address(row)) // step
    cut = at_once if read < at_once else read + 1
    return [slice(0, cut), slice(cut, n)] if 0 < cut < n else [slice(None)]


def _same_place(a: np.ndarray, b: np.ndarray) -> bool:
    return _address(a) == _address(b) and a.strides == b.strides


def _address(array: np.ndarray) -> int:
    return array.__array_interface__["data"][0]  # type: ignore[no-any-return]


__all__ = ["execute", "fill_in_order", "fill_rows", "run_inplace", "run_plain"]
