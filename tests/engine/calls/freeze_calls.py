"""Ask PyTorch 2.13 the calls of calls.py, and write its answers to calls_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.calls.freeze_calls``
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.engine.calls.calls import WRITERS, answer, calls

REFERENCE = Path(__file__).with_name("calls_reference.json.gz")
COUNT = 150


def main() -> None:
    import torch

    torch.set_num_threads(1)
    found = {name: [[text, answer(torch, text)] for text in calls(name, COUNT)] for name in WRITERS}
    content = json.dumps({"torch": torch.__version__, "calls": found}, separators=(",", ":"))
    REFERENCE.write_bytes(gzip.compress(content.encode(), mtime=0))
    print(f"{sum(map(len, found.values()))} calls, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
