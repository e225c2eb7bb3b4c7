"""Every row of the catalogue says something about its derivative."""

from __future__ import annotations

import tensorwidgets as tw
from tensorwidgets.engine.autograd.recording import SPECIAL
from tensorwidgets.engine.derivatives.declaring import FORMULAS, NONE, PARTS, REFUSED, TABLE
from tensorwidgets.engine.dispatch.computed_by import computed_by
from tensorwidgets.engine.dispatch.registry import OPS

OF_NAMES = {"align_to", "align_as", "align_tensors"}
"""Rows of the station of names, which calls other rows before gradients are recorded."""


def says(name: str) -> bool:
    """Whether a row has an entry, or is recorded as the rows that it calls."""
    own = TABLE.get(name) or name.endswith("_") and TABLE.get(name[:-1])
    op = OPS[name]
    composite = computed_by(op).how == "composite" or op.rule is None and not op.decided_by
    return bool(own) or name in SPECIAL or name in OF_NAMES or composite


def test_every_row_says_its_derivative() -> None:
    assert tw.ones(1, requires_grad=True).requires_grad  # which loads the table
    assert len(OPS) > 700
    assert [name for name in OPS if not says(name)] == []


def test_each_entry_says_one_of_four_things() -> None:
    entries = [entry for entries in TABLE.values() for entry in entries]
    assert len(entries) > 500
    for entry in entries:
        assert entry.says in (FORMULAS, PARTS, NONE, REFUSED)
        assert bool(entry.formulas) == (entry.says == FORMULAS)
        assert (entry.compose is not None) == (entry.says == PARTS)
        assert set(entry.inputs) == {name for f in entry.formulas for name in f.inputs}
