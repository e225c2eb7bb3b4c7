"""One number governs how many threads compute, everywhere."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from typing import Any

import numpy as np
import pytest
import scipy.fft

import tensorwidgets as tw


def test_blas_follows() -> None:
    from threadpoolctl import threadpool_info

    before = tw.get_num_threads()
    try:
        tw.set_num_threads(1)
        assert tw.get_num_threads() == 1
        tw.ones(4, 4) @ tw.ones(4, 4)
        assert {pool["num_threads"] for pool in threadpool_info() if pool["user_api"] == "blas"} == {1}
        assert "blas: openblas, 1 threads" in tw.__config__.parallel_info()
    finally:
        tw.set_num_threads(before)


@pytest.mark.parametrize(
    ("n", "error", "message"),
    [
        (0, RuntimeError, "set_num_threads expects a positive integer"),
        (1.5, RuntimeError, "set_num_threads expects an int, but got float"),
        (True, RuntimeError, "set_num_threads expects an int, but got bool"),
    ],
)
def test_counts_are_checked(n: object, error: type[Exception], message: str) -> None:
    before = tw.get_num_threads()
    with pytest.raises(error, match=message):
        tw.set_num_threads(n)
    assert tw.get_num_threads() == before


def test_interop_is_set_once() -> None:
    code = (
        "import tensorwidgets as tw\n"
        "tw.set_num_interop_threads(3); print(tw.get_num_interop_threads())\n"
        "try: tw.set_num_interop_threads(2)\n"
        "except RuntimeError as e: print(str(e)[:39])\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said == "3\nError: cannot set number of interop thr\n"


def _watched(own: Any, asked: list[object], *given: Any, **named: Any) -> Any:
    asked.append(named)
    return own(*given, **named)


def test_a_transform_starts_no_threads_that_a_fork_could_wait_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """SciPy's own threads are ended before a fork, and a second fork may wait for one of them for ever."""
    asked: list[object] = []
    for kind in ("fft", "rfft", "fftn", "rfftn"):
        watched = partial(_watched, getattr(scipy.fft, kind), asked)
        monkeypatch.setattr(scipy.fft, kind, watched)
    x = tw.randn(300, 400, dtype=tw.float64)
    wanted = np.fft.fft(x.numpy())
    assert np.allclose(tw.fft.fft(x).resolve_conj().numpy(), wanted)
    assert np.allclose(tw.fft.fft(tw.complex(x, x)).numpy(), wanted * (1 + 1j))
    assert np.allclose(tw.fft.fft2(x).resolve_conj().numpy(), np.fft.fft2(x.numpy()))
    assert asked and not any("workers" in named for named in asked if isinstance(named, dict))
