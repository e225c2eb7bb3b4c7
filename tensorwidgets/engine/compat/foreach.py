"""Functions of lists of tensors, as optimizers of libraries call them: `torch._foreach_mul_(gradients, 0.5)`.

On a GPU PyTorch computes a list in one go. Here each is the loop over the list that it stands for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from ..calling.reading import Notations
from ..dispatch.registry import OPS
from ..errors.reasons import refuse
from ..tensor.tensor import Tensor

_ONE_LIST = (
    "abs acos asin atan ceil cos cosh erf erfc exp expm1 floor frac lgamma log log10 log1p log2 neg reciprocal round "
    "rsqrt sigmoid sign sin sinh sqrt tan tanh trunc"
).split()
_SUMS = (
    "TensorList self, Scalar scalar",
    "TensorList self, ScalarList scalars",
    "TensorList self, TensorList other, *, Scalar alpha=1",
)
_PRODUCTS = (
    "TensorList self, ScalarList scalars",
    "TensorList self, Tensor other",
    "TensorList self, TensorList other",
    "TensorList self, Scalar scalar",
)
_BOUNDS = (
    "TensorList self, Scalar scalar",
    "TensorList self, ScalarList scalars",
    "TensorList self, TensorList other",
)
_THREE = (
    "TensorList self, TensorList tensor1, TensorList tensor2, ScalarList scalars",
    "TensorList self, TensorList tensor1, TensorList tensor2, Tensor scalars",
    "TensorList self, TensorList tensor1, TensorList tensor2, Scalar value=1",
)
_POWERS = (
    "TensorList self, Scalar exponent",
    "TensorList self, ScalarList exponent",
    "TensorList self, TensorList exponent",
)
_BETWEEN = (
    "TensorList self, TensorList tensors1, Scalar weight",
    "TensorList self, TensorList tensors1, ScalarList weight",
    "TensorList self, TensorList tensors1, TensorList weights",
)
_NORMS = ("TensorList self, Scalar ord=2, ScalarType? dtype=None",)

_BOTH: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_ONE_LIST, ("TensorList self",)),
    "add": (*_SUMS[:2], "TensorList self, Tensor other, *, Scalar alpha=1", _SUMS[2]),
    "sub": _SUMS,
    "mul": _PRODUCTS,
    "div": _PRODUCTS,
    **dict.fromkeys(("clamp_max", "clamp_min", "maximum", "minimum"), _BOUNDS),
    **dict.fromkeys(("addcdiv", "addcmul"), _THREE),
    "lerp": _BETWEEN,
}
"""The ways to call what there is in two forms; the other ends in _ and writes to the tensors of the first list."""

WAYS: dict[str, tuple[str, ...]] = {
    **_BOTH,
    **{name + "_": ways for name, ways in _BOTH.items()},
    "pow": ("Scalar self, TensorList exponent", *_POWERS),
    "pow_": _POWERS,
    "clone": ("TensorList self, *, MemoryFormat? memory_format=None",),
    "copy_": ("TensorList self, TensorList src, bool non_blocking=False",),
    "max": ("TensorList self",),
    "mm": ("TensorList self, TensorList mat2",),
    "norm": _NORMS,
    "powsum": _NORMS,
    "zero_": ("TensorList self",),
}
"""The ways to call each function, in PyTorch's notation."""

_COMPUTED_BY = {"maximum": "clamp_min", "minimum": "clamp_max"}
"""Functions whose lists may be numbers, unlike those of the ops with their names."""


@cache
def function_of(name: str) -> Callable[..., Any] | None:
    """The function with a name such as `_foreach_add_`; None if PyTorch has none.

    >>> import tensorwidgets as torch
    >>> function_of("_foreach_add")([torch.ones(2), torch.zeros(1)], [1, 2])
    (tensor([2., 2.]), tensor([2.]))
    """
    short = name.removeprefix("_foreach_")
    if short not in WAYS:
        return None
    notations, writes = Notations(name, WAYS[short]), short.endswith("_")
    compute = _SPECIAL.get(short) or _op_of(short, writes)

    def call(*args: Any, **kwargs: Any) -> Any:
        given = notations.read(args, kwargs)
        results = [compute(*each, **named) for each, named in _calls(given)]
        return given["self"] if writes else tuple(results)

    call.__name__ = call.__qualname__ = name
    call.__doc__ = f"Calls `{short}` with each tensor of a list."
    return call


