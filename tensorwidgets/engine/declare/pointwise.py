"""How a pointwise op runs: plan the result by arithmetic, allocate it, let NumPy fill it.

`plan` knows size, stride and dtype without touching a number; the real call, `out=`, in-place forms and meta tensors
all go by it. The wrappers at the end are the fast way in for plain tensors.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import geometry
from ..backends.numpy import chunks, transpose_tiles
from ..backends.numpy.casts import cast, number_array
from ..backends.numpy.chunks import FROM, THREADED
from ..backends.numpy.contiguous_ufunc import apply_contiguous
from ..backends.numpy.without_warnings import quietly, run
from ..dispatch import registry, stations
from ..dispatch.called_as import called_method
from ..dispatch.registry import Op
from ..dispatch.stations import long_route, publish
from ..errors.reasons import Reason, refuse
from ..errors.warnings import warn_of_lost_part
from ..memory import MAIN_MEMORY, Place
from ..tensor.must_be_tensor import must_be_tensor
from ..tensor.tensor import Tensor, _new, bump_version, empty_array, place_of, size_and_stride, wrap, wrap_any
from ..tensor.write_checks import check_cast, check_reads, check_same_size, check_writable
from ..types import dtypes
from ..types.dtypes import COMPLEX, FLOAT, HALVES, INTEGER, dtype
from ..types.promotion import combine, dtype_of_number

_ndarray = np.ndarray
_asarray = np.asarray
_BOOL = np.dtype(bool)


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
    same_out: bool = False
    """Whether `out=` must have the dtype of the result."""
    numbers_have_strides: bool = True
    """Whether a number operand takes part in the choice of strides, as a 0-dim tensor does."""
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
    from ..types.promotion import promote_types

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
    refuse(
        NotImplementedError,
        f"\"{rule.stub}\" not implemented for '{d._type_name}'",
        f"PyTorch has no kernel for {d} here, so there are no numbers to agree with",
        "x.long()" if d is dtypes.bool_ else "x.float()",
        rule="pointwise.dtype",
        dtype=d,
    )


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
        if rule.same_out and target._dtype is not (compute if target._dtype._kind == COMPLEX else result):
            _refuse_other_dtype(compute if target._dtype._kind == COMPLEX else result, target._dtype)
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
    else:
        stride = geometry.pointwise_stride(size, layouts)
    return Plan(compute, result, size, stride, place)


def _refuse_other_dtype(result: dtype, value: dtype) -> None:
    refuse(
        RuntimeError,
        f"Found dtype {value._type_name} but expected {result._type_name}",
        f"this op does not convert on its way to out=: the result is of {result}",
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
    if out.size >= FROM and not _may_refuse(rule, p):
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
        keys = chunks.cuts(p.size, out.strides, chunks.elements_per_piece(out.size) if ufunc else chunks.PIECE)

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


def _one_pass(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray) -> np.ufunc | None:
    """NumPy's function, if it does all the work: no conversion and no intermediate array."""
    ufunc = rule.ufunc if p.compute._kind == COMPLEX else getattr(rule.ufunc, "on_reals", rule.ufunc)
    kept = np.dtype(bool) if rule.promotion == "bool" else p.compute._in_numpy
    if not isinstance(ufunc, np.ufunc) or out.dtype != kept or kept.isbuiltin != 1:
        return None
    if p.compute in HALVES and (rule.via_float32 or rule.exact_scalar):
        return None
    return None if any(isinstance(o, Tensor) and o._dtype is not p.compute for o in operands) else ufunc


def _stretched(operand: Any, size: tuple[int, ...]) -> np.ndarray | None:
    """The array of an operand that is cut as the result is; None for a single number, which stays whole."""
    if not isinstance(operand, Tensor) or operand._array.size == 1:
        return None
    return operand._array if operand._array.shape == size else np.broadcast_to(operand._array, size)


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
    kept = np.dtype(np.float32) if widened else p.result._in_numpy
    loop_dtype = np.dtype(bool) if rule.promotion == "bool" else kept
    if out.dtype == loop_dtype or _numpy_may_cast(loop_dtype, out.dtype):
        quietly(ufunc, *arrays, out=out)
        return out
    result = np.asarray(quietly(ufunc, *arrays))
    if widened and out.dtype != p.compute._in_numpy:
        result = cast(result, p.compute)
    from ..backends.numpy.casts import assign

    assign(out, result)
    return out


