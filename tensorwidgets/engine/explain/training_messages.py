"""Explain an error of data loading, modules, optimizers and model files from its message."""

from __future__ import annotations

import re
from pathlib import Path

from ..errors.tracebacks import is_library_file
from .messages import Answer, explains

# -- datasets and loaders --------------------------------------------------------------------------------------------


@explains(r"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class '(.*?)'>")
def _collate(kind: str) -> Answer:
    because = f"A batch stacks the samples, and nothing says how several values of {kind} become one."
    ways = ("a tensor or a number in its place, in the dataset's __getitem__",
            "DataLoader(..., collate_fn=list), which makes a list of the samples")  # fmt: skip
    return "data.collate", because, ways


@explains(r"each element in list of batch should be of equal size")
def _ragged() -> Answer:
    because = "The samples are lists, and their lengths differ: the first elements of all make one tensor, and so on."
    ways = ("DataLoader(..., collate_fn=list), which makes a list of the samples",
            "collate_fn=..., which pads them: pad_sequence([torch.tensor(s) for s in samples], True)")  # fmt: skip
    return "data.collate", because, ways


@explains(r"num_samples should be a positive integer value, but got num_samples=0")
def _no_samples() -> Answer:
    because = "No sample can be drawn: the dataset is empty (its len() is 0), or num_samples was given as 0."
    return "data.empty", because, ("len(dataset), before the loader is made", "the path that the files are read from")


@explains(r"sampler option is mutually exclusive with shuffle")
def _two_orders() -> Answer:
    return "data.settings", "sampler and shuffle both say in which order the samples come.", ("sampler=..., alone",)


@explains(r"Sum of input lengths does not equal the length of the input dataset")
def _parts() -> Answer:
    because = "The lengths of the parts add up to more or fewer samples than the dataset has."
    return "data.sizes", because, ("random_split(data, [0.8, 0.2])", "[n, len(data) - n], for parts of n and the rest")


@explains(r"Size mismatch between tensors")
def _rows() -> Answer:
    because = "A sample takes one row of each tensor, and their first dimensions differ."
    return "data.sizes", because, ("[t.shape for t in tensors], to see which is too long",)


@explains(r"DataLoader worker \(pid\(?s?\)? .*?\) (?:exited unexpectedly|is killed by signal: (.*?)\.)")
def _worker(signal: str | None) -> Answer:
    because = "A worker process ended" + (f" by the signal {signal}" if signal else "") + (
        ": an error in the dataset, or too little memory; its own message is printed above."
    )  # fmt: skip
    ways = ("num_workers=0, which shows the dataset's own error", 'if __name__ == "__main__": around the program')
    return "data.worker", because, ways


@explains(
    r"An attempt has been made to start a new process before the\s+current process has finished its bootstrapping"
)
def _not_guarded() -> Answer:
    because = "Each worker imports the program, and the program starts workers again when it is imported."
    return "data.worker", because, ('if __name__ == "__main__": around what starts the training', "num_workers=0")


# -- modules ---------------------------------------------------------------------------------------------------------


@explains(r"cannot assign (\w+) before Module\.__init__\(\) call")
def _no_init(what: str) -> Answer:
    because = "A module keeps its layers and parameters in dictionaries that Module.__init__ makes, and it did not run."
    return "module.init", because, ("super().__init__() as the first line of __init__",)


@explains(r"Module \[(\w+)\] is missing the required \"forward\" function")
def _no_forward(name: str) -> Answer:
    if name in ("ModuleList", "ModuleDict"):
        because = f"A {name} only holds layers: it does not say in which order they are called."
        return "module.forward", because, ("for layer in layers: x = layer(x)", "nn.Sequential(*layers)")
    because = f"To call a module is to call its forward, and {name} has none: look at how the name is spelled."
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
    if owner == "Tensor" and name in _OF_NUMPY:
        return "attribute.numpy", f"{name} is a method of NumPy's arrays. A tensor has another one.", (_OF_NUMPY[name],)
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
    if name == "backward" and owner in ("float", "int", "list", "tuple"):
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


_OF_NUMPY = {
    "astype": "x.to(torch.float32)", "copy": "x.clone()", "append": "torch.cat([x, torch.tensor([3])])",
    "fill": "x.fill_(0)", "tostring": "x.numpy().tobytes()",
    "concatenate": "torch.cat([x, y])", "ptp": "x.max() - x.min()",
}  # fmt: skip
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


# -- optimizers ------------------------------------------------------------------------------------------------------


@explains(r"optimizer got an empty parameter list")
def _no_parameters() -> Answer:
    because = (
        "The model has no parameters. Layers in a plain list or dict are not found: a module only knows its attributes."
    )
    return "optimizer.empty", because, ("nn.ModuleList([...]) in place of [...]", "list(model.parameters()), to look")


@explains(r"can't optimize a non-leaf Tensor")
def _computed() -> Answer:
    because = "This tensor was computed from another one, so a step would change a result and not what it comes from."
    ways = ("w = (torch.randn(2) * 0.1).requires_grad_()", "w.detach().requires_grad_()")
    return "optimizer.leaf", because, ways


