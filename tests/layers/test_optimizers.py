"""Optimizers change parameters and their states as PyTorch's do, in every setting of its database."""

from __future__ import annotations

import pytest

import tensorwidgets as tw


@pytest.mark.torch
def test_settings_of_the_database_agree() -> None:
    from tests.layers.live_optimizers import optim_db, rows

    ours = [info.optim_cls.__name__ for info in optim_db if info.optim_cls.__name__ in tw.optim.__all__]
    found = list(rows(ours))
    assert found
    assert [row for row in found if row.wrong] == []
