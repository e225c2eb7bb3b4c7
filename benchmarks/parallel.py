"""Two ranks beside PyTorch's gloo, and how much of two cores training uses: `python -m benchmarks.parallel`.

Each figure is the shortest of many turns, in the same run; a turn is as long as its slowest rank takes.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path
from typing import Any

import tensorwidgets as tw

MEGABYTES = (0.4, 4, 40)
GOAL, EFFICIENCY = 1.0, 0.8


def shortest(torch: Any, megabytes: float, turns: int) -> float:
    """Seconds of an all_reduce."""
    dist = torch.distributed
    x = torch.ones(int(megabytes * 250_000))
    longest = torch.zeros(turns)
    for turn in range(turns):
        dist.barrier()
        begin = time.perf_counter()
        dist.all_reduce(x)
        longest[turn] = time.perf_counter() - begin
    dist.all_reduce(longest, op=dist.ReduceOp.MAX)
    return float(longest.min())


def write(torch: Any, to: str, who: str) -> None:
    """Measure, and write it down."""
    found = [shortest(torch, each, 60 if each < 10 else 20) for each in MEGABYTES]
    if torch.distributed.get_rank() == 0:
        Path(to, who).write_text(" ".join(map(str, found)))
    torch.distributed.barrier()


def ours(rank: int, to: str) -> None:
    """A rank of ours."""
    tw.distributed.init_process_group("mpi")
    write(tw, to, "ours")
    if rank == 0:
        Path(to, "alone").write_text(str(steps(1)))
    tw.distributed.barrier()
    seconds = steps(2)
    if rank == 0:
        Path(to, "both").write_text(str(seconds))


def gloo(rank: int, to: str) -> None:
    """A rank of PyTorch."""
    import torch

    torch.set_num_threads(1)
    torch.distributed.init_process_group("gloo", init_method=f"file://{to}/meet", rank=rank, world_size=2)
    write(torch, to, "gloo")
    torch.distributed.destroy_process_group()


def steps(ranks: int, count: int = 40) -> float:
    """Seconds of a step of some 50 ms: the same part of the batch for each rank."""
    tw.manual_seed(0)
    tw.set_num_threads(1)
    layers = [tw.nn.Linear(512, 512) for _ in range(8)]
    model = tw.nn.Sequential(*[part for layer in layers for part in (layer, tw.nn.ReLU())])
    if ranks > 1:
        model = tw.nn.parallel.DistributedDataParallel(model)
    optimizer = tw.optim.SGD(model.parameters(), lr=1e-3)
    x = tw.randn(800, 512)
    best = float("inf")
    for turn in range(count):
        if ranks > 1:
            tw.distributed.barrier()
        begin = time.perf_counter()
        optimizer.zero_grad()
        model(x).square().mean().backward()
        optimizer.step()
        seconds = time.perf_counter() - begin
        best = seconds if turn > 2 and seconds < best else best
    return best


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=2)
    options = parser.parse_args()
    import torch.multiprocessing as theirs

    for _ in range(options.runs):
        with tempfile.TemporaryDirectory() as to:
            tw.multiprocessing.spawn(ours, (to,), nprocs=2, timeout=200)
            theirs.spawn(gloo, (to,), nprocs=2)
            mine, other = ([float(n) for n in Path(to, who).read_text().split()] for who in ("ours", "gloo"))
            alone, both = (float(Path(to, who).read_text()) for who in ("alone", "both"))
        for megabytes, a, b in zip(MEGABYTES, mine, other, strict=True):
            said = "met" if a <= GOAL * b else "not met"
            print(f"all_reduce {megabytes:4} MB: {a * 1e3:7.2f} ms, gloo {b * 1e3:7.2f} ms: {a / b:.2f}  ({said})")
        said = "met" if alone / both >= EFFICIENCY else "not met"
        times = f"step of {alone * 1e3:.0f} ms, by two ranks {both * 1e3:.0f} ms"
        print(f"{times}: efficiency {alone / both:.2f}  ({said})")


if __name__ == "__main__":
    main()
