"""What is a tensor for in a training? Parameters, gradients, the optimizer's state, what graphs save, and the rest."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ..arrays.storages import Storage
from ..arrays.values import count
from ..drawing.tokens import HUES
from ..parts.shares import Share, Shares

ROLES = {
    "parameters": ("blue", "solid"),
    "gradients": ("orange", "dashed"),
    "optimizer state": ("green", "double"),
    "saved for backward": ("sky", "dotted"),
    "other": ("purple", "dotted"),
}
"""Each with its hue and line. A storage with several names has the first role of this order that one of them has."""


def role_of(name: str, array: Any) -> str:
    """The role of an array, by the name that leads to it and by its class.

    >>> import numpy as np
    >>> names = ("net.weight.grad", "table.weight.grad.values", "adam.state[0]['exp_avg']", "x")
    >>> [role_of(name, np.ones(1)) for name in names]
    ['gradients', 'gradients', 'optimizer state', 'other']
    """
    if name.endswith(".grad") or ".grad." in name:
        return "gradients"
    if ".state[" in name:
        return "optimizer state"
    if any(cls.__name__ == "Parameter" for cls in type(array).__mro__) or getattr(array, "_is_param", False):
        return "parameters"
    return "other"


def main_role(roles: Sequence[str]) -> str:
    """The role of a storage whose names have these."""
    return min(roles or ["other"], key=list(ROLES).index)


def hue_of(roles: Sequence[str]) -> int:
    """The number of the hue of a storage, and of its line."""
    return HUES.index(ROLES[main_role(roles)][0])


def shares_of(
    roles: Mapping[str, Sequence[str]], storages: Sequence[Storage], new: Sequence[Storage], saved: int, nodes: int
) -> Shares | None:
    """A bar with the bytes of each role; None where nothing is trained. `roles` has those of each storage's letter."""
    found: dict[str, list[Storage]] = {role: [] for role in ROLES}
    for storage in storages:
        found[main_role(roles.get(storage.letter, ()))].append(storage)
    if not any(found[role] for role in list(ROLES)[:3]):
        return None
    parts = []
    for role, (hue, line) in ROLES.items():
        here = found[role]
        nbytes = sum(s.nbytes for s in here) + (saved if role == "saved for backward" else 0)
        fresh = sum(s in new for s in here)
        after = count(len(here), "storage") if here else f"by {count(nodes, 'node')}"
        parts.append(Share(role, hue, line, nbytes, after + (f", {fresh} new" if fresh else "")))
    return Shares(tuple(parts), "tw-roles")
