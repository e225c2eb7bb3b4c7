"""Fresh programs on two engines, in child processes: what comes of each seed."""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib
import multiprocessing
import multiprocessing.connection
import re
from collections.abc import Callable, Iterator
from typing import Any

from tests.gradients.programs.comparing import first_difference
from tests.gradients.programs.running import SECONDS, WRITERS, limited, looks_each, writer_of
from tests.gradients.programs.shrinking import kind, told
from tests.operators.database import set_aside

Outcome = tuple[str, str, dict[str, int]]
"""The kind of a difference, the program made small with what differs, and what PyTorch did."""


def outcome(seed: int, ours: Any, chosen: argparse.Namespace, say: Callable[[str], None]) -> Outcome:
    """What came of the program of a seed. Says when PyTorch has survived it."""
    import torch

    program, each = writer_of(chosen.kind)(seed, torch), looks_each(seed)
    theirs = limited(program, torch, each)
    say("asked")
    lines = [seen.get("error", ["", ""])[1] for seen in theirs]
    did = {
        "programs": 1,
        "lines": len(program),
        "refusals": sum(map(bool, lines)),
        "version errors": any("modified by an inplace" in line for line in lines),
        "CopySlices": "CopySlices" in str(theirs[-1]),
    }
    try:
        found = first_difference(limited(program, ours, each), theirs)
    except Exception as error:
        found = len(program) - 1, [f"crash: {type(error).__name__}: {error}"]
    if found is None:
        return "", "", did
    small, differing = program[: found[0] + 1], found[1]
    if chosen.show and not (chosen.hide and re.search(chosen.hide, kind(found[1]))):
        with contextlib.suppress(Exception):
            small, differing = told(program, ours, torch, each)
        chosen.show -= 1
        head = f"# seed {seed}, looked at {'each line' if each else 'at the end'}"
    else:
        head = ""
    return kind(found[1]), head and "\n".join([head, *small, *[f"    {d[:600]}" for d in differing[:6]]]), did


def _child(seeds: range, chosen: argparse.Namespace, pipe: Any) -> None:
    import torch

    torch.set_num_threads(1)
    ours = importlib.import_module(chosen.engine)
    for count, seed in enumerate(seeds):
        if count % 20 == 1:  # the engine need not look at what PyTorch imports when it is first asked for something
            gc.collect()
            gc.freeze()
        pipe.send(seed)
        pipe.send(outcome(seed, ours, chosen, pipe.send))
    pipe.send(None)


def _import_all(engine: str) -> None:
    """What programs import when they first need it: each child would do so again, and one is begun after each crash."""
    with set_aside():
        for name in ("torch._dynamo", engine, f"{engine}.nn", f"{engine}.optim"):
            importlib.import_module(name)
        importlib.import_module(engine).ones(1, requires_grad=True)


def outcomes(chosen: argparse.Namespace) -> Iterator[Outcome]:
    """What came of each seed. Programs run in child processes, so one that crashes costs no more than itself."""
    _import_all(chosen.engine)
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    context = multiprocessing.get_context("fork")
    at_work: dict[Any, tuple[Any, range]] = {}

    def begin(left: range) -> None:
        reading, writing = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(left, chosen, writing))
        child.start()
        writing.close()
        at_work[reading] = child, left

    for i in range(chosen.processes):
        begin(seeds[i :: chosen.processes])
    seed, asked = dict[Any, int](), set[Any]()
    while at_work:
        ready = multiprocessing.connection.wait(list(at_work), 4 * SECONDS)
        for pipe in ready or list(at_work):
            child, left = at_work[pipe]
            try:
                said = pipe.recv() if ready else "hang"
            except EOFError:
                said = "crash"
            if said == "asked":
                asked.add(pipe)
            elif isinstance(said, int):
                seed[pipe] = said
                asked.discard(pipe)
            elif isinstance(said, tuple):
                yield said
            else:
                del at_work[pipe]
                child.kill() if said else None
                child.join()
                if said and pipe in asked:
                    yield said, f"# seed {seed[pipe]}: {said}", {"programs": 1}
                elif said and pipe in seed:
                    yield "", "", {f"PyTorch's own {said}": 1}
                if said == "hang" and pipe not in seed:  # on a busy machine PyTorch may take long to start
                    begin(left)
                elif said:
                    begin(left[left.index(seed[pipe]) + 1 :])


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What is asked for on the command line."""
    reader = argparse.ArgumentParser(description="Random programs of gradients, ours beside PyTorch's.")
    reader.add_argument("--count", type=int, default=1000)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--kind", default="views", choices=sorted(WRITERS), help="which vocabulary the lines are of")
    reader.add_argument("--engine", default="tensorwidgets")
    reader.add_argument(
        "--show", type=int, default=3, help="how many failing programs a process makes small and prints"
    )
    reader.add_argument("--hide", default="", help="show no program whose kind of difference has this pattern")
    reader.add_argument("--processes", type=int, default=2, choices=(1, 2))
    reader.add_argument("--freeze", action="store_true")
    return reader.parse_args(given)
