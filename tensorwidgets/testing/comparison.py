"""assert_close: are results equal, up to what their dtype rounds?

Two things are compared part by part: sequences by place, mappings by key, tensors and numbers by their values. The
first difference is raised, in PyTorch's words.
"""

from __future__ import annotations

import cmath
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn

import numpy as np

from ..engine.dispatch.registry import OPS
from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..engine.tensor.tensor import Tensor
from ..engine.types import dtypes
from ..engine.types.dtypes import dtype
from ..engine.types.formats import layout, sparse_coo, strided
from ..engine.types.promotion import promote_types

TOLERANCES: dict[dtype, tuple[float, float]] = {
    dtypes.float16: (1e-3, 1e-5), dtypes.bfloat16: (1.6e-2, 1e-5), dtypes.float32: (1.3e-6, 1e-5),
    dtypes.float64: (1e-7, 1e-7), dtypes.complex32: (1e-3, 1e-5), dtypes.complex64: (1.3e-6, 1e-5),
    dtypes.complex128: (1e-7, 1e-7), dtypes.quint8: (1.3e-6, 1e-5), dtypes.quint2x4: (1.3e-6, 1e-5),
    dtypes.quint4x2: (1.3e-6, 1e-5), dtypes.qint8: (1.3e-6, 1e-5), dtypes.qint32: (1.3e-6, 1e-5),
}  # fmt: skip
"""The relative and the absolute tolerance of a dtype; whole numbers have to be equal."""

_BOOLS = (bool, np.bool_)
_NUMBERS = (int, float, complex, np.number)


class Options(NamedTuple):
    """How strictly two things are compared."""

    allow_subclasses: bool
    rtol: float | None
    atol: float | None
    equal_nan: bool
    check_device: bool
    check_dtype: bool
    check_layout: bool
    check_stride: bool


class Mismatch(Exception):
    """A difference: which exception says so, with which words, and in which item."""

    def __init__(self, error: type[Exception], message: str, item: tuple = ()):
        super().__init__(message)
        self.error, self.message, self.item = error, message, item


def assert_close(
    actual: Any, expected: Any, *, allow_subclasses: bool = True, rtol: float | None = None, atol: float | None = None,
    equal_nan: bool = False, check_device: bool = True, check_dtype: bool = True, check_layout: bool = True,
    check_stride: bool = False, msg: str | Callable[[str], str] | None = None,
) -> None:  # fmt: skip
    """Raise AssertionError unless both are close: as far apart as `atol` and `rtol` times the expected value allow.

    >>> import tensorwidgets as torch
    >>> torch.testing.assert_close(torch.tensor([1.0, 2.0]) + 1e-7, torch.tensor([1.0, 2.0]))
    >>> torch.testing.assert_close(torch.tensor([1, 2]), torch.tensor([1, 3]))
    Traceback (most recent call last):
    AssertionError: Tensor-likes are not equal!
    <BLANKLINE>
    Mismatched elements: 1 / 2 (50.0%)
    Greatest absolute difference: 1 at index (1,)
    Greatest relative difference: 0.3333333432674408 at index (1,)
    """
    how = Options(allow_subclasses, rtol, atol, equal_nan, check_device, check_dtype, check_layout, check_stride)
    given = None  # the user's words are for differences, not for things that cannot be compared
    try:
        # Whether all parts can be compared is asked before the first of them is.
        parts = [*_comparisons(actual, expected, how, ())]
        given = msg
        for compare in parts:
            compare()
    except Mismatch as result:
        message = result.message
        if result.item:
            message += f"\n\nThe failure occurred for item {''.join(str([key]) for key in result.item)}"
        if isinstance(given, str):
            message = given
        elif callable(given):
            message = given(message)
        refuse(result.error, message, rule="testing.close")


# -- parts -------------------------------------------------------------------------------------------------------


_OLD_TOLERANCES = {dtypes.float16: (1e-3, 1e-3), dtypes.float32: (1e-4, 1e-5), dtypes.float64: (1e-5, 1e-8)}


def assert_allclose(
    actual: Any, expected: Any, rtol: float | None = None, atol: float | None = None, equal_nan: bool = True,
    msg: str = "",
) -> None:  # fmt: skip
    """What `assert_close` replaced: it allows more, and does not compare dtypes."""
    warn(
        "`torch.testing.assert_allclose()` is deprecated since 1.12 and will be removed in a future release. Please "
        "use `torch.testing.assert_close()` instead. You can find detailed upgrade instructions in "
        "https://github.com/pytorch/pytorch/issues/61844.",
        FutureWarning,
    )
    tensor = OPS["tensor"].function
    one: Tensor = actual if isinstance(actual, Tensor) else tensor(actual)
    other: Tensor = expected if isinstance(expected, Tensor) else tensor(expected, dtype=one.dtype)
    if rtol is None and atol is None:
        both = [_OLD_TOLERANCES.get(t.dtype, (0.0, 0.0)) for t in (one, other)]
        rtol, atol = (max(of_each) for of_each in zip(*both, strict=True))
    assert_close(one, other, rtol=rtol, atol=atol, equal_nan=equal_nan, check_dtype=False, msg=msg or None)


