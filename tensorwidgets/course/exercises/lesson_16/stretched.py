"""Lesson 16, views and stretched rows."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake

STRETCHED = WordPrediction(
    number="16.9",
    question="(x * row).sum() with x of size (2, 1), and row = [10, 20, 30]. What is x.grad[1, 0]?",
    subject="x.grad[1, 0]",
    answer=60,
    reason="60: x[1, 0] is read three times, and 10 + 20 + 30 come back",
    otherwise={
        300: "that is 5 * 60. The 5 itself does not matter: 5 * 10 grows by 10 for each unit of the 5",
        3: "it is read three times, but each time with a factor from row",
        20: "x[1, 0] does not meet row[1] alone: it is stretched along the whole row",
        10: "it meets the 10, and the 20 and the 30 as well",
        30: "it meets the 30, and the 10 and the 20 as well",
        1: "it is multiplied, and three times",
    },
)


def _stretches(torch: Any) -> list[Case]:
    def case(shape: tuple[int, ...], size: tuple[int, ...]) -> Case:
        count = 1
        for n in shape:
            count *= n
        grad = torch.arange(1.0, count + 1.0).reshape(shape)
        return Case(f"unstretch(torch.arange(1.0, {count + 1.0}).reshape({shape}), {size})", grad, (size,))

    return [
        case((2, 3), (3,)),
        case((2, 3), (2, 1)),
        case((2, 3), (2, 3)),
        case((3, 3), (3,)),
        case((2, 2, 3), (2, 3)),
        case((2, 2, 3), (2, 1, 3)),
        case((2, 2, 3), (2, 1)),
    ]


def _cell_by_cell(grad: Any, size: tuple[int, ...]) -> list:
    """Each cell of the gradient goes to the place that was read for it."""
    from itertools import product

    from tensorwidgets.course.checking.plainly import Table

    table: dict[tuple[int, ...], float] = {index: 0.0 for index in product(*map(range, size))}
    shape = tuple(grad.shape)
    values = grad.reshape(-1).tolist()
    for index, g in zip(product(*map(range, shape)), values, strict=True):
        place = tuple(0 if n == 1 else i for i, n in zip(index[len(shape) - len(size) :], size, strict=True))
        table[place] += g
    whole = Table(size, tuple(table.values()))
    return _nested(list(whole.values), size)


def _nested(values: list, size: tuple[int, ...]) -> list:
    if len(size) == 1:
        return values
    step = len(values) // size[0]
    return [_nested(values[k * step : (k + 1) * step], size[1:]) for k in range(size[0])]


def _lead(grad: Any, size: tuple[int, ...]) -> Any:
    while grad.dim() > len(size):
        grad = grad.sum(0)
    return grad


def _ones(grad: Any, size: tuple[int, ...], keepdim: bool = True) -> Any:
    for d in reversed(range(min(len(size), grad.dim()))):
        if size[d] == 1 and grad.shape[d] != 1:
            grad = grad.sum(d, keepdim=keepdim)
    return grad


def _averaged(grad: Any, size: tuple[int, ...]) -> Any:
    right = _ones(_lead(grad, size), size)
    return right * right.numel() / grad.numel()


def _in_one_go(grad: Any, size: tuple[int, ...]) -> Any:
    lead = grad.dim() - len(size)
    ones = [d + lead for d, n in enumerate(size) if n == 1]
    return grad.sum([*range(lead), *ones], keepdim=True).reshape(size)


def _from_the_end(grad: Any, size: tuple[int, ...]) -> Any:
    while grad.dim() > len(size):
        grad = grad.sum(-1)
    return _ones(grad, size)


UNSTRETCH = FunctionExercise(
    number="16.10",
    task="the gradient of what was stretched",
    function="unstretch",
    cases=_stretches,
    wanted=_cell_by_cell,
    hints=(
        "What was read more than once gets a sum. Along which dimensions was it read more than once? There are two "
        "kinds.",
        "Dimensions that size lacks lie at the left: while grad.dim() > len(size), sum over dimension 0. Then sum over "
        "each dimension where size has a 1, with keepdim=True.",
    ),
    mistakes=(
        Mistake(
            _lead,
            "Dimensions that size lacks are summed. But a dimension of size 1 was stretched too: sum over it, with "
            "keepdim=True.",
        ),
        Mistake(
            lambda grad, size: _ones(grad, size) if grad.dim() == len(size) else grad,
            "Dimensions of size 1 are summed. But size may also have fewer dimensions than grad: sum over those at the "
            "left.",
        ),
        Mistake(
            lambda grad, size: _ones(_lead(grad, size), size, keepdim=False),
            "A dimension got lost: the gradient has the size of the tensor itself, ones included. keepdim=True keeps "
            "it.",
        ),
        Mistake(
            _in_one_go,
            "Where nothing was stretched, your list of dimensions is empty, and sum([]) adds up everything. Sum only "
            "if there is a dimension in it.",
        ),
        Mistake(_averaged, "A mean is not enough: what is read three times counts three times. Add up."),
        Mistake(
            _from_the_end,
            "Shapes are lined up at the right, so the dimensions that size lacks are those at the left: sum over "
            "dimension 0.",
        ),
        Mistake(
            lambda grad, size: grad.sum(),
            "That adds up everything. Sum only over the dimensions that were stretched.",
        ),
        Mistake(
            lambda grad, size: grad,
            "That is as large as the result. The gradient of a tensor has the size of that tensor.",
        ),
    ),
    right=(
        lambda grad, size: _ones(_lead(grad, size), size),
        lambda grad, size: grad.sum_to_size(size),
    ),
)
