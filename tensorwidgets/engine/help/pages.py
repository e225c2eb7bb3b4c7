"""The help page of an op: its signatures, what it returns, its dtypes and an example.

>>> from tensorwidgets.engine import OPS
>>> print(page(OPS["hypot"]))
Computes the length of the hypotenuse of a right triangle from its legs.
<BLANKLINE>
called    torch.hypot(input, other, *, out=None)
          x.hypot(other)
in place  x.hypot_(other)
gives     a new tensor
dtype     bool refused, int32 refused, float32 -> float32, complex64 refused
kind      pointwise
category  pointwise
kernel    numpy.hypot
"""

from __future__ import annotations

import warnings
from functools import cache
from importlib.resources import files
from inspect import Parameter, Signature

from ..dispatch.registry import OPS, Op
from ..dispatch.route import stations
from ..errors.reasons import Reason
from ..types import dtypes
from .signatures import ways

CATEGORIES = {
    "creation": "Creation",
    "indexing_slicing_joining_mutating": "Indexing, slicing, joining, mutating",
    "pointwise": "Math: pointwise",
    "reduction": "Math: reduction",
    "comparison": "Math: comparison",
    "spectral": "Math: spectral",
    "other": "Math: other",
    "blas_lapack": "Math: BLAS and LAPACK",
    "linalg": "Math: linear algebra",
    "special": "Math: special functions",
    "random_sampling": "Random sampling",
    "serialization": "Serialization",
    "parallelism": "Parallelism",
    "locally_disabling_grad": "Locally disabling gradients",
    "casting": "Casting",
    "copying": "Copying",
    "tensors_utils": "Queries about tensors, and settings",
    "utilities": "Utilities",
    "names": "Dimensions with names",
    "sparse": "Sparse tensors",
    "nn": "Neural networks",
    "tensor": "Attributes and methods of a tensor",
}
"""Categories in the order of PyTorch's documentation, then ours for what PyTorch documents with the class only."""

_KINDS = {
    "view": "a view: the same storage, no element copied",
    "inplace view": "the tensor itself, with the new shape and strides",
    "inplace": "the tensor itself, overwritten",
    "copy": "a copy",
    "creation": "a new tensor",
}
_SELF_OR_COPY = "the tensor itself if nothing changes, else a copy"
_VIEW_OR_COPY = "a view where the strides allow it, else a copy"
_GIVES = {
    **dict.fromkeys(("reshape", "reshape_as"), _VIEW_OR_COPY),
    "flatten": "the tensor itself, a view, or a copy where strides do not merge",
    "ravel": _VIEW_OR_COPY,
    "conj": "a view of a complex tensor, a real one itself",
    "real": "a view of a complex tensor, a real one itself",
    "conj_physical": "a copy of a complex tensor, a real one itself",
    "detach": "the same storage, but no view of it",
    **dict.fromkeys(("contiguous", "cpu", "resolve_conj", "resolve_neg", "to", "type_as"), _SELF_OR_COPY),
    **dict.fromkeys(("as_tensor", "asarray"), "the same memory where dtype and device fit, else a copy"),
    **dict.fromkeys(("from_numpy", "frombuffer"), "a tensor on the same memory"),
    "cuda": "a refusal: there is no GPU here",
}


def gives(op: Op) -> str:
    """Returns what a call gives: a view, a copy or the tensor itself.

    >>> gives(OPS["narrow"]), gives(OPS["add"])
    ('a view: the same storage, no element copied', 'a new tensor')
    """
    if op.name in _GIVES:
        return _GIVES[op.name]
    if op.name.endswith("_"):
        return _KINDS["inplace view" if op.family in ("view", "inplace view") else "inplace"]
    if op.category == "casting":
        return _SELF_OR_COPY
    return _KINDS.get(op.family, "a new tensor")


def page(op: Op) -> str:
    """Returns the help page of an op."""
    lines = [*called(op)]
    inplace = OPS.get(op.name + "_")
    if inplace is not None and inplace.forms:
        lines.append(("in place", call_text(f"x.{inplace.name}", ways(inplace, True)[0])))
    if op.aliases:
        lines.append(("also", ", ".join(op.aliases)))
    lines.append(("gives", gives(op)))
    asked = dtypes_asked(op)
    if asked:
        lines.append(("dtype", asked))
    lines += [("kind", op.family), ("category", CATEGORIES.get(op.category, op.category).removeprefix("Math: "))]
    lines.append(("kernel", dict(stations(op.name, (), {}))["kernel"]))
    return "\n\n".join(filter(None, [words(op), aligned(lines), examples().get(op.name)]))


def words(op: Op) -> str:
    """Returns the description of an op; for an in-place form, also that of the op."""
    base = OPS.get(op.name[:-1]) if op.family.startswith("inplace") else None
    return op.words if base is None else f"{op.words} {base.words}"


def aligned(lines: list[tuple[str, str]]) -> str:
    """Format pairs of label and text as aligned lines."""
    return "\n".join(f"{what:<9} {text}" for what, text in lines)


def called(op: Op) -> list[tuple[str, str]]:
    """Returns the signatures of an op, one line each."""
    results = []
    if "function" in op.forms:
        results += [call_text(f"torch.{op.name}", way) for way in ways(op)]
    if "method" in op.forms:
        results += [call_text(f"x.{op.name}", way) for way in ways(op, True)]
    return [("called" if i == 0 else "", text) for i, text in enumerate(results)]


def call_text(name: str, way: Signature) -> str:
    """Format a call; the result type is shown unless it is one tensor.

    >>> call_text("x.chunk", ways(OPS["chunk"], True)[0])
    'x.chunk(chunks, dim=0) -> tuple[Tensor, ...]'
    """
    parameters = [p.replace(annotation=Parameter.empty) for p in way.parameters.values() if p.name != "self"]
    result = Signature.empty if way.return_annotation == "Tensor" else way.return_annotation
    return f"{name}{way.replace(parameters=parameters, return_annotation=result)}"


# -- dtypes ------------------------------------------------------------------------------------------------------


@cache
def dtypes_asked(op: Op) -> str:
    """Returns the result dtype for some input dtypes, by calling the op; empty for ops that need other arguments.

    >>> dtypes_asked(OPS["sum"])
    'bool -> int64, int32 -> int64, float32 -> float32, complex64 -> complex64'
    """
    if op.family not in ("pointwise", "reduction"):
        return ""
    needed = [p for p in ways(op)[0].parameters.values() if p.default is Parameter.empty]
    if not all(str(p.annotation).startswith("Tensor") for p in needed):
        return ""
    return ", ".join(_asked(op, len(needed), d) for d in (dtypes.bool_, dtypes.int32, dtypes.float32, dtypes.complex64))


def _asked(op: Op, count: int, d: dtypes.dtype) -> str:
    x = OPS["ones"].plain(2, dtype=d)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = op.plain(*[x] * count)
    except Exception as error:
        if not isinstance(getattr(error, "reason", None), Reason):
            raise
        return f"{d._name} refused"
    results = result if isinstance(result, tuple) else (result,)
    return f"{d._name} -> {' and '.join(r.dtype._name for r in results)}"


# -- examples ----------------------------------------------------------------------------------------------------


@cache
def examples() -> dict[str, str]:
    """Returns examples by op name. In the file each example follows its name and ends with an empty line."""
    text = files(__package__).joinpath("examples.txt").read_text(encoding="utf-8")
    blocks = [block.partition("\n") for block in text.strip().split("\n\n")]
    return {name: example for name, _, example in blocks}
