"""Random programs with named tensors: a few that are made, then ten lines that use what the lines before have made.

They are written beside this engine, so that most lines fit; the texts are kept in named_programs.json.gz, so that an
engine that changes does not change them. ``python -m tests.engine.named.named_programs`` writes them anew.
"""

from __future__ import annotations

import gzip
import json
import warnings
from pathlib import Path
from typing import Any

from tests.engine.named.named_cases import Dice, meeting, perform, scope, told

PROGRAMS = Path(__file__).with_name("named_programs.json.gz")
COUNT, STEPS = 600, 10

LINES = """
{x} + {y}
{x} * {y}
{x} - {y}
{x} * 2
{x}.exp()
-{x}
{x}.sum({n})
{x}.mean({n}, keepdim=True)
{x}.max({n})[0]
{x}.align_to(..., {n})
{x}.align_to({n}, ...)
{x}.align_as({y})
{x}.rename({n_}={w})
{x}.rename(None)
{x}.rename(...)
{x}.refine_names(..., {w})
{x}.refine_names({w}, ...)
{x}.transpose({n}, {m})
{x}.t()
{x}[0]
{x}[..., 0]
{x}[:, 0]
{x}[:1]
{x}.select({n}, 0)
{x}.unbind({n})[0]
{x} @ {y}
{x}.cumsum({n})
{x}.softmax({n})
{x}.flatten([{n}, {m}], {w})
{x}.unflatten({n}, (({w}, 1), ({v}, -1)))
torch.cat([{x}, {y}], {n})
torch.cat([{x}, {x}], {n})
{x}.expand(2, *{x}.shape)
{x}.squeeze()
{x}.clone()
{x} > {y}
{x}.masked_fill({x} > 1, 0)
{x}.std({n})
{x}.chunk(2)[0]
{x}.narrow(0, 0, 1)
{x}.double()
{x}.contiguous()
{x}.diagonal(dim1={n}, dim2={m}, outdim={w})
torch.zeros_like({x})
{x}.logsumexp({n})
""".strip().splitlines()
"""Lines that make a tensor."""
CHANGES = """
{x}.add_({y})
{x}.mul_(2)
{x}.rename_({n_}={w})
{x}.copy_({y})
{x}.zero_()
{x}[0] = 1.
{x}.neg_()
""".strip().splitlines()
"""Lines that change one."""


def written(torch: Any, seed: int) -> list[str]:
    """One program."""
    dice = Dice(f"program {seed}")
    space = scope(torch)
    size = tuple([2, 3, 2][: dice.one([2, 2, 3])])
    names = dice.names(len(size))
    lines = [f"a = named({size}, {names})", "b = named({}, {})".format(*meeting(dice, size, names))]
    for line in lines:
        perform([line], space)
    while len(lines) < STEPS + 2:
        known = [k for k in "abcdefgh" if isinstance(space.get(k), torch.Tensor) and space[k].numel() < 200]
        x, y = dice.one(known), dice.one(known)
        own: list[Any] = [n for n in space[x].names if n is not None] or [0]
        marks = {"n": repr(dice.one(own)), "m": repr(dice.one(own)), "n_": dice.one(own) or "N", "x": x, "y": y}
        marks |= {"w": repr(dice.one("NCHWFG")), "v": repr(dice.one("FGN"))}
        told_by_name = ("flatten", "align_to", "diagonal")
        lines_here = [line for line in LINES if own != [0] or not any(word in line for word in told_by_name)]
        if dice.often(0.8):
            line = f"{dice.one('abcdefgh'[: min(len(known) + 1, 8)])} = {dice.one(lines_here).format(**marks)}"
        else:
            line = dice.one(CHANGES).format(**marks)
        found = perform([line], space)
        if found is None or dice.often(0.25):
            lines.append(line)
    return lines


def outcome(torch: Any, lines: list[str]) -> list[Any]:
    """What each line of a program comes to: the tensor that it made or changed, or the refusal."""
    space, found = scope(torch), []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for line in lines:
            refused = perform([line], space)
            found.append(refused or [told(torch, space[line[0]]), numbers(space[line[0]])])
    return found


def numbers(t: Any) -> float | str:
    """One number for all elements, so that a wrong one is seen."""
    plain = t.rename(None).double().reshape(-1)
    total = float(sum(x * (k % 7 + 1) for k, x in enumerate(plain.tolist()) if abs(x) < 1e6))
    return float(f"{total:.4g}")


def read() -> list[list[str]]:
    """The programs."""
    return json.loads(gzip.decompress(PROGRAMS.read_bytes()))


def main() -> None:
    import tensorwidgets

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        programs = [written(tensorwidgets, seed) for seed in range(COUNT)]
    packed = gzip.compress(json.dumps(programs, separators=(",", ":")).encode(), 9, mtime=0)
    PROGRAMS.write_bytes(packed)
    print(f"{PROGRAMS.name}: {len(programs)} programs, {len(packed)} bytes")


if __name__ == "__main__":
    main()
