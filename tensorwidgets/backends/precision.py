"""Which precision products of float32 may take on a GPU: stored for each library and each op, and no result changes.

What is "none" for an op is asked of its library, and then of `torch.backends.fp32_precision`.
"""

from __future__ import annotations

from typing import Any

from ..engine.errors.reasons import refuse

KNOWN = {
    "generic": ("none", "ieee", "tf32", "bf16"), "cuda": ("none", "ieee", "tf32"),
    "mkldnn": ("none", "ieee", "tf32", "bf16"),
}  # fmt: skip
_chosen = {("cuda", "conv"): "tf32", ("cuda", "rnn"): "tf32"}


def chosen(backend: str, op: str) -> str:
    """The precision of an op.

    >>> chosen("cuda", "conv"), chosen("cuda", "all")
    ('tf32', 'none')
    """
    for key in ((backend, op), (backend, "all"), ("generic", "all")):
        found = _chosen.get(key, "none")
        if found != "none":
            return found if found in KNOWN[backend] else "none"
    return "none"


def choose(backend: str, op: str, value: Any) -> None:
    """Set the precision of an op, or of all ops of a library."""
    if not isinstance(value, str):
        refuse(
            TypeError,
            "_set_fp32_precision_setter(): incompatible function arguments. The following argument types are "
            "supported:",
            "a precision has a name",
            "'ieee'",
            rule="argument.type",
        )
    if value not in KNOWN["generic"]:
        refuse(RuntimeError, f"Unknown precision: {value}", "'tf32', 'ieee' or 'none'", rule="argument.value")
    if value not in KNOWN[backend]:
        refuse(
            RuntimeError,
            f"backend '{backend}' does not support precision '{value}'",
            "this library has 'tf32' and 'ieee'",
            rule="argument.value",
        )
    _chosen[backend, op] = value


class Precision:
    """The precision of a library as an attribute of its module; `sets` is the library that an assignment is for."""

    def __init__(self, backend: str, sets: str = ""):
        self.backend, self.sets = backend, sets or backend

    def __get__(self, module: object, kind: type | None = None) -> str:
        return chosen(self.backend, "all")

    def __set__(self, module: object, value: Any) -> None:
        choose(self.sets, "all", value)


class OfOp:
    """The precision of one op of a library, as `torch.backends.cudnn.conv`."""

    _key: tuple[str, str]

    def __init__(self, backend: str, op: str):
        self.__dict__["_key"] = (backend, op)

    def __getattr__(self, name: str) -> str:
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        return chosen(*self._key)

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "fp32_precision":
            raise AttributeError("Unknown attribute " + name)
        backend, op = self._key
        choose(backend, op, value)
