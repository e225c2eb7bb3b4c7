"""Einsum equations with shapes, right and wrong ones, the same on every machine for the same number."""

from __future__ import annotations

import random


def case(number: int) -> tuple[str, list[tuple[int, ...]]]:
    """Letters, repeated ones, `...`, implicit outputs, sizes of 0 and 1; about two in five are refused.

    >>> case(1)
    ('jj,ij...j->ij...', [(1, 1), (2, 1, 1)])
    """
    dice = random.Random(f"einsum {number}")
    letters = dice.choice(["ij", "ijk", "iI", "ijkl"])
    size = {letter: dice.choice([0, 1, 2, 2, 3, 3]) for letter in letters}
    rest = [dice.choice([1, 2]), dice.choice([1, 2])]
    parts, shapes = [], []
    for _ in range(dice.choice([1, 1, 2, 2, 2, 3])):
        names = [dice.choice(letters) for _ in range(dice.randint(0, 3))]
        shape = [size[name] if dice.random() < 0.9 else dice.choice([1, 2, 3]) for name in names]
        if dice.random() < 0.3:
            at, covered = dice.randint(0, len(names)), dice.randint(0, 2)
            shape[at:at] = [n if dice.random() < 0.8 else dice.choice([1, 2, 3]) for n in rest[2 - covered :]]
            names[at:at] = ["..."]
        if dice.random() < 0.06:
            shape.append(2)
        parts.append("".join(names))
        shapes.append(tuple(shape))
    return _spoiled(dice, ",".join(parts) + _output(dice, parts)), shapes


def _output(dice: random.Random, parts: list[str]) -> str:
    if dice.random() < 0.3:
        return ""
    pool = sorted(set("".join(parts)) - {"."})
    out = dice.sample(pool, dice.randint(0, len(pool)))
    if dice.random() < 0.05:
        out.append(dice.choice("ijz"))
    if ("..." in "".join(parts) and dice.random() < 0.8) or dice.random() < 0.05:
        out.insert(dice.randint(0, len(out)), "...")
    return "->" + "".join(out)


def _spoiled(dice: random.Random, text: str) -> str:
    if dice.random() > 0.12:
        return text
    at = dice.randint(0, len(text))
    return text[:at] + dice.choice([" ", ".", ",", "-", ">", "1", "...", "->", "é"]) + text[at:]
