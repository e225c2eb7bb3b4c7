"""A loader of your own."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made


def _piles(torch: Any) -> list[Case]:
    def case(n: int, order: list[int], size: int) -> Case:
        pictures = f"torch.arange({4 * n}.0).reshape({n}, 2, 2)"
        text = f"load({pictures}, torch.arange({n}) * 10, {order}, {size})"
        return Case(text, torch.arange(4.0 * n).reshape(n, 2, 2), (torch.arange(n) * 10, order, size))

    return [case(4, [2, 0, 3, 1], 2), case(5, [4, 2, 0, 1, 3], 2), case(3, [1, 1, 2, 1], 3), case(2, [1, 0], 5)]


def _loaded(pictures: Any, labels: Any, order: list[int], size: int) -> list[tuple[Any, Any]]:
    """What a loader without workers gives."""
    torch = library_that_made(pictures)
    piles = [order[k : k + size] for k in range(0, len(order), size)]
    return [
        (torch.stack([pictures[i] for i in pile]), torch.tensor([labels[i].item() for i in pile])) for pile in piles
    ]


def _unlabelled(pictures: Any, labels: Any, order: list[int], size: int) -> list[tuple[Any, Any]]:
    batches = _loaded(pictures, labels, order, size)
    return [(x, labels[k * size : k * size + len(x)]) for k, (x, _) in enumerate(batches)]


LOAD = FunctionExercise(
    number="20.13",
    task="a loader by hand",
    function="load",
    cases=_piles,
    wanted=lambda *given: tuple(_loaded(*given)),
    hints=(
        "Cut the order into piles first: the first size indices, the next size indices, and so on.",
        "range(0, len(order), size) counts where the piles begin. A slice past the end is cut off, so the last one is "
        "no special case.",
        "A list of indices is itself an index, as in lesson 05: it picks rows, and puts them into one tensor.",
    ),
    mistakes=(
        Mistake(
            lambda pictures, labels, order, size: [
                batch for batch in _loaded(pictures, labels, order, size) if len(batch[1]) == size
            ],
            "The last pile is missing where it is not full. Here it is kept.",
        ),
        Mistake(
            lambda pictures, labels, order, size: _loaded(pictures, labels, list(range(len(pictures))), size),
            "You go through the samples as they are stored. Go through order instead.",
        ),
        Mistake(
            _unlabelled,
            "The pictures are in the new order and the labels in the old one. That raises no error, and nothing can "
            "be learned from it.",
        ),
        Mistake(
            lambda pictures, labels, order, size: _loaded(pictures, labels, order, len(order)),
            "Everything is in one batch. Cut the order into piles of size.",
        ),
        Mistake(
            lambda pictures, labels, order, size: [(pictures[i], labels[i]) for i in order],
            "You return each sample alone. Put size of them into a batch.",
        ),
        Mistake(
            lambda pictures, labels, order, size: [
                (list(x), list(y)) for x, y in _loaded(pictures, labels, order, size)
            ],
            "The right samples, in lists. Make one tensor of the pictures, and one of the labels.",
        ),
        Mistake(
            lambda pictures, labels, order, size: _loaded(pictures, labels, order, size)[:1],
            "Only the first batch comes. Collect them in a list, and return it after the loop.",
        ),
        Mistake(
            lambda pictures, labels, order, size: [
                (x.flatten(0, 1), y) for x, y in _loaded(pictures, labels, order, size)
            ],
            "The pictures run into each other: cat joins their rows. You need a new first dimension, as stack "
            "makes it.",
        ),
        Mistake(
            lambda pictures, labels, order, size: [(x, y.tolist()) for x, y in _loaded(pictures, labels, order, size)],
            "The labels of a batch are a list. Make a tensor of them.",
        ),
        Mistake(
            lambda pictures, labels, order, size: [x for x, _ in _loaded(pictures, labels, order, size)],
            "The labels are missing. A batch is a pair: pictures and labels.",
        ),
        Mistake(
            lambda pictures, labels, order, size: [order[k : k + size] for k in range(0, len(order), size)],
            "These are the indices. Pick the pictures and labels at them.",
        ),
        Mistake(
            lambda pictures, labels, order, size: (batch for batch in _loaded(pictures, labels, order, size)),
            "With yield, the batches come one after the other, as from a real loader. Here, return them in a list.",
        ),
        Mistake(
            lambda pictures, labels, order, size: (pictures[order], labels[order]),
            "The order is right, but this is one large batch, not a list of them.",
        ),
    ),
    right=(
        _loaded,
        lambda pictures, labels, order, size: [
            (pictures[order[k : k + size]], labels[order[k : k + size]]) for k in range(0, len(order), size)
        ],
    ),
)
