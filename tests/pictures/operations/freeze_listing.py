"""Ask PyTorch 2.13 what it makes of nested lists, and write its answers to listing_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.pictures.operations.freeze_listing``
"""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).with_name("listing_reference.json.gz")
CASES = 3000


def case(number: int) -> Any:
    """A nested list, mostly a grid of numbers, with rows of other lengths, texts, None and large numbers at times."""
    dice = random.Random(f"list {number}")

    def item() -> Any:
        if dice.random() < 0.95:
            return dice.choice([1, 2, -3, 2.5, 0.0, True, False, 1j, 2**40])
        return dice.choice([None, "a", 2**63, {}, 2**70, "bc"])

    def make(depth: int) -> Any:
        if depth == 0 or dice.random() < 0.05:
            return item()
        wide = dice.choice([0, 1, 2, 2, 3]) if dice.random() < 0.3 else 2
        return [make(depth - 1) for _ in range(wide)]

    return [make(dice.choice([0, 0, 1, 1, 2])) for _ in range(dice.choice([1, 1, 2]))]


def torch_answer(thing: Any) -> list[Any]:
    """Size and type of the tensor, or type and message of the refusal."""
    import torch

    try:
        made = torch.tensor(thing)
    except (ValueError, TypeError, RuntimeError) as error:
        return [type(error).__name__, str(error)]
    return [list(made.size()), str(made.dtype).removeprefix("torch.")]


def main() -> None:
    import torch

    answers = {"torch": torch.__version__, "answers": [torch_answer(case(number)) for number in range(CASES)]}
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    refused = sum(isinstance(answer[0], str) for answer in answers["answers"])
    print(f"{REFERENCE.name}: {CASES} lists, {refused} refused, {len(packed)} bytes")


if __name__ == "__main__":
    main()
