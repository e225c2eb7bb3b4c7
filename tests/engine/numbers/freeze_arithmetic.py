"""Ask PyTorch 2.13 for the answers to the first cases, and write them to arithmetic_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.numbers.freeze_arithmetic``
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

from tests.engine.numbers.arithmetic_cases import case, run

REFERENCE = Path(__file__).with_name("arithmetic_reference.json.gz")
CASES = 2500


def main() -> None:
    import torch

    warnings.simplefilter("ignore")
    answers = [run(torch, case(seed)) for seed in range(CASES)]
    text = json.dumps(answers, separators=(",", ":"))
    REFERENCE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(answers)} answers, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