def _is_single(operand: Any) -> bool:
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
    p = plan(rule, operands)
    if not p.place.has_numbers:
        return wrap_any(empty_array(p.size, p.stride, p.result, p.place), p.result)
    return wrap(execute(rule, p, operands), p.result)


def _into(rule: Pointwise, operands: tuple, out: Tensor) -> Tensor:
    """A pointwise result written into `out=`, which is resized when it is of another size."""
    check_writable(out)
    check_reads(out, operands)
    p = plan(rule, operands, out, fixed_size=any(o is out for o in operands))
    if out._array.shape != p.size:
        from ..backends.numpy.casts import assign
        from ..tensor.resizing import resize_output

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
    check_reads(target, operands[1:])
    p = plan(rule, operands, target, fixed_size=True)
    if p.place.has_numbers:
        array = target._array
        if array.flags.forc or not geometry.rows_share(array.shape, array.strides):
            execute(rule, p, operands, array)
        else:
            _row_by_row(rule, p, operands, array)
    _warn_of_casts(rule, p, operands, target)
    bump_version(target)
    return target


def _row_by_row(rule: Pointwise, p: Plan, operands: tuple, out: np.ndarray) -> None:
    """Overlapping rows are computed one after the other: each reads what the earlier ones wrote, as in PyTorch."""
    whole = [_stretched(o, p.size) for o in operands]
    outer = geometry.walk(out.shape, out.strides)[:-1]
    for places in np.ndindex(*[out.shape[d] for d in outer]):
        key: list[Any] = [slice(None)] * out.ndim
        for d, place in zip(outer, places, strict=True):
            key[d] = place
        at = tuple(key)
        own = [o if a is None else wrap(a[at], o._dtype) for a, o in zip(whole, operands, strict=True)]
        _fill(rule, p, tuple(own), out[at])


# -- the fast way in ---------------------------------------------------------------------------------------------


def operand(op_name: str, value: Any, position: int, name: str = "other", numbers: bool = True) -> Any:
    """An argument as a tensor or a number, or PyTorch's refusal."""
    if isinstance(value, Tensor) or numbers and isinstance(value, (bool, int, float, complex)):
        return value
    if numbers and isinstance(value, np.generic):
        return value.item()
    method = called_method()
    if method is not None:
        op_name, position = method, 1
    return must_be_tensor(op_name, value, name, position, f"{op_name} works on tensors" + " and numbers" * numbers)


ONE_WAY = frozenset(("add", "sub", "mul", "div"))
"""Ops whose one signature takes tensors and numbers alike, even two numbers."""


def check_numbers(op_name: str, input: Any, other: Any, either: bool) -> None:
    """Refuse operands of which none is a tensor, or one is neither a tensor nor a number.

    The second operand may be a number, or `either` one. Only floor_divide takes two numbers.
    """
    first, second = isinstance(input, Tensor), isinstance(other, Tensor)
    numbers = (bool, int, float, complex, np.generic)
    if (first or either and isinstance(input, numbers)) and (second or isinstance(other, numbers)):
        if first or second or op_name == "floor_divide":
            return
    called = op_name.replace(".", "_")
    kinds = ", ".join("Tensor" if isinstance(v, Tensor) else type(v).__name__ for v in (input, other))
    ways = [("Tensor", "Tensor"), ("Tensor", "Number")] + [("Number", "Tensor")] * either
    refuse(
        TypeError,
        f"{called}() received an invalid combination of arguments - got ({kinds}), but expected one of:\n"
        + "".join(f" * ({a} input, {b} other, *, Tensor out = None)\n" for a, b in ways),
        f"{op_name} needs at least one tensor" if either else "the first operand has to be a tensor",
        f"torch.{op_name}(torch.tensor({input!r}), …)",
        rule="argument.type",
    )


