"""What PyTorch's autograd refuses: small programs in refusals.txt, each with PyTorch's type and first line.

python -m tests.gradients.cases.refusals              what differs, ours beside the file
python -m tests.gradients.cases.refusals --freeze     writes PyTorch's answers into the file, which needs PyTorch
"""

from __future__ import annotations

import copy
import importlib
import sys
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FILE = Path(__file__).with_name("refusals.txt")


class Refusal(NamedTuple):
    """A program and what PyTorch says to it: an exception's type and first line."""

    program: str
    answer: str


def read() -> tuple[str, list[Refusal]]:
    """The head of the file, and its programs; the line that begins with ``#:`` is the answer."""
    head, *blocks = FILE.read_text(encoding="utf-8").strip().split("\n\n")
    found = []
    for block in blocks:
        lines = block.split("\n")
        answer = lines.pop()[3:] if lines[-1].startswith("#: ") else ""
        found.append(Refusal("\n".join(lines), answer))
    return head, found


def answer(program: str, torch: Any) -> str:
    """An engine's answer: the exception's type and first line, or nothing where nothing is refused."""
    # A module of its own, since a class is known by the module that it is defined in.
    scope = {"torch": torch, "np": np, "copy": copy, "__name__": "program"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(program, "<program>", "exec"), scope)
        except Exception as error:
            return f"{type(error).__name__}: {str(error).strip().splitlines()[0] if str(error).strip() else ''}"
        finally:
            torch.set_grad_enabled(True)
    return ""


def disagreements(torch: Any) -> list[str]:
    """The programs to which an engine says something else than PyTorch."""
    found = []
    for program, theirs in read()[1]:
        ours = answer(program, torch)
        if ours != theirs:
            found.append(f"{program}\n    PyTorch: {theirs}\n    ours:    {ours or 'nothing is refused'}")
    return found


def freeze() -> None:
    import torch

    head, refusals = read()
    blocks = [head]
    for program, _ in refusals:
        said = answer(program, torch)
        if not said:
            raise SystemExit(f"PyTorch does not refuse this:\n{program}")
        blocks.append(f"{program}\n#: {said}")
    FILE.write_text("\n\n".join(blocks) + "\n", encoding="utf-8")
    print(f"{len(refusals)} refusals")


def main() -> None:
    if "--freeze" in sys.argv[1:]:
        return freeze()
    wrong = disagreements(importlib.import_module("tensorwidgets"))
    print("\n\n".join(wrong))
    print(f"{len(wrong)} of {len(read()[1])} differ")


if __name__ == "__main__":
    main()
