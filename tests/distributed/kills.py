"""Count what ranks leave that fail at random moments: python -m tests.distributed.kills --times 100 --seed 0.

Each trial starts two ranks that exchange numbers, and lets one of them raise, exit, die or hang, or interrupts all;
some kill the launcher.
"""

from __future__ import annotations

import argparse
import glob
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from multiprocessing import resource_tracker
from pathlib import Path

import tensorwidgets as torch
from tests.distributed.left import left

mp = torch.multiprocessing
KINDS = ("raise", "exit", "kill", "segfault", "hang", "stop", "interrupt", "kill mpiexec", "kill the launcher", "fine")
MOST_SECONDS = 60
"""A trial that takes longer hangs: ranks import the package, on a busy machine for long."""


def works(rank: int, kind: str, one: int, after: float, steps: int) -> None:
    """A rank that trains, and fails after some seconds."""
    end = time.monotonic() + after
    dist = torch.distributed
    if after > 0.05:
        dist.init_process_group("mpi")
    x, step = torch.ones(1000 * 4 ** (one + 1)), 0
    while True:
        if rank == one and time.monotonic() > end:
            fail(kind)
        if after > 0.05:
            dist.all_reduce(x, op=dist.ReduceOp.AVG)
        step += 1
        if kind == "fine" and step >= steps:
            return


def fail(kind: str) -> None:
    """Fail in one way."""
    if kind == "raise":
        raise ValueError("a rank raised this")
    if kind == "exit":
        os._exit(3)
    if kind in ("kill", "segfault"):
        os.kill(os.getpid(), signal.SIGKILL if kind == "kill" else signal.SIGSEGV)
    if kind == "hang":
        time.sleep(1000)
    if kind == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)


def trial(seed: int) -> tuple[str, str]:
    """One trial: its kind, and what was raised."""
    r = random.Random(seed)
    kind = KINDS[seed % len(KINDS)]
    work = (kind, r.randrange(2), r.choice([0.0, r.random(), r.random() * 0.3]), r.randrange(1, 200))
    if kind == "kill the launcher":
        return kind, without_launcher(seed, work)
    timeout = 8 + r.random() if kind in ("hang", "stop") else 50
    timer = None
    if kind == "interrupt":
        timer = threading.Timer(r.random() * 3, os.kill, [os.getpid(), signal.SIGINT])
    if kind == "kill mpiexec":
        timer = threading.Timer(0.5 + r.random() * 2, kill_mpiexec)
    try:
        if timer is not None:
            timer.start()
        mp.spawn(works, work, nprocs=2, timeout=timeout)
        return kind, "nothing"
    except BaseException as error:
        said = f"{type(error).__name__}: {str(error).strip().splitlines()[-1] if str(error) else ''}"
        return kind, said
    finally:
        if timer is not None:
            timer.join()


def kill_mpiexec() -> None:
    """Kill the `mpiexec` that this process started."""
    for task in os.listdir("/proc/self/task"):
        for pid in Path(f"/proc/self/task/{task}/children").read_text().split():
            if "prterun" in Path(f"/proc/{pid}/cmdline").read_text():  # what mpiexec becomes
                os.kill(int(pid), signal.SIGKILL)


def without_launcher(seed: int, work: tuple) -> str:
    """A program that starts ranks is killed; these must notice by themselves."""
    code = f"import tests.distributed.kills as k; k.mp.spawn(k.works, {('raise', 0, 1000.0, 1)!r}, nprocs=2)"
    process = subprocess.Popen([sys.executable, "-c", code])
    pattern = f"/dev/shm/ranks-{process.pid}-*"
    time.sleep(1 + random.Random(seed).random() * 2)
    process.kill()
    process.wait()
    end = time.monotonic() + 20
    while time.monotonic() < end:
        if not glob.glob(pattern) and not started_in(process.pid):
            return "nothing left"
        time.sleep(0.05)
    return f"left {glob.glob(pattern)} {started_in(process.pid)}"


def started_in(launcher: int) -> list[str]:
    """The processes whose command names the folder of a launcher."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                command = Path(f"/proc/{name}/cmdline").read_bytes()
            except OSError:
                continue
            if f"ranks-{launcher}-".encode() in command:
                found.append(name)
    return found


EXPECTED = {
    "raise": ("ProcessRaisedException: ValueError: a rank raised this",),
    "exit": tuple(f"ProcessExitedException: process {rank} terminated with exit code 3" for rank in (0, 1)),
    "kill": tuple(f"ProcessExitedException: process {rank} terminated with signal SIGKILL" for rank in (0, 1)),
    "segfault": tuple(f"ProcessExitedException: process {rank} terminated with signal SIGSEGV" for rank in (0, 1)),
    "hang": ("TimeoutError: ",),
    "stop": ("TimeoutError: ",),
    "interrupt": ("KeyboardInterrupt: ",),
    "kill mpiexec": ("ProcessExitedException: process", "RankFailed: "),
    "kill the launcher": ("nothing left",),
    "fine": ("nothing",),
}


def main() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job ignores it
    parser = argparse.ArgumentParser()
    parser.add_argument("--times", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    resource_tracker.ensure_running()
    trial(len(KINDS) - 1)  # imports
    before, kinds, wrong, longest = left(), Counter[str](), [], 0.0
    for seed in range(options.seed, options.seed + options.times):
        begin = time.perf_counter()
        kind, said = trial(seed)
        now, seconds = left(), time.perf_counter() - begin
        kinds[f"{kind}: {said.split(' (')[0][:80]}"] += 1
        longest = max(longest, seconds)
        if options.verbose:
            print(seed, kind, said[:100], f"{seconds:.2f} s", flush=True)
        if now != before or not said.startswith(EXPECTED[kind]) or seconds > MOST_SECONDS:
            wrong.append(f"seed {seed}: {kind}: {said}: {before} -> {now} after {seconds:.1f} s")
            before = left()
    for name, count in sorted(kinds.items()):
        print(f"{count:5}  {name}")
    print(f"{options.times} trials, {len(wrong)} left something or raised something else; the longest {longest:.1f} s")
    print("\n".join(wrong))
    raise SystemExit(bool(wrong))


if __name__ == "__main__":
    main()
