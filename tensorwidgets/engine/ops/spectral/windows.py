"""Window functions: the five of the top-level module and those of torch.signal.windows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from math import pi, sqrt
from operator import index
from typing import Any

import numpy as np

from ...backends.numpy.casts import assign
from ...calling.arguments import as_dtype, as_number
from ...declare.creation import creation_row
from ...declare.rules import New, composite_row
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtype_refusals import refuse_dtype
from ...types.dtypes import COMPLEX, FLOAT, dtype
from ...types.formats import sparse_coo, strided
from ..creation.filled import new_of
from ..creation.ranges import as_double

# -- the top level -----------------------------------------------------------------------------------------------


_KINDS = {
    "int64": "long int", "int32": "int", "bool": "bool", "uint8": "unsigned char", "float32": "float",
    "float64": "double",
}  # fmt: skip
"""What C++ calls dtypes."""


def _length(name: str, n: int, options: dict[str, Any]) -> dtype:
    given = options.pop("dtype", None)
    d = dtypes.get_default_dtype() if given is None else as_dtype(given)
    asked = options.pop("layout", None)
    if asked is not None and asked not in (strided, sparse_coo):
        refuse(
            RuntimeError,
            "torch.empty: Only batched sparse compressed (non-block) tensors are supported, but got size [0]",
            "every place of a window holds a number",
            rule="window.layout",
        )
    if asked is sparse_coo:
        own = "float (default)" if given is None and name == "hann_window" else _KINDS.get(d._name, d._name)
        refuse(
            RuntimeError,
            f"{name} is not implemented for sparse types, got: TensorOptions(dtype={own}, device=cpu, "
            "layout=Sparse, requires_grad=false (default), pinned_memory=false, "
            "memory_format=(nullopt))",
            "every place of a window holds a number",
            rule="window.layout",
        )
    if d._kind == COMPLEX:
        refuse_dtype("arange_cpu", d, "a window is made of real fractions", "dtype=torch.float32")
    if d._kind != FLOAT:
        refuse(
            RuntimeError,
            f"{name} expects floating point dtypes, got: TensorOptions(dtype={_KINDS.get(d._name, d._name)}, "
            "device=cpu, layout=Strided (default), requires_grad=false (default), pinned_memory=false, "
            "memory_format=(nullopt))",
            "a window is made of fractions",
            "dtype=torch.float32",
            rule="window.dtype",
        )
    if n < 0:
        refuse(
            RuntimeError,
            f"{name} requires non-negative window_length, got window_length={n}",
            "a length is counted",
            rule="window.length",
        )
    return d


def fill_window(target: np.ndarray, shape: Callable[..., np.ndarray], n: int, factors: tuple[float, ...]) -> None:
    """Fill in the first elements of a window of n numbers; a window of one number is 1."""
    if n < 2:
        target.fill(1)
        return
    wide = np.float64 if target.dtype == np.float64 else np.float32
    assign(target, shape(np.arange(n, dtype=wide, like=target), n, *factors)[: len(target)])


def _top(name: str, shape: Callable[..., np.ndarray], words: str, **factors: float) -> None:
    """Declare a window by its shape; `factors` are the parameters of the shape and their defaults."""

    @creation_row(name, words, category="spectral", kernel=fill_window)
    def make(window_length: int, periodic: bool = True, **options: Any) -> New:
        given = tuple([as_double(as_number(options.pop(factor, default))) for factor, default in factors.items()])
        window_length = index(window_length)
        d = _length(name, window_length, options)
        n = window_length + periodic if window_length > 1 else window_length
        return new_of(name, (window_length,), None, d, **options)._replace(given=(shape, n, given))


def _bartlett(k: np.ndarray, n: int) -> np.ndarray:
    rising = k * k.dtype.type(2.0 / (n - 1))
    half = ((n - 1) >> 1) + 1
    return np.concatenate([rising[:half], 2 - rising[half:]])


def _blackman(k: np.ndarray, n: int) -> np.ndarray:
    kind = k.dtype.type
    k = k * kind(pi / (n - 1))
    return np.cos(k * 4) * kind(0.08) - np.cos(k * 2) * kind(0.5) + kind(0.42)


def _hamming(k: np.ndarray, n: int, alpha: float, beta: float) -> np.ndarray:
    kind = k.dtype.type
    return np.cos(k * kind(2 * pi / (n - 1))) * kind(-beta) + kind(alpha)


def _hann(k: np.ndarray, n: int) -> np.ndarray:
    return _hamming(k, n, 0.5, 0.5)


def _kaiser(k: np.ndarray, n: int, beta: float) -> np.ndarray:
    from scipy.special import i0

    across = 2 * k.astype(np.float64) / (n - 1) - 1
    return (i0(beta * np.sqrt(np.maximum(1 - across**2, 0))) / i0(beta)).astype(k.dtype)


_top("bartlett_window", _bartlett, "Returns a Bartlett window: a triangle.")
_top("blackman_window", _blackman, "Returns a Blackman window.")
_top("hamming_window", _hamming, "Returns a Hamming window.", alpha=0.54, beta=0.46)
_top("hann_window", _hann, "Returns a Hann window.")
_top("kaiser_window", _kaiser, "Returns a Kaiser window with shape parameter beta.", beta=12.0)

# -- torch.signal.windows ----------------------------------------------------------------------------------------


def _checked(name: str, m: int, options: dict[str, Any]) -> dtype:
    d = options.get("dtype") or dtypes.get_default_dtype()
    if m < 0:
        refuse(
            ValueError,
            f"{name} requires non-negative window length, got M={m}",
            "a length is counted",
            rule="window.length",
        )
    asked = options.get("layout")
    if asked is not None and asked is not strided:
        refuse(
            ValueError,
            f"{name} is implemented for strided tensors only, got: {asked}",
            "every place of a window holds a number",
            rule="window.layout",
        )
    if d not in (dtypes.float32, dtypes.float64):
        refuse(
            ValueError,
            f"{name} expects float32 or float64 dtypes, got: {d}",
            "a window is made of fractions",
            "dtype=torch.float32",
            rule="window.dtype",
        )
    return d


def _signal(name: str, words: str, parameters: str, refusing_name: str = "") -> Callable[[Callable], None]:
    """Declare a window by its own parameters and its numbers; `refusing_name` is the op in PyTorch's messages."""

    def declare(numbers: Callable[..., Tensor]) -> None:
        own_parameters = list(signature(numbers).parameters)[3:]

        @composite_row(
            f"signal.windows.{name}",
            words,
            family="creation",
            category="spectral",
            forms="function",
            notation=f"int64_t M, *, {parameters}bool sym=True, ScalarType? dtype=None, Layout layout=strided, "
            "Device? device=None, bool requires_grad=False",
        )
        def make(M: int, *, sym: bool = True, **options: Any) -> Tensor:  # noqa: N803
            extra: dict[str, Any] = {p: options.pop(p) for p in own_parameters if p in options}
            options.setdefault("dtype", None)
            own = _checked(refusing_name or name, M, options)
            if M == 0:
                return OPS["empty"].function(0, **options)
            _check_parameters(name, sym, extra)
            if M == 1 and name not in ("cosine", "exponential", "gaussian"):
                return OPS["ones"].function(1, **options)
            return numbers(M, M if not sym and M > 1 else M - 1, {**options, "dtype": own}, **extra)

    return declare


