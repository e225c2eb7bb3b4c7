"""Lesson 17, graphs that stay alive."""

from __future__ import annotations

from tensorwidgets.course.checking.prediction import WordPrediction

FIVE_GRAPHS = WordPrediction(
    number="17.7",
    question="Five times: total = total + w.exp().sum(), w of 1,000 float32. How many bytes do the graphs keep?",
    subject="total after five turns",
    answer=20000,
    reason="20000: total leads back to all five results of exp",
    otherwise={
        4000: "that would be one of them. total was made from the total before, and so on back to the first turn",
        0: "total is one number, but it has a history, and that history needs the results of exp",
        20: "that would be five sums of 4 bytes. The history behind them weighs more",
        4: "that is total itself. Its history weighs more",
        24000: "w itself is not kept by exp: exp reads its own result",
        5000: "that is how many numbers are kept; each takes 4 bytes",
    },
)

HALVES = WordPrediction(
    number="17.8",
    question="Eight times sin, in two checkpoints of four: how many bytes are kept for backward?",
    subject="two checkpoints of four",
    answer=8000,
    reason="8000: each checkpoint keeps its input, w and the tensor in the middle",
    otherwise={
        32000: "that is without checkpoints: eight inputs of 4,000 bytes",
        16000: "not half of them: of each four, only the first input is kept",
        4000: "each of the two checkpoints keeps its own input",
        0: "backward() has to begin somewhere: the input of each checkpoint is kept",
        12000: "the result of the second checkpoint is not kept: no derivative needs it",
        24000: "that is what you save. The question is what is still kept",
        2000: "that is how many numbers are kept; each takes 4 bytes",
    },
)
