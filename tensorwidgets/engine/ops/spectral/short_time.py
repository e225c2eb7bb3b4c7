"""Short-time Fourier transforms: stft and istft."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...backends.numpy.without_warnings import silent
from ...declare.rules import Answer, Result, computed_row
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...memory.places import moved, place_of
from ...tensor.must_be_tensor import must_be_tensor
from ...tensor.tensor import Tensor
from ...types.cpp_names import cpp_tensor_type
from ...types.dtypes import COMPLEX, FLOAT, HALVES
from ...types.promotion import promote_types


def _window(window: np.ndarray | None, win_length: int, n_fft: int, kind: np.dtype) -> np.ndarray:
    """Center the window in n_fft elements."""
    result = np.ones(win_length, kind) if window is None else window
    if win_length < n_fft:
        left = (n_fft - win_length) // 2
        result = np.pad(result, (left, n_fft - win_length - left))
    return result


_MODES: dict[str, Any] = {"reflect": "reflect", "constant": "constant", "replicate": "edge", "circular": "wrap"}


@silent
def fill_stft(
    target: np.ndarray,
    signal: np.ndarray,
    n_fft: int,
    hop: int,
    win: int,
    window: np.ndarray | None,
    pad: int,
    mode: str,
    half: bool,
    normalized: bool,
) -> None:
    """Fill in the transforms of the windows that slide over a signal."""
    import scipy.fft

    if isinstance(target, tuple):
        (target,) = target
    if pad:
        signal = np.pad(signal, [(0, 0)] * (signal.ndim - 1) + [(pad, pad)], mode=_MODES[mode])
    real = signal.real.dtype
    frames = np.lib.stride_tricks.sliding_window_view(signal, n_fft, -1)[..., ::hop, :]
    cut = frames * moved(_window(window, win, n_fft, real), place_of(signal))
    own = target.dtype if cut.dtype.kind == "c" else target.real.dtype
    fft: Any = scipy.fft if type(cut) is np.ndarray else np.fft
    result = fft.rfft(cut.astype(own), axis=-1) if half else fft.fft(cut.astype(own), axis=-1)
    if normalized:
        result = result / np.sqrt(n_fft).astype(result.real.dtype)
    target[...] = result.swapaxes(-1, -2)


def _as_real(results: tuple) -> Tensor:
    return OPS["view_as_real"].function(results[0])


@computed_row(
    "stft", "Computes the short-time Fourier transform of a signal.", fill_stft, family="spectral",
    category="spectral", returns=_as_real, out=None,
)  # fmt: skip
def stft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: Tensor | None = None, center: bool = True, pad_mode: str = "reflect", normalized: bool = False,
    onesided: bool | None = None, return_complex: bool | None = None, align_to_window: bool | None = None,
) -> Answer:  # fmt: skip
    must_be_tensor("stft", input)
    hop = n_fft // 4 if hop_length is None else hop_length
    win = n_fft if win_length is None else win_length
    complex_input = input._dtype._kind == COMPLEX or window is not None and window._dtype._kind == COMPLEX
    size, pad = input._array.shape, n_fft // 2 if center else 0
    padded = _padded_size(size, pad, pad_mode) if center else size
    if window is None:
        warn(
            "A window was not provided. A rectangular window will be applied,which is known to cause spectral leakage. "
            "Other windows such as torch.hann_window or torch.hamming_window are recommended to reduce spectral "
            "leakage."
            "To suppress this warning and use a rectangular window, explicitly set "
            "`window=torch.ones(n_fft, device=<device>)`.",
            once=True,
        )
    if return_complex is None and not complex_input:
        refuse(
            RuntimeError,
            "stft requires the return_complex parameter be given for real inputs, and will further require that "
            "return_complex=True in a future PyTorch release.",
            "a transform is complex",
            "return_complex=True",
            rule="stft.complex",
        )
    if return_complex is False:
        warn(
            "stft with return_complex=False is deprecated. In a future pytorch release, stft will return complex "
            "tensors for all inputs, and return_complex=False will raise an error.\nNote: you can still call "
            "torch.view_as_real on the complex output to recover the old return format.",
            once=True,
        )
    _check_stft(input, padded, n_fft, hop, win, window, normalized, onesided, return_complex, align_to_window)
    half = not complex_input if onesided is None else onesided
    if half and complex_input:
        refuse(
            RuntimeError,
            "Cannot have onesided output if window or input is complex",
            "only the transform of real numbers mirrors itself",
            "onesided=False",
            rule="stft.onesided",
        )
    bins, frames = n_fft // 2 + 1 if half else n_fft, 1 + (padded[-1] - n_fft) // hop
    # Window by window in memory, and bin by bin in the result.
    stride = (*[frames * bins] * (len(size) - 1), 1, bins)
    d = input._dtype if window is None else promote_types(input._dtype, window._dtype)
    if d in HALVES and place_of(input._array).has_numbers:
        _refuse(f"MKL FFT doesn't support tensors of type: {d._type_name}", "x.float()")
    result = Result((*size[:-1], bins, frames), d.to_complex(), stride)
    shape = None if window is None else window._array
    given = (input._array, n_fft, hop, win, shape, pad, pad_mode, half, normalized)
    return (result,) if return_complex is False else result, given


def _padded_size(size: tuple[int, ...], pad: int, mode: str) -> tuple[int, ...]:
    """The size of a signal with `pad` elements more at both ends."""
    n = size[-1] if size else 1
    if mode not in _MODES:
        refuse(NotImplementedError, f"Unrecognised padding mode {mode}", rule="pad.mode")
    batched = [*(1,) * (3 - len(size)), *size]
    if mode == "reflect" and 0 in batched[1:]:
        refuse(
            RuntimeError,
            "Expected 2D or 3D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, "
            f"but got: {batched}",
            "an empty signal has nothing to mirror",
            "center=False",
            rule="stft.pad",
        )
    if mode == "reflect" and pad >= n:
        refuse(
            RuntimeError,
            "Argument #4: Padding size should be less than the corresponding input dimension, but got: padding "
            f"({pad}, {pad}) at dimension 2 of input {batched}",
            f"a signal of {n} elements cannot be mirrored over {pad}",
            "center=False",
            rule="stft.pad",
        )
    return (*size[:-1], n + 2 * pad)


def _check_stft(
    input: Tensor, padded: tuple[int, ...], n_fft: int, hop: int, win: int, window: Tensor | None, normalized: bool,
    onesided: bool | None, return_complex: bool | None, align_to_window: bool | None,
) -> None:  # fmt: skip
    sided = "None" if onesided is None else str(int(onesided))
    told = "None" if return_complex is None else str(int(return_complex))
    aligned = "None" if align_to_window is None else str(int(align_to_window))
    more = f"normalized={int(normalized)}, onesided={sided}, return_complex={told}, align_to_window={aligned}"
    size = ", ".join(map(str, padded))
    shape = "None" if window is None else f"{cpp_tensor_type(window._dtype)}{{[{window._array.size}]}}"
    given = f"{cpp_tensor_type(input._dtype)}[{size}]"
    call = f"stft({given}, n_fft={n_fft}, hop_length={hop}, win_length={win}, window={shape}, {more})"
    n = padded[-1] if padded else 0
    if input._dtype._kind not in (FLOAT, COMPLEX):
        _refuse(f"{call} : expected a tensor of floating point or complex values", "x.float()")
    if len(padded) not in (1, 2):
        _refuse(f"{call} : expected a 1D or 2D tensor", "x[0]")
    if not 0 < n_fft <= n:
        _refuse(f"{call} : expected 0 < n_fft < {n}, but got n_fft={n_fft}", f"n_fft={n}")
    if hop <= 0:
        _refuse(f"{call} : expected hop_length > 0, but got hop_length={hop}", "hop_length=1")
    if not 0 < win <= n_fft:
        _refuse(f"{call} : expected 0 < win_length <= n_fft, but got win_length={win}", f"win_length={n_fft}")
    if window is not None and window._array.shape != (win,):
        _refuse(
            f"{call} : expected a 1D window tensor of size equal to win_length={win}, but got window with size "
            f"{list(window._array.shape)}",
            f"torch.hann_window({win})",
        )


def _refuse(message: str, way: str) -> None:
    refuse(RuntimeError, message, "the signal, the window and the steps have to fit", way, rule="stft.arguments")


@silent
def fill_istft(
    target: np.ndarray, transforms: np.ndarray, n_fft: int, hop: int, win: int, window: np.ndarray | None, start: int,
    length: int | None, normalized: bool, call: str,
) -> None:  # fmt: skip
    """Fill in the signal: the windows transformed back, added up where they overlap, and divided by their weight."""
    import scipy.fft

    fft = scipy.fft if type(transforms) is np.ndarray else np.fft
    spectrum = transforms if transforms.ndim == 3 else transforms[None]
    real = spectrum.real.dtype
    frames = spectrum.swapaxes(-1, -2)
    if normalized:
        frames = frames * np.sqrt(n_fft).astype(real)
    # A real signal has the one half of its frequencies mirrored in the other, so that PyTorch reads no more than one.
    whole = target.dtype.kind == "c"
    cut = fft.ifft(frames, n_fft, axis=-1) if whole else fft.irfft(frames[..., : n_fft // 2 + 1], n_fft, axis=-1)
    shape = _window(window, win, n_fft, real)
    total = n_fft + hop * (frames.shape[1] - 1)
    signal = np.zeros((frames.shape[0], total), cut.dtype, like=cut)
    weight = np.zeros(total, shape.dtype, like=cut)
    for i in range(frames.shape[1]):
        signal[:, i * hop : i * hop + n_fft] += cut[:, i] * shape
        weight[i * hop : i * hop + n_fft] += shape * shape
    stop = start + length if length is not None else total - start
    kept = weight[start:stop]
    if kept.size and abs(kept).min() < 1e-11:
        refuse(
            RuntimeError,
            f"{call} window overlap add min: 1\n[ CPUBoolType{{}} ]",
            "some part of the signal is covered by no window, so its numbers cannot be recovered",
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
    target[...] = result if transforms.ndim == 3 else result[0]


@computed_row("istft", "Computes the inverse of stft.", fill_istft, family="spectral", category="spectral", out=None)
def istft(
    input: Tensor, n_fft: int, hop_length: int | None = None, win_length: int | None = None,
    window: Tensor | None = None, center: bool = True, normalized: bool = False, onesided: bool | None = None,
    length: int | None = None, return_complex: bool = False,
) -> Answer:  # fmt: skip
    must_be_tensor("istft", input)
    if window is None:
        warn(
            "A window was not provided. A rectangular window will be applied.Please provide the same window used "
            "by stft to "
            "make the inversion lossless.To suppress this warning and use a rectangular window, explicitly set "
            "`window=torch.ones(n_fft, device=<device>)`.",
            once=True,
        )
    if input._dtype._kind != COMPLEX:
        refuse(
            RuntimeError,
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.",
            "istft starts from the complex result of stft",
            "torch.stft(x, …, return_complex=True)",
            rule="istft.complex",
        )
    hop = n_fft // 4 if hop_length is None else hop_length
    win = n_fft if win_length is None else win_length
    shown = ", ".join(map(str, input._array.shape))
    given = "None" if window is None else f"{cpp_tensor_type(window._dtype)}{{{list(window._array.shape)}}}"
    sided = "None" if onesided is None else str(int(onesided))
    call = (
        f"istft(CPU{input._dtype._type_name}Type[{shown}], n_fft={n_fft}, hop_length={hop}, win_length={win}, "
        f"window={given}, center={int(center)}, normalized={int(normalized)}, onesided={sided}, length={length}, "
        f"return_complex={int(return_complex)})"
    )
    _check_istft(call, input, n_fft, hop, win, window, onesided, return_complex)
    *batch, bins, frames = input._array.shape
    start = n_fft // 2 if center else 0
    count = n_fft + hop * (frames - 1) - 2 * start if length is None else length
    if count <= 0:
        refuse(
            RuntimeError,
            "min(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the "
            "'dim' argument.",
            "nothing is left of the signal: no window covers it",
            "length=None",
            rule="istft.length",
        )
    d = input._dtype if return_complex else input._dtype.to_real()
    shape = None if window is None else window._array
    return Result((*batch, count), d), (input._array, n_fft, hop, win, shape, start, length, normalized, call)


def _check_istft(
    call: str, input: Tensor, n_fft: int, hop: int, win: int, window: Tensor | None, onesided: bool | None,
    return_complex: bool,
) -> None:  # fmt: skip
    count = input.dim() + 1  # PyTorch counts the two parts of a complex number, too
    if count < 3:
        message = f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {-count - 1})"
        refuse(IndexError, message, "a transform has frequencies and times", "x[:, None]", rule="dim.range")
    if not input._array.size:
        _refuse(f"{call} : input tensor cannot be empty.", "torch.stft(x, …)")
    if count > 4:
        _refuse(f"{call} : expected a tensor with 3 or 4 dimensions, but got {count}", "x[0]")
    bins = input._array.shape[-2]
    half = bins != n_fft if onesided is None else onesided
    expected = "expected the frequency dimension (3rd to the last) of the input tensor to match n_fft"
    if half and bins != n_fft // 2 + 1:
        _refuse(f"{call} : {expected} / 2 + 1 when onesided=True, but got {bins}", f"n_fft={2 * bins - 2}")
    if not half and bins != n_fft:
        _refuse(f"{call} : {expected} when onesided=False, but got {bins}", f"n_fft={bins}")
    if not 0 < hop <= win:
        _refuse(f"{call} : expected 0 < hop_length <= win_length", f"hop_length={max(win // 4, 1)}")
    if not 0 < win <= n_fft:
        _refuse(f"{call} : expected 0 < win_length <= n_fft", f"win_length={n_fft}")
    if window is not None and window._array.shape != (win,):
        message = f"{call} : Invalid window shape. window has to be 1D and length of `win_length`"
        _refuse(message, f"torch.hann_window({win})")
    if return_complex and half:
        message = "Cannot have onesided output if window or input is complex"
        refuse(
            RuntimeError,
            message,
            "only the transform of real numbers is given by half of its values",
            rule="stft.onesided",
        )
    if not return_complex and window is not None and window._dtype._kind == COMPLEX:
        message = "Complex windows are incompatible with return_complex=False"
        refuse(RuntimeError, message, "the result is to be a real signal", "return_complex=True", rule="istft.complex")
