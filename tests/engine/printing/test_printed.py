"""Programs about storages, switches, brackets and more print the same as on PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorwidgets as tw
from tests.gradients.printed import disagreements, files, read

FILES = files(Path(__file__).with_name("printed"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_programs_print_the_same(path: Path) -> None:
    assert all(program.text for program in read(path)[1])
    wrong = disagreements(tw, path)
    assert not wrong, f"{len(wrong)} differ\n" + "\n\n".join(wrong)


@pytest.mark.torch
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_programs_are_pytorchs_still(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import torch

    # PyTorch's tools for tests, which other tests of ours import, forbid programs to set its switches.
    monkeypatch.setitem(torch.backends.flags_frozen.__globals__, "__allow_nonbracketed_mutation_flag", True)
    assert disagreements(torch, path) == []
