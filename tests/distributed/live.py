"""Compare every call with PyTorch's gloo: python -m tests.distributed.live, with --write to freeze what gloo does."""

from __future__ import annotations

import argparse
import os
import tempfile
from pathlib import Path

from tests.distributed import calls

PRINTED = Path(__file__).with_name("printed")


def gloo_rank(rank: int, n: int, to: str) -> None:
    """A rank of PyTorch."""
    import torch
    import torch.distributed as dist

    dist.init_process_group("gloo", init_method=f"file://{to}/rendezvous_{n}", rank=rank, world_size=n)
    calls.write(torch, rank, n, Path(to))
    dist.all_reduce(torch.zeros(1))  # not a barrier, which may raise the error of an earlier call
    dist.destroy_process_group()


def gloo(to: Path, n: int) -> None:
    """What `n` ranks of PyTorch do."""
    import torch.multiprocessing as mp

    os.environ.setdefault("TORCH_CPP_LOG_LEVEL", "FATAL")
    mp.spawn(gloo_rank, (n, str(to)), nprocs=n)


def ours(to: Path, n: int) -> None:
    """What `n` ranks of ours do."""
    from tensorwidgets.multiprocessing.programs import run_program

    if n == 1:
        calls.ours(to)
    else:
        run_program("tests.distributed.calls", [str(to)], n, module=True, timeout=120)


def disagreements(to: Path, with_: Path, n: int) -> list[str]:
    """Programs that do not do the same, and what they do."""
    wrong = []
    for rank in range(n):
        mine, theirs = calls.read(to / f"{n}_ranks_{rank}.txt"), calls.read(with_ / f"{n}_ranks_{rank}.txt")
        if list(mine) != list(theirs):
            wrong.append(f"{n} ranks, rank {rank}: other programs")
        wrong += [
            f"rank {rank} of {n}: {program}\n  ours: {mine.get(program)}\n  gloo: {theirs[program]}"
            for program in theirs
            if mine.get(program) != theirs[program]
        ]
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as folder:
        for n in (1, 2):
            there, here = Path(folder) / "gloo", Path(folder) / "ours"
            there.mkdir(exist_ok=True)
            here.mkdir(exist_ok=True)
            gloo(there, n)
            ours(here, n)
            wrong += disagreements(here, there, n)
            if options.write:
                for path in there.glob("*.txt"):
                    (PRINTED / path.name).write_text(path.read_text())
    count = len(list(calls.programs()))
    print(*wrong, f"{count} programs by 1 and 2 ranks: {len(wrong)} disagree with gloo", sep="\n\n")
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
