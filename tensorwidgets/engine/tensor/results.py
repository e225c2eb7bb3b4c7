"""Allocate the result of an op, or resize `out=`, and let the kernel fill it.

Only this file decides where a result is, and whether it has numbers: as the place of the operands says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..backends.numpy.casts import assign
from ..errors.reasons import refuse
from ..memory import Place
from ..types.cpp_names import cpp_name
from ..types.dtypes import COMPLEX, FLOAT, dtype, refuse_quantized
from ..types.promotion import can_cast
from .moving.resizing import resize_output
from .tensor import Tensor
from .versions import bump_version
from .wrapping import empty_array, place_of, wrap_any
from .write_checks import check_cast, check_writable


def finish(
    size: tuple[int, ...],
    d: dtype,
    out: Tensor | None,
    fill: Callable[[Any], None],
    place: Place,
    stride: tuple[int, ...] | None = None,
) -> Tensor:
    """Allocate the result by its rule (contiguous if no stride is given) and let the kernel fill it.

    `place` is where the operands are; without numbers there, the kernel does not run.
    """
    if d._is_quantized:
        refuse_quantized(d)
    if out is not None:
        return _into(out, size, d, fill, place, stride)
    array = empty_array(size, stride, d, place)
    if place.has_numbers:
        fill(array)
    return wrap_any(array, d)


def _into(
    out: Tensor,
    size: tuple[int, ...],
    d: dtype,
    fill: Callable[[Any], None],
    place: Place,
    stride: tuple[int, ...] | None,
) -> Tensor:
    """Write a result into `out=`, resized to fit. The kernel may raise, so it runs before any change of size."""
    check_cast(d, out._dtype)
    fits = out._array.shape == size
    check_writable(out, alike=not fits)
    if fits and place.has_numbers and out._array.dtype == d._in_numpy:
        fill(out._array)
        bump_version(out)
        return out
    values = None
    if place.has_numbers:
        values = place.empty(size, d._in_numpy)
        fill(values)
    if not fits:
        resize_output(out, size, stride)
    if values is not None:
        assign(out._array, values)
    bump_version(out)
    return out


def copies(value: np.ndarray) -> Callable[[np.ndarray], None]:
    """What fills a result with numbers that are known already."""
    return lambda target: np.copyto(target, value)


def copy_to(out: Tensor | None, value: Tensor, loose: str = "") -> Tensor:
    """The result of other ops, copied to `out=` if that is given."""
    if out is None:
        return value
    check_out(value._dtype, out, loose)
    source = value._array
    return finish(source.shape, value._dtype, out, copies(source), place_of(value))


def outs(out: Any, count: int) -> tuple:
    """The tensors of an `out=` for several results."""
    if out is None:
        return (None,) * count
    if not isinstance(out, (tuple, list)) or len(out) != count:
        held = len(out) if isinstance(out, (tuple, list)) else 1
        refuse(
            TypeError,
            f"expected tuple of {count} elements but got {held}",
            f"this op has {count} results, and each needs a tensor",
            rule="out.count",
        )
    return tuple(out)


_KINDS = {"complex": (COMPLEX,), "fraction": (FLOAT,), "inexact": (FLOAT, COMPLEX)}


def check_out(d: dtype, out: Tensor | None, loose: str) -> None:
    """Refuse an `out=` of another dtype than the op writes.

    Without words, `out=` may be of any dtype that the result can be cast to, which is checked when it is written.
    "same" asks for the dtype of the result, and so does a message with places for both dtypes: {wanted} and {got} as C
    names them, or {Wanted} and {Got}. A message after "complex|", "fraction|" or "inexact|" asks only for that kind.
    Words such as "torch.geqrf/tau" name an op and its result, which is safely castable to a wider dtype.
    """
    if out is None or not loose or out._dtype is d:
        return
    if loose == "same":
        loose = "Expected out tensor to have dtype {wanted}, but got {got} instead"
    if " " in loose:
        kind, _, message = loose.rpartition("|")
        if out._dtype._kind in _KINDS.get(kind, ()):
            return
        message = message.format(
            wanted=cpp_name(d), got=cpp_name(out._dtype), Wanted=d._type_name, Got=out._dtype._type_name
        )
    elif can_cast(d, out._dtype):
        return
    else:
        name, argument = loose.split("/")
        message = (
            f"{name}: Expected {argument} to be safely castable from {d._type_name} dtype, "
            f"but got {argument} with dtype {out._dtype._type_name}"
        )
    refuse(
        RuntimeError,
        message,
        f"the result is of {d}",
        f"out=torch.empty(0, dtype={d})",
        rule="out.dtype",
        result=d,
        target=out._dtype,
    )
