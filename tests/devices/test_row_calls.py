"""Calls of rows that PyTorch's samples do not reach, layers among them: a simulated GPU has the CPU's answers."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets.engine.devices import counts
from tensorwidgets.engine.devices.members import fetched
from tensorwidgets.engine.devices.through_host import is_always
from tests.parts import Part, in_parts

LINES = (Path(__file__).parents[1] / "engine" / "catalogue" / "row_calls.txt").read_text(encoding="utf-8").splitlines()
ELSEWHERE = re.compile(r"\b[nsrqp]\b(?!=)|sparse|quantize|names|pack_")
"""Calls of sparse, quantized and named tensors, and of packed sequences, whose lengths are in main memory."""
DRAWN = re.compile(
    "rand|dropout|uniform|normal|bernoulli|expon|geometric|cauchy|poisson|binom|gumbel|rrelu|empty|lobpcg"
)
"""Calls with random or arbitrary numbers: their sizes are compared."""
NEW_LAYERS = 10
"""How many rows of layers may go through the host without being listed: those that are new."""


def calls() -> Iterator[str]:
    yield from calls_in([line for line in LINES if not ELSEWHERE.search(line.partition(" | ")[0])])


def calls_in(lines: list[str]) -> Iterator[str]:
    """The calls that some lines say."""
    for line in lines:
        pattern, _, names = line.partition(" | ")
        if not line or line.startswith("#"):
            continue
        yield from [pattern.replace("{}", name) for name in names.split()] if names else pattern.split("; ")


def outcome(call: str, device: str, d: Any) -> Any:
    """What a call returns, and the gradients that it leaves."""
    x = (torch.arange(12.0) / 7 + 0.1).to(d).reshape(3, 4)
    m = torch.tensor([[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 4.0]], dtype=d)
    i = torch.arange(12).reshape(3, 4)
    numbers = {"x": x, "m": m, "i": i, "v": torch.tensor([0.5, 1.5, 2.5], dtype=d), "b": x > 0.7}
    numbers["c"] = torch.complex(x.float(), x.float())
    scope = {name: t.to(device, copy=True) for name, t in numbers.items()}
    torch.set_default_device(device)
    torch.set_default_dtype(d)
    try:
        result = eval(call, {**scope, "torch": torch, "np": np}) if " = " not in call else exec(call, {**scope})
    except Exception as error:
        return type(error), str(error).partition("\n")[0]
    finally:
        torch.set_default_device(None)
        torch.set_default_dtype(torch.float32)
    return result, [scope[name].grad for name in "xm"]


def same(one: Any, other: Any, drawn: bool, rtol: float) -> bool:
    if isinstance(one, (tuple, list)):
        alike = isinstance(other, (tuple, list)) and len(one) == len(other)
        return alike and all(same(a, b, drawn, rtol) for a, b in zip(one, other, strict=True))
    if not isinstance(one, torch.Tensor):
        return bool(one == other or one != one)
    other = fetched(other.detach()) if other.is_cuda else other.detach()
    if drawn or one.shape != other.shape or one.dtype is not other.dtype:
        return one.shape == other.shape and one.dtype is other.dtype
    a, b = (t.detach().resolve_conj().resolve_neg().to(torch.complex128) for t in (one, other))
    return bool(torch.allclose(a, b, rtol=rtol, atol=1e-6, equal_nan=True))


@pytest.mark.usefixtures("gpu")
@in_parts(3)
@pytest.mark.parametrize(
    ("d", "only", "rtol"), [(torch.float32, "", 1e-5), (torch.bfloat16, "nn|conv|norm|pool", 2e-2)]
)
def test_every_call_has_the_cpus_answer_on_a_gpu(d: Any, only: str, rtol: float, part: Part) -> None:
    wrong, hosted, count = [], set(), 0
    # Whether x is a view, which `detach_` asks, depends on how it came there.
    asked = [call for call in calls() if re.search(only, call) and call != "x.detach_()"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for call in part.of(asked):
            count += 1
            counts.through_host.clear()
            there = outcome(call, "cuda", d)
            hosted |= {name for name in counts.through_host if not is_always(name)}
            if not same(outcome(call, "cpu", d), there, bool(DRAWN.search(call)), rtol):
                wrong.append(f"{call}: {there}")
            del there
    assert count > (part.least(150, 300) if not only else part.least(33, 66))
    assert wrong == []
    assert {name for name in hosted if not name.startswith(("_", "nn."))} == set()
    assert len(hosted) <= NEW_LAYERS
