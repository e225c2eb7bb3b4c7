"""Lesson 11, NumPy next door: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.photograph import thumbnail


def _ours() -> Any:
    """An answer is a tensor of ours here: what is given is an array, which says no library."""
    return import_module("tensorwidgets")


# -- one memory, two owners -------------------------------------------------------------------------

WRITTEN_THERE = WordPrediction(
    number="11.1",
    question="grid = points.numpy(), then grid[0, 0] = 0. What is points[0, 0]?",
    subject="points[0, 0]",
    answer=0,
    reason="0: the array and the tensor read one memory",
    otherwise={1: "then .numpy() would have had to copy all twelve numbers; it points at those that are there"},
)

SHARED = TensorExercise(
    number="11.2",
    task="a tensor that reads the memory of the array a",
    made=lambda library: np.arange(10, 16).reshape(2, 3),
    wanted=lambda rows: rows,
    hints=(
        "Three functions make a tensor from an array. Which of them copies always?",
        "from_numpy always shares, and as_tensor shares whenever it can.",
    ),
    mistakes=(
        Mistake(
            lambda a: _ours().tensor(a),
            "The numbers are right, but this copies them into a storage of its own. from_numpy does not.",
        ),
        Mistake(lambda a: _ours().from_numpy(a).t(), "It shares, but it lies on its side. Make two rows of three."),
        Mistake(
            lambda a: _ours().from_numpy(a).reshape(-1),
            "It shares, but it is one row of six. Make two rows of three.",
        ),
        Mistake(lambda a: _ours().zeros(2, 3), "These are new zeros, and not the numbers of a."),
        Mistake(lambda a: _ours().from_numpy(a)[0], "This is the first row alone."),
    ),
    right=(lambda a: _ours().from_numpy(a), lambda a: _ours().as_tensor(a), lambda a: _ours().from_dlpack(a)),
)

# -- copy or share ----------------------------------------------------------------------------------

A_TENSOR_OF_ITS_OWN = WordPrediction(
    number="11.3",
    question="t = torch.tensor(zeros), then t.add_(1). What is zeros[0]?",
    subject="zeros[0]",
    answer=0,
    reason="0: torch.tensor copies, so the write went into another memory",
    otherwise={1: "that is from_numpy; torch.tensor copies whatever you give it"},
)

SAFE = TensorExercise(
    number="11.4",
    task="a tensor whose numbers nobody else can change",
    made=lambda library: np.arange(3, 9).reshape(3, 2),
    wanted=lambda rows: rows,
    shares=False,
    hints=(
        "Nobody else can write into a copy. Which function makes one?",
        "torch.tensor always copies. clone() and copy() do too.",
    ),
    mistakes=(
        Mistake(
            lambda b: _ours().from_numpy(b),
            "It reads the memory of b, so a write to b changes it. Make a copy.",
        ),
        Mistake(
            lambda b: _ours().from_numpy(b).t().clone(),
            "It is a copy, but it lies on its side. Make three rows of two.",
        ),
        Mistake(
            lambda b: _ours().from_numpy(b).clone().reshape(-1),
            "It is a copy, but it is one row of six. Make three rows of two.",
        ),
        Mistake(
            lambda b: _ours().from_numpy(b)[:2],
            "These are two of the rows, and they still read the memory of b.",
        ),
        Mistake(lambda b: _ours().zeros(3, 2), "This has its own memory, but not the numbers of b."),
    ),
    right=(
        lambda b: _ours().tensor(b),
        lambda b: _ours().from_numpy(b).clone(),
        lambda b: _ours().from_numpy(b.copy()),
    ),
)

# -- the same name, another array -------------------------------------------------------------------

TWO_ADDITIONS = WordPrediction(
    number="11.5",
    question="u = torch.from_numpy(n), then n = n + 1, and finally n += 1. What is u[0]?",
    subject="u[0]",
    answer=1,
    reason="1: n = n + 1 made a new array, and n += 1 wrote to that one",
    otherwise={
        2: "n += 1 writes in place, but by then n is the name of another array, which u does not read",
        3: "n = n + 1 writes nothing into the array that u reads: it makes a new one",
    },
)

WHAT_IS_SEEN = ValueExercise(
    number="11.6",
    task="what seen holds at the end",
    asked="what seen holds",
    hints=(
        "Go line by line. Does it write into the array that is there, or does it make a new one?",
        "ready = ready * 2 makes a new array. From then on, ready and seen have nothing in common.",
    ),
    mistakes=(
        Mistake((110, 102, 7), "ready += 100 wrote to the new array; seen still reads the old one."),
        Mistake(
            (120, 104, 7), "From ready = ready * 2 on, ready is the name of another array, which seen does not read."
        ),
        Mistake((120, 104, 106), "ready = ready * 2 makes a new array; and seen[2] = 7 writes 7."),
        Mistake((20, 4, 7), "ready = ready * 2 makes a new array: the one that seen reads is not doubled."),
        Mistake((10, 2, 3), "The last line writes to seen itself: its third number is 7."),
        Mistake((1, 2, 7), "ready[0] = 10 writes into the array that seen reads, before anything else happens."),
        Mistake((1, 2, 3), "ready[0] = 10 and seen[2] = 7 write into the memory that seen reads."),
    ),
    right=((10, 2, 7),),
)

# -- 32 bits here, 64 there -------------------------------------------------------------------------

WIDE = WordPrediction(
    number="11.7",
    question="What is the dtype of torch.from_numpy(np.ones(3))?",
    subject="torch.from_numpy(np.ones(3))",
    answer="float64",
    reason="float64: the memory is shared, so it keeps the dtype of the array",
    otherwise={
        "float32": "that is what torch.ones(3) has; here it would take a conversion, and so a copy",
        "int64": "np.ones gives numbers with a decimal point",
        "float": "write the number of bits too, as in float32",
    },
)

NARROW = TensorExercise(
    number="11.8",
    task="the same numbers as float32",
    made=lambda library: np.array([[0.5, 1.25], [2.0, 3.75]]),
    wanted=lambda rows: rows,
    shares=None,
    dtype="float32",
    hints=(
        "What is c.dtype, and what does from_numpy make of it?",
        "from_numpy keeps the dtype; float() converts it. torch.tensor takes a dtype as well.",
    ),
    mistakes=(
        Mistake(
            lambda c: _ours().from_numpy(c),
            "This is still float64, like the array: from_numpy keeps the dtype, and so does tensor. Convert it.",
        ),
        Mistake(lambda c: _ours().from_numpy(c).half(), "This is float16, which is half as wide as float32."),
        Mistake(
            lambda c: _ours().from_numpy(c).int(),
            "These are whole numbers: everything after the decimal point is lost.",
        ),
        Mistake(
            lambda c: _ours().from_numpy(c).view(_ours().float32),
            "view reads the same bytes as other numbers: twice as many, and none of them right. Convert instead.",
        ),
    ),
    right=(
        lambda c: _ours().from_numpy(c).float(),
        lambda c: _ours().tensor(c, dtype=_ours().float32),
        lambda c: _ours().from_numpy(c.astype(np.float32)),
        lambda c: _ours().as_tensor(c, dtype=_ours().float32),
    ),
)

# -- what does not cross ----------------------------------------------------------------------------

BACKWARDS = WordPrediction(
    number="11.9",
    question="line is np.arange(4.0). Counted in elements, what is the stride of line[::-1]?",
    subject="line[::-1]",
    answer=-1,
    reason="-1: from each element to the one on its left. NumPy can do that, and a tensor cannot",
    otherwise={
        1: "with a stride of 1 you would read forwards",
        -8: "that is the stride in bytes, as NumPy says it; each element takes 8 bytes",
        0: "a stride of 0 reads the same element again and again",
        3: "that is where it begins, at the last element; the stride says how far one step is",
        -4: "each element takes 8 bytes here; counted in elements, one step is one element",
    },
)

TRUE_OR_FALSE = StatementsExercise(
    number="11.10",
    task="true or false, seven times",
    hints=(
        "You can try each of them in a cell of your own, except for the GPU.",
        "show(a, t) draws one storage where memory is shared, and two where it is not.",
    ),
    statements=(
        Statement(
            "x.numpy() of a tensor in main memory takes longer for a larger tensor.",
            False,
            "Nothing moves, so the size makes no difference.",
        ),
        Statement(
            "torch.tensor(a) of an array reads the memory of a.",
            False,
            "torch.tensor always copies. from_numpy shares.",
        ),
        Statement(
            ".numpy() of a tensor on a GPU copies it to main memory for you.",
            False,
            "It refuses, so that nobody pays for a transfer without knowing. Write x.cpu().numpy().",
        ),
        Statement(
            "After t = torch.from_numpy(a), a += 1 changes t.", True, "+= writes into the array that is already there."
        ),
        Statement(
            "After t = torch.from_numpy(a), a = a + 1 changes t.",
            False,
            "a + 1 is a new array, and now a is its name; t reads the old one.",
        ),
        Statement(
            "A NumPy array with negative strides must be copied to become a tensor.",
            True,
            "A tensor has no negative strides, so it cannot describe such a view.",
        ),
        Statement(
            "NumPy's default type for a number with a decimal point is twice as wide as PyTorch's.",
            True,
            "float64 there, float32 here.",
        ),
    ),
)

REFUSED_ARRAYS = ValueExercise(
    number="11.11",
    task="which of seven arrays from_numpy refuses",
    asked="the letters of the arrays that are refused",
    any_order=True,
    hints=(
        "Three reasons are enough: a stride below zero, a type that a tensor lacks, and bytes in an unusual order.",
        "np.flip is a view: what is its stride? And what do you get if you go backwards twice?",
    ),
    mistakes=(
        Mistake(("b", "d"), "One is missing: a tensor reads each number in the order of bytes that this machine uses."),
        Mistake(("b", "d", "e", "f"), "Backwards twice is forwards: line[::-1][::-1] has a stride of 8 bytes again."),
        Mistake(("d", "e"), "np.flip makes no copy. It is a view with a negative stride, like line[::-1]."),
        Mistake(
            ("b", "c", "d", "e"), "A turned array has its strides swapped, and none of them is negative: it crosses."
        ),
        Mistake(("a", "b", "d", "e"), "line[::2] has a stride of 16 bytes. A tensor can skip elements too."),
        Mistake(("b", "d", "e", "g"), "An array with no elements crosses: there are tensors with no elements too."),
        Mistake(("b", "e"), "There are no tensors of words: from_numpy refuses the type of that array."),
        Mistake(("b",), "That is the one with a negative stride. Two others are refused for their types."),
    ),
    right=(("b", "d", "e"), ("e", "b", "d"), {"d", "e", "b"}),
)

# -- the photograph crosses -------------------------------------------------------------------------

PLANES = TensorExercise(
    number="11.12",
    task="the picture with the colours first, without a copy",
    made=lambda library: thumbnail(),
    wanted=lambda rows: [[[pixel[c] for pixel in row] for row in rows] for c in range(3)],
    hints=(
        "reshape keeps the order of the bytes, red beside green beside blue. You need another order of the "
        "*dimensions*.",
        "permute(2, 0, 1) puts dimension 2, the colours, first. It only swaps sizes and strides.",
    ),
    mistakes=(
        Mistake(
            lambda a: _ours().from_numpy(a).reshape(3, 48, 64),
            "This is the picture with the bug: the first third of the bytes was taken for red. But red, green and blue "
            "take turns.",
        ),
        Mistake(
            lambda a: _ours().from_numpy(a).permute(2, 1, 0),
            "The colours are first, but rows and columns have changed places: the flower lies on its side.",
        ),
        Mistake(lambda a: _ours().from_numpy(a), "This is the picture as it came: rows, columns, colours."),
        Mistake(
            lambda a: _ours().tensor(a).permute(2, 0, 1),
            "The flower is right, but tensor(), clone() and contiguous() copy. Read the memory of picture.",
        ),
        Mistake(
            lambda a: _ours().from_numpy(a).permute(1, 2, 0),
            "permute takes the old dimensions in their new order: 2 first, then 0 and 1.",
        ),
    ),
    right=(
        lambda a: _ours().from_numpy(a).permute(2, 0, 1),
        lambda a: _ours().from_numpy(a.transpose(2, 0, 1)),
        lambda a: _ours().from_numpy(a).movedim(-1, 0),
    ),
)


def _grey_pictures(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, view: str = "") -> Case:
        w = (torch.arange(rows * columns).reshape(rows, columns) % 200).byte()
        return Case(f"polaroid(w{view})", w.t() if view else w, (), w)

    return [case(9, 6), case(12, 10), case(10, 14, ".t()"), case(24, 32)]


def _pixel_by_pixel(x: Any) -> None:
    rows, columns = x.shape
    for i in range(rows):
        for j in range(columns):
            if i < 2 or i >= rows - 6 or j < 2 or j >= columns - 2:
                x[i, j] = 250


def _framed(a: np.ndarray, bottom: int = 6, sides: bool = True, light: int = 250) -> None:
    a[:2] = a[len(a) - bottom :] = light
    if sides:
        a[:, :2] = a[:, -2:] = light


POLAROID = FunctionExercise(
    number="11.13",
    task="a white frame around a picture, written by NumPy",
    function="polaroid",
    cases=_grey_pictures,
    wanted=_pixel_by_pixel,
    writes=True,
    hints=(
        "a = x.numpy() reads the memory of x. Which lines write into it: a[...] = 250, or a = ...?",
        "a[:2] = 250 is the top, a[-6:] = 250 the bottom, a[:, :2] and a[:, -2:] are the sides.",
    ),
    mistakes=(
        Mistake(
            lambda x: _framed(x.numpy().copy()),
            "x is as it was. np.array(), copy() and a = np.where(...) make another array: write into x.numpy() itself.",
        ),
        Mistake(lambda x: _framed(x.numpy(), bottom=2), "The bottom is thin: on a polaroid it has 6 rows."),
        Mistake(
            lambda x: _framed(x.numpy(), sides=False), "Top and bottom are there. The sides are a[:, :2] and a[:, -2:]."
        ),
        Mistake(lambda x: _framed(x.numpy(), light=255), "The frame is in the right place, but it is too bright: 250."),
        Mistake(lambda x: x.numpy().fill(250), "Now everything is white, and the picture is gone."),
        Mistake(
            lambda x: x.numpy().__setitem__(slice(2, -6), 250), "This is the inside. The frame is what is around it."
        ),
    ),
    right=(lambda x: _framed(x.numpy()), lambda x: _framed(np.asarray(x))),
)

ALL = (
    WRITTEN_THERE, SHARED, A_TENSOR_OF_ITS_OWN, SAFE, TWO_ADDITIONS, WHAT_IS_SEEN, WIDE, NARROW, BACKWARDS,
    TRUE_OR_FALSE, REFUSED_ARRAYS, PLANES, POLAROID,
)  # fmt: skip
