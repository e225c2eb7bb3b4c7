"""Write some samples of each operator with PyTorch's gradients and graphs to reference.zip.

Run from the top of the checkout, with PyTorch installed: ``python -m tests.gradients.operators.freeze``
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tests.gradients.operators.answers import Answer, ask
from tests.gradients.operators.live import entries, samples
from tests.gradients.operators.samples import DTYPES, Sample, load_rows, save
from tests.operators.freeze import shift

REFERENCE = Path(__file__).with_name("reference.zip")
EACH = {"float64": 6, "complex128": 3}
"""How many samples of an operator are kept."""
ELEMENTS = 400
"""How many elements all tensors of a sample may have together."""
GRID = 256
"""Numbers of samples are multiples of one in this many, so that they take few bytes."""
ARRAYS = ("first", "second")


def tensors(given: Any) -> Iterator[list[Any]]:
    """The facts of each tensor among packed arguments."""
    if isinstance(given, list):
        for each in given:
            yield from tensors(each)
    elif isinstance(given, dict):
        if "tensor" in given:
            yield given["tensor"]
        else:
            yield from tensors(list(given.values()))


def features(sample: Sample) -> set[Any]:
    """What a sample shows that others may not: kinds of arguments, numbers of dimensions, what is tracked."""
    input, args, named = sample.given["list"]
    found: set[Any] = {("variant", sample.variant), ("settle", sample.settle), ("tracked", tuple(sample.tracked))}
    words = ["input", *map(str, range(len(args["list"]))), *named["dict"]]
    for word, value in zip(words, [input, *args["list"], *named["dict"].values()], strict=True):
        kind = next(iter(value)) if isinstance(value, dict) else type(value).__name__
        found.add((word, kind))
        if not isinstance(value, dict):
            found.add((word, str(value)[:20]))
    for at, (dtype, size, stride, *_) in enumerate(tensors(sample.given)):
        steps = tuple(s for s, n in zip(stride, size, strict=True) if n > 1)
        found |= {(at, len(size)), (at, 0 in size), (at, 1 in size), (at, dtype)}
        found |= {(at, "expanded", 0 in steps), (at, "in order", sorted(steps, reverse=True) == list(steps))}
    found.add(("sizes", tuple(tuple(facts[1]) for facts in tensors(sample.given))))
    return found


def chosen(candidates: list[tuple[Sample, bytes]], most: int) -> list[tuple[Sample, bytes]]:
    """Those that together show the most; of equally good ones the first."""
    left, seen, kept = list(candidates), set[Any](), []
    while left and len(kept) < most:
        best = max(left, key=lambda pair: len(features(pair[0]) - seen))
        left.remove(best)
        kept.append(best)
        seen |= features(best[0])
    return kept


def small(sample: Sample, blob: bytes) -> bool:
    return len(blob) <= 16 * 1024 and sum(int(np.prod(size)) for _, size, *_ in tensors(sample.given)) <= ELEMENTS


def asked_of_pytorch() -> Iterator[tuple[Sample, bytes, Answer]]:
    """The chosen samples of each operator with PyTorch's answers."""
    import torch

    by_name: dict[str, list[Any]] = {}
    for op in entries():
        by_name.setdefault(op.name, []).append(op)
    for ops in by_name.values():
        for dtype in DTYPES:
            found = [(pair, op) for op in ops for pair in samples(op, dtype, GRID) if small(*pair)]
            owner = {id(pair[0]): op for pair, op in found}
            for sample, blob in chosen([pair for pair, _ in found], EACH[dtype]):
                op = owner[id(sample)]
                answer = ask(torch, op.op, sample, blob, 2 if op.supports_gradgrad else 1, graphs=True)
                if "call" not in answer:
                    answer.pop("values", None)
                    if not isinstance(answer.get("opened"), str):
                        answer.pop("opened", None)
                    yield sample, blob, answer


class ArrayPacker:
    """Gradients as bytes: in single precision, which is ten times finer than they are compared."""

    def __init__(self, at: int) -> None:
        self.at = at
        self.blob = b""

    def pack(self, value: Any) -> Any:
        if not isinstance(value, np.ndarray):
            return value
        short = value
        if value.dtype.str in ("<f8", "<c16"):
            with np.errstate(over="ignore"):
                short = value.astype({"<f8": "<f4", "<c16": "<c8"}[value.dtype.str])
            if not np.array_equal(np.isfinite(short), np.isfinite(value)):
                short = value
        data = np.ascontiguousarray(short).tobytes()
        facts = [value.dtype.str, short.dtype.str, list(value.shape), self.at + len(self.blob)]
        self.blob += data
        return facts


def unpacked(answer: Answer, blob: bytes) -> Answer:
    """An answer of the file, with arrays again."""

    def array(facts: Any) -> Any:
        if facts is None:
            return None
        dtype, kept, size, at = facts
        count = int(np.prod(size))
        return np.frombuffer(blob, kept, count, at).reshape(size).astype(dtype)

    found = dict(answer)
    for part in ARRAYS:
        if isinstance(found.get(part), list):
            found[part] = [array(facts) for facts in found[part]]
    if "second" in found:  # with create_graph the first order is the same
        found.setdefault("opened", found["first"])
    return found


def frozen() -> Iterator[tuple[Sample, bytes, Answer]]:
    """The samples of the file, with PyTorch's answers."""
    rows, blob = load_rows(REFERENCE)
    for fields, answer in rows:
        yield Sample(*fields), blob, unpacked(answer, blob)


def main() -> None:
    warnings.simplefilter("ignore")
    rows, blob = [], bytearray()
    for sample, own, answer in asked_of_pytorch():
        sample = sample._replace(given=shift(sample.given, len(blob)))
        blob += own
        arrays = ArrayPacker(len(blob))
        told = {
            part: [arrays.pack(v) for v in value] if part in ARRAYS and isinstance(value, list) else value
            for part, value in answer.items()
        }
        blob += arrays.blob
        rows.append([sample, told])
    save(rows, bytes(blob), REFERENCE)
    print(f"{len(rows)} samples of {len({r[0].op for r in rows})} operators, {REFERENCE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
