"""Programs about gradients print the same as on PyTorch."""

from __future__ import annotations

from pathlib import Path

import pytest

import tensorwidgets as tw
from tests.gradients.printed import disagreements, files, printed, read


@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_programs_print_the_same(path: Path) -> None:
    programs = read(path)[1]
    assert programs and all(program.text for program in programs)
    wrong = disagreements(tw, path)
    assert not wrong, f"{len(wrong)} differ\n" + "\n\n".join(wrong)


def test_a_difference_is_found() -> None:
    assert printed("print(torch.ones(2) * 3)", tw) == "tensor([3., 3.])"
    assert printed("torch.ones(2) @ torch.ones(3)", tw).startswith("RuntimeError: ")


@pytest.mark.torch
@pytest.mark.parametrize("path", files(), ids=lambda path: path.stem)
def test_programs_are_pytorchs_still(path: Path) -> None:
    import torch

    assert disagreements(torch, path) == []
