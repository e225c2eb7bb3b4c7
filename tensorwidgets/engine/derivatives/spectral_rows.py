"""The three Fourier transforms that PyTorch records: complex to complex, real to complex, complex to real.

`torch.fft` has eighteen functions. PyTorch makes all of them of these three, with the size cut or padded before. Here
the three are made of the public rows, so that a call computes the same numbers whether it is recorded or not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..dispatch import stations
from ..dispatch.registry import OPS, Op
from ..tensor.tensor import Tensor
from .beside import places_beside
from .ops import torch
from .view_rows import unfold_backward as overlapped

UNSCALED, BY_ROOT, BY_COUNT = 0, 1, 2
"""What a transform of n elements is divided by: nothing, the root of n, n. The numbers are PyTorch's."""

_NORMS = {True: ("backward", "ortho", "forward"), False: ("forward", "ortho", "backward")}
"""How the public functions say the same, forward and back."""


def scale_of(norm: str | None, forward: bool) -> int:
    """What a public function divides by.

    >>> scale_of(None, True), scale_of(None, False), scale_of("ortho", True)
    (0, 2, 1)
    """
    return _NORMS[forward].index(norm or "backward")


def _row(name: str) -> Callable[[Callable], Callable]:
    def declare(plain: Callable) -> Callable:
        return stations.bind(Op(name, "spectral", "spectral", plain.__doc__ or "", forms=frozenset()), plain)

    return declare


def _call(name: str, input: Tensor, dim: tuple[int, ...], scale: int, forward: bool, last: int | None = None) -> Tensor:
    norm = _NORMS[forward][scale]
    if len(dim) == 1:
        alone: Tensor = OPS[f"fft.{name}"].plain(input, last, dim[0], norm)
        return alone
    size = None if last is None else [*(input._array.shape[d] for d in dim[:-1]), last]
    together: Tensor = OPS[f"fft.{name}n"].plain(input, size, dim, norm)
    return together


@_row("_fft_c2c")
def fft_c2c(input: Tensor, dim: tuple[int, ...], normalization: int, forward: bool) -> Tensor:
    """Computes a transform of complex numbers."""
    return _call("fft" if forward else "ifft", input, dim, normalization, forward)


@_row("_fft_r2c")
def fft_r2c(input: Tensor, dim: tuple[int, ...], normalization: int, onesided: bool) -> Tensor:
    """Computes a transform of real numbers, or its first half, which tells the rest."""
    return _call("rfft" if onesided else "fft", input, dim, normalization, True)


@_row("_fft_c2r")
def fft_c2r(input: Tensor, dim: tuple[int, ...], normalization: int, last_dim_size: int) -> Tensor:
    """Computes real numbers from the first half of their transform."""
    return _call("irfft", input, dim, normalization, False, last_dim_size)


# -- what short-time transforms need -----------------------------------------------------------------------------


@_row("constant_pad_nd")
def constant_pad(input: Tensor, pad: tuple[int, ...], value: int = 0) -> Tensor:
    """Pads dimensions with a number: pairs of counts, those of the last dimension first."""
    size = list(input.shape)
    pairs = list(zip(range(len(size) - 1, -1, -1), pad[::2], pad[1::2], strict=False))
    for d, before, after in pairs:
        size[d] += before + after
    whole: Tensor = torch.full(size, value, dtype=input.dtype, device=input.device)
    inside = whole
    for d, before, _ in pairs:
        inside = inside.narrow(d, before, input.shape[d])
    inside.copy_(input)
    return whole


def mirrored(x: Any, n: int, before: int, after: int) -> Any:
    """The places that a signal is read from where it is mirrored at both ends, beside a tensor.

    >>> mirrored(torch.ones(3), 3, 2, 1).tolist()
    [2, 1, 0, 1, 2, 1]
    """
    places = places_beside(x, -before, n + after).abs()
    return (n - 1) - (n - 1 - places).abs()


def repeated(x: Any, n: int, before: int, after: int) -> Any:
    """The same where both ends are repeated."""
    return places_beside(x, -before, n + after).clamp(0, n - 1)


@_row("reflection_pad1d")
def reflection_pad(input: Tensor, pad: tuple[int, int]) -> Tensor:
    """Pads the last dimension with its mirror image."""
    padded: Tensor = input.index_select(-1, mirrored(input, input.shape[-1], *pad))
    return padded


@_row("replication_pad1d")
def replication_pad(input: Tensor, pad: tuple[int, int]) -> Tensor:
    """Pads the last dimension with its ends."""
    padded: Tensor = input.index_select(-1, repeated(input, input.shape[-1], *pad))
    return padded


__all__ = [
    "BY_COUNT", "BY_ROOT", "UNSCALED", "constant_pad", "fft_c2c", "fft_c2r", "fft_r2c", "overlapped",
    "reflection_pad", "replication_pad", "scale_of",
]  # fmt: skip