def _op_of(short: str, writes: bool) -> Callable[..., Any]:
    base = short.rstrip("_")
    base = _COMPUTED_BY.get(base, base)
    method: Callable[..., Any] = getattr(Tensor, base + "_") if writes else OPS[base].function
    return method


def _calls(given: dict[str, Any]) -> Iterator[tuple[list[Any], dict[str, Any]]]:
    """The arguments of each call that a call with lists stands for."""
    count = len(given["exponent"] if isinstance(given["self"], (int, float, complex)) else given["self"])
    if not count:
        message = "Tensor list must have at least one tensor."
        refuse(RuntimeError, message, "there is nothing to compute", rule="foreach.empty")
    parts = {name: _part(name, value, count) for name, value in given.items() if value is not None}
    named = {name: parts.pop(name) for name in ("alpha", "value", "scalars", "dtype", "memory_format") if name in parts}
    if "tensor1" in parts and "scalars" in named:
        named["value"] = named.pop("scalars")
    elif "scalars" in named:
        parts["scalars"] = named.pop("scalars")
    for number in range(count):
        each = [part(number) for part in parts.values()]
        yield each, {name: part(number) for name, part in named.items()}


def _part(name: str, value: Any, count: int) -> Callable[[int], Any]:
    """What each call is given of an argument: one of a list, or all of it."""
    if isinstance(value, (list, tuple)):
        if len(value) != count:
            message = "Tensor list must have same number of elements as scalar list."
            if any(isinstance(part, Tensor) for part in value):
                message = f"Tensor lists must have the same number of tensors, got {count} and {len(value)}"
            refuse(RuntimeError, message, "each tensor needs its own", rule="foreach.length")
        return value.__getitem__
    if isinstance(value, Tensor) and name == "scalars":
        return _part("list", _packed(value, count), count)
    if isinstance(value, Tensor) and value.dim():
        message = "scalar tensor expected to be 0 dim but it has "
        message += f"{value.dim()} dimensions and {value.numel()} elements."
        refuse(RuntimeError, message, "it takes one number for all tensors", rule="foreach.scalar")
    return lambda number: value


def _packed(numbers: Tensor, count: int) -> list[Any]:
    """The numbers of a tensor that has one for each tensor of a list."""
    if numbers.dim() != 1:
        message = f"Expected packed scalar Tensor to be of dimension 1. Got {numbers.dim()} instead."
        refuse(RuntimeError, message, "it is read as a list of numbers", rule="foreach.packed")
    if len(numbers) != count:
        message = f"Expected length of scalars to match input of length {count} but got {len(numbers)} instead."
        refuse(RuntimeError, message, "each tensor needs its own", rule="foreach.packed")
    return list(numbers.tolist())


def _norm(x: Tensor, ord: Any = 2, dtype: Any = None) -> Any:
    if not x.numel() and ord == float("inf"):
        refuse(
            RuntimeError,
            "_foreach_norm cannot compute the infinity norm on an empty tensor because the operation does not have an "
            "identity",
            "an empty list has no largest number",
            rule="foreach.no_identity",
        )
    return OPS["linalg.vector_norm"].function(x, ord, dtype=dtype)


def _powsum(x: Tensor, ord: Any = 2, dtype: Any = None) -> Any:
    return x.abs().pow(ord).sum(dtype=dtype)


def _largest(x: Tensor) -> Any:
    if not x.numel():
        message = "_foreach_max cannot compute the maximum of an empty tensor; max over zero elements is undefined."
        refuse(RuntimeError, message, "an empty list has no largest number", rule="foreach.no_identity")
    return x.max()


_SPECIAL: dict[str, Callable[..., Any]] = {"norm": _norm, "powsum": _powsum, "max": _largest}
