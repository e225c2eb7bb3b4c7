"""Programs with what PyTorch showed, in a file for each kind."""

from __future__ import annotations

import gzip
import json
import multiprocessing
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.gradients.programs.running import WRITERS, looks_each, run, writer_of
from tests.one_by_one import each_of

FROZEN = {kind: Path(__file__).with_name(f"{kind}.json.gz") for kind in WRITERS}
COUNT_FROZEN = 400


def freeze(kind: str) -> None:
    """Write programs with what PyTorch showed."""
    import torch

    write = writer_of(kind)

    def asked(seed: int) -> None:
        run(write(seed, torch), torch, looks_each(seed))

    kept, seed = [], 0
    while len(kept) < COUNT_FROZEN:
        trial = multiprocessing.get_context("fork").Process(target=asked, args=(seed,))
        trial.start()
        trial.join()
        if trial.exitcode == 0:  # PyTorch does not survive all of them
            program, each = write(seed, torch), looks_each(seed)
            seen = run(program, torch, each)
            if "0x" not in str(seen) and seen == run(program, torch, each):  # no addresses, no memory that nobody set
                kept.append({"program": program, "each": each, "seen": seen})
        seed += 1
    data = json.dumps(kept, separators=(",", ":")).encode()
    FROZEN[kind].write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{len(kept)} programs, {FROZEN[kind].stat().st_size} bytes")


def frozen(kind: str = "views") -> Iterator[dict[str, Any]]:
    """The programs of the file, with what PyTorch showed."""
    return each_of(gzip.decompress(FROZEN[kind].read_bytes()))
