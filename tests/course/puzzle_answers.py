"""Right answers to the puzzles. They are here alone, so that neither the page nor the package gives one away.

The first of each is within par.
"""

from __future__ import annotations

ANSWERS: dict[int, tuple[str, ...]] = {
    1: ("x.as_strided((4,), (5,))", "torch.as_strided(x, (4,), (5,))"),
    2: ("x.as_strided((3, 4), (0, 1))",),
    3: ("x.unfold(0, 3, 1)", "x.as_strided((6, 3), (1, 1))"),
    4: ("x.view(2, 4).t().flatten()", "x.view(2, 4).T.reshape(8)"),
    5: ("x.as_strided((2, 3, 2, 2), (12, 2, 6, 1))", "x.view(2, 2, 3, 2).transpose(1, 2)"),
    6: ("x.unfold(0, 4, 1).flip(0)", "x.as_strided((4, 4), (1, 1)).flip(0)"),
    7: ("x.view(4, 2, 3).transpose(0, 1)", "x.view(4, 2, 3).movedim(1, 0)"),
    8: ("x.repeat(5).as_strided((5, 5), (4, 1))", "x.repeat(2).unfold(0, 5, 1)[1:].flip(0)"),
    9: ("x.view(torch.int32) < 0",),
    10: ("x.view(torch.uint8).view(3, 4)", "x[:, None].view(torch.uint8)"),
    11: (
        "x.permute(1, 2, 0).contiguous().permute(2, 0, 1)",
        "x.view(3, 4).t().contiguous().t().view(3, 2, 2)",
    ),
    12: ("r[:, None] * r", "r * r[:, None]"),
    13: ("(r[:, None] + r) % 2", "r[:, None] + r & 1", "(r[:, None] ^ r) & 1"),
    14: ("r[:, None] <= r", "r >= r[:, None]"),
    15: ("x == x.amax(1)[:, None]", "x == x.amax(1, keepdim=True)", "x >= x.amax(1, True)"),
    16: ("h > 4 - r[:, None]", "r[:, None] + h > 4"),
    17: ("(x[:, 1:] == x[:, :-1]).sum(1)", "(x[:, :-1] == x[:, 1:]).sum(dim=-1)"),
    18: ("(x[:, None] > x).sum(1)", "(x > x[:, None]).sum(0)"),
    19: ("torch.einsum('ii', x)", "torch.einsum('aa->', x)"),
    20: ("torch.einsum('bi,bj->bij', x, y)",),
    21: ("torch.einsum('i,ij,j->', x, a, y)", "torch.einsum('i,ij,j', x, a, y)"),
    22: ("torch.einsum('qhd,khd->hqk', q, k)",),
    23: ("x * w.align_as(x)", "w.align_as(x) * x"),
    24: ("a @ a.t().rename(N='M')", "a @ a.rename(N='M').t()"),
    25: ("x[::2, ::2] + x[1::2, 1::2]", "(x[::2, ::2] + x[1::2, 1::2]).sum()"),
    26: ("x[at]", "x[at].sum()"),
    27: ("x.exp().sum().log()", "torch.log(x.exp().sum())"),
    28: ("x.unfold(0, 3, 1).unfold(1, 3, 1)", "x.as_strided((3, 3, 3, 3), (5, 1, 5, 1)).sum()"),
    29: ("x + (x.round() - x).detach()", "x.round() + x - x.detach()"),
    30: ("v + g * (x - x.detach())", "g * x + (v - g * x).detach()"),
}
