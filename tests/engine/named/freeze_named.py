"""Ask PyTorch 2.12, the last that has names, and write its answers to named_reference.json.gz.

Run from the top of the checkout, in an environment of its own: ``python -m tests.engine.named.freeze_named``
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.engine.named import named_programs
from tests.engine.named.named_cases import case, cases, outcome

REFERENCE = Path(__file__).with_name("named_reference.json.gz")


def main() -> None:
    import torch

    answers = [outcome(torch, *case(row, number)) for row, number in cases()]
    programs = [named_programs.outcome(torch, lines) for lines in named_programs.read()]
    frozen = {"torch": torch.__version__, "answers": answers, "programs": programs}
    packed = gzip.compress(json.dumps(frozen, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    print(f"{REFERENCE.name}: {len(answers)} calls, {len(programs)} programs, {len(packed)} bytes")


if __name__ == "__main__":
    main()
