"""Calls whose arguments do not fit are refused in PyTorch's words, and nothing of our inside is named."""

from __future__ import annotations

import pytest

import tensorwidgets as tw

X = "torch.ones(2)"
REFUSALS = {
    f"{X}.float(1)": "float() takes 0 positional arguments but 1 was given",
    f"{X}.cpu(1)": "cpu() takes 0 positional arguments but 1 was given",
    f"{X}.exp(1)": "TensorBase.exp() takes no arguments (1 given)",
    f"{X}.exp(out=1)": "TensorBase.exp() takes no keyword arguments",
    f"{X}.sum(foo=1)": "sum() received an invalid combination of arguments - got (foo=int, ), but expected one of:",
    "torch.exp()": 'exp() missing 1 required positional arguments: "input"',
    "torch.exp('a')": "exp(): argument 'input' (position 1) must be Tensor, not str",
    f"torch.add({X})": "add() received an invalid combination of arguments - got (Tensor), but expected (Tensor input, "
    "Tensor other, *, Number alpha = 1, Tensor out = None)",
    f"{X}.add('a')": "add(): argument 'other' (position 1) must be Tensor, not str",
    f"torch.add({X}, {X}, beta=2)": "add() got an unexpected keyword argument 'beta'",
    f"torch.argmax({X}, 'a')": "argmax(): argument 'dim' (position 2) must be int, not str",
    f"{X}.cumsum()": 'cumsum() missing 1 required positional arguments: "dim"',
    f"torch.nan_to_num({X}, {X})": "nan_to_num(): argument 'nan' (position 2) must be float, not Tensor",
    f"torch.topk({X})": 'topk() missing 1 required positional arguments: "k"',
    f"torch.mv({X}, 0)": "mv(): argument 'vec' (position 2) must be Tensor, not int",
    f"{X}.detach(3)": "TensorBase.detach() takes no arguments (1 given)",
    f"{X}.set_(5)": "set_() received an invalid combination of arguments - got (int), but expected one of:",
    f"torch.clamp_max_({X}, [])": "clamp_max_() received an invalid combination of arguments - got (Tensor, list), "
    "but expected one of:",
    f"{X}.addmv_()": "addmv_() received an invalid combination of arguments - got (), but expected (Tensor mat, Tensor "
    "vec, *, Number beta = 1, Number alpha = 1)",
    "torch.rand(requires_grad=True)": 'rand() missing 1 required positional arguments: "size"',
    f"{X}.bernoulli_('a')": "bernoulli_() received an invalid combination of arguments - got (str), but expected "
    "one of:",
    f"{X}.argmax(keepdim=1)": "argmax(): argument 'keepdim' must be bool, not int",
    f"{X}.logit([1])": "logit(): argument 'eps' (position 1) must be float, not list",
    "torch.get_default_dtype(1)": "torch.get_default_dtype() takes no arguments (1 given)",
    f"{X}.requires_grad_(1)": "requires_grad_(): argument 'requires_grad' (position 1) must be bool, not int",
    f"{X}.unique(1)": "_unique2(): argument 'sorted' must be bool, not int",
    f"{X}.split('a')": "split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not str",
    "torch.broadcast_tensors(2)": "expected Tensor as element 0 in argument 0, but got int",
    f"torch.atleast_2d({X}, True)": "expected Tensor as element 1 in argument 0, but got bool",
    "torch.atleast_2d(True)": "atleast_2d() received an invalid combination of arguments - got (bool), but expected "
    "one of:",
    f"{X}.asinh(out={X})": "TensorBase.asinh() takes no keyword arguments",
    "torch.can_cast(0, torch.int64)": "can_cast(): argument 'from_' (position 1) must be torch.dtype, not int",
    f"{X}.is_conj(1)": "TensorBase.is_conj() takes no arguments (1 given)",
    f"torch.special.erf({X}, 1)": "special_erf() takes 1 positional argument but 2 were given",
    f"torch.cat([{X}, 3])": "expected Tensor as element 1 in argument 0, but got int",
    f"torch.max({X}, 0, out=[{X}])": "expected tuple of 2 elements but got 1",
    "torch.Tensor.exp(5)": "descriptor 'exp' for 'torch._C.TensorBase' objects doesn't apply to a 'int' object",
    f"torch.clamp({X}, 'a')": "clamp() received an invalid combination of arguments - got (Tensor, str), but expected "
    "one of:",
}  # fmt: skip


def refusal(torch: object, call: str) -> str:
    with pytest.raises(TypeError) as caught:
        eval(call, {"torch": torch})
    return str(caught.value).partition("\n")[0]


@pytest.mark.parametrize("call", REFUSALS)
def test_the_first_line(call: str) -> None:
    assert refusal(tw, call) == REFUSALS[call]


