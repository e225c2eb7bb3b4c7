"""Derivatives at special points: ties, zeros, infinities, NaN, whole exponents, complex numbers.

The calls are lines in points.txt, below the name of the set of points that they are asked at.

python -m tests.gradients.cases.points              what differs, ours beside PyTorch's frozen answers
python -m tests.gradients.cases.points --freeze     writes PyTorch's answers to points.json.gz, which needs PyTorch
"""

from __future__ import annotations

import gzip
import importlib
import itertools
import json
import sys
import warnings
from math import inf, nan
from pathlib import Path
from typing import Any

import numpy as np

from tests.gradients.graphs import graph

CALLS = Path(__file__).with_name("points.txt")
FROZEN = Path(__file__).with_name("points.json.gz")

REALS = [-inf, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, inf, nan]
SOME = [-inf, -1.0, 0.0, 0.5, 2.0, inf, nan]
FINITE = [-2.0, -0.5, 0.0, 0.5, 1.0, 2.0]
COMPLEX = [0j, 1 + 0j, -1 + 0j, 1j, 0.5 + 0.5j, -1 - 2j]
POINTS: dict[str, list[list]] = {
    "reals": [REALS],
    "pairs of reals": [list(column) for column in zip(*itertools.product(SOME, SOME), strict=True)],
    "finite pairs, second order": [list(column) for column in zip(*itertools.product(FINITE, FINITE), strict=True)],
    "complex pairs": [list(column) for column in zip(*itertools.product(COMPLEX, COMPLEX), strict=True)],
    "ordinary triples, second order": [[0.3, -0.7, 1.4, 0.9], [0.9, 1.4, -0.7, 0.3], [0.2, 0.4, 0.6, 0.8]],
}


def calls() -> list[tuple[str, str]]:
    """Every call, with the name of its points."""
    found, points = [], ""
    for line in CALLS.read_text(encoding="utf-8").splitlines():
        if line.startswith("# "):
            points = line[2:]
        elif line and not line.startswith("##"):
            found.append((points, line))
    return found


def answer(torch: Any, points: str, call: str) -> dict[str, Any]:
    """The graph of a call and its gradients, as plain data."""
    given = {name: torch.tensor(values, requires_grad=True, dtype=torch.complex128 if points.startswith("c") else
             torch.float64) for name, values in zip("xyz", POINTS[points], strict=False)}  # fmt: skip
    leaves = list(given.values())
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            result = eval(call, {"torch": torch, "inf": inf, "nan": nan, **given})
            result = result[0] if isinstance(result, tuple) else result
            found: dict[str, Any] = {"graph": graph(result)}
            if not result.requires_grad:
                return found
            weight = torch.arange(1, result.numel() + 1, dtype=result.dtype).reshape(result.shape) / 4
            weight = (weight * (1 + 0.5j) if result.is_complex() else weight).requires_grad_()
            order = 2 if points.endswith("second order") else 1
            first = torch.autograd.grad(result, leaves, weight, create_graph=order == 2, allow_unused=True)
            found["first"] = [_plain(t) for t in first]
            again = [t for t in first if t is not None and t.requires_grad]
            if order == 2 and again:
                ones = [torch.ones_like(t) for t in again]
                second = torch.autograd.grad(again, [*leaves, weight], ones, allow_unused=True)
                found["second"] = [None if t is None or not t.any() else _plain(t) for t in second]
            return found
    except (RuntimeError, TypeError, NotImplementedError) as error:
        return {"error": f"{type(error).__name__}: {str(error).splitlines()[0]}"}


def _plain(t: Any) -> Any:
    """A gradient as a list of numbers, complex ones as pairs; None where there is none."""
    if t is None:
        return None
    t = t.detach().resolve_conj().clone()
    return [[_short(v.real), _short(v.imag)] if isinstance(v, complex) else _short(v) for v in t.reshape(-1).tolist()]


def _short(value: float) -> float:
    return float(f"{value:.12g}")


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two answers are the same; numbers up to rounding, where zero counts as 1."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(agree(ours[k], theirs[k]) for k in ours)
    if not isinstance(ours, list) or not isinstance(theirs, list) or not _numbers(ours) or not _numbers(theirs):
        if isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
            return all(map(agree, ours, theirs))
        return bool(ours == theirs)
    a, b = np.array(ours), np.array(theirs)
    if a.shape == b.shape and a.ndim == 2:  # of a complex number that is not finite, either part may say so
        broken = ~np.isfinite(a).all(1)
        if (broken != ~np.isfinite(b).all(1)).any():
            return False
        a, b = a[~broken], b[~broken]
    return a.shape == b.shape and bool(np.allclose(a, b, rtol=1e-7, atol=1e-9, equal_nan=True))


def _numbers(values: list) -> bool:
    return bool(values) and all(isinstance(v, float) or isinstance(v, list) and len(v) == 2 and
                                all(isinstance(p, float) for p in v) for v in values)  # fmt: skip


def frozen() -> list[dict[str, Any]]:
    """PyTorch's answers, in the order of the calls."""
    found: list[dict[str, Any]] = json.loads(gzip.decompress(FROZEN.read_bytes()))
    return found


def disagreements(torch: Any, kept: list[dict[str, Any]]) -> list[str]:
    """The calls that an engine answers differently than PyTorch did."""
    wrong = []
    for (points, call), theirs in zip(calls(), kept, strict=True):
        ours = answer(torch, points, call)
        if not agree(ours, theirs):
            parts = [k for k in {**ours, **theirs} if not agree(ours.get(k), theirs.get(k))]
            wrong.append(
                "\n    ".join([f"{call}   ({points})", *[f"{k}: {ours.get(k)} for {theirs.get(k)}" for k in parts]])
            )
    return wrong


def main() -> None:
    if "--freeze" in sys.argv[1:]:
        import torch

        kept = [answer(torch, points, call) for points, call in calls()]
        FROZEN.write_bytes(gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), 9, mtime=0))
        print(f"{len(kept)} calls, {FROZEN.stat().st_size} bytes")
        return
    wrong = disagreements(importlib.import_module("tensorwidgets"), frozen())
    print("\n".join(wrong))
    print(f"{len(wrong)} of {len(calls())} differ")


if __name__ == "__main__":
    main()
