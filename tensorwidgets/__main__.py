"""`python -m tensorwidgets lab`, for a shell that does not find the command `tensorwidgets`."""

import sys

from tensorwidgets.course.cli import main

if __name__ == "__main__":
    sys.exit(main())
