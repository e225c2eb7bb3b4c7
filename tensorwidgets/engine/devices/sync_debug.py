"""What happens where a program waits for a GPU without a call that says so: nothing, a warning, or a refusal."""

from __future__ import annotations

from ..errors.reasons import refuse
from ..errors.warnings import warn

MODES = ("default", "warn", "error")
SAID = "called a synchronizing CUDA operation"


class _Mode:
    number = 0


def mode() -> int:
    """The number of the mode, as in `MODES`."""
    return _Mode.number


def set_mode(number: int) -> None:
    """Choose a mode by its number."""
    warn(
        "Synchronization debug mode is a prototype feature and does not yet detect all synchronizing operations",
        once=True,
    )
    _Mode.number = number


def about_to_wait() -> None:
    """Warn or refuse, if that was asked for, before a call waits for all work of its stream."""
    if _Mode.number == 1:
        warn(SAID)
    elif _Mode.number == 2:
        refuse(
            RuntimeError,
            SAID,
            "the program waits here until the GPU is done: a number or a size is needed, or elements move and nobody "
            "asked for `non_blocking=True`",
            "torch.cuda.set_sync_debug_mode('default')",
            rule="device.sync",
        )
