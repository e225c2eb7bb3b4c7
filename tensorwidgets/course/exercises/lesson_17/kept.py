"""Lesson 17, what the graph keeps, and writes that spoil it."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise, ValueExercise
from tensorwidgets.course.checking.verdict import Mistake

# -- what is kept -----------------------------------------------------------------------------------

ONE_STORAGE = WordPrediction(
    number="17.1",
    question="y = x.exp().sin().sum(), x of 1,000 float32: how many bytes does the graph keep for backward?",
    subject="x.exp().sin().sum()",
    answer=4000,
    reason="4000: exp keeps its result, sin keeps its input, and that is the same tensor",
    otherwise={
        8000: "two operations keep something, but it is the same 4,000 bytes: the result of exp is the input of sin",
        12000: "not every tensor on the way is kept: no derivative needs x, or the result of sin",
        12004: "not every tensor on the way is kept: each operation keeps what its own derivative reads",
        16000: "not every tensor is kept: each operation keeps what its own derivative reads",
        1000: "that is how many numbers are kept; each takes 4 bytes",
        0: "the derivative of sin is cos of its input, so the graph has to remember that input",
        4004: "sum keeps only a size, no numbers, and y itself is not needed",
    },
)

CHAIN = ValueExercise(
    number="17.2",
    task="the bytes that a longer chain keeps",
    asked="the number of bytes that the graph keeps",
    hints=(
        "Go line by line. What does the derivative of each operation read: its inputs, its result, or neither?",
        "x * w keeps w, since only x requires a gradient. sigmoid keeps its result. + keeps nothing. r * s keeps both "
        "factors, and one of them is kept already.",
    ),
    mistakes=(
        Mistake(16000, "s is counted twice: sigmoid keeps it and the product keeps it, but it is one storage."),
        Mistake(
            20000,
            "That counts x as well. x would be needed for the gradient of w, but w does not require one.",
        ),
        Mistake(
            24000,
            "That is every tensor of 1,000 numbers. Only what a derivative will read is kept: h, x and the last "
            "product are not.",
        ),
        Mistake(8000, "One is missing. x * w needs w for the gradient of x, and r * s needs both factors."),
        Mistake(
            4000, "Two are missing. x * w needs w for the gradient of x, and the product needs both of its factors."
        ),
        Mistake(3000, "That is how many numbers are kept. Each float32 takes 4 bytes."),
        Mistake(0, "backward() has to know the factors of a product. They are kept until then."),
    ),
    right=(12000,),
)

# -- one write too many -----------------------------------------------------------------------------

TWO_REFUSE = WordPrediction(
    number="17.3",
    question="y = f(x), y.add_(1.0), y.sum().backward(), for f = sin, exp, relu, square: how many are refused?",
    subject="those that refuse",
    answer=2,
    reason="2: exp and relu keep their result, which was written to; sin and square keep their input",
    otherwise={
        4: "a write is harmless if backward() does not need the numbers that it replaced",
        0: "two of the four keep their result for backward(), and the result is what was written to",
        1: "exp is one of them. relu also keeps its result: where it is 0, no gradient passes",
        3: "square keeps its input, x, and x was not written to",
    },
)

BROKEN = StatementsExercise(
    number="17.4",
    task="which of six writes break backward",
    hints=(
        "For each program: which numbers does backward() need, and does the second line write to that memory?",
        "A write to one element is enough. And whose memory does a detached tensor read?",
        "exp and sqrt need their result, sin needs its input, x * w needs both factors, and x + w needs neither.",
    ),
    statements=(
        Statement("y = x.exp(), then y.mul_(2)", True, "exp keeps its result, y, and y was overwritten."),
        Statement("y = x.sin(), then y.mul_(2)", False, "sin keeps its input, x. Its result can be overwritten."),
        Statement(
            "y = x * w, then w.add_(1)",
            True,
            "x * w needs w for the gradient of x. It makes no difference that w itself requires no gradient.",
        ),
        Statement(
            "y = x + w, then w.add_(1)",
            False,
            "The gradient of a sum does not depend on what was added, so w is not kept.",
        ),
        Statement(
            "y = x.exp(), then y[0] = 0.0",
            True,
            "One element is enough. The count of writes belongs to the whole tensor.",
        ),
        Statement(
            "y = x.sqrt(), then y.detach().zero_()",
            True,
            "detach() copies nothing. It reads the memory of y, and a write through it is counted.",
        ),
    ),
)

# -- a sentence from the notes ----------------------------------------------------------------------


def _roots(torch: Any) -> list[Case]:
    return [
        Case(f"repaired(torch.tensor({numbers}))", torch.tensor(numbers))
        for numbers in ([1.0, 4.0], [16.0], [4.0, 64.0, 1.0], [0.25, 256.0])
    ]


def _root_gradient(x: Any) -> list:
    return [(v**0.5 + 1) / v**0.5 for v in x.tolist()]


def _written(x: Any, how: str) -> Any:
    """The function of the lesson with its second line in another form."""
    x = x.clone().requires_grad_()
    y = x.sqrt()
    match how:
        case "new":
            y = y + 1
        case "in place":
            y += 1
        case "data":
            y.data += 1
        case "no history":
            y = y.detach() + 1
        case "cloned":
            y = y.clone()
            y += 1
    (y * y).sum().backward()
    return x.grad


REPAIRED = FunctionExercise(
    number="17.5",
    task="repair a write that breaks backward",
    function="repaired",
    cases=_roots,
    wanted=_root_gradient,
    hints=(
        "sqrt keeps its result, y, and the next line writes to it. Which form of that line leaves the old numbers "
        "alone?",
        "y += 1 writes to the memory of y. y = y + 1 makes a new tensor and moves the name.",
    ),
    mistakes=(
        Mistake(
            lambda x: _written(x, "in place"),
            "The 1 is still written to the tensor that sqrt kept. y = y + 1 makes a new tensor, and leaves the old one "
            "alone.",
        ),
        Mistake(
            lambda x: _written(x, "data"),
            "There is no error, and the gradients are 1, as if nothing had been added to y. A write through .data does "
            "that: it is hidden from the graph, so sqrt reads y + 1 where it had kept y.",
        ),
        Mistake(
            lambda x: _written(x, "no history"),
            "Your new y has no history: detach() cuts it off, and under no_grad() nothing is recorded. Leave them out.",
        ),
        Mistake(lambda x: x.sqrt() + 1, "That is y itself. Return x.grad, after backward()."),
        Mistake(lambda x: (x.sqrt() + 1) * 2, "That is the gradient of y. Go one step further back, to x."),
    ),
    right=(lambda x: _written(x, "new"), lambda x: _written(x, "cloned")),
)

NOTES = StatementsExercise(
    number="17.6",
    task="true or false, six times",
    hints=(
        "Each can be tried in a cell of its own. What does `._version` say before and after?",
        "For the first: after y = x.exp(); y.mul_(2), is there a wrong gradient, or none at all?",
    ),
    statements=(
        Statement(
            "In-place operations overwrite gradients in autograd computations.",
            False,
            "They overwrite values that backward() still needs. At that moment there are no gradients yet, and such a "
            "write is noticed.",
        ),
        Statement(
            "A write through a view counts as a write to the tensor that it views.",
            True,
            "They share one count, as they share the memory. Try x = torch.zeros(3); x[1:].add_(1); x._version.",
        ),
        Statement(
            "y = y + 1 makes y._version one larger.",
            False,
            "It makes a new tensor, whose count starts at 0, and gives it the name y.",
        ),
        Statement(
            "A write after backward() does no harm to the gradients.",
            True,
            "They have been worked out by then, and the numbers that were kept are not read again.",
        ),
        Statement(
            "After y = (x * x).sum(), y.backward() can be called twice in a row.",
            False,
            "The first call frees what the product kept. retain_graph=True keeps it for a second one.",
        ),
        Statement(
            "y.data.zero_() is noticed, like y.detach().zero_().",
            False,
            "A write through .data is not counted. backward() goes on with the wrong numbers.",
        ),
    ),
)
