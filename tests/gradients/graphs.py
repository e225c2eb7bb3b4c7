"""The graph behind a tensor as text: one line a node, with the nodes that its gradient goes to."""

from __future__ import annotations

from typing import Any


def name(tensor: Any) -> str:
    """The name of a tensor's node, or nothing where it has none."""
    node = tensor.grad_fn
    return "" if node is None else node.name()


def graph(tensor: Any, most: int = 200, depth: int | None = None) -> list[str]:
    """The graph behind a tensor: each node's number, its name, and where each of its gradients goes.

    Nodes are numbered as they are found, so two engines agree where they write down the same. ``1.0`` is input 0 of
    node 1; a dash is an input without a gradient. An ``AccumulateGrad`` tells the size of its leaf. With `depth`, the
    edges of nodes that are so far away are left out.
    """
    if tensor.grad_fn is None:
        return []
    numbers = {id(tensor.grad_fn): 0}
    nodes, lines, far = [tensor.grad_fn], [], [0]
    for at, node in enumerate(nodes):  # grows as it is read
        edges = []
        for target, input in node.next_functions if depth is None or far[at] < depth else ():
            if target is None:
                edges.append("-")
                continue
            if id(target) not in numbers:
                if len(nodes) == most:
                    return [*lines, "and more"]
                numbers[id(target)] = len(nodes)
                nodes.append(target)
                far.append(far[at] + 1)
            edges.append(f"{numbers[id(target)]}.{input}")
        leaf = f" {list(node.variable.shape)}" if node.name().endswith("AccumulateGrad") else ""
        lines.append(" ".join([str(len(lines)), node.name() + leaf, *edges]))
    return lines
