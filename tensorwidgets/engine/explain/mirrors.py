"""The same call with mirrors: empty tensors of this engine in the place of arrays that others made."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

import numpy as np

from ..errors import reasons
from ..errors.reasons import Reason
from ..interop.foreign_arrays import OURS, Facts, facts_of, is_array, is_dtype, library_of
from ..memory import MetaArray
from ..tensor.generator import get_rng_state, set_rng_state
from ..tensor.tensor import Tensor
from ..tensor.wrapping import view_of, wrap, wrap_any
from ..types import dtypes

LARGEST = 2**20
"""The most bytes that a mirror allocates; a larger array is mirrored by a meta tensor, which has no data."""
_DTYPES = {d._name: d for d in dtypes.ALL}
_IN_NUMPY = (
    (".unsqueeze(-1)", "[..., None]"), (".unsqueeze(0)", "[None]"), (".t()", ".T"), ("torch.cat(", "np.concatenate("),
    ("dim=", "axis="), (".contiguous()", ".copy()"), (".clone()", ".copy()"), ("torch.", "np."),
    (".numel()", ".size"), (".long()", ".astype(int)"), (".float()", ".astype(float)"),
)  # fmt: skip
"""How to turn a suggestion in PyTorch's spelling into NumPy's."""


def mirrored_call(
    error: Exception, do: Callable[..., Any], args: tuple, kwargs: Mapping[str, Any], numpy: bool = False
) -> Reason | None:
    """Why a function of this engine refuses mirrors of the operands; None if it does not, or for another reason.

    No warning is shown, nothing is drawn, and the last error stays the last one.
    """
    kept = reasons.latest
    drawn = get_rng_state()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            do(*(_mirror(a) for a in args), **{k: _mirror(v) for k, v in kwargs.items()})
    except Exception as result:
        reason = getattr(result, "reason", None)
        same = _same_sort if numpy else _same_refusal
        if isinstance(reason, Reason) and reason.because and same(result, error):
            ways = tuple(_for_numpy(way) for way in reason.instead) if numpy else reason.instead
            return Reason(reason.rule, type(error), str(error), reason.because, ways, reason.facts)
    finally:
        reasons.latest = kept
        set_rng_state(drawn)
    return None


def _same_refusal(ours: Any, theirs: Exception) -> bool:
    """Whether two errors say the same: else ours may be about something else. PyTorch's devices are its own."""
    one, other = (str(error).partition("\n")[0].strip() for error in (ours, theirs))
    return isinstance(theirs, type(ours)) and one == other and not ours.reason.rule.startswith("device.")


def _same_sort(ours: Any, theirs: Exception) -> bool:
    """Whether an error of NumPy's may be about what ours is about: both or neither are about an index or an axis."""
    index = issubclass(ours.reason.error, IndexError) or ours.reason.rule.startswith("index.")
    return index == isinstance(theirs, IndexError)


def _for_numpy(way: str) -> str:
    for torch_text, numpy_text in _IN_NUMPY:
        way = way.replace(torch_text, numpy_text)
    return re.sub(r"\bx\.repeat\((.*?)\)", r"np.tile(x, (\1))", way)


def flat(values: Any) -> list[Any]:
    results: list[Any] = []
    for v in values:
        results += flat(v) if isinstance(v, (list, tuple)) else [v]
    return results


def _mirror(value: Any) -> Any:
    """An argument with every foreign array and dtype replaced by this engine's."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(_mirror, value)) if type(value) in (list, tuple) else tuple(map(_mirror, value))
    if is_array(value):
        return value if library_of(value) == OURS else mirror_of(value)
    if is_dtype(value):
        return _DTYPES.get(getattr(value, "name", None) or str(value).rpartition(".")[2], value)
    return value


def mirror_of(array: np.ndarray) -> Any:
    """A tensor of this engine with the size, stride, offset and dtype of another library's array.

    >>> mirror_of(np.arange(6.0).reshape(2, 3).T).stride()
    (1, 3)
    """
    facts = facts_of(array)
    if facts is None:
        return array
    d = _DTYPES.get(facts.dtype)
    if d is None:
        return array
    if d._kind <= dtypes.INTEGER and facts.start and facts.nbytes <= LARGEST:
        base = _with_numbers(array, facts, d)  # integers and masks may be indices, so their values matter
    else:
        base = _empty(facts, d)
    mirror = view_of(base, facts.geometry)
    if getattr(array, "requires_grad", False):
        mirror._requires_grad = True
    return mirror


def _empty(facts: Facts, d: dtypes.dtype) -> Tensor:
    count = max(facts.storage_nbytes // facts.itemsize, 1)
    without_data = not facts.start and facts.nbytes > 0
    if not without_data and facts.storage_nbytes <= LARGEST and prod(facts.geometry.size) * facts.itemsize <= LARGEST:
        return wrap(np.zeros(count, d._in_numpy), d)
    return wrap_any(MetaArray((count,), (facts.itemsize,), d._in_numpy), d)


def _with_numbers(array: np.ndarray, facts: Facts, d: dtypes.dtype) -> Tensor:
    numbers = np.asarray(array.tolist(), d._in_numpy).reshape(facts.geometry.size)
    base = np.zeros(max(facts.storage_nbytes // facts.itemsize, 1), d._in_numpy)
    if numbers.size:
        view = view_of(wrap(base, d), facts.geometry)
        view._array[...] = numbers
    return wrap(base, d)
