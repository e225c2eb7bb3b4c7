"""Lesson 11, NumPy next door: what is asked, what is wanted, and the usual mistakes with the hint meant for each."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.tensors_asked import TensorExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake


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
        "Three functions make a tensor from an array. Which of them copy?",
        "from_numpy shares always, as_tensor whenever it can.",
    ),
    mistakes=(
        Mistake(
            lambda a: _ours().tensor(a),
            "The numbers are right, but they lie in a storage of their own: this copies. from_numpy does not.",
        ),
        Mistake(
            lambda a: _ours().from_numpy(a).t(), "It shares, but stands on its side: two rows of three are wanted."
        ),
        Mistake(
            lambda a: _ours().from_numpy(a).reshape(-1),
            "It shares, but is one row of six: two rows of three are wanted.",
        ),
        Mistake(lambda a: _ours().zeros(2, 3), "These are zeros of its own, and not the numbers of a."),
        Mistake(lambda a: _ours().from_numpy(a)[0], "This is the first row of it alone."),
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
    otherwise={1: "that is from_numpy; torch.tensor copies, whatever it is given"},
)

SAFE = TensorExercise(
    number="11.4",
    task="a tensor whose numbers nobody else can change",
    made=lambda library: np.arange(3, 9).reshape(3, 2),
    wanted=lambda rows: rows,
    shares=False,
    hints=(
        "Nobody can write to a memory of its own. Which function gives it one?",
        "torch.tensor copies always. clone() and copy() do so too.",
    ),
    mistakes=(
        Mistake(
            lambda b: _ours().from_numpy(b),
            "It reads the memory of b: whoever writes to b changes it. Make a copy.",
        ),
        Mistake(
            lambda b: _ours().from_numpy(b).t().clone(),
            "It is a copy, but stands on its side: three rows of two are wanted.",
        ),
        Mistake(lambda b: _ours().from_numpy(b).clone().reshape(-1), "It is a copy, but one row of six numbers."),
        Mistake(
            lambda b: _ours().from_numpy(b)[:2],
            "These are two of the rows, and they are still read from the memory of b.",
        ),
        Mistake(lambda b: _ours().zeros(3, 2), "This has a memory of its own, but not the numbers of b."),
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
    question="t = torch.from_numpy(n), then n = n + 1, and last n += 1. What is t[0]?",
    subject="t[0]",
    answer=1,
    reason="1: n = n + 1 made a new array, and n += 1 wrote to that one",
    otherwise={
        2: "n += 1 writes in place, but by then n is the name of another array, which t does not read",
        3: "n = n + 1 writes nothing into the array that t reads: it makes a new one",
    },
)

WHAT_IS_SEEN = ValueExercise(
    number="11.6",
    task="what seen holds at the end",
    asked="what seen holds",
    hints=(
        "Go line by line, and ask of each: does it write into the array that is there, or make a new one?",
        "ready = ready * 2 makes a new array. From there on, ready and seen have nothing in common.",
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
        "float32": "that is what torch.ones(3) has; to get it here, all numbers would have to be converted and copied",
        "int64": "np.ones gives numbers with a point",
        "float": "a word with its bits is wanted, such as float32",
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
            "This is float64 still, as the array is: from_numpy keeps its dtype, tensor takes it over. Convert it.",
        ),
        Mistake(lambda c: _ours().from_numpy(c).half(), "This is float16: half as wide again as was asked for."),
        Mistake(lambda c: _ours().from_numpy(c).int(), "Whole numbers: what stood behind the point is lost."),
        Mistake(
            lambda c: _ours().from_numpy(c).view(_ours().float32),
            "view reads the same bytes as other numbers: twice as many, and none of them is meant. Convert instead.",
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
    question="Can torch.from_numpy take line[::-1]?",
    subject="line[::-1]",
    answer=False,
    reason="False: it is read with a stride of -8 bytes, and a tensor has no negative strides",
    otherwise={True: "every array has strides, but those of a tensor are never negative"},
)

TRUE_OR_FALSE = StatementsExercise(
    number="11.10",
    task="true or false, seven times",
    hints=(
        "Each of them can be tried in a cell of its own, but for the GPU.",
        "show(a, t) draws one storage where memory is shared, and two where it is not.",
    ),
    statements=(
        Statement(
            "x.numpy() of a tensor in main memory takes longer for a larger tensor.",
            False,
            "Nothing is moved, so the size makes no difference.",
        ),
        Statement(
            "torch.tensor(a) of an array reads the memory of a.",
            False,
            "torch.tensor always copies. from_numpy shares.",
        ),
        Statement(
            ".numpy() of a tensor on a GPU makes the copy to main memory by itself.",
            False,
            "It is refused, so that nobody pays for a transfer without knowing: x.cpu().numpy().",
        ),
        Statement("After t = torch.from_numpy(a), a += 1 changes t.", True, "+= writes into the array that is there."),
        Statement(
            "After t = torch.from_numpy(a), a = a + 1 changes t.",
            False,
            "a + 1 is a new array, and a is from then on its name; t reads the old one.",
        ),
        Statement(
            "An array of NumPy with negative strides has to be copied to become a tensor.",
            True,
            "A tensor has no negative strides, so there is no view that says the same.",
        ),
        Statement(
            "NumPy's usual type for a number with a point is twice as wide as PyTorch's.",
            True,
            "float64 there, float32 here.",
        ),
    ),
)

ALL = (
    WRITTEN_THERE, SHARED, A_TENSOR_OF_ITS_OWN, SAFE, TWO_ADDITIONS, WHAT_IS_SEEN, WIDE, NARROW, BACKWARDS,
    TRUE_OR_FALSE,
)  # fmt: skip
