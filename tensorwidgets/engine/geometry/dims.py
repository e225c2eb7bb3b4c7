"""Which dimension is meant? Negative numbers count from the end."""

from __future__ import annotations

from collections.abc import Iterable

from ..errors.reasons import Reason


def wrap_dim(dim: int, ndim: int, scalar: bool = True) -> int | Reason:
    """The dimension as a number from 0; a 0-dim tensor accepts 0 and -1 unless `scalar` is false.

    >>> wrap_dim(-1, 3), wrap_dim(-1, 0)
    (2, 0)
    >>> wrap_dim(3, 2).message
    'Dimension out of range (expected to be in range of [-2, 1], but got 3)'
    """
    if 0 <= dim < ndim:
        return dim
    if -ndim <= dim < 0:
        return dim + ndim
    if not ndim and -1 <= dim <= 0:
        return 0 if scalar else _no_dims(dim)
    return dim_out_of_range(dim, ndim, f"There {_have(ndim)}")


def dim_out_of_range(dim: int, ndim: int, because: str) -> Reason:
    """The refusal of a dimension that is not there.

    >>> dim_out_of_range(2, 2, "There are 2 dimensions").because
    'There are 2 dimensions, so dim goes from -2 to 1; 2 is not among them.'
    """
    low, high = -max(ndim, 1), max(ndim, 1) - 1
    return Reason(
        "dim.range",
        IndexError,
        f"Dimension out of range (expected to be in range of [{low}, {high}], but got {dim})",
        because=f"{because}, so dim goes from {low} to {high}; {dim} is not among them.",
        instead=(f"dim={high}, the last one",),
        facts={"dim": dim, "ndim": ndim, "low": low, "high": high},
    )


def wrap_dims(dims: Iterable[int], ndim: int, one_by_one: bool = False) -> tuple[int, ...] | Reason:
    """Several dimensions, each named once.

    Where some are out of range and others doubled, the range is refused first, as sum, amax, mean and all do;
    `one_by_one` refuses whatever comes first in the list, as squeeze, flip, std and norm do.

    >>> wrap_dims((0, -1), 3)
    (0, 2)
    >>> wrap_dims((1, -1), 2).message
    'dim 1 appears multiple times in the list of dims'
    """
    results: list[int] = []
    if not one_by_one:
        dims = tuple(dims)
        for dim in dims:
            wrapped = wrap_dim(dim, ndim)
            if isinstance(wrapped, Reason):
                return wrapped
    for dim in dims:
        wrapped = wrap_dim(dim, ndim)
        if isinstance(wrapped, Reason):
            return wrapped
        if wrapped in results:
            return Reason(
                "dim.twice",
                RuntimeError,
                f"dim {wrapped} appears multiple times in the list of dims",
                because=f"Of {ndim} dimensions, {dim} and an earlier entry both mean dimension {wrapped}.",
                instead=(f"dims={tuple(results)}",) if len(results) else (),
                facts={"dim": wrapped, "ndim": ndim},
            )
        results.append(wrapped)
    return tuple(results)


def _no_dims(dim: int) -> Reason:
    return Reason(
        "dim.none",
        IndexError,
        f"Dimension specified as {dim} but tensor has no dimensions",
        because="A 0-dim tensor is a single number; there is no dimension to go along.",
        instead=("x.reshape(1)",),
        facts={"dim": dim, "ndim": 0},
    )


def _have(ndim: int) -> str:
    if not ndim:
        return "are no dimensions (a 0-dim tensor counts as one here)"
    return "is 1 dimension" if ndim == 1 else f"are {ndim} dimensions"
