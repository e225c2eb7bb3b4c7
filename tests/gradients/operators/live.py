"""Gradients of every sample of PyTorch's operator database, ours beside PyTorch's, in a table. Needs PyTorch.

python -m tests.gradients.operators.live                          first order, every documented operator
python -m tests.gradients.operators.live --ops mul exp --verbose  some operators, with every failure
python -m tests.gradients.operators.live --order 2 --names        gradients of gradients, and the graphs behind results
python -m tests.gradients.operators.live --order 2 --depth 4      the graphs behind gradients that can be differentiated
python -m tests.gradients.operators.live --ways inplace method    in-place forms and methods as well
python -m tests.gradients.operators.live --functional             nn.functional instead
python -m tests.gradients.operators.live --plain                  operators without derivatives: are results untracked?
python -m tests.gradients.operators.live --seed 7                 samples with other numbers
python -m tests.gradients.operators.live --engine torch           PyTorch beside itself, which tests the test
"""

from __future__ import annotations

import argparse
import importlib
import multiprocessing
import os
import signal
import sys
import warnings
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any, NamedTuple

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tests.gradients.operators.answers import Op, ask, differences  # noqa: E402  # threads are counted when NumPy is imported
from tests.gradients.operators.calling import called, on_a_clone  # noqa: E402
from tests.gradients.operators.samples import DTYPES, Sample, packed  # noqa: E402
from tests.operators.database import operators  # noqa: E402
from tests.operators.documented import is_documented  # noqa: E402
from tests.operators.seeding import on_the_cpu_alone  # noqa: E402

SECONDS = 20
PARTS = ("call", "first", "opened", "second", "names", "graphs", "behind")
GRAPHS = {"names", "graphs", "behind"}
"""The parts that are no numbers."""


class Asked(NamedTuple):
    """What to ask: which engine beside PyTorch, to what order, whether of graphs, and in which ways to call."""

    engine: str = "tensorwidgets"
    order: int = 1
    graphs: bool = False
    ways: tuple[str, ...] = ("function",)
    dtypes: tuple[str, ...] = DTYPES
    most: int | None = None
    """How many samples of an entry in one dtype at most, from first to last (None: all)."""
    depth: int = 0
    """How far the graphs behind gradients that can be differentiated are compared."""
    seed: int = 0
    """Where the numbers of the samples come from."""


class Row(NamedTuple):
    """What came of the samples of one entry in one dtype, called in one way."""

    op: str
    variant: str
    dtype: str
    way: str
    samples: int
    wrong: Counter[str]
    shown: list[str]

    @property
    def title(self) -> str:
        return " ".join(filter(None, (self.op, self.variant, self.dtype, "" if self.way == "function" else self.way)))


# --- what is asked ---


def entries(names: Any = (), functional: bool = False, plain: bool = False) -> list[Any]:
    """The entries of PyTorch's operator database that are asked."""
    return [op for op in _every_entry(functional, plain) if not names or op.name in names]


@cache
def _every_entry(functional: bool, plain: bool) -> list[Any]:
    return [
        op
        for op in operators()
        if (op.name.startswith("nn.functional.") if functional else is_documented(op.name))
        and op.supports_autograd is not plain
    ]


def samples(
    op: Any, dtype: str, grid: int = 0, most: int | None = None, seed: int = 0
) -> Iterator[tuple[Sample, bytes]]:
    """The samples of an entry whose inputs require gradients, where its gradients know this dtype.

    With `most`, only so many of them are used, spread evenly over all.
    """
    import torch

    d = getattr(torch, dtype)
    if d not in (op.supported_backward_dtypes("cpu") if op.supports_autograd else op.supported_dtypes("cpu")):
        return
    with on_the_cpu_alone():
        torch.manual_seed(seed)
        for sample in evenly(list(op.sample_inputs("cpu", d, requires_grad=True)), most):
            state = torch.get_rng_state()
            try:
                yield packed(op, dtype, sample, grid)
            except TypeError:  # sparse tensors, functions: what cannot be kept as data
                continue
            finally:
                torch.set_rng_state(state)


