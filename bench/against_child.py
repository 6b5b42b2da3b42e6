"""FILE COMMAND...: run a command, and write CPU seconds, most megabytes and exit code to the file.

A process of its own, and a small one: what a parent holds when it starts a child counts as held by the child as well.
"""

import os
import subprocess
import sys
from pathlib import Path


def main(found: Path, command: list[str]) -> None:
    """CPU is of the command and of the children it waited for, memory of the largest of them (wait4)."""
    child = subprocess.Popen(command)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    found.write_text(f"{used.ru_utime + used.ru_stime} {used.ru_maxrss / 1024} {child.returncode}\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
