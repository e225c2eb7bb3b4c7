"""Puzzles on einsum: one equation each."""

from __future__ import annotations

from ..puzzle import Puzzle, Slip, numbers

TRACE = Puzzle(
    number=19,
    title="The sum of the diagonal",
    stars=1,
    par=20,
    takes=("x",),
    given=lambda torch: [(numbers(torch, 4, 4),), (numbers(torch, 3, 3, first=2, step=3),)],
    wanted=lambda x: sum(x[k][k] for k in range(len(x))),
    rule="One einsum.",
    tools=("einsum",),
    calls=1,
    nudge="On the diagonal, row and column have the same number. So they get the same letter.",
    slips=(
        Slip("torch.einsum('ii->i', x)", "This is the diagonal. A letter after the arrow is kept: leave it out."),
        Slip("torch.einsum('ij->', x)", "Two letters visit every cell. On the diagonal they are one."),
        Slip("torch.einsum('ij', x)", "Two letters, each once: this is x itself."),
        Slip("torch.einsum('ij->i', x)", "These are the sums of the rows."),
    ),
)

OUTER = Puzzle(
    number=20,
    title="A stack of tables",
    stars=2,
    par=30,
    takes=("x", "y"),
    given=lambda torch: [
        (numbers(torch, 2, 3), numbers(torch, 2, 4)),
        (numbers(torch, 3, 2, first=5), numbers(torch, 3, 3, step=2)),
    ],
    wanted=lambda x, y: [[[a * b for b in v] for a in u] for u, v in zip(x, y, strict=True)],
    rule="One einsum. Row 0 of x with row 0 of y gives the first times table, row 1 with row 1 the second.",
    tools=("einsum",),
    calls=1,
    nudge="Three letters in all: one that the two share, and one for each of the others. All three are kept.",
    slips=(
        Slip("torch.einsum('bi,bj->ij', x, y)", "The tables were added up: a letter is missing after the arrow."),
        Slip("torch.einsum('bi,bj->bji', x, y)", "Each table lies on its side."),
        Slip("torch.einsum('ai,bj->abij', x, y)", "Every row of x met every row of y: the first letters must be one."),
        Slip("torch.einsum('ai,bj->aij', x, y)", "The rows of y were summed before they met x. Share the letter."),
    ),
)

SANDWICH = Puzzle(
    number=21,
    title="Sandwich",
    stars=3,
    par=30,
    takes=("x", "a", "y"),
    given=lambda torch: [
        (numbers(torch, 3), numbers(torch, 3, 4), numbers(torch, 4, first=2)),
        (numbers(torch, 2, first=3), numbers(torch, 2, 3, first=4), numbers(torch, 3)),
    ],
    wanted=lambda x, a, y: sum(u * a[i][j] * v for i, u in enumerate(x) for j, v in enumerate(y)),
    rule="One einsum. Each cell of a is multiplied by its x on the left and its y above, and all are added up.",
    tools=("einsum",),
    calls=1,
    nudge="Three words before the arrow. x shares a letter with the rows of a, y with its columns.",
    slips=(
        Slip("torch.einsum('i,ij,j->ij', x, a, y)", "Each cell is right. They still have to be added up."),
        Slip("torch.einsum('i,ij,j->i', x, a, y)", "Added along the rows. The rows have to be added as well."),
        Slip("torch.einsum('i,ij,j->j', x, a, y)", "Added down the columns. The columns have to be added as well."),
        Slip("torch.einsum('i,jk,l->', x, a, y)", "No letter is shared, so nothing meets: each is summed alone."),
    ),
)

ATTENTION = Puzzle(
    number=22,
    title="Who looks at whom",
    stars=4,
    par=32,
    takes=("q", "k"),
    given=lambda torch: [
        (numbers(torch, 2, 2, 3, step=2) % 5, numbers(torch, 4, 2, 3, step=3) % 7),
        (numbers(torch, 3, 2, 2) % 7, numbers(torch, 2, 2, 2, first=3)),
    ],
    wanted=lambda q, k: [
        [[sum(u * v for u, v in zip(one[h], other[h], strict=True)) for other in k] for one in q] for h in range(2)
    ],
    rule="One einsum. Dimensions are token, head, feature. Wanted: for each head, each token of q with each of k.",
    tools=("einsum",),
    calls=1,
    nudge="Four letters: the tokens of q, the tokens of k, the head that both share, the feature that is summed.",
    slips=(
        Slip("torch.einsum('qhd,khd->qhk', q, k)", "The right scores, with the heads in the middle: they come first."),
        Slip("torch.einsum('qhd,khd->hkq', q, k)", "Each head lies on its side: the tokens of q run down."),
        Slip("torch.einsum('qhd,khd->qk', q, k)", "The heads were added up. Each has scores of its own."),
        Slip("torch.einsum('qhd,kgd->hqk', q, k)", "Each head of q met all heads of k. They share a letter."),
    ),
)

EINSUM: tuple[Puzzle, ...] = (TRACE, OUTER, SANDWICH, ATTENTION)
