"""How wide a text is: in DejaVu's faces, whose widths Verdana and Menlo share.

Where a reader's face has others, the SVG says how wide each run of text is, so that it fits all the same.

>>> round(width_of("storage A", 13, mono=True), 1), round(width_of("The", 10, mono=False), 1)
(70.4, 18.6)
"""

from __future__ import annotations

import unicodedata

MONO_FACES = "DejaVu Sans Mono,Menlo,Consolas,monospace"
SANS_FACES = "DejaVu Sans,Verdana,sans-serif"
MONO = 0.602
"""Every sign of the face with one width, in parts of the size."""
# In thousandths of the size, from the space to the tilde.
_REGULAR = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636, 636, 636, 636, 636,
    636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632, 575, 775, 752, 295, 295, 656, 557,
    863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685, 611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550,
    635, 615, 352, 635, 634, 278, 278, 579, 278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525,
    636, 337, 636, 838,
)  # fmt: skip
_BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696, 696, 696, 696,
    696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683, 683, 821, 837, 372, 372, 775,
    637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771, 724, 725, 457, 365, 457, 838, 500, 500, 675,
    716, 593, 716, 678, 435, 716, 712, 343, 343, 665, 343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924,
    645, 652, 582, 712, 365, 712, 838,
)  # fmt: skip
_OTHER = {"…": 1000, "–": 500, "—": 1000, "·": 318, "•": 590, "²": 401, "°": 500, "\u2002": 500}
_SIGN = 838
"""Of arrows and signs of arithmetic."""


def width_of(text: str, size: float, mono: bool, bold: bool = False) -> float:
    """Pixels of a run of text."""
    shown = text if text.isascii() else [letter for letter in text if not unicodedata.combining(letter)]
    if mono:
        return size * MONO * len(shown)
    face = _BOLD if bold else _REGULAR
    return size * sum(face[ord(c) - 32] if " " <= c <= "~" else _OTHER.get(c, _SIGN) for c in shown) / 1000
