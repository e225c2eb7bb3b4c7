"""How an op that computes numbers is declared: by a rule, which is arithmetic on metadata, and by a kernel.

The rule checks the arguments, and returns the results (size, dtype, stride) together with what the kernel is given.
The kernel fills arrays and knows no tensor. Between them stands one function, `compute`: it allocates the results,
writes to `out=`, and makes meta tensors where an array has no numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

import numpy as np

from ..dispatch import stations
from ..dispatch.registry import Op, add_row
from ..errors.reasons import refuse
from ..memory import MAIN_MEMORY, Place, place_among
from ..tensor.results import finish
from ..tensor.tensor import Tensor, empty_array, wrap
from ..types.cpp_names import cpp_name
from ..types.dtypes import dtype
from ..types.promotion import can_cast
from ..types.return_types import result as named_result


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


Answer = tuple[Any, tuple]
"""What a rule returns: a `Result` (or a tuple of them), and the arguments of the kernel after the array to fill."""

Named = tuple[str, tuple[str, ...]]
"""The name of an op's named tuple, and the names of its results."""


def computed_row(
    name: str,
    words: str,
    kernel: Callable[..., None],
    *aliases: str,
    family: str,
    category: str,
    forms: str = "function method",
    shown: str = "",
    returns: Named | None = None,
    out: str | tuple[str, ...] | None = "",
) -> Callable[[Callable[..., Answer]], Callable[..., Answer]]:
    """Declare an op by its rule and its kernel; the rule stays what the decorated name refers to.

    The kernel is called with the array to fill, or a tuple of arrays if there are several results, and with the
    arguments that the rule named. The strings of `out` say which dtypes `out=` may have, as `check_out` reads them;
    None: there is no `out=`. A rule that looks at `out=` itself has a parameter of this name.
    """

    def declare(rule: Callable[..., Answer]) -> Callable[..., Answer]:
        op = Op(
            name, family, category, words, rule=rule, kernel=kernel, aliases=aliases, signature=shown,
            forms=frozenset(forms.split()),
        )  # fmt: skip
        if "<locals>" in rule.__qualname__:
            rule.__qualname__ = name.rpartition(".")[2]  # Python names it when arguments do not fit
        stations.bind(add_row(op), follow(rule, kernel, returns, out))
        return rule

    return declare


def follow(
    rule: Callable[..., Answer],
    kernel: Callable[..., None],
    returns: Named | None = None,
    out: str | tuple[str, ...] | None = "",
) -> Callable:
    """The function that does as a rule says."""
    own = signature(rule)
    if out is None:

        def plain(*args: Any, **named: Any) -> Any:
            return compute(kernel, rule(*args, **named), returns=returns)

        plain.__signature__ = own.replace(return_annotation=Signature.empty)  # type: ignore[attr-defined]
    elif "out" in own.parameters:

        def plain(*args: Any, out: Any = None, **named: Any) -> Any:
            return compute(kernel, rule(*args, out=out, **named), out, loose, returns)

        loose = out
        plain.__signature__ = own.replace(return_annotation=Signature.empty)  # type: ignore[attr-defined]
    else:

        def plain(*args: Any, out: Any = None, **named: Any) -> Any:
            return compute(kernel, rule(*args, **named), out, loose, returns)

        loose = out
        parameters = [*own.parameters.values()]
        last = len(parameters) - (bool(parameters) and parameters[-1].kind is Parameter.VAR_KEYWORD)
        annotation = "Tensor | None" if returns is None else "Any"
        parameters.insert(last, Parameter("out", Parameter.KEYWORD_ONLY, default=None, annotation=annotation))
        plain.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    plain.__qualname__ = plain.__name__ = rule.__qualname__
    plain.__module__ = rule.__module__
    return plain


def compute(
    kernel: Callable[..., None],
    answer: Answer,
    out: Any = None,
    loose: str | tuple[str, ...] = "",
    returns: Named | None = None,
) -> Any:
    """Allocate what a rule describes, and let the kernel fill it; without numbers it is not called."""
    results, given = answer
    place = place_among(given)
    if type(results) is Result:
        d = results.dtype
        if out is None and place is MAIN_MEMORY and not d._is_quantized:
            array = empty_array(results.size, results.stride, d)
            kernel(array, *given)
            return wrap(array, d)
        if out is not None:
            check_out(d, out, loose)  # type: ignore[arg-type]
        return finish(results.size, d, out, lambda target: kernel(target, *given), place, results.stride)
    return _several(kernel, results, given, place, outs(out, len(results)), loose, returns)


def _several(
    kernel: Callable[..., None],
    results: tuple[Result, ...],
    given: tuple,
    place: Place,
    out: tuple,
    loose: str | tuple[str, ...],
    returns: Named | None,
) -> tuple[Tensor, ...]:
    """Results that one kernel fills together; those that go to `out=` are copied when all are computed."""
    for i, each in enumerate(results):
        check_out(each.dtype, out[i], loose if isinstance(loose, str) else loose[i])
    arrays: Any = results
    if place.has_numbers:
        arrays = tuple([empty_array(each.size, each.stride, each.dtype, place) for each in results])
        kernel(arrays, *given)
    tensors = []
    for each, array, target in zip(results, arrays, out, strict=True):
        if target is None and place.has_numbers:
            tensors.append(wrap(array, each.dtype))
        else:
            tensors.append(finish(each.size, each.dtype, target, copies(array), place, each.stride))
    if returns is None:
        return tuple(tensors)
    name, fields = returns
    return named_result(name if out[0] is None else f"{name}_out", fields, tuple(tensors))


def copies(value: np.ndarray) -> Callable[[np.ndarray], None]:
    """What fills a result with numbers that are known already."""
    return lambda target: np.copyto(target, value)


def store(targets: tuple[np.ndarray, ...], values: tuple) -> None:
    """Write what a library returns into the results, with their strides and in their dtypes."""
    for target, value in zip(targets, values, strict=True):
        np.copyto(target, value, casting="unsafe")


def composite_row(
    name: str,
    words: str,
    *aliases: str,
    family: str,
    category: str,
    forms: str = "function method",
    shown: str = "",
) -> Callable[[Callable], Callable]:
    """Declare an op that calls other ops and computes nothing itself: its rule is theirs."""

    def declare(run: Callable) -> Callable:
        op = Op(
            name, family, category, words, kernel=run, aliases=aliases, signature=shown, forms=frozenset(forms.split())
        )
        return stations.bind(add_row(op), run)

    return declare


# -- out= --------------------------------------------------------------------------------------------------------


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


def check_out(d: dtype, out: Tensor | None, loose: str) -> None:
    """Refuse an `out=` of another dtype than the op writes.

    Without words, `out=` may be of any dtype that the result can be cast to, which is checked when it is written.
    "same" asks for the dtype of the result. Words such as "torch.geqrf/tau" name an op and its result, which is safely
    castable to a wider dtype.
    """
    if out is None or not loose or out._dtype is d:
        return
    if loose == "same":
        wanted, got = (cpp_name(t) for t in (d, out._dtype))
        message = f"Expected out tensor to have dtype {wanted}, but got {got} instead"
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
