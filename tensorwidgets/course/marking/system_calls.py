"""System calls that no answer needs, refused by the kernel itself (seccomp), on x86-64 and 64-bit ARM.

Refused are ways to memory that no bound counts (memfd, System V, anonymous shared mappings, io_uring), to new
namespaces and mounts, and into other processes. A refused call fails with "Function not implemented", as on a kernel
that lacks it. The filter holds for all that the process starts, and nothing takes it off.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import struct
import sys

_NUMBERS = {
    # name: (x86-64, ARM64)
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194), "shmat": (30, 196),
    "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180), "io_uring_setup": (425, 425),
    "userfaultfd": (323, 282), "add_key": (248, 217), "request_key": (249, 218), "keyctl": (250, 219),
    "bpf": (321, 280), "perf_event_open": (298, 241), "ptrace": (101, 117), "process_vm_readv": (310, 270),
    "process_vm_writev": (311, 271), "pidfd_getfd": (438, 438), "unshare": (272, 97), "setns": (308, 268),
    "clone3": (435, 435), "mount": (165, 40), "umount2": (166, 39), "pivot_root": (155, 41), "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430), "fsmount": (432, 432),
    "fspick": (433, 433), "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "quotactl": (179, 60),
    "personality": (135, 92), "swapon": (167, 224), "init_module": (175, 105), "finit_module": (313, 273),
    "kexec_load": (246, 104),
}  # fmt: skip
_CLONE, _MMAP = (56, 220), (9, 222)
_MACHINES = {"x86_64": (0, 0xC000003E), "aarch64": (1, 0xC00000B7), "arm64": (1, 0xC00000B7)}
_NEW_NAMESPACES = 0x7E020000
_SHARED, _ANONYMOUS = 0x01, 0x20
_OF_X32 = 0x40000000

_NUMBER, _ARCHITECTURE = 0, 4
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | errno.ENOSYS
_NO_NEW_PRIVILEGES, _SET_FILTER, _FILTER = 38, 22, 2


def _argument(k: int) -> int:
    """Where the low half of an argument lies in what the filter reads."""
    return 16 + 8 * k


def program(column: int, architecture: int) -> bytes:
    """The filter, in the code of the Berkeley packet filter: eight bytes for each instruction."""
    instructions: list[tuple[int, int, int, int]] = []

    def add(code: int, value: int, on_true: int = 0, on_false: int = 0) -> None:
        instructions.append((code, on_true, on_false, value))

    add(_LOAD, _ARCHITECTURE)
    add(_EQUAL, architecture, 1)
    add(_RETURN, _REFUSE)
    add(_LOAD, _NUMBER)
    add(_AT_LEAST, _OF_X32, 0, 1)
    add(_RETURN, _REFUSE)
    for numbers in _NUMBERS.values():
        add(_EQUAL, numbers[column], 0, 1)
        add(_RETURN, _REFUSE)
    add(_EQUAL, _CLONE[column], 0, 5)
    add(_LOAD, _argument(0))
    add(_AND, _NEW_NAMESPACES)
    add(_EQUAL, 0, 0, 1)
    add(_RETURN, _ALLOW)
    add(_RETURN, _REFUSE)
    add(_EQUAL, _MMAP[column], 0, 4)
    add(_LOAD, _argument(3))
    add(_AND, _SHARED | _ANONYMOUS)
    add(_EQUAL, _SHARED | _ANONYMOUS, 0, 1)
    add(_RETURN, _REFUSE)
    add(_RETURN, _ALLOW)
    return b"".join(struct.pack("HBBI", *one) for one in instructions)


def refuse() -> bool:
    """Put the filter on this process, for good. False where the machine or the kernel knows no such filter."""
    known = _MACHINES.get(platform.machine())
    if sys.platform != "linux" or known is None or struct.calcsize("P") != 8:
        return False

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("code", ctypes.c_void_p)]

    code = program(*known)
    buffer = ctypes.create_string_buffer(code, len(code))
    filter_program = Program(len(code) // 8, ctypes.addressof(buffer))
    prctl = ctypes.CDLL(None, use_errno=True).prctl
    prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    return prctl(_SET_FILTER, _FILTER, ctypes.addressof(filter_program), 0, 0) == 0
