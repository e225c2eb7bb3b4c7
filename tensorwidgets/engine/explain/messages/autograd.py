"""Explain an error of PyTorch's autograd from its message, in the words that this engine's own refusals have."""

from __future__ import annotations

from .patterns import Answer, explains

_NEW = "x = x * 2, which makes a new tensor, in place of x.mul_(2)"
_STEP = "with torch.no_grad(): around the write, if it is a step of training or sets a value"
_APART = "x.detach().clone(), a copy that requires no gradient"
_ORDINARY = "with torch.no_grad(): in place of inference_mode"


@explains(
    r"has been modified by an inplace operation: \[(\S+) (\[[\d, ]*\])\](?:, which is output (\d+) of ([\w:]+),)? "
    r"is at version (\d+); expected version (\d+) instead"
)
def _version(kind: str, size: str, output: int | None, maker: str | None, now: int, saved: int) -> Answer:
    whose = f", output {output} of {maker.rpartition('::')[2]}," if maker else ""
    writes = "a later write" if now == saved + 1 else "later writes"
    because = (
        f"A tensor of size {size}{whose} was saved at version {saved} to compute a gradient; {writes} made it "
        f"version {now}, so the value that backward needs is gone."
    )
    ways = (_NEW, "save a copy: use x.clone() in the computation", "write to the tensor after backward()")
    return "autograd.version", because, ways


@explains(r"Trying to backward through the graph a second time")
def _second_time() -> Answer:
    because = "The first backward pass freed the tensors that the nodes had saved, so the graph cannot be used again."
    ways = (
        "loss.backward(retain_graph=True) the first time, if no parameter is changed in between",
        "compute the result again before the second time",
        "(loss1 + loss2).backward(), for two losses of one computation",
        "h = h.detach(), for a state that goes from one step of training into the next",
    )
    return "autograd.second_time", because, ways


@explains(r"element (\d+) of tensors does not require grad and does not have a grad_fn")
def _no_graph(which: int) -> Answer:
    because = (
        "Nothing was recorded for this tensor: none of the tensors that it was computed from requires a gradient, or "
        "it was computed under no_grad, from a detached tensor, or by an operation without a gradient such as argmax()."
    )
    return "autograd.none", because, ("x.requires_grad_() before the computation",)


@explains(r"One of the differentiated Tensors does not require grad")
def _input_without() -> Answer:
    because = "A gradient was asked for with respect to a tensor that requires none."
    return "autograd.none", because, ("x.requires_grad_() before the computation",)


@explains(r"grad can be implicitly created only for (real )?scalar outputs")
def _scalar(real: str | None) -> Answer:
    because = (
        "A complex number can change in two directions."
        if real
        else "The result has several elements, and a gradient has to say how much each of them counts."
    )
    ways = ("y.backward(gradient=torch.ones_like(y))",) if real else (
        "y.sum().backward()", "y.backward(gradient=torch.ones_like(y))")  # fmt: skip
    return "autograd.scalar", because, ways


@explains(r"appears to not have been used in the graph")
def _unused() -> Answer:
    because = "No operation on this tensor leads to the outputs, so there is no gradient for it."
    return "autograd.unused", because, ("allow_unused=True, which returns None for it",)


@explains(r"a view of a leaf Variable that requires grad")
def _view_of_leaf() -> Answer:
    because = "requires_grad is set on the leaf that this is a view of: its value is where the gradient is taken."
    return "write.leaf", because, (_STEP, "y = x.clone(), and write to y", _APART)


@explains(r"a leaf Variable that requires grad (?:is being|has been) used in an in-place operation")
def _leaf() -> Answer:
    because = "requires_grad is set on this leaf tensor, so its value must not be overwritten."
    return "write.leaf", because, (_STEP, "y = x * 2, which makes a new tensor", _APART)


@explains(r"created in (no_grad|inference) mode and (?:.*? )?(?:is being|has been) modified inplace")
def _made_in(mode: str) -> Answer:
    name = "no_grad" if mode == "no_grad" else "inference_mode"
    because = f"The view was made under {name}, where nothing is recorded, so no node leads from it to its base."
    return "write.view", because, (f"make the view outside of {name}", f"write to it under {name}")


