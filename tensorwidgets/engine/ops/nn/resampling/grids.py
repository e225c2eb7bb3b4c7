"""Images and volumes read at the points of a grid, and the grid of an affine map."""

from __future__ import annotations

from functools import lru_cache
from math import prod
from operator import index
from typing import TYPE_CHECKING, Any

from ....backends.numpy.layers.grid_gradients import sample_back
from ....backends.numpy.layers.grid_samples import sample
from ....backends.numpy.layers.grid_taps import CUBIC
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....memory import MAIN_MEMORY
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....tensor.wrapping import place_of, wrap
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, FLOAT8
from ..declaring import nn_calls, nn_composite
from ..ways_back import way_back

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from ....types.dtypes import dtype

MODES, PADDINGS = ("bilinear", "nearest", "bicubic"), ("zeros", "border", "reflection")
"""PyTorch's names of how values between pixels are found, and of what lies outside, by their numbers."""


def _refuse(message: str, because: str, *ways: str, error: type[Exception] = RuntimeError) -> None:
    refuse(error, message, because, *ways, rule="grid.argument")


def check_grid(input: Tensor, grid: Tensor, mode: int, dims: int) -> None:
    """Refuse a grid that has no points for these images, in PyTorch's order."""
    size, points = list(input.shape), list(grid.shape)
    for each in (size, points):
        if not each:
            message = "Dimension specified as 0 but tensor has no dimensions"
            _refuse(message, "the first dimension counts examples", error=IndexError)
    both = f"got input with sizes {size} and grid with sizes {points}"
    if size[0] != points[0]:
        _refuse(
            f"grid_sampler(): expected grid and input to have same batch size, but {both}",
            "each image has points of its own",
            "grid.expand(len(input), -1, -1, -1), for the same points of all",
        )
    if points[-1] != len(size) - 2:
        _refuse(
            f"grid_sampler(): expected grid to have size {len(size) - 2} in last dimension, but got grid with sizes "
            f"{points}",
            "a point has one number for each dimension after examples and channels",
        )
    for i, n in enumerate(size[2:], 2):
        if n <= 0:
            _refuse(
                f"grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes {size} with "
                f"dimension {i} being empty",
                "there is no pixel to read",
            )
    if len(size) != dims + 2 or len(points) != dims + 2:
        _refuse(
            f"grid_sampler(): expected {dims + 2}D input and grid with same number of dimensions, but {both}",
            "dimensions 0 and 1 of the input are examples and channels; the grid has those of the result, and a point "
            "in its last one",
        )
    if dims == 3 and mode == CUBIC:
        _refuse("grid_sampler(): bicubic interpolation only supports 4D input", "it is for images alone")


@silent
def fill_sampled(target: np.ndarray, x: np.ndarray, grid: np.ndarray, mode: int, padding: int, align: bool) -> None:
    sample(target, x, grid, mode, padding, align)


@silent
def fill_back(
    targets: tuple[np.ndarray, np.ndarray], grad: np.ndarray, x: np.ndarray, grid: np.ndarray, mode: int, padding: int,
    align: bool, mask: Sequence[bool],
) -> None:  # fmt: skip
    of_input, of_grid = (target if asked else None for target, asked in zip(targets, mask, strict=True))
    sample_back(of_input, of_grid, grad, x, grid, mode, padding, align)


def _known(number: int) -> int:
    """A number of a mode; for one that PyTorch has no name for, which leaves its result unset, the first."""
    return number if number in (0, 1, 2) else 0


