"""The sentences of `caller`, `walker` and `mixer`, read from files of text, and which groups a line is chosen from."""

from __future__ import annotations

from pathlib import Path


def _groups(file: str) -> dict[str, list[str]]:
    groups: dict[str, list[str]] = {}
    for line in Path(__file__).with_name(file).read_text(encoding="utf-8").split("\n"):
        if line.startswith("== "):
            chosen = groups.setdefault(line[3:], [])
        elif line and not line.startswith("#"):
            chosen.append(line.replace("\\n", "\n"))
    return groups


GROUPS = _groups("sentences.txt")
DTYPES, SEEN, BACKWARD, GRAD = (GROUPS[name] for name in ("dtypes", "seen", "backward", "grad"))

# A group that is named twice is chosen twice as often.
EXPRESSIONS = [
    GROUPS[name]
    for name in (
        "ordered reduced pointwise pointwise indexed lists linear converted activations losses layers functions "
        "functions functional checkpointed"
    ).split()
]
HOOKS = [GROUPS[name] for name in "on_tensors on_tensors on_tensors after on_nodes on_nodes".split()]
LINES = [GROUPS[name] for name in "out packed states states written written grads".split()]

_OF_NODES = _groups("sentences_of_nodes.txt")
LINES_OF_NODES = [_OF_NODES[name] for name in "nodes nodes edges flags flags modes contexts".split()]

_OF_WRITES = _groups("sentences_of_writes.txt")
LINES_OF_WRITES = [_OF_WRITES[name] for name in "looks looks writes writes writes outs data flags modes passes".split()]

_MAKE = ["m = filled(Net().double()); h = list(m.parameters())"]
_PAIR = ["m = Pair(); h = list(m.parameters())"]
_TRAINED = ["module_hooks", "call", "back", "changes", "call", "back"]
STORIES: list[list[list[str]]] = [
    [_MAKE, *[GROUPS[name] for name in _TRAINED]],
    [_MAKE, *[GROUPS[name] for name in _TRAINED]],
    [GROUPS["layered"], GROUPS["again"]],
    [GROUPS["layered"], GROUPS["again"], GROUPS["again"]],
    [_PAIR, [line for line in GROUPS["module_hooks"] if ".layer" not in line], GROUPS["paired_call"],
     GROUPS["paired_back"]],
]  # fmt: skip
"""Lines that belong together: for each, what it is chosen from."""
