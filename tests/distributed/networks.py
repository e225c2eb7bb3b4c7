"""Five networks, trained by one process with the whole batch or by ranks with a part each."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import tensorwidgets as torch

nn = torch.nn
STEPS = 4


class Tied(nn.Module):
    """An embedding whose weights are those of the last layer, too."""

    def __init__(self) -> None:
        super().__init__()
        self.words, self.middle, self.out = nn.Embedding(11, 6), nn.Linear(6, 6), nn.Linear(6, 11, bias=False)
        self.out.weight = self.words.weight

    def forward(self, x: Any) -> Any:
        return self.out(torch.tanh(self.middle(self.words(x))))


class Unused(nn.Module):
    """A layer that nothing goes through, and one whose output the loss does not use."""

    def __init__(self) -> None:
        super().__init__()
        self.used, self.idle, self.aside = nn.Linear(4, 1), nn.Linear(4, 4), nn.Linear(4, 2)

    def forward(self, x: Any) -> Any:
        return self.used(x), self.aside(x)


class Recurrent(nn.Module):
    """A GRU of two layers."""

    def __init__(self) -> None:
        super().__init__()
        self.gru, self.out = nn.GRU(3, 5, 2, batch_first=True), nn.Linear(5, 1)

    def forward(self, x: Any) -> Any:
        return self.out(self.gru(x)[0][:, -1])


def _mlp() -> Any:
    return nn.Sequential(nn.Linear(4, 300), nn.Tanh(), nn.Linear(300, 300), nn.ReLU(), nn.Linear(300, 1))


def _conv() -> Any:
    model = nn.Sequential(
        nn.Conv2d(1, 4, 3), nn.BatchNorm2d(4), nn.ReLU(), nn.MaxPool2d(2), nn.Flatten(), nn.Linear(36, 1)
    )
    model[1].running_mean += 0.1
    return model.eval()


NETWORKS: dict[str, tuple[Callable, tuple[int, ...], dict]] = {
    "mlp": (_mlp, (4,), {"bucket_cap_mb": 0.1}),
    "conv": (_conv, (1, 8, 8), {"gradient_as_bucket_view": True}),
    "tied": (Tied, (), {}),
    "unused": (Unused, (4,), {"find_unused_parameters": True}),
    "gru": (Recurrent, (7, 3), {"static_graph": True, "gradient_as_bucket_view": True}),
}


def trained(name: str, rank: int = 0, ranks: int = 1) -> dict[str, Any]:
    """Losses, gradients and parameters after some steps; the batch has 8 samples."""
    make, size, options = NETWORKS[name]
    torch.manual_seed(3 if ranks == 1 else 3 + rank)  # other ranks begin otherwise, and are made like rank 0
    model = make()
    torch.manual_seed(17)
    inputs = torch.randint(0, 11, (STEPS, 8)) if name == "tied" else torch.randn(STEPS, 8, *size)
    targets = torch.randint(0, 11, (STEPS, 8)) if name == "tied" else torch.randn(STEPS, 8, 1)
    if ranks > 1:
        model = nn.parallel.DistributedDataParallel(model, **options)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
    loss_of = nn.CrossEntropyLoss() if name == "tied" else nn.MSELoss()
    for step in range(STEPS):
        optimizer.zero_grad()
        out = model(inputs[step][rank::ranks])
        loss_of(out[0] if name == "unused" else out, targets[step][rank::ranks]).backward()
        optimizer.step()
    inner = model.module if ranks > 1 else model
    gradients = {f"grad of {key}": p.grad for key, p in inner.named_parameters() if p.grad is not None}
    return {key: t.detach().clone() for key, t in [*inner.state_dict().items(), *gradients.items()]}


def main(to: Path) -> None:
    """A rank trains all networks twice."""
    dist = torch.distributed
    dist.init_process_group("mpi")
    rank, ranks = dist.get_rank(), dist.get_world_size()
    found = {(name, turn): trained(name, rank, ranks) for turn in (0, 1) for name in NETWORKS}
    torch.save(found, to / f"{rank}.pt")
    dist.destroy_process_group()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    assert "RANK" in os.environ
