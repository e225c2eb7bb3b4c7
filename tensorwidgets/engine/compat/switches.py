"""Switches that PyTorch has for its kernels. They are kept and told; here every kernel gives one answer, in full
precision, so none of them changes a number."""

from __future__ import annotations

from typing import Any

from ..calling.arguments import Signatures
from ..errors.reasons import refuse

_MODES = ("default", "warn", "error")
_PRECISIONS = ("highest", "high", "medium")
_mode = 0
_precision = "highest"
_DETERMINISTIC = Signatures("_set_deterministic_algorithms", "bool mode, *, bool warn_only = False")


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Ask for kernels that answer alike each time; all of these do."""
    global _mode
    _DETERMINISTIC.read((mode,), {"warn_only": warn_only})
    _mode = 0 if not mode else 1 if warn_only else 2


def are_deterministic_algorithms_enabled() -> bool:
    """Whether they were asked for."""
    return _mode > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Whether other kernels were only to warn."""
    return _mode == 1


def get_deterministic_debug_mode() -> int:
    """0 for either kind of kernel, 1 to be warned, 2 to be refused."""
    return _mode


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """The same switch, by number or by name.

    >>> set_deterministic_debug_mode("warn")
    >>> get_deterministic_debug_mode()
    1
    >>> set_deterministic_debug_mode("default")
    """
    global _mode
    if not isinstance(debug_mode, (int, str)):
        told = f"debug_mode must be str or int, but got {type(debug_mode)}"
        refuse(TypeError, told, "0, 1, 2, or their names", rule="argument.type")
    if debug_mode not in (*_MODES, 0, 1, 2):
        ways = "`default`, `warn`, `error`" if isinstance(debug_mode, str) else "0, 1, or 2"
        told = f"invalid value of debug_mode, expected {'one of ' if isinstance(debug_mode, str) else ''}{ways}"
        refuse(RuntimeError, f"{told}, but got {debug_mode}", "0, 1, 2, or their names", rule="argument.value")
    _mode = _MODES.index(debug_mode) if isinstance(debug_mode, str) else int(debug_mode)


def get_float32_matmul_precision() -> str:
    """In which precision float32 matrices were asked to be multiplied. Here it is the highest, whatever was asked.

    >>> get_float32_matmul_precision()
    'highest'
    """
    return _precision


def set_float32_matmul_precision(precision: str) -> None:
    """Ask for a precision."""
    global _precision
    if not isinstance(precision, str):
        told = f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}"
        refuse(RuntimeError, told, f"one of {', '.join(_PRECISIONS)}", rule="argument.type")
    if precision in _PRECISIONS:
        _precision = precision


def compiled_with_cxx11_abi() -> bool:
    """A question about PyTorch's C++, to which its answer has long been True."""
    return True


def _assert(condition: Any, message: str) -> None:
    """Python's assert as a function."""
    assert condition, message


FACE: dict[str, Any] = {
    f.__name__: f
    for f in (
        use_deterministic_algorithms, are_deterministic_algorithms_enabled,
        is_deterministic_algorithms_warn_only_enabled, get_deterministic_debug_mode, set_deterministic_debug_mode,
        get_float32_matmul_precision, set_float32_matmul_precision, compiled_with_cxx11_abi, _assert,
    )
}  # fmt: skip
