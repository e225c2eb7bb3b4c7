"""The programs of calls.txt, run by ranks: of ours, or of PyTorch with gloo."""

from __future__ import annotations

import ast
import os
import re
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.distributed import branches

HERE = Path(__file__).parent
DTYPES = "bool uint8 int8 int32 int64 float16 bfloat16 float32 float64 complex64 complex128".split()
OPS = "SUM AVG PRODUCT MIN MAX BAND BOR BXOR".split()
KINDS = "float32 int64 bool complex64 uint8".split()


def programs() -> Iterator[str]:
    """The programs, one for each dtype and operation."""
    for line in (HERE / "calls.txt").read_text().splitlines():
        if "{dtype}" in line:
            yield from (line.replace("{dtype}", f"torch.{each}") for each in DTYPES)
        elif "{op}" in line:
            yield from (line.replace("{op}", op).replace("{kind}", f"torch.{k}") for op in OPS for k in KINDS)
        elif line and not line.startswith("#"):
            yield line


def result(torch: ModuleType, program: str, rank: int, n: int) -> str:
    """What a program returns or raises, as text that says nothing of addresses and places in C++."""
    names: dict[str, Any] = {
        "torch": torch, "dist": torch.distributed, "rank": rank, "n": n, "ones": torch.ones, "zeros": torch.zeros,
        "arange": lambda count: torch.arange(float(count)), **branches.names(torch, rank),
    }  # fmt: skip
    parsed = ast.parse(program)
    last = ast.Expression(parsed.body.pop().value)  # type: ignore[attr-defined]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(parsed, "<program>", "exec"), names)
            said = repr(eval(compile(last, "<program>", "eval"), names))
        except Exception as error:
            said = f"{type(error).__name__}: {error}"
            if "incompatible" in said.splitlines()[0]:  # what follows are the signatures of PyTorch's C++
                said = said.splitlines()[0]
    said += "".join(f"\nWarning: {w.message}" for w in caught if "invariant" not in str(w.message))
    said = re.sub(r"<[\w.]*\.(\w+) object at 0x\w+>", r"<\1>", said)
    said = re.sub(r"\[rank\d\]:\[F.*?\] (Check failed)", r"\1", said)
    return said.strip().replace("\x04", " RedOpType.MAX ")


def write(torch: ModuleType, rank: int, n: int, to: Path) -> None:
    """Run all programs as a rank, and write what they do."""
    parts = [f"{program}\n{_indented(result(torch, program, rank, n))}\n" for program in programs()]
    (to / f"{n}_ranks_{rank}.txt").write_text("".join(parts))


def _indented(text: str) -> str:
    return "\n".join("    " + line for line in text.splitlines())


def read(path: Path) -> dict[str, str]:
    """What programs do, by program."""
    found: dict[str, list[str]] = {}
    program = ""
    for line in path.read_text().splitlines():
        if line.startswith("    "):
            found[program].append(line[4:])
        else:
            program = line
            found[program] = []
    return {program: "\n".join(lines) for program, lines in found.items()}


def ours(to: Path) -> None:
    """What each rank of ours does."""
    import tensorwidgets as torch

    dist = torch.distributed
    if "RANK" in os.environ:
        dist.init_process_group("gloo")
    else:
        dist.init_process_group("gloo", rank=0, world_size=1)
    write(torch, dist.get_rank(), dist.get_world_size(), to)
    dist.destroy_process_group()


if __name__ == "__main__":
    ours(Path(sys.argv[1]))
