"""Ask PyTorch 2.13 for the samples of its documented operators, and write them with its results to reference.zip.

Run from the top of the checkout, with PyTorch and expecttest installed: ``python -m tests.operators.freeze``
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

from tests.operators.database import operators
from tests.operators.documented import is_documented
from tests.operators.samples import DTYPES, REFERENCE, Packer
from tests.operators.seeding import on_the_cpu_alone

SAMPLES_EACH = 12
ELEMENTS = 64


def entries() -> Iterator[Any]:
    """The entries of PyTorch's operator database for documented operators."""
    for op in operators():
        if is_documented(op.name):
            yield op


def asked(op: Any, dtype: str) -> Iterator[tuple[Any, Any]]:
    """The samples of an entry that PyTorch answers, each with its answer. Random operators start from seed 0."""
    import torch

    if getattr(torch, dtype) not in op.dtypes:
        return
    with on_the_cpu_alone():
        torch.manual_seed(0)
        for sample in op.sample_inputs("cpu", getattr(torch, dtype)):
            state = torch.get_rng_state()
            torch.manual_seed(0)
            given = Packer()
            try:
                before = given.pack([sample.input, list(sample.args), dict(sample.kwargs)])
                answer = op.op(sample.input, *sample.args, **sample.kwargs)
            except Exception:  # a sample that PyTorch itself refuses, or that holds what no engine can be given
                continue
            finally:
                torch.set_rng_state(state)
            yield (before, given.blob.getvalue()), answer


def elements(value: Any) -> int:
    """The largest tensor in a value, in elements."""
    import torch

    if isinstance(value, torch.Tensor):
        return value.numel()
    if isinstance(value, (tuple, list)):
        return max((elements(v) for v in value), default=0)
    if isinstance(value, dict):
        return elements(list(value.values()))
    return 0


def shift(value: Any, by: int) -> Any:
    """Packed arguments whose bytes lie further on in a common blob."""
    if isinstance(value, list):
        return [shift(v, by) for v in value]
    if isinstance(value, dict):
        if "tensor" in value:
            facts = list(value["tensor"])
            facts[3] += by
            return {"tensor": facts}
        return {k: shift(v, by) for k, v in value.items()}
    return value


def most_elements(packed: Any) -> int:
    """The largest tensor among packed arguments."""
    if isinstance(packed, list):
        return max((most_elements(v) for v in packed), default=0)
    if isinstance(packed, dict):
        if "tensor" in packed:
            count = 1
            for n in packed["tensor"][1]:
                count *= n
            return count
        return most_elements(list(packed.values()))
    return 0


def main() -> None:
    warnings.simplefilter("ignore")
    packer, samples = Packer(), []
    for op in entries():
        for dtype in DTYPES:
            kept = 0
            for (packed, blob), answer in asked(op, dtype):
                if kept == SAMPLES_EACH:
                    break
                if most_elements(packed) > ELEMENTS or elements(answer) > ELEMENTS:
                    continue
                at = packer.blob.tell()
                try:
                    result = Packer()
                    found = result.pack(answer)
                except TypeError:
                    continue
                packer.blob.write(blob)
                packer.blob.write(result.blob.getvalue())
                samples.append(
                    {"op": op.name, "variant": op.variant_test_name, "dtype": dtype, "given": shift(packed, at),
                     "answer": shift(found, at + len(blob))}
                )  # fmt: skip
                kept += 1
    packer.save(samples, REFERENCE)
    print(f"{len(samples)} samples of {len({s['op'] for s in samples})} operators, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
