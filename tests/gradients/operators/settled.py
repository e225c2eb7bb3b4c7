"""What of an operator's results is differentiated: where results leave something free, what is the same for all.

Two LAPACKs choose different signs of vectors. PyTorch's own tests of gradients take what does not depend on the choice.
These functions take the same, in words that every engine understands.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _svd(op: str, which: str) -> Callable[[Any], Any]:
    def chosen(usv: Any) -> Any:
        u, s, v = usv
        k = s.shape[-1]
        u, vh = u[..., :k], (v if op == "linalg.svd" else v.mH)[..., :k, :]
        if which == "fn_S":
            return s
        if which == "fn_U":
            return u.abs()
        return (s, vh.abs()) if which == "fn_Vh" else (u @ vh, s)

    return chosen


def settled(op: str, function: str) -> Callable[[Any], Any]:
    """What is differentiated of the results of an operator; `function` is the name of PyTorch's choice in a sample."""
    if function.startswith("fn_"):
        return _svd(op, function)
    if op in ("svd_lowrank", "pca_lowrank"):
        return lambda usv: (usv[0] @ usv[2].mH, usv[1])
    if op in ("linalg.eig", "linalg.eigh"):
        return lambda result: (result[0], result[1].abs())
    if op in ("lu_unpack", "linalg.lu") and function == "out_fn":
        return lambda plu: (plu[1], plu[2])
    return lambda result: result
