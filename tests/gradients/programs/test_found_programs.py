"""Small programs that random ones led to: what they print, without PyTorch and with it."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as tw

NO_GRAD_VIEW = "RuntimeError: A view was created in no_grad mode and its base or another view of its base has been"

FOUND: dict[str, tuple[str, str, str]] = {
    "complex numbers are divided with sums of products that are rounded once": (
        "z = torch.tensor([1.25+1.25j, -1+1.75j, 1.25+1.5j, -0.75+1j], dtype=torch.complex128)",
        "(z / z).tolist()",
        "[(1+0j), (1+2.3912495915003373e-17j), (1+2.1840452943445705e-17j), (1+0j)]",
    ),
    "in place too, and by zero": (
        "z = torch.tensor([1+2j, 0j, 3-1j], dtype=torch.complex128); z.div_(torch.tensor([0j, 0j, 2j]))",
        "z",
        "tensor([    inf+infj,     nan+nanj, -0.5000-1.5000j], dtype=torch.complex128)",
    ),
    "64 bytes of complex zeros have no sign when they are negated, those left over have one": (
        "z = torch.zeros(5, dtype=torch.complex128)",
        "(torch.signbit((-z).real).tolist(), torch.signbit((-z.to(torch.complex64)).real).tolist())",
        "([False, False, False, False, True], [True, True, True, True, True])",
    ),
    "a gradient of no elements was written to once": (
        "a = torch.zeros(1, requires_grad=True); b = a.narrow(0, 0, 0); b.detach().zero_()",
        "torch.autograd.grad(b.sum(), a)[0]._version",
        "1",
    ),
    "the variance of one dimension opens no dimension on the way back": (
        "a = torch.ones(4, requires_grad=True)\n"
        "g = torch.autograd.grad(a.var(dim=0).square(), a, create_graph=True)[0]",
        "[str(n[0])[1:14] for n in g.grad_fn.next_functions[0][0].next_functions]",
        "['MulBackward0 ']",
    ),
    "what several formulas read is kept, and a view without a node is refused": (
        "a = torch.ones(2, 2, requires_grad=True)\n"
        "with torch.no_grad(): b = a[1:2]\n"
        "c = b / b\n"
        "with torch.no_grad(): a.mul_(2)",
        "error(lambda: c.backward(torch.ones(1, 2)))[:88]",
        repr(NO_GRAD_VIEW[:88]),
    ),
    "what one formula of two reads is not kept": (
        "a = torch.ones(2, 2, requires_grad=True)\n"
        "with torch.no_grad(): b = a[1:2]\n"
        "c = b * b\n"
        "with torch.no_grad(): a.mul_(2)",
        "(c.grad_fn._saved_self, error(lambda: c.backward(torch.ones(1, 2))))",
        "(None, '')",
    ),
    "the way back of relu keeps its input in any case": (
        "a = torch.ones(2, requires_grad=True); c = a.relu()\n"
        "e = torch.autograd.grad(c, a, torch.ones(2), create_graph=True)[0]; c.add_(-1)",
        "error(lambda: e.sum().backward())[:74]",
        "'RuntimeError: one of the variables needed for gradient computation has bee'",
    ),
    "a number makes a call with a tensor of inference mode one that is recorded": (
        "a = torch.ones(2, requires_grad=True)\nwith torch.inference_mode(): a.data = torch.ones(2)",
        "[str((a + 1).grad_fn)[1:14], str((2 * a).grad_fn)[1:14], a.sin().grad_fn, (a ** 2).grad_fn, a.add(a).grad_fn]",
        "['AddBackward0 ', 'MulBackward0 ', None, None, None]",
    ),
    "a view made under no_grad before a write is refused once its base requires a gradient": (
        "b = torch.ones(2, 2) * 1\nwith torch.no_grad(): c = b[0]; c += 1; b.requires_grad_()",
        "error(lambda: c.grad_fn)[:88]",
        repr(NO_GRAD_VIEW[:88]),
    ),
    "the gradient of softmax is the difference times the result": (
        "a = torch.tensor([[-0.25, 0.5, -2, 1.75]], dtype=torch.float64, requires_grad=True)\n"
        "b = a.softmax(1); b.backward(torch.ones_like(b))",
        "a.grad",
        "tensor([[0., 0., 0., 0.]], dtype=torch.float64)",
    ),
    "softmax multiplies a row by the reciprocal of its sum": (
        "a = torch.tensor([[1.75, 0.25, -1.5]], dtype=torch.float64)",
        "a.softmax(1).tolist()",
        "[[0.7924530775661193, 0.17682018210744427, 0.03072674032643643]]",
    ),
    "a row reads what was written to it": (
        "x = torch.tensor([[1., 2, 3], [4, 5, 6]]); x += x[:, :1]",
        "x",
        "tensor([[ 2.,  4.,  5.],\n        [ 8., 13., 14.]])",
    ),
    "but the first 64 bytes at once": (
        "x = torch.ones(2, 10, dtype=torch.float64); x.mul_(3).div_(x[:, :1])",
        "x[0]",
        "tensor([1., 1., 1., 1., 1., 1., 1., 1., 3., 3.], dtype=torch.float64)",
    ),
    "rows read the rows before them": (
        "x = torch.arange(6.).reshape(3, 2); x[1:, ::2].copy_(x[:2, ::2])",
        "x",
        "tensor([[0., 1.],\n        [0., 3.],\n        [0., 5.]])",
    ),
    "elements are copied one after the other": (
        "x = torch.arange(4.).reshape(2, 2); x[None, 1] = x[:, 1]",
        "x",
        "tensor([[0., 1.],\n        [1., 3.]])",
    ),
    "a view of a tensor that joined a graph is a leaf to writes until somebody asks for its node": (
        "w = torch.ones(2, requires_grad=True); x = torch.zeros(4)\n"
        "a, b, c = x[:2], x[2:], x[2:]; a.mul_(w); c.grad_fn",
        "(error(lambda: b.add_(1)), error(lambda: c.add_(1)))",
        "('RuntimeError: a leaf Variable that requires grad is being used in an in-place operation.', '')",
    ),
    "a product of matrices that adds nothing up keeps the signs of zeros": (
        "x = torch.tensor([[0.], [-2.]])",
        "(x @ x.t(), torch.tensor([[0., 0.]]) @ torch.tensor([[-2.], [-3.]]))",
        "(tensor([[0., -0.],\n        [-0., 4.]]), tensor([[0.]]))",
    ),
    "gradients are computed in the order of the names of the inputs": (
        "a = torch.tensor([2., 1.], requires_grad=True)\n"
        "d = torch.autograd.grad(a / a, a, torch.ones(2), create_graph=True)[0]\n"
        "e = torch.autograd.grad(d, a, torch.ones(2), create_graph=True)[0]",
        "[str(n[0])[1:14] for n in e.grad_fn.next_functions[1][0].next_functions]",
        "['NegBackward0 ', 'DivBackward0 ']",
    ),
    "the second derivative of tanh": (
        "a = torch.tensor([0.25, 2.25], requires_grad=True)\n"
        "d = torch.autograd.grad(a.tanh(), a, torch.ones(2, requires_grad=True), create_graph=True)[0]\n"
        "e = torch.autograd.grad(d.sum(), a, create_graph=True)[0].grad_fn.next_functions[0][0].next_functions[1][0]",
        "[str(n[0])[1:14] for n in e.next_functions]",
        "['MulBackward1 ', 'AccumulateGra']",
    ),
    "the gradient of what was copied over is contiguous, and of one that is read turned too": (
        "a = torch.ones(1, dtype=torch.float64, requires_grad=True)\n"
        "b = a + 1; b.copy_(torch.ones(1)); b.sum().backward()\n"
        "c = torch.ones(2, 2, requires_grad=True); d = c * 1.5; d.mT.mul_(c); d.sum().backward()",
        "(a.grad._version, c.grad.stride())",
        "(0, (2, 1))",
    ),
    "a conjugated gradient is kept as it is": (
        "z = torch.tensor([2+0j, 1j], requires_grad=True); z.conj().abs().sum().backward()",
        "(z.grad.is_conj(), z.grad)",
        "(True, tensor([1.-0.j, 0.+1.j]))",
    ),
    "with two zeros a product has no gradient but zeros": (
        "a = torch.tensor([0., 0, -2.5], requires_grad=True); a.prod().backward()",
        "a.grad",
        "tensor([0., 0., 0.])",
    ),
    "a tensor that detach_ took out of the graph is refused first": (
        "a = torch.tensor(2., requires_grad=True); b = a * 2; c = b.cos(); b.fill_(2); b.detach_()",
        "error(lambda: c.backward())[:68]",
        "'RuntimeError: Trying to use a saved tensor that has been detached in'",
    ),
    "only the first hook asks for a view's node": (
        "a = torch.ones(1, 3, requires_grad=True); b = a.unbind(0)[0]\nwith torch.no_grad(): b.div_(2)",
        "(error(lambda: b.register_hook(print))[:32], error(lambda: b.register_hook(print)))",
        "('RuntimeError: Output 0 of Unbind', '')",
    ),
    "a write to a view whose base keeps a gradient of before is refused before the graph changes": (
        "a = torch.ones(2, 2, requires_grad=True); b = a - 1; b.retain_grad(); b.squeeze_()",
        "(error(lambda: b[None, 0].sub_(-1))[:25], str(b.grad_fn)[1:17])",
        "('RuntimeError: out != null', 'SqueezeBackward3')",
    ),
    "a tensor of inference mode that was given usual numbers has no version": (
        "with torch.inference_mode(): b = torch.zeros(2)\nb.data = torch.ones(2)",
        "(b.is_inference(), error(lambda: b._version), error(lambda: repr(b)) == error(lambda: b[0]), (b + 1).tolist(),"
        " error(lambda: b.requires_grad_()), error(lambda: b * b) == error(lambda: b._version))",
        "(False, 'RuntimeError: Inference tensors do not track version counter.', True, [2.0, 2.0], '', True)",
    ),
    "a refused write to a view of inference numbers is not counted": (
        "a = torch.ones(3)\nwith torch.inference_mode(): a.data = torch.ones(3); a.view(-1).mul_(2)",
        "(error(lambda: a.__setitem__(2, 1.))[:31], a._version)",
        "('RuntimeError: Inplace update to', 0)",
    ),
    "the way back of as_strided takes dimensions of one element away first": (
        "a = torch.ones(2, requires_grad=True); b = a.as_strided((2, 1), (1, 1))\n"
        "g = torch.autograd.grad(b.exp().sum(), a, create_graph=True)[0].grad_fn.next_functions[0][0]",
        "[str(n[0])[1:12] for n in g.next_functions]",
        "['one', 'SqueezeBack']",
    ),
    "products of one element pass the gradient on": (
        "a = torch.zeros(2, 1, requires_grad=True); a.prod(1).sum().backward()",
        "(a.grad, a.grad._version)",
        "(tensor([[1.],\n        [1.]]), 1)",
    ),
    "a number that nothing reads is not freed": (
        "a = torch.ones(2, requires_grad=True)\nwith torch.no_grad(): b = a[:1]\nc = b * 1.5; c.sum().backward()",
        "(c.grad_fn._saved_other, error(lambda: c.sum().backward()))",
        "(None, '')",
    ),
    "a write lets whole numbers join a graph, in which they are refused": (
        "a = torch.tensor(0.5, requires_grad=True); b = torch.tensor([4, 3]); b[1:] = a; c = b > 0; c.fill_(a)",
        "(str(b.grad_fn)[1:11], c, error(lambda: b.sum()), error(lambda: c.any()))",
        "('CopySlices', tensor([True, True], grad_fn=<FillBackward3>), "
        "'RuntimeError: Autograd not support dtype: Long', '')",
    ),
    "writes of PyTorch's own into results of inference numbers": (
        "with torch.inference_mode(): e = torch.ones(2, 3); d = torch.ones(1)",
        "[t._version for t in (e.max(), e.max(0)[0], e.max(0, True)[0], e.var(0), e.std(), d.norm(dim=0), e.norm())]",
        "[1, 2, 0, 0, 1, 1, 0]",
    ),
    "a graph gives a leaf a gradient of the size that it had, as long as a call of that time exists": (
        "a = torch.ones(2, 3, requires_grad=True); b = a.t()\n"
        "with torch.no_grad(): b.neg_()\n"
        "a.data = torch.ones(3, 2)",
        "error(lambda: b.sum().backward())[-66:]",
        "' at index 0 - got [3, 2] but expected shape compatible with [2, 3]'",
    ),
    "a leaf of another dtype is another one to calls that follow": (
        "a = torch.ones(2, requires_grad=True); b = a * 2; a.data = torch.ones(1, dtype=torch.float64); c = a + 1\n"
        "d = torch.autograd.grad(c.sum(), a)[0].dtype",
        "(d, error(lambda: torch.autograd.grad(b.sum(), a, retain_graph=True))[:37], b.sum().backward(), a.grad)",
        "(torch.float64, 'RuntimeError: The differentiated Tens', None, tensor([2., 2.]))",
    ),
    "products along a dimension of one element are divided, unless an element is zero": (
        "a = torch.ones(1, 2, requires_grad=True); b = torch.zeros(1, 2, requires_grad=True)",
        "[str(torch.autograd.grad(t.prod(0).sum(), t, create_graph=True)[0].grad_fn)[1:5] for t in (a, b)]",
        "['MulB', 'one']",
    ),
    "a bag of embeddings is differentiated once": (
        "x = torch.ones(2, 2, requires_grad=True); y = torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), x)\n"
        "g = torch.autograd.grad(y.exp().sum(), x, create_graph=True)[0]",
        "(g.grad_fn.name(), error(lambda: g.sum().backward())[21:])",
        "('EmbeddingBagBackwardBackward0', \"the derivative for '_embedding_bag_backward' is not implemented.\")",
    ),
    "torch.func leaves no trace of its own tensors in a graph": (
        "a = torch.ones(2, requires_grad=True); b = torch.func.vjp(torch.sin, a.detach())[1](a)[0]\n"
        "c = torch.func.grad(lambda v: (v ** 3).sum())(a)",
        "(b.grad_fn.next_functions[1],"
        " c.grad_fn.next_functions[1][0].next_functions[0][0].next_functions[0][0].name())",
        "((None, 0), 'torch::autograd::AccumulateGrad')",
    ),
    "results without a gradient have no number": (
        "a = torch.eye(2, requires_grad=True); p, l, u = torch.linalg.lu(a)",
        "(l.output_nr, u.output_nr, torch.autograd.grad(u.sum() + 2 * l.sum(), a)[0])",
        "(0, 1, tensor([[1., 1.],\n        [2., 1.]]))",
    ),
    "writes of PyTorch's own: cells, padded sequences, parameters in files and copies of them": (
        "import io, copy\n"
        "t = torch.ones(2, 2); w = torch.nn.Parameter(t); file = io.BytesIO(); torch.save(w, file); file.seek(0)\n"
        "h, c = torch.nn.LSTMCell(2, 2)(t); g = torch.nn.GRUCell(2, 2)(t); p = torch.nn.utils.rnn.pad_sequence([t, t])",
        "[x._version for x in (h, c, g, p, torch.load(file), copy.copy(w))]",
        "[0, 1, 2, 3, 1, 0]",
    ),
    "a gradient of one element in a dimension that a sum took away is copied, and counts as written to": (
        "a = torch.ones(2, 1, requires_grad=True); a.sum(1).sum().backward()",
        "a.grad._version",
        "1",
    ),
    "a leaf takes over the gradient that the other summand had summed, or that a hook has made": (
        "a = torch.ones(2, requires_grad=True); k = torch.tensor(2., requires_grad=True); (a + k).flip(0).sum"
        "().backward()\n"
        "b = torch.ones(2, requires_grad=True); node = torch.autograd.graph.get_gradient_edge(b).node\n"
        "handle = node.register_prehook(lambda gs: tuple(g + 1 for g in gs)); b.backward(torch.ones(2))",
        "(a.grad._version, b.grad._version)",
        "(0, 0)",
    ),
    "zeros that a Function gets for a result that is not used are written to once": (
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x): return x * 1, x * 2\n"
        "    @staticmethod\n"
        "    def backward(ctx, g, h): return h\n"
        "a = torch.ones(2, requires_grad=True); F.apply(a)[0].sum().backward()",
        "a.grad._version",
        "1",
    ),
    "a real Fourier transform keeps its input": (
        "a = torch.ones(2, requires_grad=True); b = a * 1; c = torch.fft.rfft(b); b.add_(1)",
        "(c.grad_fn.name(), error(lambda: c.abs().sum().backward())[:45])",
        "('FftR2CBackward0', 'RuntimeError: one of the variables needed for')",
    ),
    "the edge of a Function holds a view's node": (
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x): return x * 1\n"
        "a = torch.ones(2, requires_grad=True)",
        "(tuple(torch.autograd.graph.get_gradient_edge(F.apply(a)))[2].name(), tuple(torch.autograd.graph.get"
        "_gradient_edge(a * 2))[2])",
        "('ViewBackward0', None)",
    ),
    "products of numbers without dimensions are refused before a view is asked for its node": (
        "a = torch.ones(2, requires_grad=True); c = a.view(-1)\nwith torch.no_grad(): d = a[0]; c -= 1",
        "error(lambda: torch.matmul(d, d))",
        "'RuntimeError: both arguments to matmul need to be at least 1D, but they are 0D and 0D'",
    ),
    "what jacrev is given to pass on was written to once, and a turned result is fine": (
        "x = torch.tensor([[1., 2], [3, 4]])",
        "[torch.func.jacrev(f)(x)._version for f in (torch.sum, torch.t, torch.sin)]",
        "[1, 1, 0]",
    ),
    "the sign of a zero in erfinv, and a complex gradient of a tensor without a graph": (
        "x = torch.tensor([-0., 0.])",
        "(x.erfinv(), error(lambda: x.backward(torch.ones(2) * 1j))[:52])",
        "(tensor([-0., 0.]), 'RuntimeError: For complex Tensors, both grad_output ')",
    ),
    "a leaf that was given other numbers can leave the graph and come back": (
        "a = torch.ones(2, 2, requires_grad=True); b = a.sum(); a.data = torch.ones(1); a.requires_grad_(False)",
        "(a.requires_grad, (a * 2).requires_grad, error(lambda: a.requires_grad_().sum().backward())[-67:], a.grad)",
        "(False, False, 'ient at index 0 - got [1] but expected shape compatible with [2, 2]', None)",
    ),
    "saved sizes, slices and dimensions are shown as PyTorch shows them": (
        "a = torch.ones(2, 3, requires_grad=True)\n"
        "def saved(t): return [(n[7:], getattr(t.grad_fn, n)) for n in dir(t.grad_fn) if n.startswith('_saved"
        "')]",
        "[saved(t) for t in (a[-1], a[:, 1:], a.unfold(-1, 2, 1), a.sum(-1), a.split(1)[0], a.as_strided((2,)"
        ", (1,)), a * -3)]",
        "[[('dim', 0), ('index', 18446744073709551615), ('self_sym_sizes', (2, 3))], [('dim', 1), ('end', 922"
        "3372036854775807), ('self_sym_sizes', (2, 3)), ('start', 1), ('step', 1)], [('dimension', 1844674407"
        "3709551615), ('self_sym_sizes', (2, 3)), ('size', 2), ('step', 1)], [('dim', (18446744073709551615,)"
        "), ('keepdim', False), ('self_sym_sizes', (2, 3))], [('dim', 0), ('self_sym_sizes', (2, 3)), ('split"
        "_size', 1)], [('size', (2,)), ('storage_offset', None), ('stride', (1,))], [('other', tensor(-3)), ("
        "'self', None)]]",
    ),
    "saved results have PyTorch's names": (
        "a = torch.eye(2, requires_grad=True)",
        "[[n[7:] for n in dir(t.grad_fn) if n.startswith('_saved')] for t in (a.max(0)[0], a.sort()[0], torch"
        ".aminmax(a)[0], torch.linalg.lu(a)[1], a.var(0), a @ a)]",
        "[['dim', 'indices', 'keepdim', 'self_sym_sizes'], ['dim', 'indices', 'self_sym_sizes'], ['dim', 'kee"
        "pdim', 'max', 'min', 'self'], ['L', 'P', 'U', 'pivot'], ['correction', 'dim', 'keepdim', 'self'], ['"
        "mat2', 'mat2_sym_sizes', 'mat2_sym_strides', 'self', 'self_sym_sizes', 'self_sym_strides']]",
    ),
    "what was not saved is None after the backward pass too": (
        "a = torch.ones(2, requires_grad=True); b = a * 2; b.sum().backward()",
        "(b.grad_fn._saved_self, error(lambda: b.grad_fn._saved_other)[:44])",
        "(None, 'RuntimeError: Trying to backward through the')",
    ),
    "the node of a leaf adds a gradient where it is called itself, and runs the hooks after the sum alone": (
        "a = torch.ones(2, requires_grad=True); seen = []; node = torch.autograd.graph.get_gradient_edge(a).n"
        "ode\n"
        "handles = a.register_hook(seen.append), node.register_hook(lambda *x: seen.append(x))\n"
        "a.register_post_accumulate_grad_hook(lambda p: seen.append('after'))",
        "(node(torch.ones(2)), a.grad, seen, error(lambda: node()), error(lambda: node(3)))",
        "((), tensor([1., 1.]), ['after'], 'TypeError: expected 1 arguments, got 0 instead', 'TypeError: argu"
        "ment 0 is not a Variable')",
    ),
    "nodes say what their gradients have to be, and edges need a node": (
        "a = torch.ones(2, 3, requires_grad=True); g = torch.autograd.graph",
        "([(m.shape, m.dtype) for m in a.max(0)[0].grad_fn._input_metadata], g.get_gradient_edge(a).node._inp"
        "ut_metadata[0].shape, error(lambda: torch.autograd.grad(a.sum(), g.GradientEdge(None, 0))), error(la"
        "mbda: g.get_gradient_edge(3)))",
        "([([3], torch.float32)], [2, 3], \"RuntimeError: GradientEdge's first object must be an autograd.grap"
        "h.Node but got NoneType\", \"AttributeError: 'int' object has no attribute 'requires_grad'\")",
    ),
    "a leaf that is turned in place keeps its size to the graph of before": (
        "a = torch.ones(2, 3, requires_grad=True); b = a + a\nwith torch.no_grad(): a.t_()",
        "error(lambda: b.sum().backward())",
        "'RuntimeError: The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 1'",
    ),
    "what a Function's backward wrote to counts": (
        "class F(torch.autograd.Function):\n"
        "    @staticmethod\n"
        "    def forward(ctx, x): return x * 1\n"
        "    @staticmethod\n"
        "    def backward(ctx, g): return (g * 1).add_(0)\n"
        "a = torch.ones(2, requires_grad=True); y = F.apply(a); y.sum().backward()",
        "(a.grad._version, str(type(y.grad_fn)))",
        "(1, \"<class 'torch.autograd.function.FBackward'>\")",
    ),
    "versions can be preserved, and the flag of threads can be asked for": (
        "x = torch.ones(2)\nwith torch.autograd._unsafe_preserve_version_counter((x,)): x.mul_(2)",
        "(x, x._version, torch.autograd.is_multithreading_enabled(), error(lambda: x.sum().backward(2)))",
        "(tensor([2., 2.]), 0, True, \"TypeError: 'int' object is not iterable\")",
    ),
    "a product of a column and a row keeps the signs of zeros on the way back too": (
        "w = torch.ones(2, 2, requires_grad=True); b = torch.ones(2, requires_grad=True)\n"
        "y = torch.nn.functional.linear(torch.tensor([[1., 2]]), w, b); y.backward(torch.tensor([[-0., 1]]))",
        "w.grad",
        "tensor([[-0., -0.],\n        [1., 2.]])",
    ),
    "a cosine expands both factors where their sizes differ, and converts none": (
        "a = torch.ones(2, requires_grad=True); s = torch.tensor(1., dtype=torch.float64, requires_grad=True)"
        "\n"
        "c = torch.nn.functional.cosine_similarity(a, s, -1); f = c.grad_fn.next_functions[0][0].next_functio"
        "ns",
        "(c, [[n.name() for n, _ in g.next_functions] for g, _ in f])",
        "(tensor(1.0000, dtype=torch.float64, grad_fn=<SumBackward1>), [['ExpandBackward0', 'CloneBackward0']"
        ", ['ExpandBackward0', 'CloneBackward0']])",
    ),
    "a node that was freed refuses to be called, and what its formula wrote does not count": (
        "a = torch.ones(3, requires_grad=True); b = a.exp(); b.sum().backward(); c = a[::2]",
        "(error(lambda: b.grad_fn(None))[:55], c.grad_fn(torch.ones(2))._version)",
        "('RuntimeError: Trying to backward through the graph a se', 0)",
    ),
    "a leaf that a call resizes keeps its size to the graph of before": (
        "c = torch.ones(0, requires_grad=True); e = c * 2\n"
        "with torch.no_grad(): torch.cumsum(torch.ones(2), 0, out=c)\n"
        "e.sum().backward()",
        "(c.shape, c.grad.shape)",
        "(torch.Size([2]), torch.Size([0]))",
    ),
    "a module that is converted leaves the graph of before as it was": (
        "m = torch.nn.Linear(2, 1, bias=False); y = m(torch.ones(2)).sum(); m.double(); y.backward()",
        "(m.weight.dtype, m.weight.grad, torch.autograd.grad(m(torch.ones(2).double()).sum(), m.weight)[0])",
        "(torch.float64, tensor([[1., 1.]]), tensor([[1., 1.]], dtype=torch.float64))",
    ),
    "the gradient of a square leaf that was turned is turned back": (
        "a = torch.tensor([[0., 1.], [2., 3.]], requires_grad=True)\n"
        "b = a.t().square(); b.backward(torch.ones_like(b))",
        "a.grad",
        "tensor([[0., 2.],\n        [4., 6.]])",
    ),
    "a view that was turned in place before its base required a gradient is read again": (
        "torch.ones(1).squeeze_().requires_grad_()\n"
        "a = torch.ones(2, 3); b = a[:, :1]; b.squeeze_(); a.requires_grad_()",
        "(b.is_leaf, b.grad_fn.name())",
        "(False, 'AsStridedBackward0')",
    ),
    "the version at which several views were made is that of their base": (
        "a = torch.zeros(4); a.add_(1); b = a.split(2); a.requires_grad_()\n"
        "c = torch.zeros(4); d = c.split(2); c.add_(1); c.requires_grad_()",
        "(b[0].grad_fn, error(lambda: d[0].grad_fn)[:88])",
        "(None, 'RuntimeError: A view was created in no_grad mode and its base or another view of its bas')",
    ),
    "of rows that lie on top of each other, columns are copied first": (
        "a = torch.zeros(5); a.as_strided((2, 4), (1, 1)).copy_(torch.tensor([1., 2, 3, 4]))",
        "a",
        "tensor([1., 2., 3., 4., 4.])",
    ),
    "what a function of layers writes into a tensor of inference mode is refused too": (
        "with torch.inference_mode(): a = torch.ones(2)\nf = torch.nn.functional",
        "{error(lambda: g(a, inplace=True))[:40] for g in (f.relu, f.elu, f.silu, f.hardtanh, f.dropout)}",
        "{'RuntimeError: Inplace update to inferenc'}",
    ),
    "apply_ and map_ are not counted as writes, and so are not refused to a tensor of inference mode": (
        "with torch.inference_mode(): a = torch.ones(2)\n"
        "b = torch.ones(2); b.apply_(lambda v: v + 1); b.map_(b, lambda v, w: v * w)",
        "(a.apply_(lambda v: v + 1), b, b._version)",
        "(tensor([2., 2.]), tensor([4., 4.]), 0)",
    ),
    "a leaf with numbers of inference mode counts writes to all of it, and its detached form counts its own": (
        "a = torch.zeros(2, 2, requires_grad=True)\n"
        "with torch.inference_mode(): a.data = torch.ones(2, 2)\n"
        "with torch.no_grad(): a[:] = 2; a[..., 0:2] = 3; a[a > 5] = 1; a.detach().add_(1)",
        "(a._version, a.detach()._version, error(lambda: a.__setitem__(0, 1))[:40])",
        "(3, 0, 'RuntimeError: Inplace update to inferenc')",
    ),
    "a checkpoint keeps no tensor of inference mode": (
        "with torch.inference_mode(): a = torch.ones(2)",
        "error(lambda: torch.utils.checkpoint.checkpoint(torch.sin, a, use_reentrant=False))[:48]",
        "'RuntimeError: Inference tensors cannot be saved '",
    ),
    "a function is differentiated at a tensor of inference mode": (
        "with torch.inference_mode(): a = torch.tensor([1., 2.])",
        "(torch.func.grad(lambda v: (v * v).sum())(a), torch.func.jacrev(torch.square)(a).is_inference())",
        "(tensor([2., 4.]), False)",
    ),
    "the gradient of what was broadcast is a view, as a function too": (
        "a, b = torch.ones(2, 1), torch.ones(2)",
        "[g._is_view() for g in torch.func.grad(lambda v, w: (v * w).sum(), argnums=(0, 1))(a, b)]",
        "[False, True]",
    ),
    "what is computed with gradients inside inference mode has no graph outside": (
        "a = torch.ones(2, requires_grad=True)\n"
        "with torch.inference_mode(), torch.enable_grad(): c = "
        "torch.utils.checkpoint.checkpoint(torch.exp, a, use_reentrant=True)",
        "c.sum().requires_grad",
        "False",
    ),
    "an added product is refused by dtypes first, and in place by its size before it is stretched": (
        "a, b = torch.ones(2, 2), torch.ones((), dtype=torch.float64)",
        "(error(lambda: a.addmm(b, b)), error(lambda: torch.ones(3).addmm_(a, a)), error(lambda: "
        "a[None].addr_(a[0], a[0])))",
        "('RuntimeError: self and mat2 must have the same dtype, but got Float and Double', "
        "'RuntimeError: Bad in-place call: input tensor size [3] and output tensor size [2, 2] should "
        "match', 'RuntimeError: 2D tensor expected, got 3D tensor for input')",
    ),
    "gradients that nobody wants are not looked at": (
        "a = torch.ones(2, 3, requires_grad=True); b = a.t(); a.data = torch.ones(3, 2); d = b * 2; e = d * a",
        "torch.autograd.grad(e.sum(), d)[0].shape",
        "torch.Size([3, 2])",
    ),
    "a hint says that a trace was printed wherever anomalies are looked for": (
        "a = torch.ones(2, requires_grad=True); b = a.exp(); b.add_(1); "
        "torch.autograd.set_detect_anomaly(True)\n"
        "import warnings\n"
        "with warnings.catch_warnings(record=True): found = error(lambda: b.sum().backward())\n"
        "torch.autograd.set_detect_anomaly(False)",
        "found[-60:]",
        "' question was changed in there or anywhere later. Good luck!'",
    ),
    "a determinant is the product of the pivots": (
        "a = torch.tensor([[1., 2], [3, 4]]); b = torch.full((2, 2), -1.25)",
        "(torch.linalg.det(a), torch.det(b), torch.slogdet(b).sign, torch.linalg.slogdet(a))",
        "(tensor(-2.), tensor(-0.), tensor(-0.), torch.return_types.linalg_slogdet(\n"
        "sign=tensor(-1.),\n"
        "logabsdet=tensor(0.6931)))",
    ),
    "where the strides of what is written do not decide which rows come first, those of what is read do": (
        "a = torch.tensor([[1., 2], [3, 4]]); a.as_strided((2, 2), (1, 1)).sub_(a)\n"
        "b = torch.tensor([[0., 1], [2.5, -1]]); b.as_strided((2, 2), (1, 1)).sub_(b.t())",
        "(a, b)",
        "(tensor([[ 0., -3.],\n        [-1.,  4.]]), tensor([[ 0.0000, -2.5000],\n        [ 3.5000, -1.0000]]))",
    ),
    "a number is its own adjoint, conjugated, and moving none of its dimensions is an alias": (
        "z = torch.tensor(1 + 1j, requires_grad=True)",
        "(z.adjoint(), z.movedim(0, 0).grad_fn.name())",
        "(tensor(1.-1.j, grad_fn=<ConjBackward0>), 'AliasBackward0')",
    ),
    "second derivatives are computed column by column": (
        "a = torch.tensor([1., -2.])",
        "(torch.func.hessian(lambda v: (v ** 3).sum())(a), torch.func.hessian(lambda v: v @ v)(a).stride())",
        "(tensor([[  6.,   0.],\n        [ -0., -12.]]), (1, 2))",
    ),
    "backward is refused without inputs before it is for the lack of a graph": (
        "a = torch.ones(())",
        "error(lambda: a.backward(inputs=[]))",
        "'RuntimeError: `inputs` argument to `backward()` cannot be empty.'",
    ),
    "a view that is read again shows what it keeps, and a product of several matrices is a view": (
        "a = torch.ones(2, requires_grad=True) * 1; b = a[:1]; a.add_(1); c = torch.ones(2, 2)",
        "([n for n in dir(b.grad_fn) if n.startswith('_saved')], torch.linalg.multi_dot([c, c])._is_view())",
        "(['_saved_size', '_saved_storage_offset', '_saved_stride'], True)",
    ),
    "what a node saved is freed, or was never there, and both are said": (
        "a = torch.ones(2, requires_grad=True); b = 1.5 * a; c = a.exp(); (b + c).sum().backward()",
        "(b.grad_fn._raw_saved_self.unpack(), error(lambda: c.grad_fn._raw_saved_result.unpack())[:45])",
        "(None, 'RuntimeError: Trying to backward through the ')",
    ),
    "nodes show the dimension of a part as it was given, and how many numbers a mean is of": (
        "a = torch.ones(2, 3, requires_grad=True)",
        "(a.narrow(-2, 0, 1).grad_fn._saved_dim, (a * 1j).imag.grad_fn._saved_dim, "
        "a.mean().grad_fn._saved_self_sym_numel)",
        "(18446744073709551614, 2, 6)",
    ),
    "a view that was written to before its base required a gradient is read again": (
        "a = torch.ones(2, requires_grad=True); (a * a).sum().backward()\n"
        "f = torch.ones(3, 2); g = f[:1]; g.mul_(2); f.requires_grad_()",
        "(g.is_leaf, g.grad_fn.name())",
        "(False, 'AsStridedBackward0')",
    ),
    "nodes show tensors that a call left out": (
        "a = torch.ones(2, requires_grad=True); f = torch.nn.functional\n"
        "b = a.clamp(min=a).grad_fn; c = f.batch_norm(torch.ones(2, 2) * a, None, None, training=True).grad_fn",
        "(b._raw_saved_max.unpack(), c._raw_saved_running_mean.unpack(), c._saved_eps, f.conv1d(a[None, "
        "None], a[None, None]).grad_fn._saved_bias_sym_sizes_opt)",
        "(None, None, 1e-05, (0,))",
    ),
    "a part along a dimension that is counted from the end, and its gradients": (
        "a = torch.arange(6.).reshape(2, 3).requires_grad_(); b = a.narrow(-1, 1, 2)\n"
        "g = torch.autograd.grad((b * b).sum(), a, create_graph=True)[0]",
        "(b, g, torch.autograd.grad(g.square().sum(), a)[0])",
        "(tensor([[1., 2.],\n"
        "        [4., 5.]], grad_fn=<SliceBackward0>), tensor([[ 0.,  2.,  4.],\n"
        "        [ 0.,  8., 10.]], grad_fn=<SliceBackwardBackward0>), tensor([[ 0.,  8., 16.],\n"
        "        [ 0., 32., 40.]]))",
    ),
    "second derivatives by a number are one number": (
        "a = torch.tensor(-0.5)",
        "torch.func.hessian(lambda v: (v ** 3).sum())(a)",
        "tensor(-3.)",
    ),
    "running sums of complex exponentials keep the turns of angles, and start from nothing": (
        "i = float('inf'); x = torch.tensor([complex(-i, 4), complex(-i, 1), 1 + 2j, complex(i, 0), complex(i, 1)])",
        "(x.logcumsumexp(0), torch.tensor([10j, 1j], dtype=torch.complex128).logcumsumexp(0).tolist())",
        "(tensor([-inf+0.0000j, -inf+0.0000j, 1.+2.0000j, inf+0.0000j, inf+0.7854j]), [10j, "
        "(-0.8637182087524834+2.358407346410207j)])",
    ),
    "the gradient of a product of a segment leaves zeros and NaN out instead of dividing by them": (
        "a = torch.tensor([float('nan'), 3, 4, 0, 5, 0, 0, 2], requires_grad=True)\n"
        "torch.segment_reduce(a, 'prod', lengths=torch.tensor([2, 3, 3]), initial=2).sum().backward()",
        "a.grad",
        "tensor([ 6., nan,  0., 40.,  0.,  0.,  0.,  0.])",
    ),
    "the slope of sinc is zero where a square is too small for a number": (
        "a = torch.tensor([0., 1e-30, -1e-22, 0.5], requires_grad=True); torch.sinc(a).sum().backward()",
        "a.grad",
        "tensor([ 0.0000,  0.0000,  0.0000, -1.2732])",
    ),
    "what comes after the first zero of a row changes no gradient of a running product": (
        "i = float('inf'); a = torch.tensor([2., 0, float('nan'), 3, 0, i], requires_grad=True); "
        "a.cumprod(0).sum().backward()\n"
        "b = torch.tensor([[2., 3, 0], [0, 4, 5], [1, 0, 0], [-2, 3, 4]], requires_grad=True); "
        "b.cumprod(1).sum().backward()",
        "(a.grad, b.grad)",
        "(tensor([1., nan, 0., 0., 0., 0.]), tensor([[  4.,   2.,   6.],\n"
        "        [ 25.,   0.,   0.],\n"
        "        [  1.,   1.,   0.],\n"
        "        [ 16., -10.,  -6.]]))",
    ),
    "differences of whole numbers without a sign are refused, and those of booleans": (
        "a = torch.tensor([1, 2, 3], dtype=torch.uint8)",
        "(error(lambda: torch.gradient(a)), error(lambda: torch.gradient(a.bool()))[:70])",
        "('RuntimeError: torch.gradient does not support uint8 input.', 'RuntimeError: "
        "Subtraction, the `-` operator, with two bool tensors is ')",
    ),
    "a complex number with an infinite part is infinitely long, even if the other part is no number": (
        "i = float('inf'); a = torch.tensor([1j, complex(i, float('nan'))])",
        "(a.norm(), torch.linalg.vector_norm(a, dim=0), torch.dist(torch.zeros(2), torch.tensor([complex(0, i), 3])))",
        "(tensor(inf), tensor(inf), tensor(inf))",
    ),
    "incomplete gamma functions look for 0 and infinity before they look for NaN": (
        "n, i = float('nan'), float('inf'); a, b = torch.tensor([n, n, i, n, 1.]), torch.tensor([0., i, n, 1., n])",
        "(torch.igamma(a, b), torch.igammac(a, b))",
        "(tensor([0., 1., 0., nan, nan]), tensor([1., 0., 1., nan, nan]))",
    ),
    "a tensor lists no name that it refuses": (
        "a = torch.ones(2, 2)",
        "[n for n in dir(a) if n != 'imag' and not hasattr(a, n)]",
        "[]",
    ),
    "gradient by distances of other dtypes": (
        "x = torch.tensor([1, 4, 9, 2])\nplaces = torch.tensor([0., 1., 3., 4.])",
        "[torch.gradient(x, spacing=2j), torch.gradient(x.float(), spacing=[1 + 1j]), "
        "torch.gradient(x.float(), spacing=torch.tensor(2)), torch.gradient(x, "
        "spacing=[places.double()]), torch.gradient(x.half(), spacing=[places])]",
        "[(tensor([0.-1.5000j, 0.-2.0000j, 0.+0.5000j, 0.+3.5000j]),), (tensor([ 1.5000-1.5000j,  "
        "2.0000-2.0000j, -0.5000+0.5000j, -3.5000+3.5000j]),), (tensor([ 1.5000,  2.0000, -0.5000, "
        "-3.5000]),), (tensor([ 3.0000,  2.8333, -3.8333, -7.0000], dtype=torch.float64),), "
        "(tensor([ 3.0000,  2.8333, -3.8333, -7.0000]),)]",
    ),
    "gradient refuses distances without dimensions in a list": (
        "x = torch.tensor([1., 4., 9.])",
        "error(lambda: torch.gradient(x, spacing=[torch.tensor(2.)]))",
        "'RuntimeError: torch.gradient expected each element of spacing to have one dimension, but "
        "got an element with 0 dimensions!'",
    ),
    "stride of an arange of nothing": (
        "x = torch.arange(0)",
        "[x.stride(), torch.arange(3, 3).stride(), torch.arange(3, 3, -1).stride()]",
        "[(1,), (1,), (1,)]",
    ),
    "windows shaped by numbers in tensors": (
        "two = torch.tensor(2)",
        "[torch.kaiser_window(4, True, two), torch.hamming_window(4, True, torch.tensor(0.3), torch.tensor(True))]",
        "[tensor([0.4387, 0.8348, 1.0000, 0.8348]), tensor([-0.7000,  0.3000,  1.3000,  0.3000])]",
    ),
}


def error(call: Any) -> str:
    """The error of a call as text; empty if there is none."""
    try:
        call()
    except Exception as found:
        return f"{type(found).__name__}: {found}"
    return ""


def shown(torch: Any, program: str, expression: str) -> str:
    scope = {"torch": torch, "error": error}
    exec(program, scope)
    return repr(eval(expression, scope))


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
