"""Whether a result is PyTorch's: dtype, size, strides that matter, numbers within the operator's tolerance."""

from __future__ import annotations

from typing import Any

import numpy as np

TOLERANCE = {"float64": (1e-7, 1e-7), "float32": (1.3e-6, 1e-5), "float16": (1e-3, 1e-5), "bfloat16": (1.6e-2, 1e-5)}
TOLERANCE |= {"complex64": TOLERANCE["float32"], "complex128": TOLERANCE["float64"]}

WIDER: dict[str, tuple[float, float]] = {
    # PyTorch sums a series in float32, here it is summed in float64: it is off by some 1e-7 of the largest.
    "matrix_exp": (2e-5, 1e-3),
    # Two BLAS libraries add the products of a row and a column in orders of their own.
    "matmul": (1e-5, 1e-5),
}
"""Operators whose results come of long chains of sums: their (rtol, atol), as PyTorch's own tests widen them."""


def differs(name: str, ours: Any, theirs: Any, torch: Any) -> str:
    """What is different, or nothing. `theirs` is PyTorch's result unpacked as one of our tensors."""
    if isinstance(theirs, torch.Tensor):
        return _tensors(name, ours, theirs, torch)
    if isinstance(theirs, (tuple, list)):
        if not isinstance(ours, (tuple, list)) or len(ours) != len(theirs):
            return f"{len(theirs)} results were wanted, not {ours!r}"[:200]
        found = (differs(name, a, b, torch) for a, b in zip(ours, theirs, strict=True))
        return next((f for f in found if f), "")
    if isinstance(theirs, float):
        same = ours == theirs or ours != ours and theirs != theirs or abs(ours - theirs) <= 1e-6 * abs(theirs)
        return "" if same else f"{ours!r} for {theirs!r}"
    return "" if type(ours) is type(theirs) and ours == theirs else f"{ours!r} for {theirs!r}"[:200]


def _tensors(name: str, ours: Any, theirs: Any, torch: Any) -> str:
    return looks(ours, theirs, torch) or values(name, ours, theirs)


def looks(ours: Any, theirs: Any, torch: Any) -> str:
    """What is different about two tensors apart from their numbers."""
    if not isinstance(ours, torch.Tensor):
        return f"a tensor was wanted, not {type(ours).__name__}"
    if ours.dtype is not theirs.dtype:
        return f"dtype {ours.dtype} for {theirs.dtype}"
    if ours.shape != theirs.shape:
        return f"size {list(ours.shape)} for {list(theirs.shape)}"
    if theirs.numel() and _strides(ours) != _strides(theirs):
        return f"stride {ours.stride()} for {theirs.stride()} (size {list(theirs.shape)})"
    return ""


def values(name: str, ours: Any, theirs: Any) -> str:
    """What is different about the numbers of two tensors that look alike."""
    a, b = numbers(ours), numbers(theirs)
    if a.dtype.kind in "fc":
        rtol, atol = WIDER.get(name) or TOLERANCE[str(ours.dtype)[6:]]
        with np.errstate(all="ignore"):
            good = np.isclose(a, b, rtol=rtol, atol=atol, equal_nan=True)
    else:
        good = np.asarray(a == b)
    if good.all():
        return ""
    bad = tuple(int(i) for i in np.argwhere(~good)[0]) if good.ndim else ()
    return f"{a[bad]!r} for {b[bad]!r} at {list(bad)} ({int((~good).sum())} of {good.size} differ)"


def _strides(t: Any) -> list[int]:
    return [s for s, n in zip(t.stride(), t.shape, strict=True) if n > 1]


def numbers(t: Any) -> np.ndarray:
    """The elements as a NumPy array that can be compared."""
    plain = t.resolve_conj()
    if str(plain.dtype)[6:] in ("bfloat16", "float8_e4m3fn", "float8_e5m2"):
        plain = plain.float()
    return plain.detach().numpy()
