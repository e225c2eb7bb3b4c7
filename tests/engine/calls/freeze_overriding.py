"""Ask PyTorch 2.13 for the answers of overriding_cases, and write them to overriding_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.calls.freeze_overriding``
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tests.engine.calls.overriding_cases import CASES

REFERENCE = Path(__file__).with_name("overriding_reference.json.gz")


def answer(torch: Any, name: str) -> Any:
    """What an engine answers to a program, as JSON keeps it."""
    return json.loads(json.dumps(CASES[name](torch)))


def main() -> None:
    import torch

    answers = {"torch": torch.__version__, "answers": {name: answer(torch, name) for name in CASES}}
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    print(f"{REFERENCE.name}: {len(CASES)} programs, {len(packed)} bytes")


if __name__ == "__main__":
    main()
