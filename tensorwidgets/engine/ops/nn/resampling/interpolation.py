"""Images, sequences and volumes at another size: interpolate, and its old names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.tensor import Tensor
from ..declaring import nn_composite
from .antialias import FILTERS

if TYPE_CHECKING:
    from collections.abc import Sequence


WITHOUT_CORNERS = ("nearest", "area", "nearest-exact")
NEEDED = {"linear": 3, "bilinear": 4, "trilinear": 5}
"""How many dimensions an input has for a mode."""


def _refuse(message: str, because: str, *ways: str, error: type[Exception] = ValueError) -> NoReturn:
    refuse(error, message, because, *ways, rule="interpolate.argument")


@nn_composite("nn.functional.interpolate", "Resamples to a size, or by a factor.")
def interpolate(
    input: Tensor, size: Any = None, scale_factor: float | Sequence[float] | None = None, mode: str = "nearest",
    align_corners: bool | None = None, recompute_scale_factor: bool | None = None, antialias: bool = False,
) -> Tensor:  # fmt: skip
    if mode in WITHOUT_CORNERS and align_corners is not None:
        _refuse(
            "align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "
            "trilinear",
            "the other modes copy or average pixels and have no corners to align",
        )
    dims = input.dim() - 2
    output_size, factors = _size_and_factors(input, size, scale_factor, dims)
    if recompute_scale_factor and size is not None:
        _refuse("recompute_scale_factor is not meaningful with an explicit size.", "there is no factor")
    if factors is not None and (recompute_scale_factor or mode == "area"):
        output_size = [int(n * f) for n, f in zip(input.shape[2:], factors, strict=True)]
        factors = None
    name = _name_of_filter(input, mode, align_corners) if antialias else _name(mode, dims)
    if name is None:
        _refuse_mode(mode, dims, align_corners)
    _check_numbers(mode, name, input.shape[2:], output_size, factors, align_corners)
    if output_size is not None:
        output_size = [int(n) if _is_whole(n) and not isinstance(n, bool) else n for n in output_size]
    result: Tensor
    if mode == "area":
        result = OPS[name].function(input, output_size)
    elif mode in WITHOUT_CORNERS:
        result = OPS[f"_nn.{name}"].function(input, output_size, factors)
    else:
        result = OPS[f"_nn.{name}"].function(input, output_size, bool(align_corners), factors)
    return result


def _size_and_factors(input: Tensor, size: Any, scale_factor: Any, dims: int) -> tuple[Any, Any]:
    """One number for each dimension: the size that is asked for, or the factors."""
    if size is not None and scale_factor is not None:
        _refuse(
            "only one of size or scale_factor should be defined",
            "size follows from scale_factor and the input, so give only one of them",
            "size=(8, 8)",
        )
    if size is None and scale_factor is None:
        _refuse("either size or scale_factor should be defined", "the result needs a size", "scale_factor=2")
    given = scale_factor if size is None else size
    if not isinstance(given, (tuple, list)):
        each = [given] * dims
    elif len(given) == dims:
        each = list(given)
    elif size is None:
        _refuse(
            "Input and scale_factor must have the same number of spatial dimensions, but got input with spatial "
            f"dimensions of {list(input.shape[2:])} and scale_factor of shape {given}. Please provide input tensor in "
            "(N, C, d1, d2, ...,dK) format and scale_factor in (s1, s2, ...,sK) format.",
            "each dimension after the first two has its own factor",
        )
    else:
        _refuse(
            "Input and output must have the same number of spatial dimensions, but got input with spatial dimensions "
            f"of {list(input.shape[2:])} and output size of {given}. Please provide input tensor in (N, C, d1, d2, "
            "...,dK) format and output size in (o1, o2, ...,oK) format.",
            f"dimensions 0 and 1 are examples and channels: {list(input.shape)} has {dims} after them, and there are "
            f"{len(given)} sizes",
            *(["x.unsqueeze(0), if there is no dimension for the examples"] if dims + 1 == len(given) else []),
        )
    if size is None:
        return None, [
            float(f) if isinstance(f, (np.number, np.bool_)) and not isinstance(f, complex) else f for f in each
        ]
    if isinstance(given, (tuple, list)) and not all(_is_whole(n) for n in each):
        _refuse(
            "expected size to be one of int or Tuple[int] or Tuple[int, int] or Tuple[int, int, int], but got size "
            f"with types {[type(n) for n in each]}",
            "a size is a whole number",
            error=TypeError,
        )
    return each, None


def _check_numbers(mode: str, name: str, shape: Sequence[int], size: Any, factors: Any, align: Any) -> None:
    """Refuse sizes that are not whole numbers, and factors that are not numbers, as PyTorch's kernel does."""
    called = f"_{name}" if mode == "nearest-exact" else name
    fits = align is None or isinstance(align, bool)
    for position, factor in enumerate(factors or (), 1):
        if isinstance(factor, complex) and fits:
            _refuse(
                f"{called}(): argument 'scale_factors' must be tuple of floats, but found element of type complex at "
                f"pos {position}",
                "a factor is a real number",
                error=TypeError,
            )
    numbers = (
        all(_is_whole(n) and n is not True and n is not False for n in size)
        if size is not None
        else all(isinstance(f, (int, float)) for f in factors)
    )
    fits = fits and numbers
    if fits and factors is not None and any(not abs(n * f) < 2**63 for n, f in zip(shape, factors, strict=True)):
        message = "value cannot be converted to type int64_t without overflow"
        _refuse(message, "a factor is a number", error=RuntimeError)
    if mode == "area":
        _refuse_tensors(name.removeprefix("nn.functional."), size)
    if fits or mode == "area":
        return
    corners = [] if mode in WITHOUT_CORNERS else ["bool" if align is None else type(align).__name__]
    kinds = ", ".join(["Tensor", *("NoneType" if each is None else "list" for each in (size,)), *corners])
    kinds += ", NoneType" if factors is None else ", list"
    _refuse(
        f"{called}() received an invalid combination of arguments - got ({kinds}), but expected one of:",
        "a size is a whole number, and a factor a number",
        error=TypeError,
    )


