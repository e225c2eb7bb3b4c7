"""Puzzles on broadcasting: a row and a column make a table."""

from __future__ import annotations

from ..puzzle import ARITHMETIC, BITS, BRACKETS, COMPARING, Puzzle, Slip, numbers

TABLE = Puzzle(
    number=12,
    title="Times table",
    stars=1,
    par=11,
    takes=("r",),
    given=lambda torch: [(numbers(torch, 6),), (numbers(torch, 4, first=3, step=2),)],
    wanted=lambda r: [[a * b for b in r] for a in r],
    rule="No method, no function.",
    tools=(BRACKETS, ARITHMETIC),
    dtype="int64",
    nudge="None in the brackets adds a dimension of size 1. Where must it be, to make r a column?",
    slips=(
        Slip("r * r", "Row times row multiplies each number by itself. One of the two must be a column."),
        Slip("r[:, None] + r", "The shape is right. This is the table of sums."),
        Slip("r[None] * r", "None in front keeps it a row. After the colon it makes a column."),
        Slip("r[:, None] * r[:, None]", "Two columns make a column. One of the two stays a row."),
    ),
)

CHESSBOARD = Puzzle(
    number=13,
    title="Chessboard",
    stars=1,
    par=15,
    takes=("r",),
    given=lambda torch: [(numbers(torch, 8, first=0),), (numbers(torch, 5, first=0),)],
    wanted=lambda r: [[(a + b) % 2 for b in r] for a in r],
    rule="No method, no function.",
    tools=(BRACKETS, ARITHMETIC, BITS),
    dtype="int64",
    nudge="Row number plus column number: on which squares is it odd?",
    slips=(
        Slip("(r[:, None] + r + 1) % 2", "A chessboard in the other colours: the first square is 0."),
        Slip("r[:, None] * r % 2", "A product is odd only if both are. Use something that changes at every step."),
        Slip("r[:, None] % 2 + r % 2", "Where both are odd this gives 2. Add first, and then take the remainder."),
        Slip("r[:, None] + r", "Now take the remainder of a division by 2."),
        Slip("(r + r) % 2", "Twice a number is even, always. One of the two must be a column."),
    ),
)

STAIRS = Puzzle(
    number=14,
    title="Stairs",
    stars=1,
    par=12,
    takes=("r",),
    given=lambda torch: [(numbers(torch, 6, first=0),), (numbers(torch, 4, first=0),)],
    wanted=lambda r: [[a <= b for b in r] for a in r],
    rule="True on the diagonal and right of it. One comparison.",
    tools=(BRACKETS, COMPARING),
    dtype="bool",
    nudge="Compare the number of the row with the number of the column.",
    slips=(
        Slip("r[:, None] < r", "The diagonal is missing."),
        Slip("r[:, None] >= r", "These stairs go up on the other side."),
        Slip("r[:, None] == r", "This is the diagonal alone."),
        Slip("r <= r", "Each number is compared with itself. One of the two must be a column."),
    ),
)

WINNERS = Puzzle(
    number=15,
    title="Winners",
    stars=2,
    par=20,
    takes=("x",),
    given=lambda torch: [
        (torch.tensor([[3, 8, 5, 1, 2], [9, 4, 0, 7, 6], [2, 3, 1, 4, 8], [5, 6, 7, 1, 0]]),),
        (torch.tensor([[1, 2, 3, 4, 0], [0, 5, 1, 2, 3], [8, 0, 9, 1, 2], [3, 1, 2, 4, 5]]),),
    ],
    wanted=lambda x: [[v == max(row) for v in row] for row in x],
    rule="In each row, True for the largest number alone.",
    tools=(BRACKETS, COMPARING, "amax"),
    dtype="bool",
    nudge="The largest of each row should be in a column, in front of its row.",
    slips=(
        Slip("x == x.amax()", "There is one winner in all. There should be one in each row."),
        Slip("x == x.amax(0)", "These are the winners of the columns."),
        Slip("x < x.amax(1)[:, None]", "These are the losers."),
        Slip("x == x.amax(1)", "Four winners in a row, against five columns. They should run down, as a column."),
    ),
)

