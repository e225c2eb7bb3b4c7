"""A function of a notebook in several ranks, of ours or of PyTorch, and what each of them returned.

A notebook's kernel never becomes a rank. Ours are fresh processes that MPI joins, and `cloudpickle` brings them the
function. PyTorch's are forked, and joined by gloo.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .checking.watching import library_of

PATIENCE = 60.0
"""Seconds after which ranks that wait for each other are ended."""


def in_ranks(work: Callable[..., Any], count: int, *given: Any) -> list[Any]:
    """What `work(rank, *given)` returns in each of some ranks, which are numbered from 0 and can talk to each other.

    >>> in_ranks(lambda rank, much: much * rank, 1, 10)
    [0]
    """
    library = library_of(sys._getframe(1))
    with TemporaryDirectory() as folder:
        if library.__name__ == "tensorwidgets":
            _ours(Path(folder), work, count, given)
        else:
            _pytorchs(library, Path(folder), work, count, given)
        return [pickle.loads((Path(folder) / f"{rank}").read_bytes()) for rank in range(count)]


def _ours(folder: Path, work: Callable[..., Any], count: int, given: tuple) -> None:
    import cloudpickle

    from tensorwidgets.multiprocessing.programs import run_program

    (folder / "work").write_bytes(cloudpickle.dumps((work, given)))
    run_program(__name__, [str(folder)], count, module=True, timeout=PATIENCE)


def _pytorchs(library: Any, folder: Path, work: Callable[..., Any], count: int, given: tuple) -> None:
    def one(rank: int) -> None:
        library.set_num_threads(1)  # a fork has none of the threads that its parent computed with
        group = library.distributed
        group.init_process_group("gloo", init_method=f"file://{folder}/meeting", rank=rank, world_size=count)
        (folder / f"{rank}").write_bytes(pickle.dumps(work(rank, *given)))
        group.destroy_process_group()

    started = library.multiprocessing.start_processes(one, nprocs=count, join=False, start_method="fork")
    while not started.join(PATIENCE):
        pass


def main() -> None:
    """What one of our ranks does."""
    import tensorwidgets.distributed as group

    folder = Path(sys.argv[1])
    work, given = pickle.loads((folder / "work").read_bytes())
    group.init_process_group()
    rank = group.get_rank()
    (folder / f"{rank}").write_bytes(pickle.dumps(work(rank, *given)))
    group.destroy_process_group()


if __name__ == "__main__":
    main()
