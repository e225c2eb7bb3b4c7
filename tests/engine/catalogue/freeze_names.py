"""Ask PyTorch 2.13 for all of its public names, and freeze them into torch_names.json.

    python tests/engine/catalogue/freeze_names.py FOLDER

FOLDER holds what the wheel does not know: the names that the documentation lists, a file for each category
(``pointwise.txt`` …), a name a line. ``mod_*.txt`` are names of PyTorch's modules, ``tensor_*.txt`` of tensors.
"""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path

import torch

CATEGORIES = (
    "creation", "indexing_slicing_joining_mutating", "pointwise", "reduction", "comparison", "spectral", "other",
    "blas_lapack", "random_sampling", "serialization", "parallelism", "locally_disabling_grad", "tensors_utils",
    "utilities", "constants", "generators",
)  # fmt: skip


def in_module(name: str) -> list[str]:
    """The public names of one of PyTorch's modules: `signal_windows` is torch.signal.windows."""
    module = importlib.import_module("torch." + name.replace("_", ".", 1))
    return [n for n in dir(module) if not n.startswith("_")]


def main(folder: Path) -> None:
    def listed(name: str) -> list[str]:
        return sorted(set((folder / f"{name}.txt").read_text(encoding="utf-8").split()))

    frozen = {
        "torch": torch.__version__.partition("+")[0],
        "face": sorted(n for n in dir(torch) if not n.startswith("_")),
        "tensor": sorted(
            {n for n in dir(torch.Tensor) if not n.startswith("_")}
            | set(listed("tensor_methods_documented"))
            | set(listed("tensor_inplace_methods"))
        ),
        "modules": {
            path.stem.removeprefix("mod_"): sorted({*listed(path.stem), *in_module(path.stem.removeprefix("mod_"))})
            for path in sorted(folder.glob("mod_*.txt"))
        },
        "documented": {category: listed(category) for category in CATEGORIES},
    }
    lines = json.dumps(frozen, ensure_ascii=False).replace("], ", "],\n").replace("{", "{\n", 1)
    Path(__file__).with_name("torch_names.json").write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
