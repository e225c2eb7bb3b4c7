"""What `%%memory` adds to a cell's time: where nothing is traced, and where it is.

    python -m benchmarks.memory_magic

Each cell runs plain, below `%%memory whole` and below `%%memory`; the table has the processor's time, the best of
several runs, drawing the picture included. Cells that allocate little run at full speed below both, because nothing is
traced inside of functions. Tracing costs a record of each allocation, a look at the names after each line, and a
comparison of their contents.
"""

from __future__ import annotations

import io
import time
from contextlib import redirect_stdout
from importlib.util import find_spec

from IPython.core.interactiveshell import InteractiveShell

RUNS = 3

START = """\
import json
import numpy as np
import tensorwidgets as tw
a = np.random.rand(1200, 1200)
v = np.random.rand(1000)
w = tw.rand(500, 500)
net = tw.nn.Sequential(tw.nn.Linear(64, 128), tw.nn.ReLU(), tw.nn.Linear(128, 10))
sgd = tw.optim.SGD(net.parameters(), 0.1)
x, y = tw.randn(256, 64), tw.randint(10, (256,))
"""

FEW = {
    "a function that counts": (
        "def f():\n    s = 0\n    for i in range(12_000_000):\n        s += i\n    return s\nf();"
    ),
    "a loop of plain numbers": "k = 0\nfor i in range(9_000_000):\n    k += i * i",
    "products of matrices": "b = a @ a\nfor _ in range(8):\n    b = a @ b",
    "text in a function": (
        "def work():\n    for _ in range(40):\n        json.loads(json.dumps(list(range(100_000))))\nwork()"
    ),
}
"""Cells that allocate little."""

MANY = {
    "lines beside 23 MB of arrays": "for _ in range(40):\n    t = json.loads(json.dumps(list(range(100_000))))",
    "a training loop": (
        "for _ in range(60):\n    loss = tw.nn.functional.cross_entropy(net(x), y)\n"
        "    sgd.zero_grad()\n    loss.backward()\n    sgd.step()"
    ),
    "the same in a function": (
        "def fit(steps):\n    for _ in range(steps):\n        loss = tw.nn.functional.cross_entropy(net(x), y)\n"
        "        sgd.zero_grad()\n        loss.backward()\n        sgd.step()\nfit(60)"
    ),
    "small arrays in a function": "def g():\n    for _ in range(100_000):\n        u = v * 2\ng()",
    "numbers of an array": "s = 0.0\nfor i in range(100_000):\n    s += v[i % 1000]",
    "a training loop of PyTorch": (
        "for _ in range(200):\n    loss = torch.nn.functional.cross_entropy(tnet(tx), ty)\n"
        "    tsgd.zero_grad()\n    loss.backward()\n    tsgd.step()"
    ),
}
"""Cells whose allocations are traced."""

TORCH = """\
import torch
tnet = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.ReLU(), torch.nn.Linear(128, 10))
tsgd = torch.optim.SGD(tnet.parameters(), 0.1)
tx, ty = torch.randn(256, 64), torch.randint(10, (256,))
"""


def seconds(shell: InteractiveShell, cell: str) -> float:
    """The best time of a cell."""
    best = float("inf")
    for _ in range(RUNS):
        start = time.process_time()
        with redirect_stdout(io.StringIO()):
            result = shell.run_cell(cell)
        best = min(best, time.process_time() - start)
        result.raise_error()
    return best


def main() -> None:
    """Prints a table."""
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    shell.run_cell("%load_ext tensorwidgets\n" + START)
    cells = {**FEW, **MANY}
    if find_spec("torch") is None:
        cells.pop("a training loop of PyTorch")
    else:
        shell.run_cell(TORCH)
    print(f"{'cell':30} {'plain':>9} {'whole':>16} {'%%memory':>16}")
    for name, cell in cells.items():
        plain, whole, traced = (seconds(shell, first + cell) for first in ("", "%%memory whole\n", "%%memory\n"))
        if name == next(iter(MANY)):
            print("traced")
        added = [f"{1000 * t:7.0f} ms {100 * (t / plain - 1):+4.0f}%" for t in (whole, traced)]
        print(f"{name:30} {1000 * plain:6.0f} ms {added[0]:>16} {added[1]:>16}")


if __name__ == "__main__":
    main()