@explains(r"params argument given to the optimizer should be an iterable of Tensors or dicts, but got (\S+)")
def _one_parameter(kind: str) -> Answer:
    return (
        "optimizer.parameters",
        f"An optimizer takes several tensors, and {kind} is one.",
        ("[w]", "model.parameters()"),
    )


@explains(r"'(\w+)' object is not iterable$")
def _no_iterable(kind: str) -> Answer | None:
    if kind[0].isupper():
        because = f"A {kind} was given where an iterable is expected. An optimizer takes several parameters."
        return "argument.iterable", because, ("model.parameters(), for an optimizer",)
    return None


@explains(
    r"loaded state dict (?:contains a parameter group that doesn't match the size of optimizer's group|"
    r"has a different number of parameter groups)"
)
def _other_optimizer() -> Answer:
    because = "The file comes from an optimizer with another number of parameters, so from another model."
    return "optimizer.state", because, ("the same model and the same order of parameters as when it was saved",)


# -- model files -----------------------------------------------------------------------------------------------------


@explains(r"Error\(s\) in loading state_dict for (\w+):(.*)$")
def _state(name: str, lines: str) -> Answer:
    missing = _keys(lines, "Missing")
    extra = _keys(lines, "Unexpected")
    sizes = re.findall(r"size mismatch for (\S+): .*?torch\.Size\((\[.*?\])\).*?torch\.Size\((\[.*?\])\)", lines)
    said, ways = [], []
    if missing or extra:
        prefix = _prefix(missing, extra)
        nested = next((key for key in extra if key in _CHECKPOINT), None)
        if prefix is not None:
            said.append(f"The file's keys are the model's with {prefix!r} in front.")
            ways.append(f"{{k.removeprefix({prefix!r}): v for k, v in state.items()}}")
        elif (lacking := _prefix(extra, missing)) is not None:
            said.append(f"The file's keys are the model's without the {lacking!r} in front.")
            ways.append(f"{{{lacking!r} + k: v for k, v in state.items()}}")
        elif nested is not None:
            said.append("This is a checkpoint: it holds the model's state and other things.")
            ways.append(f"model.load_state_dict(checkpoint[{nested!r}])")
        else:
            counts = [f"{len(missing)} of the model's keys, such as {missing[0]!r}, are not in the file"] * bool(
                missing
            )
            counts += [f"{len(extra)} of the file's, such as {extra[0]!r}, are not in the model"] * bool(extra)
            said.append(f"{' and '.join(counts)}: the model that was saved had other names for its layers.")
            ways += ["the same class and arguments as when it was saved",
                     "strict=False, which leaves the missing parameters as they are"]  # fmt: skip
    if sizes:
        key, theirs, ours = sizes[0]
        more = f", and {len(sizes) - 1} more differ{'s' * (len(sizes) == 2)}" if len(sizes) > 1 else ""
        said.append(
            f"{key} has size {theirs} in the file and {ours} in the model{more}. strict=False does not help here."
        )
        ways.append(f"the same arguments of the layer as when it was saved, so that {key} has size {theirs}")
        ways.append("{k: v for k, v in state.items() if v.shape == model.state_dict()[k].shape}, with strict=False")
    return "state.keys", " ".join(said) or "The file does not fit the model.", tuple(ways)


_CHECKPOINT = ("model", "state_dict", "model_state_dict", "model_state", "net", "weights")


def _keys(lines: str, which: str) -> list[str]:
    found = re.search(rf"{which} key\(s\) in state_dict: (.*?)\.\s*(?:\n|$)", lines)
    return re.findall(r'"(.*?)"', found[1]) if found is not None else []


def _prefix(short: list[str], long: list[str]) -> str | None:
    """What each of the long keys has in front of a short one; None if that is not all that differs."""
    if not short or len(short) != len(long):
        return None
    front = long[0].removesuffix(short[0])
    return front if front != long[0] and front and [front + key for key in short] == long else None


@explains(r"Expected state_dict to be dict-like, got <class '(.*?)'>")
def _whole_model(kind: str) -> Answer:
    because = f"load_state_dict takes a dictionary of tensors, and this is a {kind.rpartition('.')[2]}."
    return "state.kind", because, ("model.load_state_dict(other.state_dict())",)


@explains(r"Weights only load failed.*?(?:Unsupported global: GLOBAL (\S+)|$)")
def _weights_only(kind: str | None) -> Answer:
    what = f", here {kind}" if kind else ""
    because = f"The file holds more than tensors{what}: loading it can run any code, so torch.load refuses it."
    ways = ("torch.save(model.state_dict(), path), which saves tensors alone",
            "torch.load(path, weights_only=False), for a file that you made yourself")  # fmt: skip
    return "file.weights_only", because, ways


