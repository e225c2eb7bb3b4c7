"""Short-time Fourier transforms: stft and istft."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...declare.reductions import must_be_tensor
from ...dispatch import stations
from ...dispatch.registry import OPS, Op, add_row
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...geometry import contiguous_stride
from ...memory import ON_META
from ...tensor.results import finish
from ...tensor.storage import MetaArray
from ...tensor.tensor import Tensor, is_meta, place_of, wrap
from ...types import dtypes
from ...types.dtypes import COMPLEX, FLOAT


def _bind(name: str, words: str, plain: Any) -> None:
    row = Op(name, "spectral", "spectral", words, kernel=plain)
    stations.bind(add_row(row), plain)


def _window(window: Tensor | None, win_length: int, n_fft: int, kind: np.dtype) -> np.ndarray:
    """Center the window in n_fft elements."""
    result = np.ones(win_length, kind) if window is None else window._array
    if win_length < n_fft:
        left = (n_fft - win_length) // 2
        result = np.pad(result, (left, n_fft - win_length - left))
    return result


def _described(name: str, t: Tensor, n_fft: int, hop: int, win: int, window: Any, more: str) -> str:
    size = ", ".join(map(str, t._array.shape))
    told = "None" if window is None else f"torch.{window._dtype._type_name}Tensor{{[{window._array.size}]}}"
    kind = f"torch.{t._dtype._type_name}Tensor"
    return f"{name}({kind}[{size}], n_fft={n_fft}, hop_length={hop}, win_length={win}, window={told}, {more})"


def stft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: Tensor | None = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
    onesided: bool | None = None, return_complex: bool | None = None, align_to_window: bool | None = None,
) -> Tensor:  # fmt: skip
    must_be_tensor("stft", input)
    hop = n_fft // 4 if hop_length is None else hop_length
    win = n_fft if win_length is None else win_length
    complex_input = input._dtype._kind == COMPLEX or window is not None and window._dtype._kind == COMPLEX
    if return_complex is None:
        if not complex_input:
            refuse(
                RuntimeError,
                "stft requires the return_complex parameter be given for real inputs, and will further require that "
                "return_complex=True in a future PyTorch release.",
                "a transform is complex",
                "return_complex=True",
                rule="stft.complex",
            )
        return_complex = True
    if window is None:
        warn(
            "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. "
            "Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral "
            "leakage."
            "To suppress this warning and use a rectangular window, explicitly set "
            f"`window=torch.ones({n_fft}, device=<device>)`."
        )
    x = input._array
    padded = x if not center else _padded(x, n_fft // 2, pad_mode)
    _check_stft(input, padded, n_fft, hop, win, window, normalized, onesided, return_complex)
    half = not complex_input if onesided is None else onesided
    if half and complex_input:
        refuse(
            RuntimeError,
            "Cannot have onesided output if window or input is complex",
            "only the transform of real numbers mirrors itself",
            "onesided=False",
            rule="stft.onesided",
        )
    d = input._dtype.to_complex()
    if is_meta(input):
        result = _transforms(padded.shape, n_fft, hop, n_fft // 2 + 1 if half else n_fft, d)
        return result if return_complex else OPS["view_as_real"].function(result)
    signals = padded.reshape(-1, padded.shape[-1])
    frames = np.lib.stride_tricks.sliding_window_view(signals, n_fft, -1)[:, ::hop]
    own = input._dtype._in_numpy if not complex_input else input._dtype.to_complex()._in_numpy
    cut = frames * _window(window, win, n_fft, input._dtype.to_real()._in_numpy)
    import scipy.fft

    outcome = scipy.fft.rfft(cut.astype(own), axis=-1) if half else scipy.fft.fft(cut.astype(own), axis=-1)
    if normalized:
        outcome = outcome / np.sqrt(n_fft).astype(outcome.real.dtype)
    outcome = np.ascontiguousarray(outcome.astype(d._in_numpy)).swapaxes(-1, -2)
    result = wrap(outcome if x.ndim > 1 else outcome[0], d)
    return result if return_complex else OPS["view_as_real"].function(result)


def _transforms(size: tuple[int, ...], n_fft: int, hop: int, bins: int, d: dtypes.dtype) -> Tensor:
    """The transforms of the windows of a meta tensor: kept window by window, shown bin by bin."""
    frames = 1 + (size[-1] - n_fft) // hop
    whole = (*size[:-1], bins, frames)
    stride = (*[frames * bins] * (len(size) - 1), 1, bins)
    return finish(whole, d, None, lambda target: None, ON_META, stride)


def _padded(x: Any, pad: int, mode: str) -> Any:
    n = x.shape[-1] if x.ndim else 0
    if mode == "reflect" and pad >= n:
        refuse(
            RuntimeError,
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
            f"({pad}, {pad}) at dimension 2 of input [1, {x.shape[0] if x.ndim > 1 else 1}, {n}]",
            f"a signal of {n} places cannot be mirrored over {pad}",
            "center=False",
            rule="stft.pad",
        )
    widths = [(0, 0)] * (x.ndim - 1) + [(pad, pad)]
    if type(x) is MetaArray:
        size = (*x.shape[:-1], n + 2 * pad)
        strides = tuple([s * x.itemsize for s in contiguous_stride(size)])
        return MetaArray(size, strides, x.dtype)  # type: ignore
    modes: dict[str, Any] = {"reflect": "reflect", "constant": "constant", "replicate": "edge", "circular": "wrap"}
    return np.pad(x, widths, mode=modes[mode])


def _check_stft(
    input: Tensor, padded: np.ndarray, n_fft: int, hop: int, win: int, window: Any, normalized: bool, onesided: Any,
    return_complex: bool,
) -> None:  # fmt: skip
    sided = "None" if onesided is None else str(int(onesided))
    more = f"normalized={int(normalized)}, onesided={sided}, return_complex={int(return_complex)}, align_to_window=None"
    told = _described("stft", wrap(padded, input._dtype), n_fft, hop, win, window, more)
    n = padded.shape[-1] if padded.ndim else 0
    if input._dtype._kind not in (FLOAT, COMPLEX):
        _refuse(f"{told} : expected a tensor of floating point or complex values", "x.float()")
    if padded.ndim not in (1, 2):
        _refuse(f"{told} : expected a 1D or 2D tensor", "x[0]")
    if not 0 < n_fft <= n:
        _refuse(f"{told} : expected 0 < n_fft < {n}, but got n_fft={n_fft}", f"n_fft={n}")
    if hop <= 0:
        _refuse(f"{told} : expected hop_length > 0, but got hop_length={hop}", "hop_length=1")
    if not 0 < win <= n_fft:
        _refuse(f"{told} : expected 0 < win_length <= n_fft, but got win_length={win}", f"win_length={n_fft}")
    if window is not None and window._array.shape != (win,):
        size = list(window._array.shape)
        _refuse(
            f"{told} : expected a 1D window tensor of size equal to win_length={win}, but got window with size {size}",
            f"torch.hann_window({win})",
        )


def _refuse(message: str, way: str) -> None:
    refuse(RuntimeError, message, "the signal, the window and the steps have to fit", way, rule="stft.arguments")


def istft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: Tensor | None = None, center: bool = True, normalized: bool = False, onesided: bool | None = None,
    length: int | None = None, return_complex: bool = False,
) -> Tensor:  # fmt: skip
    must_be_tensor("istft", input)
    if input._dtype._kind != COMPLEX:
        refuse(
            RuntimeError,
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.",
            "the way back starts from a transform",
            "torch.stft(x, …, return_complex=True)",
            rule="istft.complex",
        )
    if window is None:
        warn(
            "A window was not provided. A rectangular window will be applied.Please provide the same window used "
            "by stft to "
            "make the inversion lossless.To suppress this warning and use a rectangular window, explicitly set "
            f"`window=torch.ones({n_fft}, device=<device>)`."
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    win = n_fft if win_length is None else win_length
    if is_meta(input):
        whole = n_fft + hop * (input._array.shape[-1] - 1) - (2 * (n_fft // 2) if center else 0)
        kind = input._dtype if return_complex else input._dtype.to_real()
        size = (*input._array.shape[:-2], whole if length is None else length)
        return finish(size, kind, None, lambda target: None, place_of(input))
    spectrum = input._array if input._array.ndim == 3 else input._array[None]
    half = spectrum.shape[-2] != n_fft if onesided is None else onesided
    import scipy.fft

    real = dtypes.FROM_NUMPY[np.dtype(spectrum.real.dtype)]
    frames = spectrum.swapaxes(-1, -2)
    if normalized:
        frames = frames * np.sqrt(n_fft).astype(spectrum.real.dtype)
    cut = scipy.fft.irfft(frames, n_fft, axis=-1) if half else scipy.fft.ifft(frames, n_fft, axis=-1)
    if not half and not return_complex:
        cut = cut.real
    shape = _window(window, win, n_fft, spectrum.real.dtype)
    total = n_fft + hop * (frames.shape[1] - 1)
    signal = np.zeros((frames.shape[0], total), cut.dtype)
    weight = np.zeros(total, spectrum.real.dtype)
    for i in range(frames.shape[1]):
        signal[:, i * hop : i * hop + n_fft] += cut[:, i] * shape
        weight[i * hop : i * hop + n_fft] += shape * shape
    start = n_fft // 2 if center else 0
    stop = start + length if length is not None else total - start if center else total
    kept = weight[start:stop]
    if kept.size and abs(kept).min() < 1e-11:
        refuse(
            RuntimeError,
            "window overlap add min: 1",
            "somewhere no window covers the signal, so it cannot be told",
            "a smaller hop_length",
            rule="istft.window",
        )
    result = signal[:, start:stop] / kept
    if length is not None and result.shape[1] < length:
        warn(
            "The length of signal is shorter than the length parameter. Result is being padded with zeros in the tail. "
            "Please check your center and hop_length settings."
        )
        result = np.pad(result, ((0, 0), (0, length - result.shape[1])))
    d = input._dtype if return_complex else real
    result = np.ascontiguousarray(result.astype(d._in_numpy))
    return wrap(result if input._array.ndim == 3 else result[0], d)


_bind("stft", "Computes the short-time Fourier transform of a signal.", stft)
_bind("istft", "Computes the inverse of stft.", istft)
