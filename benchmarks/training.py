"""How much does a log slow a training down? `python -m benchmarks.training`: 2,000 steps without, with, and drawn live.

The turns alternate, and the shortest of each way counts.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import tensorwidgets as torch
from tensorwidgets import nn

STEPS, TURNS = 2000, 5


def train(record: Callable[[object, float], None] | None, track: Callable[[range], object]) -> float:
    """Seconds of processor time for the steps of a small network."""
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
    optimizer = torch.optim.Adam(net.parameters())
    x, y = torch.randn(32, 64), torch.randint(10, (32,))
    loss_of = nn.CrossEntropyLoss()
    start = time.process_time()
    for _ in track(range(STEPS)):  # type: ignore[attr-defined]
        loss = loss_of(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if record is not None:
            record(loss, 1e-3)
    return time.process_time() - start


def logged(live: bool) -> tuple[Callable[[object, float], None], Callable[[range], object], Callable[[], int]]:
    """A log, drawn live or not, and how often it was drawn."""
    log = torch.TrainingLog("Adam")
    drawn = []
    if live:
        log.live()
        log.watch(lambda last: drawn.append(last))
    return lambda loss, lr: log(loss=loss, lr=lr), log.track, lambda: len(drawn)


def main() -> None:
    ways: dict[str, list[float]] = {"plain": [], "logged": [], "logged and drawn live": []}
    drawings = 0
    for _ in range(TURNS):
        for name, times in ways.items():
            if name == "plain":
                times.append(train(None, lambda steps: steps))
                continue
            record, track, drawn = logged("live" in name)
            times.append(train(record, track))
            drawings = drawn() or drawings
    plain = min(ways["plain"])
    for name, times in ways.items():
        print(f"{name:24} {min(times):.3f} s  {100 * (min(times) / plain - 1):+.1f} %")
    print(f"drawn {drawings} times in the last turn")


if __name__ == "__main__":
    main()
