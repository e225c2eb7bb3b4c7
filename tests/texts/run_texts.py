"""Runs each text of a table as `why`, `show.steps` and a live text box would, in a process that may grow by 1 GB.

    python -m tests.texts.run_texts FOLDER < table

Prints one line of JSON for each text: what came of it. A text that takes a minute ends the process, so that a hang is a
failure and not a wait.
"""

from __future__ import annotations

import faulthandler
import json
import os
import resource
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np

import tensorwidgets as tw

GIGABYTE = 1 << 30
touched: list[str] = []
"""What was asked of the object that no text may ask anything of."""


class Secret:
    """Something that a caller may hold, and a text may not reach into."""

    def __getattribute__(self, name: str) -> Any:
        if name != "__class__":
            touched.append(name)
        return object.__getattribute__(self, name)

    def __call__(self, *args: Any) -> Any:
        touched.append("call")

    def __add__(self, other: Any) -> Any:
        touched.append("+")

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        touched.append("array")

    def __len__(self) -> int:
        touched.append("len")
        return 3

    def __index__(self) -> int:
        touched.append("index")
        return 3

    def __bool__(self) -> bool:
        touched.append("bool")
        return True

    def __eq__(self, other: object) -> bool:
        touched.append("==")
        return True

    def __repr__(self) -> str:
        touched.append("repr")
        return "secret"


def call(*args: Any) -> Any:
    """A function that a caller may hold, and a text may not call."""
    touched.append("f")


def nested(levels: int) -> list[Any]:
    found: list[Any] = [1]
    for _ in range(levels):
        found = [found]
    return found


DEEP = nested(3000)


def names() -> dict[str, Any]:
    """What the caller of a text holds."""
    x, t = np.arange(12.0).reshape(3, 4), tw.arange(6.0).reshape(2, 3)
    endless: list[Any] = [x]
    endless.append(endless)
    return {
        "x": x, "t": t, "np": np, "tw": tw, "os": os, "n": 3, "xs": [t, t], "secret": Secret(), "f": call,
        "big": np.zeros(50_000), "big_t": tw.zeros(50_000), "endless": endless, "far": range(10**15),
        "deep": DEEP, "many": [x] * 5000,
    }  # fmt: skip


def ways() -> list[Any]:
    from tensorwidgets.live.steps import StepsExplorer
    from tensorwidgets.live.storage import StorageExplorer

    first = names()
    steps = StepsExplorer("t", **first)
    storage = StorageExplorer(first["t"], labels=["t"])

    def type_into(box: Any) -> Any:
        def typed(text: str, given: dict[str, Any]) -> None:
            box.expression = text
            if box.reason is not None:
                raise box.reason.exception()

        return typed

    return [
        lambda text, given: repr(tw.why(text, **given)),
        lambda text, given: str(tw.show.steps(text, **given)),
        type_into(steps),
        type_into(storage),
    ]


def told(way: Any, text: str) -> str:
    """What came of a text: a value, or the refusal by its rule and first line."""
    try:
        way(text, names())
    except Exception as error:
        reason = getattr(error, "reason", None) or getattr(error.__cause__, "reason", None)
        rule = getattr(reason, "rule", "")
        return f"{rule}: {error}" if rule else f"raw {type(error).__name__}: {error}"
    return "value"


def main() -> None:
    warnings.simplefilter("ignore")
    asked = ways()
    for way in asked:
        told(way, "t.t().reshape(-1)")
        told(way, "np.linalg.svd(x)")
        told(way, "tw.linalg.svd(t.double().expand(2, 2, 3)).S.lgamma().sort()")
    os.chdir(sys.argv[1])
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + GIGABYTE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    for line in sys.stdin:
        text = line.rstrip("\n")
        faulthandler.dump_traceback_later(60, exit=True)
        found = [told(way, text) for way in asked]
        faulthandler.cancel_dump_traceback_later()
        print(json.dumps({"text": text, "told": found, "touched": touched}), flush=True)
        touched.clear()


if __name__ == "__main__":
    main()
