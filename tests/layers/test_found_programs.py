"""Small programs of layers and training that random ones led to: what they print, without PyTorch and with it."""

from __future__ import annotations

import pytest

import tensorwidgets as tw
from tests.gradients.programs.test_found_programs import shown

FOUND: dict[str, tuple[str, str, str]] = {
    "running statistics of instance_norm may be of another dtype": (
        "m = torch.nn.InstanceNorm1d(2, track_running_stats=True).double()",
        "(m(torch.arange(12.).reshape(2, 2, 3)).dtype, m.running_mean, m.running_mean._version, "
        "error(lambda: m.float()(torch.ones(2, 2, 3).double()))[:20])",
        "(torch.float32, tensor([0.4000, 0.7000], dtype=torch.float64), 1, '')",
    ),
    "a foreach step of ASGD writes to each parameter once": (
        "p = torch.ones(2, requires_grad=True); o = torch.optim.ASGD([p], 0.25, lambd=0.5, t0=0, "
        "foreach=True)\n"
        "for _ in range(3): o.zero_grad(); p.square().sum().backward(); o.step()",
        "(p._version, p, o.state[p])",
        "(3, tensor([0.0756, 0.0756], requires_grad=True), {'step': tensor(3.), 'eta': tensor(0.1969), 'mu': "
        "tensor(0.3333), 'ax': tensor([0.1180, 0.1180])})",
    ),
    "a buffer without a size that is converted to what it is stays the same object": (
        "m = torch.nn.LazyBatchNorm1d(); s = m.state_dict(); m = m.to('cpu'); m(torch.ones(2, 3))",
        "s['running_mean'].shape",
        "torch.Size([3])",
    ),
    "alpha_dropout adds in place": (
        "x = torch.ones(2, 3, 4); f = torch.nn.functional",
        "(f.alpha_dropout(x, 0.5, True)._version, f.feature_alpha_dropout(x, 0.5, True)._version)",
        "(1, 1)",
    ),
    "the loss of no example, by probabilities, is filled in": (
        "a = torch.ones(0, 3, requires_grad=True); b = torch.nn.functional.cross_entropy(a, torch.ones(0, 3))",
        "(b, b.grad_fn.next_functions[0][0].name())",
        "(tensor(nan, grad_fn=<NegBackward0>), 'FillBackward2')",
    ),
    "a recurrent layer refuses an input and a state of another device": (
        "m = torch.nn.GRU(2, 3); x = torch.ones(1, 2, device='meta')",
        "(error(lambda: m(x)), error(lambda: m(torch.ones(1, 2), torch.ones(1, 3, device='meta'))))",
        "('RuntimeError: Input and parameter tensors are not at the same device, found input tensor at meta "
        "and parameter tensor at cpu', 'RuntimeError: Input and hidden tensors are not at the same device, "
        "found input tensor at cpu and hidden tensor at meta')",
    ),
    "a module is inserted into the modules that a copy shares": (
        "m = torch.nn.Sequential(torch.nn.Tanh(), torch.nn.ReLU()); c = __import__('copy').copy(m); m.insert(-1, m[1])",
        "(c, error(lambda: torch.nn.Sequential(__import__('collections').OrderedDict(a=m[0])).insert(0, m[0])))",
        "(Sequential(\n  (0): Tanh()\n  (1): ReLU()\n  (2): ReLU()\n), \"KeyError: '0'\")",
    ),
    "a small image of another dtype than the weight is refused in other words than several": (
        "m = torch.nn.Conv2d(1, 1, 2, bias=False).double()",
        "[error(lambda: m(torch.ones(n, 1, 3, 3)))[:60] for n in (1, 2)]",
        "['RuntimeError: expected scalar type Float but found Double', 'RuntimeError: Input type "
        "(torch.FloatTensor) and weight type']",
    ),
    "an empty image has no pixels to move": (
        "f = torch.nn.functional; a = torch.ones(0, 4, 2, 2)",
        "(f.pixel_unshuffle(a, 2).shape, f.pixel_unshuffle(a[:, :3].float(), 1).shape, f.pixel_shuffle(a, 2).shape)",
        "(torch.Size([0, 4, 2, 2]), torch.Size([0, 3, 2, 2]), torch.Size([0, 1, 4, 4]))",
    ),
    "one_hot fills with zeros and then with ones": (
        "a = torch.tensor([0, 1])",
        "(torch.nn.functional.one_hot(a), torch.nn.functional.one_hot(a)._version)",
        "(tensor([[1, 0],\n        [0, 1]]), 2)",
    ),
    "sparse gradients in bfloat16 add up": (
        "m = torch.nn.Embedding.from_pretrained(torch.ones(2, 1).bfloat16(), freeze=False, sparse=True)\n"
        "for _ in range(2): (m(torch.tensor([1, 1])) * torch.tensor([[1], [2]])).sum().backward()",
        "m.weight.grad.coalesce().values()",
        "tensor([[6.]], dtype=torch.bfloat16)",
    ),
    "a gradient that is kept lies in rows, whatever came back": (
        "a = torch.ones(2, 3, requires_grad=True); b = a * 2; b.retain_grad(); b.backward(torch.ones(3, 2).t())",
        "(b.grad.stride(), a.grad.stride())",
        "((3, 1), (3, 1))",
    ),
    "a gradient of no elements lies as its leaf": (
        "a = torch.ones(0, 4, 3).transpose(1, 2).requires_grad_(); (a * 2).sum().backward()",
        "a.grad.stride()",
        "(12, 1, 3)",
    ),
    "a sum of squares gives a gradient in rows": (
        "a = torch.ones(2, 4, 3).transpose(1, 2).requires_grad_(); f = torch.nn.functional",
        "[torch.autograd.grad(g(a, torch.ones(2, 3, 4)), a)[0].stride() for g in (f.mse_loss, "
        "f.smooth_l1_loss, f.huber_loss, f.l1_loss)]",
        "[(12, 4, 1), (12, 4, 1), (12, 4, 1), (12, 4, 1)]",
    ),
    "the gradient of a layer lies as its result, or in rows, or as the first that it was made of": (
        "nn = torch.nn; x = torch.ones(2, 2, 2, 3); last = torch.channels_last; rows = "
        "torch.contiguous_format\n"
        "def strides(m, first, then):\n"
        "    y = m(a := x.contiguous(memory_format=first).requires_grad_())\n"
        "    return torch.autograd.grad(y, a, torch.ones_like(y, memory_format=then))[0].stride()\n"
        "layers = nn.BatchNorm2d(2), nn.GroupNorm(1, 2), nn.LayerNorm(3), nn.LogSoftmax(1), nn.LeakyReLU(), "
        "nn.GLU(1), nn.LogSigmoid(), nn.RReLU(), nn.Threshold(0, 0), nn.Upsample(scale_factor=2, "
        "mode='bicubic')",
        "[[strides(m, rows, last).index(1), strides(m, last, rows).index(1)] for m in layers]",
        "[[3, 1], [3, 1], [3, 3], [3, 3], [3, 1], [3, 3], [1, 3], [3, 3], [3, 1], [3, 3]]",
    ),
    "a convolution in one dimension lies as an image of one row": (
        "w = torch.ones(4, 3, 2).transpose(1, 2).requires_grad_(); x = torch.ones(2, 2, 5)",
        "(torch.nn.functional.conv1d(x, w).stride(), torch.nn.functional.conv1d(x.mT.contiguous().mT, "
        "w.detach().contiguous()).stride())",
        "((12, 1, 4), (12, 3, 1))",
    ),
    "rms_norm says once that a weight of another dtype costs time": (
        "import warnings\n"
        "torch.set_warn_always(True)\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always'); torch.nn.RMSNorm(2)(torch.ones(1, 2).double())\n"
        "torch.set_warn_always(False)",
        "str(seen[0].message).split(' (')[0]",
        "'Mismatch dtype between input and weight: input dtype = double, weight dtype = float, Cannot "
        "dispatch to fused implementation.'",
    ),
    "an LSTM with projections has no warning for a batch of none": (
        "import warnings\n"
        "torch.set_warn_always(True)\n"
        "with warnings.catch_warnings(record=True) as seen:\n"
        "    warnings.simplefilter('always'); torch.nn.LSTM(2, 3, proj_size=1)(torch.ones(2, 0, 2))\n"
        "torch.set_warn_always(False)",
        "len(seen)",
        "0",
    ),
    "the norm of a gradient that is missing": (
        "a = torch.ones(2, requires_grad=True)",
        "error(lambda: torch.nn.utils.get_total_norm([a.grad]))",
        "\"AttributeError: 'NoneType' object has no attribute 'device'\"",
    ),
    "the inverse of alpha is rounded in the gradient of celu": (
        "a = torch.tensor([-1.], dtype=torch.float64, requires_grad=True)\n"
        "g = torch.autograd.grad(torch.nn.functional.celu(a, 0.7), a)[0].item()",
        "round(g, 12)",
        "0.239651034693",
    ),
    "an embedding with a largest norm names the position of indices": (
        "m = torch.nn.Embedding(2, 2, max_norm=1.)",
        "error(lambda: m(torch.ones(1)))[:60]",
        "\"RuntimeError: Expected tensor for argument #2 'indices' to h\"",
    ),
    "a module that is no sequence has no parts to be checkpointed": (
        "f = torch.utils.checkpoint.checkpoint_sequential",
        "error(lambda: f(torch.nn.Linear(1, 1), 1, torch.ones(1), use_reentrant=False))",
        "\"TypeError: object of type 'Linear' has no len()\"",
    ),
    "a scheduler counts on in the tensor that it was given": (
        "o = torch.optim.SGD([torch.ones(1)], 0.1); s = torch.optim.lr_scheduler.LambdaLR(o, lambda e: 0.5 "
        "** e)\n"
        "import warnings; warnings.simplefilter('ignore'); n = torch.tensor(1.); s.step(n); s.step()",
        "(n, s.last_epoch is n, s.get_last_lr())",
        "(tensor(2.), True, [tensor(0.0250)])",
    ),
    "the gradient of nll_loss cannot lie as images whose channels lie last": (
        "a = torch.ones(2, 2, 3, 3).contiguous(memory_format=torch.channels_last).requires_grad_()\n"
        "f = torch.nn.functional; t = torch.zeros(2, 3, 3, dtype=torch.long)",
        "(error(lambda: f.nll_loss(a, t).backward()), error(lambda: f.nll_loss(a.log_softmax(1), "
        "t).backward()), error(lambda: f.nll_loss(a[:, :, 0], t[:, 0]).backward()))",
        "('RuntimeError: grad_input must be contiguous', '', '')",
    ),
    "hooks see a sum's gradient as it is expanded": (
        "a = torch.ones(2, 3, requires_grad=True); seen = []\n"
        "for f in (lambda b: b.sum(), lambda b: b.sum(0).exp().sum(), lambda b: b.mean()):\n"
        "    b = a.exp(); b.register_hook(lambda g: seen.append(g.stride())); f(b).backward()",
        "seen",
        "[(0, 0), (0, 1), (3, 1)]",
    ),
    "LBFGS takes one group": (
        "o = torch.optim.LBFGS([torch.ones(1, requires_grad=True)]); o.add_param_group({'params': [torch.ones(1)]})",
        "(error(lambda: o.step(lambda: 1)), len(o.state))",
        "('AssertionError: Expected exactly one param_group, but got 2', 0)",
    ),
    "a weight that was converted before the way back is refused": (
        "nn = torch.nn\ndef run(m):\n    y = m(torch.ones(2, 2)).sum(); m.double(); return error(lambda: y.backward())",
        "[run(m) for m in (nn.BatchNorm1d(2), nn.LayerNorm(2), nn.GroupNorm(1, 2))]",
        "['RuntimeError: mixed dtype (CPU): expect parameter to have scalar type of Float', 'RuntimeError: "
        "expected scalar type Float but found Double', 'RuntimeError: expected scalar type Float but found "
        "Double']",
    ),
    "complex numbers and halves that layers refuse": (
        "f = torch.nn.functional; c = torch.ones(1, 2, dtype=torch.complex64, requires_grad=True); d = "
        "c.detach()\n"
        "import warnings; warnings.simplefilter('ignore')",
        "[error(lambda: g())[:88] for g in (lambda: f.kl_div(d, d), lambda: f.soft_margin_loss(c, d), "
        "lambda: f.bilinear(c, c, c[None]), lambda: f.max_pool1d(c[None], 2), lambda: f.max_pool1d(d[None], "
        "2), lambda: f.rrelu(d.real.half(), training=True))]",
        "['RuntimeError: kl_div: Complex inputs not supported.', 'RuntimeError: soft_margin_loss does not "
        "support automatic differentiation for outputs wi', 'RuntimeError: bilinear(): input1 size does not "
        "match weight size: got 2 but expected 1', 'NotImplementedError: \"max_pool2d\" not implemented for "
        "\\'ComplexFloat\\'', 'NotImplementedError: \"max_pool1d_impl\" not implemented for \\'ComplexFloat\\'', "
        "'NotImplementedError: \"rrelu_with_noise_out_cpu\" not implemented for \\'Half\\'']",
    ),
    "a tensor that is no tensor, an index that is none, and a difference of answers": (
        "f = torch.nn.functional; b = torch.ones(2, dtype=torch.bool); import warnings; "
        "warnings.simplefilter('ignore')",
        "(error(lambda: torch.nn.Embedding(2, 2, max_norm=1.)([0])), error(lambda: f.margin_ranking_loss(b, "
        "b, b))[:80], error(lambda: torch.nn.EmbeddingBag(2, "
        "2).to(torch.complex64)(torch.tensor([[0]])))[-100:])",
        "(\"AttributeError: 'list' object has no attribute 'contiguous'\", 'RuntimeError: Subtraction, the `-` "
        "operator, with two bool tensors is not suppor', 't16, Float, Double; but got CPUComplexFloatType "
        "instead (while checking arguments for embedding_bag)')",
    ),
    "settings that are no whole numbers are refused, also where gradients are recorded": (
        "nn = torch.nn; x = torch.ones(1, 1, 4)",
        "[error(lambda: m(x))[:70] for m in (nn.Conv1d(1, 1, 1, stride=1.5), nn.Conv1d(1, 1, 1, "
        "padding=True), nn.ConvTranspose1d(1, 1, 1, dilation='x'), nn.MaxPool1d(True), nn.MaxPool1d(2, (1, "
        "2)), nn.MaxPool1d(2, 1, ()))]",
        "['TypeError: conv1d() received an invalid combination of arguments - got', 'TypeError: conv1d() "
        "received an invalid combination of arguments - got', \"TypeError: conv_transpose1d(): argument "
        "'dilation' (position 8) must b\", \"TypeError: max_pool1d(): argument 'kernel_size' (position 2) must "
        "be t\", 'RuntimeError: max_pool1d() stride must be None, an int, list of ints, ', 'RuntimeError: "
        "max_pool1d() padding must be an int, list of ints, or tu']",
    ),
    "settings of layers are made tuples as anything that can be run through": (
        "nn = torch.nn",
        "(nn.AvgPool1d('ab'), nn.Conv2d(1, 1, 1, padding=[]), nn.ReflectionPad1d(range(2)), error(lambda: "
        "nn.Conv1d(1, 1, torch.tensor(1))), error(lambda: nn.ConvTranspose1d(1, 1, 1, "
        "padding_mode='reflect')))",
        "(AvgPool1d(kernel_size=('a', 'b'), stride=('a', 'b'), padding=(0,)), Conv2d(1, 1, kernel_size=(1, "
        "1), stride=(1, 1)), ReflectionPad1d((0, 1)), 'TypeError: iteration over a 0-d tensor', 'ValueError: "
        'Only "zeros" padding mode is supported for ConvTranspose1d\')',
    ),
    "old arguments of losses count as yes or no": (
        "f = torch.nn.functional; a = torch.tensor([1., 2.]); import warnings; warnings.simplefilter('ignore')",
        "(f.mse_loss(a, a * 3, size_average=0), f.mse_loss(a, a * 3, reduce=0), error(lambda: f.mse_loss(a, "
        "a, reduction=[])), f.dropout(a, 0.0, inplace='yes'))",
        "(tensor(20.), tensor([ 4., 16.]), 'ValueError: [] is not a valid value for reduction', tensor([1., 2.]))",
    ),
    "a pool's padding is counted": (
        "a = torch.ones(1, 1, 4, 4)",
        "error(lambda: torch.nn.functional.max_pool2d(a, 2, padding=(1, 1, 1)))",
        "'RuntimeError: max_pool2d: padding must either be a single int, or a tuple of two ints'",
    ),
    "the first pair that does not fit decides what binary_cross_entropy says": (
        "f = torch.nn.functional.binary_cross_entropy; a = torch.tensor([.5, 2]); b = torch.tensor([2., .5])",
        "[error(lambda: f(*g)) for g in ((a, b), (b, a), (b, b), (a / 4, b), (b, a / 4))]",
        "['RuntimeError: all elements of target should be between 0 and 1', 'RuntimeError: all elements of "
        "input should be between 0 and 1', 'RuntimeError: all elements of input should be between 0 and 1', "
        "'RuntimeError: all elements of target should be between 0 and 1', 'RuntimeError: all elements of "
        "input should be between 0 and 1']",
    ),
    "a table that is no matrix is refused in other words if its rows have a largest norm": (
        "f = torch.nn.functional.embedding; i = torch.tensor([0])",
        "(error(lambda: f(i, torch.ones(2), max_norm=1.)), error(lambda: f(i, torch.ones(2))))",
        "(\"RuntimeError: Expected 2-dimensional tensor, but got 1-dimensional tensor for argument #1 'self' "
        '(while checking arguments for embedding_renorm_)", "RuntimeError: \'weight\' must be 2-D")',
    ),
    "numbers of rows in bfloat16 have a type of their own in messages": (
        "i = torch.ones(1, dtype=torch.bfloat16)",
        "error(lambda: torch.nn.Embedding(2, 2)(i))[-80:]",
        "'g, Int; but got CPUBFloat16Type instead (while checking arguments for embedding)'",
    ),
    "an unpool of volumes wants three numbers": (
        "f, x = torch.nn.functional, torch.ones(1, 3, 1, 1, 1); i = torch.zeros(1, 3, 1, 1, 1, dtype=torch.int64)",
        "(error(lambda: f.max_unpool3d(x, i, [1, 1])), error(lambda: f.max_unpool3d(x, i, 1, [1, "
        "1, 1, 1])), error(lambda: f.max_unpool3d(x, i, 1, 1, [0, 0, 0, 0])), error(lambda: "
        "f.max_unpool2d(x[0], i[0], [1])))",
        "('RuntimeError: There should be exactly three elements (depth, height, width) in "
        "output_size, but got 2 elements.', 'RuntimeError: There should be exactly three elements "
        "(depth, height, width) in stride, but got: 4 elements.', 'RuntimeError: There should be "
        "exactly three elements (depth, height, width) in padding, but got: 4 elements.', "
        "'RuntimeError: There should be exactly two elements (height, width) in output_size, but "
        "got 1 elements.')",
    ),
    "hardtanh of uint8 wants limits without a sign, and silu goes back for real numbers alone": (
        "f, a = torch.nn.functional, torch.tensor([1, 7], dtype=torch.uint8)",
        "(f.hardtanh(a, 0, 4.7), error(lambda: f.hardtanh(a)), error(lambda: f.silu(torch.ones(2, "
        "dtype=torch.cfloat, requires_grad=True))))",
        "(tensor([1, 4], dtype=torch.uint8), 'RuntimeError: cannot do hardtanh on an unsigned type "
        "with negative limits', 'RuntimeError: silu does not support automatic differentiation for "
        "outputs with complex dtype.')",
    ),
    "smooth_l1_loss and huber_loss with a distance in a tensor": (
        "F = torch.nn.functional\n"
        "a, b = torch.tensor([3., -2., 0.5], requires_grad=True), torch.tensor([6., -4., 1.])\n"
        "loss = F.smooth_l1_loss(a * 1, b, beta=torch.tensor(1.5)) + F.huber_loss(a * 1, b, "
        "delta=torch.tensor(1))\n"
        "loss.backward()",
        "[loss, a.grad]",
        "[tensor(2.5694, grad_fn=<AddBackward0>), tensor([-0.6667,  0.6667, -0.2778])]",
    ),
}


@pytest.mark.parametrize("name", FOUND)
def test_it_prints_what_pytorch_prints(name: str) -> None:
    program, expression, expected = FOUND[name]
    assert shown(tw, program, expression) == expected


@pytest.mark.torch
def test_pytorch_prints_it_still() -> None:
    import torch

    torch.set_num_threads(1)
    for name, (program, expression, expected) in FOUND.items():
        assert shown(torch, program, expression) == expected, name
