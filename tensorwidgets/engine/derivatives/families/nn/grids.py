"""Derivatives of images that are read at the points of a grid.

A value is the sum of its taps by their shares, and a share is a product of one for each dimension. Everything of the
second order is made of the same taps, by the first and second derivatives of the shares.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from ....ops.nn.resampling.grids import places_of
from ....ops.nn.ways_back import BACK
from ...declaring import differentiate
from ...ops import torch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ....tensor.tensor import Tensor

NEAREST, CUBIC = 1, 2


class Along(NamedTuple):
    """The taps of all points along one dimension; the last dimension of each tensor counts them."""

    places: Any
    """Which pixel each tap is, inside the image."""
    inside: Any
    """1 for each tap that is a pixel, 0 for those in zeros."""
    shares: tuple[Any, Any, Any]
    """The shares, and their derivatives of two orders by the point."""


def _inside(places: Any, n: int, padding: int, align: bool) -> tuple[Any, Any]:
    """Places outside brought to the border or mirrored, and how they move with a place: 1, -1, or 0."""
    if padding == 0:
        return places, torch.ones_like(places)
    turn: Any = 1.0
    if padding == 2:
        low, span = (0.0, n - 1.0) if align else (-0.5, float(n))
        if not span:
            return torch.zeros_like(places), torch.zeros_like(places)
        distance = (places - low).abs()
        even = torch.fmod(torch.floor(distance / span), 2) == 0
        rest = torch.fmod(distance, span)
        turn = torch.where(even == (places >= low), 1.0, -1.0)
        places = torch.where(even, rest, span - rest) + low
    moves = (places > 0) & (places < n - 1)
    return places.clamp(0, n - 1), moves.to(places.dtype) * turn


def _cubic(t: Any) -> tuple[Any, Any, Any]:
    """The shares of four neighbors, and their derivatives of two orders."""
    sides = (t + 1, -1, False), (t, -1, True), (1 - t, 1, True), (2 - t, 1, False)
    shares, slopes, curves = [], [], []
    for u, toward, inner in sides:
        a, b, c, d = (1.25, -2.25, 0.0, 1.0) if inner else (-0.75, 3.75, -6.0, 3.0)
        shares.append(((a * u + b) * u + c) * u + d)
        slopes.append(((3 * a * u + 2 * b) * u + c) * -toward)
        curves.append(6 * a * u + 2 * b)
    return torch.stack(shares, -1), torch.stack(slopes, -1), torch.stack(curves, -1)


def _along(points: Any, n: int, mode: int, padding: int, align: bool) -> Along:
    scale = (n - 1) / 2 if align else n / 2
    places = (points + 1) * scale
    if not align:
        places = places - 0.5
    slope = torch.full_like(places, scale)
    if mode != CUBIC:
        places, turn = _inside(places, n, padding, align)
        slope = slope * turn
    before = places.detach().floor()
    t, slope = places - before, slope.detach()[..., None]
    if mode == CUBIC:
        taps = before[..., None] + torch.arange(-1, 3, dtype=before.dtype, device=before.device)
        taps = _inside(taps, n, padding, align)[0]
        shares, slopes, curves = _cubic(t)
    else:
        taps = torch.stack([before, before + 1], -1)
        shares = torch.stack([1 - t, t], -1)
        ones = torch.ones_like(t)
        slopes = torch.stack([-ones, ones], -1)
        curves = torch.zeros_like(slopes)
    inside = (taps >= 0) & (taps < n)
    return Along(taps.clamp(0, n - 1).long(), inside, (shares, slopes * slope, curves * slope * slope))


def _outer(parts: Sequence[Any]) -> Any:
    """The products of one number for each dimension, for all taps."""
    whole = parts[0]
    for part in parts[1:]:
        whole = (whole[..., :, None] * part[..., None, :]).flatten(-2)
    return whole


class Taps:
    """The taps of all points of a grid, beside each other in the last dimension."""

    def __init__(self, input: Tensor, grid: Tensor, mode: int, padding: int, align: bool):
        sides = tuple(input.shape[2:])
        last = len(sides) - 1
        self.along = [_along(grid.select(-1, last - k), n, mode, padding, align) for k, n in enumerate(sides)]
        place: Any = 0
        for each, n in zip(self.along, sides, strict=True):
            place = each.places if isinstance(place, int) else (place[..., :, None] * n + each.places[..., None, :])
            place = place if place.dim() == each.places.dim() else place.flatten(-2)
        self.inside = _outer([each.inside.to(input.dtype) for each in self.along])
        self.size, channels = tuple(input.shape), input.shape[1]
        self.planes = (*self.size[:2], prod(sides))
        self.flat = place.flatten(1)[:, None].expand(-1, channels, -1)

    def read(self, input: Any) -> Any:
        """The pixels at all taps; zeros outside."""
        pixels = input.reshape(self.planes).gather(2, self.flat)
        return pixels.reshape(*self.size[:2], *self.inside.shape[1:]) * self.inside[:, None]

    def add(self, parts: Any) -> Any:
        """An image of the sums of what falls on each pixel."""
        parts = (parts * self.inside[:, None]).reshape(*self.size[:2], self.flat.shape[-1])
        zeros = torch.zeros(self.planes, dtype=parts.dtype, device=parts.device)
        return zeros.scatter_add(2, self.flat, parts).reshape(self.size)

    def shares(self, *dims: int) -> Any:
        """The derivatives of the shares by the points along these dimensions."""
        return _outer([each.shares[dims.count(k)] for k, each in enumerate(self.along)])


def second_gradients(
    grads: tuple, grad_output: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int,
    align_corners: bool, needed: dict[str, bool],
) -> tuple:  # fmt: skip
    """The gradients of the gradients of an image that was read at points."""
    how = (interpolation_mode, padding_mode, align_corners)
    of_image, of_points = grads
    dims = input.dim() - 2
    name = f"grid_sampler_{dims}d"
    by_grad = by_input = by_grid = None
    if of_image is not None:
        by_grad = getattr(torch, name)(of_image, grid, *how)
        if needed["grid"]:
            by_grid = BACK[f"{name}_backward"](grad_output, of_image, grid, *how, [False, True])[1]
    if of_points is None or interpolation_mode == NEAREST:
        return by_grad, None, by_grid
    taps = Taps(input, grid, *how)
    steps = [of_points.select(-1, dims - 1 - k)[..., None] for k in range(dims)]
    change = sum(steps[k] * taps.shares(k) for k in range(dims))
    if needed["grad_output"]:
        more = (taps.read(input) * change[:, None]).sum(-1)
        by_grad = more if by_grad is None else by_grad + more
    if needed["input"]:
        by_input = taps.add(grad_output[..., None] * change[:, None])
    if needed["grid"]:
        dots = (grad_output[..., None] * taps.read(input)).sum(1)
        curves = {pair: (dots * taps.shares(*pair)).sum(-1) for pair in product(range(dims), repeat=2)}
        along = [sum(steps[i][..., 0] * curves[i, k] for i in range(dims)) for k in reversed(range(dims))]
        more = torch.stack(along, -1)
        by_grid = more if by_grid is None else by_grid + more
    return by_grad, by_input, by_grid


def _declare(dims: int) -> None:
    back = f"grid_sampler_{dims}d_backward"

    def gradients(
        grad: Tensor, input: Tensor, grid: Tensor, interpolation_mode: int, padding_mode: int, align_corners: bool,
        needed: dict[str, bool],
    ) -> tuple:  # fmt: skip
        """Each gradient goes to the pixels that the result was made of, and to its point."""
        mask = [needed["input"], needed["grid"]]
        found = BACK[back](grad, input, grid, interpolation_mode, padding_mode, align_corners, mask)
        return tuple(g if asked else None for g, asked in zip(found, mask, strict=True))

    node = f"GridSampler{dims}DBackward"
    differentiate(f"grid_sampler_{dims}d", node=f"{node}0", together=("input grid", gradients))
    differentiate(back, node=f"{node}Backward0", together=("grad_output input grid", second_gradients))


for each in (2, 3):
    _declare(each)


def _of_theta(grad: Tensor, theta_like: Any, size: Sequence[int], align_corners: bool) -> Any:
    """Each number of the map is summed over the places that it was multiplied with."""
    places = places_of(grad, list(size), align_corners)
    return places.transpose(1, 2).bmm(grad.reshape(size[0], places.shape[1], len(size) - 2)).transpose(1, 2)


differentiate("affine_grid_generator", node="AffineGridGeneratorBackward0", theta=_of_theta)
