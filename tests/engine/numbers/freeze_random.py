"""Ask PyTorch 2.13 for the answers to the calls of random_cases, and write them to random_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.numbers.freeze_random``
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any
from zlib import crc32

from tests.engine.numbers.random_cases import CALLS

REFERENCE = Path(__file__).with_name("random_reference.json.gz")


def told(x: Any) -> str:
    """Dtype, size, strides and numbers of a result: the first few in full, and a checksum of all.

    Numbers are compared to the bit, those of float64 to 13 digits: the math libraries differ in the last bits there.
    """
    numbers = x.flatten().tolist()
    if str(x.dtype) in ("torch.float64", "torch.complex128"):
        numbers = [f"{n:.12e}" for n in numbers]
    return f"{x.dtype} {tuple(x.shape)} {x.stride()} {numbers[:3]} {crc32(str(numbers).encode())}"


def answer(torch: Any, call: str) -> str:
    """What an engine that spells like PyTorch draws, and in what state its stream is then; or its refusal."""
    torch.manual_seed(7)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        torch.set_warn_always(True)
        try:
            text = told(eval(call, {"t": torch, "nan": float("nan"), "inf": float("inf")}))
        except Exception as error:
            return f"{type(error).__name__}: {str(error).partition(chr(10))[0][:200]}"
        finally:
            torch.set_warn_always(False)
    state = crc32(bytes(torch.get_rng_state().tolist()))
    return " ".join([text, str(state), *[str(w.message).partition("(Trig")[0][:60].strip() for w in caught]])


if __name__ == "__main__":
    import torch

    told_by_torch = {"torch": torch.__version__, "answers": {call: answer(torch, call) for call in CALLS}}
    REFERENCE.write_bytes(gzip.compress(json.dumps(told_by_torch, indent=0).encode(), 9, mtime=0))
