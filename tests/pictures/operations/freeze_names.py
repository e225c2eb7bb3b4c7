"""Ask PyTorch 2.12, the last that has dimension names, and write its answers to names_reference.json.gz.

Run from the top of the checkout, in an environment of its own: ``python -m tests.pictures.operations.freeze_names``
"""

from __future__ import annotations

import gzip
import json
import random
import warnings
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).with_name("names_reference.json.gz")
CASES = 3000


def case(number: int) -> tuple[str, list[Any], list[Any]]:
    """A question: add, matmul, align or make, with the names of one tensor and of another or the wanted names."""
    dice = random.Random(f"names {number}")

    def some(pool: str, least: int, most: int) -> list[str | None]:
        names = dice.sample(pool, dice.randint(least, most))
        return [None if dice.random() < 0.2 else name for name in names]

    kind = dice.choice(["add", "matmul", "align", "make"])
    if kind == "add":
        return kind, some("abcd", 0, 4), some("abcd", 0, 4)
    if kind == "matmul":
        return kind, some("abcde", 1, 4), some("abcde", 1, 4)
    if kind == "make":
        return (
            kind,
            [dice.choice(["a", "b", "_c1", None, "1b", "", "x y", "é", "*", "for"]) for _ in range(2)],
            [0] * dice.choice([1, 2, 2, 2, 3]),
        )
    wanted: list[Any] = dice.sample("abcde", dice.randint(0, 5))
    for extra in [e for e, odds in (("...", 0.4), ("...", 0.05), ("1b", 0.05), ("a", 0.1)) if dice.random() < odds]:
        wanted.insert(dice.randint(0, len(wanted)), extra)
    return kind, some("abcd", 0, 4), wanted


def torch_answer(kind: str, one: list[Any], other: list[Any]) -> list[Any] | dict[str, str]:
    """The names of the result, or the refusal."""
    import torch

    def tensor(names: list[Any]) -> Any:
        return torch.zeros([2] * len(names), names=names) if names else torch.zeros(())

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if kind == "add":
                return list((tensor(one) + tensor(other)).names)
            if kind == "matmul":
                return list((tensor(one) @ tensor(other)).names)
            if kind == "make":
                return list(torch.zeros([2] * len(other), names=one).names)
            return list(tensor(one).align_to(*other).names)
    except (RuntimeError, TypeError) as error:
        return {"error": type(error).__name__, "message": str(error)}


def main() -> None:
    import torch

    answers = {"torch": torch.__version__, "answers": [torch_answer(*case(number)) for number in range(CASES)]}
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    refused = sum(isinstance(answer, dict) for answer in answers["answers"])
    print(f"{REFERENCE.name}: {CASES} questions, {refused} refused, {len(packed)} bytes")


if __name__ == "__main__":
    main()
