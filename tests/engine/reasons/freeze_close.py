"""Ask PyTorch 2.13 for the answers to the calls of close_cases, and write them to close_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.reasons.freeze_close``
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

from tests.engine.reasons.close_cases import CALLS

REFERENCE = Path(__file__).with_name("close_reference.json.gz")


def answer(torch: Any, call: str) -> str:
    """Whether two things are close, or the whole refusal."""
    names = {"t": torch, "nan": float("nan"), "inf": float("inf"), "close": torch.testing.assert_close}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return str(eval(f"close({call})", names))
        except Exception as error:
            return f"{type(error).__name__}: {error}"


if __name__ == "__main__":
    import torch

    told_by_torch = {"torch": torch.__version__, "answers": {call: answer(torch, call) for call in CALLS}}
    REFERENCE.write_bytes(gzip.compress(json.dumps(told_by_torch, indent=0).encode(), 9, mtime=0))
