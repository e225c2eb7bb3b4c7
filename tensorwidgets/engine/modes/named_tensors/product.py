"""Names in einsum: a letter stands for one dimension, so its names agree in all operands, and the result has them."""

from __future__ import annotations

from typing import Any

from ...dimension_names import Names, checked, listed
from ...errors.reasons import Reason, sure
from ...ops.linalg.einsum import read
from ...types import einsum_equation
from .calls import Call
from .tensors import names_of


def einsum(call: Call) -> Names:
    """The names of the letters that are left."""
    text, operands = read(tuple(call.args))
    equation = einsum_equation.parse(text, [t._array.ndim for t in operands])
    plan = sure(einsum_equation.fit(equation, [t._array.shape for t in operands]))
    return sure(named(plan.inputs, plan.output, [names_of(t) for t in operands]))


def named(inputs: Any, output: Any, names: list[Names]) -> Names | Reason:
    """The names of the letters of the output.

    >>> named([("c", "h"), ("c",)], ("h",), [("channel", "row"), (None,)])
    ('row',)
    >>> named([("c", "h"), ("c",)], ("h",), [("channel", "row"), ("column",)]).facts["names"]
    ('channel', 'column')
    """
    known: dict[str, str | None] = {}
    for letters, own in zip(inputs, names, strict=True):
        for letter, name in zip(letters, own, strict=True):
            before = known.get(letter)
            if name is not None and before is not None and name != before:
                return _clash(letter, before, name, names)
            known[letter] = before if name is None else name
    result = tuple([known.get(letter) for letter in output])
    return checked(result, len(result))


def _clash(letter: str, one: str, other: str, names: list[Names]) -> Reason:
    return Reason(
        "names.clash", RuntimeError,
        f"einsum(): the letter {letter} names dim '{one}' and dim '{other}' of operands with dims "
        f"{' and '.join(map(listed, names))}, which do not match.",
        f"one letter is one dimension, and '{one}' and '{other}' are two",
        (f"x.rename({other}={one!r})", "another letter for one of them"), {"names": (one, other), "letter": letter},
    )  # fmt: skip
