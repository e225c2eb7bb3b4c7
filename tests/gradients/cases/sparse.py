"""Gradients of sparse tensors, and sparse gradients of dense ones: their layout, whether they are coalesced, numbers.

The programs are lines in sparse.txt; the tensors that they name are in `NAMES`, and those with a capital letter
require a gradient.

python -m tests.gradients.cases.sparse              what differs, ours beside PyTorch's frozen answers
python -m tests.gradients.cases.sparse --live       what differs, ours beside PyTorch's
python -m tests.gradients.cases.sparse --freeze     writes PyTorch's answers to sparse.json.gz, which needs PyTorch
"""

from __future__ import annotations

import gzip
import importlib
import json
import math
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.gradients.graphs import graph

LINES = Path(__file__).with_name("sparse.txt")
FROZEN = Path(__file__).with_name("sparse.json.gz")

NAMES = """
i = torch.tensor([[0, 1, 1], [2, 0, 2]])
i2 = torch.tensor([[0, 1, 1, 0], [2, 0, 0, 2]])
i3 = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
w = torch.arange(1.0, 7.0, dtype=double).reshape(2, 3)
w3 = torch.arange(1.0, 10.0, dtype=double).reshape(3, 3) / 4
V = torch.tensor([2.0, -3.0, 5.0], dtype=double, requires_grad=True)
V4 = torch.tensor([2.0, -3.0, 5.0, 0.5], dtype=double, requires_grad=True)
VH = (torch.arange(6.0, dtype=double).reshape(3, 2) + 1).requires_grad_()
VC = torch.tensor([2 + 1j, -3j, 5.0], dtype=cdouble, requires_grad=True)
v = torch.tensor([2.0, -3.0, 5.0], dtype=double)
v4 = torch.tensor([2.0, -3.0, 5.0, 0.5], dtype=double)
S = torch.sparse_coo_tensor(i, v, (2, 3)).coalesce().requires_grad_()
v2 = torch.tensor([7.0, -1.0], dtype=double)
T = torch.sparse_coo_tensor([[0, 1], [0, 2]], v2, (2, 3)).coalesce().requires_grad_()
U = torch.sparse_coo_tensor(i2, v4, (2, 3)).requires_grad_()
H = torch.sparse_coo_tensor(i, VH.detach(), (2, 3, 2)).coalesce().requires_grad_()
Q = torch.sparse_coo_tensor(i3, v4, (3, 3)).coalesce().requires_grad_()
SC = torch.sparse_coo_tensor(i, VC.detach(), (2, 3)).coalesce().requires_grad_()
s = torch.sparse_coo_tensor(i, v, (2, 3)).coalesce()
t = torch.sparse_coo_tensor([[0, 1], [0, 2]], v2, (2, 3)).coalesce()
u = torch.sparse_coo_tensor(i2, v4, (2, 3))
q = torch.sparse_coo_tensor(i3, v4, (3, 3)).coalesce()
k = torch.sparse_coo_tensor(i, v.abs(), (2, 3)).coalesce()
R = k.to_sparse_csr().requires_grad_()
r = k.to_sparse_csr()
RQ = q.to_sparse_csr().requires_grad_()
rq = q.to_sparse_csr()
CQ = q.to_sparse_csc().requires_grad_()
BQ = torch.arange(16.0, dtype=double).reshape(4, 4).to_sparse_bsr((2, 2)).requires_grad_()
D = (torch.arange(6.0, dtype=double).reshape(2, 3) / 3 - 1).requires_grad_()
DZ = torch.tensor([[0.0, 1.5, 0.0], [-2.0, 0.0, 3.0]], dtype=double, requires_grad=True)
M = (torch.arange(12.0, dtype=double).reshape(3, 4) / 5 - 1).requires_grad_()
M3 = (torch.arange(9.0, dtype=double).reshape(3, 3) / 5 - 1).requires_grad_()
N = (torch.arange(8.0, dtype=double).reshape(2, 4) / 5 - 1).requires_grad_()
A = torch.tensor([1.0, -2.0, 0.5], dtype=double, requires_grad=True)
B = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], dtype=double, requires_grad=True)
d = torch.arange(6.0, dtype=double).reshape(2, 3) / 3 - 1
m = torch.arange(12.0, dtype=double).reshape(3, 4) / 5 - 1
a = torch.tensor([1.0, -2.0, 0.5], dtype=double)
X = torch.tensor(1.5, dtype=double, requires_grad=True)
F = torch.sparse_coo_tensor(i, v.float(), (2, 3)).coalesce().requires_grad_()
"""


def made(torch: Any, line: str) -> dict[str, Any]:
    """The tensors that a line names, made anew for it."""
    texts = [tuple(text.split(" = ", 1)) for text in NAMES.strip().split("\n")]
    named = set(re.findall(r"\w+", line))
    for name, text in reversed(texts):
        if name in named:
            named |= set(re.findall(r"\w+", text))
    found = {"torch": torch, "double": torch.float64, "cdouble": torch.complex128}
    for name, text in texts:
        if name in named:
            found[name] = eval(text, dict(found))
    return found


def lines() -> list[str]:
    """Every program."""
    text = LINES.read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def answer(torch: Any, line: str) -> dict[str, Any]:
    """What a program computes, its graph, and the gradients by three ways back, as plain data.

    The result goes back as a weighted sum of its dense form, with a gradient in its own layout, and twice, so that
    gradients are added up.
    """
    found: dict[str, Any] = {}
    found["result"] = _tried(lambda: _result(torch, line)[1])
    if "error" in found["result"]:
        return found
    for name, way in _WAYS.items():
        found[name] = _tried(lambda way=way: _gone_back(torch, line, way))  # type: ignore[misc]
    return found


