"""Gradients are the same where reference counts say nothing, as since Python 3.14: then no memory is used again."""

from __future__ import annotations

import sys

from tensorwidgets.engine.memory import references
from tests.project.running import run_python

PROGRAM = """
import sys
if sys.argv[1] == "unknown":
    sys.getrefcount = lambda thing: 1 << 30
import tensorwidgets as torch
from tensorwidgets.engine.memory import references
assert references.references_to([]) == (1 << 30) or sys.argv[1] == "usual"
torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.ReLU(), torch.nn.Linear(4, 2))
optimizer = torch.optim.Adam(model.parameters())
x, y = torch.randn(5, 3, requires_grad=True), torch.randint(0, 2, (5,))
kept = []
x.register_hook(kept.append)
for _ in range(3):
    h = x * x + x.exp() + x
    part = h[1:, :2]
    part.mul_(2)
    loss = torch.nn.functional.cross_entropy(model(h), y) + h.sum() + x.t().sum()
    loss.backward()
    loss = (x.sin() * x).sum() + (x @ x.t()).sum()
    loss.backward(create_graph=True)
    optimizer.step()
first = x.grad
x.grad = None
(x * 3 + x).sum().backward()
print(first.tolist(), [g.tolist() for g in kept], x.grad.tolist(), first is x.grad)
print([p.tolist() for p in model.parameters()], [p.grad.tolist() for p in model.parameters()])
"""


def test_gradients_without_counts() -> None:
    usual, unknown = (run_python(PROGRAM, kind) for kind in ("usual", "unknown"))
    assert usual == unknown and len(usual) > 2000


def test_counts_are_exact_where_nothing_is_taken_for_alone_by_mistake() -> None:
    """A list, a local name and the question: three. An interpreter that counts in another way is not asked."""
    held = [object()]
    alone = held[0]
    named = references.references_to(alone)
    del alone
    only_held = references.references_to(held[0])
    exact = references.references_to is sys.getrefcount
    assert (named, only_held) == ((3, 2) if exact else (references.MANY, references.MANY))
