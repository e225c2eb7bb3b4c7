"""Explain an error of modules, layers and their parameters from its message."""

from __future__ import annotations

from .patterns import Answer, explains


@explains(r"cannot assign (\w+) before Module\.__init__\(\) call")
def _no_init(what: str) -> Answer:
    because = "A module keeps its layers and parameters in dictionaries that Module.__init__ makes, and it did not run."
    return "module.init", because, ("super().__init__() as the first line of __init__",)


@explains(r"Module \[(\w+)\] is missing the required \"forward\" function")
def _no_forward(name: str) -> Answer:
    if name in ("ModuleList", "ModuleDict"):
        because = f"A {name} only holds layers: it does not say in which order they are called."
        return "module.forward", because, ("for layer in layers: x = layer(x)", "nn.Sequential(*layers)")
    because = f"Calling a module calls its forward, and {name} has none: check how the name is spelled."
    return "module.forward", because, ("def forward(self, x):",)


@explains(r"cannot assign '(.*?)' as parameter '(\w+)' \(torch\.nn\.Parameter or None expected\)")
def _no_parameter(kind: str, name: str) -> Answer:
    because = f"{name} is a parameter, which optimizers and files know, and a plain tensor would take its place."
    ways = (
        f"layer.{name} = nn.Parameter(t)",
        f"with torch.no_grad(): layer.{name}.copy_(t), which keeps the parameter",
    )
    return "module.parameter", because, ways


@explains(r"cannot assign '(.*?)' as child module '(\w+)' \(torch\.nn\.Module or None expected\)")
def _no_module(kind: str, name: str) -> Answer:
    return (
        "module.child",
        f"{name} is a layer of this module, and a {kind} is not a module.",
        (f"another name than {name}",),
    )


@explains(r"^(\w+) is not a Module subclass")
def _no_layer(kind: str) -> Answer:
    if kind in ("list", "tuple", "torch.nn.modules.container.ModuleList"):
        because = f"Sequential takes the layers one by one, and got a {kind} of them."
        return "module.child", because, ("nn.Sequential(*layers)", "nn.Sequential(nn.Linear(2, 2), nn.ReLU())")
    return (
        "module.child",
        f"Each layer has to be a module, and {kind} is not one.",
        ("nn.ReLU() in place of F.relu, for example",),
    )


@explains(r"'(\w+)' object has no attribute '(\w+)'$")
def _missing(owner: str, name: str) -> Answer | None:
    if owner == "Tensor" and name in _OF_OTHERS:
        because = f"Tensors have no method {name}: PyTorch writes it in another way."
        return "attribute.elsewhere", because, (_OF_OTHERS[name],)
    if owner == "NoneType" and name in _OF_GRADIENTS:
        because = (
            "There is None where a tensor was expected. A .grad is None before backward(), for a tensor that requires "
            "no gradient, and for one that was computed."
        )
        ways = (
            "loss.backward() first",
            "x.retain_grad() before backward(), for a tensor that was computed",
            "with torch.no_grad(): w -= lr * w.grad, which keeps the leaf, in place of w = w - lr * w.grad",
        )
        return "autograd.no_grad_yet", because, ways
    if name in ("backward", "backwards") and owner in ("float", "int", "list", "tuple"):
        if owner in ("list", "tuple"):
            return (
                "autograd.number",
                f"backward() belongs to one tensor, not to a {owner} of them.",
                ("sum(losses).backward()",),
            )
        because = f"This is a Python {owner}: .item() and float() leave the graph behind."
        return "autograd.number", because, ("total = total + loss, and .item() only where it is printed",)
    if owner == "tuple" and name in ("shape", "size", "dim", "view", "backward", "squeeze"):
        because = "This is a tuple of tensors: LSTM, max(dim) and others return several results."
        return "argument.tuple", because, ("out, state = lstm(x)", "values, indices = x.max(dim=1)")
    return None


_OF_OTHERS = {
    "astype": "x.to(torch.float32)", "copy": "x.clone()", "append": "torch.cat([x, torch.tensor([3])])",
    "fill": "x.fill_(0)", "tostring": "x.numpy().tobytes()", "tobytes": "x.numpy().tobytes()", "len": "len(x)",
    "length": "len(x)", "extend": "torch.cat([x, y])",
    "concatenate": "torch.cat([x, y])", "ptp": "x.max() - x.min()",
}  # fmt: skip
"""Methods of lists and of NumPy's arrays, and what PyTorch has in their place."""


_OF_GRADIENTS = ("zero_", "data", "sum", "norm", "abs", "mean", "clone", "shape", "detach", "max", "numpy", "item",
                 "clamp_", "mul_", "add_", "size", "view", "cpu")  # fmt: skip


@explains(r"(\w+)\.forward\(\) takes (\d+) positional arguments? but (\d+) were given")
def _too_many(name: str, wanted: int, got: int) -> Answer:
    ones = f"{wanted - 1} input{'' if wanted == 2 else 's'}"
    because = f"Calling a module calls its forward, which takes {ones} besides self, and got {got - 1}."
    return "module.arguments", because, (f"def forward(self, {', '.join('xyzuvw'[: got - 1])}):" if got < 7 else "",)


