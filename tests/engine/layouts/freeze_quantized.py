"""Asks PyTorch 2.13.0 everything in `quantized_cases` once: python -m tests.engine.layouts.freeze_quantized."""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path

from .quantized_cases import BY_VALUES, POOL, asked, expressions, rounded

REFERENCE = Path(__file__).with_name("quantized_reference.json.gz")
ROUNDINGS = 900


def main() -> None:
    import torch

    warnings.simplefilter("ignore")
    answers = {
        "expressions": [asked(torch, *case) for case in expressions()],
        "by values": [asked(torch, name, text, False, values=True) for name in POOL for text in BY_VALUES],
        "roundings": [rounded(torch, seed) for seed in range(ROUNDINGS)],
    }
    data = json.dumps(answers, separators=(",", ":")).encode()
    REFERENCE.write_bytes(gzip.compress(data, 9, mtime=0))
    print({name: len(found) for name, found in answers.items()}, REFERENCE.stat().st_size, "bytes")


if __name__ == "__main__":
    main()
