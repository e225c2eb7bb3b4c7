"""Programs in files of text, and what they print, the same on PyTorch and here.

python -m tests.printed [loaders]              what differs, ours beside the files, or beside some of them
python -m tests.printed --freeze [loaders]     writes what PyTorch prints into the files, which needs PyTorch

A file in a folder called printed holds programs with an empty line between them; the lines that begin with ``#:`` are
what a program prints. An exception that a program does not catch is printed as its type and first line. A program
that begins with ``# AVX-512`` or ``# AVX2`` may print other digits or refusals on PyTorch where the processor is
another one; only on these the two are compared.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import io
import re
import sys
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tests.python_words import in_words_of_3_11

HERE = Path(__file__).parent


class Printed(NamedTuple):
    """A program and what it prints."""

    program: str
    text: str

    def holds_on(self, torch: Any) -> bool:
        """Whether PyTorch prints this on the processor at hand. Ours does on all."""
        wanted = self.program.partition("\n")[0].removeprefix("# ").replace("-", "")
        if torch.__name__ != "torch" or wanted not in ("AVX512", "AVX2"):
            return True
        return bool(torch.backends.cpu.get_cpu_capability() == wanted)


def read(path: Path) -> tuple[str, list[Printed]]:
    """The head of a file, and its programs."""
    head, *blocks = path.read_text(encoding="utf-8").strip().split("\n\n")
    if re.search(r"^#: |^print\(|^\w+ = ", head, re.MULTILINE):
        raise ValueError(f"{path.name}: it begins with a program; a line about the file comes first, then an empty one")
    found = []
    for block in blocks:
        lines = block.split("\n")
        text = "\n".join(line[3:] for line in lines if line.startswith("#: "))
        program = "\n".join(line for line in lines if not line.startswith("#: "))
        if re.search(r"^\s*(import|from) torch\b", program, re.MULTILINE):
            raise ValueError(f"{path.name}: a program is given torch; one that imports it compares PyTorch with itself")
        found.append(Printed(program, text))
    return head, found


def printed(program: str, torch: Any) -> str:
    """What a program prints on an engine, warnings and refusals included."""
    checkpoints = importlib.import_module(f"{torch.__name__}.utils.checkpoint")
    scope = {"torch": torch, "np": np, "copy": copy, "checkpoints": checkpoints, "__name__": "program"}
    out = io.StringIO()
    with warnings.catch_warnings(record=True) as caught, contextlib.redirect_stdout(out):
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", DeprecationWarning)  # PyTorch warns of parts of its own
        try:
            exec(compile(program, "<program>", "exec"), scope)
        except Exception as error:
            print(f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}")
        finally:
            torch.set_grad_enabled(True)
    for warning in caught:  # without the line of PyTorch's source that some warnings end with
        message = str(warning.message).splitlines()[0].partition(" (Triggered internally at ")[0]
        print(f"{warning.category.__name__}: {message}", file=out)
    return in_words_of_3_11("\n".join(line.rstrip() for line in out.getvalue().splitlines() if line.strip()))


def disagreements(torch: Any, path: Path) -> list[str]:
    """The programs of a file that print something else."""
    found = []
    for each in read(path)[1]:
        ours = printed(each.program, torch) if each.holds_on(torch) else each.text
        if ours != each.text:
            found.append(f"{each.program}\n--- PyTorch\n{each.text}\n--- ours\n{ours}")
    return found


def files(names: Sequence[str] = ()) -> list[Path]:
    """The files of programs in all rooms of tests, or those with one of some names."""
    every = sorted(path for path in HERE.rglob("printed/*.txt") if path.parents[1].name != "distributed")
    unknown = set(names) - {path.stem for path in every}
    if unknown:
        raise SystemExit(f"there is no file of programs called {', '.join(sorted(unknown))}")
    return [path for path in every if not names or path.stem in names]


def freeze(path: Path) -> None:
    """Write what PyTorch prints into a file."""
    import torch

    head, programs = read(path)
    blocks = [head]
    for each in programs:
        program = each.program
        if not each.holds_on(torch):
            raise SystemExit(f"freeze this on a processor that has what its first line says:\n{program}")
        text = printed(program, torch)
        if not text:
            raise SystemExit(f"this prints nothing:\n{program}")
        blocks.append(program + "".join(f"\n#: {line}" for line in text.splitlines()))
    path.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    print(f"{len(programs)} programs in {path.name}")


def main() -> None:
    names = [word for word in sys.argv[1:] if word != "--freeze"]
    for path in files(names):
        if "--freeze" in sys.argv[1:]:
            freeze(path)
            continue
        wrong = disagreements(importlib.import_module("tensorwidgets"), path)
        print("\n\n".join(wrong))
        print(f"{path.name}: {len(wrong)} of {len(read(path)[1])} differ")


if __name__ == "__main__":
    main()
