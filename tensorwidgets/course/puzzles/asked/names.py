"""Puzzles on named dimensions. PyTorch 2.13 no longer has them, so there these puzzles are only drawn."""

from __future__ import annotations

from ..puzzle import ARITHMETIC, MATMUL, Puzzle, Slip, numbers

TINT = Puzzle(
    number=23,
    title="Tint",
    stars=2,
    par=15,
    takes=("x", "w"),
    given=lambda torch: [
        (
            numbers(torch, 3, 2, 2).refine_names("colours", "rows", "columns"),
            torch.tensor([1, 10, 100]).refine_names("colours"),
        ),
        (
            numbers(torch, 3, 4, 3, first=5).refine_names("colours", "rows", "columns"),
            torch.tensor([2, 0, 1]).refine_names("colours"),
        ),
    ],
    wanted=lambda x, w: [[[v * k for v in row] for row in plane] for plane, k in zip(x, w, strict=True)],
    rule="Each colour is multiplied by its own weight. No brackets, no sizes: the names are enough.",
    tools=("align_as", "align_to", "rename", ARITHMETIC),
    asks="names",
    names=("colours", "rows", "columns"),
    given_names=(("colours", "rows", "columns"), ("colours",)),
    nudge="A weight for each colour, and no rows and columns yet. Which tensor has the dimensions it needs?",
    slips=(
        Slip("x * w", "Sizes are lined up at the right, where columns would meet colours: the names refuse."),
        Slip("w.align_as(x)", "The weights have the right dimensions now. Multiply."),
        Slip("x + w.align_as(x)", "The weights were added."),
        Slip("x * w.align_to('colours', 'columns', 'rows')", "Rows and columns changed places: the names refuse."),
    ),
)

PAIRS = Puzzle(
    number=24,
    title="Everybody with everybody",
    stars=3,
    par=21,
    takes=("a",),
    given=lambda torch: [
        (numbers(torch, 3, 2).refine_names("N", "D"),),
        (numbers(torch, 4, 3, first=2).refine_names("N", "D"),),
    ],
    wanted=lambda a: [[sum(u * v for u, v in zip(one, other, strict=True)) for other in a] for one in a],
    rule="Each row meets each row: multiply and add. The dimensions of the result are called N and M.",
    tools=("t", "rename", MATMUL),
    asks="names",
    names=("N", "M"),
    given_names=(("N", "D"),),
    nudge="A tensor may not have one name twice. Give one of the two another name before they meet.",
    slips=(
        Slip("a @ a.t()", "Both dimensions would be called N, and a name may be there only once."),
        Slip("a @ a.t().rename(None)", "The numbers are right. The second name is gone: it should be M."),
        Slip("a.rename(N='M') @ a.t()", "The names are the wrong way round: M comes first."),
        Slip("(a @ a.t().rename(None)).rename(None)", "The numbers are right, and all names are gone."),
    ),
)

NAMES: tuple[Puzzle, ...] = (TINT, PAIRS)
