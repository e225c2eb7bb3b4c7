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
        "Windows of kernel.shape[0] rows, and of these windows of kernel.shape[1] columns: four dimensions. Two say "
        "where a window is, and two say what is in it.",
        "The kernel has the size of the last two, so broadcasting multiplies each window by it. Then sum over the last "
        "two.",
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

    return [case(3, 3, 7), case(4, 3, 3), case(3, 5, 1), case(5, 4, 9), case(6, 7, 7)]


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
            lambda x: (_both(x)[0] + _both(x)[1]).abs(),
            "Edges that brighten and edges that darken cancel each other in a sum, and abs() comes too late. Square "
            "both results first.",
        ),
        Mistake(
            lambda x: _both(x)[0].abs().maximum(_both(x)[1].abs()),
            "The larger of the two is too weak for a slanted edge. Both count: the square root of the sum of the "
            "squares.",
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

# -- a kernel in a layer --------------------------------------------------------------------------


def _pressed_pictures(torch: Any) -> list[Case]:
    def case(n: int, rows: int, columns: int, kernel: list[list[float]]) -> Case:
        x = torch.arange(n * rows * columns * 1.0).reshape(n, 1, rows, columns) % 7
        made = f"torch.arange({n * rows * columns}.0).reshape({n}, 1, {rows}, {columns}) % 7"
        return Case(f"pressed({made}, torch.tensor({kernel}))", x, (torch.tensor(kernel),))

    return [
        case(1, 3, 3, [[0.0, 1.0, 2.0], [0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]),
        case(1, 3, 4, [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 3.0]]),
        case(5, 7, 7, [[-2.0, -1.0, 0.0], [-1.0, 1.0, 1.0], [0.0, 2.0, 2.0]]),
    ]


def _pressed_by_hand(x: Any, kernel: Any) -> list:
    k = kernel.tolist()
    return [
        [
            [
                [
                    sum(one[i + u][j + v] * k[u][v] for u in range(3) for v in range(3))
                    for j in range(len(one[0]) - 2)
                ]
                for i in range(len(one) - 2)
            ]
        ]
        for (one,) in x.tolist()
    ]  # fmt: skip


def _layer(x: Any) -> Any:
    library = library_that_made(x)
    library.manual_seed(0)
    return library.nn.Conv2d(1, 1, 3)


def _run(x: Any, weight: Any = None, bias: float | None = None, adds: bool = False) -> Any:
    layer = _layer(x)
    with library_that_made(x).no_grad():
        if weight is not None:
            layer.weight[0, 0] = layer.weight[0, 0] + weight if adds else weight
        if bias is not None:
            layer.bias.fill_(bias)
        return layer(x)


def _assigned(x: Any, kernel: Any) -> Any:
    layer = _layer(x)
    layer.weight = kernel
    return layer(x)


def _recorded(x: Any, kernel: Any) -> Any:
    layer = _layer(x)
    layer.weight[0, 0] = kernel
    return layer(x)


PRESSED = FunctionExercise(
    number="18.15",
    task="a layer with a kernel of your own, and nothing else",
    function="pressed",
    cases=_pressed_pictures,
    wanted=_pressed_by_hand,
    decimals=3,
    hints=(
        "Print dict(layer.named_parameters()). Which numbers did the kernel replace, and which are still random?",
        "Something is added to each pixel. Write a 0 there, as the kernel is written: inside no_grad.",
    ),
    mistakes=(
        Mistake(
            lambda x, kernel: _run(x, kernel),
            "Every pixel is off by the same number: the layer still adds its random bias. What should it add?",
        ),
        Mistake(
            lambda x, kernel: _run(x, bias=0),
            "The bias is gone, but the layer still has its own weights. Write the kernel into layer.weight[0, 0].",
        ),
        Mistake(
            lambda x, kernel: _run(x, kernel, 0, adds=True),
            "You added the kernel to the random weights. Write it in their place.",
        ),
        Mistake(
            lambda x, kernel: _run(x, kernel.t(), 0),
            "The kernel is on its side. Write it as it is.",
        ),
        Mistake(
            lambda x, kernel: _run(x, kernel.flip(0, 1), 0),
            "You flipped the kernel. Layers lay it on as it is written.",
        ),
        Mistake(
            lambda x, kernel: _run(x, kernel, 1),
            "The bias is added, so a bias that changes nothing is 0.",
        ),
        Mistake(
            _assigned,
            "An attribute that holds a parameter takes no plain tensor. Write into the parameter: layer.weight[0, 0] = "
            "kernel.",
        ),
        Mistake(
            _recorded,
            "A parameter requires a gradient, so a write into it is refused. Put the lines inside no_grad.",
        ),
        Mistake(
            lambda x, kernel: _run(x, kernel, 0)[:, 0],
            "The numbers are right. Keep the dimension of size 1 for the channel.",
        ),
    ),
    right=(
        lambda x, kernel: _run(x, kernel, 0),
        lambda x, kernel: library_that_made(x).nn.functional.conv2d(x, kernel[None, None]),
    ),
)
