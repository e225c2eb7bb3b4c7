"""Refusals of calls that have no rule for names."""

from __future__ import annotations

from typing import NoReturn

from ...reasons import refuse


def not_supported(name: str, because: str = "") -> NoReturn:
    """Refuse an op, by the name that it has inside PyTorch, as PyTorch did."""
    refuse(
        RuntimeError,
        f"aten::{name} is not yet supported with named tensors. Please drop names via `tensor = tensor.rename(None)`, "
        "call the op with an unnamed tensor, and set names on the result of the operation.",
        because or f"no rule says what becomes of names in {name.partition('.')[0]}",
        "x.rename(None) for the call, and refine_names(…) on its result",
        rule="names.unsupported",
        op=name,
    )
