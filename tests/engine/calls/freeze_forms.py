"""Ask PyTorch the cases of forms_cases and write its answers: ``python -m tests.engine.calls.freeze_forms``."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

from tests.engine.calls.forms_cases import answer, cases

REFERENCE = Path(__file__).with_name("forms_reference.json.gz")


def answers(torch: Any) -> list[Any]:
    return json.loads(json.dumps([answer(torch, *case) for case in cases()]))


def main() -> None:
    import torch

    text = json.dumps(answers(torch), separators=(",", ":"))
    REFERENCE.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{len(json.loads(text))} answers, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
