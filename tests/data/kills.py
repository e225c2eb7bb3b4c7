"""Count what loaders leave when they fail at random moments: python -m tests.data.kills --times 300 --seed 0."""

from __future__ import annotations

import argparse
import gc
import time
from collections import Counter

from tests.data.trials import as_expected, left, trial, warm_up

MOST_SECONDS = 60
"""A trial that takes longer hangs: workers that are not forked import the package, on a busy machine for long."""


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    warm_up()
    trial(options.seed)  # imports, and threads that stay
    gc.collect()
    before, kinds, wrong, longest = left(), Counter[str](), [], 0.0
    for seed in range(options.seed, options.seed + options.times):
        begin = time.perf_counter()
        kind, said = trial(seed)
        now, seconds = left(), time.perf_counter() - begin
        kinds[f"{kind}: {said.split('(pid')[0]}"] += 1
        longest = max(longest, seconds)
        if options.verbose:
            print(seed, kind, said[:60], f"{seconds:.2f} s", now, flush=True)
        if now != before or not as_expected(kind, said) or seconds > MOST_SECONDS:
            wrong.append(f"seed {seed}: {kind}: {said}: {before} -> {now} after {seconds:.1f} s")
            gc.collect()
            before = left()
    for name, count in sorted(kinds.items()):
        print(f"{count:5}  {name}")
    print(f"{options.times} trials, {len(wrong)} left something or raised something else; the longest {longest:.1f} s")
    print("\n".join(wrong))
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
