"""How are gradients computed? Nodes record the calls; `running` goes back through them.

Imported by the first tensor that requires a gradient; until then it costs nothing.
"""

from . import members, quick, quick_rows, recording, shortcuts

quick.install()
quick_rows.install()

__all__ = ["members", "quick", "quick_rows", "recording", "shortcuts"]
