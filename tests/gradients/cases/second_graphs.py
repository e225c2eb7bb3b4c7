"""Write the graphs behind gradients, as PyTorch records them, below the calls in second_graphs.txt.

python -m tests.gradients.cases.second_graphs
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from tests.gradients.graphs import graph

FILE = Path(__file__).with_name("second_graphs.txt")


def calls() -> dict[str, list[str]]:
    """The calls of the file, and the graphs below each: a line for each input."""
    found: dict[str, list[str]] = {}
    below: list[str] = []
    for line in FILE.read_text(encoding="utf-8").split("\n"):
        if line.startswith("    "):
            below.append(line.strip())
        elif line and not line.startswith("#"):
            below = found[line] = []
    return found


def graphs(torch: Any, call: str) -> list[str]:
    """The graphs behind the gradients of the inputs of a call, which can be differentiated again."""
    leaves: list[Any] = []

    def made(values: Any, size: tuple[int, ...]) -> Any:
        leaves.append(values.reshape(size).requires_grad_())
        return leaves[-1]

    def count(size: tuple[int, ...]) -> Any:
        n = 1
        for each in size:
            n *= each
        return (torch.arange(n, dtype=torch.float64) * 7 + len(leaves)) % 5

    scope = {
        "torch": torch,
        "F": torch.nn.functional,
        "x": lambda *size: made(count(size) - 1.75, size),
        "share": lambda *size: made(count(size) / 8 + 0.125, size),
        "matrix": lambda n: made((count((n, n)) / 8).reshape(n, n) + 2 * torch.eye(n, dtype=torch.float64), (n, n)),
        "c": lambda *size: (count(size) / 8 + 0.125).reshape(size),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = eval(call, scope)
    results = [t for t in (result if isinstance(result, tuple) else (result,)) if t.requires_grad]
    weights = [torch.ones_like(t).requires_grad_() for t in results]
    found = torch.autograd.grad(results, leaves, weights, create_graph=True, allow_unused=True)
    return ["; ".join(graph(t, depth=5)).replace("torch::autograd::", "") for t in found if t is not None]


def main() -> None:
    import torch

    lines = []
    for line in FILE.read_text(encoding="utf-8").split("\n"):
        if not line.startswith("    "):
            lines.append(line)
            if line and not line.startswith("#"):
                lines += ["    " + each for each in graphs(torch, line)]
    FILE.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
