"""Ask PyTorch 2.13 in which type each pair meets, and write its answers to promotion_reference.json.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.pictures.operations.freeze_promotion``
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).with_name("promotion_reference.json")
NAMES = (
    "bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16", "float32",
    "float64", "complex32", "complex64", "complex128", "float8_e4m3fn", "float8_e5m2",
)  # fmt: skip
NUMBERS: tuple[Any, ...] = (True, 3, 2.5, 1j)


def torch_answer(one: str, other: str) -> str:
    """The name of the type, or the message of the refusal."""
    import torch

    try:
        return str(torch.promote_types(getattr(torch, one), getattr(torch, other))).removeprefix("torch.")
    except RuntimeError as error:
        return str(error)


def torch_result(name: str, dims: int, number: Any) -> str:
    """The type of an operation on a tensor of a type, with dimensions or without, and a Python number."""
    import torch

    try:
        tensor = torch.zeros([2] * dims, dtype=getattr(torch, name))
        return str(torch.result_type(tensor, number)).removeprefix("torch.")
    except RuntimeError as error:
        return str(error)


def main() -> None:
    import torch

    answers = {
        "torch": torch.__version__,
        "pairs": [[torch_answer(a, b) for b in NAMES] for a in NAMES],
        "numbers": [[[torch_result(name, dims, n) for n in NUMBERS] for dims in (0, 1)] for name in NAMES],
    }
    REFERENCE.write_text(json.dumps(answers, indent=0) + "\n", encoding="utf-8")
    print(f"{REFERENCE.name}: {len(NAMES) ** 2} pairs, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
