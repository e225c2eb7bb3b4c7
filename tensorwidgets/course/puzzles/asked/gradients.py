"""Puzzles on gradients: write a function, and its gradient is the picture. Its result is summed, and backward runs."""

from __future__ import annotations

from math import exp

from ..puzzle import ARITHMETIC, BRACKETS, Puzzle, Slip, numbers

CHECKERED = Puzzle(
    number=25,
    title="Checkered gradient",
    stars=2,
    par=23,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 4, 4).float(),), (numbers(torch, 4, 4, first=5).float(),)],
    wanted=lambda x: [[float((i + j) % 2 == 0) for j in range(4)] for i in range(4)],
    rule="Your result is summed, and backward() runs. Which cells of x did it use?",
    tools=(BRACKETS, ARITHMETIC, "sum"),
    asks="gradient",
    nudge="A cell that is added once has the gradient 1. Take the black squares in two goes.",
    slips=(
        Slip("x[::2, ::2]", "Half of the squares are still missing: those in the odd rows."),
        Slip("x[::2] + x[1::2]", "Whole rows were taken, so all cells count."),
        Slip("x[::2, 1::2] + x[1::2, ::2]", "These are the other squares: the corner should be 1."),
        Slip("x[::2, ::2] * x[1::2, 1::2]", "In a product, the gradient of one factor is the other. Add them."),
        Slip("2 * x[::2, ::2]", "Used twice, a cell has the gradient 2; and the odd rows are missing."),
    ),
)

COUNTS = Puzzle(
    number=26,
    title="Backward counts",
    stars=2,
    par=5,
    takes=("x", "at"),
    given=lambda torch: [
        (torch.tensor([1.0, 2.0, 3.0, 4.0, 5.0]), torch.tensor([0, 2, 2, 4, 2, 0, 4, 4, 4])),
        (torch.tensor([7.0, 8.0, 9.0, 6.0, 5.0]), torch.tensor([3, 3, 1, 0, 3, 1, 3])),
    ],
    wanted=lambda x, at: [float(at.count(k)) for k in range(len(x))],
    rule="How often is each place named in at? Let backward() do the counting.",
    tools=(BRACKETS, ARITHMETIC, "sum"),
    asks="gradient",
    nudge="A cell that is read three times gets three gradients of 1.",
    slips=(
        Slip("x", "Each cell is used once. Use each as often as at names it."),
        Slip("x[at] * at", "The weights are places now: a gradient adds them up. Each reading should count 1."),
        Slip("x[at] * x[at]", "The square brings in a factor of 2x."),
        Slip("x[at[0]]", "Only the first place was read."),
    ),
)

SHARES = Puzzle(
    number=27,
    title="Soft shares",
    stars=3,
    par=19,
    takes=("x",),
    given=lambda torch: [(torch.tensor([1.0, 2.0, 3.0, 0.5]),), (torch.tensor([0.5, 0.25, 2.0]),)],
    wanted=lambda x: [exp(v) / sum(map(exp, x)) for v in x],
    rule="The gradient is softmax. But you may not call it.",
    tools=("exp", "log", "sum"),
    asks="gradient",
    nudge="Which function has a derivative that divides by what is inside it?",
    slips=(
        Slip("x.exp()", "This gives exp(x): the numbers above the fraction. What divides by their sum?"),
        Slip("x.log()", "This gives 1/x. Something has to come between x and log."),
        Slip("x.exp().log()", "log undoes exp, cell by cell. Sum in between."),
        Slip("x.sum().log()", "Everybody has the same share, since x itself was summed."),
    ),
)

PYRAMID = Puzzle(
    number=28,
    title="Pyramid",
    stars=4,
    par=29,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 5, 5).float(),), (numbers(torch, 5, 5, first=3).float(),)],
    wanted=lambda x: [[float(min(i + 1, 5 - i) * min(j + 1, 5 - j)) for j in range(5)] for i in range(5)],
    rule="Only views, no arithmetic. The centre is used nine times, the corners once.",
    tools=("unfold", "as_strided", "sum"),
    asks="gradient",
    nudge="Slide a window of three by three over the image. How many windows see the centre?",
    slips=(
        Slip("x.unfold(0, 3, 1)", "A ridge: the window slides down, and not yet to the right."),
        Slip("x.unfold(1, 3, 1)", "A ridge: the window slides to the right, and not yet down."),
        Slip("x.unfold(0, 2, 1).unfold(1, 2, 1)", "With windows of two by two the top is flat, and at 4."),
        Slip("x.unfold(0, 3, 2).unfold(1, 3, 2)", "The windows jump by two cells: they should move by one."),
        Slip("x.unfold(0, 5, 1).unfold(1, 5, 1)", "The window is as large as the image, so it has no room to slide."),
    ),
)

ROUNDED = Puzzle(
    number=29,
    title="Straight through",
    stars=4,
    par=24,
    takes=("x",),
    given=lambda torch: [(torch.tensor([0.25, 1.75, -0.75, 3.0]),), (torch.tensor([2.25, -1.25, 0.75]),)],
    wanted=lambda x: ([float(round(v)) for v in x], [1.0 for _ in x]),
    rule="The result is rounded, and the gradient pretends that nothing happened.",
    tools=("round", "detach", ARITHMETIC),
    asks="both",
    nudge="The part that is rounded off counts as a constant, if you cut it off the tape.",
    slips=(
        Slip("x.round()", "Rounded, and the gradient is 0: between two steps round() is flat."),
        Slip("x", "The gradient is right. Nothing is rounded."),
        Slip("x + x.round().detach()", "The gradient is right. The result has x in it twice: take one away."),
        Slip("x.round() - x + x.detach()", "The wrong x was detached: the gradient has the wrong sign."),
        Slip("x.round().detach()", "Cut off the tape altogether: x has to stay in it once."),
    ),
)

FORGERY = Puzzle(
    number=30,
    title="Forgery",
    stars=5,
    par=18,
    takes=("x", "v", "g"),
    given=lambda torch: [
        (torch.tensor([1.0, 2.0, 3.0, 4.0]), torch.tensor([7.0, 7.0, 7.0, 7.0]), torch.tensor([0.5, -1.0, 0.0, 9.0])),
        (torch.tensor([5.0, 6.0, 8.0]), torch.tensor([1.0, 0.0, -2.0]), torch.tensor([2.0, 3.0, -4.0])),
    ],
    wanted=lambda x, v, g: (v, g),
    rule="Whatever x is: the result is v, and the gradient of x is g.",
    tools=("detach", ARITHMETIC),
    asks="both",
    nudge="Find something that is 0 and has the gradient 1.",
    slips=(
        Slip("v + g * x", "The gradient is forged. x shows in the result: take it away where the tape cannot see."),
        Slip("g * (x - x.detach())", "The gradient is forged, and the result is 0. Add what you want to see."),
        Slip("v + x - x.detach()", "The result is forged, and the gradient is 1 everywhere."),
        Slip("v + g * (x.detach() - x)", "The gradient has the wrong sign: it is the other x that is detached."),
        Slip("v + g * (x - x)", "0 with the gradient 0: both are on the tape. Cut one of them off."),
    ),
)

GRADIENTS: tuple[Puzzle, ...] = (CHECKERED, COUNTS, SHARES, PYRAMID, ROUNDED, FORGERY)
