"""Explain an error of loading a model's file or state from its message."""

from __future__ import annotations

import re

from .patterns import Answer, explains


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
            said.append(_difference(missing, extra))
            left = "the missing parameters as they are" if missing else "them out"
            ways += ["the same class and arguments as when it was saved", f"strict=False, which leaves {left}"]
    if sizes:
        key, theirs, ours = sizes[0]
        more = f", and {len(sizes) - 1} more differ{'s' * (len(sizes) == 2)}" if len(sizes) > 1 else ""
        said.append(
            f"{key} has size {theirs} in the file and {ours} in the model{more}. strict=False does not help here."
        )
        ways.append(f"the same arguments of the layer as when it was saved, so that {key} has size {theirs}")
        ways.append("{k: v for k, v in state.items() if v.shape == model.state_dict()[k].shape}, with strict=False")
    return "state.keys", " ".join(said) or "The file does not fit the model.", tuple(ways)


def _difference(missing: list[str], extra: list[str]) -> str:
    """Which keys only one of the two has: the model, the file.

    >>> _difference([], ["b.weight"])
    "1 of the file's keys, such as 'b.weight', are not in the model: the model that was saved had more layers."
    """
    counts = [f"{len(missing)} of the model's keys, such as {missing[0]!r}, are not in the file"] if missing else []
    keys = "" if missing else " keys"
    counts += [f"{len(extra)} of the file's{keys}, such as {extra[0]!r}, are not in the model"] if extra else []
    had = "other names for its layers" if missing and extra else "fewer layers" if missing else "more layers"
    return f"{' and '.join(counts)}: the model that was saved had {had}."


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


@explains(r"^Can't (?:pickle|get local object) .*<lambda>")
def _lambda() -> Answer:
    because = "A file or another process gets a function's name, and finds the function by it. A lambda has no name."
    return "file.lambda", because, ("def f(x): ..., outside of any function, in place of the lambda",)
