"""Ask PyTorch 2.13 what it makes of the equations, and write its answers to equation_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.products.freeze_equation``
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.engine.products.equation_cases import case

REFERENCE = Path(__file__).with_name("equation_reference.json.gz")
CASES = 4000


def torch_answer(text: str, shapes: list[tuple[int, ...]]) -> list[int] | str:
    """The size of the result, or the message of the refusal."""
    import torch

    try:
        return list(torch.einsum(text, *[torch.zeros(shape) for shape in shapes]).size())
    except RuntimeError as error:
        return str(error)


def main() -> None:
    import torch

    answers = {"torch": torch.__version__, "answers": [torch_answer(*case(number)) for number in range(CASES)]}
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    refused = sum(isinstance(answer, str) for answer in answers["answers"])
    print(f"{REFERENCE.name}: {CASES} equations, {refused} refused, {len(packed)} bytes")


if __name__ == "__main__":
    main()
