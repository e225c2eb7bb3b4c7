"""Writes the files that PyTorch 2.13 makes of some trees, with what they hold, for tests that need no PyTorch.

python -m tests.files.freeze_files
"""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

from tests.files.kinds import KINDS
from tests.files.kinds import words as kind_words
from tests.files.trees import grow, told

FROZEN = Path(__file__).with_name("torch_files.zip")
FROZEN_TREES = range(1000, 1080)
LIVE_TREES = range(2000, 2400)


def main() -> None:
    import torch

    words = {}
    with zipfile.ZipFile(FROZEN, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for number in FROZEN_TREES:
            for form in ("zip", "legacy"):
                tree = grow(number, torch, torch.nn.Parameter)
                file = io.BytesIO()
                torch.save(tree, file, _use_new_zipfile_serialization=form == "zip")
                name = f"{form}/{number}.pt"
                words[name] = told(tree)
                archive.writestr(zipfile.ZipInfo(name), file.getvalue(), zipfile.ZIP_DEFLATED)
        kinds = {name: make(torch) for name, make in KINDS.items()}
        for name, value in kinds.items():
            file = io.BytesIO()
            torch.save(value, file)
            archive.writestr(zipfile.ZipInfo(f"kinds/{name}.pt"), file.getvalue(), zipfile.ZIP_DEFLATED)
        told_kinds = json.dumps({name: kind_words(value) for name, value in kinds.items()})
        archive.writestr(zipfile.ZipInfo("kinds.json"), told_kinds, zipfile.ZIP_DEFLATED)
        archive.writestr(zipfile.ZipInfo("told.json"), json.dumps(words), zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    main()
