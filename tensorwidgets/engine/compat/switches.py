"""PyTorch's settings for its kernels: determinism and matmul precision.

They are stored and returned, and change no result: every kernel here is deterministic and computes in full precision.
Where deterministic algorithms are asked for, `torch.empty` is full of NaN, and functions that PyTorch has none for are
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..calling.reading import Notations
from ..errors import warnings
from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..tensor import deterministic, unset
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..types.dtypes import bool_

_MODES = ("default", "warn", "error")
_PRECISIONS = ("highest", "high", "medium")
_mode = 0
_precision = "highest"
_DETERMINISTIC = Notations("_set_deterministic_algorithms", ("bool mode, *, bool warn_only=False",))
_ASSERTION = Notations("_assert_async", ("Tensor input", "Tensor input, c10::string_view assert_msg"))


def use_deterministic_algorithms(mode: bool, *, warn_only: bool = False) -> None:
    """Sets whether ops must use deterministic algorithms; all do here.

    Numbers that nobody has set are then NaN, and `put_` and `max_unpool2d` are refused, as in PyTorch.
    """
    _DETERMINISTIC.read((mode,), {"warn_only": warn_only})
    _set_mode(0 if not mode else 1 if warn_only else 2)


def _set_mode(mode: int) -> None:
    global _mode
    _mode = mode
    unset.settings.deterministic = mode > 0
    deterministic.settings.mode = mode


def are_deterministic_algorithms_enabled() -> bool:
    """Returns whether deterministic algorithms are enabled."""
    return _mode > 0


def is_deterministic_algorithms_warn_only_enabled() -> bool:
    """Returns whether nondeterministic ops are set to warn instead of raising."""
    return _mode == 1


def get_deterministic_debug_mode() -> int:
    """Returns the deterministic mode: 0 for default, 1 for warn, 2 for error."""
    return _mode


def set_deterministic_debug_mode(debug_mode: int | str) -> None:
    """Sets the deterministic mode by number or by name.

    >>> set_deterministic_debug_mode("warn")
    >>> get_deterministic_debug_mode()
    1
    >>> set_deterministic_debug_mode("default")
    """
    if not isinstance(debug_mode, (int, str)):
        message = f"debug_mode must be str or int, but got {type(debug_mode)}"
        refuse(TypeError, message, "0, 1, 2, or their names", rule="argument.type")
    if debug_mode not in (*_MODES, 0, 1, 2):
        ways = "`default`, `warn`, `error`" if isinstance(debug_mode, str) else "0, 1, or 2"
        message = f"invalid value of debug_mode, expected {'one of ' if isinstance(debug_mode, str) else ''}{ways}"
        refuse(RuntimeError, f"{message}, but got {debug_mode}", "0, 1, 2, or their names", rule="argument.value")
    _set_mode(_MODES.index(debug_mode) if isinstance(debug_mode, str) else int(debug_mode))


def get_float32_matmul_precision() -> str:
    """Returns the precision set for float32 matrix products, which are always computed in the highest one here.

    >>> get_float32_matmul_precision()
    'highest'
    """
    return _precision


def set_float32_matmul_precision(precision: str) -> None:
    """Sets the precision of float32 matrix products; has no effect here."""
    global _precision
    if not isinstance(precision, str):
        message = f"set_float32_matmul_precision expects a str, but got {type(precision).__name__}"
        refuse(RuntimeError, message, f"one of {', '.join(_PRECISIONS)}", rule="argument.type")
    if precision in _PRECISIONS:
        _precision = precision
    else:
        warn(
            f"{precision} is not one of 'highest', 'high', or 'medium'; the currentsetFloat32MatmulPrecision call has "
            "no effect."
        )


def set_warn_always(b: bool, /) -> None:
    """Chooses whether warnings that normally appear once appear each time.

    >>> set_warn_always(False)
    """
    if type(b) is not bool:
        refuse(RuntimeError, f"setWarnOnlyOnce expects a bool, but got {type_name(b)}", rule="argument.type")
    warnings.set_warn_always(b)


ATTENTION = {"flash": True, "mem_efficient": True, "math": True, "cudnn": True, "reduced": False}
"""Which kernels attention may take, and whether it may add in 16 bits; stored, and changes nothing here."""


@contextmanager
def attention_by(**enabled: bool) -> Iterator[None]:
    """A block in which attention may take some kernels, or may not."""
    before = dict(ATTENTION)
    ATTENTION.update(enabled)
    try:
        yield
    finally:
        ATTENTION.update(before)


def compiled_with_cxx11_abi() -> bool:
    """Returns True, as PyTorch does."""
    return True


def _check_with(error_type: type[Exception], cond: bool, message: Callable[[], object] | None) -> None:
    """Raise an error of some type with what `message` returns unless `cond` is true."""
    if not isinstance(cond, bool):
        wrong = f"cond must be a bool, but got {type(cond)}"
        if isinstance(cond, Tensor):
            wrong = (
                "cond must be a bool, but got a Tensor. For tensor conditions, use torch._check_tensor_all() to assert "
                "that all elements are true."
            )
        refuse(TypeError, wrong, "a tensor of one element is not a bool", "bool(x)", rule="argument.type")
    if cond:
        return
    if message is not None and not callable(message):
        refuse(TypeError, "message must be a callable", "it is made if needed", "lambda: '…'", rule="argument.type")
    expected = "Expected cond to be True, but got False."
    hint = "(Could this error message be improved? If so, please report an enhancement request to PyTorch.)"
    raise error_type(f"{expected} {hint}" if message is None else str(message()))


def _checker(name: str, error_type: type[Exception]) -> Callable:
    def check(cond: bool, message: Callable[[], object] | None = None) -> None:
        _check_with(error_type, cond, message)

    check.__name__ = check.__qualname__ = name
    check.__doc__ = f"""Raise {error_type.__name__} with what `message` returns unless `cond` is true.

    >>> {name}(True, lambda: "never asked")
    """
    return check


_check = _checker("_check", RuntimeError)
_check_index = _checker("_check_index", IndexError)
_check_value = _checker("_check_value", ValueError)
_check_type = _checker("_check_type", TypeError)
_check_not_implemented = _checker("_check_not_implemented", NotImplementedError)


def _check_is_size(i: int, message: Callable[[], object] | None = None, *, max: int | None = None) -> None:
    """Raise RuntimeError unless a number is a size, and no more than `max`."""
    warn(
        "_check_is_size will be removed in a future PyTorch release along with guard_size_oblivious.     Use "
        "_check(i >= 0) instead.",
        FutureWarning,
    )
    _check(i >= 0, message)
    if max is not None:
        _check(i <= max, message)


def _check_tensor_all_with(
    error_type: type[Exception], cond: Tensor, message: Callable[[], object] | None = None
) -> None:
    """Raise an error of some type unless all elements of a tensor of bools are true."""
    if not isinstance(cond, Tensor):
        refuse(
            TypeError, f"cond must be a tensor, but got {type(cond)}", "its elements are asked", rule="argument.type"
        )
    if cond.dtype is not bool_:
        message_of_dtype = f"cond tensor must have dtype torch.bool, but got {cond.dtype}"
        refuse(TypeError, message_of_dtype, "each element says yes or no", "cond != 0", rule="argument.type")
    _check_with(error_type, bool(cond.all()), message)


def _check_tensor_all(cond: Tensor, message: Callable[[], object] | None = None) -> None:
    """Raise RuntimeError unless all elements of a tensor of bools are true."""
    _check_tensor_all_with(RuntimeError, cond, message)


def _assert(condition: Any, message: str) -> None:
    """Raises an AssertionError with a message unless a condition holds."""
    assert condition, message


def _assert_async(input: Tensor, assert_msg: str = "") -> None:
    """Raises a RuntimeError if the one element of a tensor is zero; on a GPU that is noticed later."""
    _ASSERTION.read((input, assert_msg) if assert_msg else (input,), {})
    if not input:
        zero = "Expected Tensor with single nonzero value, but got zero"
        refuse(RuntimeError, assert_msg or zero, "the value that was asserted is zero", rule="assert.zero")


FACE: dict[str, Any] = {
    f.__name__: f
    for f in (
        use_deterministic_algorithms, are_deterministic_algorithms_enabled,
        is_deterministic_algorithms_warn_only_enabled, get_deterministic_debug_mode, set_deterministic_debug_mode,
        get_float32_matmul_precision, set_float32_matmul_precision, compiled_with_cxx11_abi, _assert, _assert_async,
        _check, _check_index, _check_value, _check_type, _check_not_implemented, _check_with, _check_is_size,
        _check_tensor_all, _check_tensor_all_with, set_warn_always,
    )
}  # fmt: skip
