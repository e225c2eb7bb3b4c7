"""Factorisations where the mathematics leaves something free: the sign or phase of a vector, the basis of a space.

Two LAPACKs may answer differently, and both be right. For these operators dtypes, sizes, strides and all numbers that
are determined (eigenvalues, singular values) are compared as everywhere; the factors by what they must multiply to,
with PyTorch's own factors beside them, and by their columns being orthonormal where they have to be.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .compare import looks, numbers, values

SCALE = {"float32": 2e-5, "float64": 1e-10, "complex64": 2e-5, "complex128": 1e-10}
"""How far a product may be off, in parts of its largest element."""


def _adjoint(a: np.ndarray) -> np.ndarray:
    return a.swapaxes(-1, -2).conj()


def _off(what: str, ours: np.ndarray, wanted: np.ndarray, part: float) -> str:
    largest = max(1.0, float(np.abs(wanted).max(initial=0)))
    error = float(np.abs(ours - wanted).max(initial=0))
    return "" if error <= part * largest else f"{what} is off by {error:.2g} where {largest:.2g} is the largest element"


def _orthonormal(what: str, q: np.ndarray, part: float) -> str:
    return _off(
        f"{what}ᴴ{what}",
        _adjoint(q) @ q,
        np.broadcast_to(np.eye(q.shape[-1]), (*q.shape[:-2],) + (q.shape[-1],) * 2),
        part,
    )


def _scaled(columns: np.ndarray, by: np.ndarray) -> np.ndarray:
    return columns * by[..., None, :]


def _eig(given: list[Any], ours: list[np.ndarray], theirs: list[np.ndarray], part: float) -> str:
    a, (w, v) = numbers(given[0]), ours
    lengths = np.linalg.norm(v, axis=-2)
    return _off("A V", a @ v, _scaled(v, w), part) or _off(
        "the length of a vector", lengths, np.ones_like(lengths), part
    )


def _eigh(given: list[Any], ours: list[np.ndarray], theirs: list[np.ndarray], part: float) -> str:
    (w, v), (w2, v2) = ours, theirs
    return _off("V diag(w) Vᴴ", _scaled(v, w) @ _adjoint(v), _scaled(v2, w2) @ _adjoint(v2), part) or _orthonormal(
        "V", v, part
    )


def _svd(given: list[Any], ours: list[np.ndarray], theirs: list[np.ndarray], part: float) -> str:
    """U and S with V; `_svd_h` is for Vᴴ."""
    (u, s, v), (u2, s2, v2) = ours, theirs
    k = s.shape[-1]
    if not np.abs(v2).any() and not np.abs(u2).any():
        return _off("U", u, u2, part) or _off("V", v, v2, part)
    product = _scaled(u[..., :k], s) @ _adjoint(v[..., :k])
    wanted = _scaled(u2[..., :k], s2) @ _adjoint(v2[..., :k])
    return _off("U diag(S) Vᴴ", product, wanted, part) or _orthonormal("U", u, part) or _orthonormal("V", v, part)


def _svd_h(given: list[Any], ours: list[np.ndarray], theirs: list[np.ndarray], part: float) -> str:
    return _svd(given, [*ours[:2], _adjoint(ours[2])], [*theirs[:2], _adjoint(theirs[2])], part)


def _qr(given: list[Any], ours: list[np.ndarray], theirs: list[np.ndarray], part: float) -> str:
    (q, r), (q2, r2) = ours, theirs
    below = _off("what is below R's diagonal", np.tril(r, -1), np.zeros_like(r), part)
    if q.ndim == 1 and not q.size:  # mode "r": Q is not wanted
        return below or _off("RᴴR", _adjoint(r) @ r, _adjoint(r2) @ r2, part)
    return below or _off("Q R", q @ r, q2 @ r2, part) or _orthonormal("Q", q, part)


FREE: dict[str, tuple[Callable, tuple[int, ...]]] = {
    "linalg.eig": (_eig, (0,)),
    "linalg.eigh": (_eigh, (0,)),
    "linalg.svd": (_svd_h, (1,)),
    "svd": (_svd, (1,)),
    "svd_lowrank": (_svd, (1,)),
    "pca_lowrank": (_svd, (1,)),
    "linalg.qr": (_qr, ()),
    "qr": (_qr, ()),
}
"""For each operator: how its factors are compared, and which of its results are compared number by number."""


def freely_differs(name: str, given: list[Any], ours: Any, theirs: Any, torch: Any) -> str:
    """What is wrong with factors, or nothing."""
    check, determined = FREE[name]
    if not isinstance(ours, (tuple, list)) or len(ours) != len(theirs):
        return f"{len(theirs)} results were wanted, not {ours!r}"[:200]
    for i, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        fault = looks(a, b, torch) or (values(name, a, b) if i in determined else "")
        if fault:
            return fault
    part = SCALE[str(ours[0].dtype)[6:]]
    return check(given, [numbers(t) for t in ours], [numbers(t) for t in theirs], part)
