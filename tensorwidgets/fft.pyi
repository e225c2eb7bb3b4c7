# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence

from .engine.tensor.tensor import Tensor
from .engine.types.device import device as _device
from .engine.types.dtypes import dtype as _dtype
from .engine.types.formats import layout as _layout

def fft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the discrete Fourier transform along a dimension."""
def fft2(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the two-dimensional discrete Fourier transform."""
def fftfreq(
    n: _int,
    d: _float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns the sample frequencies of a discrete Fourier transform of n points."""
def fftn(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the N-dimensional discrete Fourier transform."""
def fftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """Moves frequency 0 to the centre of a spectrum."""
def hfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the discrete Fourier transform of the half of a Hermitian-symmetric signal."""
def hfft2(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the two-dimensional discrete Fourier transform of the half of a Hermitian-symmetric signal."""
def hfftn(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the N-dimensional discrete Fourier transform of the half of a Hermitian-symmetric signal."""
def ifft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse discrete Fourier transform along a dimension."""
def ifft2(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the two-dimensional inverse discrete Fourier transform."""
def ifftn(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the N-dimensional inverse discrete Fourier transform."""
def ifftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """Computes the inverse of fftshift."""
def ihfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse of hfft."""
def ihfft2(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse of the two-dimensional transform of a Hermitian-symmetric signal."""
def ihfftn(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse of the N-dimensional transform of a Hermitian-symmetric signal."""
def irfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse of rfft."""
def irfft2(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse of the two-dimensional transform of real numbers."""
def irfftn(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the inverse of the N-dimensional transform of real numbers."""
def rfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the non-redundant half of the discrete Fourier transform of real numbers."""
def rfft2(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the non-redundant half of the two-dimensional discrete Fourier transform of real numbers."""
def rfftfreq(
    n: _int,
    d: _float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    layout: _layout | None = None,
    device: _device | str | None = None,
    pin_memory: _bool = False,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns the sample frequencies of rfft of n points."""
def rfftn(
    input: Tensor,
    s: _int | Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Computes the non-redundant half of the N-dimensional discrete Fourier transform of real numbers."""
