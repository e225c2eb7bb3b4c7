"""`%%memory` of generated cells: every write, allocation, line and leak is right. More: `generated_memory`."""

from __future__ import annotations

import gc
from collections.abc import Iterable

import pytest
from IPython.core.interactiveshell import InteractiveShell

from tests.parts import Part, in_parts
from tests.pictures.drawing.test_notebook import shell
from tests.pictures.memory.generated_cells import KINDS
from tests.pictures.memory.generated_memory import prepared

__all__ = ["shell"]


def differences(shell: InteractiveShell, kinds: tuple[str, ...], seeds: Iterable[int]) -> list[str]:
    bench = prepared(shell, kinds)
    try:
        return [words for seed in seeds for words in bench.differences(seed)]
    finally:
        gc.unfreeze()


@in_parts(3)
def test_generated_cells_of_numpy_and_ours(shell: InteractiveShell, part: Part) -> None:
    assert differences(shell, ("numpy", "ours"), part.of(range(150))) == []


@pytest.mark.torch
def test_generated_cells_of_all_libraries(shell: InteractiveShell) -> None:
    assert differences(shell, KINDS, range(100)) == []


def test_the_books_would_notice(shell: InteractiveShell, monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison is one: if the log forgets what small arrays take, generated cells differ."""
    monkeypatch.setattr("tensorwidgets.pictures.arrays.tracing.log.SMALL", 4000)
    monkeypatch.setattr("tensorwidgets.pictures.memory.cells.comparing.Comparison._is_newer", lambda *_: False)
    found = differences(shell, ("numpy",), range(20))
    assert any("allocated" in words for words in found) and any("the text of line" in words for words in found)