def _run(torch: Any, line: str) -> tuple[dict[str, Any], Any]:
    scope = made(torch, line)
    *before, last = line.split("; ")
    for statement in before:
        exec(statement, scope)
    return scope, eval(last, scope)


def _result(torch: Any, line: str) -> tuple[Any, dict[str, Any]]:
    _, result = _run(torch, line)
    if not isinstance(result, torch.Tensor):
        return result, {"value": repr(result)}
    return result, {**told(torch, result), "graph": graph(result), "needs": result.requires_grad}


def _dense(torch: Any, result: Any) -> None:
    whole = result.to_dense() if result.layout is not torch.strided else result
    weight = (torch.arange(1.0, whole.numel() + 1).reshape(whole.shape) / 4).to(whole.dtype)
    (whole * weight).sum().abs().backward()


def _alike(torch: Any, result: Any) -> None:
    result.backward(result.detach())


def _twice(torch: Any, result: Any) -> None:
    result.backward(torch.ones_like(result) if result.layout is torch.strided else result.detach(), retain_graph=True)
    result.backward(torch.ones_like(result) if result.layout is torch.strided else result.detach() * 2)


def _with_dense(torch: Any, result: Any) -> None:
    result.backward(torch.ones(result.shape, dtype=result.dtype))


_WAYS: dict[str, Callable[[Any, Any], None]] = {
    "dense": _dense, "alike": _alike, "twice": _twice, "with dense": _with_dense,
}  # fmt: skip


def _gone_back(torch: Any, line: str, way: Callable[[Any, Any], None]) -> dict[str, Any]:
    scope, result = _run(torch, line)
    if not isinstance(result, torch.Tensor) or not result.requires_grad:
        return {}
    way(torch, result)
    leaves = {n: x for n, x in scope.items() if n[0].isupper() and isinstance(x, torch.Tensor) and x.is_leaf}
    return {n: None if x.grad is None else told(torch, x.grad) for n, x in leaves.items()}


def _tried(function: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function()
    except Exception as error:
        first = (str(error).strip().splitlines() or [""])[0]
        words = first.partition(" This could be because")[0]  # a list of backends follows
        return {"error": f"{type(error).__name__}: {'' if 'INTERNAL ASSERT' in words else words}"}


def told(torch: Any, t: Any) -> dict[str, Any]:
    """A tensor as plain data: its layout and its parts."""
    t = t.detach()
    facts: dict[str, Any] = {"layout": str(t.layout), "dtype": str(t.dtype), "size": list(t.shape)}
    if t.layout is torch.sparse_coo:
        facts |= {"coalesced": t.is_coalesced(), "indices": t._indices().tolist(), "values": numbers(t._values())}
    elif t.layout is torch.strided:
        facts |= {"values": numbers(t)}
    else:
        by_rows = t.layout in (torch.sparse_csr, torch.sparse_bsr)
        outer, inner = (t.crow_indices(), t.col_indices()) if by_rows else (t.ccol_indices(), t.row_indices())
        facts |= {"outer": outer.tolist(), "inner": inner.tolist(), "values": numbers(t.values())}
    return facts


def numbers(t: Any) -> Any:
    """The elements as nested lists; complex ones as pairs, and what is no number as text."""
    values = t.resolve_conj().tolist()

    def plain(x: Any) -> Any:
        if isinstance(x, list):
            return [plain(y) for y in x]
        if isinstance(x, complex):
            return [plain(x.real), plain(x.imag)]
        return x if isinstance(x, (bool, int)) or math.isfinite(x) else repr(x)

    return plain(values)


def agree(ours: Any, theirs: Any) -> bool:
    """Whether two answers are the same, numbers up to rounding."""
    if isinstance(ours, dict) and isinstance(theirs, dict):
        return ours.keys() == theirs.keys() and all(agree(ours[name], theirs[name]) for name in ours)
    if isinstance(ours, list) and isinstance(theirs, list):
        return len(ours) == len(theirs) and all(map(agree, ours, theirs))
    if isinstance(ours, float) and isinstance(theirs, float):
        return math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1e-9)
    return type(ours) is type(theirs) and ours == theirs


def frozen() -> list[dict[str, Any]]:
    """PyTorch's answers, in the order of the lines."""
    answers: list[dict[str, Any]] = json.loads(gzip.decompress(FROZEN.read_bytes()))
    return answers


def disagreements(torch: Any, kept: list[dict[str, Any]]) -> list[str]:
    """The programs to which an engine answers something else, with both answers."""
    found = []
    for line, theirs in zip(lines(), kept, strict=True):
        ours = json.loads(json.dumps(answer(torch, line)))
        for name in dict.fromkeys((*theirs, *ours)):
            if not agree(ours.get(name), theirs.get(name)):
                found.append(f"{line}  [{name}]\n    PyTorch: {theirs.get(name)}\n    ours:    {ours.get(name)}")
    return found


if __name__ == "__main__":
    if "--freeze" in sys.argv:
        theirs = [answer(importlib.import_module("torch"), line) for line in lines()]
        FROZEN.write_bytes(gzip.compress(json.dumps(theirs).encode(), 9, mtime=0))
    else:
        live = "--live" in sys.argv
        kept = [answer(importlib.import_module("torch"), line) for line in lines()] if live else frozen()
        print(*(wrong := disagreements(importlib.import_module("tensorwidgets"), kept)), sep="\n")
        print(f"{len(wrong)} differ, in {len(lines())} programs")
