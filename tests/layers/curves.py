"""Losses of three models while they are trained from one seed, on any engine: a perceptron, a convolutional net, a GPT.

python -m tests.layers.curves                200 steps, ours beside PyTorch's
python -m tests.layers.curves --freeze       writes PyTorch's first losses into curves.json
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

for _name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_name, "1")  # sums in one order on both sides

FROZEN = Path(__file__).with_suffix(".json")
FEW, MANY = 6, 200
TEXT = "the quick brown fox jumps over the lazy dog and the small red hen runs after the old grey goose. " * 4


def perceptron(torch: Any) -> Iterator[Any]:
    """Classifies points by their quadrant, with dropout; AdamW with decay and a schedule."""
    nn = torch.nn
    model = nn.Sequential(nn.Linear(8, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 64), nn.GELU(), nn.Linear(64, 4))
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.1)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, 200)
    x = torch.randn(256, 8)
    target = (x[:, 0] > 0).long() * 2 + (x[:, 1] > 0).long()
    while True:
        batch = torch.randint(0, 256, (32,))
        loss = nn.functional.cross_entropy(model(x[batch]), target[batch])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        schedule.step()
        yield loss


def convolutional(torch: Any) -> Iterator[Any]:
    """Tells striped images by the direction of their stripes, with batch norm; SGD with momentum."""
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2),
        nn.Conv2d(8, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(16, 2),
    )  # fmt: skip
    optimizer = torch.optim.SGD(model.parameters(), lr=0.02, momentum=0.9)
    stripes = torch.tensor([1.0, 1.0, -1.0, -1.0] * 3)
    while True:
        target = torch.randint(0, 2, (16,))
        across = stripes.view(1, 1, 1, 12) * torch.ones(16, 1, 12, 12)
        x = torch.where(target.view(16, 1, 1, 1) == 1, across, across.transpose(2, 3)) + 2 * torch.randn(16, 1, 12, 12)
        loss = nn.functional.cross_entropy(model(x), target)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        yield loss


def gpt(torch: Any) -> Iterator[Any]:
    """Predicts the next letter: embeddings, blocks with causal attention in both spellings, layer norms, a head."""
    nn, F = torch.nn, torch.nn.functional
    letters = sorted(set(TEXT))
    data = torch.tensor([letters.index(letter) for letter in TEXT])
    steps, size = 16, 32

    class Attention(nn.Module):
        """Causal attention by scaled_dot_product_attention."""

        def __init__(self) -> None:
            super().__init__()
            self.project, self.out = nn.Linear(size, 3 * size), nn.Linear(size, size)

        def forward(self, x: Any) -> Any:
            b, t, c = x.shape
            q, k, v = (part.view(b, t, 2, c // 2).transpose(1, 2) for part in self.project(x).split(size, dim=2))
            mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True)
            return self.out(mixed.transpose(1, 2).reshape(b, t, c))

    class HeadsAttention(nn.Module):
        """The same by MultiheadAttention and a mask."""

        def __init__(self) -> None:
            super().__init__()
            self.heads = nn.MultiheadAttention(size, 2, dropout=0.1, batch_first=True)

        def forward(self, x: Any) -> Any:
            hidden = torch.triu(torch.ones(x.shape[1], x.shape[1], dtype=torch.bool), diagonal=1)
            return self.heads(x, x, x, attn_mask=hidden, need_weights=False)[0]

    class Block(nn.Module):
        def __init__(self, attention: Any) -> None:
            super().__init__()
            self.norm1, self.norm2, self.attention = nn.LayerNorm(size), nn.LayerNorm(size), attention
            self.network = nn.Sequential(
                nn.Linear(size, 4 * size), nn.GELU(), nn.Linear(4 * size, size), nn.Dropout(0.1)
            )

        def forward(self, x: Any) -> Any:
            x = x + self.attention(self.norm1(x))
            return x + self.network(self.norm2(x))

    class GPT(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.letters, self.places = nn.Embedding(len(letters), size), nn.Embedding(steps, size)
            self.blocks = nn.Sequential(Block(Attention()), Block(HeadsAttention()))
            self.norm, self.head = nn.LayerNorm(size), nn.Linear(size, len(letters), bias=False)

        def forward(self, numbers: Any) -> Any:
            x = self.letters(numbers) + self.places(torch.arange(numbers.shape[1]))
            return self.head(self.norm(self.blocks(x)))

    model = GPT()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    while True:
        starts = torch.randint(0, len(data) - steps, (8,)).tolist()
        x, y = (torch.stack([data[s + shift : s + shift + steps] for s in starts]) for shift in (0, 1))
        loss = F.cross_entropy(model(x).flatten(0, 1), y.flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        yield loss


MODELS: dict[str, Callable[[Any], Iterator[Any]]] = {
    "perceptron": perceptron, "convolutional": convolutional, "gpt": gpt,
}  # fmt: skip


def losses(torch: Any, name: str, steps: int) -> list[float]:
    """The loss of a model at each step, from seed 0."""
    torch.manual_seed(0)
    training = MODELS[name](torch)
    return [next(training).item() for _ in range(steps)]


def distances(steps: int) -> dict[str, float]:
    """The largest difference between our loss and PyTorch's, for each model."""
    import torch

    import tensorwidgets as tw

    torch.set_num_threads(1)
    found = {}
    for name in MODELS:
        ours, theirs = losses(tw, name, steps), losses(torch, name, steps)
        found[name] = max(abs(a - b) for a, b in zip(ours, theirs, strict=True))
    return found


def main() -> None:
    if "--freeze" in sys.argv[1:]:
        import torch

        torch.set_num_threads(1)
        FROZEN.write_text(json.dumps({name: losses(torch, name, FEW) for name in MODELS}, indent=1) + "\n")
        return
    for name, distance in distances(MANY).items():
        print(f"{name}: {MANY} steps, the losses differ by {distance:.1e} at most")


if __name__ == "__main__":
    main()
