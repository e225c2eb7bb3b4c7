"""Gradients, and gradients of gradients, with every tensor on a simulated GPU: PyTorch's samples, and calls of rows.

python -m tests.devices.gradients_on_device             every sample and call
python -m tests.devices.gradients_on_device det stft    the samples of some operators
"""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import tensorwidgets as tw
from tensorwidgets.engine.autograd import recording
from tests.devices import test_row_calls as rows
from tests.devices.on_device import OnDevice
from tests.devices.test_row_calls import DRAWN, calls_in, same
from tests.gradients.operators.answers import Answer, ask, differences, flat, like
from tests.gradients.operators.calling import called
from tests.gradients.operators.freeze import frozen
from tests.gradients.operators.samples import Sample, TrackingUnpacker

OWN_LINES = Path(__file__).with_name("gradient_calls.txt").read_text(encoding="utf-8").splitlines()
OF_THE_STREAM = frozenset(("svd_lowrank",))
"""Operators that draw random numbers, which differ between devices, and whose gradients show them."""
READ_IN_MAIN_MEMORY = frozenset(("tensor_split",))
"""Operators whose samples have places in a tensor that PyTorch reads, and refuses on a GPU: calls ask for these."""

# -- samples -----------------------------------------------------------------------------------------------------


class TrackingOnDevice(TrackingUnpacker, OnDevice):
    """Unpacks tensors on the GPU, and notes which require a gradient."""


def chosen() -> Iterator[tuple[Sample, bytes, Answer, int]]:
    """One sample of each operator and variant, to the second order, and one of each operator for complex numbers."""
    seen = set()
    for sample, blob, theirs in frozen():
        real = sample.dtype == "float64"
        kind = (sample.op, sample.variant) if real else sample.op
        if kind not in seen and sample.op not in OF_THE_STREAM | READ_IN_MAIN_MEMORY:
            seen.add(kind)
            yield sample, blob, theirs, 2 if real and "opened" in theirs else 1


def fault(sample: Sample, blob: bytes, theirs: Answer, order: int) -> str:
    """What differs from PyTorch's answer on the CPU, or nothing."""
    ours = ask(tw, called(sample.op, sample.variant), sample, blob, order, unpacker_class=TrackingOnDevice)
    found = differences(ours, {part: theirs[part] for part in theirs if part != "graphs"}, order)
    return "; ".join(f"{part}: {told}" for part, told in found.items())


# -- calls -------------------------------------------------------------------------------------------------------


def calls() -> Iterator[str]:
    """Those of rows that no sample reaches, and those whose gradients no other call asks for."""
    yield from rows.calls()
    yield from calls_in(OWN_LINES)


@cache
def leaves_on(device: str) -> dict[str, Any]:
    """What calls are asked on, by name. No call writes to these."""
    x, m = tw.arange(12.0).reshape(3, 4) / 7 + 0.1, [[2.0, 1.0, 0.5], [1.0, 3.0, 0.25], [0.5, 0.25, 4.0]]
    given = {
        "x": x, "m": tw.tensor(m), "v": tw.tensor([0.5, 1.5, 2.5]), "c": tw.complex(x, x), "l": waves(1, 4, 6),
        "s": waves(1, 4, 6, 6), "d": waves(1, 2, 4, 4, 4),
    }  # fmt: skip
    return {name: t.to(device, copy=True).requires_grad_() for name, t in given.items()}


def waves(*size: int) -> Any:
    """Numbers without ties, as windows and interpolation get them."""
    return tw.sin(tw.arange(float(np.prod(size)))).reshape(size)


def outcome(call: str, device: str, order: int = 2) -> Any:
    """Results, gradients, and gradients of these where the order is 2; or the error."""
    leaves = leaves_on(device)
    written = re.search(r"_\b|\] = ", call)
    scope = {name: t * 1 if written else t for name, t in leaves.items()}
    scope |= {"i": tw.arange(12, device=device).reshape(3, 4), "b": leaves["x"].detach() > 0.7}
    tw.manual_seed(0)
    tw.set_default_device(device)
    try:
        if "] = " in call:
            exec(call, {**scope, "torch": tw, "np": np})
            result = scope["x"]
        else:
            result = eval(call, {**scope, "torch": tw, "np": np})
        results = [t for t in flat(tw, result) if t.requires_grad]
        return (results, *gradients(results, [*leaves.values()], order))
    except Exception as error:
        return f"{type(error).__name__}: {error}".partition("\n")[0]
    finally:
        tw.set_default_device(None)


@cache
def weight(size: Any, dtype: Any, device: Any, seed: int) -> Any:
    """The gradient of a result of this size."""
    return like(tw, tw.empty(size, dtype=dtype, device=device), seed)


def gradients(results: list[Any], leaves: list[Any], order: int) -> tuple[Any, Any]:
    """The gradients of some results, and those of what these are differentiable by."""
    if not results:
        return None, None
    weights = [weight(t.shape, t.dtype, t.device, 1).detach().requires_grad_() for t in results]
    first = tw.autograd.grad(results, leaves, weights, allow_unused=True, create_graph=order == 2)
    again = [t for t in first if t is not None and t.requires_grad and order == 2]
    if not again:
        return first, None
    try:
        of_these = [weight(t.shape, t.dtype, t.device, 2) for t in again]
        return first, tw.autograd.grad(again, leaves + weights, of_these, allow_unused=True)
    except (RuntimeError, NotImplementedError) as error:
        return first, f"{type(error).__name__}: {error}".partition("\n")[0]


# -- which rows were asked ---------------------------------------------------------------------------------------


@contextmanager
def noted() -> Iterator[set[str]]:
    """The names of the entries by which calls are recorded."""
    names: set[str] = set()
    before = {name: getattr(recording, name) for name in ("record", "compose")}

    def noting(run: Any) -> Any:
        def record(op: Any, derivative: Any, *rest: Any) -> Any:
            names.add(derivative.op)
            return run(op, derivative, *rest)

        return record

    for name, run in before.items():
        setattr(recording, name, noting(run))
    try:
        yield names
    finally:
        for name, run in before.items():
            setattr(recording, name, run)


def main() -> None:
    warnings.simplefilter("ignore")
    tw.cuda.simulate(memory="256 MiB")
    wanted, asks = set(sys.argv[1:]), 0
    for sample, blob, theirs in frozen():
        if not wanted or sample.op in wanted:
            asks += 1
            told = fault(sample, blob, theirs, 2 if "opened" in theirs else 1)
            if told:
                print(sample.op, sample.variant, sample.dtype, "|", told[:300])
    for call in [] if wanted else calls():
        asks += 1
        here, there = outcome(call, "cpu"), outcome(call, "cuda")
        if not same(here, there, bool(DRAWN.search(call)), 1e-4):
            print(call, "|", here, "|", there)
    print(f"{asks} asked")


if __name__ == "__main__":
    main()
