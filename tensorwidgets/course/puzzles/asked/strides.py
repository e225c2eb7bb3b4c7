"""Puzzles on strides: the numbers stay where they are, and are read in another order."""

from __future__ import annotations

from ..puzzle import BRACKETS, Puzzle, Slip, numbers

DIAGONAL = Puzzle(
    number=1,
    title="Corner to corner",
    stars=1,
    par=23,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 4, 4),), (numbers(torch, 4, 4, first=30, step=2),)],
    wanted=lambda x: [x[k][k] for k in range(4)],
    rule="Two tuples, a size and a stride. No copy.",
    tools=("as_strided",),
    asks="view",
    nudge="Put a finger on 1 and move it to 6. How many places in memory did you pass?",
    slips=(
        Slip("x.as_strided((4,), (4,))", "A step of 4 goes straight down. You want to land one further to the right."),
        Slip("x.as_strided((4,), (1,))", "A step of 1 walks along the first row."),
        Slip("x.as_strided((4,), (3,))", "A step of 3 is one row down and one place to the left."),
        Slip("x.as_strided((3,), (5,))", "The step is right. The walk ends one cell early."),
    ),
)

WALLPAPER = Puzzle(
    number=2,
    title="Wallpaper",
    stars=1,
    par=25,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 4),), (numbers(torch, 4, first=50, step=3),)],
    wanted=lambda x: [x, x, x],
    rule="Twelve cells out of four numbers. No copy.",
    tools=("as_strided",),
    asks="view",
    nudge="How far is it in memory from one row to the next, if both rows are the same four numbers?",
    slips=(
        Slip("x.as_strided((3, 4), (1, 0))", "The 0 repeats whatever it belongs to. Here it belongs to the columns."),
        Slip("x.as_strided((3, 4), (0, 0))", "With two zeros you never leave the first number."),
        Slip("x.as_strided((4, 3), (1, 0))", "That is the wallpaper on its side: each row is one number."),
        Slip("x.as_strided((4, 4), (0, 1))", "One row too many. The strides are right."),
    ),
)

PEEPHOLE = Puzzle(
    number=3,
    title="Peephole",
    stars=2,
    par=20,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 8),), (numbers(torch, 8, first=9, step=4),)],
    wanted=lambda x: [x[k : k + 3] for k in range(6)],
    rule="A peephole of three cells slides along the row. No copy.",
    tools=("as_strided", "unfold"),
    asks="view",
    nudge="Two strides may be equal. Or ask for windows by name, and beat par.",
    slips=(
        Slip("x.unfold(0, 3, 3)", "The hole jumps by its own width. It should move by one cell."),
        Slip("x.unfold(0, 2, 1)", "The hole is two cells wide. It shows three at a time."),
        Slip("x.as_strided((6, 3), (1, 0))", "Each row repeats one number: its columns have a stride of 0."),
        Slip("x.as_strided((6, 3), (0, 1))", "The hole stays where it is: the rows have a stride of 0."),
        Slip("x.as_strided((3, 6), (1, 1))", "The right numbers on their side: the size wanted is (6, 3)."),
    ),
)

RIFFLE = Puzzle(
    number=4,
    title="Riffle",
    stars=2,
    par=25,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 8),), (numbers(torch, 8, first=20, step=2),)],
    wanted=lambda x: [x[k // 2 + 4 * (k % 2)] for k in range(8)],
    rule="Cut the deck in the middle, then let the cards fall: left, right, left, right.",
    tools=("view", "reshape", "flatten", "t", "T"),
    nudge="Lay the two halves one above the other. Now collect the cards column by column.",
    slips=(
        Slip("x.view(4, 2).t().flatten()", "That undoes a riffle: it gathers every second card. Cut into two halves."),
        Slip("x.view(2, 4).flatten()", "The cards lie in two rows, and are collected in the order they had."),
        Slip("x.view(2, 4).t()", "The order is right. The cards still lie in a table, and belong in one row."),
        Slip("x.view(2, 4).t().view(8)", "After t() the cards of a row are not neighbours in memory, so view refuses."),
    ),
)

TILES = Puzzle(
    number=5,
    title="Tiles",
    stars=3,
    par=34,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 4, 6),), (numbers(torch, 4, 6, first=7, step=3),)],
    wanted=lambda x: [
        [[[x[2 * a + i][2 * b + j] for j in range(2)] for i in range(2)] for b in range(3)] for a in range(2)
    ],
    rule="Cut the floor into tiles of two by two. No copy.",
    tools=("as_strided", "view", "transpose", "permute"),
    asks="view",
    nudge="How far is it in memory to the tile below, to the tile on the right, to the next row, to the next cell?",
    slips=(
        Slip(
            "x.as_strided((2, 3, 2, 2), (12, 4, 2, 1))",
            "This cuts the memory into runs of four. The lower half of a tile is a whole row of the floor further on.",
        ),
        Slip("x.as_strided((2, 3, 2, 2), (12, 2, 1, 6))", "The tiles are in place, each lying on its side."),
        Slip("x.as_strided((3, 2, 2, 2), (2, 12, 6, 1))", "These are the tiles, listed column by column."),
        Slip("x.view(2, 2, 3, 2)", "Rows and tiles are told apart. The row of a tile must come after the tile."),
        Slip("x.as_strided((2, 3, 2, 2), (6, 2, 6, 1))", "The next row of tiles begins two rows further down."),
    ),
)

