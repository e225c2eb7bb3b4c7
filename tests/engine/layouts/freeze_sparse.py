"""Write what PyTorch answers to the lines of `sparse_cases`.

python -m tests.engine.layouts.freeze_sparse
"""

from __future__ import annotations

import gzip
import json
import warnings

from tests.engine.layouts import sparse_cases

SEEDS = range(2500)


def main() -> None:
    import torch

    warnings.simplefilter("ignore")
    found = sparse_cases.answers(torch, SEEDS)
    text = json.dumps(found, ensure_ascii=False, indent=0).encode()
    sparse_cases.FILE.write_bytes(gzip.compress(text, 9, mtime=0))
    print(f"{len(found)} lines, {sparse_cases.FILE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
