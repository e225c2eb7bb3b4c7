"""Fourier transforms: eighteen functions, made of the three transforms that PyTorch records.

A transform is a linear map, and its gradient is the same transform in the other direction, divided by the same number.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...beside import places_beside
from ...declaring import differentiate, not_differentiable, parts
from ...ops import torch
from ...spectral_rows import constant_pad, fft_c2c, fft_c2r, fft_r2c, scale_of
from ..views import wrapped

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- the three ---------------------------------------------------------------------------------------------------

differentiate(
    "_fft_c2c", node="FftC2CBackward0",
    input=lambda grad, dim, normalization, forward: fft_c2c(grad, dim, normalization, not forward),
)  # fmt: skip


def of_real(grad: Tensor, size: tuple[int, ...], dim: tuple[int, ...], scale: int, onesided: bool) -> Any:
    """The gradient of a transform of real numbers."""
    if onesided:
        grad = resized(grad, dim[-1:], [size[dim[-1]]])
    return fft_c2c(grad, dim, scale, False).real


differentiate(
    "_fft_r2c", node="FftR2CBackward0",
    input=lambda grad, input, dim, normalization, onesided: of_real(
        grad, tuple(input.shape), dim, normalization, onesided),
)  # fmt: skip


def to_half(grad: Tensor, dim: tuple[int, ...], scale: int) -> Any:
    """The gradient of a transform to real numbers: frequencies that stand for two count twice."""
    half = fft_r2c(grad, dim, scale, True)
    n = half.shape[dim[-1]]
    places = places_beside(grad, n)
    twice = ((places > 0) & (places <= grad.shape[dim[-1]] - n)).to(grad.dtype) + 1
    return half * twice.reshape([-1 if d == dim[-1] else 1 for d in range(half.dim())])


differentiate(
    "_fft_c2r", node="FftC2RBackward0",
    input=lambda grad, dim, normalization: to_half(grad, dim, normalization),
)  # fmt: skip

differentiate("constant_pad_nd", input=lambda grad, input_shape, pad: unpadded(grad, input_shape, pad))


def unpadded(grad: Tensor, size: tuple[int, ...], pad: tuple[int, ...]) -> Any:
    """The part of a gradient that is not padding."""
    for d, before in zip(range(len(size) - 1, -1, -1), pad[::2], strict=False):
        grad = grad.narrow(d, before, size[d])
    return grad


# -- along one dimension -----------------------------------------------------------------------------------------


def resized(x: Tensor, dims: tuple[int, ...], sizes: list[int]) -> Any:
    """Each dimension cut, or padded with zeros, to a size."""
    pad = [0] * (2 * x.dim())
    for d, n in zip(dims, sizes, strict=True):
        if n < x.shape[d]:
            x = x.narrow(d, 0, n)
        pad[2 * (x.dim() - 1 - d) + 1] = n - x.shape[d]
    return constant_pad(x, tuple(pad)) if any(pad) else x


def _complex(x: Tensor) -> Any:
    if x.dtype in (torch.float16, torch.bfloat16):
        raise ValueError("the row itself refuses this")
    return x if x.is_complex() else x.to(torch.promote_types(x.dtype, torch.complex64))


def _real_to_complex(name: str, forward: bool, onesided: bool) -> None:
    @parts(f"fft.{name}")
    def transform(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
        """one transform of the input, cut or padded before"""
        d = (wrapped(dim, input.dim()),)
        x = input if n is None else resized(input, d, [n])
        if x.is_complex():
            if onesided:
                raise ValueError("the row itself refuses this")
            return fft_c2c(x, d, scale_of(norm, forward), forward)
        result = fft_r2c(x, d, scale_of(norm, forward), onesided)
        return result if forward else result.conj()


_real_to_complex("fft", True, False)
_real_to_complex("ifft", False, False)
_real_to_complex("rfft", True, True)
_real_to_complex("ihfft", False, True)


def _complex_to_real(name: str, forward: bool) -> None:
    @parts(f"fft.{name}")
    def transform(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
        """one transform to real numbers"""
        d = (wrapped(dim, input.dim()),)
        x = _complex(input)
        last = 2 * (x.shape[d[0]] - 1) if n is None else n
        x = x if n is None else resized(x, d, [n // 2 + 1])
        return fft_c2r(x.conj() if forward else x, d, scale_of(norm, forward), last)


_complex_to_real("irfft", False)
_complex_to_real("hfft", True)


# -- along several -----------------------------------------------------------------------------------------------


def _chosen(x: Tensor, s: tuple[int, ...] | None, dim: int | Sequence[int] | None) -> tuple[tuple[int, ...], list[int]]:
    """The dimensions that are transformed, and their sizes."""
    s = [s] if isinstance(s, int) else s
    if dim is None:
        dim = range(x.dim()) if s is None else range(x.dim() - len(s), x.dim())
    dims = tuple([wrapped(d, x.dim()) for d in ((dim,) if isinstance(dim, int) else dim)])
    if s is not None and len(s) != len(dims) or len(set(dims)) != len(dims):
        raise ValueError("the row itself refuses this")
    return dims, [x.shape[d] if s is None or s[k] == -1 else s[k] for k, d in enumerate(dims)]


def _in_several(name: str, inner: Callable[..., Any]) -> None:
    for end, default in (("2", (-2, -1)), ("n", None)):

        @parts(f"fft.{name}{end}")
        def transform(
            input: Tensor,
            s: tuple[int, ...] | None = None,
            dim: int | Sequence[int] | None = default,
            norm: str | None = None,
        ) -> Any:
            """transforms over several dimensions"""
            dims, sizes = _chosen(input, s, dim)
            whole = s is None or (s if isinstance(s, int) else (*s, -1)[len(dims) - 1]) == -1
            return inner(input, dims, sizes, norm, whole)


def _half(x: Tensor, dims: tuple[int, ...], sizes: list[int], whole: bool) -> tuple[Any, int]:
    """The half of a spectrum, and how many real numbers it stands for."""
    last = 2 * (sizes[-1] - 1) if whole else sizes[-1]
    return resized(_complex(x), dims, [*sizes[:-1], last // 2 + 1]), last


def _irfftn(x: Tensor, dims: tuple[int, ...], sizes: list[int], norm: str | None, whole: bool) -> Any:
    x, last = _half(x, dims, sizes, whole)
    return fft_c2r(x, dims, scale_of(norm, False), last)


def _hfftn(x: Tensor, dims: tuple[int, ...], sizes: list[int], norm: Any, whole: bool) -> Any:
    (x, last), scale = _half(x, dims, sizes, whole), scale_of(norm, True)
    if len(dims) > 1:
        x = fft_c2c(x, dims[:-1], scale, True)
    return fft_c2r(x.conj(), dims[-1:], scale, last)


def _ihfftn(x: Tensor, dims: tuple[int, ...], sizes: list[int], norm: Any, whole: bool) -> Any:
    scale = scale_of(norm, False)
    half = fft_r2c(resized(x, dims, sizes), dims[-1:], scale, True)
    if len(dims) == 1:
        return half.conj()
    return fft_c2c(half.conj_physical(), dims[:-1], scale, False)


_in_several("fft", lambda x, dims, sizes, norm, whole: fft_c2c(
    resized(_complex(x), dims, sizes), dims, scale_of(norm, True), True))  # fmt: skip
_in_several("ifft", lambda x, dims, sizes, norm, whole: fft_c2c(
    resized(_complex(x), dims, sizes), dims, scale_of(norm, False), False))  # fmt: skip
_in_several("rfft", lambda x, dims, sizes, norm, whole: fft_r2c(
    resized(x, dims, sizes), dims, scale_of(norm, True), True))  # fmt: skip
_in_several("irfft", _irfftn)
_in_several("hfft", _hfftn)
_in_several("ihfft", _ihfftn)

not_differentiable("fft.fftfreq fft.rfftfreq")
