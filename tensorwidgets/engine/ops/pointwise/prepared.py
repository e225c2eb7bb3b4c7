"""Declares pointwise ops whose kernel depends on further arguments, such as the decimals of `round`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ...declare.pointwise_calls import named_inplace
from ...declare.pointwise_runs import execute, run_inplace, run_plain
from ...dispatch import stations
from ...dispatch.registry import Op, add_row
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.write_checks import check_writable
from ...types.dtypes import HALVES
from .rows import FLOATS, INPLACE

REAL_FRACTIONS = FLOATS | HALVES


def stepwise(function: Callable) -> Callable:
    """Make a kernel from a function of arrays and `out` that computes in several steps, with `out` as scratch space."""

    def compute(*arrays: np.ndarray, out: Any = None) -> Any:
        if out is not None and out.dtype == arrays[0].dtype:
            return function(*arrays, out)
        outcome = function(*arrays, None)
        if out is None:
            return outcome
        np.copyto(out, outcome, casting="unsafe")
        return out

    compute.__name__ = function.__name__.strip("_")
    return compute


def prepared(
    name: str, words: str, *aliases: str, inplace: bool = True, category: str = "pointwise",
    method: bool = True, quick: Callable[..., Tensor | None] | None = None,
) -> Callable[[Callable], Callable]:  # fmt: skip
    """Declare a pointwise op by a function that turns its arguments into operands and a `Pointwise` rule.

    The function receives the name of the form (`clamp` or `clamp_`) before the arguments. It is the row's rule: from
    what it returns, `plan` knows size, stride and dtype, and `execute` computes. Where there is a `quick` way, it is
    asked first, and returns None for anything unusual.
    """

    def declare(prepare: Callable) -> Callable:
        forms = frozenset(("function", "method") if method else ("function",))
        op = Op(name, "pointwise", category, words, rule=prepare, kernel=execute, aliases=aliases)
        op.forms = forms
        add_row(op)

        def plain(*args: Any, out: Tensor | None = None, **named: Any) -> Tensor:
            if quick is not None and out is None:
                result = quick(*args, **named)
                if result is not None:
                    return result
            operands, rule = prepare(name, *args, **named)
            return run_plain(op, operands, out, rule)

        def write_over(*args: Any, **named: Any) -> Tensor:
            if quick is not None and args:
                result, target = quick(*args, **named), args[0]
                if result is not None:  # which has the dtype and the size of a plain tensor
                    check_writable(target)
                    target._array[...] = result._array
                    bump_version(target)
                    return target
            operands, rule = prepare(name + "_", *args, **named)
            return run_inplace(op, operands, rule)

        if inplace:
            INPLACE[name + "_"] = named_inplace(op, write_over)
        return stations.bind(op, plain)

    return declare


__all__ = ["REAL_FRACTIONS", "prepared", "stepwise"]
