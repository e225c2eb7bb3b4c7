"""What Python itself says differs from version to version. Frozen answers are in the words of Python 3.11.

>>> in_words_of_3_11("OrderedDict({'a': tensor([0., 1.]), '': {'version': 1}})")
"OrderedDict([('a', tensor([0., 1.])), ('', {'version': 1})])"
>>> in_words_of_3_11("f() got an unexpected keyword argument 'x'. Did you mean 'hx'?")
"f() got an unexpected keyword argument 'x'"
"""

from __future__ import annotations

import re

BEGIN = "OrderedDict({"


def in_words_of_3_11(text: str) -> str:
    """The text as Python 3.11 would have printed it."""
    text = re.sub(r"(got an unexpected keyword argument '\w+')\. Did you mean '\w+'\?", r"\1", text)
    text = text.replace(" and no __dict__ for setting new attributes", "")
    before, begin, rest = text.partition(BEGIN)
    if not begin:
        return text
    parts, after = _entries(rest)
    pairs = ", ".join("({}, {})".format(*in_words_of_3_11(part).split(": ", 1)) for part in parts)
    return f"{before}OrderedDict([{pairs}]){in_words_of_3_11(after)}"


def _entries(text: str) -> tuple[list[str], str]:
    """The entries of a dictionary that has been opened, and the text after it."""
    parts, start, depth = [], 0, 0
    for at, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        if depth < 0:
            last = text[start:at]
            return [*parts, *([last] if last else [])], text[at + 2 :]  # after the brace and the bracket
        if not depth and text.startswith(", ", at):
            parts.append(text[start:at])
            start = at + 2
    return [], text
