"""The order of the samples, from a seed."""

from __future__ import annotations

from typing import Any

import numpy as np

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake

NEVER_SEEN = WordPrediction(
    number="20.3",
    question="Ten samples, batch_size=4, shuffle=True, drop_last=True, 100 epochs. How many samples are never seen?",
    subject="the samples never seen",
    answer=0,
    reason="0: each epoch leaves two out, and each shuffle leaves out different ones",
    otherwise={
        2: "two are left out in each epoch, but they are not always the same two: the loader shuffles again",
        200: "that counts two for each epoch. They are not the same two",
        4: "a whole batch is never dropped, only the two samples that do not fill one",
        10: "eight of the ten are seen in every single epoch",
        1: "each epoch draws a new order, so in the end every sample has been seen",
    },
)


def _seeds(torch: Any) -> list[Case]:
    return [Case(f"order({n}, {seed})", n, (seed,)) for n, seed in ((6, 0), (10, 3), (5, 42), (8, 7))]


def _order(
    n: int, seed: int, workers: int = 1, twice: bool = False, drawn: str = "randperm", fraction: bool = False
) -> list[int]:
    """The order of the first epoch, and what other draws would give. These numbers are PyTorch's as well."""
    import tensorwidgets as torch

    generator = torch.Generator().manual_seed(seed)
    if fraction:
        torch.rand((), generator=generator)
    for _ in range(0 if fraction else workers):
        torch.empty((), dtype=torch.int64).random_(generator=generator)
    if twice:
        torch.randperm(n, generator=generator)
    if drawn == "randint":
        return list(torch.randint(n, (n,), generator=generator).tolist())
    return list(torch.randperm(n, generator=generator).tolist())


UNSEEDED = 67280421310721
"""The seed of a new generator."""

ORDER = FunctionExercise(
    number="20.4",
    task="work out a shuffle before it happens",
    function="order",
    cases=_seeds,
    wanted=lambda n, seed: tuple(_order(n, seed)),
    hints=(
        "Make a generator and give it the seed: g = torch.Generator().manual_seed(seed). You draw from it twice.",
        "You do not use what the first draw gives. It only moves the generator on, so leave it in.",
        "The second draw is the order. It comes as a tensor, and the answer is a list.",
    ),
    mistakes=(
        Mistake(
            lambda n, seed: _order(n, seed, workers=0),
            "You left out the first draw, the one for the workers. It moves the generator on.",
        ),
        Mistake(
            lambda n, seed: _order(n, seed, fraction=True),
            "Your first draw is a fraction, and moves the generator on by less than a whole number does. Its dtype is "
            "int64.",
        ),
        Mistake(
            lambda n, seed: _order(n, seed, twice=True),
            "You draw one order too many. The first randperm after the draw for the workers is the one.",
        ),
        Mistake(
            lambda n, seed: _order(n, seed, drawn="randint"),
            "randint may draw a sample twice, and leave another out. An order has each of them once.",
        ),
        Mistake(
            lambda n, seed: list(range(n)),
            "That is the order without a shuffle.",
        ),
        Mistake(
            lambda n, seed: _order(n, 0),
            "The seed makes no difference to yours. Give it to the generator: manual_seed(seed).",
        ),
        Mistake(
            lambda n, seed: _order(n, UNSEEDED),
            "Your generator never got the seed, so it starts as every new one does: add .manual_seed(seed).",
        ),
        Mistake(
            lambda n, seed: [i + 1 for i in _order(n, seed)],
            "Right, but samples are counted from 0.",
        ),
        Mistake(
            lambda n, seed: np.array(_order(n, seed)),
            "The order is right. Make a list of it: tolist().",
        ),
    ),
    right=(_order,),
)
