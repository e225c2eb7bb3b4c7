"""How an op that computes numbers is declared: by a rule, which is arithmetic on metadata, and by a kernel.

The rule checks the arguments, and returns the results (size, dtype, stride) together with what the kernel is given.
The kernel fills arrays and knows no tensor. Between them is one function, `compute`: it allocates the results,
writes to `out=`, and makes meta tensors where an array has no numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any, NamedTuple

import numpy as np
from numpy import ndarray

from ..backends.numpy.casts import assign
from ..calling.reading import Notations
from ..dispatch import stations
from ..dispatch.meta import refuse_values
from ..dispatch.registry import OPS, Op, add_row
from ..errors.reasons import refuse
from ..memory import MAIN_MEMORY, Place, owns, place_among
from ..tensor.results import check_out, copies, finish, outs
from ..tensor.tensor import Tensor
from ..tensor.wrapping import empty_array, wrap
from ..types.cpp_names import cpp_name
from ..types.dtypes import dtype
from ..types.return_types import result as named_result
from .pointwise_calls import named_inplace


class Result:
    """A result as a rule describes it: no number is needed for that. The stride is None for row-major order.

    >>> from tensorwidgets.engine.types.dtypes import float32
    >>> Result((2, 3), float32)
    Result((2, 3), torch.float32, None)
    """

    __slots__ = ("size", "dtype", "stride")

    def __init__(self, size: tuple[int, ...], d: dtype, stride: tuple[int, ...] | None = None):
        self.size, self.dtype, self.stride = size, d, stride

    def __repr__(self) -> str:
        return f"Result({self.size}, {self.dtype}, {self.stride})"


class Written(Result):
    """A result that PyTorch makes by writing into it several times, which its version counts."""

    __slots__ = ("writes",)

    def __init__(self, size: tuple[int, ...], d: dtype, stride: tuple[int, ...] | None, writes: int):
        super().__init__(size, d, stride)
        self.writes = writes


class ByValues(NamedTuple):
    """A result of a size that the elements decide; without a dtype, an answer in Python such as True.

    Its kernel has no array to fill: it returns the array, or the answer.
    """

    missing: str
    """PyTorch's name for the kernel that it does not have on `meta`."""
    dtype: dtype | None = None
    stride: Callable[[tuple[int, ...]], tuple[int, ...]] | None = None
    """The strides for the size; None for row-major order."""


class New(NamedTuple):
    """A new tensor that is made in a way of its own, such as on a device that the call names."""

    result: Result
    given: tuple
    """The arguments of the kernel after the array to fill."""
    make: Callable[[Callable[[Any], Any]], Tensor]
    """Makes the tensor; the function that it is given fills an array."""


Answer = tuple[Any, tuple]
"""What a rule returns: a `Result` (or a tuple of them), and the arguments of the kernel after the array to fill.

A `Result` may be a `ByValues` instead. A rule may return a `New` as well.
"""

Named = tuple[str, tuple[str, ...]]
"""The name of an op's named tuple, and the names of its results."""

Returns = Named | str | Callable[[tuple], Any] | None
"""What becomes of several results: a named tuple, a plain one of a type that help shows, or what a function returns."""


