"""The functions that PyTorch has no deterministic algorithm for, though each gives the same numbers every time here."""

from __future__ import annotations

from ..errors.reasons import refuse
from ..errors.warnings import warn


class _Settings:
    """What becomes of a call of such a function: 0, nothing; 1, a warning; 2, a refusal."""

    mode = 0


settings = _Settings()


def alert(name: str) -> None:
    """Warn of a function without a deterministic algorithm or refuse it, if the user has asked for that."""
    if not settings.mode:
        return
    asked, again = "torch.use_deterministic_algorithms(True", "https://github.com/pytorch/pytorch/issues"
    help_us = f"file an issue at {again} to help us prioritize adding deterministic support for this operation."
    head = f"{name} does not have a deterministic implementation, but you set '{asked}"
    if settings.mode == 1:
        warn(f"{head}, warn_only=True)'. You can {help_us}")
        return
    refuse(
        RuntimeError,
        f"{head})'. You can turn off determinism just for this operation, or you can use the 'warn_only=True' option, "
        f"if that's acceptable for your application. You can also {help_us}",
        "the same place may be written to several times, in an order that PyTorch does not promise",
        "torch.use_deterministic_algorithms(False)",
        rule="deterministic",
    )
