"""Layers, optimizers and training steps, as ratios to PyTorch in one run.

    python -m benchmarks.layers                    # one thread on both sides
    python -m benchmarks.layers conv norm          # rows by a part of their names
    python -m benchmarks.layers --threads 2

Each figure is the shortest of several turns, taken alternately, ours divided by PyTorch's: processor time of one
thread, and for several threads the time that passes.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import argparse
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import tensorwidgets as tw

Run = Callable[[], Any]
ROUNDS = 7
"""Turns of each side; each lasts about TURN seconds."""
TURN = 0.02
PAUSE = 0.01
"""Seconds before each turn: threads of the other side may still wait in a loop, and take a core from this one."""


def back(call: Callable[..., Any], *tensors: Any) -> Run:
    """Forward and backward; gradients are thrown away."""

    def run() -> None:
        result = call()
        result.backward(gradient=ones.setdefault("of the result", result.detach() * 0 + 1))
        for t in tensors:
            t.grad = None

    ones: dict[str, Any] = {}
    return run


def layers(torch: Any) -> dict[str, Run]:
    """Functions of layers, forward, and forward and backward."""
    torch.manual_seed(0)
    f = torch.nn.functional
    x = torch.randn(256, 512)
    xg = torch.randn(256, 512, requires_grad=True)
    image, filters = torch.randn(8, 32, 32, 32), torch.randn(64, 32, 3, 3)
    ig, fg = torch.randn(8, 32, 32, 32, requires_grad=True), torch.randn(64, 32, 3, 3, requires_grad=True)
    weight, bias = torch.ones(512, requires_grad=True), torch.zeros(512, requires_grad=True)
    of_channel, shift = torch.ones(32, requires_grad=True), torch.zeros(32, requires_grad=True)
    q, k, v = [torch.randn(4, 4, 64, 32, requires_grad=True) for _ in range(3)]
    classes = torch.randint(0, 512, (256,))
    table, numbers = torch.randn(1000, 64, requires_grad=True), torch.randint(0, 1000, (32, 64))
    big = torch.randn(1_000_000)
    lstm, words = torch.nn.LSTM(64, 128, batch_first=True), torch.randn(16, 32, 64)
    batch, wl, bl = (
        torch.randn(64, 784),
        torch.randn(256, 784, requires_grad=True),
        torch.randn(256, requires_grad=True),
    )
    return {
        "linear": back(lambda: f.linear(batch, wl, bl), wl, bl),
        "gelu, forward": lambda: f.gelu(big),
        "gelu": back(lambda: f.gelu(xg), xg),
        "gelu by tanh, forward": lambda: f.gelu(big, approximate="tanh"),
        "softmax": back(lambda: f.softmax(xg, 1), xg),
        "layer_norm, forward": lambda: f.layer_norm(x, (512,), weight.detach(), bias.detach()),
        "layer_norm": back(lambda: f.layer_norm(xg, (512,), weight, bias), xg, weight, bias),
        "batch_norm": back(lambda: f.batch_norm(ig, None, None, of_channel, shift, True), ig, of_channel, shift),
        "attention": back(lambda: f.scaled_dot_product_attention(q, k, v), q, k, v),
        "cross_entropy": back(lambda: f.cross_entropy(xg, classes), xg),
        "max_pool1d 3, 1e6, forward": lambda: f.max_pool1d(big.view(1, 10, -1), 3, 1, 1),
        "max_pool2d": back(lambda: f.max_pool2d(ig, 2), ig),
        "embedding": back(lambda: f.embedding(numbers, table), table),
        "conv2d 3x3, forward": lambda: f.conv2d(image, filters, padding=1),
        "conv2d 3x3": back(lambda: f.conv2d(ig, fg, padding=1), ig, fg),
        "LSTM": back(lambda: lstm(words)[0], *lstm.parameters()),
        "dropout": back(lambda: f.dropout(xg, 0.5), xg),
    }


def optimizers(torch: Any) -> dict[str, Run]:
    """Steps of optimizers over a hundred small parameters, and over one of a million elements."""
    steps = {}
    for name in ("SGD", "Adam", "AdamW", "RMSprop"):
        for words, count, size in (("100 of 4x4", 100, (4, 4)), ("one of 1e6", 1, (1000, 1000))):
            parameters = [torch.ones(size, requires_grad=True) for _ in range(count)]
            for p in parameters:
                p.grad = torch.ones(size) * 0.1
            steps[f"{name}, {words}"] = getattr(torch.optim, name)(parameters).step
    small = [torch.ones(4, 4, requires_grad=True) for _ in range(100)]
    for p in small:
        p.grad = torch.ones(4, 4)
    steps["clip_grad_norm_, 100 of 4x4"] = lambda: torch.nn.utils.clip_grad_norm_(small, 1e9)
    model = torch.nn.Sequential(*[torch.nn.Linear(4, 4) for _ in range(10)])
    steps["to float64 and back, 20 of 4x4"] = lambda: model.double().float()
    return steps


def training(torch: Any) -> dict[str, Run]:
    """Whole steps: zero_grad, forward, loss, backward, step."""
    steps = {}
    for sizes, batch in (((2, 16, 16, 2), 16), ((784, 256, 128, 10), 64)):
        for optimizer in ("SGD", "Adam"):
            torch.manual_seed(0)
            parts = [
                m for a, b in zip(sizes, sizes[1:], strict=False) for m in (torch.nn.Linear(a, b), torch.nn.ReLU())
            ]
            words = "-".join(map(str, sizes))
            steps[f"step {words}, {optimizer}"] = training_step(
                torch, torch.nn.Sequential(*parts[:-1]), optimizer, batch, sizes[0], sizes[-1]
            )
    return steps


def training_step(torch: Any, model: Any, name: str, batch: int, width: int, classes: int) -> Run:
    """One step of training a model on one batch."""
    x, y = torch.randn(batch, width), torch.randint(0, classes, (batch,))
    loss_of = torch.nn.CrossEntropyLoss()
    optimizer = getattr(torch.optim, name)(model.parameters(), lr=0.001)

    def run() -> None:
        optimizer.zero_grad()
        loss_of(model(x), y).backward()
        optimizer.step()

    return run


Clock = Callable[[], float]


def seconds(run: Run, count: int, clock: Clock) -> float:
    """The time of one call."""
    start = clock()
    for _ in range(count):
        run()
    return (clock() - start) / count


Rows = Callable[[Any], dict[str, Run]]
"""What is timed, by name, with one of the two packages."""


def compared(
    tables: tuple[Rows, ...], torch: Any, chosen: list[str], clock: Clock
) -> Iterator[tuple[str, float, float]]:
    """The shortest times of each row, ours and PyTorch's."""
    for rows in tables:
        ours, theirs = rows(tw), rows(torch)
        for name in ours:
            if chosen and not any(part in name for part in chosen):
                continue
            pair = ours[name], theirs[name]
            warm = [min(seconds(run, 1, clock), seconds(run, 1, clock)) for run in pair]
            counts = [max(1, math.ceil(TURN / max(one, 1e-7))) for one in warm]
            best = [math.inf, math.inf]
            for _ in range(ROUNDS):
                for side in (0, 1):
                    time.sleep(PAUSE)
                    best[side] = min(best[side], seconds(pair[side], counts[side], clock))
            yield name, best[0], best[1]


def main(*tables: Rows, words: str = "forward and backward") -> None:
    """Time the tables of rows, with the settings of the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("rows", nargs="*", help="parts of the names of rows; all rows without")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    import torch

    torch.set_num_threads(options.threads)
    tw.set_num_threads(options.threads)
    clock = time.thread_time if options.threads == 1 else time.perf_counter
    print(f"{words:32} {'ours':>11} {'PyTorch':>11} {'ratio':>7}")
    for name, mine, other in compared(tables, torch, options.rows, clock):
        print(f"{name:32} {mine * 1e6:9.1f}us {other * 1e6:9.1f}us {mine / other:7.2f}", flush=True)


if __name__ == "__main__":
    main(layers, optimizers, training)