def _comparisons(actual: Any, expected: Any, how: Options, item: tuple) -> Iterator[Callable[[], None]]:
    """What has to be asked about two things, each as a function that raises a Mismatch."""
    if all(isinstance(x, Sequence) and not isinstance(x, str) for x in (actual, expected)):
        if len(actual) != len(expected):
            message = f"The length of the sequences mismatch: {len(actual)} != {len(expected)}"
            raise Mismatch(AssertionError, message, item)
        for i, (a, e) in enumerate(zip(actual, expected, strict=True)):
            yield from _comparisons(a, e, how, (*item, i))
    elif isinstance(actual, Mapping) and isinstance(expected, Mapping):
        _same_keys(actual, expected, item)
        for key in _sorted(expected):
            yield from _comparisons(actual[key], expected[key], how, (*item, key))
    else:
        compare = _comparison_of(actual, expected, how, item)

        def located() -> None:
            try:
                compare()
            except Mismatch as result:
                raise Mismatch(result.error, result.message, item) from None

        yield located


def _sorted(keys: Any) -> list:
    try:
        return sorted(keys)
    except TypeError:
        return list(keys)


def _same_keys(actual: Mapping, expected: Mapping, item: tuple) -> None:
    missing, additional = expected.keys() - actual.keys(), actual.keys() - expected.keys()
    if missing or additional:
        message = (
            "The keys of the mappings do not match:\n"
            f"Missing keys in the actual mapping: {sorted(missing)}\n"
            f"Additional keys in the actual mapping: {sorted(additional)}"
        )
        raise Mismatch(AssertionError, message, item)


def _comparison_of(actual: Any, expected: Any, how: Options, item: tuple) -> Callable[[], None]:
    """How two things that have no parts are compared."""
    if actual is None or expected is None:
        return lambda: None if actual is expected else _differ(f"None mismatch: {actual} is not {expected}")
    if isinstance(actual, _BOOLS) and isinstance(expected, _BOOLS):
        return lambda: None if actual == expected else _differ(f"Booleans mismatch: {actual} is not {expected}")
    if isinstance(actual, _NUMBERS) and isinstance(expected, _NUMBERS):
        a, e = (x.item() if isinstance(x, np.number) else x for x in (actual, expected))
        rtol, atol = _tolerances(how, item, *[dtypes.NUMBER_TYPES[type(x)] for x in (a, e) if not isinstance(x, bool)])
        return lambda: _compare_numbers(a, e, rtol, atol, how)
    related = isinstance(actual, type(expected)) or isinstance(expected, type(actual))
    if not related or not how.allow_subclasses and type(actual) is not type(expected):
        _incomparable(actual, expected, item)
    tensors = []
    for x in (actual, expected):
        try:
            tensors.append(x if isinstance(x, Tensor) else OPS["as_tensor"].function(x))
        except Exception:
            _incomparable(actual, expected, item)
    a, e = tensors
    rtol, atol = _tolerances(how, item, a.dtype, e.dtype)
    return lambda: _compare_tensors(a, e, rtol, atol, how)


def _incomparable(actual: Any, expected: Any, item: tuple) -> NoReturn:
    told = f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}."
    raise Mismatch(TypeError, told, item)


def _differ(message: str) -> NoReturn:
    raise Mismatch(AssertionError, message)


def _tolerances(how: Options, item: tuple, *kinds: dtype) -> tuple[float, float]:
    """Those that are given, or the wider ones of the dtypes."""
    if (how.rtol is None) != (how.atol is None):
        left_out = "rtol" if how.rtol is None else "atol"
        message = f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {left_out}."
        raise Mismatch(ValueError, message, item)
    if how.rtol is not None and how.atol is not None:
        return how.rtol, how.atol
    known = [TOLERANCES.get(d, (0.0, 0.0)) for d in kinds]
    return max((r for r, _ in known), default=0.0), max((a for _, a in known), default=0.0)


# -- numbers -----------------------------------------------------------------------------------------------------


def _compare_numbers(actual: Any, expected: Any, rtol: float, atol: float, how: Options) -> None:
    if how.check_dtype and type(actual) is not type(expected):
        _differ(f"The (d)types do not match: {type(actual)} != {type(expected)}.")
    if actual == expected or how.equal_nan and cmath.isnan(actual) and cmath.isnan(expected):
        return
    difference = abs(actual - expected)
    if not (cmath.isfinite(difference) and difference <= atol + rtol * abs(expected)):
        _differ(_scalar_words(actual, expected, rtol, atol, "Scalars"))


def _scalar_words(actual: Any, expected: Any, rtol: float, atol: float, what: str) -> str:
    absolute = abs(actual - expected)
    relative = float("inf") if expected == 0 else absolute / abs(expected)
    extra = f"Expected {expected} but got {actual}."
    return _words(what, extra, (absolute, None), (relative, None), rtol, atol)


# -- tensors -----------------------------------------------------------------------------------------------------