def _check_parameters(name: str, sym: bool, extra: dict[str, Any]) -> None:
    if name == "gaussian" and extra.get("std", 1.0) <= 0:
        refuse(ValueError, f"Standard deviation must be positive, got: {extra['std']} instead.", rule="window.std")
    if name == "exponential" and extra.get("tau", 1.0) <= 0:
        refuse(ValueError, f"Tau must be positive, got: {extra['tau']} instead.", rule="window.tau")
    if name == "exponential" and sym and extra.get("center") is not None:
        refuse(
            ValueError,
            "Center must be None for symmetric windows",
            "a symmetric window has its middle",
            rule="window.center",
        )
    if name == "kaiser" and extra.get("beta", 12.0) < 0:
        refuse(ValueError, f"beta must be non-negative, got: {extra['beta']} instead.", rule="window.beta")


def _line(start: float, stop: float, count: int, options: dict[str, Any]) -> Tensor:
    return OPS["linspace"].function(start, stop, count, **options)


def _cosines(m: int, span: int, options: dict[str, Any], a: Iterable[float]) -> Tensor:
    if not isinstance(a, Iterable):
        refuse(TypeError, "Coefficients must be a list/tuple", "one factor for each cosine", rule="window.coefficients")
    if not a:
        refuse(ValueError, "Coefficients cannot be empty", "one factor for each cosine", rule="window.coefficients")
    step = 2 * pi / span
    k = _line(0, (m - 1) * step, m, options)
    named = {key: value for key, value in options.items() if key != "layout"}
    factors = OPS["tensor"].function([(-1) ** i * factor for i, factor in enumerate(a)], **named)
    times = OPS["arange"].function(len(factors), dtype=factors.dtype, device=factors.device)
    return (factors.unsqueeze(-1) * (times.unsqueeze(-1) * k).cos()).sum(0)


