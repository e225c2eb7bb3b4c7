"""Does memory that was freed serve the next arrays? Otherwise the system clears each page anew."""

import math
import platform
import subprocess
import sys

PROGRAM = """
import resource
import tensorwidgets as torch

def step():
    parts = [torch.full((256, 512), float(n)) for n in range(6)]
    return sum(part.sum().item() for part in parts)

assert step() == 15 * 256 * 512
before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
for _ in range(20):
    step()
print(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
"""


def test_a_new_process_asks_the_system_once_for_the_memory_of_usual_tensors() -> None:
    faults = int(subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True).stdout)
    pages = 20 * 6 * 128
    assert faults < (pages / 20 if platform.libc_ver()[0] == "glibc" else math.inf)
