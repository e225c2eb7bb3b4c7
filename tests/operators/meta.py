"""Samples without numbers: the same calls on `meta` tensors, and what is different about the results' looks.

python -m tests.operators.meta            # every operator whose looks differ
python -m tests.operators.meta sort topk  # some of them
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import tensorwidgets as tw
from tests.operators.ask import answer
from tests.operators.samples import kind, load
from tests.parts import ALL, Part


def on_meta(value: Any, torch: Any = tw) -> Any:
    """Arguments with every tensor on `meta`, looking at a storage of the same length in the same way."""
    if isinstance(value, torch.Tensor):
        storage = torch.empty(value.untyped_storage().nbytes() // value.itemsize, dtype=value.dtype, device="meta")
        t = storage.as_strided(value.size(), value.stride(), value.storage_offset())
        return t.conj() if value.is_conj() else t
    if isinstance(value, torch.device):
        return torch.device("meta")
    if isinstance(value, (list, tuple)) and not isinstance(value, torch.Size):
        return type(value)([on_meta(v, torch) for v in value])
    if isinstance(value, dict):
        return {name: "meta" if name == "device" else on_meta(v, torch) for name, v in value.items()}
    return value


def looks(value: Any) -> Any:
    """Dtype, size and strides of all tensors in a result; what is no tensor stays."""
    if isinstance(value, tw.Tensor):
        strides = tuple([s if n > 1 else 1 for s, n in zip(value.stride(), value.shape, strict=True)])
        return ("tensor", str(value.dtype), tuple(value.shape), strides if value.numel() else ())
    if isinstance(value, (list, tuple)):
        return [looks(v) for v in value]
    return value


def anywhere(value: Any, device: str) -> bool:
    """Whether every tensor of a result is on a device."""
    if isinstance(value, tw.Tensor):
        return value.device.type == device
    return all(anywhere(v, device) for v in value) if isinstance(value, (list, tuple)) else True


def verdict(name: str, variant: str, given: Any, again: Any) -> str:
    """What is different about a call without numbers, or nothing; `again` are the same arguments anew."""
    wanted = looks(answer(name, variant, *given))
    try:
        found = answer(name, variant, *on_meta(again))
    except Exception as error:  # any error is an answer
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
    if looks(found) != wanted:
        return f"{looks(found)} for {wanted}"[:300]
    return "" if anywhere(found, "meta") or not _has_tensors(again) else "the result is not on meta"


def _has_tensors(value: Any) -> bool:
    if isinstance(value, dict):
        return _has_tensors(list(value.values()))
    return isinstance(value, tw.Tensor) or isinstance(value, (list, tuple)) and any(map(_has_tensors, value))


def frozen(wanted: set[str], part: Part = ALL) -> Iterator[tuple[dict[str, Any], str]]:
    """Each frozen sample with what is different about it on `meta`."""
    samples, unpacker = load(tw)
    for sample in part.of(samples, kind):
        if not wanted or sample["op"] in wanted:
            given, again = unpacker.unpack(sample["given"]), unpacker.unpack(sample["given"])
            yield sample, verdict(sample["op"], sample["variant"], given, again)


def main() -> None:
    warnings.simplefilter("ignore")
    asked, wrong = 0, defaultdict[str, Counter[str]](Counter)
    for sample, fault in frozen(set(sys.argv[1:])):
        asked += 1
        if fault:
            wrong[sample["op"]][fault] += 1
    for name, faults in sorted(wrong.items()):
        print(f"{name}: {sum(faults.values())}")
        for fault, count in faults.most_common(3):
            print(f"    {count} {fault}")
    print(f"{asked} samples, {sum(sum(f.values()) for f in wrong.values())} differ in {len(wrong)} operators")


if __name__ == "__main__":
    main()