def evenly(values: list[Any], most: int | None) -> list[Any]:
    """Some of many, at equal distances.

    >>> evenly([0, 1, 2, 3, 4, 5], 3), evenly([0, 1], 3)
    ([0, 2, 4], [0, 1])
    """
    if most is None or len(values) <= most:
        return values
    return [values[i * len(values) // most] for i in range(most)]


def theirs(op: Any, way: str) -> Op | None:
    """How PyTorch is called: as a function, a method, or in place on a clone; None where it has no such form."""
    if way == "function":
        return op.op
    found = op.method_variant if way == "method" else op.inplace_variant if op.supports_inplace_autograd else None
    if found is None or not hasattr(found, "__name__") or "<" in found.__name__:
        return None
    return on_a_clone(found) if way == "inplace" else found


def ours(engine: str, op: Any, way: str) -> Op | None:
    """The same for an engine."""
    if engine == "torch":
        return theirs(op, way)
    torch = importlib.import_module(engine)
    if way == "function":
        return called(op.name, op.variant_test_name)
    found = getattr(torch.Tensor, (op.method_variant if way == "method" else op.inplace_variant).__name__, None)
    return on_a_clone(found) if way == "inplace" and found is not None else found


# --- asking ---


def compared(op: Any, dtype: str, way: str, asked: Asked) -> Row | None:
    """All samples of an entry in one dtype, asked of both engines."""
    import torch

    their_op, our_op = theirs(op, way), None
    if their_op is None:
        return None
    our_op = ours(asked.engine, op, way)
    engine = importlib.import_module(asked.engine)
    order = asked.order if op.supports_gradgrad else 1
    count, wrong, shown = 0, Counter[str](), []
    for sample, blob in samples(op, dtype, most=asked.most, seed=asked.seed):
        wanted = in_time(torch, their_op, sample, blob, order, asked.graphs, asked.depth)
        if way == "inplace" and "call" in wanted:
            continue
        found = in_time(engine, our_op, sample, blob, order, asked.graphs, asked.depth)
        count += 1
        for part, text in differences(found, wanted, order).items():
            wrong[part] += 1
            shown.append(f"{part}: {text}   [sample {count - 1}: {described(sample)}]")
    return Row(op.name, op.variant_test_name, dtype, way, count, wrong, shown) if count else None


def in_time(
    torch: Any, op: Op | None, sample: Sample, blob: bytes, order: int, graphs: bool, depth: int
) -> dict[str, Any]:
    """An answer, or that there was none in time."""
    if op is None:
        return {"call": "NotImplementedError: there is no such form"}

    def stop(*_: Any) -> None:
        raise TimeoutError(f"no answer in {SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return ask(torch, op, sample, blob, order, graphs, depth)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def described(sample: Sample) -> str:
    """The arguments of a sample in short."""

    def short(value: Any) -> str:
        if isinstance(value, list):
            return "[" + ", ".join(map(short, value)) + "]"
        if isinstance(value, dict):
            [(kind, inner)] = value.items()
            if kind == "tensor":
                return f"{inner[0]}{inner[1]}"
            if kind == "dict":
                return ", ".join(f"{k}={short(v)}" for k, v in inner.items())
            return short(inner)
        return repr(value)

    input, args, named = sample.given["list"]
    return ", ".join(filter(None, [short(input), *map(short, args["list"]), short(named)]))[:160]


def _job(job: tuple[str, str, str, bool, bool, Asked]) -> list[Row]:
    name, variant, dtype, functional, plain, asked = job
    warnings.simplefilter("ignore")
    [op] = [op for op in entries({name}, functional, plain) if op.variant_test_name == variant][:1]
    rows = [compared(op, dtype, way, asked) for way in asked.ways]
    return [row for row in rows if row]


def _begin() -> None:
    import torch

    torch.set_num_threads(1)


def rows(names: Any, functional: bool, plain: bool, asked: Asked, processes: int) -> Iterator[Row]:
    """What came of every entry, in their order."""
    jobs = [
        (op.name, op.variant_test_name, dtype, functional, plain, asked)
        for op in entries(names, functional, plain)
        for dtype in asked.dtypes
    ]
    jobs = list(dict.fromkeys(jobs))
    if processes <= 1 or len(jobs) < 6:
        _begin()
        for job in jobs:
            yield from _job(job)
        return
    with multiprocessing.get_context("fork").Pool(processes, _begin) as pool:
        for found in pool.imap(_job, jobs, chunksize=2):
            yield from found


# --- telling ---


def totals(found: list[Row]) -> str:
    """All rows in a few lines."""
    count = sum(row.samples for row in found)
    wrong = sum((row.wrong for row in found), Counter[str]())
    agree = sum(not row.wrong.keys() - GRAPHS for row in found)
    lines = [f"{count} samples of {len({row.op for row in found})} operators; {agree} of {len(found)} rows agree"]
    lines += [f"    {part:7} {wrong[part]:6} differ, {1 - wrong[part] / max(count, 1):.2%} agree" for part in PARTS]
    return "\n".join(lines)


def main() -> None:
    reader = argparse.ArgumentParser(description="Gradients of PyTorch's samples, ours beside PyTorch's.")
    reader.add_argument("--ops", nargs="*", default=[])
    reader.add_argument("--order", type=int, default=1, choices=(1, 2))
    reader.add_argument("--names", action="store_true", help="compare the graphs behind the results as well")
    reader.add_argument("--dtype", nargs="*", default=list(DTYPES))
    reader.add_argument("--ways", nargs="*", default=[], choices=("method", "inplace"))
    reader.add_argument("--functional", action="store_true")
    reader.add_argument("--plain", action="store_true")
    reader.add_argument("--verbose", action="store_true", help="every failure, and rows without one")
    reader.add_argument("--depth", type=int, default=0, help="compare so much of the graphs behind gradients")
    reader.add_argument("--most", type=int, help="so many samples of a row at most")
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--engine", default="tensorwidgets")
    reader.add_argument("--processes", type=int, default=2)
    chosen = reader.parse_args()
    ways, dtypes = ("function", *chosen.ways), tuple(chosen.dtype)
    asked = Asked(chosen.engine, chosen.order, chosen.names, ways, dtypes, chosen.most, chosen.depth, chosen.seed)
    found = []
    for row in rows(set(chosen.ops), chosen.functional, chosen.plain, asked, min(chosen.processes, 2)):
        found.append(row)
        if row.wrong or chosen.verbose:
            told = "  ".join(f"{part} {row.wrong[part]}" for part in PARTS if row.wrong[part])
            print(f"{row.title}: {row.samples} samples  {told}", flush=True)
            for line in row.shown if chosen.verbose else row.shown[:1]:
                print(f"    {line[:400]}")
    print(totals(found))
    sys.exit(bool(sum((row.wrong for row in found), Counter()).keys() - GRAPHS))


if __name__ == "__main__":
    main()
