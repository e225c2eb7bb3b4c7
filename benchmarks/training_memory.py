"""How much memory does a step of training a large model need, beside PyTorch? `python -m benchmarks.training_memory`

One linear layer of 1e8 parameters (`--parameters`), three steps of SGD, SGD with momentum, and Adam. Each figure is the
largest resident memory of a process of its own, less what it had after the import.
"""

from __future__ import annotations

import argparse
import subprocess
import sys

OPTIMIZERS = {"SGD": "SGD(p, lr=0.01)", "SGD with momentum": "SGD(p, lr=0.01, momentum=0.9)", "Adam": "Adam(p)"}
STEPS = """\
import resource, sys
import {library} as torch
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
before = peak()
torch.set_num_threads(1)
model = torch.nn.Linear({width}, {width})
p = model.parameters()
optimizer = torch.optim.{optimizer}
x = torch.randn(8, {width})
for _ in range(3):
    optimizer.zero_grad()
    model(x).square().mean().backward()
    optimizer.step()
print(peak() - before)
"""


def megabytes(library: str, width: int, optimizer: str) -> float:
    """The memory of three steps."""
    code = STEPS.format(library=library, width=width, optimizer=optimizer)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return int(done.stdout) * 1024 / 1e6


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--parameters", type=float, default=1e8)
    width = int(parser.parse_args().parameters ** 0.5)
    print(f"{width}^2 parameters of {4 * width * width / 1e6:.0f} MB")
    for name, optimizer in OPTIMIZERS.items():
        ours, theirs = (megabytes(library, width, optimizer) for library in ("tensorwidgets", "torch"))
        print(f"{name:20} {ours:8.0f} MB  PyTorch {theirs:8.0f} MB  {ours / theirs:5.2f}", flush=True)


if __name__ == "__main__":
    main()
