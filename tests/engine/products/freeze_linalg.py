"""Ask PyTorch how the calls of linalg_cases.py end, and write it to linalg_reference.json.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.products.freeze_linalg``
"""

from __future__ import annotations

import json
import warnings
from pathlib import Path
from typing import Any

from tests.engine.products.linalg_cases import CALLS, names, outcome

REFERENCE = Path(__file__).with_name("linalg_reference.json")


def outcomes(torch: Any) -> dict[str, list[Any]]:
    """How every call ends."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        known = names(torch)
        return {call: outcome(torch, call, known) for call in CALLS}


def main() -> None:
    import torch

    lines = [f"{json.dumps(call)}: {json.dumps(found)}" for call, found in outcomes(torch).items()]
    REFERENCE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    main()