STRIPES = Puzzle(
    number=6,
    title="Slanting stripes",
    stars=3,
    par=23,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 7),), (numbers(torch, 7, first=11, step=5),)],
    wanted=lambda x: [[x[3 - i + j] for j in range(4)] for i in range(4)],
    rule="Each diagonal repeats one number.",
    tools=("as_strided", "unfold", "flip"),
    nudge="No stride may be negative. So make stripes that lean the other way, and turn them over.",
    slips=(
        Slip("x.unfold(0, 4, 1)", "Here the other diagonals repeat one number each. Turn something over."),
        Slip("x.unfold(0, 4, 1).flip(1)", "They lean the right way, but run backwards: you turned left and right."),
        Slip(
            "x.flip(0).unfold(0, 4, 1)", "Backwards, and leaning the other way. Turn the table over, and not the row."
        ),
        Slip("x.as_strided((4, 4), (0, 1), 3)", "Every row is the first one. Each should begin one place earlier."),
    ),
)

HEADS = Puzzle(
    number=7,
    title="Two heads",
    stars=3,
    par=28,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 4, 6),), (numbers(torch, 4, 6, first=40, step=2),)],
    wanted=lambda x: [[row[3 * h : 3 * h + 3] for row in x] for h in range(2)],
    rule="Each row is a token. The left half of it goes to one head, the right half to the other. No copy.",
    tools=("view", "reshape", "transpose", "permute", "movedim", "contiguous"),
    asks="view",
    nudge="First give the halves a dimension of their own, where they are. Then change the order of the dimensions.",
    slips=(
        Slip(
            "x.view(2, 4, 3)",
            "The right size, and the famous mistake: the first head gets the first two tokens whole.",
        ),
        Slip("x.view(4, 2, 3)", "Each token is split as it should be. The heads come first, the tokens second."),
        Slip(
            "x.view(4, 3, 2).permute(2, 0, 1)",
            "The features are dealt like cards, one to each head in turn. A head gets three neighbours.",
        ),
        Slip(
            "x.view(4, 2, 3).transpose(0, 1).contiguous()",
            "The right picture, and one call too many: contiguous copied it.",
        ),
        Slip("x.view(4, 2, 3).permute(1, 2, 0)", "The heads are first. Inside them tokens and features are swapped."),
    ),
)

CAROUSEL = Puzzle(
    number=8,
    title="Merry-go-round",
    stars=5,
    par=35,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 5),), (numbers(torch, 5, first=70, step=4),)],
    wanted=lambda x: [[x[(j - i) % 5] for j in range(5)] for i in range(5)],
    rule="In each row everybody has moved on by one seat, and the last one comes round to the front.",
    tools=("repeat", "as_strided", "unfold", "flip", BRACKETS),
    nudge="Write the row several times, end to end. On a circle of five, four steps forward are one step back.",
    slips=(
        Slip("x.repeat(5).as_strided((5, 5), (5, 1))", "Five steps are a full turn: every row begins alike."),
        Slip("x.repeat(2).as_strided((5, 5), (1, 1))", "It turns in the other direction."),
        Slip("x.repeat(5).as_strided((5, 5), (1, 4))", "It turns the right way, lying on its side."),
        Slip("x.repeat(2).unfold(0, 5, 1)", "Six rows are one too many, and it turns in the other direction."),
    ),
)

STRIDES: tuple[Puzzle, ...] = (DIAGONAL, WALLPAPER, PEEPHOLE, RIFFLE, TILES, STRIPES, HEADS, CAROUSEL)