SKYLINE = Puzzle(
    number=16,
    title="Skyline",
    stars=2,
    par=13,
    takes=("h", "r"),
    given=lambda torch: [
        (torch.tensor([1, 4, 2, 5, 0, 3, 3]), numbers(torch, 5, first=0)),
        (torch.tensor([5, 0, 1, 1, 4, 2, 3]), numbers(torch, 5, first=0)),
    ],
    wanted=lambda h, r: [[tall >= 5 - i for tall in h] for i in r],
    rule="h has the heights of the houses, r the numbers of the rows. Row 0 is at the top.",
    tools=(BRACKETS, ARITHMETIC, COMPARING),
    dtype="bool",
    nudge="At the bottom, in row 4, a house of height 1 is seen. In row 0 it takes a house of height 5.",
    slips=(
        Slip("h > r[:, None]", "The houses hang from the sky. Row 0 is at the top."),
        Slip("h >= 4 - r[:, None]", "Every house has a storey too many; even the empty plot has one."),
        Slip("h[:, None] > 4 - r", "The town lies on its side: houses run along the rows."),
        Slip("h > 5 - r[:, None]", "Every house has lost a storey."),
        Slip("h < 5 - r[:, None]", "This is the sky above the houses."),
    ),
)

NEIGHBOURS = Puzzle(
    number=17,
    title="Like my neighbour",
    stars=3,
    par=26,
    takes=("x",),
    given=lambda torch: [
        (torch.tensor([[1, 1, 2, 2, 2, 3], [4, 1, 4, 1, 4, 1], [5, 5, 5, 5, 5, 5], [2, 2, 3, 4, 4, 1]]),),
        (torch.tensor([[7, 7, 7, 7, 1, 1], [1, 2, 3, 3, 4, 5], [2, 2, 2, 3, 3, 3], [1, 2, 3, 4, 5, 6]]),),
    ],
    wanted=lambda x: [sum(a == b for a, b in zip(row, row[1:], strict=False)) for row in x],
    rule="For each row: how often does a number equal the one on its right?",
    tools=(BRACKETS, COMPARING, "sum"),
    dtype="int64",
    nudge="Two windows on x: one without the first column, one without the last.",
    slips=(
        Slip("(x[1:] == x[:-1]).sum(1)", "This compares each row with the row below."),
        Slip("(x[:, 1:] == x[:, :-1]).sum()", "One count for the whole table. There should be one for each row."),
        Slip("(x[:, 1:] == x[:, :-1]).sum(0)", "These are counts of the columns. Sum in the other direction."),
        Slip("(x[:, 1:] != x[:, :-1]).sum(1)", "This counts the changes."),
    ),
)

RANK = Puzzle(
    number=18,
    title="Ranks without sorting",
    stars=4,
    par=20,
    takes=("x",),
    given=lambda torch: [(torch.tensor([40, 10, 70, 30, 60]),), (torch.tensor([2, 9, 4, 7, 5, 1]),)],
    wanted=lambda x: [sum(w < v for w in x) for v in x],
    rule="The smallest gets 0, the next one 1, and so on. Nothing is sorted.",
    tools=(BRACKETS, COMPARING, "sum"),
    dtype="int64",
    nudge="Your rank is how many are smaller than you. Let everybody meet everybody.",
    slips=(
        Slip("(x[:, None] < x).sum(1)", "This counts those who are larger: the largest gets 0."),
        Slip("(x[:, None] >= x).sum(1)", "Each counts itself too, so the ranks begin at 1."),
        Slip("(x[:, None] > x).sum()", "All comparisons in one sum. There should be one for each number."),
        Slip("x[:, None] > x", "Everybody has met everybody. Now count, for each."),
    ),
)

BROADCASTING: tuple[Puzzle, ...] = (TABLE, CHESSBOARD, STAIRS, WINNERS, SKYLINE, NEIGHBOURS, RANK)