MISSING = object()
"""Stands for a missing argument: the row reports what is wrong with the call."""


def given(*args: Any) -> tuple:
    """The arguments without those that are missing."""
    return tuple([a for a in args if a is not MISSING])


def bind_unary(op: Op) -> Callable:
    """The wrapper of an op with one operand."""
    rule: Pointwise = op.rule  # type: ignore[assignment]
    ufunc, fast = rule.ufunc, rule.fast
    keep = rule.promotion == "same" or rule.promotion == "float"

    def plain(input: Tensor, *, out: Tensor | None = None) -> Tensor:
        return run_plain(op, (must_be_tensor(op.name, input),), out)

    def call(input: Any = MISSING, *rest: Any, **more: Any) -> Tensor:
        if type(input) is Tensor and not input._keys and not (rest or more) and not registry.watching and keep:
            d = input._dtype
            if d in fast:
                a = input._array
                if a.ndim < 2 and a.size and (a.size < FROM or a.flags.forc):
                    try:
                        r = run(ufunc, a) if a.size < FROM else apply_contiguous(ufunc, a.dtype, a)
                    except RuntimeError:
                        return plain(input)
                    t = _new(Tensor)
                    t._array = r if type(r) is _ndarray else _asarray(r)
                    t._dtype = d
                    t._base = None
                    t._keys = 0
                    return t
                return plain(input)
        return long_route(op, given(input, *rest), more)

    return publish(op, call, plain)


def bind_binary(op: Op, adjust: Callable | None = None) -> Callable:
    """The wrapper of an op with two operands.

    `adjust` handles further keywords: it returns the operands (alpha), or also another rule (rounding_mode).
    """
    rule: Pointwise = op.rule  # type: ignore[assignment]
    ufunc, fast = rule.ufunc, rule.fast
    by_number = getattr(ufunc, "by_number", ufunc)
    result_bool = rule.promotion == "bool"
    takes_numbers = rule.numbers != "none"

    def plain(input: Any, other: Any, *, out: Tensor | None = None, **more: Any) -> Tensor:
        if op.name not in ONE_WAY and rule.numbers != "none":
            check_numbers(op.name, input, other, rule.numbers == "both")
        operands = (
            operand(op.name, input, 1, "input", rule.numbers == "both"),
            operand(op.name, other, 2, "other", rule.numbers != "none"),
        )
        other_row = None
        if more:
            operands, other_row = _adjusted(op, adjust, operands, more)
        return run_plain(op, operands, out, other_row)

    def call(input: Any = MISSING, other: Any = MISSING, *rest: Any, **more: Any) -> Tensor:
        if type(input) is Tensor and not registry.watching and not (rest or more):
            d = input._dtype
            if type(other) is Tensor:
                if other._dtype is d and d in fast and not (input._keys or other._keys):
                    a = input._array
                    b = other._array
                    if (
                        a.ndim < 2
                        and b.ndim < 2
                        and 0 < a.size < FROM
                        and 0 < b.size < FROM
                        or (
                            a.strides == b.strides
                            and a.shape == b.shape
                            and a.flags.forc
                            and a.size
                            and 1 not in a.shape
                        )
                    ):
                        try:
                            if a.size < FROM:
                                r = run(ufunc, a, b)
                            else:
                                r = apply_contiguous(ufunc, _BOOL if result_bool else a.dtype, a, b)
                        except (RuntimeError, ValueError):
                            return plain(input, other)
                        t = _new(Tensor)
                        t._array = r if type(r) is _ndarray else _asarray(r)
                        t._dtype = dtypes.bool_ if result_bool else d
                        t._base = None
                        t._keys = 0
                        return t
            elif (
                takes_numbers
                and (type(other) is int or type(other) is float and d._kind >= FLOAT)
                and d in fast
                and not input._keys
            ):
                a = input._array
                if a.ndim < 2 and a.size and (a.size < FROM or a.flags.forc):
                    try:
                        if a.size < FROM:
                            r = run(by_number, a, other)
                        else:
                            r = apply_contiguous(by_number, _BOOL if result_bool else a.dtype, a, other)
                    except (RuntimeError, OverflowError, ValueError):
                        return plain(input, other)
                    if r.dtype == a.dtype or result_bool:
                        t = _new(Tensor)
                        t._array = r if type(r) is _ndarray else _asarray(r)
                        t._dtype = dtypes.bool_ if result_bool else d
                        t._base = None
                        t._keys = 0
                        return t
        if input is MISSING and other is not MISSING:
            return long_route(op, rest, {**more, "other": other})  # the first operand is named otherwise
        return long_route(op, given(input, other, *rest), more)

    return publish(op, call, plain)


