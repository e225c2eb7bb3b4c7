"""Draw the picture that the README opens with: `python docs/readme_picture.py`. It needs a browser on the machine."""

from __future__ import annotations

from pathlib import Path

import tensorwidgets as torch
from tensorwidgets import show

HERE = Path(__file__).parent


def main() -> None:
    x = torch.arange(12.0).reshape(3, 4)
    v = x.t()[1:3]
    picture = show(x, v)
    picture.save(HERE / "readme.light.png")
    picture.save(HERE / "readme.dark.png", dark=True)


if __name__ == "__main__":
    main()
