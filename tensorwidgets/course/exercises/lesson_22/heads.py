"""Heads: the numbers of each letter dealt out by views."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- two heads ---------------------------------------------------------------------------------------------

MIXED_UP = WordPrediction(
    number="22.3",
    question="Four letters with four numbers each: x.view(2, 4, 2). How many letters are in the four rows of head 0?",
    subject="the letters in head 0",
    answer=2,
    reason="2: view never moves a number, so the first eight numbers become head 0, and they belong to two letters",
    otherwise={
        4: "that is what we want. But view keeps the order of the storage, and there the first eight numbers are two "
        "whole letters",
        1: "one letter has four numbers, and head 0 has room for eight",
        3: "eight numbers are exactly two letters of four",
        8: "there are only four letters",
    },
)


def _sizes(torch: Any) -> list[Case]:
    def case(batch: int, time: int, width: int, heads: int) -> Case:
        count = batch * time * width
        text = f"split_heads(torch.arange({count}).reshape({batch}, {time}, {width}), {heads})"
        return Case(text, torch.arange(count).reshape(batch, time, width), (heads,))

    return [case(1, 2, 4, 2), case(1, 3, 4, 1), case(2, 3, 6, 3), case(5, 6, 8, 2)]


def _dealt_out(x: Any, heads: int) -> list:
    size = x.shape[-1] // heads
    return [[[letter[h * size : (h + 1) * size] for letter in example] for h in range(heads)] for example in x.tolist()]


SPLIT_HEADS = FunctionExercise(
    number="22.4",
    task="deal the numbers of each letter out to the heads, without a copy",
    function="split_heads",
    cases=_sizes,
    wanted=_dealt_out,
    views=True,
    hints=(
        "Two steps: first cut the numbers of each letter into heads, and then bring the heads before the letters.",
        "After the first step the size is (batch, time, heads, size). view can do that, since no number has to move.",
        "The second step exchanges the dimensions 1 and 2. Which method exchanges two dimensions?",
    ),
    mistakes=(
        Mistake(
            lambda x, heads: x.reshape(x.shape[0], heads, x.shape[1], -1),
            "The size is right, and the heads hold the wrong letters: view keeps the order of the storage. First cut "
            "the last dimension, then exchange two dimensions.",
        ),
        Mistake(
            lambda x, heads: x.reshape(*x.shape[:2], heads, -1),
            "You are half way: this is (batch, time, heads, size). Now exchange time and heads.",
        ),
        Mistake(
            lambda x, heads: x.reshape(*x.shape[:2], -1, heads).permute(0, 3, 1, 2),
            "Each head took every second or third number of a letter. It should get neighbours: heads comes before "
            "size in view.",
        ),
        Mistake(
            lambda x, heads: x.reshape(*x.shape[:2], -1, heads).transpose(1, 2),
            "heads and size changed places in view.",
        ),
        Mistake(
            lambda x, heads: x.transpose(1, 2).unflatten(1, (heads, -1)),
            "The last two dimensions changed places. The order is (batch, heads, time, size).",
        ),
        Mistake(
            lambda x, heads: x.chunk(heads, -1),
            "These are the heads, one by one. Return them in one tensor, without a copy: cut with view.",
        ),
        Mistake(
            lambda x, heads: library_that_made(x).stack(x.chunk(heads, -1), 1),
            "The numbers are right, but they were copied: stack, cat, contiguous and clone copy. view and transpose "
            "only change how the storage is read.",
        ),
    ),
    right=(
        lambda x, heads: x.view(*x.shape[:2], heads, -1).transpose(1, 2),
        lambda x, heads: x.unflatten(2, (heads, -1)).permute(0, 2, 1, 3),
    ),
)
