"""Programs made up at random: blocks tile their segments, no two free neighbors, sums are the statistics."""

from __future__ import annotations

import pytest

from tests.allocator.programs import Run, broken_rules, made_up

PLAIN = 200
"""So many of the 10,000 programs run in plain tests; `python -m tests.allocator.all_programs` runs all."""


@pytest.mark.parametrize("start", range(0, PLAIN, 20))
def test_the_rules_hold_after_every_step(start: int) -> None:
    steps = 0
    for seed in range(start, start + 20):
        total, settings, lines = made_up(seed)
        run = Run(total, settings)
        for line in lines:
            run.step(line)
            assert broken_rules(run) == [], (seed, line)
            steps += 1
    assert steps > 400


def test_a_broken_rule_is_noticed() -> None:
    run = Run(64 << 20, "")
    run.step("a 0 600 0")
    run.step("a 1 600 0")
    assert broken_rules(run) == []
    run.held["0"].size -= 512
    assert any("do not touch" in each for each in broken_rules(run))
    assert any("allocated_bytes.small_pool" in each for each in broken_rules(run))
