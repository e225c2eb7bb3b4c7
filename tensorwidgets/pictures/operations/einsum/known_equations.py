"""Equations that have a shorter name: what a person would write without einsum.

>>> from tensorwidgets.engine.types.einsum_equation import fit, parse
>>> same_as(fit(parse("xy,yz->xz"), [(2, 3), (3, 4)]), ["A", "B"])
'A @ B'
"""

from __future__ import annotations

from collections.abc import Sequence

from ....engine.types.einsum_equation import Plan
from ..operands import atom

SHORTER = {
    "ab->ba": "{0}.T", "aa->": "{0}.trace()", "aa->a": "{0}.diagonal()", "a->": "{0}.sum()", "ab->": "{0}.sum()",
    "abc->": "{0}.sum()", "ab->a": "{0}.sum(1)", "ab->b": "{0}.sum(0)", "a,a->": "{0} @ {1}", "a,a->a": "{0} * {1}",
    "ab,ab->ab": "{0} * {1}", "abc,abc->abc": "{0} * {1}", "a,b->ab": "{0}[:, None] * {1}",
    "ab,bc->ac": "{0} @ {1}", "ab,cb->ac": "{0} @ {1}.T", "ab,ac->bc": "{0}.T @ {1}", "ab,bc->ca": "({0} @ {1}).T",
    "ab,b->a": "{0} @ {1}", "a,ab->b": "{0} @ {1}", "ab,ab->": "({0} * {1}).sum()", "ab,ab->a": "({0} * {1}).sum(1)",
    "ab,ab->b": "({0} * {1}).sum(0)", "abc,acd->abd": "{0} @ {1}", "ab,bc,cd->ad": "{0} @ {1} @ {2}",
    "a,ab,b->": "{0} @ {1} @ {2}", "ab,b->ab": "{0} * {1}", "ab,a->ab": "{0} * {1}[:, None]",
}  # fmt: skip
"""By letters renamed in the order in which they appear; each line holds for NumPy's arrays and for tensors."""


def same_as(plan: Plan, labels: Sequence[str]) -> str:
    """The code that gives the same, or nothing where none is known or a size of 1 is stretched."""
    if plan.rest or any(
        n != plan.size_of[letter]
        for names, size in zip(plan.inputs, plan.sizes, strict=True)
        for letter, n in zip(names, size, strict=True)
    ):
        return ""
    renamed = {letter: chr(97 + k) for k, letter in enumerate(plan.size_of)}
    parts = [
        ",".join("".join(renamed[c] for c in names) for names in plan.inputs),
        "".join(renamed[c] for c in plan.output),
    ]
    known = SHORTER.get("->".join(parts))
    return known.format(*map(atom, labels)) if known else ""
