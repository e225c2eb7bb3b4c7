"""How far the engine agrees with PyTorch's own samples, in a table.

python -m tests.operators.report              # every operator that disagrees
python -m tests.operators.report sort topk    # some operators, with what is wrong
python -m tests.operators.report --live sort  # every sample of PyTorch, not only the frozen ones (needs PyTorch)
"""

from __future__ import annotations

import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import tensorwidgets as tw
from tests.operators.ask import function, verdict
from tests.operators.samples import DTYPES, Packer, Unpacker, kind, load
from tests.parts import ALL, Part


def frozen(wanted: set[str], part: Part = ALL) -> Iterator[tuple[dict[str, Any], str]]:
    """Each frozen sample with what is wrong with our answer."""
    samples, unpacker = load(tw)
    for sample in part.of(samples, kind):
        if not wanted or sample["op"] in wanted:
            yield (
                sample,
                verdict(
                    sample["op"], sample["variant"], unpacker.unpack(sample["given"]), unpacker.unpack(sample["answer"])
                ),
            )


def live(wanted: set[str], dtypes: tuple[str, ...] = DTYPES) -> Iterator[tuple[dict[str, Any], str]]:
    """Every sample of PyTorch's database with what is wrong with our answer."""
    from tests.operators.freeze import asked, entries

    for op in entries():
        if wanted and op.name not in wanted:
            continue
        for dtype in dtypes:
            for (packed, blob), answer in asked(op, dtype):
                result = Packer()
                try:
                    found = result.pack(answer)
                except TypeError:
                    continue
                theirs = Unpacker(tw, result.blob.getvalue()).unpack(found)
                sample = {"op": op.name, "variant": op.variant_test_name, "dtype": dtype, "given": packed}
                yield sample, verdict(op.name, op.variant_test_name, Unpacker(tw, blob).unpack(packed), theirs)


def main() -> None:
    warnings.simplefilter("ignore")
    names = {a for a in sys.argv[1:] if not a.startswith("--")}
    asked = 0
    wrong: dict[str, Counter[str]] = defaultdict(Counter)
    missing: Counter[str] = Counter()
    for sample, fault in (live if "--live" in sys.argv else frozen)(names):
        asked += 1
        if fault and function(sample["op"]) is None:
            missing[sample["op"]] += 1
        elif fault:
            wrong[f"{sample['op']} {sample['variant']} {sample['dtype']}"][fault] += 1
    bad = sum(sum(c.values()) for c in wrong.values())
    print(f"{asked} samples: {bad} disagree, {sum(missing.values())} of {len(missing)} operators that are not there")
    for key, faults in sorted(wrong.items()):
        fault, count = faults.most_common(1)[0]
        print(f"{key}: {sum(faults.values())}, such as ({count}) {fault}")
    if missing and not names:
        print("not there:", " ".join(sorted(missing)))


if __name__ == "__main__":
    main()
