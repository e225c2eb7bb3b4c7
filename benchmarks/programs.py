"""Steps of small programs that people write to learn, as ratios to PyTorch in one run.

    python -m benchmarks.programs              # one thread on both sides
    python -m benchmarks.programs attention    # rows by a part of their names

Most of their time is the cost of calls: views, products of small batches, sums, and the way back through all of them.
"""

from __future__ import annotations

from typing import Any

from benchmarks.layers import Run, main


def programs(torch: Any) -> dict[str, Run]:
    """One step of training each."""
    return {
        "curve through points": _curve(torch),
        "table of letter pairs": _pairs(torch),
        "embedding and two layers": _embedding(torch),
        "recurrent net, 10 letters": _letters(torch),
        "convolutions, 8 x 8 images": _images(torch),
        "attention, 2 blocks": _attention(torch),
    }


def _curve(torch: Any) -> Run:
    """A cubic polynomial that learns a sine by gradients of its four numbers."""
    x = torch.linspace(-3, 3, 2000)
    y = torch.sin(x)
    numbers = [torch.tensor(0.1 * k, requires_grad=True) for k in range(4)]

    def step() -> None:
        a, b, c, d = numbers
        (a + b * x + c * x**2 + d * x**3 - y).pow(2).sum().backward()
        with torch.no_grad():
            for p in numbers:
                p -= 1e-6 * p.grad
                p.grad = None

    return step


def _pairs(torch: Any) -> Run:
    """Which letter follows which: one matrix, and softmax written out."""
    weight = torch.randn(27, 27, requires_grad=True)
    letters = torch.randint(0, 27, (64,))
    before = torch.nn.functional.one_hot(letters[:-1], 27).float()
    rows, after = torch.arange(63), letters[1:]

    def step() -> None:
        counts = (before @ weight).exp()
        shares = counts / counts.sum(1, keepdim=True)
        loss = -shares[rows, after].log().mean() + 0.01 * (weight**2).mean()
        weight.grad = None
        loss.backward()
        weight.data -= 0.1 * weight.grad

    return step


def _embedding(torch: Any) -> Run:
    """The next letter from three: rows of a table, a hidden layer, cross entropy."""
    table, w1, b1 = torch.randn(27, 10), torch.randn(30, 100), torch.randn(100)
    w2, b2 = torch.randn(100, 27), torch.randn(27)
    parameters = [p.requires_grad_() for p in (table, w1, b1, w2, b2)]
    words, wanted = torch.randint(0, 27, (32, 3)), torch.randint(0, 27, (32,))

    def step() -> None:
        hidden = torch.tanh(table[words].view(-1, 30) @ w1 + b1)
        loss = torch.nn.functional.cross_entropy(hidden @ w2 + b2, wanted)
        for p in parameters:
            p.grad = None
        loss.backward()
        for p in parameters:
            p.data -= 0.1 * p.grad

    return step


def _letters(torch: Any) -> Run:
    """A recurrent net by hand, one letter at a time."""
    f = torch.nn.functional
    inner, outer = torch.nn.Linear(27 + 64, 64), torch.nn.Linear(64, 27)
    letters = f.one_hot(torch.randint(0, 27, (10,)), 27).float()
    wanted = torch.randint(0, 27, (10,))

    def step() -> None:
        hidden, loss = torch.zeros(1, 64), torch.zeros(())
        for t in range(10):
            hidden = torch.tanh(inner(torch.cat([letters[t : t + 1], hidden], 1)))
            loss = loss + f.cross_entropy(outer(hidden), wanted[t : t + 1])
        loss.backward()
        inner.zero_grad()
        outer.zero_grad()

    return step


def _images(torch: Any) -> Run:
    """Two convolutions with pools, and a layer for ten classes."""
    nn = torch.nn
    model = nn.Sequential(
        nn.Conv2d(1, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU(),
        nn.MaxPool2d(2), nn.Flatten(), nn.Linear(64, 10),
    )  # fmt: skip
    images, classes = torch.randn(16, 1, 8, 8), torch.randint(0, 10, (16,))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)

    def step() -> None:
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(images), classes).backward()
        optimizer.step()

    return step


def _attention(torch: Any) -> Run:
    """A language model with two blocks of causal attention, written out: width 32, 4 heads, 8 letters, batch of 16."""
    nn, f = torch.nn, torch.nn.functional
    letters, steps, width, heads = 27, 8, 32, 4
    mask = torch.ones(steps, steps).tril() == 0

    class Block(nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.norms = nn.ModuleList([nn.LayerNorm(width), nn.LayerNorm(width)])
            self.queries_keys_values, self.mixed = nn.Linear(width, 3 * width), nn.Linear(width, width)
            self.wide = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

        def forward(self, x: Any) -> Any:
            size = (x.shape[0], steps, heads, width // heads)
            parts = self.queries_keys_values(self.norms[0](x)).split(width, dim=2)
            query, key, value = [part.view(size).transpose(1, 2) for part in parts]
            scores = query @ key.transpose(-2, -1) / (width // heads) ** 0.5
            shares = f.softmax(scores.masked_fill(mask, -torch.inf), dim=-1)
            x = x + self.mixed((shares @ value).transpose(1, 2).reshape(x.shape))
            return x + self.wide(self.norms[1](x))

    class Model(nn.Module):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.letter, self.place = nn.Embedding(letters, width), nn.Embedding(steps, width)
            self.blocks = nn.Sequential(Block(), Block(), nn.LayerNorm(width), nn.Linear(width, letters, bias=False))

        def forward(self, words: Any) -> Any:
            return self.blocks(self.letter(words) + self.place(torch.arange(steps)))

    model = Model()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    words, wanted = torch.randint(0, letters, (16, steps)), torch.randint(0, letters, (16, steps))

    def step() -> None:
        optimizer.zero_grad()
        f.cross_entropy(model(words).view(-1, letters), wanted.view(-1)).backward()
        optimizer.step()

    return step


if __name__ == "__main__":
    main(programs, words="a step of training")