def computed_row(
    name: str,
    words: str,
    kernel: Callable[..., Any],
    *aliases: str,
    family: str,
    category: str,
    forms: str = "function method",
    returns: Returns = None,
    out: str | tuple[str, ...] | None = "",
    decided_by: str = "",
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Declare an op by its rule and its kernel; the rule stays what the decorated name refers to.

    The kernel is called with the array to fill, or a tuple of arrays if there are several results, and with the
    arguments that the rule named. `out` says which dtypes `out=` may have, as `check_out` reads it; None: there is no
    `out=`. A rule that looks at `out=` itself has a parameter of this name.
    """

    def declare(rule: Callable[..., Answer]) -> Callable[..., Answer]:
        op = Op(
            name, family, category, words, rule=rule, kernel=kernel, aliases=aliases,
            forms=frozenset(forms.split()), decided_by=decided_by,
        )  # fmt: skip
        if "<locals>" in rule.__qualname__:
            rule.__qualname__ = name.rpartition(".")[2]  # Python names it when arguments do not fit
        stations.bind(add_row(op), follow(rule, kernel, returns, out))
        return rule

    return declare


def follow(
    rule: Callable[..., Answer | New],
    kernel: Callable[..., Any],
    returns: Returns = None,
    out: str | tuple[str, ...] | None = "",
) -> Callable:
    """The function that does as a rule says."""
    shown, loose = _shown(rule, returns, out), out or ""
    place = _place(shown, "out") if "out" in signature(rule).parameters else None

    if out is None:

        def plain(*args: Any, **named: Any) -> Any:
            return compute(kernel, rule(*args, **named), None, "", returns)
    elif place is None:

        def plain(*args: Any, out: Any = None, **named: Any) -> Any:
            answer = rule(*args, **named)
            if out is None and not isinstance(answer, New):
                # What `compute` does for one new result in main memory, which saves a call.
                result, given = answer
                if type(result) is Result and place_among(given) is MAIN_MEMORY and not result.dtype._is_quantized:
                    array = empty_array(result.size, result.stride, result.dtype)
                    other = kernel(array, *given)
                    return wrap(array if other is None else other, result.dtype)
            return compute(kernel, answer, out, loose, returns)
    else:

        def plain(*args: Any, out: Any = None, **named: Any) -> Any:
            if out is not None:
                return compute(kernel, rule(*args, out=out, **named), out, loose, returns)
            answer = rule(*args, **named)
            if len(args) <= place and not isinstance(answer, New):
                result, given = answer
                if type(result) is Result and place_among(given) is MAIN_MEMORY and not result.dtype._is_quantized:
                    array = empty_array(result.size, result.stride, result.dtype)
                    other = kernel(array, *given)
                    return wrap(array if other is None else other, result.dtype)
            return compute(kernel, answer, args[place] if len(args) > place else None, loose, returns)

    plain.__signature__ = shown  # type: ignore[attr-defined]
    plain.__qualname__ = plain.__name__ = rule.__qualname__
    plain.__module__ = rule.__module__
    plain.__annotations__ = {"return": _told(returns) or "Any"}
    return plain


def _shown(rule: Callable, returns: Any, out: Any) -> Signature:
    """The signature of a row: its rule's, with `out=`."""
    own = signature(rule)
    parameters = [*own.parameters.values()]
    if out is not None and "out" not in own.parameters:
        last = len(parameters) - (bool(parameters) and parameters[-1].kind is Parameter.VAR_KEYWORD)
        annotation = "Tensor | None" if returns is None else "Any"
        parameters.insert(last, Parameter("out", Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
    return Signature(parameters, return_annotation=_told(returns) or Signature.empty)


def _told(returns: Returns) -> str:
    """What help shows as the type of the results; nothing where that follows from their number."""
    if callable(returns):
        told: str = getattr(returns, "__annotations__", {}).get("return", "")
        return told if told.startswith("tuple[") else ""
    return returns if isinstance(returns, str) else ""


def _place(function: Signature, name: str) -> int:
    """Which argument by position a parameter is; for a keyword-only one, more than there can be."""
    names = [p.name for p in function.parameters.values() if p.kind is Parameter.POSITIONAL_OR_KEYWORD]
    return names.index(name) if name in names else len(names) + 1


def compute(
    kernel: Callable[..., Any],
    answer: Answer | New,
    out: Tensor | None = None,
    loose: str | tuple[str, ...] = "",
    returns: Returns = None,
) -> Any:
    """Allocate what a rule describes, and let the kernel fill it; without numbers it is not called.

    A kernel that cannot fill an array returns others to use instead.
    """
    if isinstance(answer, New):
        return answer.make(lambda array: kernel(array, *answer.given))
    results, given = answer
    place = place_among(given)
    if type(results) is Result:
        d = results.dtype
        if out is None and place.has_numbers and not d._is_quantized:
            array = empty_array(results.size, results.stride, d, place)
            other = kernel(array, *given)
            return wrap(array if other is None else other, d)
        if out is not None:
            check_out(d, out, loose)  # type: ignore[arg-type]
        return finish(results.size, d, out, lambda target: kernel(target, *given), place, results.stride)
    if type(results) is Written:
        plain = Result(results.size, results.dtype, results.stride)
        tensor = compute(kernel, (plain, given), out, loose)
        if out is None:
            tensor._writes = results.writes
        return tensor
    if type(results) is ByValues:
        if results.dtype is None and place.has_numbers:
            return kernel(*given)
        return _by_values(kernel, (results,), given, place, (out,))[0]
    if results and type(results[0]) is ByValues:
        values = _by_values(kernel, results, given, place, outs(out, len(results)))
        return returns(values) if callable(returns) else values
    return _several(kernel, results, given, place, outs(out, len(results)), loose, returns)


def _several(
    kernel: Callable[..., Any],
    results: tuple[Result, ...],
    given: tuple,
    place: Place,
    out: tuple,
    loose: str | tuple[str, ...],
    returns: Returns,
) -> Any:
    """Results that one kernel fills together; those that go to `out=` are copied when all are computed."""
    for i, each in enumerate(results):
        check_out(each.dtype, out[i], loose if isinstance(loose, str) else loose[i])
    arrays: Any = results
    if place.has_numbers:
        arrays = tuple([empty_array(each.size, each.stride, each.dtype, place) for each in results])
        arrays = kernel(arrays, *given) or arrays
    tensors = []
    for each, array, target in zip(results, arrays, out, strict=True):
        if target is None and place.has_numbers:
            tensors.append(wrap(array, each.dtype))
        else:
            size = array.shape if place.has_numbers else each.size
            tensors.append(finish(size, each.dtype, target, copies(array), place, each.stride))
    if returns is None or isinstance(returns, str):
        return tuple(tensors)
    if callable(returns):
        return returns(tuple(tensors))
    name, fields = returns
    return named_result(name if out[0] is None else f"{name}_out", fields, tuple(tensors))


def _by_values(
    kernel: Callable[..., Any], results: tuple[ByValues, ...], given: tuple, place: Place, out: tuple
) -> tuple[Any, ...]:
    """Results whose sizes the kernel finds, in the arrays that it returns; refused where there are no numbers."""
    if not place.has_numbers:
        refuse_values(results[0].missing)
    values = kernel(*given)
    if len(results) == 1:
        values = (values,)
    return tuple([_delivered(*each, place) for each in zip(values, results, out, strict=True)])


def _delivered(value: ndarray, result: ByValues, out: Tensor | None, place: Place) -> Any:
    """A tensor of what a kernel found: its array itself, if that has the strides of the result, or a copy."""
    d, size = result.dtype, value.shape
    assert d is not None
    if out is None and result.stride is None and value.dtype == d._in_numpy and place is MAIN_MEMORY:
        if value.size and 1 not in size and value.flags.c_contiguous and owns(value):
            return wrap(value, d)
    stride = None if result.stride is None else result.stride(size)
    return finish(size, d, out, lambda target: assign(target, value), place, stride)


def chosen(target: np.ndarray, kernel: Callable[..., Any], *given: Any) -> None:
    """The kernel of a row whose rule chooses one among several, and names it first."""
    kernel(target, *given)


def store(targets: tuple[np.ndarray, ...], values: tuple) -> None:
    """Write what a library returns into the results, with their strides and in their dtypes."""
    for target, value in zip(targets, values, strict=True):
        np.copyto(target, value, casting="unsafe")


def written_over(name: str) -> Callable:
    """Declare the `_` form of a row: its result is written over the first tensor, whose size and dtype it must have."""
    op = OPS[name]
    takes_out = "out" in signature(op.rule).parameters

    def over(input: Tensor, *args: Any, **named: Any) -> Tensor:
        if takes_out:
            named["out"] = input
        answer = op.rule(input, *args, **named)
        _check_fits(name, input, answer[0])
        return compute(op.kernel, answer, input)

    return named_inplace(op, over)


def _check_fits(name: str, input: Tensor, result: Result) -> None:
    if input._array.shape != result.size:
        refuse(
            RuntimeError,
            f"Bad in-place call: input tensor size {list(input._array.shape)} and output tensor size "
            f"{list(result.size)} should match",
            "an in-place operation cannot change the size of the tensor that it writes to",
            f"x = x.{name}(…), which makes a new tensor",
            rule="write.size",
        )
    if input._dtype is not result.dtype:
        refuse(
            RuntimeError,
            f"Bad in-place call: input tensor dtype {cpp_name(input._dtype)} and output tensor dtype "
            f"{cpp_name(result.dtype)} should match",
            f"the tensor is of {input._dtype}, and a tensor keeps its dtype",
            f"x = x.{name}(…), which makes a new tensor",
            rule="write.dtype",
        )


def composite_row(
    name: str,
    words: str,
    *aliases: str,
    family: str,
    category: str,
    forms: str = "function method",
    notation: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an op that calls other ops and computes nothing itself: its rule is theirs.

    `notation` says how it is called if PyTorch's table does not.
    """

    def declare(run: Callable) -> Callable:
        op = Op(name, family, category, words, kernel=run, aliases=aliases, forms=frozenset(forms.split()))
        if notation:
            op.notations = Notations(name, (notation,))
        return stations.bind(add_row(op), run)

    return declare
