"""Write random programs with PyTorch 2.13, run them on it, and keep what it showed in programs_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.programs.freeze_programs``
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from tests.engine.programs import programs
from tests.engine.programs.program_steps import write

REFERENCE = Path(__file__).with_name("programs_reference.json.gz")
PROGRAMS = 150


def main() -> None:
    import torch

    torch.set_warn_always(True)
    kept = []
    for seed in range(PROGRAMS):
        program = write(seed, torch)
        if not any("pickle" in line for line in program):
            kept.append({"program": program, "seen": programs.run(program, torch)})
    text = json.dumps(kept, separators=(",", ":"))
    REFERENCE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))
    print(f"{len(kept)} programs, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