@explains(r"Attempting to deserialize object on a CUDA device but torch\.cuda\.is_available\(\) is False")
def _other_device() -> Answer:
    because = "The tensors were saved on a GPU, and this computer has none that PyTorch can use."
    return "file.device", because, ("torch.load(path, map_location='cpu')",)


@explains(r"CUDA out of memory\. Tried to allocate (\S+ \S+?)\.")
def _full(wanted: str) -> Answer:
    because = (
        f"The GPU's memory is full: another {wanted} did not fit. Most of it usually holds activations, which backward "
        "needs."
    )
    ways = ("a smaller batch", "with torch.no_grad(): where nothing is learned", "total += loss.item(), not loss")
    return "memory.full", because, ways


@explains(r"CUDA error: device-side assert triggered")
def _assert() -> Answer:
    because = "A kernel met an index or a target that is out of range; the GPU reports it later, at another line."
    ways = ("the same call with tensors on the CPU, whose message says which index", "CUDA_LAUNCH_BLOCKING=1")
    return "device.assert", because, ways


@explains(r"Input type \(torch\.(cuda\.)?\w+\) and (?:weight|bias) type \(torch\.(cuda\.)?\w+\) should be the same")
def _one_on_gpu(one: str | None, other: str | None) -> Answer | None:
    if bool(one) == bool(other):
        return None
    where = (
        "The input is on the GPU and the weight is not." if one else "The weight is on the GPU and the input is not."
    )
    return "device.mixed", where, ("model.to(x.device)",) if one else ("x.to(model.weight.device)", "x.cuda()")


@explains(r"can't convert cuda:\d+ device type tensor to numpy")
def _numpy_on_gpu() -> Answer:
    return "numpy.device", "NumPy reads main memory, and the tensor is on a GPU.", ("x.cpu().numpy()",)


# -- what layers, optimizers and loaders are made with ---------------------------------------------------------------


@explains(r"Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
def _fans() -> Answer:
    because = "These numbers come from how many inputs and outputs a weight has, and a bias has one dimension."
    return "init.fans", because, ("if p.dim() > 1: nn.init.xavier_uniform_(p)", "nn.init.zeros_(p), for a bias")


@explains(r"dropout probability has to be between 0 and 1, but got (\S+)")
def _dropout(p: str) -> Answer:
    return (
        "dropout.p",
        "p is the share of the elements that become 0, so it lies between 0 and 1.",
        ("p=0.5, for half of them",),
    )


@explains(r"Invalid learning rate: (\S+)")
def _rate(lr: str) -> Answer:
    because = f"A learning rate is 0 or more: a step goes down by it, and by {lr} it would go up."
    return "optimizer.rate", because, ("maximize=True, to go up",)


@explains(r"'<' not supported between instances of 'str' and 'float'")
def _text() -> Answer:
    because = "A number was given as text, as it comes from a file of settings or from the command line."
    return "argument.text", because, ("float(value)",)


@explains(r"some parameters appear in more than one parameter group")
def _twice() -> Answer:
    because = "Each parameter belongs to one group: with two, it would take two steps."
    return "optimizer.groups", because, ("[p for p in model.parameters() if p not in those of the other group]",)


@explains(r"^(\w+) is not an Optimizer")
def _no_optimizer(kind: str) -> Answer:
    because = f"A scheduler changes the learning rate of an optimizer, and {kind} is not an optimizer."
    return "scheduler.optimizer", because, ("StepLR(optimizer, step_size=3)",)


@explains(r"ReduceLROnPlateau\.step\(\) missing 1 required positional argument: 'metrics'")
def _plateau() -> Answer:
    because = "This scheduler waits until a number stops getting better, so each step needs that number."
    return "scheduler.metrics", because, ("scheduler.step(loss)",)


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


@explains(r"batch_size should be a positive integer value, but got batch_size=(\S+)")
def _batch_size(got: str) -> Answer:
    return "data.settings", "A batch has one example or more.", ("batch_size=1", "batch_size=None, for no batches")


@explains(r"DataLoader with IterableDataset: expected unspecified shuffle option")
def _stream() -> Answer:
    because = "An IterableDataset gives its samples in its own order, so there is nothing to shuffle by number."
    return "data.settings", because, ("no shuffle, and an order that __iter__ draws itself",)


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
    because = f"Each group has as many {which}put channels as the others."
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


@explains(r"Caught (\w+) in DataLoader worker process (\d+)\.(.*)$")
def _in_worker(kind: str, worker: int, trace: str) -> Answer:
    """The last pattern: what an error of a worker says is explained as if it came from here."""
    places = re.findall(r'File "(.*?)", line (\d+), in (\w+)', trace)
    own = [place for place in places if not is_library_file(place[0])] or places
    where = f", in {own[-1][2]}, line {own[-1][1]} of {Path(own[-1][0]).name}" if own else ""
    because = f"Worker {worker} loaded a sample, and the dataset raised this {kind}{where}."
    return "data.worker", because, ("num_workers=0, which raises it here", "dataset[i], for the sample i alone")
