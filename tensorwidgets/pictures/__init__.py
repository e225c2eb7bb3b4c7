"""Pictures: what an array looks like in memory, as static HTML and as plain text.

`Layout` is the narrow waist: it freezes what a picture may say of any strided array, and nothing on this
floor knows what a tensor is. A picture is a list of blocks (see `scene`), each of which can say itself in
HTML and in text.
"""

from __future__ import annotations

from .arrays.layout import Layout
from .drawing.picture import Picture
from .show import show

__all__ = ["Layout", "Picture", "show"]