@pytest.mark.torch
@pytest.mark.parametrize("call", REFUSALS)
def test_the_first_line_is_pytorchs(call: str) -> None:
    import torch

    assert refusal(torch, call) == REFUSALS[call]


@pytest.mark.parametrize("kind", [int, float, bool, complex])
def test_pythons_types_are_dtypes_in_to(kind: type) -> None:
    assert tw.ones(2).to(kind).dtype is tw.tensor(kind(1)).to(kind).dtype
    assert tw.ones(2).to("cpu", kind).dtype is tw.ones(2).to(kind).dtype


def test_a_class_of_ones_own_prints_its_name() -> None:
    class Mine(tw.Tensor):
        pass

    assert repr(tw.ones(2).as_subclass(Mine)) == "Mine([1., 1.])"
    assert "Mine" in repr(Mine) and not repr(Mine).startswith("<class 'torch.")


WORDS = {
    "torch.ones(2, dtype=torch.int64).cauchy_()": (RuntimeError, "dtype must be a floating point but you specified"),
    "torch.ones(3, 3).bernoulli_(torch.ones(2, 2))": (RuntimeError, "The expanded size of the tensor (3) must match"),
    "torch.allclose(torch.ones(3, 3), torch.ones(2, 3))": (RuntimeError, "The size of tensor a (3) must match the"),
    "torch.ones(2).repeat(2**40)": (RuntimeError, "DefaultCPUAllocator: can't allocate memory"),
    "torch.tensor(3.5).repeat_interleave(2, 0)": (IndexError, "range of [-1, 0], but got 1)"),
    "torch.tensor(3.5).repeat_interleave(torch.tensor(2), 0)": (IndexError, "Dimension specified as 0 but tensor"),
    "torch.ones(2).repeat_interleave(2, output_size=3)": (RuntimeError, "Invalid output_size, expected 4 but got 3"),
    "torch.meshgrid(torch.ones(2, 2), torch.arange(2))": (RuntimeError, "expects all tensors to have the same dtype"),
    "torch.meshgrid(torch.ones(2, 2), indexing='ab')": (RuntimeError, "indexing must be one of"),
    "torch.broadcast_shapes(1.5)": (RuntimeError, "Input shapes should be of type ints, a tuple of ints, or a list of"),
    "torch.ones(2, 3).view(torch.ones(2, 3))": (TypeError, "view() received an invalid combination of arguments"),
    "torch.norm(3)": (AttributeError, "'int' object has no attribute 'layout'"),
    "torch.smm(torch.eye(2), torch.eye(2))": (RuntimeError, "can only be called on sparse tensors"),
    "torch.mm(torch.eye(2), torch.eye(2), torch.float32)": (NotImplementedError, "Could not run 'aten::mm.dtype'"),
    "torch.quantile(torch.ones(2, 0), 0.5)": (RuntimeError, "quantile() input tensor must be non-empty"),
    "torch.ones(2).is_contiguous(memory_format=3)": (TypeError, "must be torch.memory_format, not int"),
    "torch.stft(torch.ones(9), 4, align_to_window=True)": (RuntimeError, "should only be set when center = false"),
}  # fmt: skip


@pytest.mark.parametrize("call", WORDS)
def test_nothing_of_the_inside_is_told(call: str) -> None:
    kind, words = WORDS[call]
    with pytest.raises(kind) as caught:
        eval(call, {"torch": tw})
    assert words in str(caught.value)


@pytest.mark.torch
@pytest.mark.parametrize("call", WORDS)
def test_pytorch_says_so_too(call: str) -> None:
    import torch

    kind, words = WORDS[call]
    with pytest.raises(kind) as caught:
        eval(call, {"torch": torch})
    assert words in str(caught.value)


UNFIT = "didn't match because some of the arguments have invalid types:"
STRANGE = "didn't match because some of the keywords were incorrect:"
MARKED = {
    f"torch.max({X}, 0.0)": [],
    f"torch.max({X}, 'a', {X})": [f"{UNFIT} (Tensor, !str!, !Tensor!)"],
    f"torch.max({X}, out=0.0, dim=0)": [f"{STRANGE} dim, out"],
    f"torch.max({X}, {X}, {X}, out={X}, dim='a')": [f"{STRANGE} dim, out"],
    f"torch.argsort({X}, 1, 2)": [f"{UNFIT} (Tensor, !int!, !int!)"],
    f"torch.clamp({X}, 'a', 'b')": [],
    f"torch.where({X}, {X}, 'a')": [f"{UNFIT} (Tensor, {own}, !str!)" for own in ("!Tensor!", "Tensor", "!Tensor!")],
}
"""Calls that fit none of several notations, and what is said below those that PyTorch compares: it reads their text, so
that nothing fits an argument with a default."""


