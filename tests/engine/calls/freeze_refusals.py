"""Calls with more than one fault: which of them PyTorch refuses, and in which words.

The calls are the lines of refusals.txt. In them, `T` is the engine, `F` its functions of layers, `z` makes zeros of a
size (of a dtype `d`, requiring a gradient `g`), and `i` a tensor of whole numbers.

python -m tests.engine.calls.freeze_refusals          # ask PyTorch 2.13, and write its answers down
python -m tests.engine.calls.freeze_refusals --show   # what is answered otherwise here
"""

from __future__ import annotations

import gzip
import json
import sys
import warnings
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).with_name("refusals_reference.json.gz")
CALLS = [line for line in REFERENCE.with_name("refusals.txt").read_text().splitlines() if line[:1] != "#"]


def refusal(torch: Any, call: str) -> str:
    """The first line of the refusal; "ok" where there is none."""

    def z(*size: int, d: str = "float32", g: bool = False) -> Any:
        return torch.zeros(size, dtype=getattr(torch, d), requires_grad=g)

    names = {"T": torch, "F": torch.nn.functional, "z": z, "i": lambda *n: torch.tensor(n, dtype=torch.int64)}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            eval(call, names)
        except Exception as error:
            said = str(error).partition("\n")[0].replace("tensorwidgets", "torch")
            return f"{type(error).__name__}: {said}"
    return "ok"


def frozen() -> dict[str, str]:
    """PyTorch's refusals, by call."""
    return json.loads(gzip.decompress(REFERENCE.read_bytes()))["refusals"]  # type: ignore[no-any-return]


def differences(torch: Any) -> list[tuple[str, str, str]]:
    """The calls that an engine answers otherwise, PyTorch's refusal and the engine's."""
    answers = [(call, wanted, refusal(torch, call)) for call, wanted in frozen().items()]
    return [(call, wanted, found) for call, wanted, found in answers if wanted != found]


if __name__ == "__main__":
    if "--show" in sys.argv:
        import tensorwidgets as tw

        print("\n".join("\n  ".join(each) for each in differences(tw)))
    else:
        import torch

        asked = {"torch": torch.__version__, "refusals": {call: refusal(torch, call) for call in CALLS}}
        REFERENCE.write_bytes(gzip.compress(json.dumps(asked, indent=0).encode(), 9, mtime=0))