@explains(r"Output \d+ of (\w+) is a view .*output of a function that returns multiple views")
def _several_views(maker: str) -> Answer:
    because = "One call made several views, and a write to one of them would change the node of all."
    one = "x[0], x[1]" if maker.startswith("Unbind") else "x[:n], x[n:]"
    return "write.view", because, (_NEW, f"{one}, which make one view each")


@explains(r"view was created inside a custom Function")
def _view_of_function() -> Answer:
    because = "A Function returned this view, and a write would replace the backward that you wrote for it."
    return "write.view", because, ("y = y.clone()",)


@explains(r"Inplace update to inference tensor outside InferenceMode")
def _write_to_inference() -> Answer:
    because = "The tensor was made in inference mode: its writes are not counted, so autograd could not notice one."
    return "autograd.inference", because, ("x = x.clone()", _ORDINARY)


@explains(r"Inference tensors cannot be saved for backward")
def _inference_saved() -> Answer:
    because = "A node has to save this tensor, which was made in inference mode: a later write could not be noticed."
    return (
        "autograd.inference",
        because,
        ("t.clone() in its place, for the tensor t that was made in inference mode", _ORDINARY),
    )


@explains(r"Setting requires_grad=True on inference tensor|Inference tensors do not track version counter")
def _inference() -> Answer:
    because = "The tensor was made in inference mode, which leaves out all that autograd needs."
    return "autograd.inference", because, ("x.clone()", _ORDINARY)


@explains(r"functions with out=\.\.\. arguments don't support automatic differentiation")
def _out() -> Answer:
    because = "out= writes into memory that no node leads to, and one of the arguments requires a gradient."
    return "autograd.out", because, ("y = torch.add(a, b), without out=", "with torch.no_grad(): ...")


@explains(r"[Oo]nly Tensors of floating point (?:and complex )?dtype can require gradients")
def _float_only() -> Answer:
    because = "A gradient is a rate of change, and integers and truth values change in steps only."
    return "autograd.dtype", because, ("x.float().requires_grad_()",)


@explains(r"you can only change requires_grad flags of leaf variables")
def _flag() -> Answer:
    because = "The tensor was computed from others that require a gradient, so it requires one as well."
    return "autograd.leaf", because, ("x.detach()", "with torch.no_grad(): ... around the computation")


@explains(r"can't retain_grad on Tensor that has requires_grad=False|cannot register a hook on a tensor that doesn't")
def _no_gradient_comes() -> Answer:
    because = "No gradient will come to this tensor, because it does not require one."
    return "autograd.none", because, ("x.requires_grad_() before the computation",)


@explains(r"Can't detach views in-place")
def _detach() -> Answer:
    return "autograd.detach", "A view belongs to the graph of its base, and cannot leave it alone.", ("y = y.detach()",)


@explains(r"cannot resize variables that require grad")
def _resize() -> Answer:
    because = "A node may still need the elements as they are."
    return "autograd.resize", because, ("x.detach().resize_(...)", "x.reshape(...)")


@explains(r"Function '(\w+)' returned nan values in its (\d+)th output")
def _nan(node: str, which: int) -> Answer:
    because = f"The gradient that {node} computed has NaN in it: its derivative does not exist where it was taken."
    ways = ("x.clamp(min=1e-8) before the operation", "torch.where(safe, x, 1) before it, and not only after it")
    return "autograd.nan", because, ways


@explains(r"[Ff]unction (\w+) returned an incorrect number of gradients \(expected (\d+), got (\d+)\)")
def _count(node: str, expected: int, got: int) -> Answer:
    values, arguments = (f"{n} {word}{'' if n == 1 else 's'}" for n, word in ((got, "value"), (expected, "argument")))
    because = f"backward returned {values}, and forward has {arguments}: one is needed for each."
    return "autograd.count", because, ("return grad, None, for an argument that gets no gradient",)


@explains(r"returned an invalid gradient at index (\d+) - got (\[.*?\]) but expected shape compatible with (\[.*?\])")
def _size(which: int, got: str, wanted: str) -> Answer:
    because = f"Gradient {which} has size {got}, and the tensor that it belongs to has {wanted}."
    return "autograd.size", because, ("grad.sum_to_size(x.shape)",)


@explains(
    r"Mismatch in shape: grad_output\[(\d+)\] has a shape of torch\.Size\((.*?)\) and output\[\d+\] "
    r"has a shape of torch\.Size\((.*?)\)"
)
def _shape(which: int, got: str, wanted: str) -> Answer:
    because = f"Gradient {which} has size {got}, and the output that it belongs to has {wanted}."
    return "autograd.size", because, ("torch.ones_like(y)",)


