"""Which op goes by which rule of names: read into `Op.names_rule` when the first named tensor is used.

Each line is a rule, the parameters that it has to know by name, and the ops that go by it. In-place forms go by the
rule of their op. The first part is PyTorch's as it was; the second goes beyond it, where no other rule could be meant.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...dispatch.registry import OPS, Op
from . import keys, merging, rules, rules_for_many
from .calls import Call
from .product import einsum
from .refusals import refuse_call

AS_PYTORCH = """
keeps: abs acos acosh angle asin asinh atan atanh bernoulli bfloat16 bitwise_not bool byte ceil char clone contiguous
keeps: conj cos cosh cpu cuda deg2rad detach digamma double empty_like erf erfc erfinv exp expm1 float floor frac
keeps: full_like half i0 imag int isfinite isinf isnan lgamma log log10 log1p log2 logical_not long neg ones_like
keeps: rad2deg rand_like randn_like real reciprocal relu round rsqrt short sigmoid sign signbit sin sinh sqrt square
keeps: tan tanh to trunc type_as zeros_like as_tensor asarray tensor conj_physical positive isreal to_dense sum_to_size
keeps(input dim): cumprod cumsum cummax cummin logcumsumexp softmax log_softmax index_fill narrow
keeps(input n dim): diff
keeps(input x dx dim): cumulative_trapezoid
keeps: gradient
keeps(input split_size_or_sections dim): split tensor_split
keeps(input split_sizes dim): split_with_sizes unsafe_split_with_sizes
keeps(input chunks dim): chunk unsafe_chunk
keeps(input split_size dim): unsafe_split
keeps: hsplit vsplit dsplit
stays: detach_ fill_ zero_ fill_diagonal_ normal_ uniform_ random_ bernoulli_ exponential_ geometric_
stays: cauchy_ log_normal_
resizes: resize_ resize_as_
unifies: add addcdiv addcmul atan2 clamp clamp_max clamp_min copy_ div eq floor_divide ge gt hypot igamma igammac le
unifies: float_power
unifies: logaddexp logaddexp2 logical_and logical_or logical_xor lt mul ne nextafter polygamma pow sub
removes(input dim keepdim): logsumexp max min mean median nanmedian prod sum
removes(input dim unbiased keepdim): std std_mean var var_mean
removes(input dim keepdim): all any
removes_last(input dim keepdim): mode
removes_last(input k dim keepdim): kthvalue
removes_one(input dim): select unbind
squeezes(input dim): squeeze
permutes(input dim0 dim1): transpose
turns: t
diagonal(input offset dim1 dim2): diagonal
matrix_diagonal(input offset dim1 dim2): linalg.diagonal
expands: expand
drops: as_strided from_dlpack
flattens: flatten
unflattens(input dim sizes): unflatten
contracts: matmul mm mv bmm linalg.matmul
distances: cdist
contracts_all: dot
adds_product: addmm addmv
masked: masked_select
removes_last(input x dx dim): trapezoid
unifies_and_removes(input other dim): linalg.vecdot
fills(input mask): masked_fill
joins(tensors dim): cat
joins(tensors): hstack
joins_below(tensors): vstack
joins_beside(tensors): column_stack
agrees: equal
each_its_own: broadcast_tensors
"""

BEYOND = """
keeps(input k dim): topk
unifies: normal
keeps: resolve_conj resolve_neg cfloat cdouble chalf
turns: adjoint_view adjoint
reverses: numpy_T
reorders: permute
moves(input source destination): movedim
unsqueezes(input dim): unsqueeze
raises: atleast_1d atleast_2d atleast_3d
expands(input other): expand_as
expands: broadcast_to
stacks(tensors dim): stack
"""


_RULES = {**vars(rules), **vars(merging), **vars(rules_for_many)}


@dataclass(frozen=True, slots=True)
class Row:
    """What stands in `Op.names_rule`: a rule and the parameters that it knows by name."""

    rule: Callable[[Call], Any]
    parameters: tuple[str, ...] = ()

    def __call__(self, op: Op, args: tuple, kwargs: dict) -> tuple[Call, Any]:
        """A call, its dimensions by number, and the names of its results."""
        call = Call(op, args, kwargs, self.parameters)
        return call, self.rule(call)


def _entries(text: str) -> list[tuple[str, Row]]:
    """Each op with its row."""
    results = []
    for line in text.strip().splitlines():
        rule, _, ops = line.partition(": ")
        name, _, parameters = rule.rstrip(")").partition("(")
        known = tuple(parameters.split())
        results += [(op, Row(_RULES[name], known)) for op in ops.split()]
    return results


def _fill() -> None:
    for op, row in _entries(AS_PYTORCH) + _entries(BEYOND):
        OPS[op].names_rule = row
    for op, rule in (("getitem", keys.indexed), ("setitem", keys.assigned), ("einsum", einsum)):
        OPS[op].names_rule = Row(rule)


_fill()


def rule_of(op: Op, args: tuple, kwargs: dict) -> Row:
    """The rule of an op; a call of an op without one is refused."""
    result: Any = op.names_rule
    if result is None and op.name.endswith("_") and op.name[:-1] in OPS:
        result = OPS[op.name[:-1]].names_rule
    if result is None:
        refuse_call(op, args, kwargs)
    return result