def marked(torch: object, call: str) -> list[str]:
    with pytest.raises(TypeError) as caught:
        eval(call, {"torch": torch})
    return [line.strip() for line in str(caught.value).splitlines() if "didn't match" in line]


@pytest.mark.parametrize("call", MARKED)
def test_what_does_not_fit_a_notation_is_marked(call: str) -> None:
    assert marked(tw, call) == MARKED[call]


@pytest.mark.torch
@pytest.mark.parametrize("call", MARKED)
def test_pytorch_marks_the_same(call: str) -> None:
    import torch

    assert marked(torch, call) == MARKED[call]


@pytest.mark.parametrize("decimals", [2**31, 2**63 - 1, -(2**31), -(2**63)])
def test_rounding_to_any_number_of_decimals(decimals: int) -> None:
    """To powers that no float holds, PyTorch answers as well, with what dividing infinity by itself gives."""
    x = tw.tensor([1.5, 0.0])
    assert x.round(decimals=decimals).isnan().tolist() == [True, True]
    assert x.round_(decimals=decimals).isnan().tolist() == [True, True]


OUTS = "abs add all amax argmax cumsum exp mean prod sum sort max tril where clamp mm cat".split()


@pytest.mark.parametrize("name", OUTS)
def test_what_is_no_tensor_is_refused_as_out(name: str) -> None:
    """Whatever else is wrong about the call."""
    with pytest.raises(TypeError) as caught:
        getattr(tw, name)(tw.ones(2), out=5)
    assert not hasattr(caught.value, "__notes__") or "_" not in caught.value.__notes__[0]
    assert str(caught.value).startswith(f"{name}()")


def test_a_call_of_types_that_fitted_once_is_read_again_when_it_fails() -> None:
    x = tw.ones(2)
    assert x.sum((0,)).item() == 2
    with pytest.raises(TypeError, match="must be tuple of ints, but found element of type str at pos 0"):
        tw.amax(x, ("a",))


def test_what_the_engine_calls_itself_is_not_taken_for_the_users_call() -> None:
    """`tile` asks `repeat`: the refusal is about the call that was written."""
    with pytest.raises(RuntimeError, match="Trying to create tensor with negative dimension -1"):
        tw.ones(1).tile((-1,))
    with pytest.raises(TypeError, match=r"tile\(\): argument 'dims' \(position 1\) must be tuple of ints, not str"):
        tw.ones(1).tile("a")


IN_OTHER_WORDS = {
    "torch.sub(x, 2, y)": "torch.sub(x, y, alpha=2)",
    "torch.addcmul(x, 2, y, y)": "torch.addcmul(x, y, y, value=2)",
    "torch.addr(2, m, 3, x, y)": "torch.addr(m, x, y, beta=2, alpha=3)",
    "m.addmm(1, 2, m, m)": "m.addmm(m, m, beta=1, alpha=2)",
    "m.clone().addmm_(1, 2, m, m)": "m.addmm(m, m, beta=1, alpha=2)",
    "torch.special.chebyshev_polynomial_v(x=x, n=2)": "torch.special.chebyshev_polynomial_v(x, 2)",
    "m.vsplit(sections=2)[0]": "m.vsplit(2)[0]",
    "torch.special.erf(x=x)": "torch.special.erf(x)",
    "torch.slice_scatter(x, y[:1], 0, 0, 1, out=torch.empty(0))": "torch.slice_scatter(x, y[:1], 0, 0, 1)",
}


@pytest.mark.parametrize("call", IN_OTHER_WORDS)
def test_what_pytorch_understands_in_other_words_is_understood(call: str) -> None:
    """Names that NumPy's users may use, the library's own ones, and the order of PyTorch's early days."""
    x, y, m = tw.tensor([1.0, 2.0]), tw.tensor([3.0, 5.0]), tw.tensor([[1.0, 2.0], [3.0, 4.0]])
    names = {"torch": tw, "x": x, "y": y, "m": m}
    assert eval(call, names).tolist() == eval(IN_OTHER_WORDS[call], names).tolist()


@pytest.mark.torch
@pytest.mark.filterwarnings("ignore:This overload")
@pytest.mark.parametrize("call", IN_OTHER_WORDS)
def test_pytorch_understands_them(call: str) -> None:
    import torch

    x, y, m = torch.tensor([1.0, 2.0]), torch.tensor([3.0, 5.0]), torch.tensor([[1.0, 2.0], [3.0, 4.0]])
    names = {"torch": torch, "x": x, "y": y, "m": m}
    assert eval(call, names).tolist() == eval(IN_OTHER_WORDS[call], names).tolist()