def _compare_tensors(actual: Tensor, expected: Tensor, rtol: float, atol: float, how: Options) -> None:
    _compare_attributes(actual, expected, how)
    if actual.device.type != expected.device.type:
        actual, expected = (t.to("cpu") for t in (actual, expected))
    if actual.dtype is not expected.dtype:
        common = promote_types(actual.dtype, expected.dtype)
        actual, expected = actual.to(common), expected.to(common)
    if actual.layout is not expected.layout:
        actual, expected = (t if t.layout is strided else t.to_dense() for t in (actual, expected))
    if actual.is_quantized:
        actual, expected = actual.dequantize(), expected.dequantize()
    if actual.layout is not strided:
        _compare_sparse(actual, expected, rtol, atol, how)
    else:
        _compare_values(actual, expected, rtol, atol, how.equal_nan)


def _compare_attributes(actual: Tensor, expected: Tensor, how: Options) -> None:
    def must_be_alike(name: str, a: Any, e: Any) -> None:
        if a != e:
            _differ(f"The values for attribute '{name}' do not match: {a} != {e}.")

    must_be_alike("shape", actual.shape, expected.shape)
    if how.check_layout:
        must_be_alike("layout", actual.layout, expected.layout)
    if actual.is_quantized or expected.is_quantized:
        must_be_alike("is_quantized", actual.is_quantized, expected.is_quantized)
        must_be_alike("qscheme()", actual.qscheme(), expected.qscheme())
    if how.check_device:
        must_be_alike("device", actual.device, expected.device)
    if how.check_dtype:
        must_be_alike("dtype", actual.dtype, expected.dtype)
    if how.check_stride and actual.layout is strided and expected.layout is strided:
        must_be_alike("stride()", actual.stride(), expected.stride())


_COMPRESSED = {"sparse_csr": ("crow", "col"), "sparse_bsr": ("crow", "col"), "sparse_csc": ("ccol", "row"),
               "sparse_bsc": ("ccol", "row")}  # fmt: skip


def _compare_sparse(actual: Tensor, expected: Tensor, rtol: float, atol: float, how: Options) -> None:
    """The places have to be equal, the values close."""
    kept: layout = actual.layout
    called = str(kept).removeprefix("torch.sparse_").upper()
    if kept is sparse_coo:
        actual, expected = (t if t.is_coalesced() else t.coalesce() for t in (actual, expected))
        parts = ["indices"]
    else:
        parts = [f"{side}_indices" for side in _COMPRESSED[str(kept).removeprefix("torch.")]]
    if actual._nnz() != expected._nnz():
        _differ(
            f"The number of specified values in sparse {called} tensors does not match: "
            f"{actual._nnz()} != {expected._nnz()}"
        )
    for part in parts:
        a, e = getattr(actual, part)(), getattr(expected, part)()
        _compare_values(a, e, 0, 0, False, f"Sparse {called} {part}")
    _compare_values(actual.values(), expected.values(), rtol, atol, how.equal_nan, f"Sparse {called} values")


def _compare_values(actual: Tensor, expected: Tensor, rtol: float, atol: float, nan: bool, what: str = "") -> None:
    matches = OPS["isclose"].function(actual, expected, rtol=rtol, atol=atol, equal_nan=nan)
    if bool(matches.all()):
        return
    if not actual.shape:
        _differ(_scalar_words(actual.item(), expected.item(), rtol, atol, what or "Scalars"))
    _differ(_tensor_words(actual, expected, matches, rtol, atol, what or "Tensor-likes"))


def _tensor_words(actual: Tensor, expected: Tensor, matches: Tensor, rtol: float, atol: float, what: str) -> str:
    wrong = matches.numel() - int(matches.sum())
    extra = f"Mismatched elements: {wrong} / {matches.numel()} ({wrong / matches.numel():.1%})"
    flat_actual, flat_expected, flat_matches = actual.flatten(), expected.flatten(), matches.flatten()
    if actual.dtype._kind < dtypes.FLOAT:
        flat_actual, flat_expected = flat_actual.to(dtypes.int64), flat_expected.to(dtypes.int64)
    absolute = (flat_actual - flat_expected).abs()
    relative = absolute / flat_expected.abs()
    return _words(
        what, extra, _greatest(absolute, flat_matches, actual), _greatest(relative, flat_matches, actual), rtol, atol
    )


def _greatest(differences: Tensor, matches: Tensor, shaped: Tensor) -> tuple[Any, tuple[int, ...]]:
    """The greatest difference of elements that do not match, and where it is."""
    differences[matches] = 0
    greatest, place = differences.max(0)
    return greatest.item(), tuple(int(i) for i in np.unravel_index(int(place), tuple(shaped.shape)))


def _words(what: str, extra: str, absolute: tuple, relative: tuple, rtol: float, atol: float) -> str:
    exact = rtol == 0 and atol == 0
    lines = [f"{what} are not {'equal' if exact else 'close'}!", "", extra]
    for kind, (difference, place), tolerance in (("absolute", absolute, atol), ("relative", relative, rtol)):
        if place is None:
            line = f"{kind.title()} difference: {difference}"
        else:
            line = f"Greatest {kind} difference: {difference} at index {place}"
        lines.append(line if exact else f"{line} (up to {tolerance} allowed)")
    return "\n".join(lines)
