"""Start a program in several ranks: python -m tensorwidgets.distributed.run -n 2 train.py args"""

from __future__ import annotations

import argparse
import os
import signal
import sys
from typing import Any

from ..multiprocessing.programs import RankFailed, run_program


def parser() -> argparse.ArgumentParser:
    """The options: torchrun's, where they are about one machine."""
    made = argparse.ArgumentParser(
        prog="python -m tensorwidgets.distributed.run",
        description="Run a program in several ranks on this machine. Output comes line by line with its rank; a rank "
        "that fails ends all.",
    )
    made.add_argument(
        "-n", "--nproc-per-node", "--nproc_per_node", dest="count", default="1", metavar="N",
        help="how many ranks; auto or cpu: one for each core",
    )  # fmt: skip
    made.add_argument("--timeout", type=float, metavar="SECONDS", help="end all ranks after this time")
    made.add_argument("-m", "--module", action="store_true", help="the program is a module, as in python -m")
    made.add_argument("--standalone", action="store_true", help="accepted: there is one machine")
    for name in ("--nnodes", "--node-rank", "--master-addr", "--master-port", "--rdzv-backend", "--rdzv-endpoint"):
        made.add_argument(name, name.replace("-", "_").replace("__", "--", 1), help=argparse.SUPPRESS)
    made.add_argument("program")
    made.add_argument("args", nargs=argparse.REMAINDER)
    return made


def _count(text: str) -> int:
    if text in ("auto", "cpu"):
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(text) if text.isdecimal() else 0


def main(given: list[str] | None = None) -> None:
    """The command."""
    reads = parser()
    options = reads.parse_args(given)
    count = _count(options.count)
    if count < 1:
        reads.error(f"argument -n: {options.count!r} is not a number of ranks")
    if options.nnodes not in (None, "1", "1:1"):
        reads.error("argument --nnodes: ranks run on one machine here")
    if options.timeout is not None and not options.timeout > 0:
        reads.error("argument --timeout: must be more than 0 seconds")
    if not options.module and not os.path.isfile(options.program):
        reads.error(f"there is no file {options.program!r}")

    def stop(number: int, frame: Any) -> None:
        raise SystemExit(128 + number)

    signal.signal(signal.SIGTERM, stop)
    try:
        run_program(options.program, options.args, count, options.module, options.timeout)
    except (RankFailed, TimeoutError) as error:
        print(f"{type(error).__name__}: {error}", *getattr(error, "__notes__", ()), sep="\n", file=sys.stderr)
        raise SystemExit(1) from None
    except KeyboardInterrupt:
        print("Interrupted: all ranks were ended.", file=sys.stderr)
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()
