"""How are gradients computed? Nodes record the calls; `passes` go back through them.

Imported by the first tensor that requires a gradient; until then it costs nothing.
"""

from . import members, recording, shortcuts

shortcuts.install()

__all__ = ["members", "recording", "shortcuts"]