@explains(r"(\w+)\.forward\(\) missing (\d+) required positional arguments?: (.*)$")
def _too_few(name: str, count: int, which: str) -> Answer:
    call = "criterion(output, target)" if name.endswith("Loss") else f"model(..., {which.replace(chr(39), '')})"
    return "module.arguments", f"Calling a module calls its forward, which also takes {which}.", (call,)


@explains(r"^(\w+)\.__init__\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+) were given")
def _made_with_more(name: str, most: int, got: int) -> Answer:
    takes = "nothing" if most == 1 else f"{most - 1} argument{'s' * (most > 2)} at most"
    because = f"{name}(...) takes {takes}, and got {got - 1}. A layer is made first; its tensor follows in parentheses."
    return "module.made", because, (f"{name}({'' if most == 1 else '...'})(x), for a tensor x",)


@explains(r"(\w+)\.__init__\(\) missing (\d+) required positional arguments?: (.*)$")
def _not_made(name: str, count: int, which: str) -> Answer:
    return (
        "argument.missing",
        f"{name}(...) is made with {which} as well.",
        (f"{name}(..., {which.split(chr(39))[1]}=...)",),
    )


@explains(
    r"\w+\(\): argument '(\w+)' \(position (\d+)\) must be Tensor, not (tuple|list|numpy\.ndarray|NoneType|float|int)"
)
def _no_tensor(name: str, position: int, kind: str) -> Answer:
    because, ways = {
        "tuple": ("A tuple came instead of a tensor: LSTM, GRU and others return their output and a state.",
                  ("out, state = lstm(x), and out from there on", "x[0], for the first of the tuple")),
        "list": ("A list of tensors is not a tensor.",
                 ("torch.stack(tensors), if all have one size", "torch.tensor(numbers), for a list of numbers")),
        "numpy.ndarray": ("A NumPy array is not a tensor.",
                          ("torch.from_numpy(x).float(), as NumPy's fractions have 64 bits",)),
        "NoneType": ("None came instead of a tensor: a function that returns nothing gives None.",
                     ("return x at the end of that function",)),
    }.get(kind, (f"A Python {kind} is not a tensor.", ("torch.tensor(x)",)))  # fmt: skip
    return "argument.type", because, ways


@explains(r"Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
def _fans() -> Answer:
    because = "They are computed from the numbers of inputs and outputs of a weight, and a bias has only one dimension."
    return "init.fans", because, ("if p.dim() > 1: nn.init.xavier_uniform_(p)", "nn.init.zeros_(p), for a bias")


@explains(r"dropout probability has to be between 0 and 1, but got (\S+)")
def _dropout(p: str) -> Answer:
    return (
        "dropout.p",
        "p is the share of the elements that become 0, so it lies between 0 and 1.",
        ("p=0.5, for half of them",),
    )


@explains(r"cannot assign '(.*?)' object to parameter '(\w+)' \(torch\.nn\.Parameter or None required\)")
def _registered(kind: str, name: str) -> Answer:
    because = f"{name} has to be a parameter, and a plain tensor is not one."
    ways = (f"self.{name} = nn.Parameter(t)", f"self.register_buffer({name!r}, t), if it is not learned")
    return "module.parameter", because, ways


@explains(r"attribute '(\w+)' already exists")
def _exists(name: str) -> Answer:
    because = f"The module already has another attribute called {name}."
    return "module.name", because, (f"no self.{name} = ... before it, or another name",)


@explains(r"module name can.{1,2}t contain \"\.\", got: ([\w.]+)")
def _dotted(name: str) -> Answer:
    because = "In the keys of a state_dict a dot separates a module's name from the names inside it."
    return "module.name", because, (repr(name.replace(".", "_")),)


@explains(r"^[\w.]+\.(\w+) is not a Module subclass")
def _function(name: str) -> Answer:
    because = f"{name} is a function. Sequential takes modules."
    known = {
        "relu": "nn.ReLU()",
        "sigmoid": "nn.Sigmoid()",
        "tanh": "nn.Tanh()",
        "gelu": "nn.GELU()",
        "softmax": "nn.Softmax(-1)",
    }
    return "module.child", because, (known.get(name, "a layer that calls it in forward"),)


@explains(r"Embeddings parameter is expected to be 2-dimensional")
def _table() -> Answer:
    return (
        "embedding.ndim",
        "A table has a row for each number, so it has two dimensions.",
        ("t.reshape(-1, features)",),
    )


@explains(r"padding='same' is not supported for strided convolutions")
def _same() -> Answer:
    because = "'same' means a result as large as the input, and a stride above 1 makes it smaller."
    return "convolution.padding", because, ("padding=kernel_size // 2, which keeps the size where the stride is 1",)


@explains(r"(in|out)_channels must be divisible by groups")
def _groups(which: str) -> Answer:
    because = f"All groups must have the same number of {which}put channels."
    return "convolution.groups", because, (f"groups that divides {which}_channels, such as groups=1",)


@explains(r"Variable data has to be a tensor, but got (\w+)")
def _data(kind: str) -> Answer:
    return (
        "data.kind",
        f"The numbers of a tensor come from another tensor, not from a {kind}.",
        ("w.data = torch.tensor(x)",),
    )


@explains(r"'dict' object has no attribute '(\w+)'")
def _item(name: str) -> Answer:
    return "python.key", "The values of a dictionary are read by their keys, in square brackets.", (f"d[{name!r}]",)
