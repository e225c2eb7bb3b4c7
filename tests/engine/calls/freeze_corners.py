"""Ask PyTorch 2.13 for the answers to the calls of corner_cases, and write them to corner_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.calls.freeze_corners``
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.engine.calls.corner_cases import CALLS

REFERENCE = Path(__file__).with_name("corner_reference.json.gz")


def told(value: Any) -> str:
    """Numbers and strides; of several results one after the other."""
    if type(value) is tuple:
        return " ".join(map(told, value))
    return f"{value} {value.stride()}" if hasattr(value, "stride") else str(value)


def answer(torch: Any, call: str) -> str:
    """Numbers, size and strides of a result, or the first line of the refusal."""
    torch.manual_seed(0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = eval(call, {"t": torch, "np": np})
        except Exception as error:
            return f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    return told(value)


if __name__ == "__main__":
    import torch

    told_by_torch = {"torch": torch.__version__, "answers": {call: answer(torch, call) for call in CALLS}}
    REFERENCE.write_bytes(gzip.compress(json.dumps(told_by_torch, indent=0).encode(), 9, mtime=0))
