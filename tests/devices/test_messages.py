"""What calls across devices return, or raise, to the character, as PyTorch's CUDA build answers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "device_messages.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


OTHERWISE = {
    "{k: v for k, v in g.__cuda_array_interface__.items() if k != 'data'}": (
        "AttributeError: a simulated GPU has no memory that another library could read, so there is no "
        "__cuda_array_interface__"
    ),
    # The runtime that PyTorch was asked on says of every address that it is pinned.
    "(c.pin_memory().is_pinned(), c.is_pinned())": "= (True, False)",
}
"""The two calls in which a simulated GPU differs from a real one, or from the one that was asked."""


def outcome(call: str) -> str:
    """What a call does, as the table writes it."""
    c = torch.arange(6.0).reshape(2, 3)
    names: dict[str, Any] = {"torch": torch, "np": np, "c": c, "g": c.cuda()}
    try:
        said = f"= {eval(call, names)!r}"
    except Exception as error:
        said = f"{type(error).__name__}: {error}"
    return said.replace("\n", "\\n")


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(("call", "wanted"), ROWS, ids=[call for call, _ in ROWS])
def test_a_call_across_devices(call: str, wanted: str) -> None:
    assert outcome(call) == OTHERWISE.get(call, wanted)


def test_the_table_is_whole() -> None:
    assert len(ROWS) == 116
    assert OTHERWISE.keys() <= {call for call, _ in ROWS}


def main() -> None:
    torch.cuda.simulate()
    wrong = [(call, wanted, outcome(call)) for call, wanted in ROWS if outcome(call) != wanted]
    for call, wanted, said in wrong:
        print(call, "\n   ", wanted, "\n   ", said)
    print(len(wrong), "of", len(ROWS))


if __name__ == "__main__":
    main()