def _refuse_tensors(name: str, size: Sequence[Any]) -> None:
    """Refuse sizes that are tensors of fractions, in the words of the pools by which areas are averaged."""
    for position, n in enumerate(size):
        if isinstance(n, Tensor) and n.is_floating_point():
            _refuse(
                f"{name}(): argument 'output_size' (position 2) must be tuple of ints, but found element of type "
                f"Tensor at pos {position}",
                "a size is a whole number",
                "size=int(n)",
                error=TypeError,
            )


def _is_whole(n: Any) -> bool:
    if isinstance(n, np.ndarray):
        return n.ndim == 0 and n.dtype.kind in "iu"
    return isinstance(n, (int, np.integer)) or isinstance(n, Tensor) and not n.is_floating_point() and n.numel() == 1


def _name(mode: Any, dims: int) -> str | None:
    """The row that computes a mode; None if there is none for this many dimensions."""
    if not isinstance(mode, str):
        return None
    if mode == "area" and dims in (1, 2, 3):
        return "adaptive_avg_pool1d" if dims == 1 else f"nn.functional.adaptive_avg_pool{dims}d"
    name = f"upsample_{mode.replace('-', '_')}{dims}d"
    return name if f"_nn.{name}" in OPS else None


def _name_of_filter(input: Tensor, mode: str, align_corners: bool | None) -> str:
    """The row that computes a mode with `antialias`."""
    if mode not in FILTERS or input.dim() != 4:
        _refuse(
            "Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as "
            "input",
            "antialias is about images that get smaller",
        )
    if mode == "lanczos" and align_corners:
        _refuse("Lanczos mode does not support align_corners=True", "its pixels are squares, which end at the border")
    return f"_upsample_{mode}2d_aa"


def _refuse_mode(mode: str, dims: int, align: bool | None) -> NoReturn:
    if mode == "lanczos" and dims == 2:
        message = "Lanczos mode {}".format(
            "does not support align_corners=True" if align else "requires antialias=True"
        )
        _refuse(message, "the mode is for images that get smaller")
    if mode in tuple(NEEDED) and dims in (1, 2, 3):
        message = f"Got {dims + 2}D input, but {mode} mode needs {NEEDED[mode]}D input"
    else:
        message = (
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {dims + 2}D) for the modes: nearest | "
            f"linear | bilinear | bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
        )
    _refuse(message, "dimensions 0 and 1 are examples and channels", error=NotImplementedError)


def _declare_old(old: str, words: str, **fixed: Any) -> None:
    @nn_composite(f"nn.functional.{old}", words)
    def function(input: Tensor, size: Any = None, scale_factor: float | Sequence[float] | None = None) -> Tensor:
        warn(f"`nn.functional.{old}` is deprecated. Use `nn.functional.interpolate` instead.")
        return interpolate(input, size, scale_factor, **fixed)


@nn_composite("nn.functional.upsample", "The old name of `interpolate`.")
def upsample(
    input: Tensor,
    size: Any = None,
    scale_factor: float | Sequence[float] | None = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> Tensor:
    warn("`nn.functional.upsample` is deprecated. Use `nn.functional.interpolate` instead.")
    return interpolate(input, size, scale_factor, mode, align_corners)


_declare_old("upsample_nearest", "The old name of `interpolate` by nearest elements.", mode="nearest")
_declare_old(
    "upsample_bilinear", "The old name of bilinear `interpolate` with `align_corners=True`.", mode="bilinear",
    align_corners=True,
)  # fmt: skip