@explains(r"attempting to assign a gradient (?:of size '(.*?)' to a tensor of size '(.*?)'|with)")
def _assigned(got: str | None, wanted: str | None) -> Answer:
    because = "A gradient has the size, dtype and device of its tensor" + (f": {wanted}, not {got}." if got else ".")
    return "autograd.grad", because, ("x.grad = torch.zeros_like(x)",)


@explains(r"derivative for '?([\w:]+)'? is not implemented|'?(\w+)'? (?:is not|does not support autom\w+) differentia")
def _missing(op: str | None, other: str | None) -> Answer:
    because = f"PyTorch has no formula for the gradient of {op or other}."
    return "autograd.missing", because, ("x.detach() in this call, if no gradient has to pass it",)


@explains(r"support the deepcopy protocol at the moment")
def _deepcopy() -> Answer:
    because = "The tensor was computed, and a copy of it would need a copy of its graph."
    return "autograd.copy", because, ("x.detach().clone()",)


@explains(r"only one element tensors can be converted to Python scalars")
def _one_element() -> Answer:
    return "item.count", "A Python number is one number, and the tensor has several elements.", ("x.tolist()",)


@explains(r"Can't export tensors that require gradient")
def _export() -> Answer:
    because = "Another library could not record what it computes with the tensor."
    return "autograd.export", because, ("x.detach()",)


@explains(r"`inputs` argument to `(\w+)\(\)` cannot be empty")
def _empty(name: str) -> Answer:
    return "autograd.inputs", "A gradient is taken with respect to something.", (f"{name}(..., inputs=[x])",)


@explains(r"For complex Tensors, both grad_output and output are required to have the same dtype")
def _complex() -> Answer:
    because = "The gradient of a complex result is complex, and that of a real one real."
    return "autograd.dtype", because, ("torch.ones_like(y)",)


@explains(r"got (\d+) tensors and (\d+) gradients")
def _pairs(tensors: int, gradients: int) -> Answer:
    because = f"Each output has one gradient: {tensors} are needed, and there are {gradients}."
    return "autograd.count", because, ("[torch.ones_like(y) for y in outputs]",)


@explains(r"can't assign Variable as its own grad")
def _own() -> Answer:
    return "autograd.grad", "A tensor that was its own gradient would keep itself alive.", ("x.grad = x.clone()",)


@explains(r"hook '(.*?)' has changed the (size|type) of value")
def _hook(name: str, what: str) -> Answer:
    because = f"The gradient that a hook returns takes the place of the one that it got, and has to have its {what}."
    return "autograd.hook", because, ("return grad * 0.5", "return None, which leaves the gradient as it is")


@explains(r"hook '(.*?)' has returned an incorrect number of values \(got (\d+), but expected (\d+)\)")
def _hook_count(name: str, got: int, expected: int) -> Answer:
    because = f"The hook returned {got} gradients in place of {expected}."
    return "autograd.hook", because, ("return None, which leaves the gradients as they are",)


@explains(r"post accumulate grad hooks cannot be registered on non-leaf tensors")
def _after_leaf() -> Answer:
    because = "Gradients are added to .grad of leaves only, and this tensor was computed."
    return "autograd.hook", because, ("x.register_hook(...)", "x.retain_grad()")


@explains(r"save_for_backward can only save variables")
def _save() -> Answer:
    because = "save_for_backward is for tensors, whose versions are checked."
    return "autograd.function", because, ("ctx.factor = factor, for anything else",)


@explains(r"You must implement (?:the|either the) (\w+)")
def _implement(what: str) -> Answer:
    because = f"A Function needs the static method {what}."
    return "autograd.function", because, (f"@staticmethod def {what}(ctx, ...)",)


@explains(r"elements marked as dirty during the forward method were not returned as output")
def _dirty() -> Answer:
    because = "What forward writes to in place has to be returned, so that it gets the node of the Function."
    return "autograd.function", because, ("return x, for each x in ctx.mark_dirty(x)",)


@explains(r"returned a gradient different than None at position (\d+), but the corresponding forward input was not a")
def _for_no_tensor(position: int) -> Answer:
    because = f"Argument {position} of forward is not a tensor, so it has no gradient."
    return "autograd.function", because, ("return grad, None, with None for that argument",)
