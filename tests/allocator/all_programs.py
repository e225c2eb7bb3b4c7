"""Run all 10,000 made-up programs: `python -m tests.allocator.all_programs`."""

from __future__ import annotations

import sys

from tests.allocator.programs import Run, broken_rules, made_up

PROGRAMS = 10_000


def main(count: int = PROGRAMS) -> int:
    steps = 0
    for seed in range(count):
        total, settings, lines = made_up(seed)
        run = Run(total, settings)
        for line in lines:
            run.step(line)
            steps += 1
            wrong = broken_rules(run)
            if wrong:
                print(f"program {seed}, after {line!r}:", *wrong, sep="\n  ")
                return 1
    print(f"{count} programs, {steps} steps: every rule holds after every step")
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:2])))
