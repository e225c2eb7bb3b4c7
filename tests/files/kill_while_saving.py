"""Saves to one path again and again, is killed at random moments, and looks each time at what is left.

Every tenth time it is killed after at least one save.

    python -m tests.files.kill_while_saving <folder> <times>

Prints how often the file could be read, how many different objects were found in it, and how many files the killed
processes left: those of the last one at most, for each save clears what is left by others.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import tensorwidgets as tw


def save_for_ever(path: Path, first: int) -> None:
    number = first
    while True:
        tw.save({"number": number, "x": tw.full((60_000,), number)}, path)
        number += 1


def main(folder: Path, times: int) -> None:
    path = folder / "x.pt"
    tw.save({"number": 0, "x": tw.full((60_000,), 0)}, path)
    chance = random.Random(0)
    whole, seen = 0, set()
    for turn in range(times):
        before = path.stat().st_ino
        child = os.fork()
        if not child:
            save_for_ever(path, 1 + 1000 * turn)
        while turn % 10 == 0 and path.stat().st_ino == before:  # a slow machine saves nothing in a moment
            time.sleep(0.001)
        time.sleep(chance.uniform(0.001, 0.02))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        found = tw.load(path)
        whole += bool((found["x"] == found["number"]).all())
        seen.add(found["number"])
    left = [p for p in folder.iterdir() if p != path]
    print(whole, len(seen), len([p for p in left if p.name.startswith(".x.pt.")]), len(left))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
