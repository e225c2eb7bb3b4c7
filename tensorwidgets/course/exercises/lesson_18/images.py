"""Lesson 18, windows that slide over images."""

from __future__ import annotations

from math import sqrt
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- a window that slides -------------------------------------------------------------------------

SHIFTED = WordPrediction(
    number="18.7",
    question="The kernel [0, 0, 1] slides over [1, 2, 3, 4], with a zero added at both ends. What is the first result?",
    subject="the first result",
    answer=2,
    reason="2: the window holds 0, 1, 2, and the last number counts",
    otherwise={
        0: "that is the number at the left of the window. The kernel is laid on as it is written, so its 1 meets the "
        "number at the right",
        1: "that is the number in the middle. The 1 of this kernel is at its end",
        3: "the first window holds the zero, 1 and 2",
        4: "the first window is the one at the left",
    },
)


def _pictures(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, down: int, across: int) -> Case:
        x = torch.arange(rows * columns * 1.0).reshape(rows, columns) ** 2 % 11
        kernel = torch.arange(down * across * 1.0).reshape(down, across) - 1
        text = (
            f"slide(torch.arange({rows * columns}.0).reshape({rows}, {columns}) ** 2 % 11, "
            f"torch.arange({down * across}.0).reshape({down}, {across}) - 1)"
        )
        return Case(text, x, (kernel,))

    return [case(3, 4, 2, 2), case(4, 4, 3, 3), case(3, 5, 1, 3), case(5, 3, 3, 1), case(4, 5, 2, 3), case(8, 9, 2, 2)]


def _window_by_window(x: Any, kernel: Any) -> list:
    a, k = x.tolist(), kernel.tolist()
    down, across = len(k), len(k[0])
    return [
        [
            sum(a[i + u][j + v] * k[u][v] for u in range(down) for v in range(across))
            for j in range(len(a[0]) - across + 1)
        ]
        for i in range(len(a) - down + 1)
    ]


def _windows(x: Any, kernel: Any) -> Any:
    return x.unfold(0, kernel.shape[0], 1).unfold(1, kernel.shape[1], 1)


SLIDE = FunctionExercise(
    number="18.8",
    task="a kernel that slides over a picture",
    function="slide",
    cases=_pictures,
    wanted=_window_by_window,
    at_once=True,
    hints=(
        "x.unfold(0, 2, 1) is a view of all windows of two rows. Which size does it have? What does a second unfold "
        "along dimension 1 add?",
        "windows = x.unfold(0, kernel.shape[0], 1).unfold(1, kernel.shape[1], 1) has four dimensions: two say where, "
        "two say what is seen there. Multiply by kernel, and sum over the last two.",
    ),
    mistakes=(
        Mistake(
            lambda x, kernel: (_windows(x, kernel) * kernel.flip(0, 1)).sum((-1, -2)),
            "You flipped the kernel, as mathematicians do. Layers of networks lay it on as it is written.",
        ),
        Mistake(
            lambda x, kernel: (_windows(x, kernel) * kernel).mean((-1, -2)),
            "That is the mean over a window. A convolution adds up: the kernel sets the size of the numbers.",
        ),
        Mistake(
            lambda x, kernel: (_windows(x, kernel) * kernel).sum(-1),
            "One dimension is left over: a window is summed over its rows and over its columns.",
        ),
        Mistake(
            lambda x, kernel: _windows(x, kernel).sum((-1, -2)),
            "The kernel has had no say: multiply each window by it before you sum.",
        ),
        Mistake(
            lambda x, kernel: (
                x.unfold(0, kernel.shape[0], kernel.shape[0]).unfold(1, kernel.shape[1], kernel.shape[1]) * kernel
            ).sum((-1, -2)),
            "Your windows lie side by side. The third number of unfold is the step: a window slides by 1.",
        ),
        Mistake(
            lambda x, kernel: (_windows(x, kernel) * kernel).amax((-1, -2)),
            "The largest product of each window is what a pooling layer would take. Add them up.",
        ),
    ),
    right=(
        lambda x, kernel: (_windows(x, kernel) * kernel).sum((-1, -2)),
        lambda x, kernel: library_that_made(x).nn.functional.conv2d(x[None, None], kernel[None, None])[0, 0],
    ),
)


# -- a drawing of a photograph --------------------------------------------------------------------

DOWN = ((-1.0, -2.0, -1.0), (0.0, 0.0, 0.0), (1.0, 2.0, 1.0))


def _photographs(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, step: int) -> Case:
        x = torch.arange(rows * columns * 1.0).reshape(rows, columns) * step % 10
        return Case(f"edges(torch.arange({rows * columns}.0).reshape({rows}, {columns}) * {step} % 10)", x)

    return [case(3, 3, 7), case(4, 3, 3), case(3, 5, 1), case(6, 7, 7)]


def _edge_by_edge(x: Any) -> list:
    a = x.tolist()

    def seen(i: int, j: int) -> float:
        down = sum(a[i + u][j + v] * DOWN[u][v] for u in range(3) for v in range(3))
        across = sum(a[i + u][j + v] * DOWN[v][u] for u in range(3) for v in range(3))
        return sqrt(down**2 + across**2)

    return [[seen(i, j) for j in range(len(a[0]) - 2)] for i in range(len(a) - 2)]


def _both(x: Any) -> tuple[Any, Any]:
    library = library_that_made(x)
    down = library.tensor(DOWN)
    slide = library.nn.functional.conv2d
    return slide(x[None, None], down[None, None])[0, 0], slide(x[None, None], down.t()[None, None])[0, 0]


def _length(down: Any, across: Any) -> Any:
    return (down**2 + across**2).sqrt()


EDGES = FunctionExercise(
    number="18.13",
    task="the edges of a picture",
    function="edges",
    cases=_photographs,
    wanted=_edge_by_edge,
    decimals=2,
    hints=(
        "Two calls of slide: one with the kernel `down`, one with the same kernel turned, down.t().",
        "Together, the two results are the legs of a right triangle. How long is the third side?",
    ),
    mistakes=(
        Mistake(
            lambda x: _both(x)[0].abs(),
            "These are the edges that lie flat. Upright ones need the kernel turned, down.t(), in a second call.",
        ),
        Mistake(
            lambda x: _both(x)[1].abs(),
            "These are the upright edges. Flat ones need the kernel as it is written, in a second call.",
        ),
        Mistake(
            lambda x: _both(x)[0] + _both(x)[1],
            "Edges that brighten and edges that darken cancel each other in a sum. Square both results first.",
        ),
        Mistake(
            lambda x: _both(x)[0].abs() + _both(x)[1].abs(),
            "Close, but slanted edges come out too strong. Use the square root of the sum of the squares.",
        ),
        Mistake(
            lambda x: _both(x)[0] ** 2 + _both(x)[1] ** 2,
            "The square root is missing.",
        ),
        Mistake(
            lambda x: _length(_both(x)[0], _both(x)[0]),
            "You used one kernel twice. Turn it for the second call: down.t().",
        ),
    ),
    right=(lambda x: _length(*_both(x)), lambda x: _both(x)[0].hypot(_both(x)[1])),
)