@_signal(
    "general_cosine",
    "Returns a window that is a sum of cosines with the coefficients a.",
    "ArrayRef<double> a, ",
    "general_cosine",
)
def general_cosine(m: int, span: int, options: dict[str, Any], a: Iterable[float]) -> Tensor:
    return _cosines(m, span, options, a)


def _fixed(name: str, words: str, *factors: float) -> None:
    @_signal(name, words, "", name if name == "blackman" else "general_cosine")
    def numbers(m: int, span: int, options: dict[str, Any]) -> Tensor:
        return _cosines(m, span, options, factors)


_fixed("blackman", "Returns a Blackman window.", 0.42, 0.5, 0.08)
_fixed("nuttall", "Returns a Nuttall window.", 0.3635819, 0.4891775, 0.1365995, 0.0106411)
_fixed("hann", "Returns a Hann window.", 0.5, 0.5)
_fixed("hamming", "Returns a Hamming window.", 0.54, 1.0 - 0.54)


@_signal(
    "general_hamming",
    "Returns a generalized Hamming window with coefficient alpha.",
    "double alpha=0.54, ",
    "general_cosine",
)
def general_hamming(m: int, span: int, options: dict[str, Any], alpha: float = 0.54) -> Tensor:
    return _cosines(m, span, options, (alpha, 1.0 - alpha))


@_signal("bartlett", "Returns a Bartlett window: a triangle.", "")
def bartlett(m: int, span: int, options: dict[str, Any]) -> Tensor:
    step = 2 / span
    return 1 - _line(-1, -1 + (m - 1) * step, m, options).abs()


@_signal("cosine", "Returns a cosine window.", "")
def cosine(m: int, span: int, options: dict[str, Any]) -> Tensor:
    step = pi / (span + 1)
    return _line(0.5 * step, (0.5 + (m - 1)) * step, m, options).sin()


@_signal(
    "exponential", "Returns an exponential window with decay constant tau.", "double? center=None, double tau=1.0, "
)
def exponential(m: int, span: int, options: dict[str, Any], center: float | None = None, tau: float = 1.0) -> Tensor:
    middle = span / 2.0 if center is None else center
    return (-_line(-middle / tau, (-middle + (m - 1)) / tau, m, options).abs()).exp()


@_signal("gaussian", "Returns a Gaussian window with standard deviation std.", "double std=1.0, ")
def gaussian(m: int, span: int, options: dict[str, Any], std: float = 1.0) -> Tensor:
    start, scale = -span / 2.0, 1 / (std * sqrt(2))
    return (-(_line(start * scale, (start + (m - 1)) * scale, m, options) ** 2)).exp()


@_signal("kaiser", "Returns a Kaiser window with shape parameter beta.", "double beta=12.0, ")
def kaiser(m: int, span: int, options: dict[str, Any], beta: float = 12.0) -> Tensor:
    width = OPS["tensor"].function(beta, dtype=options["dtype"], device=options.get("device"))
    end = OPS["minimum"].function(width, -width + (m - 1) * (2.0 * width / span))
    k = _line(-width, end, m, options)
    i0 = OPS["i0"].function
    return i0((width * width - k**2).sqrt()) / i0(width)
