"""How the ops that move elements are declared: by PyTorch's own notation of how they are called.

`calls` declares an op by the function that runs it. `overwrites` declares an op that changes some elements of a tensor,
with its in-place form: both go by one function, which asks all questions first and answers with what is to be written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import geometry
from ..backends.numpy.casts import assign
from ..calling.reading import Notations
from ..dispatch import stations
from ..dispatch.registry import Op, add_row
from ..errors.reasons import refuse
from ..memory import MAIN_MEMORY, Place, owns
from ..tensor.resizing import resize_output
from ..tensor.results import finish
from ..tensor.tensor import Tensor, bump_version, place_of, size_and_stride, wrap
from ..tensor.write_checks import check_no_internal_overlap, check_no_overlap, check_writable
from ..types import dtypes
from ..types.cpp_names import cpp_name
from ..types.dtypes import dtype
from .rules import Named, follow
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
    returns: Named | None = None,
    out: str | tuple[str, ...] = "",
) -> Callable[[Callable], Callable]:
    """Declare an op by its rule and its kernel, or by the function that runs it.

    The rule, or function, is given the arguments by PyTorch's names. What rules and kernels are, and what `returns` and
    `out` say, is described in `rules`. `own_ways` are the notations of an op that is not in PyTorch's table.
    """

    def declare(run: Callable) -> Callable:
        notations = Notations(name, own_ways)
        function = run if kernel is None else follow(run, kernel, returns, out)

        def plain(*args: Any, **named: Any) -> Any:
            return function(**notations.read(args, named))

        row = Op(name, family, category, words, aliases=aliases, forms=frozenset(forms.split()))
        row.rule, row.kernel = (None, run) if kernel is None else (run, kernel)
        row.notations = notations
        return stations.bind(add_row(row), plain)

    return declare


def plainly(
    name: str,
    words: str,
    *,
    forms: str = "function",
    family: str = "gather",
    category: str = CATEGORY,
    kernel: Callable[..., Any] | None = None,
) -> Callable[[Callable], Callable]:
    """Declare an op whose rule or function reads its own arguments, such as any number of tensors."""

    def declare(run: Callable) -> Callable:
        row = Op(name, family, category, words, forms=frozenset(forms.split()))
        row.rule, row.kernel = (None, run) if kernel is None else (run, kernel)
        return stations.bind(add_row(row), run if kernel is None else follow(run, kernel, out=None))

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
    """What an op is going to write, after everything about it has been asked."""

    write: Callable[[np.ndarray], None]
    """Changes elements of the array that it is given."""
    read: tuple[Any, ...] = ()
    """The tensors that it reads meanwhile."""


def overwrites(
    name: str,
    words: str,
    *,
    preserve: bool = False,
    alike: bool = False,
    function: str = "function method",
    category: str = CATEGORY,
) -> Callable[[Callable], Callable]:
    """Declare an op that changes some elements of a copy, and its in-place form.

    The function is called with the name of the form, and answers with a `Writing`. The copy is contiguous, or keeps the
    order of its input's dimensions (`preserve`). Where all places are written `alike`, some may be one in memory.
    """

    def declare(prepare: Callable[..., Writing]) -> Callable:
        def fresh(input: Tensor, out: Tensor | None = None, **given: Any) -> Tensor:
            size, stride = size_and_stride(input)
            if out is not None:
                same_dtype(out, input._dtype)
                check_no_internal_overlap(out)
            writing = prepare(name, input, **given)
            if out is not None:
                for source in writing.read:
                    check_no_overlap(out, source)

            def fill(target: np.ndarray) -> None:
                if out is not input:
                    target[...] = input._array
                writing.write(target)

            kept = geometry.preserve_stride(size, stride) if preserve else None
            return finish(size, input._dtype, out, fill, place_of(input), kept)

        def inplace(input: Tensor, **given: Any) -> Tensor:
            if not alike:
                check_no_internal_overlap(input)
            writing = prepare(name + "_", input, **given)
            check_writable(input, alike)
            for source in writing.read:
                check_no_overlap(input, source)
            if place_of(input).has_numbers:
                writing.write(input._array)
            bump_version(input)
            return input

        calls(name + "_", f"In-place form of `{name}`.", forms="method", family="inplace", category=category)(inplace)
        return calls(name, words, forms=function, category=category)(fresh)

    return declare


# -- results -----------------------------------------------------------------------------------------------------


def deliver(
    size: tuple[int, ...], d: dtype, out: Tensor | None, compute: Callable[[], np.ndarray], place: Place = MAIN_MEMORY
) -> Tensor:
    """A contiguous result that NumPy makes in an array of its own: that array itself, or its copy in `out=`."""
    if out is None and place.has_numbers:
        array = np.asarray(compute())
        if array.shape == size and array.dtype == d._in_numpy and array.flags.c_contiguous and owns(array):
            if array.size and 1 not in size:
                return wrap(array, d)

        def copy(target: np.ndarray) -> None:
            assign(target, array.reshape(size))

        return finish(size, d, None, copy, place)

    def fill(target: np.ndarray) -> None:
        assign(target, np.asarray(compute()).reshape(size))

    return finish(size, d, out, fill, place)


def sized_out(out: Tensor | None, size: tuple[int, ...], stride: tuple[int, ...]) -> None:
    """Give `out=` the size of a result with strides of its own."""
    if out is not None and out._array.shape != size:
        resize_output(out, size, stride)


def same_dtype(out: Tensor | None, d: dtype) -> None:
    """Refuse an `out=` of another dtype, for ops that do not convert on their way to it."""
    if out is not None and out._dtype is not d:
        refuse(
            RuntimeError,
            f"Expected out tensor to have dtype {cpp_name(d)}, but got {cpp_name(out._dtype)} instead",
            f"this op does not convert on its way to out=: the result is of {d}",
            f"out=torch.empty(0, dtype={d})",
            rule="out.dtype",
            result=d,
            target=out._dtype,
        )


def out_apart(out: Tensor | None, *sources: Tensor) -> None:
    """Refuse an `out=` that lies on top of itself or of what is read."""
    if out is not None:
        check_no_internal_overlap(out)
        for source in sources:
            check_no_overlap(out, source)


def no_kernel(stub: str, d: dtype, because: str = "") -> None:
    """PyTorch's refusal of a dtype that it has no kernel for."""
    refuse(
        NotImplementedError,
        f"\"{stub}\" not implemented for '{d._type_name}'",
        because or f"PyTorch has no kernel for {d} here, so there are no numbers to agree with",
        "x.float()" if d._kind <= dtypes.FLOAT else "x.abs()",
        rule="kernel.dtype",
        dtype=d,
    )
