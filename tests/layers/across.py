"""Training that goes on in the other library: a model with tied weights and running statistics, its optimizer, files.

python -m tests.layers.across        writes what PyTorch trained, and how it goes on, to trained_by_pytorch.pt
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FROZEN = HERE / "trained_by_pytorch.pt"
BATCH = [0, 3, 1, 4, 2, 2, 0, 1]
NEXT = [3, 1, 4, 2, 2, 0, 1, 3]


def model_of(torch: Any) -> Any:
    """A table whose rows are the weight of the last layer, too, with a normalization between."""

    class Tied(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.table = torch.nn.Embedding(5, 4)
            self.norm = torch.nn.BatchNorm1d(4)
            self.head = torch.nn.Linear(4, 5, bias=False)
            self.head.weight = self.table.weight

        def forward(self, x: Any) -> Any:
            return self.head(self.norm(self.table(x)).relu())

    torch.manual_seed(0)
    return Tied().double()


def optimizer_of(torch: Any, model: Any) -> Any:
    return torch.optim.Adam(model.parameters(), lr=0.05, weight_decay=0.01)


def trained(torch: Any, model: Any, optimizer: Any, steps: int) -> list[float]:
    """The losses of some steps."""
    losses = []
    for _ in range(steps):
        optimizer.zero_grad()
        loss = torch.nn.functional.cross_entropy(model(torch.tensor(BATCH)), torch.tensor(NEXT))
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    return losses


def gone_on(torch: Any, path: Path, steps: int) -> tuple[Any, Any, list[float]]:
    """The model and the optimizer of a file, trained for more steps."""
    model = model_of(torch)
    optimizer = optimizer_of(torch, model)
    state = torch.load(path)
    model.load_state_dict(state["model"])
    optimizer.load_state_dict(state["optimizer"])
    return model, optimizer, trained(torch, model, optimizer, steps)


def main() -> None:
    import torch

    model = model_of(torch)
    optimizer = optimizer_of(torch, model)
    trained(torch, model, optimizer, 4)
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict()}, FROZEN)
    losses = gone_on(torch, FROZEN, 4)[2]
    torch.save({"model": model.state_dict(), "optimizer": optimizer.state_dict(), "losses": losses}, FROZEN)


if __name__ == "__main__":
    main()
