"""Inside the second kernel: what all guests that build a lab do.

Every step is told before it is begun. It is in the job's `output` at once, which is written through to the host: of a
kernel that was ended, its last line says where it stood.
"""

import io
import json
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from fabricgen.cli import main
from fabricgen.lab.operate.run import run

LAB = Path("/tmp/lab")
WAIT = ("--wait", "600")
"""Of `lab up` for its sessions, in seconds: against a hang, as the kernel's own limit is."""


def tell(step: str) -> None:
    """Say what is begun, with the seconds since this kernel was started."""
    print(f"{time.clock_gettime(time.CLOCK_BOOTTIME):7.1f} s: {step}", flush=True)  # noqa: T201 (the job's own output)


def fabricgen(*words: str) -> Any:  # noqa: ANN401 (JSON)
    """What a verb prints as JSON; its talk and progress go to the job's output, and complaints end the job.

    In this process: starting Python again costs some ten thousand page faults, each of them dear in here.
    """
    tell(" ".join(("fabricgen", *words)))
    printed, code = io.StringIO(), 0
    with redirect_stdout(printed):
        try:
            main.main(list(words), prog_name="fabricgen", standalone_mode=False)
        except SystemExit as ended:
            code = ended.code if isinstance(ended.code, int) else 1
    if code:
        sys.exit(f"{' '.join(words)}: {code}: {printed.getvalue()}")
    return json.loads(printed.getvalue()) if printed.getvalue() else None


def inside(name: str, *words: str) -> str:
    """Output of a command in a switch or server, whatever became of it."""
    return run(LAB, name, list(words)).stdout
