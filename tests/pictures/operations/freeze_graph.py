"""Write the facts of PyTorch's graphs of `graph_programs` to graph_reference.json.

Run from the top of the checkout, where PyTorch is installed: ``python -m tests.pictures.operations.freeze_graph``
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tensorwidgets.pictures.arrays.graphs.tape import Kept, Step, Tape, tape_of
from tests.pictures.operations.graph_programs import PROGRAMS

REFERENCE = Path(__file__).with_name("graph_reference.json")


def facts(torch: Any, name: str) -> Tape:
    """The graph of a program, run with one of the two libraries."""
    result, names = PROGRAMS[name](torch)
    return tape_of(result, "result", names)


def thawed(frozen: list[Any]) -> Tape:
    """A graph from its JSON."""
    steps, storages, of_leaves, named = frozen
    return Tape(
        tuple(
            Step(name, label, tuple(inputs), tuple((tuple(size), dtype) for size, dtype in results),
                 tuple(Kept(n, state, tuple(size), *rest) for n, state, size, *rest in kept))
            for name, label, inputs, results, kept, _ in steps
        ),
        tuple(storages), tuple(of_leaves), tuple(map(tuple, named)),
    )  # fmt: skip


def main() -> None:
    import torch

    answers = {name: facts(torch, name) for name in PROGRAMS}
    text = json.dumps({"torch": torch.__version__, "graphs": answers}, separators=(",", ":"))
    REFERENCE.write_text(text.replace(']],[["', ']],\n[["') + "\n", encoding="utf-8")
    print(f"{REFERENCE.name}: {len(answers)} graphs, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
