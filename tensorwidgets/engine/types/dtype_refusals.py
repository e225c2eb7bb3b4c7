"""How does PyTorch refuse a dtype that it has no kernel for? In one sentence, with the name of the kernel."""

from __future__ import annotations

from typing import NoReturn

from ..errors.reasons import refuse
from .dtypes import FLOAT, dtype


def refuse_dtype(stub: str, d: dtype, because: str = "", *instead: str) -> NoReturn:
    """Refuse a dtype that PyTorch's kernel `stub` does not compute in.

    >>> from tensorwidgets import bool as bool_
    >>> refuse_dtype("trace", bool_, "truth values have no sum")
    Traceback (most recent call last):
    NotImplementedError: "trace" not implemented for 'Bool'
    truth values have no sum
    Instead: x.float()
    """
    refuse(
        NotImplementedError,
        f"\"{stub}\" not implemented for '{d._type_name}'",
        because or f"PyTorch has no kernel for {d} here, so there are no numbers to agree with",
        *(instead or ("x.float()" if d._kind <= FLOAT else "x.abs()",)),
        rule="kernel.dtype",
        dtype=d,
    )
