"""Calling our engine as a sample asks for it."""

from __future__ import annotations

import warnings
from typing import Any

import tensorwidgets as tw

from .compare import differs


def function(name: str) -> Any:
    """The operator under its name: a function of the face or of a module of it, else a method."""
    if name in BY_METHOD:
        return getattr(tw.Tensor, name)
    found: Any = tw
    for part in name.split("."):
        found = getattr(found, part, None)
    return found if callable(found) else getattr(tw.Tensor, name, None)


def answer(name: str, input: Any, args: list[Any], named: dict[str, Any]) -> Any:
    """What our engine says to a sample."""
    if isinstance(getattr(tw.Tensor, name, None), property):
        return getattr(input, name)
    op = function(name)
    if op is None:
        raise NotImplementedError(f"there is no {name}")
    if name in RANDOM:
        tw.manual_seed(42)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return op(input, *args, **named)


BY_METHOD = frozenset(("where",))
"""Operators whose samples begin with the tensor that the method is called on; the function takes another order."""

# PyTorch's database draws every random sample from this seed.
RANDOM = frozenset(
    "normal_ bernoulli cauchy exponential geometric log_normal multinomial normal rand_like randint randint_like randn "
    "randn_like uniform randperm poisson rand".split()
)


METHODS = {("normal", "in_place"): "normal_"}
"""Variants of entries that are called by another name."""

UNTOLD = frozenset(
    "empty empty_like empty_strided new_empty new_empty_strided resize_ resize_as_ empty_permuted".split()
)
"""Operators whose numbers mean nothing: only dtype, size and strides are compared."""


def verdict(name: str, variant: str, given: list[Any], theirs: Any) -> str:
    """What is wrong with our answer to a sample, or nothing."""
    try:
        ours = answer(METHODS.get((name, variant), name), *given)
    except Exception as error:  # any error is an answer, and a wrong one
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
    if name in UNTOLD and isinstance(ours, tw.Tensor):
        same = (ours.dtype, ours.shape, ours.stride()) == (theirs.dtype, theirs.shape, theirs.stride())
        return (
            ""
            if same
            else f"{ours.dtype} {ours.shape} {ours.stride()} for {theirs.dtype} {theirs.shape} {theirs.stride()}"
        )
    return differs(name, ours, theirs, tw)
