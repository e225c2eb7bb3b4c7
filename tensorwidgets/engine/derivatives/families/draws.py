"""Random numbers: a draw does not change where its parameters do, so its gradients are zeros."""

from __future__ import annotations

from ..beside import zeros_beside
from ..declaring import differentiate, not_differentiable, real_alone, refused
from .pointwise.arithmetic import is_number, zeros

# -- into a tensor -----------------------------------------------------------------------------------------------

differentiate("random_", node="RandomBackward0", when=lambda call: "from" in call, input=zeros)
differentiate("random_", node="RandomBackward1", when=lambda call: "to" in call, input=zeros)
differentiate("random_", node="RandomBackward2", input=zeros)
differentiate(
    "bernoulli_",
    node="BernoulliBackward1",
    when=lambda call: "p" in call and not is_number(call["p"]),
    input=zeros,
    p=lambda grad, p_like: p_like.new_zeros(),
)
differentiate("bernoulli_", node="BernoulliBackward2", input=zeros)
differentiate("normal_ uniform_ exponential_ cauchy_ log_normal_ geometric_", input=zeros)

# -- by parameters -----------------------------------------------------------------------------------------------

differentiate("poisson", input=zeros)
refused("bernoulli", when=lambda call: "p" in call)
differentiate("bernoulli", input=zeros)
refused("binomial")
real_alone("normal")
differentiate(
    "normal",
    node="NormalBackward3",
    when=lambda call: not is_number(call["mean"]) and not is_number(call.get("std", 1.0)),
    mean=lambda grad, mean_shape: zeros_beside(grad, mean_shape),
    std=lambda grad, std_shape: zeros_beside(grad, std_shape),
)
differentiate(
    "normal",
    node="NormalBackward2",
    when=lambda call: is_number(call["mean"]),
    std=lambda grad, std_shape: zeros_beside(grad, std_shape),
)
differentiate("normal", node="NormalBackward1", mean=lambda grad, mean_shape: zeros_beside(grad, mean_shape))

# -- new tensors -------------------------------------------------------------------------------------------------

not_differentiable("multinomial rand randn randint randperm")
