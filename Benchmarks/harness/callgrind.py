"""Counts instructions, allocations and locks of a program with valgrind's callgrind."""

import re
import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from .fault import UNAVAILABLE, Fault

ALLOCATIONS = {"malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign"}
LOCKS = {"pthread_mutex_lock", "pthread_rwlock_rdlock", "pthread_rwlock_wrlock", "pthread_cond_wait", "pthread_cond_timedwait"}


def is_installed() -> bool:
    return shutil.which("valgrind") is not None


@dataclass(frozen=True)
class Count:
    """Instructions in all and by the name of each library; calls that allocate memory, and that take a lock."""

    instructions: int
    libraries: Counter
    allocations: int
    locks: int

    def since(self, earlier: "Count") -> "Count":
        libraries = Counter(self.libraries)
        libraries.subtract(earlier.libraries)
        return Count(
            self.instructions - earlier.instructions,
            libraries,
            self.allocations - earlier.allocations,
            self.locks - earlier.locks,
        )


def count(command: list[str], audio: bytes, scratch: Path) -> Count:
    """Runs a command that reads `audio` from standard input. Its program must have no debug information, which valgrind cannot read."""
    report = scratch / "callgrind.out"
    outcome = subprocess.run(
        ["valgrind", "--tool=callgrind", f"--callgrind-out-file={report}", *command],
        input=audio, capture_output=True,
    )
    if outcome.returncode:
        raise Fault(UNAVAILABLE, f"{command[0]} failed in valgrind: {outcome.stderr.decode(errors='replace')[-500:]}")
    return parsed(report.read_text(errors="replace"))


def parsed(report: str) -> Count:
    """Reads callgrind's format: costs of lines below `ob=` (the library) and `fn=`; after `calls=` a line that counts elsewhere."""
    names: dict[str, str] = {}
    libraries: Counter = Counter()
    calls: Counter = Counter()
    library = ""
    called = ""
    counted_elsewhere = False
    for line in report.splitlines():
        if counted_elsewhere:
            counted_elsewhere = False
        elif found := re.match(r"(c?)(ob|fn)=(\(\d+\))(?: (.*))?", line):
            is_called, kind, number, name = found.groups()
            if name:
                names[kind + number] = name
            name = names[kind + number]
            if kind == "fn" and is_called:
                called = re.sub(r"(@.*|'\d+)$", "", name)
            elif kind == "ob" and not is_called:
                library = Path(name).name.split(".")[0]
        elif line.startswith("calls="):
            calls[called] += int(line[6:].split()[0])
            counted_elsewhere = True
        elif found := re.match(r"[+*\d-]\S* (\d+)$", line):
            libraries[library] += int(found[1])
    return Count(
        sum(libraries.values()),
        libraries,
        sum(calls[name] for name in ALLOCATIONS),
        sum(calls[name] for name in LOCKS),
    )
