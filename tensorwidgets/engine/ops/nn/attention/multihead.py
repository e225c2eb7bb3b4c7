"""Attention with several heads: inputs are projected, each head attends for itself, and the results are projected."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....errors.warnings import warn
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtypes import bool_
from ..declaring import nn_composite

if TYPE_CHECKING:
    from ....types.dtypes import dtype


_TOGETHER = "queries, keys, values, weights and masks have to fit together"


def _check(
    fits: bool, message: str, error: type[Exception] = AssertionError, because: str = _TOGETHER, *ways: str
) -> None:
    if not fits:
        refuse(error, message, because, *ways, rule="attention.size")


def shape_check(
    query: Tensor, key: Tensor, value: Tensor, padding: Tensor | None, mask: Tensor | None, heads: int
) -> bool:
    """Whether the inputs are batches; refuses dimensions that do not fit."""
    dims = query.dim()
    _check(dims in (2, 3), f"query should be unbatched 2D or batched 3D tensor but received {dims}-D query tensor")
    kind = "batched (3-D)" if dims == 3 else "unbatched (2-D)"
    expected = f"For {kind} `query`, expected"
    _check(
        key.dim() == dims and value.dim() == dims,
        f"{expected} `key` and `value` to be {dims}-D but found {key.dim()}-D and {value.dim()}-D tensors respectively",
    )
    if padding is not None:
        found = f"but found {padding.dim()}-D tensor instead"
        _check(padding.dim() == dims - 1, f"{expected} `key_padding_mask` to be `None` or {dims - 1}-D {found}")
    if mask is not None:
        found = f"but found {mask.dim()}-D tensor instead"
        _check(mask.dim() in (2, 3), f"{expected} `attn_mask` to be `None`, 2-D or 3-D {found}")
        if dims == 2 and mask.dim() == 3:
            wanted = (heads, query.shape[0], key.shape[0])
            _check(mask.shape == wanted, f"Expected `attn_mask` shape to be {wanted} but got {mask.shape}")
    return bool(dims == 3)


def of_fractions(mask: Tensor | None) -> bool:
    """Whether a mask is added to scores; what is no tensor is refused, as `torch.is_floating_point` does it."""
    if mask is None:
        return False
    must_be_tensor("is_floating_point", mask)
    return mask.is_floating_point()


def canonical_mask(
    mask: Tensor | None, name: str, other: Tensor | None, other_name: str, dtype: dtype, check_other: bool = True
) -> Tensor | None:
    """A mask as numbers that are added to scores; True of a bool mask becomes minus infinity."""
    if other is not None and not isinstance(other, Tensor):
        raise RuntimeError("input to _none_or_dtype() must be None or torch.Tensor")
    if mask is None:
        return None
    found, floats = mask.dtype, of_fractions(mask)
    _check(found is bool_ or floats, f"only bool and floating types of {name} are supported")
    if check_other and other is not None and mask.dtype is not other.dtype:
        warn(f"Support for mismatched {name} and {other_name} is deprecated. Use same type for both instead.")
    if floats:
        return mask
    numbers: Tensor = OPS["zeros_like"].function(mask, dtype=dtype)
    return numbers.masked_fill_(mask, -math.inf)


# -- projections -------------------------------------------------------------------------------------------------


def _in_turn(x: Tensor, count: int) -> Tensor:
    """The parts of the last dimension as a new first one."""
    return x.unflatten(-1, (count, x.size(-1) // count)).unsqueeze(0).transpose(0, -2).squeeze(-2).contiguous()


def project_together(q: Tensor, k: Tensor, v: Tensor, w: Tensor, b: Tensor | None) -> list[Any]:
    """The three projections by one weight, with as few products as there are different inputs."""
    linear = OPS["nn.functional.linear"].function
    if k is v and q is k:
        return _each(_in_turn(linear(q, w, b), 3), 3)
    if k is v:
        size = q.size(-1)
        w_q, w_kv = w.split_with_sizes([size, size * 2])
        b_q, b_kv = (None, None) if b is None else b.split_with_sizes([size, size * 2])
        projected = linear(q, w_q, b_q)
        return [projected, *_each(_in_turn(linear(k, w_kv, b_kv), 2), 2)]
    biases = (None,) * 3 if b is None else b.chunk(3)
    return [linear(x, each, bias) for x, each, bias in zip((q, k, v), w.chunk(3), biases, strict=True)]


def _each(x: Tensor, count: int) -> list[Any]:
    return [x[n] for n in range(count)]


def project_apart(inputs: tuple[Tensor, ...], weights: tuple[Any, ...], bias: Tensor | None) -> list[Any]:
    """The three projections by a weight each."""
    size = inputs[0].size(-1)
    biases = (None,) * 3 if bias is None else bias.chunk(3)
    for name, x, w in zip(("query", "key", "value"), inputs, weights, strict=True):
        wanted = (size, x.size(-1))
        _check(w.shape == wanted, f"expecting {name} weights shape of {wanted}, but got {w.shape}")
    for name, b in zip(("query", "key", "value"), biases, strict=True):
        found = (size,) if b is None else b.shape
        _check(found == (size,), f"expecting {name} bias shape of {(size,)}, but got {found}")
    linear = OPS["nn.functional.linear"].function
    return [linear(x, w, b) for x, w, b in zip(inputs, weights, biases, strict=True)]


# -- attention ---------------------------------------------------------------------------------------------------


class Keys(NamedTuple):
    """What is looked up, with the masks that say what counts."""

    k: Tensor
    v: Tensor
    mask: Tensor | None
    padding: Tensor | None

    def longer(self, k: Tensor, v: Tensor) -> Keys:
        """One more key and value, which no mask hides."""
        masks = [None if m is None else OPS["nn.functional.pad"].function(m, (0, 1)) for m in self[2:]]
        return Keys(k, v, *masks)


def _with_biases(
    keys: Keys, bias_k: Tensor | None, bias_v: Tensor | None, batch: int, static_k: Any, static_v: Any
) -> Keys:
    if bias_k is None or bias_v is None:
        _check(bias_k is None, "bias_k is set but bias_v is None")
        _check(bias_v is None, "bias_v is set but bias_k is None")
        return keys
    _check(static_k is None, "bias cannot be added to static key.")
    _check(static_v is None, "bias cannot be added to static value.")
    cat = OPS["cat"].function
    return keys.longer(cat([keys.k, bias_k.repeat(1, batch, 1)]), cat([keys.v, bias_v.repeat(1, batch, 1)]))


def _of_heads(x: Tensor, static: Tensor | None, name: str, rows: int, size: int) -> Tensor:
    """(steps, batch, embedding) as (batch * heads, steps, size of a head)."""
    if static is None:
        return x.view(x.shape[0], rows, size).transpose(0, 1)
    for dim, wanted in ((0, rows), (2, size)):
        _check(static.size(dim) == wanted, f"expecting {name}.size({dim}) of {wanted}, but got {static.size(dim)}")
    return static


def _with_zeros(keys: Keys) -> Keys:
    def longer(x: Tensor) -> Any:
        zeros = OPS["zeros"].function((x.size(0), 1, x.size(2)), dtype=x.dtype, device=x.device)
        return OPS["cat"].function([x, zeros], 1)

    return keys.longer(longer(keys.k), longer(keys.v))


def _check_mask(mask: Tensor | None, wanted: tuple[int, int], rows: int) -> Tensor | None:
    if mask is None:
        return None
    if mask.dim() == 3:
        wanted_3d = (rows, *wanted)
        message = f"The shape of the 3D attn_mask is {mask.shape}, but should be {wanted_3d}."
        _check(mask.shape == wanted_3d, message, RuntimeError)
        return mask
    _check(mask.dim() == 2, f"attn_mask's dimension {mask.dim()} is not supported", RuntimeError)
    message = f"The shape of the 2D attn_mask is {mask.shape}, but should be {wanted}."
    because = (
        f"a mask says for each query which keys it may see: there are {wanted[0]} queries and {wanted[1]} keys, and "
        f"the mask is for {mask.shape[0]} and {mask.shape[1]}"
    )
    fits = mask.shape[0] >= wanted[0] and mask.shape[1] >= wanted[1]
    ways = [f"mask[:{wanted[0]}, :{wanted[1]}]"] if fits else ["a mask of size " + str(list(wanted))]
    _check(mask.shape == wanted, message, RuntimeError, because, *ways)
    return mask.unsqueeze(0)


def _merged(keys: Keys, batch: int, heads: int) -> Tensor | None:
    """Both masks as one."""
    padding, steps = keys.padding, keys.k.size(1)
    if padding is None:
        return keys.mask
    for dim, wanted in enumerate((batch, steps)):
        message = f"Expected key_padded_mask.shape[{dim}] to be {wanted}, but got {padding.shape[dim]}"
        because = f"a padding mask has size (batch, keys): {[batch, steps]}, not {list(padding.shape)}"
        turned = ["key_padding_mask.t()"] if padding.shape == (steps, batch) else []
        _check(padding.shape[dim] == wanted, message, AssertionError, because, *turned)
    padding = padding.view(batch, 1, 1, steps).expand(-1, heads, -1, -1).reshape(batch * heads, 1, steps)
    return padding if keys.mask is None else keys.mask + padding


def _with_weights(q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None, dropout_p: float) -> tuple[Tensor, Tensor]:
    q = q * math.sqrt(1.0 / float(q.size(-1)))
    k = k.transpose(-2, -1)
    scores = OPS["bmm"].function(q, k) if mask is None else OPS["baddbmm"].function(mask, q, k)
    weights = OPS["nn.functional.softmax"].function(scores, -1)
    if dropout_p > 0.0:
        weights = OPS["nn.functional.dropout"].function(weights, dropout_p)
    return OPS["bmm"].function(weights, v), weights


@nn_composite(
    "nn.functional.multi_head_attention_forward", "Attention with several heads, and the weights that it used."
)
def multi_head_attention_forward(
    query: Tensor, key: Tensor, value: Tensor, embed_dim_to_check: int, num_heads: int,
    in_proj_weight: Tensor | None, in_proj_bias: Tensor | None, bias_k: Tensor | None, bias_v: Tensor | None,
    add_zero_attn: bool, dropout_p: float, out_proj_weight: Tensor, out_proj_bias: Tensor | None,
    training: bool = True, key_padding_mask: Tensor | None = None, need_weights: bool = True,
    attn_mask: Tensor | None = None, use_separate_proj_weight: bool = False, q_proj_weight: Tensor | None = None,
    k_proj_weight: Tensor | None = None, v_proj_weight: Tensor | None = None, static_k: Tensor | None = None,
    static_v: Tensor | None = None, average_attn_weights: bool = True, is_causal: bool = False,
) -> tuple[Tensor, Tensor | None]:  # fmt: skip
    batched = shape_check(query, key, value, key_padding_mask, attn_mask, num_heads)
    if not batched:
        query = query.unsqueeze(1)
        key = key.unsqueeze(1)
        value = value.unsqueeze(1)
        key_padding_mask = None if key_padding_mask is None else key_padding_mask.unsqueeze(0)
    steps, batch, size = query.shape
    padding = canonical_mask(key_padding_mask, "key_padding_mask", attn_mask, "attn_mask", query.dtype)
    if is_causal and attn_mask is None:
        message = (
            "Need attn_mask if specifying the is_causal hint. You may use the Transformer module method "
            "`generate_square_subsequent_mask` to create this mask."
        )
        _check(False, message, RuntimeError)
    if is_causal and padding is None and not need_weights:
        mask = None  # the hint is enough
    else:
        mask = canonical_mask(attn_mask, "attn_mask", None, "", query.dtype, False)
        is_causal = is_causal and padding is None
    _check(
        size == embed_dim_to_check,
        f"was expecting embedding dimension of {embed_dim_to_check}, but got {size}",
        AssertionError,
        f"the last dimension of a query has the features: {list(query.shape)} has {size}, and the layer takes "
        f"{embed_dim_to_check}",
        f"a layer with embed_dim={size}",
    )
    head = size // num_heads
    _check(head * num_heads == size, f"embed_dim {size} not divisible by num_heads {num_heads}")
    if use_separate_proj_weight:
        message = f"key's sequence and batch dims {key.shape[:2]} do not match value's {value.shape[:2]}"
        _check(key.shape[:2] == value.shape[:2], message)
        weights = q_proj_weight, k_proj_weight, v_proj_weight
        for name, w in zip("qkv", weights, strict=True):
            _check(w is not None, f"use_separate_proj_weight is True but {name}_proj_weight is None")
        q, k, v = project_apart((query, key, value), weights, in_proj_bias)
    else:
        _check(key.shape == value.shape, f"key shape {key.shape} does not match value shape {value.shape}")
        if in_proj_weight is None:
            raise AssertionError("use_separate_proj_weight is False but in_proj_weight is None")
        q, k, v = project_together(query, key, value, in_proj_weight, in_proj_bias)
    rows = batch * num_heads
    keys = Keys(k, v, _check_mask(mask, (steps, key.shape[0]), rows), padding)
    keys = _with_biases(keys, bias_k, bias_v, batch, static_k, static_v)
    q = q.view(steps, rows, head).transpose(0, 1)
    k, v = (
        _of_heads(x, static, name, rows, head)
        for x, static, name in ((keys.k, static_k, "static_k"), (keys.v, static_v, "static_v"))
    )
    keys = keys._replace(k=k, v=v)
    keys = _with_zeros(keys) if add_zero_attn else keys
    mask, dropout_p = _merged(keys, batch, num_heads), dropout_p if training else 0.0
    seen = keys.k.size(1)
    linear = OPS["nn.functional.linear"].function
    if not need_weights:
        if mask is not None:
            mask = mask.unsqueeze(0) if mask.size(0) == 1 and mask.dim() == 3 else mask.view(batch, num_heads, -1, seen)
        q, k, v = (x.view(batch, num_heads, x.size(1), head) for x in (q, keys.k, keys.v))
        attend = OPS["nn.functional.scaled_dot_product_attention"].function
        found = attend(q, k, v, mask, dropout_p, is_causal).permute(2, 0, 1, 3).reshape(batch * steps, size)
        output = linear(found, out_proj_weight, out_proj_bias)
        output = output.view(steps, batch, output.size(1))
        return output if batched else output.squeeze(1), None
    found, shares = _with_weights(q, keys.k, keys.v, mask, dropout_p)
    output = linear(found.transpose(0, 1).reshape(steps * batch, size), out_proj_weight, out_proj_bias)
    output = output.view(steps, batch, output.size(1))
    shares = shares.view(batch, num_heads, steps, seen)
    if average_attn_weights:
        shares = shares.mean(1)
    return (output, shares) if batched else (output.squeeze(1), shares.squeeze(0))
