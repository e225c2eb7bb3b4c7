"""Programs with the errors that people ask about most, what `why()` says to each, and what cures it.

Each program is as somebody has it who meets the error: in a layer of a model, in a step of training, in a loader.
"""

from __future__ import annotations

from typing import NamedTuple

Cure = tuple[str, str]
"""What of a program is replaced, and by what."""


class Case(NamedTuple):
    """A program that fails, what is said about it, and the way out that is proposed and taken."""

    program: str
    says: tuple[str, ...]
    way: str
    cure: Cure


MODEL = "model = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(6272, 10))\n"
LOADER = "for batch in torch.utils.data.DataLoader(data, batch_size=2):\n    pass\n"
RECURRENT = """\
rnn = nn.RNN(2, 3, batch_first=True)
step = torch.optim.SGD(rnn.parameters(), lr=0.1)
h = torch.zeros(1, 1, 3)
for _ in range(2):
    out, h = rnn(torch.ones(1, 4, 2), h)
    loss = out.pow(2).sum()
    step.zero_grad()
    loss.backward()
    step.step()
"""
HEADS = """\
z = torch.tanh(nn.Linear(3, 3)(torch.ones(4, 3)))
loss1, loss2 = nn.Linear(3, 1)(z).mean(), nn.Linear(3, 1)(z).mean()
loss1.backward()
loss2.backward()
"""
TRAINED = """\
w = torch.ones(2, requires_grad=True)
for _ in range(2):
    loss = (w * 3).sum() ** 2
    loss.backward()
"""
LISTS = """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = [nn.Linear(2, 2), nn.Linear(2, 1)]
step = torch.optim.SGD(Net().parameters(), lr=0.1)
"""
TWO_LINEAR = """\
class MLP(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(7, 12), nn.Linear(6, 10)
    def forward(self, x):
        h = torch.relu(self.fc1(x))
        return self.fc2(h)
model = MLP()
out = model(torch.ones(3, 7))
"""

