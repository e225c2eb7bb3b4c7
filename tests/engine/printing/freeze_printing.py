"""Ask PyTorch 2.13 how it prints the cases, and write its answers to printing_reference.json.gz.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.engine.printing.freeze_printing``
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

from tests.engine.printing.printing_cases import NAMES, Case, case, storage_case

REFERENCE = Path(__file__).with_name("printing_reference.json.gz")
CASES = 110 * len(NAMES)
STORAGES = 6 * len(NAMES)

BAD_SETTINGS: list[dict[str, Any]] = [
    {"precision": "x"}, {"precision": -1}, {"precision": 2.5}, {"precision": True}, {"precision": 10**20},
    {"threshold": "a"}, {"edgeitems": -1}, {"edgeitems": -2}, {"edgeitems": 1.5}, {"edgeitems": "b"},
    {"linewidth": "w"}, {"linewidth": float("inf")}, {"linewidth": float("nan")},
]  # fmt: skip
"""Settings that PyTorch takes and then cannot print with."""

SHAPES_FOR_BAD_SETTINGS = [(), (0, 3), (3, 4), (1, 1001), (300, 4), (1200,), (1001, 1)]


def bad_case(settings: dict[str, Any], shape: tuple[int, ...]) -> Case:
    """Fractions of this shape, under settings that may refuse them."""
    count = int(np.prod(shape))
    return Case(-1, "float32", (np.arange(count, dtype=np.float32) / 8).reshape(shape), settings)


def as_torch(values: np.ndarray, name: str) -> Any:
    """The same numbers as a PyTorch tensor, byte by byte: NumPy's small floats are strangers to PyTorch."""
    import torch

    if name == "complex32":
        values = np.stack([values.real, values.imag], -1).astype(np.float16)
    dtype = getattr(torch, name)
    if values.size == 0:
        return torch.empty(values.shape[:-1] if name == "complex32" else values.shape, dtype=dtype)
    raw = torch.frombuffer(bytearray(values.tobytes()), dtype=torch.uint8).view(dtype)
    return raw.reshape(values.shape[:-1] if name == "complex32" else values.shape)


def torch_text(case: Case) -> str:
    """The case as PyTorch prints it."""
    import torch

    before = torch._tensor_str.get_printoptions()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tensor = as_torch(case.values, case.name)
        if case.device == "meta":
            tensor = torch.empty(tensor.shape, dtype=tensor.dtype, device="meta")
        tensor.requires_grad_(case.requires_grad)
        torch.set_printoptions(**case.settings)
        torch.set_default_dtype(getattr(torch, case.default))
        try:
            return repr(tensor)
        finally:
            torch.set_default_dtype(torch.float32)
            torch.set_printoptions(**before)


def torch_storage_lines(number: int) -> list[str]:
    """The elements of a storage as PyTorch prints them; its last line, which has changed, is left out."""
    name, values = storage_case(number)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return str(as_torch(values, name).storage()).split("\n")[:-1]


def torch_refusal(case: Case) -> list[str]:
    """The error's type and message that PyTorch prints the case with, or nothing."""
    try:
        torch_text(case)
    except Exception as error:
        return [type(error).__name__, str(error)]
    return []


def main() -> None:
    import torch

    answers = {
        "torch": torch.__version__,
        "texts": [torch_text(case(number)) for number in range(CASES)],
        "storages": [torch_storage_lines(number) for number in range(STORAGES)],
        "refusals": [
            [torch_refusal(bad_case(settings, shape)) for shape in SHAPES_FOR_BAD_SETTINGS] for settings in BAD_SETTINGS
        ],
    }
    packed = gzip.compress(json.dumps(answers, separators=(",", ":")).encode(), 9, mtime=0)
    REFERENCE.write_bytes(packed)
    print(f"{REFERENCE.name}: {CASES} tensors, {STORAGES} storages, {len(packed)} bytes")


if __name__ == "__main__":
    main()