def _declare(dims: int) -> None:
    name = f"grid_sampler_{dims}d"
    what = "images" if dims == 2 else "volumes"

    @nn_calls(name, f"Reads {what} at the points of a grid.", kernel=fill_sampled, out=None)
    def sampler(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Answer:
        check_grid(input, grid, interpolation_mode, dims)
        d, other = input._dtype, grid._dtype
        if d._kind != FLOAT or d in FLOAT8:
            refuse_dtype("grid_sampler_2d_cpu_kernel_impl" if dims == 2 else "grid_sampler3d_cpu", d)
        if other is not d:
            message = f"expected scalar type {d._type_name} but found {other._type_name}"
            _refuse(message, "points and pixels are of one dtype", "grid.to(input.dtype)")
        size = (*input.shape[:2], *grid.shape[1:-1])
        how = _known(interpolation_mode), _known(padding_mode), align_corners
        return Result(size, d), (input._array, grid._array, *how)

    @way_back(f"{name}_backward", f"The gradients of {what} that were read at points, and of the points.", fill_back)
    def back(
        grad_output: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
        align_corners: bool, output_mask: Sequence[bool],
    ) -> Answer:  # fmt: skip
        results = tuple(
            Result(tuple(t.shape) if asked else (0,), t._dtype)
            for t, asked in zip((input, grid), output_mask, strict=True)
        )
        how = _known(interpolation_mode), _known(padding_mode), align_corners, tuple(output_mask)
        return results, (grad_output._array, input._array, grid._array, *how)


for each in (2, 3):
    _declare(each)


@nn_calls("grid_sampler", "Reads images or volumes at the points of a grid.")
def grid_sampler(input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool) -> Any:
    name = "grid_sampler_2d" if input.dim() == 4 else "grid_sampler_3d"
    return OPS[name].function(input, grid, interpolation_mode, padding_mode, align_corners)


def _warn_of_corners() -> None:
    warn(
        "Default grid_sample and affine_grid behavior has changed to align_corners=False since 1.3.0. Please specify "
        "align_corners=True if the old behavior is desired. See the documentation of grid_sample for details."
    )


@nn_composite(
    "nn.functional.grid_sample", "Reads images at points that a grid gives, between -1 and 1 along each dimension."
)
def grid_sample(
    input: Tensor,
    grid: Tensor,
    mode: str = "bilinear",
    padding_mode: str = "zeros",
    align_corners: bool | None = None,
) -> Tensor:
    if mode not in MODES:
        _refuse(
            f"nn.functional.grid_sample(): expected mode to be 'bilinear', 'nearest' or 'bicubic', but got: '{mode}'",
            "between pixels there are these three ways",
            error=ValueError,
        )
    if padding_mode not in PADDINGS:
        _refuse(
            "nn.functional.grid_sample(): expected padding_mode to be 'zeros', 'border', or 'reflection', but got: "
            f"'{padding_mode}'",
            "outside the image are zeros, its border, or its mirror image",
            error=ValueError,
        )
    if align_corners is None:
        _warn_of_corners()
    numbers = MODES.index(mode), PADDINGS.index(padding_mode)
    must_be_tensor("grid_sampler", input)
    must_be_tensor("grid_sampler", grid, "grid", 2)
    result: Tensor = OPS["grid_sampler"].function(input, grid, *numbers, align_corners or False)
    return result


# -- the grid of an affine map -----------------------------------------------------------------------------------


def places_of(theta: Tensor, size: Sequence[int], align_corners: bool) -> Any:
    """The places of all pixels from -1 to 1, each followed by a 1, as the rows of one matrix for each example."""
    sides = size[2:]
    if place_of(theta) is MAIN_MEMORY and size[0] > 0 and all([0 <= n <= _REMEMBERED for n in sides]):
        array = MAIN_MEMORY.empty((size[0], *sides, len(sides) + 1), theta.dtype._in_numpy)
        for k, n in enumerate(reversed(sides)):
            array[..., k] = _remembered(n, theta.dtype, align_corners).reshape(-1, *(1,) * k)
        array[..., -1] = 1
        return wrap(array.reshape(size[0], prod(sides), len(sides) + 1), theta.dtype)
    places = OPS["empty"].function((size[0], *sides, len(sides) + 1), dtype=theta.dtype, device=theta.device)
    for k, n in enumerate(reversed(sides)):
        along = _from_end_to_end(theta, n, align_corners)
        places.select(-1, k).copy_(along.view(-1, *(1,) * k))
    places.select(-1, len(sides)).fill_(1)
    return places.view(size[0], prod(sides), len(sides) + 1)


def _from_end_to_end(theta: Tensor, n: int, align_corners: bool) -> Any:
    if n <= 1:
        return theta.new_zeros((1,))
    ends = OPS["linspace"].function(-1, 1, n, dtype=theta.dtype, device=theta.device)
    return ends if align_corners else ends * (n - 1) / n


_REMEMBERED = 1024
"""Images with shorter sides than this are so small that the places of their pixels take as long as all the rest."""


@lru_cache(maxsize=64)
def _remembered(n: int, d: dtype, align_corners: bool) -> np.ndarray:
    """The places along one side, which are computed once; not to be written to."""
    array: np.ndarray = _from_end_to_end(OPS["empty"].function((0,), dtype=d, device="cpu"), n, align_corners)._array
    return array


@nn_calls("affine_grid_generator", "The points that an affine map takes the pixels of an image to.")
def affine_grid_generator(theta: Tensor, size: Sequence[int], align_corners: bool) -> Any:
    sizes = [index(n) for n in size]
    if len(sizes) not in (4, 5):
        _refuse("AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.", "the size is that of the result")
    points = places_of(theta, sizes, align_corners).bmm(theta.transpose(1, 2))
    return points.view(sizes[0], *sizes[2:], len(sizes) - 2)


@nn_composite("nn.functional.affine_grid", "The points for `grid_sample` that an affine map takes the pixels to.")
def affine_grid(theta: Tensor, size: Sequence[int], align_corners: bool | None = None) -> Tensor:
    if align_corners is None:
        _warn_of_corners()
    if not theta.is_floating_point():
        message = f"Expected theta to have floating point type, but got {theta.dtype}"
        _refuse(message, "points lie between pixels", "theta.float()", error=ValueError)
    dims = len(size) - 2
    if dims not in (2, 3):
        _refuse(
            "affine_grid only supports 4D and 5D sizes, for 2D and 3D affine transforms, respectively. Got size "
            f"{size}.",
            "the size is that of the result: examples and channels come first",
            error=NotImplementedError,
        )
    if theta.dim() != 3 or tuple(theta.shape[-2:]) != (dims, dims + 1):
        _refuse(
            f"Expected a batch of {dims}D affine matrices of shape Nx{dims}x{dims + 1} for size {size}. Got "
            f"{theta.shape}.",
            "each row has a factor for each dimension, and a step",
            error=ValueError,
        )
    if align_corners and min(size[2:]) == 1:
        warn(
            "Since version 1.3.0, affine_grid behavior has changed for unit-size grids when align_corners=True. This "
            "is not an intended use case of affine_grid. See the documentation of affine_grid for details."
        )
    elif min(size) <= 0:
        _refuse(f"Expected non-zero, positive output size. Got {size}", "there are no pixels", error=ValueError)
    result: Tensor = OPS["affine_grid_generator"].function(theta, size, align_corners or False)
    return result