CASES: dict[str, Case] = {
    # -- sizes in a model
    "a layer after flatten": Case(
        MODEL + "out = model(torch.ones(2, 1, 28, 28))",
        ("model[3] is Linear(in_features=6272", "float32 [2, 5408]", "line 2 of"),
        "nn.Linear(5408, 10) in its place",
        ("nn.Linear(6272, 10)", "nn.Linear(5408, 10)"),
    ),
    "two layers": Case(
        TWO_LINEAR,
        ("self.fc2 is Linear(in_features=6", "float32 [3, 12]", "return self.fc2(h)"),
        "nn.Linear(12, 10)",
        ("nn.Linear(6, 10)", "nn.Linear(12, 10)"),
    ),
    "pictures into a linear layer": Case(
        "fc = nn.Linear(784, 10)\nx = torch.ones(6, 1, 28, 28)\nout = fc(x)",
        ("fc is Linear", "[6, 1, 28, 28]"),
        "x.flatten(1) for the input x, which makes it [6, 784]",
        ("fc(x)", "fc(x.flatten(1))"),
    ),
    "a batch counted wrong": Case(
        "x = torch.ones(4, 6, 14, 14)\nx = x.view(-1, 400)",
        ("400, which does not divide 4704",),
        "x.flatten(1), which makes rows of 1176",
        ("x.view(-1, 400)", "x.flatten(1)"),
    ),
    "heads put together": Case(
        "x = torch.ones(2, 4, 5, 8).permute(0, 2, 1, 3)\nx = x.view(2, 5, 32)",
        ("stride 8 * 1 = 8 in dimension 2",),
        "x.reshape(2, 5, 32)",
        ("x.view(2", "x.reshape(2"),
    ),
    "scores of attention": Case(
        "q, k = torch.ones(2, 5, 8), torch.ones(2, 5, 8)\ns = q @ k",
        ("size 8", "has 5"),
        "q @ k.mT",
        ("q @ k", "q @ k.mT"),
    ),
    "a mask of attention": Case(
        "x, mask = torch.ones(2, 4, 5, 5), torch.ones(2, 5, dtype=torch.bool)\ny = x.masked_fill(mask, float('-inf'))",
        ("[2, 5] has 2 and [2, 4, 5, 5] has 5",),
        "by [:, None, None, :]",
        ("(mask,", "(mask[:, None, None, :],"),
    ),
    "a picture's channels last": Case(
        "conv = nn.Conv2d(3, 4, 3)\nx = torch.ones(1, 8, 8, 3)\ny = conv(x)",
        ("reads 3 channels, and the input has 8", "conv is Conv2d(3, 4"),
        "x.movedim(-1, -3)",
        ("conv(x)", "conv(x.movedim(-1, -3))"),
    ),
    "channels last in a batch": Case(
        "conv = nn.Conv2d(3, 4, 3)\nx = torch.ones(2, 8, 8, 3)\ny = conv(x)",
        ("reads 3 channels, and the input has 8",),
        "x.movedim(-1, 1)",
        ("conv(x)", "conv(x.movedim(-1, 1))"),
    ),
    "channels last without a batch": Case(
        "conv = nn.Conv2d(3, 4, 3)\nx = torch.ones(8, 8, 3)\ny = conv(x)",
        ("reads 3 channels, and the input has 8",),
        "x.movedim(-1, -3)",
        ("conv(x)", "conv(x.movedim(-1, -3))"),
    ),
    "a method with a slip": Case(
        "x = torch.ones(3)\ny = x.argsrt()", ("no method argsrt",), "x.argsort", ("x.argsrt", "x.argsort")
    ),
    "a function called as a method": Case(
        "x = torch.ones(3)\ny = x.relu6()",
        ("Tensors have no method relu6: it is a function.",),
        "torch.nn.functional.relu6(x)",
        ("x.relu6()", "torch.nn.functional.relu6(x)"),
    ),
    "a function of a list called as a method": Case(
        "x = torch.ones(3)\ny = x.stack([x])",
        ("Tensors have no method stack: it is a function.",),
        "torch.stack([x, y])",
        ("x.stack([x])", "torch.stack([x, x])"),
    ),
    "a function of several tensors called as a method": Case(
        "x = torch.ones(3)\ny = x.block_diag(x)",
        ("Tensors have no method block_diag: it is a function.",),
        "torch.block_diag(x, y)",
        ("x.block_diag(x)", "torch.block_diag(x, x)"),
    ),
    "a way to make tensors called as a method": Case(
        "x = torch.ones(3)\ny = x.arange(3)",
        ("Tensors have no method arange: it is a function.",),
        "torch.arange(...)",
        ("x.arange(3)", "torch.arange(3)"),
    ),
    "a method of lists": Case(
        "x = torch.ones(3)\nx.append(3)",
        ("Tensors have no method append: PyTorch writes it in another way.",),
        "torch.cat([x, torch.tensor([3])])",
        ("x.append(3)", "x = torch.cat([x, torch.tensor([3])])"),
    ),
    "an argument of a layer with a slip": Case(
        "layer = nn.Linear(3, 4, biass=False)",
        ("No argument of Linear() is called biass",),
        "bias=... in place of biass=...",
        ("biass=", "bias="),
    ),
    "an argument of a function with a slip": Case(
        "x = torch.ones(2, 3, dtpe=torch.int32)",
        ("No argument of ones() is called dtpe",),
        "dtype=... in place of dtpe=...",
        ("dtpe=", "dtype="),
    ),
    "a file with fewer layers": Case(
        "model = nn.Linear(2, 3)\nmodel.load_state_dict({'weight': torch.ones(3, 2)})",
        ("1 of the model's keys, such as 'bias', are not in the file", "had fewer layers"),
        "strict=False, which leaves the missing parameters as they are",
        ("ones(3, 2)}", "ones(3, 2)}, strict=False"),
    ),
    "a file with more layers": Case(
        "model = nn.Linear(2, 3, bias=False)\nmodel.load_state_dict({'weight': torch.ones(3, 2), 'b': torch.ones(3)})",
        ("1 of the file's keys, such as 'b', are not in the model", "had more layers"),
        "strict=False, which leaves them out",
        ("ones(3)}", "ones(3)}, strict=False"),
    ),
    "a method of a model with a slip": Case(
        "model = nn.Linear(2, 3)\nfor p in model.parameter():\n    pass",
        ("Linear has no parameter, and a method parameters",),
        "model.parameters(...)",
        ("parameter()", "parameters()"),
    ),
    "a chain over several lines": Case(
        "x = torch.ones(3, 4)\ny = (x\n    .t()\n    .view(12))",
        ("3 * 4 = 12 in dimension 0",),
        "x.t().reshape(12)",
        (".view(12)", ".reshape(12)"),
    ),
    "a layer that is made and not called": Case(
        "x = torch.ones(3)\ny = nn.Sigmoid(x)",
        ("Sigmoid(...) takes nothing, and got 1",),
        "Sigmoid()(x), for a tensor x",
        ("nn.Sigmoid(x)", "nn.Sigmoid()(x)"),
    ),
    "an argument of a model with a slip": Case(
        "model = nn.Linear(3, 4)\ny = model(inputs=torch.ones(3))",
        ("No argument of Linear() is called inputs",),
        "input=... in place of inputs=...",
        ("inputs=", "input="),
    ),
    "a method of tensors on an array": Case(
        "a = np.ones(3)\nx = a.unsqueeze(0)",
        ("method of tensors, and this is a NumPy array",),
        "torch.from_numpy(a).unsqueeze(",
        ("a.unsqueeze(0)", "torch.from_numpy(a).unsqueeze(0)"),
    ),
    "an array that is one already": Case(
        "a = np.ones(3)\nb = a.numpy()", ("This is a NumPy array already",), "a", ("a.numpy()", "a")
    ),
    "the argument dim of an array": Case(
        "a = np.ones((2, 3))\nb = a.sum(dim=0)",
        ("NumPy calls this argument axis",),
        "axis=... in place of dim=...",
        ("dim=", "axis="),
    ),
    "a maximum and its place": Case(
        "x = torch.ones(2, 3)\ny = (2,) + x.max(dim=0) + 1",
        ("two tensors",),
        ".values",
        ("(2,) + x.max(dim=0)", "x.max(dim=0).values"),
    ),
    "a list beside a tensor": Case(
        "x = torch.ones(3)\ny = x + [1, 2, 3]",
        ("a list is not converted",),
        "torch.tensor(...), for the list",
        ("[1, 2, 3]", "torch.tensor([1, 2, 3])"),
    ),
    "a window too large": Case(
        "net = nn.Sequential(nn.Conv2d(1, 4, 5), nn.MaxPool2d(2), nn.Conv2d(4, 8, 5))\ny = net(torch.ones(1, 1, 8, 8))",
        ("the window, 5 x 5, is larger than the input with its padding, 2 x 2", "net[2] is Conv2d(4, 8"),
        "padding=2",
        ("nn.Conv2d(4, 8, 5)", "nn.Conv2d(4, 8, 5, padding=2)"),
    ),
    "a state of another batch": Case(
        "lstm = nn.LSTM(10, 20, batch_first=True)\nh = torch.zeros(1, 5, 20)\ny = lstm(torch.ones(3, 7, 10), (h, h))",
        ("here (1, 3, 20)", "the batch of the input is 3", "lstm is LSTM"),
        "torch.zeros(1, 3, 20)",
        ("zeros(1, 5, 20)", "zeros(1, 3, 20)"),
    ),
    "one example for a norm": Case(
        "bn = nn.BatchNorm1d(4)\ny = bn(torch.ones(1, 4))",
        ("[1, 4] has one number for each channel",),
        "module.eval()",
        ("y = ", "bn.eval()\ny = "),
    ),
    "a token out of the table": Case(
        "emb = nn.Embedding(10, 4)\ny = emb(torch.tensor([[1, 10]]))",
        ("rows 0 to 9", "from 1 to 10"),
        "num_embeddings=11, or more",
        ("Embedding(10", "Embedding(11"),
    ),
    "an LSTM in a Sequential": Case(
        "lstm, fc = nn.LSTM(4, 8), nn.Linear(8, 2)\ny = fc(lstm(torch.ones(3, 2, 4)))",
        ("line 2 of",),
        "out, state = lstm(x)",
        ("fc(lstm(torch.ones(3, 2, 4)))", "fc(lstm(torch.ones(3, 2, 4))[0])"),
    ),
    # -- dtypes
    "NumPy's fractions": Case(
        "fc = nn.Linear(4, 2)\nx = torch.from_numpy(np.ones((3, 4)))\ny = fc(x)",
        ("one operand is torch.float64, the other torch.float32", "fc is Linear"),
        "x.to(torch.float32), for the input",
        ("fc(x)", "fc(x.to(torch.float32))"),
    ),
    "a layer of NumPy's fractions": Case(
        "conv = nn.Conv2d(3, 4, 3)\nx = torch.from_numpy(np.ones((1, 3, 8, 8)))\ny = conv(x)",
        ("the input is torch.float64, the bias torch.float32",),
        "conv.to(torch.float64)",
        ("conv(x)", "conv.to(torch.float64)(x)"),
    ),
    "bytes of a picture": Case(
        "conv = nn.Conv2d(3, 4, 3)\nx = torch.ones(1, 3, 8, 8, dtype=torch.uint8)\ny = conv(x)",
        ("torch.uint8",),
        "x.to(torch.float32), for the input x",
        ("conv(x)", "conv(x.to(torch.float32))"),
    ),
    "whole numbers times fractions": Case(
        "x, w = torch.ones(2, 2).long(), torch.full((2, 2), 0.5)\ny = x @ w",
        ("torch.int64", "torch.float32"),
        "x.to(torch.float32)",
        ("x @ w", "x.to(torch.float32) @ w"),
    ),
    "the mean of a mask": Case(
        "x = torch.tensor([True, False])\ny = x.mean()",
        ("the share that is true",),
        "x.float().mean()",
        ("x.mean()", "x.float().mean()"),
    ),
    "a target of whole numbers": Case(
        "x, y = torch.ones(4), torch.tensor([0, 1, 1, 0])\nloss = nn.BCEWithLogitsLoss()(x, y)",
        ("each target is a probability", "torch.int64"),
        "target.to(torch.float32)",
        ("(x, y)", "(x, y.to(torch.float32))"),
    ),
    # -- losses
    "a class too many": Case(
        "x, y = torch.ones(4, 3), torch.tensor([1, 2, 3, 1])\nloss = F.cross_entropy(x, y)",
        ("3 scores for each example, so the classes are 0 to 2",),
        "target - 1",
        ("(x, y)", "(x, y - 1)"),
    ),
    "one score for two classes": Case(
        "x, y = torch.ones(4, 1), torch.tensor([0, 1, 1, 0])\nloss = F.cross_entropy(x, y)",
        ("0 is the only class",),
        "a last layer with 2 outputs",
        ("ones(4, 1)", "ones(4, 2)"),
    ),
    "a column of classes": Case(
        "x, y = torch.ones(4, 3), torch.ones(4, 1).long()\nloss = F.cross_entropy(x, y)",
        ("size [4], not [4, 1]",),
        "target.squeeze(1)",
        ("(x, y)", "(x, y.squeeze(1))"),
    ),
    "words of a sentence": Case(
        "x, y = torch.ones(2, 7, 9), torch.ones(2, 7).long()\nloss = F.cross_entropy(x, y)",
        ("so 7 classes", "[2, 9]"),
        "input.movedim(-1, 1)",
        ("(x, y)", "(x.movedim(-1, 1), y)"),
    ),
    "a mask with a channel": Case(
        "x, y = torch.ones(2, 5, 8, 8), torch.ones(2, 1, 8, 8).long()\nloss = F.cross_entropy(x, y)",
        ("has size [2, 8, 8], and this one is [2, 1, 8, 8]",),
        "target.squeeze(1)",
        ("(x, y)", "(x, y.squeeze(1))"),
    ),
    "scores for probabilities": Case(
        "x, y = torch.tensor([2.0]), torch.tensor([1.0])\nloss = nn.BCELoss()(x, y)",
        ("a probability",),
        "nn.BCEWithLogitsLoss()",
        ("nn.BCELoss()", "nn.BCEWithLogitsLoss()"),
    ),
    "a loss that is not made": Case(
        "x = torch.ones(3)\nloss = nn.MSELoss(x, x)",
        ("MSELoss(...) makes a loss",),
        "nn.MSELoss()(input, target)",
        ("nn.MSELoss(x, x)", "nn.MSELoss()(x, x)"),
    ),
    # -- gradients
    "a step of training": Case(
        TRAINED + "    w -= 0.1 * w.grad",
        ("The leaf is w.",),
        "with torch.no_grad(): around the write",
        ("w -= ", "with torch.no_grad(): w -= "),
    ),
    "a leaf that is replaced": Case(
        TRAINED + "    w = w - 0.1 * w.grad\n    w.grad.zero_()",
        ("for one that was computed",),
        "with torch.no_grad(): w -= lr * w.grad",
        ("w = w - ", "with torch.no_grad(): w -= "),
    ),
    "a state through the graph": Case(
        RECURRENT,
        ("in an earlier pass", "The graph of h goes through it as well"),
        "h = h.detach()",
        ("rnn(torch.ones(1, 4, 2), h)", "rnn(torch.ones(1, 4, 2), h.detach())"),
    ),
    "two losses of one computation": Case(
        HEADS,
        ("In the graph of loss2", "The graph of loss1 goes through it as well"),
        "(loss1 + loss2).backward()",
        ("loss1.backward()\nloss2.backward()", "(loss1 + loss2).backward()"),
    ),
    "the places of the largest": Case(
        "model = nn.Linear(4, 3)\nout = model(torch.ones(5, 4)).argmax(1).float()\nloss = out.mean()\nloss.backward()",
        ("model.weight and model.bias require one", "no recorded operation leads from them"),
        "argmax() on the way",
        (".argmax(1).float()", ""),
    ),
    "frozen parameters": Case(
        "model = nn.Linear(4, 1).requires_grad_(False)\nloss = model(torch.ones(2, 4)).mean()\nloss.backward()",
        ("The parameters model.weight and model.bias require none",),
        "for p in model.parameters(): p.requires_grad_()",
        ("loss = ", "for p in model.parameters(): p.requires_grad_()\nloss = "),
    ),
    "a loss for each example": Case(
        "x = torch.ones(5, requires_grad=True)\nloss = x * 2\nloss.backward()",
        ("5 elements",),
        "loss.sum().backward()",
        ("loss.backward", "loss.sum().backward"),
    ),
    "numbers made in inference mode": Case(
        "w = torch.ones(2, requires_grad=True)\nwith torch.inference_mode():\n    h = torch.ones(2)\nloss = w * h",
        ("refused",),
        "h.clone()",
        ("w * h", "w * h.clone()"),
    ),
    "a number in place of a loss": Case(
        "w = torch.ones(1, requires_grad=True)\nloss = w.sum().item()\nloss.backward()",
        (".item() and float()",),
        "total = total + loss",
        (".sum().item()", ".sum()"),
    ),
    # -- values and lists
    "two comparisons": Case(
        "x = torch.ones(3)\ny = x[(x > 0) and (x < 2)]", ("3 elements",), "(x > 0) & (...)", (" and ", " & ")
    ),
    "a tensor in a list": Case(
        "x, xs = torch.ones(2), [torch.zeros(2), torch.ones(2)]\ny = x in xs",
        ("2 elements",),
        "any(torch.equal(t, x) for t in tensors)",
        ("x in xs", "any(torch.equal(t, x) for t in xs)"),
    ),
    "a tensor of tensors": Case(
        "rows = [torch.tensor([1, 2]), torch.tensor([3, 4])]\nx = torch.tensor(rows)",
        ("2 elements of torch.int64",),
        "torch.stack(tensors)",
        ("torch.tensor(rows)", "torch.stack(rows)"),
    ),
    "rows of several lengths": Case(
        "x = torch.tensor([[1, 2, 3], [4, 5]])",
        ("3 items, this one 2",),
        "torch.nn.utils.rnn.pad_sequence(",
        (
            "torch.tensor([[1, 2, 3], [4, 5]])",
            "torch.nn.utils.rnn.pad_sequence([torch.tensor(row) for row in [[1, 2, 3], [4, 5]]], batch_first=True)",
        ),
    ),
    "texts": Case(
        "a = np.array(['cat', 'dog', 'cat'])\nx = torch.tensor(a)",
        ("numbers",),
        "np.unique(array, return_inverse=True)[1]",
        ("torch.tensor(a)", "torch.tensor(np.unique(a, return_inverse=True)[1])"),
    ),
    "too many indices": Case(
        "x = torch.ones(5)\ny = x[:, 0]",
        ("2 indices are given, and the tensor has 1 dimension, [5]",),
        "x[:], with at most one index",
        ("x[:, 0]", "x[:]"),
    ),
    "a mask of the other dimension": Case(
        "x, mask = torch.ones(4, 3), torch.tensor([True, False, True])\ny = x[mask]",
        ("3 places where the tensor has 4",),
        "x[:, mask], as dimension 1 has 3 places",
        ("x[mask]", "x[:, mask]"),
    ),
    "one element of each row": Case(
        "x = torch.ones(3, 4)\ny = x.gather(1, torch.tensor([0, 1, 2]))",
        ("index has size [3], the tensor [3, 4]",),
        ".unsqueeze(1), for one element of each line",
        ("torch.tensor([0, 1, 2])", "torch.tensor([0, 1, 2]).unsqueeze(1)"),
    ),
    "parts of a dimension": Case(
        "x = torch.ones(2, 12)\ny = x.unflatten(1, (5, 3))",
        ("15 elements, and there are 12",),
        "x.unflatten(1, (4, 3))",
        ("(5, 3)", "(4, 3)"),
    ),
    "a matrix that is not positive": Case(
        "a = torch.ones(2, 2)\ny = torch.linalg.cholesky(a)",
        ("x @ A @ x > 0",),
        "A + 1e-6 * torch.eye(len(A))",
        ("cholesky(a)", "cholesky(a + 1e-6 * torch.eye(2))"),
    ),
    "the larger of a tensor and a number": Case(
        "x = torch.ones(2)\ny = torch.max(x, 0.0)",
        ("max() is not called with (Tensor, float)",),
        "x.clamp(min=0.0)",
        ("torch.max(x, 0.0)", "x.clamp(min=0.0)"),
    ),
    # -- data
    "samples of several sizes": Case(
        "data = [torch.ones(5, 3), torch.ones(7, 3)]\n" + LOADER,
        ("size 5 in tensor 0 and 7 in tensor 1",),
        "torch.nn.utils.rnn.pad_sequence",
        ("batch_size=2", "batch_size=2, collate_fn=torch.nn.utils.rnn.pad_sequence"),
    ),
    "a sample that is None": Case(
        "data = [None, None]\n" + LOADER,
        ("NoneType",),
        "DataLoader(..., collate_fn=list)",
        ("batch_size=2", "batch_size=2, collate_fn=list"),
    ),
    "a sample by its label": Case(
        "class Data(torch.utils.data.Dataset):\n"
        "    rows = {10: 1.0, 11: 2.0}\n    def __len__(self):\n        return 2\n"
        "    def __getitem__(self, i):\n        return self.rows[i]\ndata = Data()\n" + LOADER,
        ("asked Data for sample 0",),
        "a row by its place",
        ("self.rows[i]", "list(self.rows.values())[i]"),
    ),
    "no samples": Case(
        "data = []\nloader = torch.utils.data.DataLoader(data, shuffle=True)",
        ("its len() is 0",),
        "len(dataset)",
        ("data = []", "data = [1.0]"),
    ),
    # -- modules, optimizers, files
    "layers in a list": Case(
        LISTS,
        ("plain list",),
        "nn.ModuleList([...])",
        ("[nn.Linear(2, 2), nn.Linear(2, 1)]", "nn.ModuleList([nn.Linear(2, 2), nn.Linear(2, 1)])"),
    ),
    "a computed parameter": Case(
        "w = torch.ones(2, requires_grad=True) * 0.1\nstep = torch.optim.SGD([w], lr=0.1)",
        ("computed from another",),
        "w.detach().requires_grad_()",
        ("[w]", "[w.detach().requires_grad_()]"),
    ),
    "no super": Case(
        "class Net(nn.Module):\n    def __init__(self):\n        self.fc = nn.Linear(2, 2)\nnet = Net()",
        ("Module.__init__ makes",),
        "super().__init__()",
        ("        self.fc", "        super().__init__()\n        self.fc"),
    ),
    "a layer that is not there": Case(
        "class Net(nn.Module):\n"
        "    def __init__(self):\n        super().__init__()\n        self.fc1 = nn.Linear(2, 2)\n"
        "    def forward(self, x):\n        return self.fc2(x)\ny = Net()(torch.ones(1, 2))",
        ("Net has fc1, and fc2 is not",),
        "self.fc1",
        ("self.fc2", "self.fc1"),
    ),
    "a layer that is not made": Case(
        "x = torch.ones(2)\ny = nn.ReLU(x) + 1",
        ("ReLU(...) makes a layer",),
        "nn.ReLU()(x)",
        ("nn.ReLU(x)", "nn.ReLU()(x)"),
    ),
    "a list in Sequential": Case(
        "layers = [nn.Linear(2, 2), nn.ReLU()]\nnet = nn.Sequential(layers)",
        ("one by one",),
        "nn.Sequential(*layers)",
        ("(layers)", "(*layers)"),
    ),
    "a tensor for a parameter": Case(
        "fc = nn.Linear(2, 2)\nfc.weight = torch.zeros(2, 2)",
        ("weight is a parameter",),
        "layer.weight = nn.Parameter(t)",
        ("torch.zeros(2, 2)", "nn.Parameter(torch.zeros(2, 2))"),
    ),
    "a file of a parallel model": Case(
        "model = nn.Linear(2, 2)\nstate = {'module.' + k: v for k, v in model.state_dict().items()}\n"
        "model.load_state_dict(state)",
        ("model's with 'module.' in front",),
        "{k.removeprefix('module.'): v for k, v in state.items()}",
        ("dict(state)", "dict({k.removeprefix('module.'): v for k, v in state.items()})"),
    ),
    "a checkpoint for a state": Case(
        "model = nn.Linear(2, 2)\ncheckpoint = {'epoch': 3, 'model': model.state_dict()}\n"
        "model.load_state_dict(checkpoint)",
        ("a checkpoint: it holds the model's state",),
        "model.load_state_dict(checkpoint['model'])",
        ("dict(checkpoint)", "dict(checkpoint['model'])"),
    ),
    "a file of other sizes": Case(
        "state, model = nn.Linear(4, 2).state_dict(), nn.Linear(4, 3)\nmodel.load_state_dict(state)",
        ("weight has size [2, 4] in the file and [3, 4] in the model", "strict=False does not help"),
        "{k: v for k, v in state.items() if v.shape == model.state_dict()[k].shape}, with strict=False",
        (
            "dict(state)",
            "dict({k: v for k, v in state.items() if v.shape == model.state_dict()[k].shape}, strict=False)",
        ),
    ),
}

