"""The names of results of two tensors: sums and matrix products.

>>> unify(("batch", None), ("channel",))
('batch', 'channel')
>>> unify(("batch", "feature"), ("batch", "time")).facts["names"]
('feature', 'time')
"""

from __future__ import annotations

from ..errors.reasons import Reason
from .words import Names, listed


def unify(one: Names, other: Names) -> Names | Reason:
    """The names of a sum, aligned from the right: equal names stay, a name wins over None, different names clash."""
    width = max(len(one), len(other))
    left: Names = (None,) * (width - len(one)) + one
    right: Names = (None,) * (width - len(other)) + other
    out: list[str | None] = []
    for k in reversed(range(width)):
        a, b = left[k], right[k]
        if a is not None and b is not None and a != b:
            return _clash(one, other, a, b, k - width)
        for name, mine, yours in ((a, one, other), (b, other, one)):
            if name is not None and (a is None or b is None) and name in yours:
                return _misaligned(mine, yours, name, k - width)
        out.append(a if a is not None else b)
    return tuple(reversed(out))


def _ways_to_meet(one: Names, other: Names, a: str, b: str) -> tuple[str, ...]:
    """Suggest `align_as` if all names of one are among the other's, else a renaming and a common `align_to`.

    >>> _ways_to_meet(("channel", "row"), ("channel",), "row", "channel")
    ("the one with dims ['channel'] .align_as() the other",)
    """
    for short, long in ((other, one), (one, other)):
        if None not in short and set(short) <= set(long):
            return (f"the one with dims {listed(short)} .align_as() the other",)
    every = dict.fromkeys([name for name in (*one, *other) if name is not None])
    both = f"both .align_to({', '.join(map(repr, every))})"
    return (both,) if a == b else (f".rename({b}='{a}') if the two are the same thing", both)


def _clash(one: Names, other: Names, a: str, b: str, axis: int) -> Reason:
    return Reason(
        "names.clash", RuntimeError,
        f"Error when attempting to broadcast dims {listed(one)} and dims {listed(other)}: dim '{a}' and dim '{b}' are "
        "at the same position from the right but do not match.",
        f"Lined up from the right, '{a}' meets '{b}' in dim {axis}: two different names.",
        _ways_to_meet(one, other, a, b),
        facts={"names": (a, b), "from_end": axis},
    )  # fmt: skip


def _misaligned(mine: Names, yours: Names, name: str, axis: int) -> Reason:
    return Reason(
        "names.misaligned", RuntimeError,
        f"Misaligned dims when attempting to broadcast dims {listed(mine)} and dims {listed(yours)}: dim '{name}' "
        "appears in a different position from the right across both lists.",
        f"'{name}' is dim {axis} of one and dim {yours.index(name) - len(yours)} of the other.",
        _ways_to_meet(mine, yours, name, name),
        facts={"names": (name, name), "from_end": axis, "name": name},
    )  # fmt: skip


def matmul(one: Names, other: Names) -> Names | Reason:
    """The names of a matrix product. Of the two dimensions that are summed only the sizes have to agree.

    >>> matmul(("batch", "feature"), ("time", "out"))
    ('batch', 'out')
    """
    lead: list[str | None] = []
    for back in range(max(len(one), len(other)), 2, -1):
        a = one[-back] if back <= len(one) else None
        b = other[-back] if back <= len(other) else None
        if back <= len(one) and back <= len(other) and a != b:
            if a is not None and b is not None:
                return _batches_differ(one, other, back)
            if (b is not None and b in one) or (a is not None and a in other):
                return _batch_misaligned(one, other, back)
        lead.append(a if a is not None else b)
    rows, columns = one[-2:-1], other[-1:] if len(other) > 1 else ()
    out = (*lead, *rows, *columns)
    if rows and rows == columns and rows[0] is not None:
        return _double_product(one, other, out)
    return out


def _batches_differ(one: Names, other: Names, back: int) -> Reason:
    a, b = one[-back], other[-back]
    return Reason(
        "names.clash", RuntimeError,
        f"matmul: Expected '{a}' (index {len(one) - back} of {listed(one)}) to match '{b}' (index {len(other) - back} "
        f"of {listed(other)}) but they do not match.",
        f"The dimensions in front of the matrices are lined up, and '{a}' meets '{b}'.",
        facts={"names": (a, b), "from_end": -back},
    )  # fmt: skip


def _batch_misaligned(one: Names, other: Names, back: int) -> Reason:
    (name, mine), (_, yours) = sorted(((one[-back], one), (other[-back], other)), key=lambda pair: pair[0] is None)
    return Reason(
        "names.misaligned", RuntimeError,
        f"matmul: Cannot match '{name}' (index {len(mine) - back} of {listed(mine)}) with None (index "
        f"{len(yours) - back} of {listed(yours)}) because the latter names already have '{name}'. Are your tensors "
        "misaligned?",
        f"'{name}' meets a dimension without a name, and the other tensor has '{name}' at another position.",
        facts={"names": (name, name), "from_end": -back, "name": name},
    )  # fmt: skip


def _double_product(one: Names, other: Names, out: Names) -> Reason:
    return Reason(
        "names.double_product", RuntimeError,
        f"Matrix multiplying Tensor{listed(one)} with Tensor{listed(other)} would produce output tensor with "
        f"duplicate names {listed(out)}. Please rename the input tensors with `Tensor.rename` to prevent this.",
        f"Rows and columns of the product would both be called '{out[-1]}'.",
        facts={"names": (out[-1], out[-1]), "name": out[-1]},
    )  # fmt: skip
