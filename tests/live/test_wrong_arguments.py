"""Explorers refuse what they cannot show when they are made, in one sentence, and leave nothing behind."""

from __future__ import annotations

import gc
import re
from typing import Any

import pytest

import tensorwidgets as torch

WRONG: dict[str, tuple[type[Exception], str]] = {
    "StorageExplorer()": (TypeError, "takes at least one array"),
    "StorageExplorer(3)": (TypeError, "draws arrays"),
    "StorageExplorer(x, labels=3)": (TypeError, "labels= takes a list with one name, not 3"),
    "DtypeExplorer(None)": (TypeError, "takes a number, the text of one, or an array, not None"),
    "DtypeExplorer([1])": (TypeError, "takes a number, the text of one, or an array, not [1]"),
    "DtypeExplorer(1j)": (TypeError, "1j is two: its .real and its .imag"),
    "BroadcastExplorer()": (TypeError, "takes arrays or shapes"),
    "BroadcastExplorer((2, -1))": (ValueError, "a size is 0 or more"),
    "EinsumExplorer('ij')": (TypeError, "takes an equation and its operands"),
    "EinsumExplorer(x, x)": (TypeError, "takes an equation and its operands"),
    "NamedDimsExplorer(x, names=3)": (TypeError, "names= takes a name for each dimension"),
    "NamedDimsExplorer(x, names='ab')": (TypeError, "names= takes a name for each dimension"),
    "StepsExplorer(3)": (TypeError, "takes an expression as text, such as"),
    "BackwardExplorer(x)": (ValueError, "has no graph"),
    "SurfaceExplorer(3)": (TypeError, "a function of two numbers"),
    "TrainingExplorer(3)": (TypeError, "a list of losses"),
    "TrainingExplorer([1.0], labels=3)": (TypeError, "labels= takes a list with one name, not 3"),
    "AllocatorExplorer(3)": (ValueError, "not a snapshot of an allocator"),
}


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("call", WRONG)
def test_a_wrong_argument_is_named(call: str) -> None:
    names: dict[str, Any] = {name: getattr(torch, name) for name in dir(torch) if name.endswith("Explorer")}
    kind, words = WRONG[call]
    with pytest.raises(kind, match=re.escape(words)):
        eval(call, {**names, "x": torch.ones(2, 3)})
    gc.collect()


def test_a_list_of_losses_is_a_training() -> None:
    assert torch.TrainingExplorer([3.0, 1.0]).status == "loss 3 → 1 in 2 steps, lowest 1 at step 2"
