"""How is an activation with numbers of its own declared, such as the slope of a leaky relu?"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Signature, signature
from typing import Any

import numpy as np

from .... import geometry
from ....backends.numpy import chunks
from ....backends.numpy.without_warnings import quietly
from ....declare.rules import Answer, Result, compute, computed_row
from ....dispatch import stations
from ....dispatch.registry import OPS, Op, add_row
from ....errors.reasons import refuse
from ....tensor.lookups import size_and_stride
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.scalars import check_fits
from ....tensor.tensor import Tensor
from ....tensor.write_checks import check_writable
from ....types.cpp_names import cpp_name
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import dtype, opmath
from ...pointwise.prepared import REAL_FRACTIONS

Curve = Callable[..., Any]
"""A function of one array or of several, and of numbers, such as ``leaky_relu(x, slope)``."""


def fill_elementwise(target: np.ndarray, curve: Curve, wide: np.dtype, numbers: tuple, *arrays: np.ndarray) -> None:
    """Write a function of each element. Large arrays are cut, so that the steps of the function stay in the cache."""
    if not target.ndim:
        target, arrays = target.reshape(1), tuple([a.reshape(1) for a in arrays])

    def part(key: tuple[int, ...]) -> None:
        values = [a[key] for a in arrays]
        result = curve(*[v if v.dtype == wide else v.astype(wide) for v in values], *numbers)
        np.copyto(target[key], result, casting="unsafe")

    if target.size <= PIECE:
        quietly(part, ())
    else:
        chunks.run_parallel(lambda key: quietly(part, key), chunks.cuts(target.shape, target.strides, PIECE))


PIECE = 1 << 15
"""Elements in a piece: each step of a curve is one call of NumPy for a piece, and its temporary arrays stay in the
second cache."""


def elementwise(
    name: str, words: str, curve: Curve, *aliases: str, stub: str, domain: frozenset[dtype] = REAL_FRACTIONS,
    contiguous: bool = False, preserves: bool = False, leading: tuple[int, ...] | None = None,
    own_numbers: bool = False, late_overlap: bool = False,
) -> Callable[[Callable[..., tuple]], Callable[..., Answer]]:  # fmt: skip
    """Declare an activation. The decorated function returns the numbers of the curve, from its arguments.

    The first arguments are tensors of one size and one dtype: those of the function that have no default. The result
    has the order of their dimensions, unless it is declared contiguous: of the tensors that are `leading`, and where
    they differ, of the first. It `preserves` the strides as `empty_like` does where PyTorch makes it so. Numbers have
    to fit the dtype in which PyTorch computes, or with `own_numbers` that of the tensor. In place, elements that
    overlap are refused before the dtype, but for `late_overlap`.
    """

    def declare(numbers: Callable[..., tuple]) -> Callable[..., Answer]:
        shown = signature(numbers)
        tensors = [p.name for p in shown.parameters.values() if p.annotation == "Tensor"]
        count, called = len(tensors), {"nn.functional.logsigmoid": "log_sigmoid"}.get(name, name.rpartition(".")[2])

        def answer(over: str, args: tuple, named: dict[str, Any]) -> Answer:
            bound, said = shown.bind(*args, **named), over or called
            operands = [must_be_tensor(said, bound.arguments[t], t, i + 1) for i, t in enumerate(tensors[:count])]
            given = numbers(*bound.args, **bound.kwargs)
            d = operands[0]._dtype
            if over and not late_overlap:
                check_writable(operands[0])
            if d not in domain:
                refuse_dtype(stub, d)
            for number in given:
                if isinstance(number, (int, float, complex)):
                    check_fits(number, d if own_numbers else opmath(d))
            size, layouts = operands[0]._array.shape, [size_and_stride(operands[i]) for i in leading or range(count)]
            _check_alike(operands)
            stride = None if contiguous else geometry.pointwise_stride(size, layouts)
            if preserves:
                stride = geometry.preserve_stride(*layouts[0])
            return Result(size, d, stride), (curve, opmath(d)._in_numpy, given, *[t._array for t in operands])

        def rule(*args: Any, **named: Any) -> Answer:
            return answer("", args, named)

        _ANSWERS[name] = answer
        CURVES[name] = curve, numbers
        rule.__signature__ = Signature(list(shown.parameters.values()))  # type: ignore[attr-defined]
        rule.__qualname__ = rule.__name__ = name.rpartition(".")[2]
        rule.__module__ = numbers.__module__
        declared = computed_row(
            name, words, fill_elementwise, *aliases, family="pointwise", category="nn", forms="function",
            out="Found dtype {Got} but expected {Wanted}",
        )  # fmt: skip
        return declared(rule)

    return declare


CURVES: dict[str, tuple[Curve, Callable[..., tuple]]] = {}
"""The curve of each activation by its name, and what says the numbers of the curve from the arguments of a call."""

_ANSWERS: dict[str, Callable[[str, tuple, dict[str, Any]], Answer]] = {}
"""What each activation answers, by its name; the form that writes over its input says its own name first."""


def _check_alike(operands: list[Tensor]) -> None:
    """Refuse tensors of other dtypes than the first."""
    first = operands[0]
    for other in operands[1:]:
        if other._dtype is not first._dtype:
            one, two = cpp_name(first._dtype, "").lower(), cpp_name(other._dtype, "").lower()
            refuse(
                RuntimeError,
                f"Found dtype {two} but expected {one}",
                "the operands of an activation have one dtype",
                f"x.to({first._dtype})",
                rule="pointwise.dtype",
            )


def in_place(name: str, of: str, *aliases: str) -> None:
    """Declare the form that writes over its input, which PyTorch has as a function and not as a method."""
    native, answer, said = OPS[of], _ANSWERS[of], name.rpartition(".")[2]

    def over(input: Tensor, *args: Any, **named: Any) -> Tensor:
        return compute(native.kernel, answer(said, (input, *args), named), input)  # type: ignore[arg-type]

    over.__signature__ = signature(native.rule)  # type: ignore[attr-defined]
    words = f"In-place form of `{of.rpartition('.')[2]}`."
    row = Op(name, "inplace", "nn", words, aliases=aliases, forms=frozenset(("function",)))
    row.rule, row.kernel = native.rule, native.kernel
    stations.bind(add_row(row), over)
