# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence

from .engine.tensor.tensor import Tensor
from .engine.types.device import device as _device
from .engine.types.dtypes import dtype as _dtype

def fft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transform along a dimension."""
def fft2(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transform over two dimensions."""
def fftfreq(
    n: _int,
    d: _float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
) -> Tensor:
    """The frequencies of a transform of n points."""
def fftn(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transform over several dimensions."""
def fftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """Frequency 0 in the middle."""
def hfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform of a half that mirrors itself, to real numbers."""
def hfft2(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform of a half that mirrors itself over two dimensions."""
def hfftn(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The transform of a half that mirrors itself over several dimensions."""
def ifft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse Fourier transform along a dimension."""
def ifft2(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse Fourier transform over two dimensions."""
def ifftn(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse Fourier transform over several dimensions."""
def ifftshift(input: Tensor, dim: _int | Sequence[_int] | None = None) -> Tensor:
    """Frequency 0 back at the front."""
def ihfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of hfft."""
def ihfft2(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform of a half that mirrors itself over two dimensions."""
def ihfftn(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform of a half that mirrors itself over several dimensions."""
def irfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """Back from the half transform to real numbers."""
def irfft2(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform of real numbers over two dimensions."""
def irfftn(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The inverse of the transform of real numbers over several dimensions."""
def rfft(
    input: Tensor,
    n: _int | None = None,
    dim: _int = -1,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transform of real numbers: the half that says it all."""
def rfft2(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] = (-2, -1),
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transform of real numbers over two dimensions."""
def rfftfreq(
    n: _int,
    d: _float = 1.0,
    *,
    out: Tensor | None = None,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
) -> Tensor:
    """The frequencies of the half transform of n real points."""
def rfftn(
    input: Tensor,
    s: Sequence[_int] | None = None,
    dim: _int | Sequence[_int] | None = None,
    norm: str | None = None,
    *,
    out: Tensor | None = None,
) -> Tensor:
    """The Fourier transform of real numbers over several dimensions."""
