"""Write down how far off PyTorch 2.13 is in each case of `accuracy_cases`, to accuracy_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.numbers.freeze_accuracy``
"""

from __future__ import annotations

import gzip
import json
import math
import warnings
from pathlib import Path

from tests.engine.numbers.accuracy_cases import cases, error

REFERENCE = Path(__file__).with_name("accuracy_reference.json.gz")


def errors_of_pytorch() -> list[float]:
    """PyTorch's errors, rounded up; where it has no number at all, they are called infinite."""
    import torch

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        errors = [error(torch, case) for case in cases()]
    return [float("inf") if math.isnan(each) else float(f"{each * 1.001:.4g}") for each in errors]


def main() -> None:
    import torch

    torch.set_num_threads(1)
    answers = {"torch": torch.__version__, "errors": errors_of_pytorch()}
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    print(f"{REFERENCE.name}: {len(answers['errors'])} cases, {len(packed)} bytes")


if __name__ == "__main__":
    main()