def _adjusted(op: Op, adjust: Callable | None, operands: tuple, more: dict) -> tuple[tuple, Pointwise | None]:
    known: Any = () if adjust is None else adjust.__kwdefaults__
    for name in more:
        if name not in known:
            refuse(TypeError, f"{op.name}() got an unexpected keyword argument '{name}'", rule="argument.unknown")
    assert adjust is not None
    return adjust(op.name, *operands, **more)


def unrelated(a: Tensor, b: Tensor) -> bool:
    """Whether two tensors certainly do not share memory."""
    one = a if a._base is None else a._base
    two = b if b._base is None else b._base
    return one is not two and one._storage is None


def inplace_unary(op: Op) -> Callable:
    """The `_` form of an op with one operand."""

    def plain(input: Tensor) -> Tensor:
        return run_inplace(op, (must_be_tensor(op.name, input),))

    return named_inplace(op, plain)


def inplace_binary(op: Op, adjust: Callable | None = None) -> Callable:
    """The `_` form of an op with two operands."""
    rule: Pointwise = op.rule  # type: ignore[assignment]
    ufunc, fast = rule.ufunc, rule.fast
    by_number = getattr(ufunc, "by_number", ufunc)
    writes_own_kind = rule.promotion != "bool"
    takes_numbers = rule.numbers != "none"

    def plain(input: Tensor, other: Any, **more: Any) -> Tensor:
        operands: tuple = (input, operand(op.name + "_", other, 1, "other", rule.numbers != "none"))
        other_row = None
        if more:
            operands, other_row = _adjusted(op, adjust, operands, more)
        return run_inplace(op, operands, other_row)

    def call(input: Any = MISSING, other: Any = MISSING, *rest: Any, **more: Any) -> Tensor:
        if not (rest or more) and type(input) is Tensor and writes_own_kind and not registry.watching:
            d = input._dtype
            a = input._array
            if not input._keys and d in fast and not input._requires_grad and a.flags.carray and a.size < THREADED:
                kind = type(other)
                if takes_numbers and (kind is int or kind is float and d._kind >= FLOAT):
                    b = other
                elif (
                    kind is Tensor
                    and other._dtype is d
                    and not other._keys
                    and unrelated(input, other)
                    and (other._array.shape == a.shape or other._array.ndim == 0)
                ):
                    b = other._array
                else:
                    return slow(input, other)
                try:
                    run(ufunc if kind is Tensor else by_number, a, b, a)
                except (RuntimeError, OverflowError, ValueError, TypeError):
                    return slow(input, other)
                bump_version(input)
                return input
        return slow(*given(input, other, *rest), **more)

    slow = named_inplace(op, plain)
    call.__name__ = call.__qualname__ = op.name + "_"
    call.__module__ = "tensorwidgets"
    call.__doc__ = slow.__doc__
    return call


def named_inplace(op: Op, plain: Callable, words: str = "") -> Callable:
    """A `_` form as a row of its own, so that it can be routed and recorded."""
    row = Op(
        op.name + "_",
        "inplace",
        op.category,
        words or f"In-place form of `{op.name}`.",
        forms=frozenset(("method",)),
    )
    row.rule, row.kernel = op.rule, op.kernel
    registry.add_row(row)
    return stations.bind(row, plain)


__all__ = [
    "Plan",
    "Pointwise",
    "bind_binary",
    "bind_unary",
    "inplace_binary",
    "inplace_unary",
    "named_inplace",
    "operand",
    "plan",
    "run_plain",
]
