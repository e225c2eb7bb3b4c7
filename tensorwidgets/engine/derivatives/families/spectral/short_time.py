"""Short-time Fourier transforms, and the windows that they use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....errors.warnings import warn
from ...beside import zeros_beside
from ...declaring import differentiate, not_differentiable, parts
from ...ops import torch
from ...private_rows import slice_of
from ...spectral_rows import (
    BY_COUNT,
    BY_ROOT,
    UNSCALED,
    constant_pad,
    fft_c2c,
    fft_c2r,
    fft_r2c,
    mirrored,
    overlapped,
    reflection_pad,
    repeated,
    replication_pad,
)

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

differentiate(
    "reflection_pad1d", node="ReflectionPad1DBackward0",
    input=lambda grad, input_shape, pad: _added(grad, input_shape, mirrored(grad, input_shape[-1], *pad)),
)  # fmt: skip
differentiate(
    "replication_pad1d", node="ReplicationPad1DBackward0",
    input=lambda grad, input_shape, pad: _added(grad, input_shape, repeated(grad, input_shape[-1], *pad)),
)  # fmt: skip


def _added(grad: Tensor, size: tuple[int, ...], places: Tensor) -> Any:
    """Gradients added up at the places in the last dimension that the elements were read from."""
    return zeros_beside(grad, size).index_add(len(size) - 1, places, grad)


def _padded(x: Tensor, pad: int, mode: str) -> Any:
    """A signal with as much before as after."""
    whole = x.view([1] * (3 - x.dim()) + list(x.shape))
    if mode == "circular":
        n = whole.shape[-1]
        padded = torch.cat([whole.narrow(-1, n - pad, pad), whole, whole.narrow(-1, 0, pad)], -1)
    elif mode == "constant":
        padded = constant_pad(whole, (pad, pad))
    else:
        padded = {"reflect": reflection_pad, "replicate": replication_pad}[mode](whole, (pad, pad))
    return padded.view(padded.shape[-x.dim() :])


@parts("stft")
def stft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    pad_mode: str = "reflect",
    normalized: bool = False,
    onesided: bool | None = None,
    return_complex: Any = None,
    align_to_window: Any = None,
) -> Any:
    """as_strided, mul with the window, and a transform of each piece"""
    hop, win = n_fft // 4 if hop_length is None else hop_length, n_fft if win_length is None else win_length
    x = _padded(input, n_fft // 2, pad_mode) if center else input
    _check(input, x, n_fft, hop, win, window, return_complex)
    single = x.dim() == 1
    x = x.unsqueeze(0) if single else x
    if win < n_fft:
        left = (n_fft - win) // 2
        wide = zeros_beside(input if window is None else window, n_fft)
        inside = wide.narrow(0, left, win)
        inside.fill_(1) if window is None else inside.copy_(window)
        window = wide
    frames = 1 + (x.shape[1] - n_fft) // hop
    stride = x.stride()
    x = x.as_strided((x.shape[0], frames, n_fft), (stride[0], hop * stride[1], stride[1]))
    x = x if window is None else x.mul(window)
    half = not x.is_complex() if onesided is None else onesided
    if half and x.is_complex():
        raise ValueError("the row itself refuses this")
    scale = BY_ROOT if normalized else UNSCALED
    found = fft_c2c(x, (2,), scale, True) if x.is_complex() else fft_r2c(x, (2,), scale, half)
    found.transpose_(1, 2)
    if single:
        found.squeeze_(0)
    return found if return_complex or return_complex is None else torch.view_as_real(found)


def _check(
    input: Tensor, x: Tensor, n_fft: int, hop: int, win: int, window: Tensor | None, return_complex: bool
) -> None:
    """Raise an error where the row itself refuses."""
    real = not input.is_complex() and (window is None or not window.is_complex())
    fits = x.dim() in (1, 2) and 0 < n_fft <= x.shape[-1] and hop > 0 and 0 < win <= n_fft
    if not fits or window is not None and tuple(window.shape) != (win,) or real and return_complex is None:
        raise ValueError("the row itself refuses this")


@parts("istft")
def istft(
    input: Tensor,
    n_fft: int,
    hop_length: int | None = None,
    win_length: int | None = None,
    window: Tensor | None = None,
    center: bool = True,
    normalized: bool = False,
    onesided: bool | None = None,
    length: int | None = None,
    return_complex: bool = False,
) -> Any:
    """a transform back of each piece, mul with the window, and pieces added where they overlap"""
    hop, win = n_fft // 4 if hop_length is None else hop_length, n_fft if win_length is None else win_length
    if not input.is_complex():
        raise ValueError("the row itself refuses this")
    x, single = torch.view_as_real(input.resolve_conj()), input.dim() == 2
    kind = input.dtype if window is not None and window.is_complex() else x.dtype
    half = input.shape[-2] != n_fft if onesided is None else onesided
    total = n_fft + hop * (input.shape[-1] - 1)
    shape = torch.ones(win, dtype=kind, device=x.device) if window is None else window
    if win != n_fft:
        left = (n_fft - win) // 2
        shape = constant_pad(shape, (left, n_fft - win - left))
    x = torch.view_as_complex((x.unsqueeze(0) if single else x).transpose(1, 2))
    scale = BY_ROOT if normalized else BY_COUNT
    if return_complex:
        pieces = fft_c2c(x, (2,), scale, False)
    else:
        pieces = fft_c2r(x if half else x.narrow(-1, 0, n_fft // 2 + 1), (2,), scale, n_fft)
    y = pieces * shape.view(1, 1, n_fft)
    y = overlapped(y, (y.shape[0], total), 1, n_fft, hop)
    weights = overlapped(shape.pow(2).expand(1, input.shape[-1], n_fft), (1, total), 1, n_fft, hop)
    start = n_fft // 2 if center else 0
    end = start + length if length is not None else total - start if center else total
    y, weights = slice_of(y, 1, start, min(end, total), 1), slice_of(weights, 1, start, min(end, total), 1)
    if not weights.numel() or weights.abs().min().item() < 1e-11:
        raise ValueError("the row itself refuses this")
    y = y / weights
    y = y.squeeze(0) if single else y
    if end > total:
        warn(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
            "Please check your center and hop_length settings."
        )
        y = constant_pad(y, (0, end - total))
    return y


not_differentiable(
    "bartlett_window blackman_window hamming_window hann_window kaiser_window signal.windows.bartlett "
    "signal.windows.blackman signal.windows.cosine signal.windows.exponential signal.windows.gaussian "
    "signal.windows.general_cosine signal.windows.general_hamming signal.windows.hamming signal.windows.hann "
    "signal.windows.kaiser signal.windows.nuttall"
)
