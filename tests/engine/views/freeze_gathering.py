"""Ask PyTorch 2.13 for the answers to the calls of gathering_cases, and write them to gathering_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.views.freeze_gathering``
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

from tests.engine.views.gathering_cases import CALLS

REFERENCE = Path(__file__).with_name("gathering_reference.json.gz")


def told(value: Any) -> str:
    """Numbers, dtype, size and strides of a result, as text."""
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(map(told, value))})"
    if hasattr(value, "stride") and hasattr(value, "dtype"):
        return f"{value} {value.dtype} {tuple(value.shape)} {value.stride()}"
    return str(value)


def answer(torch: Any, call: str) -> str:
    """What an engine that spells like PyTorch answers to a call, or the first line of its refusal."""
    names = {
        "t": torch,
        "L": torch.tensor,
        "nan": float("nan"),
        "inf": float("inf"),
        "x": torch.arange(12.0).reshape(3, 4),
        "i": torch.tensor([[0, 1], [2, 0]]),
        "s": torch.ones(2, 2),
    }
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return told(eval(call, names))
        except Exception as error:  # a refusal is an answer, too
            return f"{type(error).__name__}: {(str(error).splitlines() or [''])[0]}"


def main() -> None:
    import torch

    answers = {"torch": torch.__version__, "answers": {call: answer(torch, call) for call in CALLS}}
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    print(f"{REFERENCE.name}: {len(CALLS)} calls, {len(packed)} bytes")


if __name__ == "__main__":
    main()
