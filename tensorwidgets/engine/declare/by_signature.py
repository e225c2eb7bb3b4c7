"""How the ops that move elements are declared: by PyTorch's own notation of how they are called.

`calls` declares an op by the function that runs it. `overwrites` declares an op that changes some elements of a tensor,
with its in-place form: both have one rule, which checks everything first and returns what is to be written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, NamedTuple

import numpy as np

from .. import geometry
from ..calling.readers import shown_name
from ..calling.reading import Notations
from ..dispatch import stations
from ..dispatch.registry import OPS, Op, add_row
from ..errors.reasons import refuse
from ..memory import place_among
from ..tensor.lookups import size_and_stride
from ..tensor.tensor import Tensor
from ..tensor.versions import bump_version
from ..tensor.write_checks import check_no_internal_overlap, check_no_overlap, check_writable
from ..types.cpp_names import cpp_name
from ..types.dtypes import dtype
from .rules import Answer, Result, Returns, follow
from .views import as_shape

CATEGORY = "indexing_slicing_joining_mutating"


def calls(
    name: str,
    words: str,
    *own_ways: str,
    aliases: tuple[str, ...] = (),
    forms: str = "function method",
    family: str = "gather",
    category: str = CATEGORY,
    kernel: Callable[..., Any] | None = None,
    rule: Callable[..., Answer] | None = None,
    returns: Returns = None,
    out: str | tuple[str, ...] | None = "",
    decided_by: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an op by its rule and its kernel, or, without a kernel, one that is made of other ops.

    The decorated function is given the arguments by PyTorch's names. It is the rule; or it runs the call, where a
    `rule` is named that describes a part of the calls, such as `where` with three arguments. What rules and kernels
    are, and what `returns` and `out` say, is described in `rules`. `own_ways` are the notations of an op that is not in
    PyTorch's table.
    """

    def declare(run: Callable) -> Callable:
        notations = Notations(shown_name(name) if own_ways else name, own_ways)
        function = run if kernel is None or rule is not None else follow(run, kernel, returns, out)

        def plain(*args: Any, **named: Any) -> Any:
            return function(**notations.read(args, named))

        row = Op(name, family, category, words, aliases=aliases, forms=frozenset(forms.split()), decided_by=decided_by)
        row.rule, row.kernel = (None, run) if kernel is None else (rule or run, kernel)
        row.notations = notations
        return stations.bind(add_row(row), plain)

    return declare


def spread(op_name: str, given: tuple, named: dict[str, Any], called: str, position: int = 1) -> tuple[int, ...]:
    """Numbers that may be given one by one, as one sequence, or by name."""
    if not given and called not in named:
        refuse(
            TypeError,
            f'{op_name}() missing 1 required positional arguments: "{called}"',
            f"{op_name} needs the argument {called}",
            rule="argument.missing",
        )
    return as_shape(op_name, given or (named[called],), called, position)


class Writing(NamedTuple):
    """What an op is going to write: its rule, after everything about the arguments has been checked."""

    given: tuple = ()
    """The arguments of the kernel after the array to write into."""
    read: tuple[Any, ...] = ()
    """The tensors that it reads."""


def overwrites(
    name: str,
    words: str,
    kernel: Callable[..., None],
    *,
    check: Callable[..., None] | None = None,
    preserve: bool = False,
    alike: bool = False,
    function: str = "function method",
    category: str = CATEGORY,
) -> Callable[[Callable], Callable]:
    """Declare an op that changes some elements of a copy, and its in-place form.

    The decorated function is called with the name of the form, and returns a `Writing`. `kernel` writes elements of an
    array; before that, `check` reads the numbers that it is given, after the size. The copy is contiguous, or keeps the
    order of its input's dimensions (`preserve`). Some elements may overlap in memory if all are written `alike`.
    """

    def declare(prepare: Callable[..., Writing]) -> Callable:
        def fill(target: np.ndarray, source: np.ndarray, *given: Any) -> None:
            if check is not None:
                check(source.shape, *given)
            if target is not source:
                target[...] = source
            kernel(target, *given)

        def rule(input: Tensor, out: Tensor | None = None, **given: Any) -> Answer:
            size, stride = size_and_stride(input)
            if out is not None:
                same_dtype(out, input._dtype)
                check_no_internal_overlap(out)
            writing = prepare(name, input, **given)
            if out is not None:
                for source in writing.read:
                    check_no_overlap(out, source)
            kept = geometry.preserve_stride(size, stride) if preserve else None
            return Result(size, input._dtype, kept), (input._array, *writing.given)

        def inplace_rule(input: Tensor, **given: Any) -> Answer:
            writing = prepare(name + "_", input, **given)
            check_writable(input, alike)
            for source in writing.read:
                check_no_overlap(input, source)
            return own_result(input), (input._array, *writing.given)

        for function_of_code in (fill, rule, inplace_rule):
            function_of_code.__module__ = prepare.__module__
        calls(name + "_", f"In-place form of `{name}`.", forms="method", family="inplace", category=category)(
            overwriting(inplace_rule, fill)
        )
        OPS[name + "_"].rule, OPS[name + "_"].kernel = inplace_rule, kernel
        return calls(name, words, forms=function, category=category, kernel=fill)(rule)

    return declare


def writes(
    name: str,
    words: str,
    kernel: Callable[..., None],
    *,
    family: str = "inplace",
    category: str = CATEGORY,
    counted: bool = True,
) -> Callable[[Callable], Callable]:
    """Declare an op that writes into its first tensor: by its rule, which checks, and the kernel that writes. PyTorch
    has writes that no version counts.
    """

    def declare(rule: Callable[..., Answer]) -> Callable:
        row = Op(name, family, category, words, rule=rule, kernel=kernel, forms=frozenset(("method",)))
        return stations.bind(add_row(row), overwriting(rule, kernel, counted))

    return declare


def own_result(input: Tensor) -> Result:
    """The result of an op that writes into its first tensor: that tensor, as it is."""
    size, stride = size_and_stride(input)
    return Result(size, input._dtype, stride)


def overwriting(
    rule: Callable[..., Answer], kernel: Callable[..., None], counted: bool = True
) -> Callable[..., Tensor]:
    """The function of an in-place row: the kernel writes into the tensor's own array."""

    @wraps(rule)
    def run(input: Tensor, *args: Any, **named: Any) -> Tensor:
        _, given = rule(input, *args, **named)
        if place_among((input._array, given)).has_numbers:
            kernel(input._array, *given)
        if counted:
            bump_version(input)
        return input

    run.__annotations__ = {**rule.__annotations__, "return": "Tensor"}
    run.__signature__ = signature(rule).replace(return_annotation="Tensor")  # type: ignore[attr-defined]
    return run


# -- results -----------------------------------------------------------------------------------------------------


def same_dtype(out: Tensor | None, d: dtype) -> None:
    """Refuse an `out=` of another dtype, for ops that do not convert on their way to it."""
    if out is not None and out._dtype is not d:
        refuse(
            RuntimeError,
            f"Expected out tensor to have dtype {cpp_name(d)}, but got {cpp_name(out._dtype)} instead",
            f"this op does not convert its result to the dtype of out=: the result is of {d}",
            f"out=torch.empty(0, dtype={d})",
            rule="out.dtype",
            result=d,
            target=out._dtype,
        )


def out_apart(out: Tensor | None, *sources: Tensor) -> None:
    """Refuse an `out=` that overlaps itself or an input."""
    if out is not None:
        check_no_internal_overlap(out)
        for source in sources:
            check_no_overlap(out, source)
