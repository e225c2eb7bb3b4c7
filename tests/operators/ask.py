"""Calling our engine as a sample asks for it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import cache
from typing import Any

import tensorwidgets as tw

from .compare import differs
from .freedom import FREE, freely_differs


@cache
def function(name: str) -> Any:
    """The operator under its name: a function of the face or of a module of it, else a method."""
    found: Any = tw
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if callable(found) else getattr(tw.Tensor, name, None)


AS_THE_DATABASE_ASKS: dict[tuple[str, str], Callable[..., Any]] = {
    ("einsum", ""): lambda tensors, equation: tw.einsum(equation, tensors),
    ("linalg.lstsq", "grad_oriented"): lambda a, b, driver: tw.linalg.lstsq(a, b, driver=driver)[:2],
    ("linalg.pinv", "singular"): lambda a, b: tw.linalg.pinv(a @ b.mT),
    ("nn.functional.embedding", ""): lambda weight, i, **named: tw.nn.functional.embedding(i, weight, **named),
    ("nn.functional.embedding_bag", ""): lambda weight, i, **named: tw.nn.functional.embedding_bag(i, weight, **named),
    ("normal", "in_place"): lambda *args, **named: tw.Tensor.normal_(*args, **named),
    ("normal", "number_mean"): lambda std, mean, *args, **named: tw.normal(mean, std, *args, **named),
    ("rand_like", ""): lambda *args, **named: tw.randn_like(*args, **named),
    ("pca_lowrank", ""): lambda a, b, **named: tw.pca_lowrank(a @ b.mT, **named),
    ("svd_lowrank", ""): lambda a, b, **named: tw.svd_lowrank(a @ b.mT, **named),
    ("where", ""): lambda *args: tw.Tensor.where(*args),
    ("special.polygamma", "special_polygamma_n_0"): lambda input, n: tw.special.polygamma(n, input),
    **{("polygamma", f"polygamma_n_{k}"): lambda input, n: tw.polygamma(n, input) for k in range(5)},
}
"""Entries whose samples are not the arguments of the function of that name, as the database itself calls them."""


def answer(name: str, variant: str, input: Any, args: list[Any], named: dict[str, Any]) -> Any:
    """What our engine says to a sample."""
    if isinstance(getattr(tw.Tensor, name, None), property):
        return getattr(input, name)
    op = AS_THE_DATABASE_ASKS.get((name, variant)) or function(name)
    if op is None:
        raise NotImplementedError(f"there is no {name}")
    if name in RANDOM:
        tw.manual_seed(42)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return op(input, *args, **named)


# PyTorch's database draws every random sample from this seed.
RANDOM = frozenset(
    "normal_ bernoulli cauchy exponential geometric log_normal multinomial normal rand_like randint randint_like randn "
    "randn_like uniform randperm poisson rand pca_lowrank svd_lowrank".split()
)


UNTOLD = frozenset(
    "empty empty_like empty_strided new_empty new_empty_strided resize_ resize_as_ empty_permuted".split()
)
"""Operators whose numbers mean nothing: only dtype, size and strides are compared."""


def verdict(name: str, variant: str, given: list[Any], theirs: Any) -> str:
    """What is wrong with our answer to a sample, or nothing."""
    try:
        ours = answer(name, variant, *given)
    except Exception as error:  # any error is an answer, and a wrong one
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
    if name in UNTOLD and isinstance(ours, tw.Tensor):
        same = (ours.dtype, ours.shape, ours.stride()) == (theirs.dtype, theirs.shape, theirs.stride())
        return (
            ""
            if same
            else f"{ours.dtype} {ours.shape} {ours.stride()} for {theirs.dtype} {theirs.shape} {theirs.stride()}"
        )
    if name in FREE:
        return freely_differs(name, given, ours, theirs, tw)
    return differs(name, ours, theirs, tw)
