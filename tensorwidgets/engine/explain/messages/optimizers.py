"""Explain an error of optimizers and schedulers from its message."""

from __future__ import annotations

from .patterns import Answer, explains


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
