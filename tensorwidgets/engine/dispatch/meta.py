"""Checks before an op runs on `meta` tensors, which have no numbers.

A `meta` tensor has a size, strides and a dtype. The rules of the rows need no more, so nearly every op works on it.
This file checks the rest: all tensors of a call must be on devices that can meet, and ops whose result depends on
numbers are refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NoReturn

from ..errors.reasons import refuse
from ..tensor.keys import KEY_META
from ..tensor.tensor import Tensor
from .registry import Op, tensors_in

_APART = frozenset(
    "copy_ to type_as expand_as view_as reshape_as resize_as resize_as_ sparse_resize_as_ set_ equal new_tensor tensor "
    "as_tensor asarray".split()
)
"""Ops that look at another tensor's size, or work across devices."""


_SECOND_FIRST = frozenset(
    "addmm addmv binary_cross_entropy binary_cross_entropy_with_logits masked_fill cross_entropy prelu nll_loss "
    "max_unpool1d max_unpool2d max_unpool3d multilabel_margin_loss".split()
)
"""Ops that ask the device of their second operand first."""

_MEET = _SECOND_FIRST | frozenset(
    "where mv dot mse_loss smooth_l1_loss huber_loss soft_margin_loss multi_margin_loss native_batch_norm "
    "batch_norm instance_norm native_group_norm group_norm native_layer_norm layer_norm grid_sample "
    "grid_sampler_2d".split()
)
"""Ops of other families whose operands must be on one device."""


def _in_one_place(name: str) -> Callable[[list[Tensor]], str]:
    """The words of ops that take an index and what is put there."""

    def words(read: list[Tensor]) -> str:
        places = ", ".join(
            f"{what} {t.device}" for what, t in zip(("(self)", "(index)", "and (source)"), read, strict=False)
        )
        return f"{name}(): self, index and source expected to be in the same device, but got {places}"

    return words


def _in_a_chain(read: list[Tensor]) -> str:
    other = next(i for i, t in enumerate(read) if t.device != read[0].device)
    return (
        f"multi_dot(): all tensors must be on the same device but tensor 0 is on {read[0].device} and tensor {other} "
        f"on {read[other].device}"
    )


def _of_attention(read: list[Tensor]) -> str:
    query, key, value = (t.device for t in read[:3])
    return (
        f"Expected query, key, and value to have the same device type, but got query.device: {query} key.device: {key} "
        f"and value.device: {value} instead."
    )


_OWN_WORDS: dict[str, Callable[[list[Tensor]], str]] = {
    **{f"{name}{end}": _in_one_place(name) for name in ("index_add", "index_copy") for end in ("", "_")},
    "multi_dot": _in_a_chain,
    "scaled_dot_product_attention": _of_attention,
    "meshgrid": lambda read: "meshgrid expects all tensors to have the same device",
}
"""Ops that compare the devices of their tensors themselves, and what they say."""


def check(op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse a call with a `meta` tensor among its arguments that cannot do without numbers."""
    if op.name not in _APART:
        _check_devices(op, args, kwargs)


def _check_devices(op: Op, args: tuple, kwargs: dict) -> None:
    """Refuse tensors on two devices. A 0-dim tensor or an index on the CPU may meet any `meta` tensor."""
    out = kwargs.get("out")
    read = list(tensors_in(args, {name: value for name, value in kwargs.items() if name != "out"}))
    if not read:
        return
    own = _OWN_WORDS.get(_last_name(op))
    if own is not None and len({t.device for t in read[: 3 if own is _of_attention else None]}) > 1:
        _refuse_mixed(own(read))
    if _last_name(op) in _SECOND_FIRST:
        read = [*read[1:], read[0]]
    first = next((t for t in read if t._array.ndim or t._keys & KEY_META), read[0])
    meta = first._keys & KEY_META
    for t in read:
        if t._keys & KEY_META != meta and (not meta or t._array.ndim and _meets(op)):
            _refuse_two_devices(t, first)
    for target in _tensors(out):
        if bool(target._keys & KEY_META) != any(t._keys & KEY_META for t in read):
            refuse(
                RuntimeError,
                f"Attempting to copy from device {first.device} to device {target.device}, but cross-device copies are "
                "not allowed!",
                "the result has no numbers to write" if meta else "out= has no memory to write to",
                f"out=torch.empty(…, device={str(first.device)!r})",
                rule="meta.out",
            )


def _meets(op: Op) -> bool:
    """Whether all operands of an op must be on one device; other ops accept an index or a factor from the CPU."""
    return op.family in ("pointwise", "join") or _last_name(op) in _MEET


def _last_name(op: Op) -> str:
    """An op without the names of its modules: a loss is asked as `nn.functional.mse_loss`, then as `_nn.mse_loss`."""
    return op.name.rpartition(".")[2]


def _tensors(out: Tensor | None) -> Iterator[Tensor]:
    return tensors_in((out,), {})


def _refuse_two_devices(t: Tensor, first: Tensor) -> NoReturn:
    _refuse_mixed(f"Tensor on device {t.device} is not on the expected device {first.device}!")


def _refuse_mixed(message: str) -> NoReturn:
    refuse(
        RuntimeError,
        message,
        "one of the tensors has numbers, and one has a size alone",
        "t.to('meta'), for the tensor t with numbers",
        rule="meta.devices",
    )


def refuse_values(kernel: str) -> NoReturn:
    """PyTorch's refusal where a result depends on numbers; `kernel` is its name of what it has no rule for."""
    if kernel == "nonzero":
        message = (
            "The register_meta function for torch.nonzero() raises unimplemented by default, as a correct "
            "data-independent implementation does not exist. This implementation returns a fake value, assuming all "
            "elements of the tensor are non-zero. To enable this registration, please set "
            "'torch.fx.experimental._config.meta_nonzero_assume_all_nonzero' to True."
        )
    else:
        message = (
            f"aten::{kernel}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta "
            "kernel registered. You may have run into this message while using an operator with PT2 compilation APIs "
            "(torch.compile/torch.export); in order to use this operator with those APIs you'll need to add a fake "
            "impl. Please see the following for next steps:  "
            "https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
        )
    refuse(
        NotImplementedError,
        message,
        "the result depends on the numbers, and a meta tensor has none",
        "torch.zeros_like(x, device='cpu') for a tensor with numbers",
        rule="meta.values",
        kernel=kernel,
    )