EXPLAINED = [
    "F.one_hot(torch.tensor([-1, 2]))",
    "F.pad(torch.ones(3), (1,))",
    "nn.Linear(4.0, 2)",
    "torch.func.grad(lambda x: x * 2)(torch.ones(3))",
    "torch.ones(4, 4).to_sparse() @ torch.ones(3, 4)",
    "torch.ones(3) ** '2'",
    "F.scaled_dot_product_attention(torch.ones(1, 2, 3, 4), torch.ones(1, 2, 3, 5), torch.ones(1, 2, 3, 4))",
    "torch.zeros(10**17)",
    "torch.save(lambda: 1, __import__('io').BytesIO())",
    "nn.GRU(4, 8, 2)(torch.ones(5, 3, 4), torch.zeros(1, 3, 8))",
    "nn.init.xavier_uniform_(torch.ones(3))",
    "nn.Dropout(1.5)",
    "torch.optim.SGD(nn.Linear(1, 1).parameters(), lr=-0.1)",
    "torch.optim.SGD(nn.Linear(1, 1), lr=0.1)",
    "torch.optim.SGD(torch.ones(1), lr=0.1)",
    "torch.optim.lr_scheduler.StepLR(nn.Linear(1, 1), step_size=3)",
    "torch.zeros(4).__setitem__(torch.ones(4) > 0, torch.ones(3))",
    "torch.zeros('3')",
    "torch.zeros(2.5, 3)",
    "range(torch.tensor(3.0))",
    "['a', 'b'][torch.tensor([0, 1])]",
    "nn.Module().register_parameter('w', torch.ones(2))",
    "nn.ModuleDict({'a.b': nn.Linear(1, 1)})",
    "nn.ModuleList([nn.Linear(1, 1)])(torch.ones(1))",
    "nn.Sequential(nn.Linear(1, 1), F.relu)",
    "torch.utils.data.DataLoader([1, 2], batch_size=0)",
    "torch.utils.data.DataLoader([1], sampler=[0], shuffle=True)",
    "torch.utils.data.random_split([1, 2, 3], [1, 1])",
    "torch.utils.data.TensorDataset(torch.ones(2), torch.ones(3))",
    "nn.TransformerEncoderLayer(8, 2, batch_first=True)(torch.ones(2, 5, 6))",
    "nn.MultiheadAttention(10, 3)",
    "nn.GroupNorm(3, 8)",
    "nn.BatchNorm1d(4)(torch.ones(2, 4, 8, 8))",
    "nn.BatchNorm2d(16)(torch.ones(2, 8, 4, 4))",
    "nn.MaxPool2d(4)(torch.ones(1, 8, 3, 3))",
    "nn.Conv2d(3, 4, 3)(torch.ones(8, 8))",
    "nn.Conv2d(1, 1, 3, stride=2, padding='same')",
    "nn.Conv2d(3, 4, 3, groups=2)",
    "nn.Embedding.from_pretrained(torch.ones(3))",
    "F.pad(torch.ones(8, 8), (1, 1, 1, 1), mode='reflect')",
    "F.interpolate(torch.ones(3, 8, 8), size=(16, 16), mode='bilinear')",
    "F.one_hot(torch.tensor([0, 5]), num_classes=3)",
    "F.cross_entropy(torch.ones(4, 3), torch.tensor([0.0, 1.0, 2.0, 1.0]))",
    "F.cross_entropy(torch.ones(4, 3), F.one_hot(torch.tensor([0, 1, 2, 1]), 3))",
    "nn.CrossEntropyLoss()(torch.ones(4, 3))",
    "torch.zeros(3).index_add_(0, torch.tensor([0, 1]), torch.ones(3))",
    "torch.zeros(3, 4).scatter_(1, torch.tensor([0, 1, 2]), 1.0)",
    "torch.zeros(3, 4).scatter_(1, torch.tensor([[0]]), torch.ones(1, 1).double())",
    "torch.zeros(3).__setitem__(torch.tensor([0]), torch.ones(1).double())",
    "torch.cat(torch.ones(2), torch.ones(2))",
    "torch.cat([torch.ones(2), np.ones(2)])",
    "torch.cat([])",
    "torch.ones(2, 3).transpose()",
    "torch.full((2, 2))",
    "torch.clamp(torch.ones(2))",
    "torch.multinomial(torch.tensor([0.5, -0.1]), 1)",
    "torch.multinomial(torch.ones(2), 3)",
    "torch.linalg.inv(torch.ones(2, 2))",
    "torch.linalg.svd(torch.tensor([[float('nan'), 1.0], [1.0, 1.0]]))",
    "torch.ones(2, dtype=np.float32)",
    "torch.ones(2, device='gpu')",
    "torch.ones(2).softmax('0')",
    "torch.ones(2).astype(np.float32)",
    "torch.ones(2).append(3)",
    "torch.ones(2).size[0]",
    "torch.ones(2).shape(0)",
    "torch.ones(2) + 'a'",
    "torch.ones(2) + None",
    "torch.zeros(3).add_(torch.ones(2, 3))",
    "len(torch.tensor(3.0))",
    "list(torch.tensor(3.0))",
    "'{:.2f}'.format(torch.ones(2))",
    "{torch.tensor(1): 'a'}[torch.tensor(1)]",
    "{'a': 1}.a",
    "torch.ones(2, requires_grad=True).grad.zero_()",
    "sum([1.0]).backward()",
    "[torch.ones(1)].backward()",
    "torch.nn.functional.softmax(torch.ones(2), axis=0)",
    "torch.ones(2).norm(axis=0)",
    "torch.norm(torch.ones(2), keepdims=True)",
    "np.sum(torch.ones(2))",
]
"""Expressions that are refused, each with a reason and a way out."""
