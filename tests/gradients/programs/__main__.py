"""Programs of gradients, views and in-place writes: run on two engines, looked at, made small where they differ.

python -m tests.gradients.programs --count 20000 --seed 0     fresh programs, ours beside PyTorch's
python -m tests.gradients.programs --kind calls               another vocabulary: hooks, `out=`, functions, layers
python -m tests.gradients.programs --kind nodes               a third one: nodes, edges, flags, modes, contexts
python -m tests.gradients.programs --kind writes              a fourth one: writes into views, modes, flags, other data
python -m tests.gradients.programs --engine torch             PyTorch beside itself, which tests the test
python -m tests.gradients.programs --freeze                   writes some with PyTorch's answers to views.json.gz,
                                                              or to calls.json.gz, nodes.json.gz, writes.json.gz
"""

from __future__ import annotations

import os
import sys
from collections import Counter

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tests.gradients.programs.freezing import freeze  # noqa: E402  # threads are counted when NumPy is imported
from tests.gradients.programs.search import arguments, outcomes  # noqa: E402


def main() -> None:
    chosen = arguments()
    if chosen.freeze:
        return freeze(chosen.kind)
    wrong, did = Counter[str](), Counter[str]()
    for fault, text, facts in outcomes(chosen):
        did.update(facts)
        wrong[fault] += bool(fault)
        if text:
            print(text + "\n", flush=True)
    for fault, count in (+wrong).most_common(25):
        print(f"{count:6} {fault}")
    print(", ".join(f"{count} {what}" for what, count in did.items()) + f": {sum(wrong.values())} differ")
    sys.exit(bool(+wrong))


main()
