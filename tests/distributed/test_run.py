"""`python -m tensorwidgets.distributed.run` runs a program in ranks, and refuses what it cannot do."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tensorwidgets.distributed import run

ROOT = Path(__file__).parents[2]
PROGRAM = """
import os, sys
import tensorwidgets as torch

def main():
    dist = torch.distributed
    dist.init_process_group("gloo")
    print(sys.argv[1:], __name__, os.path.basename(__file__), os.environ["RANK"], os.environ["LOCAL_RANK"], flush=True)
    print("no line end", end="")
    print("an error stream", file=sys.stderr)
    dist.barrier()
    if sys.argv[1:] == ["--fail"] and dist.get_rank() == 1:
        raise ValueError("here")
    dist.barrier()

if __name__ == "__main__":
    main()
"""


def launched(path: Path, *args: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tensorwidgets.distributed.run", *args[:-1], str(path), args[-1]]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)


def test_a_program_runs_in_ranks(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    ran = launched(path, "--nproc-per-node=2", "--standalone", "--timeout", "100", "-x")
    assert ran.returncode == 0, ran.stderr
    shown = [f"[rank {rank}] ['-x'] __main__ train.py {rank} {rank}" for rank in (0, 1)]
    assert sorted(ran.stdout.splitlines()) == sorted([*shown, "[rank 0] no line end", "[rank 1] no line end"])
    assert ran.stderr.count("an error stream") == 2 and ran.stderr.count('"gloo" is served by MPI') == 1


def test_a_rank_that_raises_ends_all_with_its_traceback(tmp_path: Path) -> None:
    path = tmp_path / "train.py"
    path.write_text(PROGRAM)
    ran = launched(path, "-n", "2", "--fail")
    assert ran.returncode == 1
    said = ran.stderr[ran.stderr.index("RankFailed") :]
    assert said.startswith(
        f'RankFailed: rank 1 of 2 raised an error:\n\nTraceback (most recent call last):\n  File "{path}'
    )
    assert said.endswith("ValueError: here\nall other ranks were ended with it\n") and "rank.py" not in said


def test_another_launcher_hears_of_errors(tmp_path: Path) -> None:
    from tensorwidgets.multiprocessing import mpiexec

    path = tmp_path / "train.py"
    path.write_text(PROGRAM.replace('os.environ["RANK"], os.environ["LOCAL_RANK"]', "dist.get_rank()"))
    env = mpiexec.environment(str(tmp_path), str(tmp_path), 2) | {"PYTHONPATH": str(ROOT)}
    for argument, code in (("-x", 0), ("--fail", 1)):
        command = mpiexec.command(2, [sys.executable, str(path), argument])
        ran = subprocess.run(command, env=env, capture_output=True, text=True, timeout=120, stdin=subprocess.DEVNULL)
        assert ran.returncode == code and ran.stderr.count("ValueError: here") == code, ran.stderr


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["-n", "0", "x.py"], "argument -n: '0' is not a number of ranks"),
        (["-n", "two", "x.py"], "argument -n: 'two' is not a number of ranks"),
        (["-n", "2", "--nnodes", "2", "x.py"], "argument --nnodes: ranks run on one machine here"),
        (["-n", "2", "--timeout", "-1", "x.py"], "argument --timeout: must be more than 0 seconds"),
        (["-n", "2", "not_there.py"], "there is no file 'not_there.py'"),
    ],
)
def test_wrong_options_are_refused(given: list[str], said: str, capsys: pytest.CaptureFixture) -> None:
    with pytest.raises(SystemExit) as caught:
        run.main(given)
    assert caught.value.code == 2 and said in capsys.readouterr().err


def test_what_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tensorwidgets.multiprocessing import mpiexec

    monkeypatch.setattr(mpiexec, "mpiexec", lambda: None)
    with pytest.raises(RuntimeError, match="mpiexec is not installed, which starts and connects ranks") as caught:
        mpiexec.command(2, [])
    assert "pip install 'tensorwidgets[parallel]'" in caught.value.__notes__[0]
